"""What is watched along a motion, through the program: columns next to singularities as measures of a study, limits of
all analyses, orientation of tools that turn, sums that are not known."""

import math
import sqlite3
import unittest

from program import ROOT
from study_base import Study

SIAX = ROOT / "robots/siax.yaml"
FIVE_BAR = ROOT / "robots/five-bar.yaml"


def number(row, name):
    return float(next(value for key, value in row.items() if key.split(" ")[0] == name))


class Watched(Study):
    def test_condition_and_distance_are_measures_of_a_study(self):
        folder = self.study(f"""study: 1
robot: {SIAX}
analysis: inverse
motion: pick
outputs: {{worst: peak condition, nearest: min singularity}}
sweep: {{l2: [1000 mm, 1106 mm]}}
""")
        rows = self.rows(folder, "cases.csv")
        self.assertEqual(len(rows), 2)
        for row in rows:
            near = self.answer("inverse", SIAX, "--motion", "pick", "--set", f"l2={number(row, 'l2')}m", "-o",
                               self.folder / "one")["nearness"]
            self.assertGreater(near["condition"], 1.0)
            self.assertAlmostEqual(number(row, "worst") / near["condition"], 1.0, delta=1e-12)
            self.assertAlmostEqual(number(row, "nearest") / near["singularity"], 1.0, delta=1e-12)

    # The rigid motion is the same whatever is computed on it.
    def test_every_table_of_a_motion_has_condition_and_distance(self):
        runs = {"inverse": (), "elastodynamics": ("--flexible", "left: {}"), "envelope": ("--clearance", "A.left1: {radial: 0.1 mm}")}
        columns = {}
        for verb, options in runs.items():
            self.answer(verb, SIAX, "--motion", "paper", "--instants", "41", *options, "-o", self.folder / verb)
            rows = self.rows(self.folder / verb, "table.csv")
            columns[verb] = [(number(row, "condition"), number(row, "singularity")) for row in rows]
        for verb in ("elastodynamics", "envelope"):
            self.assertEqual(len(columns[verb]), len(columns["inverse"]))
            for mine, truth in zip(columns[verb], columns["inverse"]):
                self.assertAlmostEqual(mine[0] / truth[0], 1.0, delta=1e-9)
                self.assertAlmostEqual(mine[1] / truth[1], 1.0, delta=0.2)  # an estimate, renewed at other rows

    # The tool of the five-bar is a point of a link that turns, though only x and y are prescribed.
    def test_a_tool_that_turns_without_being_asked_has_its_orientation(self):
        said = self.answer("simulate", FIVE_BAR, "-o", self.folder / "out")
        turn = next(peak["value"] for peak in said["peaks"] if peak["name"] == "P.turn")
        self.assertLess(turn, 1e-8)
        rows = self.rows(self.folder / "out", "table.csv")
        def link(row):  # from the elbow, 90 mm from the motor at (-59 mm, 0), to the tool
            q = number(row, "q1.q")
            return math.atan2(number(row, "P.y") - 0.09 * math.sin(q), number(row, "P.x") + 0.059 - 0.09 * math.cos(q))
        for row in rows[::40]:
            self.assertAlmostEqual(number(row, "P.yaw") - number(rows[0], "P.yaw"), link(row) - link(rows[0]), delta=1e-9)
        self.assertGreater(max(link(row) for row in rows) - min(link(row) for row in rows), 0.2)

    def test_forces_that_leave_the_range_of_numbers_are_no_answer(self):
        for force in ("1e308,0,0", "1e308,1e308,1e308"):
            told = self.refused(3, "inverse", SIAX, "--tool-force", force, "-o", self.folder / "out")
            self.assertIn("range of numbers", told)

    # Where a load comes and goes the forces jump between rows: no sum of powers, so no row of the ledger.
    def test_what_is_not_summed_is_not_zero(self):
        ledger = {}
        for name, load in (("still", ""), ("jumps", "payload: {box: {mass: 2 kg, at: platform.P, pick: 0.2 s, drop: 0.4 s}}\n")):
            folder = self.study(f"study: 1\nrobot: {SIAX}\nanalysis: inverse\nmotion: pick\n{load}"
                                "outputs: {f: peak qA.force}\nsweep: {m5: [1 kg]}\n", name=name)
            db = sqlite3.connect(folder / "study.sqlite")
            ledger[name] = dict(db.execute("select name, value from ledgers").fetchall())
            db.close()
        self.assertNotEqual(ledger["still"]["drive"], 0.0)
        self.assertEqual(ledger["jumps"], {})


if __name__ == "__main__":
    unittest.main()
