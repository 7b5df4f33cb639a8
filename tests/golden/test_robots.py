"""Every robot of robots/ through the program: structure, both routes, energy, and the files of a run."""

import csv
import hashlib
import json
import math
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from program import ROBOTS, ROOT, Program

# Mobility without idle freedoms, idle freedoms, redundant constraints (literature and counting).
STRUCTURE = {
    "3pprs": (6, 0, 0), "3ppsr": (6, 0, 0), "five-bar": (2, 0, 3), "gough-stewart": (6, 0, 0),
    "irb340": (3, 6, 0), "isoglide4": (4, 0, 3), "isoglideT3": (3, 0, 3), "kuo": (3, 0, 0),
    "lindelta": (3, 6, 0), "planar-3rrr": (3, 0, 6), "prrr2prpar": (3, 0, 9), "siax": (3, 6, 0),
    "triglide": (3, 6, 0),
}
UNIT = r"(m|rad|m/s|rad/s|m/s2|rad/s2|N|N m|W|J|s)"


class Robots(Program):
    def each(self):
        for path in ROBOTS:
            with self.subTest(path.stem):
                yield path

    def test_structure_is_that_of_the_literature(self):
        self.assertEqual({path.stem for path in ROBOTS}, set(STRUCTURE))
        for path in self.each():
            said = self.answer("check", path)
            idle, redundant = len(said["idle"]), len(said["redundant"])
            self.assertEqual((said["mobility"] - idle, idle, redundant), STRUCTURE[path.stem])
            self.assertTrue(said["drive_forces_unique"])
            self.assertLess(said["closure_error"], 1e-12)

    def test_idle_freedoms_and_redundant_constraints_have_names(self):
        said = self.answer("check", ROOT / "robots/siax.yaml")
        self.assertEqual(len(set(said["idle"])), 6)
        for name in said["idle"]:
            self.assertIn("spin of", name)
        said = self.answer("check", ROOT / "robots/prrr2prpar.yaml")
        self.assertEqual(len(set(said["redundant"])), 9)

    # Two derivations that share no code: 1e-9 of the largest force is the bound asked for.
    def test_engine_and_closed_form_agree(self):
        bound = 0
        for path in self.each():
            if self.answer("check", path)["closed_form"]:
                bound += 1
                self.assertLess(self.answer("compare", path)["relative_difference"], 1e-9)
        self.assertGreaterEqual(bound, 10)

    # Simpson-like sums over 401 rows; the residual falls with their number.
    def test_work_of_the_drives_is_the_change_of_energy(self):
        for path in self.each():
            said = self.answer("inverse", path, "-o", "out")
            self.assertLess(abs(said["energy"]["relative_residual"]), 1e-8)
            self.assertLess(said["energy"]["power_residual"], 1e-8)


class Folder(Program):
    """The files of one run, with the SIAX Delta."""

    def setUp(self):
        super().setUp()
        self.said = self.answer("inverse", ROOT / "robots/siax.yaml", "--motion", "paper", "-o", "new/out",
                                "--instants", 2001)
        self.out = self.folder / "new/out"

    def test_everything_is_there(self):
        names = {path.name for path in self.out.iterdir()}
        self.assertLessEqual({"table.csv", "table.h5", "forces.svg", "manifest.json"}, names)
        self.assertEqual((self.out / "table.h5").read_bytes()[:8], b"\x89HDF\r\n\x1a\n")

    def test_the_table_has_named_columns_with_units(self):
        with open(self.out / "table.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0][0], "t [s]")
        for name in ("qA.q [rad]", "qA.v [rad/s]", "qA.a [rad/s2]", "qA.force [N m]", "P.x [m]"):
            self.assertIn(name, rows[0])
        for name in rows[0]:
            self.assertRegex(name, rf"^(condition|[\w.]+ \[{UNIT}\])$")
        self.assertEqual(len(rows), 1 + 2001)
        for row in rows[1:]:
            self.assertEqual(len(row), len(rows[0]))
            self.assertTrue(all(math.isfinite(float(cell)) for cell in row))

    # Peaks of the rigid SIAX by two other derivations, printed with two decimals.
    def test_the_summary_is_the_table(self):
        with open(self.out / "table.csv", newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        for drive, peak in zip(self.said["drives"], (425.50, 177.91, 347.89)):
            column = [float(row[f"{drive['name']}.force [N m]"]) for row in table]
            self.assertEqual(drive["max_force"], max(column))
            self.assertEqual(drive["min_force"], min(column))
            self.assertAlmostEqual(drive["absmax_force"], peak, delta=0.006)

    def test_the_manifest_tells_what_was_run(self):
        manifest = json.loads((self.out / "manifest.json").read_text())
        text = json.dumps(manifest)
        model = (ROOT / "robots/siax.yaml").read_bytes()
        for part in ("paper", "2001", hashlib.sha256(model).hexdigest()):
            self.assertIn(part, text)

    def test_plots_are_pictures(self):
        pictures = list(self.out.glob("*.svg"))
        self.assertGreaterEqual(len(pictures), 3)
        for path in pictures:
            root = ElementTree.parse(path).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            if shutil.which("rsvg-convert"):
                png = subprocess.run(["rsvg-convert", path], capture_output=True, check=True).stdout
                self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def test_the_same_run_gives_the_same_bytes(self):
        self.pkm("inverse", ROOT / "robots/siax.yaml", "--motion", "paper", "-o", "again", "--instants", 2001)
        for name in ("table.csv", "forces.svg"):
            self.assertEqual((self.out / name).read_bytes(), (self.folder / "again" / name).read_bytes())

    def test_people_see_the_published_values_beside_the_computed_ones(self):
        done = self.pkm("inverse", ROOT / "robots/siax.yaml", "--motion", "paper", "-o", "people")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"largest acceleration of the platform +120 +122\.5\d+ m/s2 +met")
        self.assertRegex(done.stdout, r"largest speed of C +292 +337\.5 deg/s +differs\n +\S")
        self.assertIsNone(re.search(r"\bnan\b|\binf\b", done.stdout))

    def test_a_parameter_can_be_overridden(self):
        text = (ROOT / "robots/triglide.yaml").read_text()
        self.assertIn("m_platform: 0.570 kg", text)
        before = self.answer("check", ROOT / "robots/triglide.yaml")["mass"]
        after = self.answer("check", ROOT / "robots/triglide.yaml", "--set", "m_platform=1570 g")["mass"]
        self.assertAlmostEqual(after - before, 1.0, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
