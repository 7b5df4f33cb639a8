#!/usr/bin/env bash
# Build and run the benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh bench "${1:-$(nproc)}"
export OPENBLAS_NUM_THREADS=1
cmake --build build/bench --target run_benchmarks
