# A kernel is a file src/LAYER/NAME_kernel.c. It is one source, compiled once for the baseline and once
# for each wider instruction set; cairn_simd_level() chooses at run time (see src/math/simd.h). Those of trees, but
# for articulated ones, have at most four numbers in a vector: there is no copy of them for AVX-512.
file(GLOB_RECURSE CAIRN_KERNELS CONFIGURE_DEPENDS src/*_kernel.c)
set(CAIRN_WIDE_KERNELS ${CAIRN_KERNELS})
list(FILTER CAIRN_WIDE_KERNELS EXCLUDE REGEX "src/solve/tree/(ball_tree|tree)")
set(CAIRN_KERNEL_OBJECTS "")

# Under the sanitizers they are optimized, as most of the time of the tests is theirs. Their functions are long: the
# address sanitizer looks by calls, where in place it takes compilers twice as long; but in place in those of the steps,
# where calls would take the tests longer than that.
set(CAIRN_KERNEL_SANITIZE_FLAGS "")
if(CAIRN_SANITIZE)
    set(CAIRN_KERNEL_SANITIZE_FLAGS -O2)
endif()
set(CAIRN_CALLS_FLAGS "")
if(CAIRN_SANITIZE MATCHES "address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(CAIRN_CALLS_FLAGS --param=asan-instrumentation-with-call-threshold=200)
elseif(CAIRN_SANITIZE MATCHES "address")
    set(CAIRN_CALLS_FLAGS -mllvm -asan-instrumentation-with-call-threshold=200)
endif()
set(CAIRN_CALLING_KERNELS ${CAIRN_KERNELS})
list(FILTER CAIRN_CALLING_KERNELS EXCLUDE REGEX "/(manifold|cluster|cluster_sweep)_kernel\\.c$")
set_source_files_properties(${CAIRN_CALLING_KERNELS} PROPERTIES COMPILE_OPTIONS "${CAIRN_CALLS_FLAGS}")

# cairn_kernel_target(TARGET FLAGS SOURCES...)
function(cairn_kernel_target target flags)
    add_library(cairn_kernels_${target} OBJECT ${ARGN})
    target_link_libraries(cairn_kernels_${target} PRIVATE cairn_flags)
    target_include_directories(cairn_kernels_${target} PRIVATE include src)
    target_compile_definitions(cairn_kernels_${target} PRIVATE CAIRN_TARGET=${target} CAIRN_TARGET_${target})
    target_compile_options(cairn_kernels_${target} PRIVATE ${flags} ${CAIRN_KERNEL_SANITIZE_FLAGS})
    set(CAIRN_KERNEL_OBJECTS ${CAIRN_KERNEL_OBJECTS} $<TARGET_OBJECTS:cairn_kernels_${target}> PARENT_SCOPE)
endfunction()

if(EMSCRIPTEN)
    # clang 14 miscompiles three plain files when it vectorizes them for WebAssembly: kernels alone have vectors
    add_compile_options(-fno-slp-vectorize -fno-vectorize)
endif()
if(CAIRN_BASELINE_ONLY)
    cairn_kernel_target(baseline "" ${CAIRN_KERNELS})
    add_compile_definitions(CAIRN_BASELINE_ONLY)
elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    cairn_kernel_target(baseline "" ${CAIRN_KERNELS})
else()
    # machines without AVX2 are old and few: their kernels, half of the time that all kernels take to compile, are
    # optimized less and those of trees not unrolled; every level of optimization gives the same bits
    cairn_kernel_target(baseline "$<$<CONFIG:Release>:-O1>" ${CAIRN_KERNELS})
    cairn_kernel_target(avx2 "-mavx2" ${CAIRN_KERNELS})
    cairn_kernel_target(avx512 "-mavx512f;-mavx512vl;-mavx512dq;-mavx512bw;-mprefer-vector-width=512"
        ${CAIRN_WIDE_KERNELS})
endif()
