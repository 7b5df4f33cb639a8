"""The same physics, written in another way, has the same answer: bodies bolted together are one body, and units of length,
mass and time are a choice."""

import csv
import json
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


class Rods(Same):
    """A rod between two balls spins with what is welded to it: round is what both are together."""

    MODEL = """
pkm: 1
name: slider and rod
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], S: [0.4, 0.1, 0.05]}}
bodies:
  crank: {mass: 1, com: [0.05, 0, 0], inertia: [0.01, 0.02, 0.02], points: {O: [0, 0, 0], B: [0.1, 0, 0]}}
  rod: {mass: %s, com: %s, inertia: %s, points: {A: [0, 0, 0], B: [0.32015621187164245, 0, 0], W: [0.1, 0, 0]}}
  slide: {mass: 2, com: [0, 0, 0], inertia: [0.01, 0.02, 0.02], points: {O: [0, 0, 0]}, pose: {at: [0.4, 0.1, 0.05]}}
%s
joints:
  motor: {type: revolute, between: [ground.O, crank.O], axis: y}
  b1: {type: spherical, between: [crank.B, rod.A]}
  b2: {type: spherical, between: [rod.B, slide.O]}
  guide: {type: prismatic, between: [ground.S, slide.O], axis: x}
%s
drives: {q: {joint: motor}}
outputs: [slide.O]
tool: {point: slide.O, moves: [x]}
home: {drives: {q: 0}}
motions:
  turn: {law: quintic, duration: 0.2 s, drives: {q: [0 deg, 40 deg]}}
"""
    #: 1 kg at 0.2 m and 3 kg at 0.1 m are 4 kg at 0.125 m, 3/4 kg (0.1 m)^2 more across
    WHOLE = MODEL % ("4", "[0.125, 0, 0]", "[0.013, 0.0375, 0.0375]", "", "")

    def parts(self, *lumps):
        """Lumps by mass, place in the rod's axes and inertia."""
        bodies = "\n".join(f"  lump{i}: {{mass: {m}, com: {at}, inertia: {inertia}, points: {{W: [0.1, 0, 0]}}}}"
                           for i, (m, at, inertia) in enumerate(lumps))
        welds = "\n".join(f"  weld{i}: {{type: fixed, between: [rod.W, lump{i}.W]}}" for i in range(len(lumps)))
        return self.MODEL % ("1", "[0.2, 0, 0]", "[0.003, 0.01, 0.01]", bodies, welds)

    def test_a_round_lump_on_a_rod(self):
        whole, parts = self.WHOLE, self.parts((3, "[0.1, 0, 0]", "[0.01, 0.02, 0.02]"))
        self.compare(whole, parts, "inverse", 1e-12, ["q.force", "O.ax"])
        self.compare(whole, parts, "simulate", 1e-8, ["q.force", "O.ax"],
                     "--friction", "spherical: {law: coulomb, static: 0.1, dynamic: 0.1, radius: 10 mm}")

    def test_lumps_that_are_round_together(self):
        """1.5 kg at 20 mm on both sides: 3 kg (20 mm)^2 = 0.0012 kg m2 about x and z, which the lumps lack in z."""
        pair = [(1.5, f"[0.1, {y}, 0]", "[0.0044, 0.01, 0.0094]") for y in (0.02, -0.02)]
        self.compare(self.WHOLE, self.parts(*pair), "inverse", 1e-12, ["q.force", "O.ax"])

    def cut(self, offset, inertia):
        """The rod cut in two along its line, 2 kg each with their centres beside it, a ball on each."""
        lump = (f"  lump0: {{mass: 2, com: [0.125, {-offset}, 0], inertia: {inertia}, "
                "points: {W: [0.1, 0, 0], B: [0.32015621187164245, 0, 0]}}")
        return (self.MODEL % ("2", f"[0.125, {offset}, 0]", inertia, lump, "  weld: {type: fixed, between: [rod.W, lump0.W]}")
                ).replace("[rod.B, slide.O]", "[lump0.B, slide.O]")

    # 4 kg (30 mm)^2 = 0.0036 kg m2 about x and z
    HALVES = (0.03, "[0.0047, 0.01875, 0.01695]")

    def test_balls_on_two_bodies_that_are_welded(self):
        parts = self.cut(*self.HALVES)
        self.compare(self.WHOLE, parts, "inverse", 1e-12, ["q.force", "O.ax"])
        self.compare(self.WHOLE, parts, "simulate", 1e-8, ["q.force", "O.ax"],
                     "--friction", "spherical: {law: coulomb, static: 0.1, dynamic: 0.1, radius: 10 mm}")
        bent = [text.replace("crank: {", "crank: {shape: {rod: {from: O, to: B, diameter: 20 mm}, material: steel}, ").replace(
            "ground:", "materials: {steel: {density: 7800 kg/m3, young: 200 GPa, poisson: 0.3}}\nground:") for text in (self.WHOLE, parts)]
        self.compare(*bent, "elastodynamics", 1e-8, ["q.force", "O.dp"])
        self.assertEqual(self.idle(self.WHOLE), self.idle(parts))
        # halves that are not round together spin by an equation of motion of their own
        done = self.pkm("inverse", self.write("m.yaml", self.cut(0.03, "[0.0047, 0.02, 0.02]")), "--motion", "turn", "-o", "out")
        self.assertEqual(done.returncode, 3)
        self.assertIn("spin of rod", done.stderr)

    def idle(self, text):
        done = self.pkm("check", self.write("m.yaml", text), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = json.loads(done.stdout)
        return said["mobility"], said["idle"]

    def test_modes_of_a_rod_in_halves(self):
        self.same_modes(self.WHOLE, self.cut(*self.HALVES), [])

    def test_modes_leave_the_spin_out_or_hold_it(self):
        """A bushing on the lump holds the spin as one on the rod does."""
        parts = self.parts((3, "[0.1, 0, 0]", "[0.01, 0.02, 0.02]"))
        bushing = "b: {bushing: {stiffness: [1e4, 2e4, 3e4, 10, 20, 30]}, between: [ground.O, %s.W]}"
        for load in ([], ["--weight", "--load", bushing]):
            self.same_modes(self.WHOLE, parts, load)

    def same_modes(self, whole, parts, load):
        found = []
        for text, body in ((whole, "rod"), (parts, "lump0")):
            done = self.pkm("modes", self.write("m.yaml", text), "--drives-are", "{stiffness: 1e4 N m/rad}", "--json",
                            *[word.replace("%s", body) for word in load])
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append([mode["frequency"] for mode in json.loads(done.stdout)["modes"]])
        self.assertEqual(len(found[0]), 2 if load else 1)
        self.assertEqual(len(found[0]), len(found[1]))
        for a, b in zip(*found):
            self.assertAlmostEqual(a, b, delta=1e-9 * a)

    def test_a_lump_beside_the_line_is_no_rod(self):
        """Neither as a part of the rod nor welded to it: its spin is an equation of motion of its own."""
        # 3/4 kg by d = (-0.1, 0.02) m between the centres of mass: 0.0003, 0.0075, 0.0078 and 0.0015 kg m2
        whole = self.MODEL % ("4", "[0.125, 0.015, 0]", "[0.0133, 0.0375, 0.0378, 0.0015, 0, 0]", "", "")
        parts = self.parts((3, "[0.1, 0.02, 0]", "[0.01, 0.02, 0.02]"))
        self.compare(whole, parts, "simulate", 1e-7, ["q.force", "q.dforce", "energy.kinetic"])
        for text in (whole, parts):
            done = self.pkm("inverse", self.write("m.yaml", text), "--motion", "turn", "-o", "out")
            self.assertEqual(done.returncode, 3)
            self.assertIn("spin of rod", done.stderr)

    def compare(self, whole, parts, verb, within, names, *options):
        run = ["--motion", "turn", "--instants", 21, *options]
        a, b = (self.table(verb, self.write("m.yaml", text), *run) for text in (whole, parts))
        self.agree(a, b, within, names)


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

    def test_bounds_of_clearance(self):
        for size in ((1e-3, 1e-9, 0.03), (1e3, 1e9, 30.0)):
            self.similar("envelope", size, 1e-6, "--motion", "paper", "--instants", "3", "--clearance", "spherical: {radial: 0.1 mm}", least=1e-6)

    def test_stiffness_and_frequencies(self):
        """A thousandth in length, a billionth in mass: of one material, links stretch and ring as they should."""
        length, mass, time = 1e-3, 1e-9, 0.03
        model = (ROOT / "robots/siax.yaml").read_text(encoding="utf-8")
        model = model.split("\n  pick:")[0] + "\nclosed_form:" + model.split("\nclosed_form:")[1]

        def answer(verb, text, *options):
            done = self.pkm(verb, self.write("m.yaml", text), *options, "--weight", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        def scaled(text):
            def factor(unit):
                return length**UNITS[unit][0] * mass**UNITS[unit][1] * time**UNITS[unit][2]
            return NUMBER.sub(lambda m: f"{float(m[1]) * factor(m[2]):.17g} {m[2]}", text)

        a, b = (answer("modes", text)["modes"] for text in (model, scaled(model)))
        for p, q in zip(a, b, strict=True):
            self.assertAlmostEqual(p["frequency"], q["frequency"] * time, delta=1e-8 * p["frequency"])
        a, b = (answer("stiffness", text)["stiffness"] for text in (model, scaled(model)))
        for i in range(6):
            for j in range(6):
                by = mass / time**2 * length**((i > 2) + (j > 2))
                near = 1e-8 * (a[7 * i] * a[7 * j]) ** 0.5
                self.assertAlmostEqual(a[6 * i + j], b[6 * i + j] / by, delta=near)

    def test_links_and_clearances(self):
        self.similar("simulate", (1e-3, 1e-9, 0.03), 1e-5, "--motion", "paper", "--instants", "5", "--clearance",
                     "spherical: {radial: 0.1 mm, fidelity: seated}")
        # in half of that time the tool moves by 6e-7 m, of which roundings of its position are 1e-9
        self.similar("elastodynamics", (1e-3, 1e-9, 0.03), 1e-9, "--motion", "paper", "--for", "4 ms", "--instants", "3", "--flexible", "left: {modes: 2}")


if __name__ == "__main__":
    unittest.main()
