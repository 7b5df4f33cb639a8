#!/usr/bin/env python3
"""How the drive forces of a robot grow with a parameter of its model: a small study with the program
pkm, its --json and its table.csv. Python's standard library only.

    payload.py robots/siax.yaml pick m5 0kg 2.5kg 5kg
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PKM = os.environ.get("PKM", "pkm")


def run(model, motion, setting, folder):
    """One run of `pkm inverse`: what it says as JSON, and its table as a dict of columns."""
    command = [PKM, "inverse", model, "--motion", motion, "--set", setting, "-o", str(folder), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())  # one line: what is wrong, and where
    with open(Path(folder) / "table.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    columns = {name: [float(row[i]) for row in rows] for i, name in enumerate(head)}
    return json.loads(done.stdout), columns


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: payload.py MODEL MOTION PARAMETER VALUE...")
    model, motion, parameter, *values = sys.argv[1:]
    for value in values:
        with tempfile.TemporaryDirectory() as folder:
            answer, table = run(model, motion, f"{parameter}={value}", folder)
        forces = "  ".join(f"{drive['name']} {drive['absmax_force']:9.4f} {drive['unit']}"
                           for drive in answer["drives"])
        power = max(abs(p) for p in table["power [W]"])
        print(f"{parameter} = {value:8} {forces}  power {power:9.3f} W")


if __name__ == "__main__":
    main()
