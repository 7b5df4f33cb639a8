#!/usr/bin/env bash
# Build the release and the sanitizer version, run the tests (with sanitizers all but the longest) and end with the line
# "N passed, N failed", the sum. A version that does not build counts as one failure.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
passed=0
failed=0
mkdir -p build

# Add the counts of ctest's closing line: "97% tests passed, 2 tests failed out of 61".
add_counts() {
    local line bad all
    line=$(grep -E 'tests passed, [0-9]+ tests? failed out of [0-9]+' "$1" | tail -n 1)
    if [[ "$line" =~ ([0-9]+)\ tests?\ failed\ out\ of\ ([0-9]+) ]]; then
        bad=${BASH_REMATCH[1]}
        all=${BASH_REMATCH[2]}
        failed=$((failed + bad))
        passed=$((passed + all - bad))
    else
        echo "check: ctest ran no tests" >&2
        failed=$((failed + 1))
    fi
}

# What each group of tests used of a processor: tests leave their seconds in processor_time/NAME (tests/processor_time.c).
print_budget() {
    grep -H . build/{release,dev}/processor_time/* | awk -F: \
        -v budgets="release:5 sanitizers:5 browser:2 wasm:2 campaigns:1 faults:1" '
        {
            name = $1; sub(/.*\//, "", name)
            group = $1 ~ /dev/ ? "sanitizers" : name ~ /^browser/ ? "browser" : \
                    name ~ /wasm|python|fmu|example|export_c/ ? "wasm" : \
                    name ~ /random|campaign|singularities|branches/ ? "campaigns" : name ~ /^(fuzz|faults)/ ? "faults" : "release"
            used[group] += $2
        }
        END {
            n = split(budgets, part, " ")
            for (k = 1; k <= n; ++k) {
                split(part[k], b, ":")
                printf "%-11s %5.1f of %g min of a processor\n", b[1], used[b[1]] / 60, b[2]
            }
        }'
}

# The program as WebAssembly, which golden.wasm compares with the native one.
echo "== wasm"
tools/wasm.sh "$jobs" >build/wasm.log 2>&1
case $? in
    0) ;;
    77) tail -n 1 build/wasm.log ;;
    *) tail -n 20 build/wasm.log >&2; echo "check: wasm does not build" >&2; failed=$((failed + 1)) ;;
esac

for preset in release dev; do
    echo "== $preset"
    if ! tools/build.sh "$preset" "$jobs"; then
        echo "check: $preset does not build" >&2
        failed=$((failed + 1))
    fi
    log=build/$preset/ctest.log
    rm -f "build/$preset"/processor_time/*
    ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --timeout 600 2>&1 | tee "$log"
    add_counts "$log"
done

echo "== time of the tests, and what it should be"
print_budget
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
