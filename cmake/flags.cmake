# Flags of everything that is ours: strict warnings, no contraction (same bits on every machine).
add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off -fno-math-errno)
if(CAIRN_WERROR)
    target_compile_options(cairn_flags INTERFACE -Werror)
endif()
if(CAIRN_SANITIZE)
    add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CAIRN_SANITIZE})
    if(CAIRN_SANITIZE MATCHES "address,undefined" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        # pointers that wrapped around or are null are seen by the address sanitizer where they are used; clang's fuzz
        # targets keep these checks, which take gcc a quarter of its time
        add_compile_options(-fno-sanitize=pointer-overflow,null)
    endif()
    if(CAIRN_SANITIZE MATCHES "undefined")
        # a trap takes a third less time to compile than a message; CAIRN_SANITIZE_TRAP=OFF tells which check it was
        if(CAIRN_SANITIZE_TRAP)
            add_compile_options(-fsanitize-undefined-trap-on-error)
        else()
            add_compile_options(-fno-sanitize-recover=undefined)
        endif()
    endif()
endif()
target_compile_definitions(cairn_flags INTERFACE _POSIX_C_SOURCE=200809L)
