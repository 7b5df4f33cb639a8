"""Motions as a machine makes them: sequences with rests, rounded corners, limited jerk, and shapers that leave no vibration."""

import csv
import math
import shutil
import unittest

from program import ROOT, Program

# A mass on a spring on a driven slide: one mode of 10 Hz.
MODEL = """pkm: 1
name: One mode
gravity: [0, 0, 0]
ground: {points: {O: [0, 0, 0]}}
bodies:
  slide: {mass: 2 kg, inertia: [0.01, 0.01, 0.01], points: {O: [0, 0, 0]}}
  mass: {mass: 1 kg, inertia: [0.01, 0.01, 0.01], points: {P: [0, 0, 0]}}
joints:
  rail: {type: prismatic, between: [ground.O, slide.O], axis: x}
  swing: {type: prismatic, between: [slide.O, mass.P], axis: x}
drives: {q: {joint: rail}}
tool: slide.O
outputs: [mass.P]
motions:
  plain: {duration: 0.13 s, hold_after: 1 s, drives: {q: [0, 0.3 m]}}
  zv: {duration: 0.13 s, hold_after: 1 s, drives: {q: [0, 0.3 m]}, shaper: {kind: zv, frequency: 10 Hz}}
  zvd: {duration: 0.13 s, hold_after: 1 s, drives: {q: [0, 0.3 m]}, shaper: {kind: zvd, frequency: 10 Hz}}
"""
RUN = f"loads: {{k: {{spring: {{stiffness: {(20 * math.pi) ** 2!r} N/m}}, joint: swing}}}}\n"


class Shaper(Program):
    def rows(self, folder):
        with open(self.folder / folder / "table.csv", encoding="utf-8") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def left_over(self, motion):
        """How far the mass swings in the last half second."""
        self.answer("simulate", "model.yaml", "--run", "run.yaml", "--motion", motion, "-o", motion)
        rows = self.rows(motion)
        name = next(key for key in rows[0] if key.split(" ")[0] in ("P.x", "mass.P.x"))
        return max(abs(float(row[name]) - 0.3) for row in rows if float(row["t [s]"]) > 0.63)

    def test_a_shaped_motion_leaves_no_vibration(self):
        self.write("model.yaml", MODEL)
        self.write("run.yaml", "run: 1\n" + RUN)
        plain = self.left_over("plain")
        self.assertGreater(plain, 0.05)
        for motion in ("zv", "zvd"):
            self.assertLess(self.left_over(motion), 1e-6 * plain)


class Cycle(Program):
    def test_a_cycle_of_two_strokes_is_computed_twice(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        motions = """motions:
  out: {law: s_curve, max_speed: 8 rad/s, max_acceleration: 200 rad/s2, max_jerk: 20000 rad/s3, drives: {qA: [0, 40 deg], qB: [0, 30 deg]}}
  in: {duration: 0.2 s, drives: {qA: [40 deg, 0], qB: [30 deg, 0]}}
  cycle: {sequence: [out, {dwell: 0.05 s}, in], repeat: 2}
"""
        self.write("model.yaml", text.replace("motions:\n", motions, 1))
        self.answer("compare", "model.yaml", "--motion", "cycle")
        self.answer("simulate", "model.yaml", "--motion", "cycle", "--instants", "801", "-o", "out")
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        force, acc = "qA.force [N m]", "qA.a [rad/s2]"
        self.assertIn(force, rows[0])
        half = len(rows) // 2
        for first, second in zip(rows[:half:20], rows[half::20]):
            self.assertAlmostEqual(float(first[force]), float(second[force]), delta=1e-6)
        self.assertLess(max(abs(float(row[acc])) for row in rows), 250.0)

    def test_what_does_not_fit_is_said(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        for motion, part in (("cycle: {sequence: [nowhere]}", "no motion nowhere stands before this one"),
                             ("cycle: {sequence: [{dwell: 1 s}]}", "begins with a motion"),
                             ("cycle: {duration: 1 s, repeat: 2, drives: {qA: 1 rad}}", "it needs the key 'sequence'"),
                             ("cycle: {law: trapezoidal, duration: 1 s, max_jerk: 5 rad/s3, drives: {qA: 1 rad}}", "acceleration jumps")):
            with self.subTest(motion):
                self.write("model.yaml", text.replace("motions:\n", f"motions:\n  {motion}\n", 1))
                self.assertIn(part, self.refused(2, "inverse", "model.yaml", "--motion", "cycle", "-o", "out"))

    def test_a_gap_is_found_when_home_is_known(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        motions = """motions:
  a: {duration: 1 s, drives: {qA: [0, 40 deg]}}
  b: {duration: 1 s, drives: {qA: [41 deg, 0]}}
  cycle: {sequence: [a, b]}
"""
        self.write("model.yaml", text.replace("motions:\n", motions, 1))
        self.assertIn("b begins 0.0174533", self.refused(2, "inverse", "model.yaml", "--motion", "cycle", "-o", "out"))


class Given(Program):
    """A motion on the command line or in a run file is that of the model file."""

    MOTION = "{law: septic, duration: 0.3 s, drives: {qA: [0, 40 deg], qB: [10 deg, 30 deg]}}"

    def forces(self, *arguments):
        self.answer(*arguments, "-o", "out")
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        shutil.rmtree(self.folder / "out")
        return [row["qA.force [N m]"] for row in rows]

    def test_it_gives_the_same_table(self):
        text = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        self.write("model.yaml", text.replace("motions:\n", f"motions:\n  mine: {self.MOTION}\n", 1))
        self.write("run.yaml", f"run: 1\nmotion: {self.MOTION}\n")
        siax = ROOT / "robots/siax.yaml"
        for verb in ("inverse", "simulate"):
            want = self.forces(verb, "model.yaml", "--motion", "mine")
            self.assertEqual(self.forces(verb, siax, "--motion", self.MOTION), want)
            self.assertEqual(self.forces(verb, siax, "--run", "run.yaml"), want)
        self.answer("compare", siax, "--motion", self.MOTION)
        self.answer("modes", siax, "--along", self.MOTION, "--points", "3", "--modes", "1")
        self.answer("envelope", siax, "--clearance", "spherical: {radial: 0.1 mm}", "--motion", self.MOTION, "--instants", "3")

    def test_formulas_and_splines_are_those_of_closed_forms(self):
        """A septic law as a formula, and the straight line as a spline through three of its points, give the forces of the law."""
        siax = ROOT / "robots/siax.yaml"
        s = "(t/0.3 s)"
        law = f"(35*{s}^4 - 84*{s}^5 + 70*{s}^6 - 20*{s}^7)"
        formula = f"{{duration: 0.3 s, formula: {{of: drives, qA: '=40 deg*{law}', qB: '=10 deg + 20 deg*{law}'}}}}"
        line = "{law: septic, duration: 0.3 s, path: {line: {from: [0, 0, -1], to: [0.2, 0.1, -0.9]}}}"
        spline = "{law: septic, duration: 0.3 s, path: {spline: {through: [[0, 0, -1], [0.05, 0.025, -0.975], [0.2, 0.1, -0.9]]}}}"
        for one, other in ((self.MOTION, formula), (line, spline)):
            # simulations lead the drives of a tool's motion by splines through solved poses: 1e-5 N m of 200
            for verb, room in (("inverse", 1e-9), ("simulate", 1e-5)):
                want, found = self.forces(verb, siax, "--motion", one), self.forces(verb, siax, "--motion", other)
                for a, b in zip(want, found, strict=True):
                    self.assertAlmostEqual(float(a), float(b), delta=room)

    def test_formulas_that_have_no_answer_are_refused(self):
        siax = ROOT / "robots/siax.yaml"
        for formula, part in (("{of: drives, qA: '=1 rad*floor(t/0.1 s)'}", "jumps from 0 to 1 at 0.1 s"),
                              ("{of: drives, qA: '=1 rad*sqrt(t/1 s)'}", "its velocity at 0 s is inf"),
                              ("{of: drives, qA: '=1 m*t/1 s'}", "expected an angle"),
                              ("{of: drives}", "beside 'of'"),
                              ("{of: tool, x: 0, y: 0}", "'z' is missing"),
                              ("{qA: '=t'}", "'of' is missing")):
            with self.subTest(formula):
                self.assertIn(part, self.refused(2, "inverse", siax, "--motion", f"{{duration: 0.3 s, formula: {formula}}}"))
        self.assertIn("3 times for 2", self.refused(2, "inverse", siax, "--motion", "{drives: {qA: [0, 1 rad]}, times: [0, 1 s, 2 s]}"))
        self.assertIn("belongs to a spline", self.refused(2, "inverse", siax, "--motion", "{duration: 1 s, drives: {qA: 1 rad}, times: [0, 1 s]}"))

    def test_mistakes_name_the_option(self):
        self.assertIn("--motion", self.refused(2, "inverse", ROOT / "robots/siax.yaml", "--motion", "{duration: 1 m, drives: {qA: 1 rad}}"))
        self.assertIn("qX", self.refused(2, "compare", ROOT / "robots/siax.yaml", "--motion", "{duration: 1 s, drives: {qX: 1 rad}}"))


if __name__ == "__main__":
    unittest.main()
