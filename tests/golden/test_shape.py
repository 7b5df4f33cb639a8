"""Vibration behind a motion, before and after shaping it."""

import math
import unittest

from program import ROOT, Program
from test_shaper import MODEL, RUN

SIAX = ROOT / "robots/siax.yaml"
PI = math.pi


def quintic_residual(distance, duration, frequency):
    """Amplitude of a mass on a spring behind a quintic stroke of its base, by 20000 steps of Simpson's rule."""
    w, n = 2 * PI * frequency, 20000
    re = im = 0.0
    for i in range(n + 1):
        s = i / n
        a = distance / duration ** 2 * (60 * s - 180 * s ** 2 + 120 * s ** 3)
        weight = (1 if i in (0, n) else 4 if i % 2 else 2) * duration / (3 * n)
        re += weight * a * math.cos(w * s * duration)
        im += weight * a * math.sin(w * s * duration)
    return math.hypot(re, im) / w


class Shape(Program):
    def setUp(self):
        super().setUp()
        self.write("model.yaml", MODEL)
        self.write("run.yaml", "run: 1\n" + RUN)

    def test_a_mass_on_a_spring_is_left_at_rest(self):
        """Before: the closed form; after: 1e-6 of it, by every shaper and by the matched duration."""
        answer = self.answer("shape", "model.yaml", "--run", "run.yaml", "--motion", "plain", "-o", "out")
        self.assertAlmostEqual(answer["frequency"], 10.0, delta=1e-9)
        variants = {item["name"]: item for item in answer["variants"]}
        before = quintic_residual(0.3, 0.13, 10.0)
        # the largest of forty rows in a period: cos(pi/40) of the peak at worst
        self.assertAlmostEqual(variants["as written"]["residual"], before, delta=(1 - math.cos(PI / 40)) * before)
        for name, periods in (("zv", 0.5), ("zvd", 1), ("zvdd", 1.5)):
            self.assertLess(variants[name]["residual"], 1e-6 * before)
            self.assertAlmostEqual(variants[name]["added"], periods / 10, delta=1e-9)
        self.assertLess(variants["matched"]["residual"], 1e-6 * before)
        # the first zero of the closed form behind 0.13 s
        self.assertLess(quintic_residual(0.3, variants["matched"]["stop"], 10.0), 1e-7 * before)
        self.assertGreater(quintic_residual(0.3, variants["matched"]["stop"] - 0.005, 10.0), 1e-3 * before)
        self.assertTrue((self.folder / "out/residual.svg").stat().st_size > 2000)
        self.assertTrue((self.folder / "out/manifest.json").exists())

    def test_a_wrong_frequency_leaves_less_with_higher_orders(self):
        """10 % off: the residual of order m is sin(pi/2 (f/f0 - 1))^m of the one before."""
        answer = self.answer("shape", "model.yaml", "--run", "run.yaml", "--motion", "plain", "--frequency", "9")
        variants = {item["name"]: item for item in answer["variants"]}
        for order, name in enumerate(("zv", "zvd", "zvdd"), 1):
            want = abs(math.cos(PI / 2 * 10 / 9)) ** order
            self.assertAlmostEqual(variants[name]["share"], want, delta=0.02 * want + 1e-4)

    def test_damping_is_that_of_the_mode(self):
        damper = RUN.replace("N/m}", "N/m, damping: 2 N s/m}")
        self.assertNotEqual(damper, RUN)
        self.write("run.yaml", "run: 1\n" + damper)
        answer = self.answer("shape", "model.yaml", "--run", "run.yaml", "--motion", "plain")
        self.assertAlmostEqual(answer["damping"], 2 / (2 * 20 * PI), delta=1e-9)
        variants = {item["name"]: item for item in answer["variants"]}
        self.assertLess(variants["zv"]["share"], 1e-6)

    def test_what_has_no_answer_is_refused(self):
        self.assertIn("ends with a speed", self.refused(2, "shape", "model.yaml", "--run", "run.yaml", "--motion",
                                                        "{law: constant, duration: 1 s, drives: {q: 1 m}}"))
        self.assertIn("--damping: 1", self.refused(2, "shape", "model.yaml", "--run", "run.yaml", "--damping", "1"))
        self.assertIn("--modes: 4, expected 1 to 3", self.refused(2, "shape", "model.yaml", "--run", "run.yaml", "--modes", "4"))
        self.assertIn("expected one of them", self.refused(2, "shape", "model.yaml", "--run", "run.yaml", "--modes", "2", "--frequency", "9"))
        self.assertIn("nothing swings behind motion paper", self.refused(
            3, "shape", SIAX, "--motion", "paper", "--frequency", "200 Hz", "--load", "pull: {force: [0, 1 N, 0], at: platform.P}"))
        self.assertIn("picks payloads up", self.refused(2, "shape", SIAX, "--motion",
                                                        "{sequence: [paper, {pick: p}], payload: {p: {mass: 1 kg, at: platform.P}}}"))


if __name__ == "__main__":
    unittest.main()
