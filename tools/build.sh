#!/usr/bin/env bash
# Configure (when needed) and build one preset: tools/build.sh release|dev|bench [jobs]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
jobs=${2:-$(nproc)}

log=build/$preset/configure.log
mkdir -p "build/$preset"
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
cmake --build "build/$preset" -j "$jobs" -- -k 0
