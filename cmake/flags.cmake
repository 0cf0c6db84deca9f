# Flags of everything that is ours: strict warnings, no contraction (same bits on every machine).
add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off -fno-math-errno)
# gcc 12.0 to 12.2 fuse products and sums in spite of that (its bug 107647) where they vectorize straight-line code and
# the flags of a user, as -march=native, allow such instructions
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12
        AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12.3)
    include(CheckCSourceCompiles)
    check_c_source_compiles("
        #if !defined(__FMA__) && !defined(__FMA4__) && !defined(__AVX512F__)
        #error none
        #endif
        int main(void) { return 0; }" CAIRN_MAY_FUSE)
    if(CAIRN_MAY_FUSE)
        target_compile_options(cairn_flags INTERFACE -fno-tree-slp-vectorize)
    endif()
endif()
if(CAIRN_WERROR)
    target_compile_options(cairn_flags INTERFACE -Werror)
endif()
if(CAIRN_SANITIZE)
    add_compile_options(-fsanitize=${CAIRN_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CAIRN_SANITIZE})
    add_compile_definitions(CAIRN_SANITIZED)
    if(CAIRN_SANITIZE MATCHES "undefined")
        # a trap takes a third less time to compile than a message; CAIRN_SANITIZE_TRAP=OFF tells which check it was.
        # Pointers that wrapped around or are null are seen by the address sanitizer where they are used; the fuzz
        # targets keep these checks, which take compilers a quarter of their time
        if(CAIRN_SANITIZE_TRAP)
            add_compile_options(-fsanitize-undefined-trap-on-error -fno-sanitize=pointer-overflow,null)
        else()
            add_compile_options(-fno-sanitize-recover=undefined)
        endif()
    endif()
endif()

# Files that the tests spend less than a second in are not optimized under the sanitizers: that takes a third of the time
# to compile. The fuzz targets run for hours, and keep them optimized.
set(CAIRN_COLD_FLAGS "")
if(CAIRN_SANITIZE AND NOT CAIRN_FUZZ)
    set(CAIRN_COLD_FLAGS -O0)
endif()
# (with contraction off, the inline functions of the public headers need no guard against it: see cairn/math.h)
target_compile_definitions(cairn_flags INTERFACE _POSIX_C_SOURCE=200809L CAIRN_FP_CONTRACT_OFF)
