#!/usr/bin/env bash
# Build the release version and run, at full size, the tests that know PKM_CAMPAIGN (CTest label
# `campaign`); prints their seeds and counts. PKM_SEED=n gives those that know it another seed.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
tools/build.sh release "$jobs"
export PKM_CAMPAIGN=full OPENBLAS_NUM_THREADS=1
ctest --test-dir build/release -L '^campaign$' -j "$jobs" -V --timeout 7200 |
    sed -n -e 's/^\([0-9]*: \)\(.*\)/\1\2/p' -e '/Test *#/p' -e '/tests passed/p' |
    grep -v 'Test command:\|Working Directory:\|Environment variables:\|Test timeout'
