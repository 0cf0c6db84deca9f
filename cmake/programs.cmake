# The cairn program (cli/) and its benchmarks (bench/, a program of its own that `cairn bench` starts).
if(NOT TARGET cairn_io)
    return()
endif()
file(GLOB CAIRN_CLI_SOURCES CONFIGURE_DEPENDS cli/*.c)
add_executable(cairn ${CAIRN_CLI_SOURCES})
target_link_libraries(cairn PRIVATE cairn_io cairn_flags)
target_include_directories(cairn PRIVATE src cli)
target_compile_options(cairn PRIVATE ${CAIRN_COLD_FLAGS})
target_compile_definitions(cairn PRIVATE _DEFAULT_SOURCE)

# MPI, for `mpirun cairn run` and `mpirun cairn sweep`; without it these say so. Open MPI takes 0.6 s to start, which
# only happens under mpirun.
pkg_check_modules(MPI IMPORTED_TARGET mpi-c)
if(NOT MPI_FOUND)
    pkg_check_modules(MPI IMPORTED_TARGET ompi-c)
endif()
if(MPI_FOUND)
    file(GLOB CAIRN_RANKS_SOURCES CONFIGURE_DEPENDS src/distributed/*.c)
    add_library(cairn_ranks STATIC ${CAIRN_RANKS_SOURCES})
    target_link_libraries(cairn_ranks PUBLIC cairn_static PkgConfig::MPI PRIVATE cairn_flags)
    target_include_directories(cairn_ranks PRIVATE src)
    target_compile_options(cairn_ranks PRIVATE ${CAIRN_COLD_FLAGS})
    target_compile_definitions(cairn_ranks PRIVATE _DEFAULT_SOURCE)
    set_target_properties(cairn_ranks PROPERTIES OUTPUT_NAME cairn-ranks)
    target_link_libraries(cairn PRIVATE cairn_ranks)
    target_compile_definitions(cairn PRIVATE CAIRN_HAVE_MPI)
else()
    message(STATUS "several ranks are left out; missing package: libopenmpi-dev")
endif()

# The manual page and the completions are written by the program itself, from its own tables.
if(NOT CMAKE_CROSSCOMPILING)
    set(CAIRN_MANUAL ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(OUTPUT ${CAIRN_MANUAL}/cairn.1 ${CAIRN_MANUAL}/cairn.bash ${CAIRN_MANUAL}/_cairn
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CAIRN_MANUAL}
        COMMAND cairn help --man > ${CAIRN_MANUAL}/cairn.1
        COMMAND cairn help --completion bash > ${CAIRN_MANUAL}/cairn.bash
        COMMAND cairn help --completion zsh > ${CAIRN_MANUAL}/_cairn
        DEPENDS cairn VERBATIM)
    add_custom_target(manual ALL DEPENDS ${CAIRN_MANUAL}/cairn.1)
endif()

# The server of `cairn view`; without libwebsockets the verb says so.
pkg_check_modules(WEBSOCKETS IMPORTED_TARGET libwebsockets)
if(WEBSOCKETS_FOUND)
    target_link_libraries(cairn PRIVATE PkgConfig::WEBSOCKETS)
    target_compile_definitions(cairn PRIVATE CAIRN_HAVE_WEBSOCKETS)
else()
    message(WARNING "cairn view is left out; missing package: libwebsockets-dev")
    list(FILTER CAIRN_CLI_SOURCES INCLUDE REGEX "/view_")
    set_source_files_properties(${CAIRN_CLI_SOURCES} PROPERTIES HEADER_FILE_ONLY ON)
endif()

# Optional peers and references for the benchmarks: each is used where its package is installed.
pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)
find_library(CAIRN_SICONOS siconos_numerics)
find_path(CAIRN_SICONOS_INCLUDE fc3d_Solvers.h PATH_SUFFIXES siconos/numerics)
find_path(CAIRN_SUITESPARSE_INCLUDE cs.h PATH_SUFFIXES suitesparse)
file(GLOB CAIRN_BENCH_SOURCES CONFIGURE_DEPENDS bench/*.c)
if(CAIRN_BENCH_SOURCES)
    add_executable(cairn-bench ${CAIRN_BENCH_SOURCES} cli/dump.c)
    target_link_libraries(cairn-bench PRIVATE cairn_io cairn_flags)
    target_include_directories(cairn-bench PRIVATE src bench)
    target_compile_definitions(cairn-bench PRIVATE _DEFAULT_SOURCE)
    # rows are of the commit that the program was built from
    set(CAIRN_COMMIT_HEADER ${PROJECT_BINARY_DIR}/generated/commit.h)
    add_custom_target(cairn_commit BYPRODUCTS ${CAIRN_COMMIT_HEADER}
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${CAIRN_COMMIT_HEADER}
            -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake VERBATIM)
    add_dependencies(cairn-bench cairn_commit)
    target_include_directories(cairn-bench PRIVATE ${PROJECT_BINARY_DIR}/generated)
    if(CAIRN_SICONOS AND CAIRN_SICONOS_INCLUDE)
        target_link_libraries(cairn-bench PRIVATE ${CAIRN_SICONOS})
        target_include_directories(cairn-bench SYSTEM PRIVATE ${CAIRN_SICONOS_INCLUDE}
            ${CAIRN_SICONOS_INCLUDE}/.. ${CAIRN_SUITESPARSE_INCLUDE})
        target_compile_definitions(cairn-bench PRIVATE CAIRN_HAVE_SICONOS)
    endif()
    if(OPENBLAS_FOUND)
        target_link_libraries(cairn-bench PRIVATE PkgConfig::OPENBLAS)
        target_compile_definitions(cairn-bench PRIVATE CAIRN_HAVE_OPENBLAS)
    endif()
    include(cmake/peers.cmake)
endif()
