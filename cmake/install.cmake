# What `make install PREFIX=DIR` gives: libraries, headers, a CMake package, cairn.pc and cairn-io.pc, the program and
# its scenes.
include(CMakePackageConfigHelpers)

# headers of files only where there is a library behind them
set(CAIRN_IO_HEADERS "(io|page|recording|robot)\\.h$")
install(DIRECTORY include/cairn TYPE INCLUDE REGEX ${CAIRN_IO_HEADERS} EXCLUDE REGEX "ranks\\.h$" EXCLUDE)
if(TARGET cairn_ranks)
    install(FILES include/cairn/ranks.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cairn)
    install(TARGETS cairn_ranks ARCHIVE)
endif()
if(TARGET cairn_io)
    install(DIRECTORY include/cairn TYPE INCLUDE FILES_MATCHING REGEX ${CAIRN_IO_HEADERS})
    install(TARGETS cairn_io EXPORT cairn-io-targets ARCHIVE)
    install(EXPORT cairn-io-targets NAMESPACE cairn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
endif()
set_target_properties(cairn_static PROPERTIES EXPORT_NAME cairn)
set_target_properties(cairn_shared PROPERTIES EXPORT_NAME cairn_shared)
install(TARGETS cairn_static cairn_shared EXPORT cairn-targets)
install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
configure_package_config_file(cmake/cairn-config.cmake.in ${PROJECT_BINARY_DIR}/cairn-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cairn-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairn-config.cmake ${PROJECT_BINARY_DIR}/cairn-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
# the tree may be moved: cairn.pc finds its prefix from its own place
file(RELATIVE_PATH CAIRN_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/cairn.pc.in ${PROJECT_BINARY_DIR}/cairn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cairn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET cairn_io)
    configure_file(cmake/cairn-io.pc.in ${PROJECT_BINARY_DIR}/cairn-io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cairn-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET cairn)
    install(TARGETS cairn RUNTIME)
    install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn FILES_MATCHING PATTERN "*.json"
        PATTERN "*.xml")
    if(TARGET manual)
        install(FILES ${CAIRN_MANUAL}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
        install(FILES ${CAIRN_MANUAL}/cairn.bash RENAME cairn
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
        install(FILES ${CAIRN_MANUAL}/_cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    endif()
endif()
if(TARGET cairn-bench)
    install(TARGETS cairn-bench RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/cairn)
endif()

# all that is installed and nothing else: `make build` does not wait for the tests
add_custom_target(installed DEPENDS cairn_static cairn_shared)
foreach(part cairn_io cairn manual cairn-bench)
    if(TARGET ${part})
        add_dependencies(installed ${part})
    endif()
endforeach()

# `make archive`: this tree as a .tar.gz. CPack installs what is built; it must not build the tests for that.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "The Cairn authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Rigid bodies with friction, solved to a measured residual")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
