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

# cairn_web_parts_of(NAME FLAGS...): what the module has beside the core
function(cairn_web_parts_of name)
    add_library(cairn_web_parts_${name} OBJECT ${CAIRN_WEB_SOURCES})
    target_link_libraries(cairn_web_parts_${name} PRIVATE cairn_flags)
    target_include_directories(cairn_web_parts_${name} PRIVATE web/engine include src cli)
    target_compile_definitions(cairn_web_parts_${name} PRIVATE _DEFAULT_SOURCE)
    target_compile_options(cairn_web_parts_${name} PRIVATE ${ARGN})
endfunction()

# cairn_web_kernels_of(NAME FLAGS...): the kernels with vector instructions
function(cairn_web_kernels_of name)
    add_library(cairn_kernels_${name} OBJECT ${CAIRN_KERNELS})
    target_link_libraries(cairn_kernels_${name} PRIVATE cairn_flags)
    target_include_directories(cairn_kernels_${name} PRIVATE include src)
    target_compile_definitions(cairn_kernels_${name} PRIVATE CAIRN_TARGET=baseline CAIRN_TARGET_baseline)
    target_compile_options(cairn_kernels_${name} PRIVATE -msimd128 ${ARGN})
endfunction()

set(CAIRN_WEB_STACK 4194304)
set(CAIRN_WEB_MEMORY 33554432)
set(CAIRN_WEB_MOST_MEMORY 2147483648)
cairn_web_parts_of(single)
cairn_web_kernels_of(simd128)

foreach(kind simd128 baseline)
    add_executable(cairn_web_${kind} $<TARGET_OBJECTS:cairn_web_parts_single> $<TARGET_OBJECTS:cairn_core>
        $<TARGET_OBJECTS:cairn_kernels_${kind}>)
    target_link_options(cairn_web_${kind} PRIVATE -g0 --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH
        -sTOTAL_STACK=${CAIRN_WEB_STACK} -sINITIAL_MEMORY=${CAIRN_WEB_MEMORY}
        -sMAXIMUM_MEMORY=${CAIRN_WEB_MOST_MEMORY})
endforeach()
target_link_options(cairn_web_simd128 PRIVATE -msimd128)
set_target_properties(cairn_web_simd128 PROPERTIES OUTPUT_NAME cairn SUFFIX .wasm)
set_target_properties(cairn_web_baseline PROPERTIES OUTPUT_NAME cairn-scalar SUFFIX .wasm)

# With threads: the same sources, compiled once more for a memory that is shared. emcc would add a run time of its own for
# threads; src/math/system_web.c needs none, and the C library is the one without threads, so the linker is called itself.
set(CAIRN_WEB_SHARED -matomics -mbulk-memory)
cairn_web_parts_of(threads ${CAIRN_WEB_SHARED})
cairn_web_kernels_of(threads ${CAIRN_WEB_SHARED})
add_library(cairn_core_threads OBJECT ${CAIRN_CORE_SOURCES})
target_link_libraries(cairn_core_threads PRIVATE cairn_flags)
target_include_directories(cairn_core_threads PRIVATE include src)
target_compile_options(cairn_core_threads PRIVATE -include math/memory.h ${CAIRN_WEB_SHARED})

execute_process(COMMAND em-config CACHE OUTPUT_VARIABLE CAIRN_WEB_CACHE OUTPUT_STRIP_TRAILING_WHITESPACE)
find_program(CAIRN_WASM_LD NAMES wasm-ld wasm-ld-14 REQUIRED)
find_program(CAIRN_WASM_OPT wasm-opt REQUIRED)
set(CAIRN_WEB_LIBRARIES ${CAIRN_WEB_CACHE}/sysroot/lib/wasm32-emscripten)
set(CAIRN_WEB_THREADS ${PROJECT_BINARY_DIR}/cairn-threads.wasm)
add_custom_command(OUTPUT ${CAIRN_WEB_THREADS}
    COMMAND ${CAIRN_WASM_LD} -o ${CAIRN_WEB_THREADS}.linked ${CAIRN_WEB_LIBRARIES}/crt1_reactor.o
        $<TARGET_OBJECTS:cairn_web_parts_threads> $<TARGET_OBJECTS:cairn_core_threads>
        $<TARGET_OBJECTS:cairn_kernels_threads> -L${CAIRN_WEB_LIBRARIES} -lstandalonewasm-memgrow -lc
        -ldlmalloc -lcompiler_rt --no-entry --import-memory
        --shared-memory --no-check-features --import-undefined -z stack-size=${CAIRN_WEB_STACK} --initial-memory=${CAIRN_WEB_MEMORY}
        --max-memory=${CAIRN_WEB_MOST_MEMORY} --export=__stack_pointer --export-if-defined=_initialize
    COMMAND ${CAIRN_WASM_OPT} -O2 --enable-threads --enable-simd --enable-bulk-memory
        --enable-mutable-globals --enable-sign-ext ${CAIRN_WEB_THREADS}.linked -o ${CAIRN_WEB_THREADS}
    DEPENDS cairn_web_parts_threads cairn_core_threads cairn_kernels_threads
        $<TARGET_OBJECTS:cairn_web_parts_threads> $<TARGET_OBJECTS:cairn_core_threads>
        $<TARGET_OBJECTS:cairn_kernels_threads>
    COMMENT "Linking cairn-threads.wasm" COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(cairn_web_threads ALL DEPENDS ${CAIRN_WEB_THREADS})
