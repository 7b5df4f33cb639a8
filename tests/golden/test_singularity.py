"""Singularities of any order through the program: refused with time, kind and directions, seen by workspace, ik and fk."""

import csv
import unittest

from program import ROOT, Program
from tilted import TILTED

TRIGLIDE = ROOT / "robots/triglide.yaml"
SIAX = ROOT / "robots/siax.yaml"

# With rods of 620 mm all six are parallel on a closed curve around home.
RING = TILTED.replace("rod: 600 mm", "rod: 620 mm").replace("tool: [0, 0, -0.45]", "tool: [0, 0, -0.41]") + """motions:
  across: {duration: 0.3 s, path: {line: {from: [0, 0, -0.41], to: [0.14, 0, -0.41]}}}
"""


class Singularity(Program):
    # The rods are vertical where base_radius + l1 cos q = r4: at 107.81 degrees.
    def test_the_delta_with_parallel_rods_is_refused_at_any_number_of_rows(self):
        model = self.write("fold.yaml", SIAX.read_text().replace("motions:\n", """motions:
  fold: {law: constant, duration: 1 s, drives: {qA: [100 deg, 115 deg], qB: [100 deg, 115 deg], qC: [100 deg, 115 deg]}}
""", 1))
        words = "parallel and constraint singularity of order 3"
        for method in ("engine", "closed"):
            for rows in (2, 5, 401):
                with self.subTest(method=method, rows=rows):
                    done = self.pkm("inverse", model, "--motion", "fold", "--method", method, "--instants", rows,
                                        "-o", self.folder / "out")
                    self.assertEqual(done.returncode, 3, done.stderr)
                    self.assertIn("t = 0.52", done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertIn("moves along (1, 0, 0)", done.stderr)
                    with open(self.folder / "out/table.csv") as file:
                        kept = list(csv.reader(file))
                    self.assertEqual(len(kept) - 1, 1 + int(0.5206 * (rows - 1)))

    # There and back in 0.2 s within two hours of rest: 1/45000 of the motion, and two rows, both before and behind it.
    def test_a_short_leg_of_a_long_sequence_is_not_jumped_over(self):
        def leg(name, a, b):
            return f"  {name}: {{duration: 0.1 s, drives: {{qA: [{a} deg, {b} deg], qB: [{a} deg, {b} deg], qC: [{a} deg, {b} deg]}}}}\n"
        model = self.write("long.yaml", SIAX.read_text().replace("motions:\n", "motions:\n" + leg("near", 99, 100) + leg("fold", 100, 115)
                           + leg("back", 115, 100) + "  day: {sequence: [near, {dwell: 4000 s}, fold, back, {dwell: 5000 s}]}\n", 1))
        for method in ("engine", "closed"):
            done = self.pkm("inverse", model, "--motion", "day", "--method", method, "--instants", 2, "-o", self.folder / method)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("t = 4000.15 s: the robot comes to a parallel", done.stderr)

    # A row on the singular position itself, z = 0, and rows beside it.
    def test_the_triglide_through_the_plane_of_its_rails(self):
        model = self.write("through.yaml", TRIGLIDE.read_text().replace("motions:\n", """motions:
  through: {law: constant, duration: 1 s, path: {line: {from: [0, 0, -0.2], to: [0, 0, 0.2]}}}
""", 1))
        for rows in (401, 1000):
            done = self.pkm("inverse", model, "--motion", "through", "--instants", rows, "-o", self.folder / "out")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stderr, r"t = 0\.(5|49999\d*) s: .*parallel and constraint singularity")

    def test_ik_stays_in_the_assembly_mode_and_names_what_bars_the_way(self):
        for at in ("0.1,0,0", "0.1,0,0.05"):
            done = self.pkm("ik", TRIGLIDE, "--at", at)
            self.assertEqual(done.returncode, 3, done.stdout)
            self.assertIn("a parallel and constraint singularity of order 3", done.stderr)
            self.assertNotIn("serial", done.stderr)

    # The ring: text, column and refusal agree on where it is.
    def test_a_ring_of_even_order_is_in_the_workspace_and_on_the_path(self):
        model = self.write("tilted.yaml", RING)
        done = self.pkm("inverse", model, "-o", self.folder / "run")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("singularity of order 3", done.stderr)
        with open(self.folder / "run/table.csv") as file:
            rows = list(csv.DictReader(file))
        ring = float(rows[-1]["P.x [m]"])
        self.assertGreater(float(rows[-1]["condition"]), 100.0)
        self.assertLess(float(rows[-1]["singularity [m]"]), 0.01)
        said = self.answer("workspace", model, "--grid=-0.14:0.14:29,0,-0.41", "-o", self.folder / "map")
        self.assertEqual(said["singular"], 2)
        with open(self.folder / "map/table.csv") as file:
            points = list(csv.DictReader(file))
        marked = [float(row["x [m]"]) for row in points if row["reachable"] == "1" and float(row["distance [m]"]) == 0.0]
        self.assertEqual(len(marked), 2)
        for x in marked:
            self.assertAlmostEqual(abs(x), ring, delta=0.0101)


if __name__ == "__main__":
    unittest.main()
