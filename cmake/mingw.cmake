# Cross-compiles the core for Windows: cmake -DCMAKE_TOOLCHAIN_FILE=cmake/mingw.cmake -DCAIRN_IO=OFF -DCAIRN_PROGRAM=OFF
# -DCAIRN_TESTS=OFF. Debian's packages: mingw-w64, and wine64 to run the result.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# gcc aligns the stack of Windows to 16 bytes alone: kernels with wider vectors would fault where they spill them
set(CAIRN_BASELINE_ONLY ON CACHE BOOL "" FORCE)
# %zu and its kin
add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
# its isfinite and isnan are macros that convert, and it checks formats by those of its own C library
add_compile_options(-Wno-float-conversion -Wno-format)
