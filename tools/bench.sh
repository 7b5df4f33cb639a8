#!/usr/bin/env bash
# Build and run the benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}

if [[ ! -f benchmarks/CMakeLists.txt ]]; then
    echo "bench: there are no benchmarks yet" >&2
    exit 1
fi
tools/build.sh bench "$jobs"
export OPENBLAS_NUM_THREADS=1
cmake --build build/bench --target run_benchmarks
