"""What axes are called is a choice: with x, y, z written as y, z, x in the model and in the run every number stays, through
each analysis, with all that acts. Nothing here comes from the program."""

import csv
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

    def test_square_links(self):
        """They bend alike in two directions: four modes would be three and one of a pair."""
        run = "motion: paper\nfor: 5 ms\ninstants: 2\n" + "flexible: {'*': {modes: 4, damping: 0.02}}\n"
        self.agree("isoglide4", "elastodynamics", run, 1e-7)


if __name__ == "__main__":
    unittest.main()
