"""The same physics, written in another way, has the same answer: bodies bolted together are one body."""

import csv
import unittest

from program import ROOT, Program

BALL = "{radial: 0.1 mm, radius: 10 mm, restitution: 0.9, stiffness: 1.5e11}"


class Same(Program):
    def table(self, *arguments):
        done = self.pkm(*arguments, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {head.split(" [")[0]: [float(r[i]) for r in rows[1:]] for i, head in enumerate(rows[0])}

    def agree(self, a, b, within, names, scale=1.0):
        for name in names:
            size = max(map(abs, a[name]))
            self.assertGreater(size, 0.0, name)
            self.assertLessEqual(max(abs(scale * p - q) for p, q in zip(a[name], b[name])), within * scale * size, name)


class Welds(Same):
    """A body that floats by its clearances carries what is welded to it: as part of its mass it moves alike."""

    MODEL = """
pkm: 1
name: trolley and pendulum
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02], points: {O: [0, 0, 0], B: [0, 0, 0]}}
  arm: {mass: %s, com: %s, inertia: %s, points: {O: [0, 0, 0], W: [0.3, 0, 0]}}
%s
joints:
  motor: {type: revolute, between: [ground.O, crank.O], axis: y}
  ball: {type: spherical, between: [crank.B, arm.O]}
%s
drives: {q: {joint: motor}}
outputs: [arm.W]
home: {drives: {q: 0}}
motions:
  turn: {law: quintic, duration: 0.2 s, drives: {q: [0 deg, 90 deg]}}
"""

    def test_a_weld_is_one_body(self):
        # about the centres of mass; 1 kg at 0 and 3 kg at 0.4 m are 4 kg at 0.3 m, 3/4 kg (0.4 m)^2 of inertia
        whole = self.MODEL % ("4", "[0.3, 0, 0]", "[0.02, 0.16, 0.18]", "", "")
        parts = self.MODEL % ("1", "[0, 0, 0]", "[0.01, 0.02, 0.03]",
                              "  lump: {mass: 3, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.03], points: {W: [0, 0, 0]}, "
                              "pose: {at: [0.3, 0, 0]}}", "  weld: {type: fixed, between: [arm.W, lump.W]}")
        run = ["--motion", "turn", "--instants", 41, "--clearance", f"ball: {BALL}"]
        a, b = (self.table("simulate", self.write("m.yaml", text), *run) for text in (whole, parts))
        # impacts between: steps of 1e-8 end as 1e-4 of the largest
        self.agree(a, b, 1e-4, ["W.x", "W.z", "W.vx", "W.vz", "energy.kinetic"])


if __name__ == "__main__":
    unittest.main()
