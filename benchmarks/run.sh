#!/usr/bin/env bash
# Run the benchmarks of a build and print one table: benchmarks/run.sh BUILD/benchmarks
#
# Every program prints lines `name, ns per call, error, target`. Programs that were not built (a peer
# that is not installed) are left out. The last columns say how many times our time a peer takes:
# against the closed form, and against the general engine with all coordinates given.
set -euo pipefail
folder=${1:?usage: run.sh FOLDER_OF_THE_PROGRAMS}
export OPENBLAS_NUM_THREADS=1

lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
failed=0
for name in closed engine simulate chain mujoco simbody; do
    [[ -x "$folder/bench_$name" ]] || continue
    echo "bench_$name ..." >&2
    "$folder/bench_$name" >>"$lines" || { echo "bench_$name failed" >&2; failed=1; }
done

processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
echo "processor: ${processor:-unknown}; one thread; best of many batches; errors relative to the largest value"
awk -F ', *' '
function trim(text) { gsub(/^ +| +$/, "", text); return text }
{
    name[NR] = trim($1); ns[NR] = trim($2); error[NR] = trim($3); target[NR] = trim($4)
    if (target[NR] == "") target[NR] = "-"
    if (name[NR] == "pkm closed delta: inverse dynamics") closed = ns[NR]
    if (name[NR] == "pkm engine inverse (all coordinates given)") engine = ns[NR]
}
function ratio(own, ours, shown) {
    if (!shown || !ours) return "-"
    return sprintf("%.1f", own / ours)
}
END {
    form = "%-58s %12s %9s %9s %7s %10s %10s\n"
    printf form, "", "ns per call", "error", "target", "", "x closed", "x engine"
    for (k = 1; k <= NR; ++k) {
        met = target[k] == "-" ? "" : ns[k] + 0 <= target[k] + 0 ? "met" : "MISSED"
        on_delta = name[k] !~ /^pkm closed/ && name[k] ~ /inverse/
        printf form, name[k], ns[k], error[k], target[k], met, ratio(ns[k], closed, on_delta),
               ratio(ns[k], engine, on_delta)
    }
}' "$lines"
exit $failed
