#!/usr/bin/env bash
# WebAssembly: tools/wasm.sh [jobs] makes build/wasm/pkm.wasm, the program that node runs, and
# build/wasm/engine.wasm, the engine of the page; tools/wasm.sh [jobs] engine that alone.
# Says what is missing and ends with 77 where the toolchain is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
for tool in clang-16 wasm-ld-16 llvm-ar-16; do
    command -v "$tool" >/dev/null || { echo "wasm: $tool is missing (make setup installs it)" >&2; exit 77; }
done
[[ -f /usr/include/wasm32-wasi/stdio.h ]] || { echo "wasm: wasi-libc is missing (make setup installs it)" >&2; exit 77; }
tools/sources.sh || exit 77
log=build/wasm/configure.log
mkdir -p build/wasm
cmake -S wasm -B build/wasm -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/wasm/toolchain.cmake" -DCMAKE_BUILD_TYPE= >"$log" 2>&1 ||
    { cat "$log" >&2; exit 1; }
cmake --build build/wasm -j "$jobs" ${2:+--target "$2"} -- -k 0
