"""pkm workspace: the files of a map, its numbers, both routes, what it refuses, and Ctrl-C."""

import csv
import json
import math
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree

from program import PKM, ROBOTS, ROOT, Program
from tilted import TILTED

SIAX, FIVE_BAR = ROOT / "robots/siax.yaml", ROOT / "robots/five-bar.yaml"
STEWART = ROOT / "robots/gough-stewart.yaml"
COLUMNS = ["x [m]", "y [m]", "z [m]", "reachable", "condition", "sigma_min [m/rad]",
           "sigma_max [m/rad]", "distance [m]", "in_limits"]


class Workspace(Program):
    def table(self, folder):
        with open(self.folder / folder / "table.csv", newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        return head, [list(map(float, row)) for row in rows]

    def shows(self, folder, text):
        """Whether the picture has this text."""
        return text in (self.folder / folder / "workspace.svg").read_text(encoding="utf-8")

    def test_every_robot_has_a_map(self):
        for path in ROBOTS:
            with self.subTest(path.stem):
                said = self.answer("workspace", path, "--points", 21, "-o", path.stem)
                folder = self.folder / path.stem
                self.assertTrue(said["complete"])
                self.assertEqual(said["dimension"], 2)
                self.assertEqual(said["beyond"], path.stem == "gough-stewart")  # its legs have no end but their limits
                self.assertEqual({p.name for p in folder.iterdir()},
                                 {"table.csv", "table.h5", "workspace.svg", "manifest.json", "scene.json", "summary.json"})
                _, rows = self.table(path.stem)
                self.assertEqual(len(rows), math.prod(said["grid"]["points"]))
                self.assertEqual(sum(row[3] for row in rows), said["reachable"])
                self.assertGreater(said["reachable"], 0.2 * len(rows))
                ElementTree.parse(folder / "workspace.svg")
                self.assertTrue(self.shows(path.stem, ">home</text>"))
                manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
                self.assertIn("workspace.svg", json.dumps(manifest))

    # Both routes share no code beyond the map itself. The grid keeps off tangencies. Of two points on both sides of
    # a singularity each route marks the one with the smaller determinant of its own, so distances may differ by a cell.
    def test_engine_and_closed_form_agree(self):
        grid = "--grid=-0.8:0.81:24,-0.83:0.8:23,-0.95"
        closed = self.answer("workspace", SIAX, grid, "--method", "closed", "-o", "closed")
        engine = self.answer("workspace", SIAX, grid, "--method", "engine", "-o", "engine")
        self.assertEqual((closed["method"], engine["method"]), ("closed", "engine"))
        self.assertEqual(closed["working_mode"], "elbows out/out/out, platform below")
        self.assertAlmostEqual(closed["size"], engine["size"], delta=engine["size_error"])
        (head, a), (_, b) = self.table("closed"), self.table("engine")
        self.assertEqual(head, COLUMNS)
        self.assertEqual(len(a), len(b))
        for row, other in zip(a, b):
            self.assertEqual(row[:4] + row[8:], other[:4] + other[8:])
            self.assertLess(abs(row[7] - other[7]), 0.11)
            self.assertLess(abs(row[4] - other[4]), 1e-10 * max(row[4], 1) ** 2)

    # The lens of two discs of 180 mm around motors 118 mm apart.
    def test_size_of_the_five_bar(self):
        said = self.answer("workspace", FIVE_BAR, "-o", "out")
        area = 2 * 0.18**2 * math.acos(0.059 / 0.18) - 0.059 * math.sqrt(4 * 0.18**2 - 0.118**2)
        self.assertEqual((said["method"], said["size_unit"]), ("engine", "m2"))
        self.assertLess(said["size_error"], 0.06 * area)
        self.assertLess(abs(said["size"] - area), 0.01 * area)
        self.assertEqual(said["size"], said["size_in_limits"])

    # The reach of tilted rails has narrow corners, which a coarse look misses: the grid that is chosen goes around them,
    # and its size is that of a grid far wider than the reach.
    def test_the_grid_goes_around_narrow_corners(self):
        model = self.write("tilted.yaml", TILTED)
        own = self.answer("workspace", model, "--slice", "z=-0.5", "-o", "own")
        wide = self.answer("workspace", model, "--grid=-0.15:0.15:121,-0.15:0.15:121,-0.5", "-o", "wide")
        self.assertFalse(own["beyond"] or wide["beyond"])
        self.assertLess(abs(own["size"] - wide["size"]), own["size_error"] + wide["size_error"])

    def test_limits_of_the_legs_bound_the_stewart_platform(self):
        said = self.answer("workspace", STEWART, "--points", 31, "-o", "out")
        self.assertEqual(said["reachable"], said["points"])
        self.assertTrue(0.3 * said["points"] < said["in_limits"] < 0.8 * said["points"])
        self.assertTrue(self.shows("out", ">limits of drives and joints</text>"))

    # Without limits of its legs the platform reaches all of the grid: how large the reach is, is not known.
    def test_a_part_of_the_reach_has_no_error(self):
        done = self.pkm("workspace", STEWART, "--points", 11)
        reach, limits = (next(line for line in done.stdout.splitlines() if word in line) for word in ("reachable  ", "within limits"))
        self.assertRegex(reach, "at least [0-9.]+ m2: the reach goes on beyond the grid$")
        self.assertRegex(limits, r"m2, \+- ")
        self.assertRegex(self.pkm("workspace", FIVE_BAR, "--points", 21).stdout, r"points, [0-9.]+ m2, \+- ")

    def test_a_box_has_a_volume_and_three_pictures(self):
        said = self.answer("workspace", SIAX, "--volume", "--points", 15, "-o", "out")
        self.assertEqual((said["dimension"], said["size_unit"]), (3, "m3"))
        self.assertEqual({p.name for p in (self.folder / "out").glob("*.svg")},
                         {"workspace-xy.svg", "workspace-xz.svg", "workspace-yz.svg"})

    def test_slices_lines_and_points(self):
        slice_ = self.answer("workspace", SIAX, "--slice", "x=100 mm", "--points", 21, "-o", "slice")
        self.assertEqual(slice_["grid"]["points"][0], 1)
        self.assertEqual(slice_["grid"]["from"][0], 0.1)
        line = self.answer("workspace", SIAX, "--grid=-0.5:0.5:21,0,-0.9", "-o", "line")
        self.assertEqual(line["dimension"], 1)
        self.assertAlmostEqual(line["size"], 1.0, delta=1e-14)
        self.assertLess(line["size_error"], 1e-14)
        self.assertIn("line/workspace.svg", self.files())
        point = self.answer("workspace", SIAX, "--grid=0,0,-0.9", "-o", "point")
        self.assertEqual((point["dimension"], point["reachable"]), (0, 1))
        self.assertNotIn("point/workspace.svg", self.files())

    def test_colours_show_what_was_asked(self):
        for what, label in (("condition", "condition number"), ("sigma_min", "tool speed"),
                            ("distance", "distance to")):
            self.answer("workspace", SIAX, "--points", 21, "--what", what, "-o", what)
            self.assertTrue(self.shows(what, label))

    def test_the_summary_says_what_was_done(self):
        done = self.pkm("workspace", SIAX, "--points", 21)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for part in ("closed form delta, elbows out/out/out", "m2, +-", "condition      best",
                     "no limits of drives or joints", "pkm-out/siax-workspace"):
            self.assertIn(part, done.stdout)

    def test_wrong_options(self):
        for text, *options in (
                ("expected condition, sigma_min or distance", "--what", "colour"),
                ("expected one of engine, closed", "--method", "magic"),
                ("expected x=X, y=Y or z=Z", "--slice", "w=1"),
                ("expected FROM:TO:POINTS", "--grid", "0:1,0,0"),
                ("expected finite and increasing", "--grid", "1:0:5,0,0"),
                ("expected a whole number from 1", "--grid", "0:1:0,0,0"),
                ("more than three axes", "--grid", "0,0,0,0"),
                ("expected a value in m", "--grid", "0:1 deg:5,0,0"),
                ("expected at most 200000000", "--grid", "0:1:1000,0:1:1000,0:1:1000"),
                ("expected no --volume or --points", "--grid", "0,0,0", "--volume"),
                ("expected one of them", "--slice", "z=0", "--volume"),
                ("expected 1 to 8", "--branch", "9"),
                ("does not turn about x", "--orientation", "10 deg,0,0"),
                ("1 numbers, expected 3", "--orientation", "0")):
            with self.subTest(options=options):
                self.assertIn(text, self.refused(2, "workspace", SIAX, *options))
        self.assertIn("does not move along z", self.refused(2, "workspace", FIVE_BAR, "--slice", "z=1"))
        self.assertIn("does not move along z", self.refused(2, "workspace", FIVE_BAR, "--grid=0,0.1,1"))
        self.assertIn("no closed form", self.refused(2, "workspace", FIVE_BAR, "--method", "closed"))
        self.assertIn("which the closed form does not know", self.refused(
            2, "workspace", self.limited(), "--method", "closed"))

    def limited(self):
        text = SIAX.read_text(encoding="utf-8")
        old = "left2: {type: spherical, between: [left.B, platform.left]}"
        self.assertEqual(text.count(old), 1)
        return self.write("siax.yaml", text.replace(old, old[:-1] + ", swing: 170 deg}"))

    def test_nothing_in_reach_is_said(self):
        self.assertIn("nothing is found", self.refused(3, "workspace", SIAX, "--slice", "z=5"))
        self.assertIn("none of the 25 points",
                      self.refused(3, "workspace", SIAX, "--grid", "5:6:5,0:1:5,0"))

    # 2250000 points by the engine take ten seconds and more; the first are there long before the signal.
    def test_ctrl_c_keeps_the_points_so_far(self):
        with subprocess.Popen([PKM, "workspace", SIAX, "--method", "engine", "--json", "-o", "out",
                               "--grid=-0.8:0.8:1500,-0.8:0.8:1500,-0.95"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as run:
            time.sleep(2)
            run.send_signal(signal.SIGINT)
            said, message = run.communicate(timeout=120)
        self.assertEqual(run.returncode, 130)
        said = json.loads(said)
        self.assertFalse(said["complete"])
        self.assertIn(f"the {said['points']} points so far are in out", message)
        self.assertEqual(len(self.table("out")[1]), said["points"])
        self.assertTrue(0 < said["points"] < 2250000)
        self.assertFalse((self.folder / "out/workspace.svg").exists())


if __name__ == "__main__":
    unittest.main()
