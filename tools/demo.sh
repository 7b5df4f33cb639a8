#!/usr/bin/env bash
# Run every robot of robots/ and write build/demo/index.html.
set -euo pipefail
cd "$(dirname "$0")/.."
export OPENBLAS_NUM_THREADS=1

if [[ ! -x build/release/pkm ]]; then
    echo "demo: build/release/pkm is not there (make build)" >&2
    exit 1
fi
exec python3 tools/demo_page.py --pkm build/release/pkm --robots robots --out build/demo
