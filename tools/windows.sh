#!/usr/bin/env bash
# The library of FMUs for Windows: tools/windows.sh [jobs] makes build/windows/pkm_fmu.dll, which the next build of
# the program carries along. Says what is missing and ends with 77 where the toolchain is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
command -v x86_64-w64-mingw32-gcc >/dev/null ||
    { echo "windows: x86_64-w64-mingw32-gcc is missing (Debian's gcc-mingw-w64-x86-64)" >&2; exit 77; }
tools/sources.sh || exit 77
log=build/windows/configure.log
mkdir -p build/windows
cmake -S fmu/windows -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/fmu/windows/toolchain.cmake" -DCMAKE_BUILD_TYPE= >"$log" 2>&1 ||
    { cat "$log" >&2; exit 1; }
cmake --build build/windows -j "$jobs"
