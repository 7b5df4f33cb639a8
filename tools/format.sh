#!/usr/bin/env bash
# clang-format over the C and C++ sources: name the files that differ (the default), or --fix them.
# Versions of clang-format differ in taste; the house uses 14, Debian 12's.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z "$tool" ]] || ! "$tool" --version | grep -q 'version 14\.'; then
    echo "format: clang-format 14 is not installed, nothing was looked at"
    exit 77
fi

folders=()
for folder in src include tests benchmarks examples; do
    [[ -d "$folder" ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) | sort)

if [[ "${1:-}" == --fix ]]; then
    "$tool" --style=file -i "${files[@]}"
    exit
fi
bad=0
for file in "${files[@]}"; do
    if ! "$tool" --style=file --dry-run -Werror "$file" 2>/dev/null; then
        echo "$file: not formatted (make format)"
        bad=1
    fi
done
exit $bad
