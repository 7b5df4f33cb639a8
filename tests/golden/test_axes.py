"""What axes are called is a choice: with x, y, z written as y, z, x in the model and in the run every number stays, through
each analysis, with all that acts. Nothing here comes from the program."""

import csv
import json
import re
import unittest

from program import ROOT, Program

NEXT = {"x": "y", "y": "z", "z": "x"}
LOADS = """
loads:
  push: {force: [5 N, 3 N, "=4 N*sin(t/50 ms)"], at: platform.P, axes: body}
  twist: {torque: [0.2 N m, 0.1 N m, -0.4 N m], at: platform.P}
  pull: {spring: {stiffness: 300 N/m, damping: 2 N s/m, length: 0.2 m}, between: [ground.A, platform.P]}
payload: {part: {mass: 0.4 kg, at: platform.P, com: [30 mm, 20 mm, -50 mm], inertia: [4e-3, 5e-3, 6e-3]}}
tool_force: [3 N, -7 N, 11 N]
"""


def renamed(text):
    """Vectors, axes and turns of a model or run, each one name further."""
    text = re.sub(r"\[([^\[\],]+), ([^\[\],]+), ([^\[\],]+)\]", r"[\3, \1, \2]", text)
    text = re.sub(r"\b(axis|normal|start): (-?)([xyz])\b", lambda m: f"{m[1]}: {m[2]}{NEXT[m[3]]}", text)
    text = re.sub(r"(moves: \[.*\br)([xyz])\]", lambda m: f"{m[1]}{NEXT[m[2]]}]", text)
    text = re.sub(r"axis: \[([xyz]), ([xyz])\]", lambda m: f"axis: [{NEXT[m[1]]}, {NEXT[m[2]]}]", text)
    text = re.sub(r"rotate: \{([xyz]):", lambda m: f"rotate: {{{NEXT[m[1]]}:", text)
    return re.sub(r"\n( +)copies:", r"\n\1about: x\n\1copies:", text)


def other(name):
    """The column of the same number after the renaming."""
    return name[:-1] + NEXT[name[-1]] if re.search(r"\.[a-z]{0,2}[xyz]$", name) else name


class Axes(Program):
    def table(self, verb, model, run, *options):
        done = self.pkm(verb, model, "--run", run, *options, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {head.split(" [")[0]: [float(r[i]) for r in rows[1:]] for i, head in enumerate(rows[0])}

    def agree(self, robot, verb, run, within, *options, without=()):
        model = (ROOT / f"robots/{robot}.yaml").read_text(encoding="utf-8").split("\npublished:")[0]
        model = model.replace("\nbodies:", "\nground: {points: {A: [0.1, 0.2, 0.05]}}\nbodies:", 1)
        run = "run: 1\n" + run
        a = self.table(verb, self.write("a.yaml", model), self.write("a-run.yaml", run), *options)
        b = self.table(verb, self.write("b.yaml", renamed(model)), self.write("b-run.yaml", renamed(run)), *options)
        self.assertEqual(set(map(other, a)), set(b))
        for name in set(a) - {"singularity", "balance", *without}:  # an estimate, and what rounds
            x, y = a[name], b[other(name)]
            size = max(1e-3, max(map(abs, x)))
            self.assertLessEqual(max(abs(p - q) for p, q in zip(x, y)) / size, within, (robot, verb, name))

    def test_inverse_dynamics(self):
        for robot in ("siax", "kuo"):
            self.agree(robot, "inverse", "motion: paper\ninstants: 11\n" + LOADS, 1e-9)

    def test_simulations(self):
        """Under control, in free motion, with flexible rods."""
        for robot in ("siax", "kuo"):
            self.agree(robot, "simulate", "motion: paper\nfor: 20 ms\ninstants: 5\ndrives: {pd: {kp: 1e4, kd: 100}}\n" + LOADS, 1e-7)
            self.agree(robot, "simulate", "motion: none\nfor: 50 ms\ninstants: 5\ndrives: free\n" + LOADS, 1e-7)
        self.agree("siax", "simulate", "motion: paper\nfor: 2 ms\ninstants: 5\nflexible: {left: {modes: 2, damping: 0.02}}\n", 1e-5)

    def test_linear_analyses(self):
        """Kuo's Delta begins its circle at speed, with joints that turn."""
        flexible = "flexible: {'*': {modes: 4, damping: 0.02}}\n"
        self.agree("kuo", "elastodynamics", "motion: paper\nfor: 20 ms\ninstants: 5\n" + flexible + LOADS, 1e-3, "--stiffening")
        self.agree("kuo", "elastodynamics", "motion: paper\nfor: 20 ms\ninstants: 5\n" + flexible, 1e-3)
        self.agree("siax", "elastodynamics", "motion: paper\nfor: 20 ms\ninstants: 5\nflexible: {left: {}}\n", 1e-6)

    def test_bounds_of_clearance(self):
        free = ["P.s" + x for x in "xyz"] + ["P.t" + x for x in "xyz"]  # of equal largest errors any: symmetric poses
        run = "motion: paper\ninstants: 3\nclearance: "
        self.agree("siax", "envelope", run + "{spherical: {radial: 0.1 mm}}\n", 1e-6, without=free)
        # redundant loops: several places of the journals reach the same bound, and differ by c^2 with the loops closed
        self.agree("kuo", "envelope", run + "{universal: {radial: 0.05 mm, axial: 0.02 mm, length: 20 mm}}\n", 1e-4, without=free)

    def test_stiffness_and_frequencies_at_a_pose(self):
        """Entries of 6 x 6 matrices and vectors go where their axes go; frequencies stay."""
        run = "payload: {part: {mass: 0.4 kg, at: platform.P, com: [30 mm, 20 mm, -50 mm], inertia: [4e-3, 5e-3, 6e-3]}}\n" \
              "tool_force: [3 N, -7 N, 11 N]\nhold: {stiffness: 2e4}\n"
        place = [1, 2, 0, 4, 5, 3]  # of x y z rx ry rz: y z x ry rz rx
        for robot, at in (("siax", (0.1, 0.2, -1.0)), ("kuo", None)):
            a, b = (self.answer(robot, "stiffness", run, at, change) for change in (str, renamed))
            for name, order in (("sag", 1), ("deflection", 1), ("compliance", 2), ("stiffness", 2)):
                self.same_entries(a[name], b[name], place, order, (robot, name))
            a, b = (self.answer(robot, "modes", run, at, change) for change in (str, renamed))
            for p, q in zip(a["modes"], b["modes"], strict=True):
                self.assertAlmostEqual(p["frequency"], q["frequency"], delta=1e-8 * p["frequency"])

    def same_entries(self, a, b, place, order, name):
        n = len(place)
        size = [max(abs(x) for i, x in enumerate(a) if i // n**(order - 1) // 3 == half) for half in (0, 1)]
        for i, x in enumerate(a):
            j = place[i] if order == 1 else place[i // n] * n + place[i % n]
            self.assertLessEqual(abs(x - b[j]), 1e-8 * size[(i // n**(order - 1)) // 3], (name, i))

    def answer(self, robot, verb, run, at, change):
        model = (ROOT / f"robots/{robot}.yaml").read_text(encoding="utf-8").split("\npublished:")[0]
        files = self.write("m.yaml", change(model)), "--run", self.write("run.yaml", "run: 1\n" + change(run))
        at = ["--at", ",".join(map(str, at if change is str else (at[2], at[0], at[1])))] if at else []
        done = self.pkm(verb, *files, *at, "--weight", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_directions_of_any_length(self):
        """A joint's axis with numbers whose squares leave the range of numbers is the same axis."""
        model = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        a, b = (self.table("inverse", self.write("m.yaml", text), self.write("run.yaml", "run: 1\nmotion: paper\ninstants: 5\n"))
                for text in (model, model.replace("axis: y}", "axis: [1e-300, 1e300, 0]}")))
        self.assertEqual(a, b)

    def test_square_links(self):
        """They bend alike in two directions: four modes would be three and one of a pair."""
        run = "motion: paper\nfor: 5 ms\ninstants: 2\n" + "flexible: {'*': {modes: 4, damping: 0.02}}\n"
        self.agree("isoglide4", "elastodynamics", run, 1e-7)


if __name__ == "__main__":
    unittest.main()
