"""pkm draw: places on the page are those in space; pkm compare -o draws both curves."""

import math
import re
import unittest

from program import ROOT, Program


def numbers(text):
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text)]


class Draw(Program):
    def draw(self, *arguments):
        self.answer("draw", *arguments, "-o", "out")
        return next((self.folder / "out").glob("*.svg")).read_text(encoding="utf-8")

    def bar(self, svg):
        """Points per metre, by the bar of length."""
        length = float(re.search(r'd="M[\d.]+ [\d.]+v-4M[\d.]+ [\d.]+h([\d.]+)v-4"', svg)[1])
        value, unit = re.search(r">([\d.]+) (mm|m)<", svg).groups()
        return length / (float(value) * (1e-3 if unit == "mm" else 1.0))

    def path(self, svg):
        flat = numbers(re.search(r'<polyline fill="none" stroke="#c1121f"[^>]*points="([^"]*)"', svg)[1])
        return list(zip(flat[::2], flat[1::2]))

    def test_a_circle_is_drawn_as_a_circle_of_its_size(self):
        svg = self.draw(ROOT / "robots/kuo.yaml", "--motion", "paper", "--view", "z")
        points, scale = self.path(svg), self.bar(svg)
        self.assertEqual(len(points), 201)
        x = sum(p[0] for p in points[:-1]) / 200
        y = sum(p[1] for p in points[:-1]) / 200
        for p in points:  # radius 100 mm; places are written to 0.01 pt, their mean as well
            self.assertAlmostEqual(math.hypot(p[0] - x, p[1] - y) / scale, 0.1, delta=0.02 / scale)

    def test_the_tool_stands_where_it_was_asked_to(self):
        places = []
        for at in ("0,0,-0.9", "0.1,0,-0.9"):
            svg = self.draw(ROOT / "robots/siax.yaml", "--at", at, "--view", "y")
            widest = max(re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" stroke="#6e6e6e" stroke-width="([\d.]+)"', svg),
                         key=lambda bar: float(bar[4]))
            # the first slide of a crank, on the ground, is the reference
            ground = re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="#111111"', svg)
            places.append((float(widest[0]) - float(ground[1])) / self.bar(svg))
        self.assertAlmostEqual(places[1] - places[0], 0.1, delta=1e-3)

    def test_poses_and_limbs_have_their_looks(self):
        svg = self.draw(ROOT / "robots/siax.yaml", "--motion", "paper", "--poses", "3")
        opacity = set(re.findall(r'stroke-opacity="([\d.]+)"/>', svg))
        self.assertTrue({"0.2", "0.6", "1"} <= opacity)
        for colour in ("#0072b2", "#009e73", "#d55e00"):  # three limbs
            self.assertIn(colour, svg.lower())

    def test_mistakes_are_named(self):
        robot = ROOT / "robots/siax.yaml"
        self.refuse("--view: 'top', expected space, x, y or z", "draw", robot, "--view", "top")
        self.refuse("--poses: it needs --motion", "draw", robot, "--poses", "3")

    def refuse(self, text, *arguments):
        done = self.pkm(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertIn(text, done.stderr)

    def test_compare_draws_both_curves_and_their_difference(self):
        self.answer("compare", ROOT / "robots/triglide.yaml", "--instants", "51", "-o", "out")
        svg = (self.folder / "out/compare.svg").read_text(encoding="utf-8")
        self.assertEqual(svg.count("<polyline"), 9)  # two curves and their difference, three drives
        self.assertIn(">closed form<", svg)
        self.assertEqual(svg.count(">engine - closed form<"), 3)


if __name__ == "__main__":
    unittest.main()
