#!/usr/bin/env bash
# Run the benchmarks of a build and print one table: benchmarks/run.sh BUILD/benchmarks
#
# Every program prints lines `name, ns per call, error, target`. Programs that were not built (a peer
# that is not installed) are left out. The last columns say how many times our time a line takes:
# inverse dynamics against the closed form and against the general engine with all coordinates given,
# forward evaluations against the engine's, simulations to the same error against ours.
set -euo pipefail
folder=${1:?usage: run.sh FOLDER_OF_THE_PROGRAMS}
export OPENBLAS_NUM_THREADS=1

lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
failed=0
for name in closed watch generated generated_closed engine simulate chain clearance contact modes flexible steppers stepping program study mujoco simbody; do
    [[ -x "$folder/bench_$name" ]] || continue
    echo "bench_$name ..." >&2
    "$folder/bench_$name" >>"$lines" || { echo "bench_$name failed" >&2; failed=1; }
done
here=$(dirname "$0")
if [[ -x "$folder/bench_precision" ]]; then # work and precision: a table, and the picture of the reference
    echo "bench_precision ..." >&2
    "$folder/bench_precision" >"$folder/precision.csv" || { echo "bench_precision failed" >&2; failed=1; }
    "$here/precision.py" "$folder/precision.csv" "$folder/precision.svg" "$lines" && echo "picture: $folder/precision.svg" >&2
fi
wasm=$here/../build/wasm/pkm.wasm # made by tools/wasm.sh
if [[ -f "$wasm" && -x "$folder/../pkm" ]] && command -v node >/dev/null; then
    echo "bench_wasm ..." >&2
    "$here/bench_wasm.py" "$(realpath "$folder/../pkm")" "$(realpath "$wasm")" >>"$lines" || { echo "bench_wasm failed" >&2; failed=1; }
fi

processor=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1)
echo "processor: ${processor:-unknown}, $(nproc) of them, $(cut -d' ' -f1-3 /proc/loadavg) processes waiting over 1, 5 and 15 minutes; one thread; best of many batches"
echo "errors are relative to the largest value; of simulations in metres, the largest on the way"
awk -F ', *' '
function trim(text) { gsub(/^ +| +$/, "", text); return text }
function duration(ns) {
    if (ns == "-" || ns == "") return "-"
    ns += 0
    if (ns < 1e4) return sprintf("%.0f ns", ns)
    if (ns < 1e5) return sprintf("%.1f us", ns / 1e3)
    return sprintf(ns < 1e8 ? "%.3g ms" : "%.0f ms", ns / 1e6)
}
function ratio(own, ours, shown) {
    if (!shown || !ours) return "-"
    return sprintf("%.1f", own / ours)
}
{
    name[NR] = trim($1); ns[NR] = trim($2); error[NR] = trim($3); target[NR] = trim($4)
    if (name[NR] == "pkm closed delta: inverse dynamics") closed = ns[NR]
    if (name[NR] == "pkm engine inverse (all coordinates given)") engine = ns[NR]
    if (name[NR] == "pkm engine forward (one evaluation)") evaluation = ns[NR]
    if (name[NR] ~ /^pkm simulate D1/) simulation = ns[NR]
    if (name[NR] ~ /simulate D1/) error[NR] = error[NR] " m"
}
END {
    form = "%-58s %11s %10s %9s %7s %9s %9s %11s\n"
    printf form, "", "per call", "error", "target", "", "x closed", "x engine", "x simulate"
    for (k = 1; k <= NR; ++k) {
        met = target[k] + 0 == 0 ? "" : ns[k] + 0 <= target[k] + 0 ? "met" : "MISSED"
        inverse = name[k] !~ /^pkm (closed|program)/ && name[k] ~ / inverse \(/
        forward = name[k] ~ / forward \(/
        printf form, name[k], duration(ns[k]), error[k], duration(target[k]), met,
               ratio(ns[k], closed, inverse),
               ratio(ns[k], forward ? evaluation : engine, inverse || forward),
               ratio(ns[k], simulation, name[k] ~ /simulate D1 to/)
    }
}' "$lines"
exit $failed
