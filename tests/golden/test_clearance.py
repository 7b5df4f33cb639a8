"""Clearance without impacts: seated journals in pkm simulate, and pkm envelope."""

import csv
import math
import re
import unittest
from xml.etree import ElementTree

from program import ROOT, Program

SIAX, FIVE_BAR = ROOT / "robots/siax.yaml", ROOT / "robots/five-bar.yaml"
SEATED = "spherical: {radial: 0.1 mm, fidelity: seated}"
CLEARANCE = "spherical: {radial: 0.1 mm}"
PIN = "revolute: {radial: 0.05 mm, length: 20 mm, axial: 0.1 mm}"


def rows(folder, name="table.csv"):
    with open(folder / name, encoding="utf-8") as file:
        table = list(csv.reader(file))
    names = [name.split(" [")[0] for name in table[0]]
    return [dict(zip(names, map(float, row))) for row in table[1:]]


class Contact(Program):
    # 0.3 and 0.4 mm are 0.5 mm off, with 0.1 mm of clearance 0.4 mm outside; a start inside is not counted.
    def test_starts_outside_the_clearance_are_told_with_how_far(self):
        law = "radial: 0.1 mm, radius: 10 mm, stiffness: 1e10"
        choices = ["--clearance", f"A.left1: {{{law}, start: [0.3 mm, 0.4 mm, 0]}}", "--clearance",
                   f"B.left1: {{{law}, start: [0.05 mm, 0, 0]}}", "--for", "1 ms", "--instants", 2]
        told = self.pkm("simulate", SIAX, *choices).stdout
        self.assertIn("1 joint began outside the clearance and moved into it, A.left1 by 0.0004 m", told)
        choices[1] = f"A.left1: {{{law}, start: [0.06 mm, 0, 0]}}"
        self.assertNotIn("outside the clearance", self.pkm("simulate", SIAX, *choices).stdout)

    # One row per period is a row of the table; pictures name the joints with clearance and nothing else.
    def test_sections_and_pictures_are_of_the_joints_with_clearance(self):
        ball = "{radial: 0.1 mm, radius: 10 mm, stiffness: 1e10, start: centred}"
        self.answer("simulate", SIAX, "--clearance", f"A.left1: {ball}", "--clearance", f"B.left1: {ball}", "--for", "20 ms",
                    "--instants", 41, "--section", "5 ms", "-o", "out")
        out, joints = self.folder / "out", ["A.left1", "B.left1"]
        table, section = rows(out), rows(out, "section.csv")
        self.assertEqual([row["t"] for row in section], [0.0, 0.005, 0.01, 0.015, 0.02])
        names = [f"{joint}.o{axis}" for joint in joints for axis in "xyz"]
        self.assertEqual(list(section[0]), ["t", *names])
        for row, whole in zip(section, table[::10]):
            self.assertEqual(row, {name: whole[name] for name in row})
        self.assertGreater(abs(section[-1]["B.left1.oz"]), 1e-5)
        texts = {name: [text.text for text in ElementTree.parse(out / f"{name}.svg").getroot().iter("{http://www.w3.org/2000/svg}text")]
                 for name in ("contacts", "orbits", "section")}
        modes = ["flight", "impact", "sliding", "sticking"]
        bars = texts["contacts"]
        self.assertEqual([text for text in bars if text in modes], modes)
        self.assertEqual(bars[bars.index("sticking") + 1:bars.index("0.000")], joints)
        for name in ("orbits", "section"):
            self.assertEqual([text for text in texts[name] if text and re.match(r"\w+\.\w+\d", text)], joints)


class Seated(Program):
    def test_siax_hangs_deeper_and_its_loads_reverse(self):
        said = self.answer("simulate", SIAX, "--clearance", SEATED, "-o", "out")
        table = rows(self.folder / "out")
        self.assertEqual((len(table), said["fidelity"], said["n_reversals"]), (401, "seated", 28))
        self.assertAlmostEqual(said["start_deviation"], 0.247073e-3, delta=1e-9)
        self.assertAlmostEqual(table[0]["P.dz"], -0.247073e-3, delta=1e-9)
        # ball joints are at the walls of their sockets
        for row in table[::40]:
            for joint in ("A.left1", "B.right2", "C.left2"):
                shift = math.hypot(row[f"{joint}.ux"], row[f"{joint}.uy"], row[f"{joint}.uz"])
                self.assertAlmostEqual(shift, 1e-4, delta=1e-10)
        peaks = {peak["name"]: peak["value"] for peak in said["peaks"]}
        self.assertAlmostEqual(peaks["P.da_held"], 0.25201, delta=1e-4)
        self.assertAlmostEqual(peaks["qA.force"], 425.460, delta=0.01)

    # Once the journals have found their walls, contact trembles about the seated pose: 20 of 835 um in the mean.
    def test_contact_settles_to_the_seated_pose(self):
        contact = "spherical: {radial: 0.1 mm, radius: 10 mm, stiffness: 1.524e11, restitution: 0.9}"
        for clearance, out in ((SEATED, "seated"), (contact, "contact")):
            self.answer("simulate", SIAX, "--clearance", clearance, "--for", "0.06 s", "--instants", 121, "-o", out)
        pairs = [(a, b) for a, b in zip(rows(self.folder / "seated"), rows(self.folder / "contact")) if a["t"] > 0.02]
        off = [math.dist(*([row[f"P.d{k}"] for k in "xyz"] for row in pair)) for pair in pairs]
        self.assertLess(sum(off) / len(off), 0.05 * pairs[0][0]["P.dp"])

    # Verification with finer instants knows all but what happens next to reversals.
    def test_verification_bounds_the_peaks(self):
        said = self.answer("simulate", SIAX, "--clearance", SEATED, "--verify", "-o", "out")
        bars = {peak["name"]: peak["error_bar"] for peak in said["peaks"]}
        self.assertEqual(said["instants"], 401)
        self.assertLess(bars["P.da_held"], 1e-4)
        self.assertLess(bars["P.dp"], 1e-7)

    def test_a_run_file_can_ask_for_it(self):
        run = self.write("run.yaml", f"run: 1\nmotion: circle\ninstants: 11\nclearance:\n  {SEATED}\n")
        said = self.answer("simulate", SIAX, "--run", run, "-o", "out")
        self.assertEqual((said["motion"], said["instants"]), ("circle", 11))

    def test_redundant_loops_close_with_their_clearance(self):
        said = self.answer("simulate", FIVE_BAR, "--clearance", PIN[:-1] + ", fidelity: seated}", "-o", "out",
                           "--instants", 41)
        self.assertLess(said["redundant_gap"], 1e-9)
        self.assertEqual(said["unsettled"], 0)

    def refuse(self, *arguments):
        return self.refused(2, "simulate", SIAX, *arguments, "-o", self.folder / "out")

    def test_what_is_not_quasi_static_is_refused(self):
        for arguments, words in (
                (("--clearance", SEATED, "--friction", "spherical: {static: 0.1, radius: 5 mm}"), "does not take friction in joints"),
                (("--clearance", SEATED[:-1] + ", friction: {static: 0.1}}"), "does not take friction of clearances"),
                (("--clearance", SEATED, "--flexible", "left: {elements: 2}"), "does not take flexible links"),
                (("--clearance", SEATED, "--drive", "qA: free"), "drives: free (qA)"),
                (("--clearance", SEATED, "--motion", "none"), "needs a motion"),
                (("--clearance", CLEARANCE.replace("}", ", fidelity: envelope}")), "taken by pkm envelope"),
                (("--clearance", "spherical: {radial: -0.1 mm, fidelity: seated}"), "expected >= 0"),
                (("--clearance", SEATED, "--clearance",
                  "A.left1: {radial: 0.1 mm, radius: 1 cm, stiffness: 1e10}"), "pkm simulate does not take clearance, seated")):
            with self.subTest(words):
                self.assertIn(words, self.refuse(*arguments))


class Envelope(Program):
    # At home all six rods are alike: the platform can drop by 2 c l2/depth.
    def test_siax_at_home(self):
        said = self.answer("envelope", SIAX, "--clearance", CLEARANCE, "-o", "out")
        depth = math.sqrt(1.106**2 - 0.653**2)
        axes = {axis["axis"]: axis for axis in said["axes"]}
        self.assertAlmostEqual(axes["z"]["bound"], 2e-4 * 1.106 / depth, delta=1e-12)
        for axis in axes.values():
            self.assertAlmostEqual(axis["linear_program"] / axis["bound"], 1.0, delta=1e-6)
            self.assertAlmostEqual(axis["closed"] / axis["bound"], 1.0, delta=1e-2)
        self.assertAlmostEqual(sum(joint["shift"] for joint in said["joints"]), said["shift"], delta=1e-12)
        self.assertGreaterEqual(said["shift_ellipsoid"][0]["semi_axis"], said["shift"])
        table = rows(self.folder / "out")
        self.assertEqual([(row["axis"], row["way"]) for row in table],
                         [(axis, way) for axis in range(1, 7) for way in (1, -1)])
        self.assertAlmostEqual(table[5]["P.dz"], -0.2478e-3, delta=1e-7)

    def test_along_a_motion_the_seated_deviation_is_inside(self):
        said = self.answer("envelope", SIAX, "--clearance", CLEARANCE, "--motion", "paper", "--instants", 41, "-o", "out")
        self.answer("simulate", SIAX, "--clearance", SEATED, "--instants", 41, "-o", "seated")
        for bound, seated in zip(rows(self.folder / "out"), rows(self.folder / "seated")):
            self.assertLess(seated["P.dp"], max(bound["P.shift"], bound["P.shift_closed"]) * 1.001)
            self.assertLess(seated["P.turn"], max(bound["P.turn"], bound["P.turn_closed"]) * 1.001)
        self.assertIn("envelope.svg", {path.name for path in (self.folder / "out").iterdir()})
        self.assertEqual(said["instants"], 41)

    def test_at_a_pose_and_with_redundant_loops(self):
        said = self.answer("envelope", FIVE_BAR, "--clearance", PIN, "-o", "out", "--at", "0, 120 mm, 0")
        self.assertEqual(said["redundant"], 3)
        for axis in said["axes"]:
            self.assertAlmostEqual(axis["linear_program"] / axis["bound"], 1.0, delta=1e-5)

    def test_people_get_the_same_numbers(self):
        done = self.pkm("envelope", SIAX, "--clearance", CLEARANCE, "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^  z +0\.247801 +0\.247801 +0\.247813  mm$")
        self.assertNotRegex(done.stdout, r"\bnan\b|\binf\b|-0\.0000")

    def test_wrong_choices_are_told(self):
        for arguments, words in (
                ((), "no clearance, expected --clearance"),
                (("--clearance", "spherical: {radial: 0.1 kg}"), "is a mass"),
                (("--clearance", "Q*: {radial: 1 mm}"), "matches no joint"),
                (("--clearance", "spherical: {}"), "radial"),
                (("--clearance", CLEARANCE, "--at", "0,0"), "--at: 2 numbers, expected 3 or 6"),
                (("--clearance", CLEARANCE, "--at", "0,0,-1", "--motion", "paper"), "expected one of them"),
                (("--clearance", CLEARANCE, "--instants", 5), "it needs --motion"),
                (("--clearance", CLEARANCE, "--motion", "papr"), "papr")):
            with self.subTest(words):
                self.assertIn(words, self.refused(2, "envelope", SIAX, *arguments, "-o", self.folder / "out"))
        self.assertIn("out of reach", self.refused(3, "envelope", SIAX, "--clearance", CLEARANCE, "--at", "0,0,-3"))

    def test_a_pose_that_the_tool_does_not_take_is_refused(self):
        for verb in ("envelope", FIVE_BAR, "--clearance", PIN), ("stiffness", FIVE_BAR), ("modes", FIVE_BAR), ("matrices", FIVE_BAR), ("draw", FIVE_BAR):
            self.assertIn("the nearest point is (0, 0.12, 0) m, 0.5 m away", self.refused(3, *verb, "--at", "0, 0.12, 0.5"))
            self.assertIn("the nearest orientation is", self.refused(3, *verb, "--at", "0, 0.12, 0, 0.1, 0, 0"))


if __name__ == "__main__":
    unittest.main()
