"""What is reported: each column against an independent computation from other columns, or by hand."""

import csv
import math
import unittest

from program import ROOT, Program

SIAX, HEXAPOD, FIVE_BAR = (ROOT / f"robots/{name}.yaml" for name in ("siax", "gough-stewart", "five-bar"))
CRANK = """pkm: 1
name: crank
gravity: [0, 0, 0]
materials: {steel: {density: 7800, young: 200 GPa, poisson: 0.25}}
ground: {points: {A: [0, 0, 0]}}
bodies: {arm: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}}}
joints: {a: {type: revolute, between: [ground.A, arm.A], axis: y}}
drives: {q: {joint: a}}
tool: arm.B
"""


def columns(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [name.split(" [")[0] for name in rows[0]]
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}


def slopes(t, y):
    """Central differences of fourth order at all rows but two at each end."""
    h = t[1] - t[0]
    return [(y[i - 2] - 8 * y[i - 1] + 8 * y[i + 1] - y[i + 2]) / (12 * h) for i in range(2, len(t) - 2)]


def turned(roll, pitch, yaw):
    """The matrix Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr, cp, sp, cy, sy = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw)
    return [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]]


def angle(a, b):
    """Of the turn from one matrix to the other, by the size of a - b: sqrt(8) sin(angle / 2)."""
    return 2 * math.asin(math.sqrt(sum((a[i][k] - b[i][k])**2 for i in range(3) for k in range(3)) / 8))


class Columns(Program):
    def table(self, *arguments):
        self.answer(*arguments, "-o", "out")
        return columns(self.folder / "out/table.csv")

    # J_q of the passive joints: while one drive moves alone, coordinates of the joints change by their column of it.
    # Central differences of fourth order over 2 mm, whose error is some 1e-9; the limbs do not turn the platform, so
    # that the three angles of each sum to zero.
    def test_rates_of_passive_joints_are_slopes_of_their_coordinates(self):
        t3 = ROOT / "robots/isoglideT3.yaml"
        said = self.answer("matrices", t3)
        rates = {r["joint"]: r["row"] for r in said["joint_rates"]}
        self.assertEqual(sorted(rates), [f"{limb}.{joint}" for limb in "abc" for joint in "BCD"])
        for d, drive in enumerate(said["drives"]):
            way = [said["position"][d] + step for step in (-1e-3, 1e-3)]
            run = self.table("inverse", t3, "--motion", f"{{duration: 1 s, law: constant, drives: {{{drive}: {way}}}}}", "--instants", 5, "--column", "*.q")
            for joint, row in rates.items():
                self.assertAlmostEqual(slopes(run[f"{drive}.q"], run[f"{joint}.q"])[0], row[d], delta=1e-8, msg=(joint, drive))
        for limb in "abc":
            for d in range(3):
                self.assertAlmostEqual(sum(rates[f"{limb}.{joint}"][d] for joint in "BCD"), 0.0, delta=1e-12)

    def check_rate(self, table, place, rate, part):
        """`rate` is the slope of `place`, to `part` of its largest value."""
        found, told = slopes(table["t"], table[place]), table[rate][2:-2]
        most = max(map(abs, table[rate])) or 1.0
        for a, b in zip(found, told):
            self.assertAlmostEqual(a, b, delta=part * most + 1e-9, msg=f"{rate} of {place}")

    def check_motion(self, table, drives, tool, part):
        for d in drives:
            self.check_rate(table, f"{d}.q", f"{d}.v", part)
            self.check_rate(table, f"{d}.v", f"{d}.a", part)
        for c in "xyz":
            self.check_rate(table, f"{tool}.{c}", f"{tool}.v{c}", part)
            self.check_rate(table, f"{tool}.v{c}", f"{tool}.a{c}", part)
        for size, letter in (("speed", "v"), ("acc", "a")):
            for i, told in enumerate(table[f"{tool}.{size}"]):
                want = math.hypot(*(table[f"{tool}.{letter}{c}"][i] for c in "xyz"))
                self.assertAlmostEqual(told, want, delta=1e-12 * (1 + want))
        for i, told in enumerate(table["power"]):
            want = sum(table[f"{d}.force"][i] * table[f"{d}.v"][i] for d in drives)
            self.assertAlmostEqual(told, want, delta=1e-9 * (1 + abs(want)))

    def test_inverse_dynamics(self):
        for robot, drives, tool in ((SIAX, ("qA", "qB", "qC"), "P"), (FIVE_BAR, ("q1", "q2"), "P")):
            table = self.table("inverse", robot, "--method", "engine")
            self.check_motion(table, drives, tool, 1e-4)
        # what the drives put in is what the energies gain
        energy = [a + b for a, b in zip(table["energy.kinetic"], table["energy.potential"])]
        most = max(map(abs, table["power"]))
        for found, told in zip(slopes(table["t"], energy), table["power"][2:-2]):
            self.assertAlmostEqual(found, told, delta=1e-4 * most)

    def test_simulation_with_deviations(self):
        drives = ("qA", "qB", "qC")
        ideal = self.table("inverse", SIAX, "--method", "engine")
        table = self.table("simulate", SIAX, "--drive", "{pd: {kp: 20000, kd: 300}}")
        self.check_motion(table, drives, "P", 1e-3)
        for i in range(len(table["t"])):
            off = [table[f"P.{c}"][i] - ideal[f"P.{c}"][i] for c in "xyz"]
            for c, want in zip("xyz", off):
                self.assertAlmostEqual(table[f"P.d{c}"][i], want, delta=1e-12)
            self.assertAlmostEqual(table["P.dp"][i], math.hypot(*off), delta=1e-12)
            for letter in "va":
                want = math.hypot(*(table[f"P.{letter}{c}"][i] - ideal[f"P.{letter}{c}"][i] for c in "xyz"))
                self.assertAlmostEqual(table[f"P.d{letter}"][i], want, delta=1e-8 * (1 + want))
            for d in drives:
                self.assertAlmostEqual(table[f"{d}.dq"][i], table[f"{d}.q"][i] - ideal[f"{d}.q"][i], delta=1e-12)
                self.assertAlmostEqual(table[f"{d}.dforce"][i], table[f"{d}.force"][i] - ideal[f"{d}.force"][i], delta=1e-8)

    # Both robots turn; their difference is that of their matrices, not that of one of them from home.
    def test_turn_is_measured_from_the_ideal_orientation(self):
        ideal = self.table("inverse", HEXAPOD, "--motion", "tilt", "--method", "engine")
        names = [name for name in ideal if name.endswith(".roll")]
        tool = names[0].split(".")[0]
        drives = [name[:-2] for name in ideal if name.endswith(".q")]
        table = self.table("simulate", HEXAPOD, "--motion", "tilt", "--drive", "{pd: {kp: 200000, kd: 2000}}")
        turns = [[turned(*(t[f"{tool}.{k}"][i] for k in ("roll", "pitch", "yaw"))) for i in range(len(t["t"]))] for t in (ideal, table)]
        self.assertGreater(max(angle(turns[0][0], m) for m in turns[0]), 0.02)
        self.assertGreater(max(table[f"{tool}.turn"]), 1e-6)
        for i, told in enumerate(table[f"{tool}.turn"]):
            self.assertAlmostEqual(told, angle(turns[0][i], turns[1][i]), delta=1e-9)
        self.check_motion(ideal, drives, tool, 1e-3)

    # Away from jumps the tool's columns are those of one motion.
    def test_quasi_static_clearance(self):
        said = self.answer("simulate", SIAX, "--clearance", "spherical: {radial: 0.1 mm, fidelity: seated}", "-o", "out")
        self.answer("inverse", SIAX, "--method", "engine", "-o", "ideal")
        table = columns(self.folder / "out/table.csv")
        ideal = columns(self.folder / "ideal/table.csv")
        t = table["t"]
        for c in "xyz":
            for place, rate in ((f"P.{c}", f"P.v{c}"), (f"P.v{c}", f"P.a{c}")):
                found, told = slopes(t, table[place]), table[rate][2:-2]
                off = sorted(abs(a - b) for a, b in zip(found, told))
                most = max(map(abs, table[rate]))
                self.assertLess(off[len(off) // 2], 2e-3 * most, rate)  # jumps are in less than half of the rows
        for i in range(len(t)):
            for size, letter in (("speed", "v"), ("acc", "a")):
                self.assertAlmostEqual(table[f"P.{size}"][i], math.hypot(*(table[f"P.{letter}{c}"][i] for c in "xyz")), delta=1e-9)
            off = [table[f"P.{c}"][i] - ideal[f"P.{c}"][i] for c in "xyz"]
            self.assertAlmostEqual(table["P.dp"][i], math.hypot(*off), delta=1e-10)
            for d in ("qA", "qB", "qC"):
                self.assertAlmostEqual(table[f"{d}.dforce"][i], table[f"{d}.force"][i] - ideal[f"{d}.force"][i], delta=1e-7)
        # a journal crosses its bearing between the rows where it moves farthest
        step = t[1] - t[0]

        def way(joint, i):
            return math.dist(*([table[f"{joint}.u{c}"][k] for c in "xyz"] for k in (i - 1, i)))

        self.assertGreater(len(said["reversals"]), 5)
        for r in said["reversals"]:
            near = [i for i in range(1, len(t)) if abs(t[i] - r["t"]) < 12 * step]
            fastest = max(near, key=lambda i: way(r["joint"], i))
            self.assertLess(abs(t[fastest] - 0.5 * step - r["t"]), 0.51 * step, r)

    # A cantilever of length 1 m under an axial force: Euler's load is pi^2 E I / (2 L)^2, the stress F / A.
    def test_cantilever_under_an_axial_force(self):
        model = self.write("crank.yaml", CRANK)
        table = self.table("simulate", model, "--motion", "none", "--drive", "locked", "--for", "1 ms", "--instants", 3,
                           "--tool-force=-100,0,0", "--flexible", "arm: {elements: 4, modes: 4, stiffening: false}")
        inertia, area = math.pi * 0.02**4 / 64, math.pi * 0.02**2 / 4
        euler = math.pi**2 * 200e9 * inertia / 4
        self.assertAlmostEqual(table["arm.axial"][0], -100, delta=1e-3)
        self.assertAlmostEqual(table["arm.buckling"][0], 100 / euler, delta=1e-4 * 100 / euler)
        self.assertAlmostEqual(table["arm.stress"][0], 100 / area, delta=1e-3 * 100 / area)


if __name__ == "__main__":
    unittest.main()
