# Builds the page and writes it as C: cmake -DNPM=... -DVIEWER=... -DOUT=... -DWORK=... -P embed-page.cmake
# A page that cannot be had (no npm, no network) is empty; a page that does not build is an error.

# installs the packages of the lock file once; builds in several folders share them
function(install_packages result)
    file(LOCK ${VIEWER}/.installing GUARD FUNCTION TIMEOUT 600)
    set(stamp ${VIEWER}/node_modules/.package-lock.json)
    if(EXISTS ${stamp} AND NOT ${VIEWER}/package-lock.json IS_NEWER_THAN ${stamp})
        set(${result} 0 PARENT_SCOPE)
        return()
    endif()
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --ignore-scripts WORKING_DIRECTORY ${VIEWER}
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(status EQUAL 0)
        file(TOUCH ${stamp})
    elseif(text MATCHES "EUSAGE")
        message(FATAL_ERROR "viewer/package-lock.json does not fit viewer/package.json")
    else()
        string(REGEX MATCH "npm error [^\n]*\n?[^\n]*" text "${text}")
        message(WARNING "npm cannot install the packages of the page: ${text}")
    endif()
    set(${result} ${status} PARENT_SCOPE)
endfunction()

# where the page of these sources is kept, made or not
function(page_of_sources result)
    file(GLOB_RECURSE sources ${VIEWER}/src/*)
    set(sums "")
    foreach(source ${sources} ${VIEWER}/index.html ${VIEWER}/vite.config.js ${VIEWER}/package-lock.json)
        file(SHA256 ${source} sum)
        string(APPEND sums "${source} ${sum}\n")
    endforeach()
    string(SHA256 sum "${sums}")
    set(${result} ${VIEWER}/node_modules/.cairn/${sum}.html PARENT_SCOPE)
endfunction()

set(hex "")
if(NPM)
    install_packages(status)
    if(status EQUAL 0)
        # the same sources give the same page: builds in several folders share it
        page_of_sources(page)
        file(LOCK ${VIEWER}/.installing TIMEOUT 600)
        if(NOT EXISTS ${page})
            execute_process(COMMAND ${NPM} run --silent build -- --outDir ${WORK} --emptyOutDir --logLevel warn
                WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE status)
            if(NOT status EQUAL 0)
                message(FATAL_ERROR "the page in ${VIEWER} does not build")
            endif()
            file(MAKE_DIRECTORY ${VIEWER}/node_modules/.cairn)
            file(COPY_FILE ${WORK}/index.html ${page}.new)
            file(RENAME ${page}.new ${page})
        endif()
        file(READ ${page} hex HEX)
    endif()
endif()
if(NOT hex)
    message(WARNING "the replay page and the live view are left out: the page needs npm and its packages")
endif()

string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT}.new "// The page of viewer/, made by its build.
#include <cairn/page.h>

static const unsigned char page[] = {
${bytes}0};

const char* cairn_page_html(size_t* size)
{
    const size_t bytes = ${size};
    if (size)
        *size = bytes;
    return bytes > 0 ? (const char*)page : NULL;
}
")
file(RENAME ${OUT}.new ${OUT})
