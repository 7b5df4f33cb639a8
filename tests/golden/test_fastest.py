"""pkm fastest with limits of jerk: the closed form of the S-curve on a straight line; all limits kept on a curved path."""

import unittest

from program import ROOT, Program
from test_flexible import columns

SIAX = ROOT / "robots/siax.yaml"
SLIDE = """pkm: 1
name: Slide
gravity: [0, 0, 0]
ground: {points: {O: [0, 0, 0]}}
bodies: {carriage: {mass: 4 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, carriage.O], axis: x}}
drives: {q: {joint: rail}}
tool: carriage.O
motions: {move: {duration: 1 s, law: quintic, drives: {q: 0.6 m}}}
"""


class Jerk(Program):
    def ask(self, model, *limits):
        return self.answer("fastest", model, *limits, "-o", "out"), columns(self.folder / "out/table.csv")

    # length / v + v / a + a / j where speed and acceleration are both reached; without the largest speed
    # a / 2j + sqrt(a^2 / 4 j^2 + L / a) twice; without both (32 L / j)^(1/3).
    def test_a_straight_line_has_the_closed_form(self):
        model = self.write("slide.yaml", SLIDE)
        v, a, j = 1.0, 5.0, 40.0
        said, run = self.ask(model, "--velocity", v, "--acceleration", a, "--jerk", j)
        self.assertAlmostEqual(said["smooth"] / (0.6 / v + v / a + a / j), 1.0, delta=1e-6)
        self.assertAlmostEqual(run["t"][-1], said["smooth"], delta=1e-12)
        self.assertAlmostEqual(max(run["q.v"]), v, delta=2e-6)
        self.assertAlmostEqual(max(run["q.a"]), a, delta=2e-5)
        said, _ = self.ask(model, "--velocity", 100, "--acceleration", a, "--jerk", j)
        half = a / (2 * j) + (a * a / (4 * j * j) + 0.6 / a) ** 0.5
        self.assertAlmostEqual(said["smooth"] / (2 * half), 1.0, delta=1e-6)
        said, _ = self.ask(model, "--velocity", 100, "--acceleration", 1000, "--tool-jerk", j)
        self.assertAlmostEqual(said["smooth"] / (32 * 0.6 / j) ** (1 / 3), 1.0, delta=1e-6)

    # A force limit counts as an acceleration: F / m.
    def test_force_and_jerk_together(self):
        said, run = self.ask(self.write("slide.yaml", SLIDE), "--velocity", 1, "--force", 20, "--jerk", 40)
        self.assertAlmostEqual(said["smooth"] / (0.6 + 1 / 5 + 5 / 40), 1.0, delta=1e-6)
        self.assertAlmostEqual(max(run["q.force"]), 20.0, delta=1e-4)

    def test_more_jerk_comes_to_the_best_trapezoid(self):
        model = self.write("slide.yaml", SLIDE)
        times = [self.ask(model, "--velocity", 1, "--acceleration", 5, "--jerk", j)[0] for j in (40, 400, 4000)]
        self.assertAlmostEqual(times[2]["smooth"] / times[2]["fastest"], 1.0, delta=3e-3)
        self.assertTrue(times[0]["smooth"] > times[1]["smooth"] > times[2]["smooth"] > times[2]["fastest"])

    # On the curved path of a Delta every limit holds, one of them is used up, and differences of the accelerations of the
    # table, which know nothing of the search, stay within the jerk.
    def test_a_curved_path_keeps_all_limits(self):
        jerk = 60000.0
        said, run = self.ask(SIAX, "--motion", "paper", "--force", 450, "--jerk", jerk)
        self.assertGreater(said["smooth"], said["fastest"])
        self.assertAlmostEqual(max(run["use"]), 1.0, delta=2e-3)
        self.assertLess(max(run["use"]), 1.0 + 1e-6)
        most = 0.0
        for name in ("qA", "qB", "qC"):
            self.assertLess(max(map(abs, run[f"{name}.force"])), 450.0 * (1 + 1e-6))
            for k in range(2, len(run["t"]) - 3):
                h = run["t"][k + 1] - run["t"][k]
                most = max(most, abs(run[f"{name}.a"][k + 1] - run[f"{name}.a"][k]) / h)
        self.assertLess(most, 1.005 * jerk)
        self.assertGreater(most, 0.95 * jerk)

    # The tool is where forward kinematics of the drives have it, at both ends too, and goes as fast as its places change.
    def test_the_tool_goes_along_the_path(self):
        _, run = self.ask(SIAX, "--motion", "paper", "--force", 450, "--points", 200)
        last = len(run["t"]) - 1
        for k in (0, 1, last // 2, last):
            drives = ",".join(repr(run[f"q{limb}.q"][k]) for limb in "ABC")
            at = self.answer("fk", SIAX, "--drives", drives)["tool"]["position"]
            for axis, want in zip("xyz", at):
                self.assertAlmostEqual(run[f"P.{axis}"][k], want, delta=1e-9, msg=(k, axis))
        k = last // 3
        way = sum((run[f"P.{axis}"][k + 1] - run[f"P.{axis}"][k - 1]) ** 2 for axis in "xyz") ** 0.5
        self.assertAlmostEqual(way / (run["t"][k + 1] - run["t"][k - 1]), run["P.speed"][k], delta=1e-3 * run["P.speed"][k])

    def test_limits_that_allow_no_motion_are_no_answer(self):
        """A limit of the wrong size ended as a duration of `inf` with exit code 0."""
        for limit in (["--velocity", "1e-300"], ["--force", "1e-308"], ["--tool-speed", "1e-300"]):
            line = self.refused(3, "fastest", str(ROOT / "robots/five-bar.yaml"), "--points", "20", *limit)
            self.assertIn("longer than any number", line)

    def test_wrong_limits_are_refused(self):
        for option in ("--jerk", "--tool-jerk"):
            done = self.pkm("fastest", SIAX, option, "-3")
            self.assertEqual(done.returncode, 2)
            self.assertIn(option, done.stderr)


if __name__ == "__main__":
    unittest.main()
