# The modules for browsers and node: the core, the reader of scenes and the session of the live view as one .wasm file
# without JavaScript of the compiler's; web/npm/index.js gives it the few functions of the system that it needs. There
# are three: cairn.wasm has vector instructions, cairn-scalar.wasm has none, and cairn-threads.wasm has vector
# instructions and a memory that workers share. Configured by scripts/wasm with emscripten's toolchain file.
file(GLOB CAIRN_WEB_SOURCES CONFIGURE_DEPENDS web/engine/*.c src/io/scene/*.c)
list(APPEND CAIRN_WEB_SOURCES
    src/io/mesh_file.c src/io/recording/stage.c src/io/recording/frame.c
    src/io/page/page_bytes.c src/io/page/page_frame.c src/io/page/page_shot.c src/io/page/page_stage.c
    cli/view_hub.c cli/view_drawing.c cli/view_orders.c cli/view_scene.c cli/view_session.c cli/set_json.c
    cli/dump.c cli/race_json.c)

# Kernels are worth every optimization (a wall takes 1.8 times as long with -O1), the rest is as fast with -O1, and smaller.
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CAIRN_WEB_KERNEL_FLAGS $<$<CONFIG:Release>:-O3>)
target_compile_options(cairn_kernels_baseline PRIVATE ${CAIRN_WEB_KERNEL_FLAGS})

# emcc is a script that starts clang with a few flags, and takes three times as long as clang for a file of ours. Clang
# and the linker are called themselves; emscripten gives the flags and the C library, the one without threads.
execute_process(COMMAND emcc --cflags OUTPUT_VARIABLE CAIRN_WEB_FLAGS OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE CAIRN_WEB_LLVM OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND em-config CACHE OUTPUT_VARIABLE CAIRN_WEB_CACHE OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
find_program(CAIRN_WEB_CLANG NAMES clang-14 clang HINTS ${CAIRN_WEB_LLVM} NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_program(CAIRN_WASM_LD NAMES wasm-ld wasm-ld-14 HINTS ${CAIRN_WEB_LLVM} NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(CMAKE_C_COMPILE_OBJECT
    "${CAIRN_WEB_CLANG} ${CAIRN_WEB_FLAGS} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")

# cairn_web_parts_of(NAME FLAGS...): what the module has beside the core
function(cairn_web_parts_of name)
    add_library(cairn_web_parts_${name} OBJECT ${CAIRN_WEB_SOURCES})
    target_link_libraries(cairn_web_parts_${name} PRIVATE cairn_flags)
    target_include_directories(cairn_web_parts_${name} PRIVATE web/engine include src cli)
    target_compile_definitions(cairn_web_parts_${name} PRIVATE _DEFAULT_SOURCE)
    target_compile_options(cairn_web_parts_${name} PRIVATE ${ARGN})
endfunction()

# the kernels with vector instructions; they know of no threads, so that both modules have the same
add_library(cairn_kernels_simd128 OBJECT ${CAIRN_KERNELS})
target_link_libraries(cairn_kernels_simd128 PRIVATE cairn_flags)
target_include_directories(cairn_kernels_simd128 PRIVATE include src)
target_compile_definitions(cairn_kernels_simd128 PRIVATE CAIRN_TARGET=baseline CAIRN_TARGET_baseline)
target_compile_options(cairn_kernels_simd128 PRIVATE -msimd128 ${CAIRN_WEB_KERNEL_FLAGS})

# cairn_web_module(FILE "LIBRARIES OF OBJECTS..." FLAGS...): links a module
set(CAIRN_WEB_LIBRARIES ${CAIRN_WEB_CACHE}/sysroot/lib/wasm32-emscripten)
function(cairn_web_module file libraries)
    set(objects "")
    foreach(library ${libraries})
        list(APPEND objects $<TARGET_OBJECTS:${library}>)
    endforeach()
    set(module ${PROJECT_BINARY_DIR}/${file})
    set(list ${module}.objects)
    file(GENERATE OUTPUT ${list} CONTENT "$<JOIN:${objects},\n>\n")
    add_custom_command(OUTPUT ${module}
        COMMAND ${CAIRN_WASM_LD} -o ${module} ${CAIRN_WEB_LIBRARIES}/crt1_reactor.o @${list} -L${CAIRN_WEB_LIBRARIES}
            -lstandalonewasm-memgrow -lc -ldlmalloc -lcompiler_rt --no-entry --import-undefined --strip-all
            -z stack-size=4194304 --initial-memory=33554432 --max-memory=2147483648 --export-if-defined=_initialize ${ARGN}
        DEPENDS ${libraries} ${objects} ${list}
        COMMENT "Linking ${file}" COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${file}-module ALL DEPENDS ${module})
endfunction()

cairn_web_parts_of(single)
cairn_web_module(cairn.wasm "cairn_web_parts_single;cairn_core;cairn_kernels_simd128")
cairn_web_module(cairn-scalar.wasm "cairn_web_parts_single;cairn_core;cairn_kernels_baseline")

# With threads: the same sources but for the kernels, compiled once more for a memory that is shared. emcc would add a run
# time of its own for threads; src/math/system_web.c needs none.
set(CAIRN_WEB_SHARED -matomics -mbulk-memory)
cairn_web_parts_of(threads ${CAIRN_WEB_SHARED})
add_library(cairn_core_threads OBJECT ${CAIRN_CORE_SOURCES})
target_link_libraries(cairn_core_threads PRIVATE cairn_flags)
target_include_directories(cairn_core_threads PRIVATE include src)
target_compile_options(cairn_core_threads PRIVATE -include math/memory.h ${CAIRN_WEB_SHARED})
cairn_web_module(cairn-threads.wasm "cairn_web_parts_threads;cairn_core_threads;cairn_kernels_simd128"
    --import-memory --shared-memory --no-check-features --export=__stack_pointer)
