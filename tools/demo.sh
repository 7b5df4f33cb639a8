#!/usr/bin/env bash
# The flagship study with its report, then every robot of robots/ with a page of its own:
# build/demo/siax-scenarios/report.html and build/demo/index.html.
set -euo pipefail
cd "$(dirname "$0")/.."
export OPENBLAS_NUM_THREADS=1
pkm=build/release/pkm
study=siax-scenarios
out=build/demo

if [[ ! -x $pkm ]]; then
    echo "demo: $pkm is not there (make build)" >&2
    exit 1
fi
$pkm study studies/$study.yaml --fresh -o $out/$study
$pkm report $out/$study
echo
python3 tools/demo_page.py --pkm $pkm --robots robots --out $out --study $study
echo "The study: $out/$study/report.html"
