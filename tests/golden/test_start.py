"""Where joints start and how links are bent then: offsets and loads released at t = 0, against closed forms."""

import math
import unittest

from program import ROOT, Program
from test_backlash import ARM, INERTIA
from test_flexible import CRANK, columns
from test_free import BRICK, TOP, turn

SIAX = ROOT / "robots/siax.yaml"


def agm(a, b):
    for _ in range(40):
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return a


PARALLELOGRAM = """
pkm: 1
name: parallelogram
gravity: [0, 0, 0]
parameters: {l: 200 mm, d: 500 mm, phi: 0.3}
ground: {points: {A: [0, 0, 0], B: [=d, 0, 0]}}
bodies:
  crank1: {mass: 1, inertia: [1e-4, 3e-3, 3e-3], points: {A: [0, 0, 0], C: [=l, 0, 0]}, pose: {A: [0, 0, 0], C: [=l*cos(phi), =l*sin(phi), 0]}}
  crank2: {mass: 1, inertia: [1e-4, 3e-3, 3e-3], points: {B: [0, 0, 0], D: [=l, 0, 0]}, pose: {B: [=d, 0, 0], D: [=d+l*cos(phi), =l*sin(phi), 0]}}
  bar: {mass: 1, inertia: [1e-4, 2e-2, 2e-2], points: {C: [0, 0, 0], D: [=d, 0, 0]}, pose: {C: [=l*cos(phi), =l*sin(phi), 0], D: [=d+l*cos(phi), =l*sin(phi), 0]}}
joints:
  A: {type: revolute, between: [ground.A, crank1.A], axis: z}
  B: {type: revolute, between: [ground.B, crank2.B], axis: z}
  C: {type: revolute, between: [crank1.C, bar.C], axis: z}
  D: {type: revolute, between: [crank2.D, bar.D], axis: z}
tool: {point: bar.C}
"""


class Offset(Program):
    # Let go at 90 degrees a pendulum is back after 4 sqrt(I / m g l) K(sin 45), K by the arithmetic-geometric mean.
    def test_a_pendulum_let_go_at_an_angle_has_its_period(self):
        model = self.write("arm.yaml", ARM.format(g=-9.81))
        start = math.radians(90)
        period = 4 * math.sqrt(INERTIA / (2 * 9.81 * 0.5)) * math.pi / (2 * agm(1.0, math.cos(start / 2)))
        self.answer("simulate", model, "--motion", "none", "--start", "{hinge: {offset: 90 deg}}", "--for", f"{period!r} s",
                    "--instants", 5, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        for i, part in enumerate((1, 0, -1, 0, 1)):
            self.assertAlmostEqual(run["q.q"][i], part * start, delta=1e-8)
        self.assertAlmostEqual(abs(run["q.v"][1]), math.sqrt(2 * 9.81 / INERTIA), delta=1e-8)

    # The rotation vector is that of the second body against the first, however the tree runs.
    def test_a_ball_starts_turned(self):
        offset = (0.3, -0.5, 0.9)
        R = turn(offset)
        for between, back in (("ground.O, rod.O", False), ("rod.O, ground.O", True)):
            model = self.write("top.yaml", TOP.format(x=1, z=0, between=between))
            self.answer("simulate", model, "--motion", "none", "--start", f"{{ball: {{offset: {list(offset)}, rate: [0, 0, 1]}}}}",
                        "--for", "1 ms", "--instants", 2, "-o", "out")
            run = columns(self.folder / "out/table.csv")
            tip = [R[0][k] for k in range(3)] if back else [R[k][0] for k in range(3)]
            for axis, want in zip("xyz", tip):
                self.assertAlmostEqual(run[f"B.{axis}"][0], want, delta=1e-12)

    def test_a_free_body_starts_elsewhere(self):
        offset = (0.1, 0.2, -0.3, 0.4, 0.5, 0.6)
        R = turn(offset[3:])
        for between, back in (("ground.O, brick.O", False), ("brick.O, ground.O", True)):
            model = self.write("brick.yaml", BRICK.format(between=between, at="0, 0, 0"))
            self.answer("simulate", model, "--motion", "none", "--start", f"{{fly: {{offset: {list(offset)}}}}}", "--for", "1 ms",
                        "--instants", 2, "-o", "out")
            run = columns(self.folder / "out/table.csv")
            for k, axis in enumerate("xyz"):
                want = offset[k] + R[k][0] * 0.1
                if back:  # ground against brick by p, R: brick against ground by -R' p, R'
                    want = -sum(R[i][k] * offset[i] for i in range(3)) + R[0][k] * 0.1
                self.assertAlmostEqual(run[f"C.{axis}"][0], want, delta=1e-12)

    # With its loops closed, the robot is where direct kinematics has it.
    def test_a_robot_with_loops_starts_where_its_cranks_are(self):
        angles = (20, 10, -15)
        start = ", ".join(f"{limb}.motor: {{offset: {a} deg}}" for limb, a in zip("ABC", angles))
        said = self.answer("simulate", SIAX, "--motion", "none", "--start", f"{{{start}}}", "--for", "1 ms", "--instants", 2, "-o", "out")
        self.assertEqual(said["integration"]["drift_position"] < 1e-9, True)
        run = columns(self.folder / "out/table.csv")
        home = self.answer("simulate", SIAX, "--motion", "none", "--for", "1 ms", "--instants", 2, "-o", "home") and columns(self.folder / "home/table.csv")
        drives = ",".join(repr(run[f"q{limb}.q"][0]) for limb in "ABC")
        for limb, a in zip("ABC", angles):
            self.assertAlmostEqual(abs(run[f"q{limb}.q"][0] - home[f"q{limb}.q"][0]), math.radians(abs(a)), delta=1e-12)
        there = self.answer("fk", SIAX, "--drives", drives)["tool"]["position"]
        for axis, want in zip("xyz", there):
            self.assertAlmostEqual(run[f"P.{axis}"][0], want, delta=1e-9)

    # Up to its flat position both cranks of a parallelogram turn alike; beyond it loops close in two ways.
    def test_a_start_is_on_the_branch_of_the_model(self):
        model = self.write("par.yaml", PARALLELOGRAM)
        for offset in (-0.29, 0.5, 2.7, 2.83):
            self.answer("simulate", model, "--motion", "none", "--start", f"{{A: {{offset: {offset}}}}}", "--for", "1 ms",
                        "--instants", 2, "--column", "A.q", "--column", "B.q", "-o", "out")
            run = columns(self.folder / "out/table.csv")
            self.assertAlmostEqual(run["A.q"][0], 0.3 + offset, delta=1e-12)
            self.assertAlmostEqual(run["B.q"][0], 0.3 + offset, delta=1e-9)
        for offset in (-0.31, -0.317, -0.4, -1, 2.86, 2.9, 3, 3.3, 5):
            done = self.pkm("simulate", model, "--motion", "none", "--start", f"{{A: {{offset: {offset}}}}}", "--for", "1 ms")
            self.assertEqual(done.returncode, 3, offset)
            self.assertIn("a singularity bars the way", done.stderr)

    def test_what_cannot_be_is_refused(self):
        far = "{a.rail: {offset: 5 m}, b.rail: {offset: -5 m}, c.rail: {offset: 0 m}}"
        done = self.pkm("simulate", ROOT / "robots/prrr2prpar.yaml", "--motion", "none", "--start", far, "--for", "1 ms")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("kept closed", done.stderr)
        for start, code, words in (("{A.motor: {offset: 1 deg}}", 2, "for each freedom"),
                                   ("{A.motor: {offset: 1 mm}}", 2, "angle"), ("{A.motor: {ofset: 1 deg}}", 2, "offset")):
            done = self.pkm("simulate", SIAX, "--motion", "none", "--start", start, "--for", "1 ms")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)


class Plucked(Program):
    # A cantilever held down at its tip and let go: w = sum 4 F L^3 / (E I b^4) cos(b^2 sqrt(E I / m) t / L^2), b of its
    # bending modes. Three of them leave 1e-4 of the first deflection.
    def test_a_plucked_cantilever_swings_in_its_modes(self):
        force, E, d = 10.0, 200e9, 0.02
        EI, line = E * math.pi * d**4 / 64, 7800 * math.pi * d**2 / 4
        held = force / (3 * EI)
        roots = (1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349)
        model = self.write("crank.yaml", CRANK)
        period = 2 * math.pi / (roots[0] ** 2 * math.sqrt(EI / line))
        said = self.answer("simulate", model, "--motion", "none", "--drive", "locked", "--flexible", "arm: {modes: 8, damping: 0}",
                           "--load", "pull: {at: arm.B, force: [0, 0, {released: 10 N}]}", "--for", f"{2 * period!r} s", "--instants", 41, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        self.assertAlmostEqual(run["B.z"][0] / held, 1.0, delta=2e-3)  # shear adds 1e-3
        self.assertAlmostEqual(run["energy.strain"][0], 0.5 * force * held, delta=3e-3 * 0.5 * force * held)
        self.assertLess(said["energy"]["relative_residual"], 1e-6)
        for t, z in zip(run["t"], run["B.z"]):
            want = sum(4 * force / (EI * b**4) * math.cos(b * b * math.sqrt(EI / line) * t) for b in roots)
            self.assertAlmostEqual(z, want, delta=0.02 * held)

    def test_verbs_without_a_start_at_rest_refuse_it(self):
        model = self.write("crank.yaml", CRANK + "motions: {m: {duration: 1 s, drives: {q: 1 rad}}}\n")
        done = self.pkm("inverse", model, "--load", "pull: {at: arm.B, force: [0, 0, {released: 10 N}]}")
        self.assertEqual(done.returncode, 2)
        self.assertIn("released", done.stderr)


if __name__ == "__main__":
    unittest.main()
