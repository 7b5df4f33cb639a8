#!/usr/bin/env bash
# The long versions of tests/faults: every allocation fails, every size of disk, 1000 kills, 10^6 impacts, two threads
# under ThreadSanitizer. Hours. tools/faults.sh [test ...], for example: tools/faults.sh memory threads
set -uo pipefail
cd "$(dirname "$0")/.."
tests=("$@")
[[ ${#tests[@]} -gt 0 ]] || tests=(memory disk study signals impacts threads)
export OPENBLAS_NUM_THREADS=1 PKM_FAULTS=long PKM=$PWD/build/release/pkm
export PKM_FAULTS_LIBRARY=$PWD/build/release/tests/libpkm_faults.so
# Thousands of short runs wait for the disk (fsync) rather than work; in memory they do not.
if [[ -z ${TMPDIR:-} && -w /dev/shm ]]; then export TMPDIR=/dev/shm; fi
failed=0

run_threads() {
    local dir=build/threads
    mkdir -p $dir
    cmake -G Ninja -S . -B $dir -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1 -DPKM_SANITIZE=THREAD >$dir/configure.log 2>&1 &&
        cmake --build $dir -j "$(nproc)" --target test.unit.api.threads test.unit.api.thread_analyses \
            test.unit.api.thread_answers test.unit.api.sharing | tail -n 1 &&
        export TSAN_OPTIONS=halt_on_error=1 &&
        $dir/tests/test.unit.api.threads && $dir/tests/test.unit.api.thread_analyses &&
        $dir/tests/test.unit.api.thread_answers && $dir/tests/test.unit.api.sharing
}

for test in "${tests[@]}"; do
    echo "== $test"
    case $test in
    threads) run_threads ;;
    *) python3 -B "tests/faults/test_$test.py" ;;
    esac || failed=$((failed + 1))
done
exit $((failed > 0))
