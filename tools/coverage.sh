#!/usr/bin/env bash
# Lines and functions that the tests reach, per folder of src/: tools/coverage.sh [jobs]
# Built in build/coverage with gcov; the report of every line is in build/coverage/lines.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
dir=build/coverage
mkdir -p "$dir"
cmake -G Ninja -S . -B "$dir" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS='-O1 --coverage -fprofile-update=atomic' \
      -DCMAKE_EXE_LINKER_FLAGS=--coverage >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log" >&2; exit 1; }
cmake --build "$dir" -j "$jobs" >"$dir/build.log" 2>&1 || { tail -30 "$dir/build.log" >&2; exit 1; }
find "$dir" -name '*.gcda' -delete
ctest --test-dir "$dir" -j "$jobs" --timeout 1200 -E '^(house|browser)\.' >"$dir/ctest.log" 2>&1 || tail -5 "$dir/ctest.log"
rm -rf "$dir/lines" && mkdir "$dir/lines"
(cd "$dir/lines" && find .. -path '*pkm*.dir/src/*.gcda' -print0 | xargs -0 gcov -l -p >gcov.txt 2>/dev/null)
python3 - "$dir/lines/gcov.txt" <<'PY'
import collections, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
lines = collections.defaultdict(lambda: [0.0, 0])
for name, share, n in re.findall(r"File '[^']*?/?src/([^']+\.c)'\nLines executed:([\d.]+)% of (\d+)", text):
    folder = lines[name.split("/")[0]]
    folder[0] += float(share) * int(n) / 100.0
    folder[1] += int(n)
print("folder          lines  reached")
for folder in sorted(lines):
    print(f"{folder:<14} {lines[folder][1]:>6} {100.0 * lines[folder][0] / lines[folder][1]:>7.1f} %")
total = [sum(v[i] for v in lines.values()) for i in (0, 1)]
print(f"{'all':<14} {total[1]:>6} {100.0 * total[0] / max(total[1], 1):>7.1f} %")
PY
