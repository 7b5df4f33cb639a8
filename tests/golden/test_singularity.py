"""Singularities of any order through the program: refused with time, kind and directions, seen by workspace, ik and fk."""

import csv
import unittest

from program import ROOT, Program

TRIGLIDE = ROOT / "robots/triglide.yaml"
SIAX = ROOT / "robots/siax.yaml"

# A Delta on three tilted rails: with rods of 620 mm all six are parallel on a closed curve around home.
TILTED = """pkm: 1
name: Delta on tilted rails
gravity: [0, 0, -9.81]
parameters: {R: 0.35 m, tilt: 35 deg, rod: 620 mm, rp: 60 mm, gap: 90 mm}
bodies:
  platform:
    mass: 1 kg
    inertia: [0.001, 0.001, 0.002]
    points: {P: [0, 0, 0]}
    pose: {at: [0, 0, -0.45]}
limbs:
  arm:
    copies: {A: 0 deg, B: 120 deg, C: 240 deg}
    frames:
      ground: {rail: {at: [=R, 0, 0], rotate: {y: =tilt}}}
    points:
      platform: {l: [=rp, =gap/2, 0], r: [=rp, =-gap/2, 0]}
    bodies:
      slide:
        mass: 0.8 kg
        points: {O: [0, 0, 0], l: [0, =gap/2, 0], r: [0, =-gap/2, 0]}
        pose: {at: [=R, 0, 0], rotate: {y: =tilt}}
      left:
        mass: 0.1 kg
        uniform: {from: A, to: B}
        points: {A: [0, 0, 0], B: [=rod, 0, 0]}
        pose: {A: [=R, =gap/2, 0], B: [=rp, =gap/2, -0.45]}
      right:
        mass: 0.1 kg
        uniform: {from: A, to: B}
        points: {A: [0, 0, 0], B: [=rod, 0, 0]}
        pose: {A: [=R, =-gap/2, 0], B: [=rp, =-gap/2, -0.45]}
    joints:
      rail: {type: prismatic, between: [ground.rail, slide.O], axis: x}
      l1: {type: spherical, between: [slide.l, left.A]}
      r1: {type: spherical, between: [slide.r, right.A]}
      l2: {type: spherical, between: [left.B, platform.l]}
      r2: {type: spherical, between: [right.B, platform.r]}
    drives:
      q{}: {joint: rail}
tool: {point: platform.P, moves: [x, y, z]}
home: {tool: [0, 0, -0.41]}
motions:
  across: {duration: 0.3 s, path: {line: {from: [0, 0, -0.41], to: [0.14, 0, -0.41]}}}
"""


class Singularity(Program):
    # The rods are vertical where base_radius + l1 cos q = r4: at 107.81 degrees.
    def test_the_delta_with_parallel_rods_is_refused_at_any_number_of_rows(self):
        model = self.write("fold.yaml", SIAX.read_text().replace("motions:\n", """motions:
  fold: {law: constant, duration: 1 s, drives: {qA: [100 deg, 115 deg], qB: [100 deg, 115 deg], qC: [100 deg, 115 deg]}}
""", 1))
        for method, words in (("engine", "parallel and constraint singularity of order 3"),
                              ("closed", "parallel singularity of order 2")):
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
        model = self.write("tilted.yaml", TILTED)
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
