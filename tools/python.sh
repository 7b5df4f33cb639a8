#!/usr/bin/env bash
# The wheel of the Python package in build/python, from the release build.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -e build/release/libpkm.so ]] || { echo "python: build/release/libpkm.so is missing (make build)" >&2; exit 1; }
python3 -B tools/wheel.py build/release/libpkm.so build/python
