#!/usr/bin/env bash
# Fuzz every reader and the command line with libFuzzer: tools/fuzz.sh [seconds per target] [target ...]
#        tools/fuzz.sh build [target ...]      only build: with sanitizers (build/fuzz) and without (build/fuzz-fast)
#        tools/fuzz.sh replay [target ...]     what was learned so far, once, with sanitizers
#
# Long campaigns are those of tools/fuzz_campaign.py, with the fast build; then replay.
# Begins with the corpus in tests/fuzz/corpus and the files of robots/, runs/ and studies/; what it learns stays in
# build/fuzz/corpus. A finding is a file build/fuzz/found/NAME-...: put it, made small, into tests/fuzz/corpus/NAME.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
dir=build/fuzz
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
    for source in tests/fuzz/fuzz_*.c; do
        name=${source#tests/fuzz/fuzz_}
        targets+=("${name%.c}")
    done
fi

build() { # folder, flags, kind
    mkdir -p "$1"
    if ! CC=clang CXX=clang++ cmake -G Ninja -S . -B "$1" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="$2" -DPKM_FUZZ="$3" \
            >"$1/configure.log" 2>&1; then
        cat "$1/configure.log" >&2
        exit 1
    fi
    cmake --build "$1" -j "$(nproc)" --target "${targets[@]/#/fuzz.}" >"$1/build.log" || { tail -n 40 "$1/build.log" >&2; exit 1; }
}
mkdir -p $dir/found
build $dir -O1 ON
if [[ $seconds == build ]]; then
    build build/fuzz-fast -O2 FAST
    exit 0
fi
limit=(-max_total_time="$seconds")
[[ $seconds == replay ]] && limit=(-runs=0) && export PKM_FUZZ_ALL=1

# Further seeds: files of the repository that the target reads.
seeds_of() {
    case $1 in
    model) echo robots tests/data/0.1/robots ;;
    run) echo runs tests/data/0.1/runs ;;
    study) echo studies tests/data/0.1/studies ;;
    esac
}

scratch=$(mktemp -d -p /dev/shm pkm-fuzz-XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
for name in "${targets[@]}"; do
    mkdir -p $dir/corpus/$name
    log=$dir/$name.log
    # shellcheck disable=SC2046
    if ! TMPDIR=$scratch OPENBLAS_NUM_THREADS=1 $dir/tests/fuzz/fuzz.$name "${limit[@]}" -timeout=30 \
            -rss_limit_mb=3000 -print_final_stats=1 -artifact_prefix=$dir/found/$name- \
            $dir/corpus/$name tests/fuzz/corpus/$name $(seeds_of "$name") >"$log" 2>&1; then
        failed=$((failed + 1))
    elif [[ $name == hdf5 ]]; then
        rm -f $dir/found/hdf5-crash-* # libhdf5 in the child process, whose end the target has survived
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d ' ' -f 2 || true)
    news=$(grep -E '(NEW|REDUCE) ' "$log" | tail -n 1 | grep -oE '^#[0-9]+' | tr -d '#' || true)
    printf '%-12s %10s executions, %6s edges, last news at %s\n' "$name" "${runs:-?}" "${coverage:-?}" "${news:-the start}"
done
ls $dir/found 2>/dev/null | sed 's/^/found: /'
exit $((failed > 0))
