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
for folder in src include tests benchmarks examples fmu; do
    [[ -d "$folder" ]] && folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cpp' \) | sort)

if [[ "${1:-}" == --fix ]]; then
    "$tool" --style=file -i "${files[@]}"
    exit
fi
if ! report=$("$tool" --style=file --dry-run -Werror "${files[@]}" 2>&1); then
    sed -nE 's/^([^:]+):[0-9]+:[0-9]+: error: .*/\1: not formatted (make format)/p' <<<"$report" | sort -u
    exit 1
fi
