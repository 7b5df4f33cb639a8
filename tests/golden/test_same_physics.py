"""The same physics, written in another way, has the same answer: bodies bolted together are one body, and units of length,
mass and time are a choice."""

import csv
import re
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
        self.compare(whole, parts)
        # a massless arm needs what it carries: 4 kg at 0.3 m
        self.compare(whole, self.MODEL % ("0", "[0, 0, 0]", "[0, 0, 0]",
                                          "  lump: {mass: 4, com: [0, 0, 0], inertia: [0.02, 0.16, 0.18], points: {W: [0, 0, 0]}, "
                                          "pose: {at: [0.3, 0, 0]}}", "  weld: {type: fixed, between: [arm.W, lump.W]}"))

    def compare(self, whole, parts):
        run = ["--motion", "turn", "--instants", 41, "--clearance", f"ball: {BALL}"]
        a, b = (self.table("simulate", self.write("m.yaml", text), *run) for text in (whole, parts))
        # impacts between: steps of 1e-8 end as 1e-4 of the largest
        self.agree(a, b, 1e-4, ["W.x", "W.z", "W.vx", "W.vz", "energy.kinetic"])


#: Exponents of length, mass and time of what stands in the model, in runs and in heads of columns.
UNITS = {"mm": (1, 0, 0), "m": (1, 0, 0), "kg": (0, 1, 0), "kg/m3": (-3, 1, 0), "GPa": (-1, 1, -2), "Pa": (-1, 1, -2),
         "s": (0, 0, 1), "ms": (0, 0, 1), "m/s": (1, 0, -1), "m/s2": (1, 0, -2), "rad": (0, 0, 0), "rad/s": (0, 0, -1), "rad/s2": (0, 0, -2), "N": (1, 1, -2),
         "N m": (2, 1, -2), "N m/rad": (2, 1, -2), "N m s/rad": (2, 1, -1), "J": (2, 1, -2), "W": (2, 1, -3)}
NUMBER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) (" + "|".join(sorted(UNITS, key=len, reverse=True)) + r")(?![\w/])")


class Similar(Same):
    """A robot and a motion in which every length, mass and time is another multiple: numbers are those multiples of numbers."""

    def similar(self, verb, size, within, *options, least=1e-9):
        def factor(unit):
            length, mass, time = UNITS[unit]
            return size[0]**length * size[1]**mass * size[2]**time

        def scaled(text):
            return NUMBER.sub(lambda m: f"{float(m[1]) * factor(m[2]):.17g} {m[2]}", text)

        model = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        model = model.split("\n  pick:")[0] + "\nclosed_form:" + model.split("\nclosed_form:")[1]
        tables = []
        for name, change in (("a", str), ("b", scaled)):
            done = self.pkm(verb, self.write(f"{name}.yaml", change(model)), *map(change, options), "-o", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.folder / name / "table.csv", encoding="utf-8") as file:
                tables.append(list(csv.reader(file)))
        self.assertEqual(tables[0][0], tables[1][0])
        for i, head in enumerate(tables[0][0]):
            name, _, unit = head.rstrip("]").partition(" [")
            if name in ("condition", "singularity", "balance") or not unit:
                continue
            a, b = ([float(row[i]) for row in table[1:]] for table in tables)
            by = factor(unit)
            if max(map(abs, a)) > least:  # beside it is rounding
                self.assertLessEqual(max(abs(by * x - y) for x, y in zip(a, b)), within * by * max(map(abs, a)), (size, name))

    def test_forces(self):
        for size in ((1e-3, 1e-9, 0.03), (1e3, 1e9, 30.0)):
            for method in ("engine", "closed"):
                self.similar("inverse", size, 1e-12, "--motion", "paper", "--instants", "11", "--method", method)
            self.similar("simulate", size, 1e-8, "--motion", "paper", "--instants", "11", "--drive", "pd: {kp: 1e4 N m/rad, kd: 100 N m s/rad}")

    def test_free_motion_through_a_place_without_rank(self):
        """Branches cross there at 0.3963 s, and inertia leads straight on, however small and fast the robot is."""
        for size in ((1.0, 1.0, 0.1), (1e-3, 1e-9, 0.03), (1e3, 1e9, 30.0)):
            self.similar("simulate", size, 1e-7, "--motion", "none", "--drive", "free", "--for", "400 ms", "--instants", "21", least=1e-5)

    def test_links_and_clearances(self):
        self.similar("simulate", (1e-3, 1e-9, 0.03), 1e-5, "--motion", "paper", "--instants", "5", "--clearance",
                     "spherical: {radial: 0.1 mm, fidelity: seated}")
        self.similar("elastodynamics", (1e-3, 1e-9, 0.03), 1e-9, "--motion", "paper", "--for", "2 ms", "--instants", "3", "--flexible", "left: {modes: 2}")


if __name__ == "__main__":
    unittest.main()
