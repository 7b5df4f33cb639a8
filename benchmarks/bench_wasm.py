#!/usr/bin/env python3
"""The engine as WebAssembly (in node, as in the page) against the native one: times native, at most 2.

    bench_wasm.py PKM PKM_WASM

Processor time of the whole program less that of its start, best of three, one thread; prints the lines of `make bench`:
name with the ratio, ns of the WebAssembly, error (largest difference of a force against the native table, relative), target.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# All code is optimised at the start, which is taken off: a page runs for longer than its compiler works.
OPTIMISED = ["--no-liftoff", "--no-wasm-lazy-compilation"]
RUNS = {
    "inverse dynamics; 20001 rows": ["inverse", "--method", "engine", "--instants", "20001"],
    "simulation; rigid": ["simulate", "--tolerance", "1e-12", "--instants", "2001"],
    "simulation; six flexible rods": ["simulate", "--flexible", "left: {}", "--flexible", "right: {}"],
}


def seconds(command, folder):
    """Processor time of a command, best of three."""
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once() for _ in range(3))


def forces(path):
    with open(path, encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return [[float(row[c]) for c, name in enumerate(head) if ".force " in name] for row in rows]


def main(native, wasm):
    programs = {"native": [native], "wasm": ["node", "--no-warnings", *OPTIMISED, str(ROOT / "wasm/run.mjs"), wasm]}
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "robots", Path(folder) / "robots")
        start = {name: seconds([*program, "--version"], folder) for name, program in programs.items()}
        for what, (verb, *options) in RUNS.items():
            time = {name: seconds([*program, verb, "robots/siax.yaml", *options, "-o", name], folder) - start[name]
                    for name, program in programs.items()}
            a, b = (forces(Path(folder) / name / "table.csv") for name in programs)
            most = max(abs(v) for row in a for v in row)
            error = max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q)) / most
            print(f"pkm.wasm SIAX {what} ({time['wasm'] / time['native']:.2f} times native), {1e9 * time['wasm']:.0f}, {error:.1e}, {2e9 * time['native']:.0f}")


main(*sys.argv[1:])
