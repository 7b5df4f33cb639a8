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
# The robots take what the study leaves of the processors, most at its end and while it is put together.
robots=$(mktemp)
nice -n 10 python3 tools/demo_page.py --pkm $pkm --robots robots --out $out --study $study >"$robots" 2>&1 &
page=$!
trap 'kill $page 2>/dev/null || true; rm -f "$robots"' EXIT
$pkm study studies/$study.yaml --fresh -o $out/$study
$pkm report $out/$study
echo
failed=0
wait $page || failed=$?
cat "$robots"
echo "The study: $out/$study/report.html"
exit $failed
