"""Friction, clearance, flexible links and all three on the ten robots of the papers: each runs, and each number has a
second source. The table of the documentation is what these runs give.

`test_ten_robots.py table` prints the rows of the table."""

import csv
import re
import sys
import unittest
from math import sqrt

from program import ROOT, Program

PAGE = ROOT / "docs/reference/effects.md"
FRICTION = "*: {static: 0.1, dynamic: 0.08, radius: 10 mm}"
SEAT = "radial: 0.05 mm, radius: 10 mm, length: 40 mm, axial: 0.05 mm, cross_mass: 0.05 kg"
CLEARANCE = f"*: {{{SEAT}, material: {{young: 207 GPa, poisson: 0.29}}, restitution: 0.5}}"
FLEXIBLE = "*: {modes: 2, damping: 0.02}"
TEN = ["triglide", "prrr2prpar", "irb340", "isoglide4", "isoglideT3", "siax", "lindelta", "3pprs", "3ppsr", "kuo"]
# Motions that begin without acceleration, where the first of the robot does not.
REST = {"triglide": "line", "lindelta": "rise", "kuo": "line"}


class TenRobots(Program):
    def table(self, verb, robot, *arguments):
        """Columns without units, the peaks, and the warnings of a run."""
        done = self.answer(verb, ROOT / f"robots/{robot}.yaml", *arguments, "-o", "out")
        with open(self.folder / "out/table.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names = [re.sub(r" \[.*", "", name) for name in rows[0]]
        columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}
        tool = next(name[:-3] for name in names if re.fullmatch(r"\w+\.dp", name))
        return columns, tool, done

    def weighed(self, done):
        """Mass of the massless parts that weigh something in the run."""
        found = [w["text"] for w in done["warnings"] if w["kind"] == "mass"]
        masses = [float(re.search(r"([0-9.e-]+) kg$", text)[1]) for text in found]
        self.assertTrue(all("massless in the model" in text for text in found))
        return sum(masses)

    def friction(self, robot):
        """Largest change of a drive force over the motion; what the drives add is rubbed away."""
        run, _, done = self.table("simulate", robot, "--friction", FRICTION, "--instants", 101)
        self.assertGreater(done["energy"]["friction_loss"], 0.0)
        self.assertLess(done["energy"]["relative_residual"], 1e-5)
        return max(p["value"] for p in done["peaks"] if p["name"].endswith(".dforce"))

    def clearance(self, robot):
        """The tool at the start, within the bounds over all positions of the journals."""
        run, tool, done = self.table("simulate", robot, "--clearance", CLEARANCE, "--for", "1 ms", "--instants", 3)
        bounds = self.answer("envelope", ROOT / f"robots/{robot}.yaml", "--clearance", f"*: {{{SEAT}}}")
        joints = {re.match(r"(\w+\.\w+)", name)[1] for name in run if name.endswith(".gap")}
        self.assertEqual(bounds["clearance_joints"], len(joints))
        # surfaces give way: by that much the clearance is larger
        depth = max(-min(values) for name, values in run.items() if name.endswith(".gap"))
        for bound, column in zip(bounds["axes"], ["dx", "dy", "dz"]):
            most = (1.0 + max(depth, 0.0) / 0.05e-3) * bound["closed"]
            self.assertLess(max(map(abs, run[f"{tool}.{column}"])), 1.001 * most, (robot, column))
        self.assertGreater(run[f"{tool}.dp"][-1], 0.0)
        return run[f"{tool}.dp"][-1], self.weighed(done)

    def flexible(self, robot):
        """The sag at the start. Under a hundredth of the weight it is what kineto-elastodynamics has, another assembly of
        the same links that is linear about the undeformed robot."""
        short = ("--flexible", FLEXIBLE, "--instants", 2, "--motion", REST.get(robot, "paper"))
        little = ("--set", "g=0.0980665")
        run, tool, _ = self.table("simulate", robot, *short, *little, "--for", "10 us")
        ked, _, _ = self.table("elastodynamics", robot, *short, *little, "--for", "100 us")
        for axis in "xyz":
            self.assertAlmostEqual(run[f"{tool}.d{axis}"][0], ked[f"{tool}.d{axis}"][0], delta=3e-3 * ked[f"{tool}.dp"][0])
        run, tool, done = self.table("simulate", robot, *short, "--for", "0.2 ms")
        return run[f"{tool}.dp"][0], self.weighed(done)

    def together(self, robot):
        """All three for half a millisecond: energy is conserved up to what contacts, friction and damping take."""
        run, tool, done = self.table("simulate", robot, "--friction", FRICTION, "--clearance", CLEARANCE, "--flexible",
                                     FLEXIBLE, "--for", "0.5 ms", "--instants", 3)
        energy = done["energy"]
        self.assertTrue(all(energy[k] >= -1e-9 for k in ("friction_loss", "contact_loss", "damping_loss")), energy)
        self.assertLess(abs(energy["residual"]), 5e-3 * energy["exchanged"] + 1e-7, energy)
        return run[f"{tool}.dp"][-1]

    def row(self, robot):
        off, mass = self.clearance(robot)
        sag, of_links = self.flexible(robot)
        return [self.friction(robot), 1e3 * off, 1e3 * sag, 1e3 * self.together(robot), max(mass, of_links)]

    def test_the_table_of_the_documentation(self):
        text = PAGE.read_text(encoding="utf-8")
        rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.M))
        self.assertEqual(sorted(rows), sorted(TEN))
        for robot in TEN:
            with self.subTest(robot=robot):
                written = [float(cell) if cell != "-" else 0.0 for cell in rows[robot].split(" | ")]
                for want, got, part in zip(written, self.row(robot), [0.01, 0.02, 0.01, 0.05, 0.01]):
                    self.assertAlmostEqual(got, want, delta=part * abs(want) + 1e-9)

    def test_the_weight_of_massless_rods_is_carried_by_the_drives(self):
        """The three lifts of the 3-PPRS carry the rods: 3 rho pi r^2 l g."""
        run, _, done = self.table("simulate", "3pprs", "--clearance", CLEARANCE, "--for", "1 ms", "--instants", 3)
        mass = 3 * 7801 * 3.141592653589793 * 0.003**2 * 0.11
        self.assertAlmostEqual(self.weighed(done), mass, delta=1e-3 * mass)
        carried = sum(run[f"q{k}.dforce"][0] for k in (4, 5, 6))
        self.assertAlmostEqual(carried, mass * 9.80665, delta=1e-5)


if __name__ == "__main__" and sys.argv[1:] == ["table"]:
    test = TenRobots()
    test.setUp()
    for name in TEN:
        print(f"| `{name}` | " + " | ".join(f"{v:.4g}" if v else "-" for v in test.row(name)) + " |", flush=True)
    test.doCleanups()
elif __name__ == "__main__":
    unittest.main()
