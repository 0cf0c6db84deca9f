# Writes the commit of the sources as a header, and only when it has changed: run by every build.
#     cmake -DSOURCE=DIR -DHEADER=FILE -P commit.cmake
set(commit unknown)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
        OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
        set(commit ${described})
    endif()
endif()
set(text "#define CAIRN_COMMIT \"${commit}\"\n")
set(known "")
if(EXISTS ${HEADER})
    file(READ ${HEADER} known)
endif()
if(NOT known STREQUAL text)
    file(WRITE ${HEADER} ${text})
endif()
