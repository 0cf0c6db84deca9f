# Every tests/fuzz/fuzz_NAME.c is a libFuzzer target; its corpus lives in tests/fuzz/corpus/NAME.
# libFuzzer steers by the branches that the readers and the core take.
foreach(target cairn_core cairn_io)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
endforeach()
file(GLOB CAIRN_FUZZ_SOURCES CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
# the sessions of fuzz_api
file(GLOB CAIRN_API_SOURCES CONFIGURE_DEPENDS tests/fuzz/api*.c)
add_custom_target(fuzzers)
foreach(source ${CAIRN_FUZZ_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE cairn_io cairn_flags -fsanitize=fuzzer)
    target_include_directories(${name} PRIVATE src tests/fuzz)
    add_dependencies(fuzzers ${name})
endforeach()
target_sources(fuzz_api PRIVATE ${CAIRN_API_SOURCES})
target_compile_definitions(fuzz_api PRIVATE _DEFAULT_SOURCE)
