# The modules for browsers and node: the core, the reader of scenes and the session of the live view as one .wasm file
# without JavaScript of the compiler's; web/npm/index.js gives it the few functions of the system that it needs. There
# are two, which differ in their kernels alone: cairn.wasm has vector instructions, cairn-scalar.wasm has none.
# Configured by scripts/wasm with emscripten's toolchain file.
file(GLOB CAIRN_WEB_SOURCES CONFIGURE_DEPENDS web/engine/*.c src/io/scene/*.c)
add_library(cairn_web_parts OBJECT ${CAIRN_WEB_SOURCES}
    src/io/mesh_file.c src/io/recording/stage.c src/io/recording/frame.c
    src/io/page/page_bytes.c src/io/page/page_frame.c src/io/page/page_shot.c src/io/page/page_stage.c
    cli/view_hub.c cli/view_orders.c cli/view_scene.c cli/view_session.c cli/set_json.c cli/dump.c cli/race_json.c)
target_link_libraries(cairn_web_parts PRIVATE cairn_flags)
target_include_directories(cairn_web_parts PRIVATE web/engine include src cli)
target_compile_definitions(cairn_web_parts PRIVATE _DEFAULT_SOURCE)

add_library(cairn_kernels_simd128 OBJECT ${CAIRN_KERNELS})
target_link_libraries(cairn_kernels_simd128 PRIVATE cairn_flags)
target_include_directories(cairn_kernels_simd128 PRIVATE include src)
target_compile_definitions(cairn_kernels_simd128 PRIVATE CAIRN_TARGET=baseline CAIRN_TARGET_baseline)
target_compile_options(cairn_kernels_simd128 PRIVATE -msimd128)

foreach(kind simd128 baseline)
    add_executable(cairn_web_${kind} $<TARGET_OBJECTS:cairn_web_parts> $<TARGET_OBJECTS:cairn_core>
        $<TARGET_OBJECTS:cairn_kernels_${kind}>)
    target_link_options(cairn_web_${kind} PRIVATE -g0 --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH
        -sTOTAL_STACK=4MB -sINITIAL_MEMORY=32MB -sMAXIMUM_MEMORY=2GB)
endforeach()
target_link_options(cairn_web_simd128 PRIVATE -msimd128)
set_target_properties(cairn_web_simd128 PROPERTIES OUTPUT_NAME cairn SUFFIX .wasm)
set_target_properties(cairn_web_baseline PROPERTIES OUTPUT_NAME cairn-scalar SUFFIX .wasm)
