"""pkm plot: chosen columns of several runs in one picture, units matched, axes named by what columns are, paths."""

import csv
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import ROOT, Program
from test_flexible import columns

SIAX = ROOT / "robots/siax.yaml"
KUO = ROOT / "robots/kuo.yaml"
SVG = "{http://www.w3.org/2000/svg}"


def lines(path):
    """Curves of a picture, each as its points on the page, pieces of a thinned one joined."""
    root = ElementTree.parse(path).getroot()
    found = []
    for group in root.iter(SVG + "g"):
        points = [p for line in group.findall(SVG + "polyline") for p in line.get("points").split()]
        if points and group.get("stroke"):
            found.append([tuple(map(float, p.split(","))) for p in points])
    return found


def words(path):
    return [" ".join(text.itertext()) for text in ElementTree.parse(path).getroot().iter(SVG + "text")]


class Plot(Program):
    def plot(self, *arguments):
        return self.answer("plot", *arguments, "-o", "out")

    def setUp(self):
        super().setUp()
        self.answer("inverse", SIAX, "--instants", 41, "-o", "rigid")
        self.answer("simulate", SIAX, "--instants", 41, "--flexible", "A.left: {places: [0.5]}", "-o", "bent")

    # Two runs, two quantities: two diagrams, with the words of the columns, six and two curves.
    def test_runs_share_diagrams(self):
        said = self.plot("rigid", "--with", "bent", "--column", "q?.force", "--column", "P.speed")
        self.assertEqual([c["diagram"] for c in said["curves"]], [1] * 6 + [2] * 2)
        for c in said["curves"]:
            values = columns(self.folder / c["run"] / "table.csv")[c["column"]]
            peaks = self.folder / c["run"] / "peaks.csv"
            if peaks.exists():
                values = values + columns(peaks)[c["column"]]
            self.assertEqual((c["least"], c["largest"]), (min(values), max(values)))
        self.assertEqual(len(lines(self.folder / said["file"])), 8)
        text = words(self.folder / said["file"])
        for word in ("qA, rigid", "qC, bent", "torque [N m]", "velocity of P [m/s]", "time [s]", "rigid, bent"):
            self.assertIn(word, text)

    # What the run knew of its columns is on the axes, which no name of a column tells.
    def test_axes_are_named_by_the_run(self):
        said = self.plot("bent", "--column", "A.left@0.5.bend_?", "--column", "P.dx", "--title", "Rod A")
        self.assertEqual([c["quantity"] for c in said["curves"]], ["transverse displacement of A.left@0.5"] * 2 + ["tool deviation"])
        text = " ".join(words(self.folder / said["file"]))
        for word in ("transverse displacement", "of A.left@0.5", "tool deviation", "Rod A"):
            self.assertIn(word, text)

    # A measured table in millimetres lies on the curve of the run in metres.
    def test_units_are_matched(self):
        run = columns(self.folder / "rigid/table.csv")
        with open(self.folder / "measured.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["t [s]", "P.x [mm]"])
            out.writerows([t, 1e3 * x] for t, x in zip(run["t"], run["P.x"]))
        said = self.plot("rigid", "--with", "measured.csv", "--column", "P.x")
        self.assertEqual([c["diagram"] for c in said["curves"]], [1, 1])
        a, b = lines(self.folder / said["file"])
        peaks = columns(self.folder / "rigid/peaks.csv")["t"]
        self.assertEqual(len(b), 41)
        self.assertEqual(len(a), 41 + len(peaks))
        a = [p for p, t in zip(a, sorted(run["t"] + peaks)) if t in run["t"]]
        for p, q in zip(a, b):
            self.assertAlmostEqual(p[0], q[0], delta=0.011)
            self.assertAlmostEqual(p[1], q[1], delta=0.011)

    # Drives and tool in one diagram, from where they start.
    def test_together_from_the_start(self):
        self.answer("inverse", ROOT / "robots/prrr2prpar.yaml", "--instants", 41, "-o", "robot")
        said = self.plot("robot", "--together", "--change", "--column", "q?.q", "--column", "H.x", "--column", "H.y")
        self.assertEqual({c["diagram"] for c in said["curves"]}, {1})
        by = {c["column"]: c for c in said["curves"]}
        self.assertAlmostEqual(by["q1.q"]["least"], -0.2, delta=1e-12)  # decoupled: the drive moves as the tool
        self.assertAlmostEqual(by["H.x"]["least"], -0.2, delta=1e-12)
        start = {round(line[0][1], 2) for line in lines(self.folder / said["file"])}
        self.assertEqual(len(start), 1)
        self.assertTrue(any(w.startswith("displacement [") for w in words(self.folder / said["file"])))

    # Over another column; the part between two times.
    def test_over_a_column_and_part_of_the_time(self):
        said = self.plot("rigid", "--column", "qA.force", "--over", "qA.q", "--from", "50 ms", "--to", "150 ms")
        (curve,) = lines(self.folder / said["file"])
        peaks = columns(self.folder / "rigid/peaks.csv")["t"]
        self.assertEqual(len(curve), 21 + sum(0.05 <= t <= 0.15 for t in peaks))
        self.assertTrue(any(w.startswith("angle, qA [") for w in words(self.folder / said["file"])))

    # What is told of a curve is that of the part that is drawn, in the unit of its time.
    def test_the_range_is_that_of_the_part(self):
        run = columns(self.folder / "rigid/table.csv")
        part = [f for t, f in zip(run["t"], run["qA.force"]) if 0.05 <= t <= 0.1]
        (curve,) = self.plot("rigid", "--column", "qA.force", "--from", "50 ms", "--to", "100 ms")["curves"]
        self.assertAlmostEqual(curve["least"], min(part), delta=0.02 * abs(min(part)))
        self.assertAlmostEqual(curve["largest"], max(part), delta=0.02 * max(part))
        self.write("measured.csv", "t [ms],x [m]\n" + "".join(f"{10 * i},{i}\n" for i in range(11)))
        (curve,) = self.plot("measured.csv", "--column", "x", "--from", "20 ms", "--to", "0.05")["curves"]
        self.assertEqual((curve["least"], curve["largest"]), (2, 5))
        self.write("loose.csv", "t/ms,x [m]\n0,0\n10,1\n20,2\n")
        self.plot("loose.csv", "--column", "x")
        for option in ("--from", "--to"):
            done = self.pkm("plot", "loose.csv", "--column", "x", option, "15 ms")
            self.assertEqual(done.returncode, 2)
            self.assertIn("loose.csv: column 1 is 't/ms': expected its unit in brackets, '[ms]'", done.stderr)

    # A circle is as high as it is wide, and so large on the page that it is seen.
    def test_a_path_in_the_plane_keeps_its_shape(self):
        self.answer("inverse", KUO, "-o", "kuo")
        said = self.plot("kuo", "--path", "z")
        self.assertEqual(said["point"], "P")
        (curve,) = lines(self.folder / said["file"])
        wide, high = ([p[k] for p in curve] for k in (0, 1))
        self.assertAlmostEqual(max(wide) - min(wide), max(high) - min(high), delta=0.5)  # thinned to pixels
        self.assertGreater(max(high) - min(high), 150)
        text = words(self.folder / said["file"])
        self.assertIn("position of P, x [m]", text)
        self.assertIn("position of P, y [m]", text)

    def test_a_path_in_space_has_its_ends(self):
        said = self.plot("rigid", "--with", "bent", "--path", "space")
        root = ElementTree.parse(self.folder / said["file"]).getroot()
        self.assertEqual(len(root.findall(f".//{SVG}polyline")), 2)
        self.assertEqual(len(root.findall(f".//{SVG}circle")), 4)
        self.assertIn("bent", words(self.folder / said["file"]))

    def test_what_cannot_be_drawn_is_said(self):
        for words_, part in ((["rigid"], "expected --column NAME or --path VIEW"), (["rigid", "--column", "P.sped"], "did you mean 'P.speed'"),
                             (["nowhere", "--column", "x"], "nowhere"), (["rigid", "--with", ".", "--column", "P.x"], "it has no table.csv"),
                             (["rigid", "--path", "top"], "expected space, x, y or z"), (["rigid", "--path", "z", "--point", "Q"], "has no columns Q.x"),
                             (["rigid", "--path", "z", "--column", "P.x"], "expected no --column"), (["bent", "--column", "*"], "diagrams, expected at most 12"),
                             (["rigid", "--column", "P.x", "--over", "nothing"], "has no column 'nothing'"),
                             (["rigid", "--path", "z", "--change"], "expected no --column, --over, --together or --change"),
                             (["rigid", "--column", "P.x", "--from", "1 s"], "rigid has no row from 1 s on"),
                             (["rigid", "--path", "z", "--from", "1 s", "--to", "2 s"], "rigid has no row within 1 to 2 s"), (["rigid", "--path", "space", "--to", "-1 s"], "rigid has no row up to -1 s"),
                             (["rigid", "--column", "P.x", "--from", "1 s", "--to", "0 s"], "expected rising times")):
            with self.subTest(words_):
                self.assertIn(part, self.refused(2, "plot", *words_, "-o", "out"))


if __name__ == "__main__":
    unittest.main()
