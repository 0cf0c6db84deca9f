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
    if(CAIRN_SANITIZE MATCHES "undefined")
        add_compile_options(-fno-sanitize-recover=undefined)
    endif()
endif()
if(CAIRN_FUZZ)
    # libFuzzer steers by the branches that the library takes
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
target_compile_definitions(cairn_flags INTERFACE _POSIX_C_SOURCE=200809L)
