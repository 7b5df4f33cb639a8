"""The program as WebAssembly gives the native numbers, files included.

Agreement, relative to the largest value of a column: check, ik, fk and inverse dynamics 1e-12, rigid simulation 1e-9,
friction and flexible links 1e-5, natural frequencies 1e-9. Skipped where build/wasm/pkm.wasm was not made (tools/wasm.sh).
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from program import ROBOTS, ROOT, Program

WASM = Path(os.environ.get("PKM_WASM", ROOT / "build/wasm/pkm.wasm"))
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def columns(path):
    """Named columns of a table."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[c]) for row in rows[1:]] for c, name in enumerate(rows[0])}


class Wasm(Program):
    def setUp(self):
        super().setUp()
        shutil.copytree(ROOT / "robots", self.folder / "robots")

    def wasm(self, *arguments):
        return subprocess.run(["node", "--no-warnings", ROOT / "wasm/run.mjs", WASM, *map(str, arguments)],
                              cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def both(self, *arguments):
        """The answers of both programs, whose exit codes are the same."""
        native, here = self.pkm(*arguments), self.wasm(*arguments)
        self.assertEqual(native.returncode, here.returncode, here.stderr)
        return native.stdout, here.stdout

    def agree(self, native, here, tolerance, floor=1e-12):
        """Two tables: the same columns and rows; columns that are nothing but rounding are left out."""
        a, b = columns(native), columns(here)
        self.assertEqual(list(a), list(b))
        scale = {"[rad]": 1.0, "[rad/s]": 1.0, "[rad/s2]": 1.0}
        for name, values in a.items():
            unit = name.partition(" ")[2]
            scale[unit] = max([scale.get(unit, 0.0)] + [abs(v) for v in values])
        for name, values in a.items():
            self.assertEqual(len(values), len(b[name]))
            size = max(map(abs, values))
            if size <= floor * scale[name.partition(" ")[2]]:
                continue
            off = max(abs(x - y) for x, y in zip(values, b[name]))
            if name.startswith("singularity"):  # an estimate, by differences
                self.assertLessEqual(off, 1e-6 * size, name)
                continue
            self.assertLessEqual(off, tolerance * size + floor * scale[name.partition(" ")[2]], name)

    def tables(self, tolerance, *arguments):
        native = self.pkm(*arguments, "-o", "native")
        here = self.wasm(*arguments, "-o", "wasm")
        self.assertEqual(native.returncode, here.returncode, here.stderr)
        self.agree(self.folder / "native/table.csv", self.folder / "wasm/table.csv", tolerance)
        for name in ("summary.json", "scene.json", "manifest.json"):
            json.loads((self.folder / "wasm" / name).read_text(encoding="utf-8"))
        for picture in (self.folder / "native").glob("*.svg"):
            self.assertTrue((self.folder / "wasm" / picture.name).exists(), picture.name)

    def test_check(self):
        for robot in ROBOTS:
            native, here = self.both("check", f"robots/{robot.name}")
            self.assertEqual(NUMBER.sub("#", native), NUMBER.sub("#", here), robot.name)
            for a, b in zip(NUMBER.findall(native), NUMBER.findall(here)):
                # printed with six digits; what is below is rounding of closures
                self.assertLessEqual(abs(float(a) - float(b)), 2e-6 * abs(float(a)) + 1e-9, robot.name)

    def test_inverse(self):
        for robot in ROBOTS:
            with self.subTest(robot=robot.name):
                self.tables(1e-12, "inverse", f"robots/{robot.name}", "--instants", 101)

    def test_kinematics(self):
        native, here = self.both("ik", "robots/siax.yaml", "--at", "0.1,0.05,-1", "--json")
        for a, b in zip(NUMBER.findall(native), NUMBER.findall(here)):
            self.assertLessEqual(abs(float(a) - float(b)), 1e-11 * abs(float(a)) + 1e-12)

    def test_rigid_motion(self):
        for name in ("siax", "gough-stewart", "isoglide4"):
            self.tables(1e-9, "simulate", f"robots/{name}.yaml", "--for", "0.05", "--instants", 51)

    def test_friction(self):
        self.tables(1e-5, "simulate", "robots/siax.yaml", "--instants", 51, "--for", "0.1", "--friction",
                    "spherical: {law: coulomb, static: 0.11, dynamic: 0.084, radius: 10mm}")

    def test_flexible_links(self):
        self.tables(1e-5, "simulate", "robots/siax.yaml", "--for", "0.01", "--instants", 21, "--flexible", "left: {}")

    def test_clearance(self):
        """Before chaos sets in."""
        self.tables(1e-6, "simulate", "robots/siax.yaml", "--for", "3 ms", "--instants", 31, "--clearance",
                    "A.left1: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.4, start: centred}")

    def test_frequencies(self):
        for name in ("siax", "kuo", "irb340"):
            native, here = self.both("modes", f"robots/{name}.yaml", "--json")
            a, b = json.loads(native), json.loads(here)
            for x, y in zip(a["modes"], b["modes"]):
                self.assertLessEqual(abs(x["frequency"] - y["frequency"]), 1e-9 * x["frequency"])
            self.assertEqual(len(a["modes"]), len(b["modes"]))

    def test_what_is_not_there_is_said(self):
        done = self.wasm("study", "x.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is no verb", done.stderr)


if __name__ == "__main__":
    if not WASM.exists():
        print(f"{WASM} was not made")
        sys.exit(77)
    unittest.main()
