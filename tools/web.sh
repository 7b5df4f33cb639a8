#!/usr/bin/env bash
# The packages of web/ (three.js, uPlot, esbuild; for tests playwright-core, axe-core, iwer, gltf-validator), installed once: the
# network is used only when they are missing or web/package-lock.json has changed.
set -euo pipefail
cd "$(dirname "$0")/../web"

mark=node_modules/.pkm-lock
if [[ -f $mark ]] && cmp -s package-lock.json "$mark"; then
    exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1; then
    cat "$log" >&2
    echo "web: npm ci failed; its output is above" >&2
    exit 1
fi
cp package-lock.json "$mark"
