# The web page: viewer/ is built by npm into one HTML file, which becomes an array of bytes in cairn-io. Without npm,
# or when npm cannot fetch what the page is made of, the page is left out and everything else still builds.
find_program(CAIRN_NPM npm)
set(CAIRN_VIEWER ${PROJECT_SOURCE_DIR}/viewer)
set(CAIRN_PAGE_SOURCE ${PROJECT_BINARY_DIR}/page_html.c)
if(NOT CAIRN_NPM)
    message(WARNING "the replay page and the live view are left out; missing package: npm")
endif()
# a page that could not be had is tried again
if(CAIRN_NPM AND EXISTS ${CAIRN_PAGE_SOURCE})
    file(SIZE ${CAIRN_PAGE_SOURCE} CAIRN_PAGE_SIZE)
    if(CAIRN_PAGE_SIZE LESS 10000)
        file(REMOVE ${CAIRN_PAGE_SOURCE})
    endif()
endif()
file(GLOB_RECURSE CAIRN_VIEWER_SOURCES CONFIGURE_DEPENDS ${CAIRN_VIEWER}/src/*)
add_custom_command(OUTPUT ${CAIRN_PAGE_SOURCE}
    COMMAND ${CMAKE_COMMAND} -DNPM=${CAIRN_NPM} -DVIEWER=${CAIRN_VIEWER} -DOUT=${CAIRN_PAGE_SOURCE}
        -DWORK=${PROJECT_BINARY_DIR}/viewer -P ${PROJECT_SOURCE_DIR}/cmake/embed-page.cmake
    DEPENDS ${CAIRN_VIEWER_SOURCES} ${CAIRN_VIEWER}/index.html ${CAIRN_VIEWER}/vite.config.js
        ${CAIRN_VIEWER}/package.json ${CAIRN_VIEWER}/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/embed-page.cmake
    COMMENT "Building the web page" VERBATIM)
