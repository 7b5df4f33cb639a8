"""Flexible links in pkm simulate: what is printed and written, the trends of the papers, wrong input."""

import csv
import json
import math
import re
import unittest
import xml.etree.ElementTree as ElementTree

from program import ROOT, Program
from test_readme import shape

SIAX = ROOT / "robots/siax.yaml"
IRB = ROOT / "robots/irb340.yaml"
PRRR = ROOT / "robots/prrr2prpar.yaml"


def rods(settings="elements: 8"):
    return ["--flexible", f"left: {{{settings}}}", "--flexible", f"right: {{{settings}}}"]


def columns(path):
    """The table of a run: values by the name of the column, without its unit."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [re.sub(r" \[.*\]$", "", name) for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}


def bar_file(path, n=4):
    """K and M of a round steel bar along x, 1 m and 20 mm, as another program would write them: frames A, B first."""
    length, A, I = 1 / n, math.pi * 0.01**2, math.pi * 0.02**4 / 64
    E, G, rho, size = 200e9, 80e9, 7800, 6 * (n + 1)
    K, M = ([[0.0] * size for _ in range(size)] for _ in range(2))
    first = lambda node: 6 * (0 if node == 0 else 1 if node == n else node + 1)
    bend = [[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]]
    mass = [[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]]
    for a, b in ((first(e), first(e + 1)) for e in range(n)):
        for place, k, m in ((0, E * A / length, rho * A * length), (3, 2 * G * I / length, 2 * rho * I * length)):
            for i, j in ((a, a), (b, b), (a, b), (b, a)):
                K[i + place][j + place] += k if i == j else -k
                M[i + place][j + place] += m / 3 if i == j else m / 6
        for across, turn, sign in ((1, 5, 1), (2, 4, -1)):
            at = [a + across, a + turn, b + across, b + turn]
            for i in range(4):
                for j in range(4):
                    arm = (sign * length) ** (i % 2) * (sign * length) ** (j % 2)
                    K[at[i]][at[j]] += E * I / length**3 * bend[i][j] * arm
                    M[at[i]][at[j]] += rho * A * length / 420 * mass[i][j] * arm
    rows = lambda X: "\n".join(" ".join(map(repr, row)) for row in X)
    path.write_text(f"frames A B\ncoordinates {size}\nK\n{rows(K)}\nM\n{rows(M)}\n")


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


class Flexible(Program):
    def said(self, *arguments):
        done = self.pkm(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_every_link_has_its_columns_and_the_summary_is_the_table(self):
        said = self.answer("simulate", SIAX, *rods(), "-o", "out")
        table = columns(self.folder / "out/table.csv")
        for name, values in columns(self.folder / "out/peaks.csv").items():
            table[name] += values
        self.assertEqual(len(said["flexible_links"]), 6)
        for link in said["flexible_links"]:
            for quantity in ("deflection", "twist", "stress", "axial", "buckling"):
                self.assertEqual(link[quantity], max(map(abs, table[f"{link['name']}.{quantity}"])))
        self.assertEqual(said["warnings"], [])
        self.assertLess(said["energy"]["relative_residual"], 1e-10)
        self.assertEqual(said["integration"]["integrator"], "explicit")
        self.assertIsNone(said["integration"]["chosen_since"])
        svg = ElementTree.parse(self.folder / "out/deflection.svg").getroot()
        text = " ".join(svg.itertext())
        for word in ("mid-span deflection", "axial force", "largest stress", "A left", "C right"):
            self.assertIn(word, text)

    # A body made elsewhere, let go under a force: the same as ours. Nobody knows its buckling load.
    def test_a_body_of_another_program_moves_as_ours(self):
        model = self.write("crank.yaml", CRANK)
        bar_file(self.folder / "bar.txt")
        tables = []
        for settings in ("elements: 4, modes: full, stiffening: false", "file: bar.txt"):
            self.said("simulate", model, "--motion", "none", "--drive", "locked", "--for", "20 ms", "--instants", 21, "--start", "undeformed",
                      "--tool-force", "0,0,-10", "--flexible", f"arm: {{{settings}}}", "--tolerance", 1e-8, "-o", "out")
            tables.append(columns(self.folder / "out/table.csv"))
        most = max(map(abs, tables[0]["B.z"]))
        self.assertGreater(most, 1e-3)
        for a, b in zip(tables[0]["B.z"], tables[1]["B.z"]):
            self.assertAlmostEqual(a, b, delta=1e-4 * most)
        self.assertEqual(set(tables[1]["arm.buckling"]), {0.0})
        self.assertIn("cannot read the file", self.refused(2, "simulate", model, "--flexible", "arm: {file: no.h5}"))

    # A cantilever of 1 m under a force and a torque at its tip: F x^2 (3 L - x) / 6 E I, T x / G J,
    # F (L - x) r / I. Small enough to be linear.
    def test_places_meet_the_closed_form(self):
        model = self.write("crank.yaml", CRANK)
        said = self.answer("simulate", model, "--motion", "none", "--drive", "locked", "--for", "0.1 ms", "--instants", 2,
                           "--tool-force", "0,0,-0.01,0.02,0,0", "--flexible", "arm: {places: [0.25, 0.6, 1], modes: full}", "-o", "out")
        EI, r = 200e9 * math.pi * 0.02**4 / 64, 0.01
        places = said["flexible_links"][0]["places"]
        self.assertEqual([p["at"] for p in places], [0.25, 0.6, 1])
        for p in places:
            x = p["at"]
            self.assertAlmostEqual(p["deflection"] / (0.01 * x * x * (3 - x) / 6 / EI), 1, delta=1e-5)
            self.assertAlmostEqual(p["twist"] / (0.02 * x / (0.8 * EI)), 1, delta=1e-5)
            self.assertAlmostEqual(p["stress"], 0.01 * (1 - x) * r * 200e9 / EI, delta=1.0)
        table = columns(self.folder / "out/table.csv")
        self.assertEqual(max(map(abs, table["arm@0.25.deflection"])), places[0]["deflection"])
        said = self.said("simulate", SIAX, *rods("places: [0.5]"), "-o", "mid", "--for", "20 ms")
        self.assertIn("A.left@0.5 ", said)
        table = columns(self.folder / "mid/table.csv")
        for a, b in zip(table["A.left.deflection"], table["A.left@0.5.deflection"]):
            self.assertAlmostEqual(a, b, delta=1e-15)
        for bad, text in (("[1.5]", "1.5, expected a part of the length, 0 to 1"), ("[-0.1]", "-0.1"), ("[]", "places")):
            self.assertIn(text, self.refused(2, "simulate", SIAX, *rods(f"places: {bad}")))

    def test_the_report_for_people(self):
        said = self.said("simulate", SIAX, *rods(), "-o", "out")
        for part in ("6 flexible links", "change of strain energy", "flexible link", "A.left ", "of buckling"):
            self.assertIn(part, said)
        self.assertNotIn("warning", said)

    def test_thin_rods_near_buckling_are_told(self):
        said = self.answer("simulate", IRB, "--set", "d=7 mm", *rods(), "-o", "out")
        self.assertEqual(len(said["warnings"]), 1)
        self.assertRegex(said["warnings"][0]["text"], r"^[BC]\.(left|right) at t = 0\.03\d* s: near buckling.* 39\.\d % of Euler")
        self.assertIn("warning: ", self.said("simulate", IRB, "--set", "d=7 mm", *rods(), "-o", "out"))

    def test_large_bending_is_told(self):
        said = self.answer("simulate", IRB, "--set", "d=5 mm", *rods(), "-o", "out", "--for", "40 ms")
        text = " / ".join(w["text"] for w in said["warnings"])
        self.assertIn("near buckling", text)
        self.assertIn("outside the range of small deflections", text)

    # The linear model of the notes on this robot: mid-span of the rods and the platform point at
    # 50 m/s2 for three diameters.
    def test_the_trend_of_the_irb_340(self):
        for d, bend, moved in ((14, 0.50e-3, 10.6e-6), (10.5, 0.91e-3, 13.2e-6), (7, 2.37e-3, 22.4e-6)):
            said = self.answer("simulate", IRB, "--motion", "gentle", "--set", f"d={d} mm",
                               *rods("stiffening: false"), "-o", "out")
            most = max(link["deflection"] for link in said["flexible_links"])
            peak = {p["name"]: p["value"] for p in said["peaks"]}
            self.assertAlmostEqual(most, bend, delta=0.01 * bend)
            self.assertAlmostEqual(peak["P.dp"], moved, delta=0.01 * moved)

    # 157 of 376 N at 100 m/s2. Weight and inertia along the rod make its ends differ from the middle.
    def test_buckling_load_of_its_thin_rods(self):
        said = self.answer("simulate", IRB, "--set", "d=7 mm", *rods("stiffening: false"), "-o", "out")
        table = columns(self.folder / "out/table.csv")
        self.assertAlmostEqual(max(link["axial"] for link in said["flexible_links"]), 157, delta=1)
        for link in said["flexible_links"]:
            pressed = -min(table[link["name"] + ".axial"])
            self.assertAlmostEqual(376 * link["buckling"], pressed, delta=4)

    # Many short steps: an implicit method is chosen and said to be, with the peaks of the explicit one.
    def test_the_integrator_is_chosen_by_the_modes(self):
        links = ["--flexible", "a.link?: {}", "--for", "0.4 s", "--instants", 41]
        chosen = self.answer("simulate", PRRR, *links, "-o", "a")
        self.assertEqual(chosen["integration"]["integrator"], "sdirk")
        self.assertIn("modes", chosen["integration"]["chosen_since"])
        manifest = json.loads((self.folder / "a/manifest.json").read_text(encoding="utf-8"))
        self.assertIn({"name": "integrator", "value": "sdirk"}, manifest["options"])
        named = self.answer("simulate", PRRR, *links, "--integrator", "sdirk", "-o", "b")
        self.assertIsNone(named["integration"]["chosen_since"])
        self.assertEqual(chosen["peaks"], named["peaks"])

    # The paper's driving forces are doubled at the start: links that are let go straight under gravity ring. In
    # equilibrium they do not.
    def test_links_let_go_straight_double_the_forces(self):
        links = ["--flexible", "a.link?: {below: 2500 Hz, damping: 0.05}", "--for", "0.1 s", "--instants", 41,
                 "--integrator", "sdirk"]
        rigid = self.answer("simulate", PRRR, "--for", "0.1 s", "--instants", 41, "-o", "a")
        straight = self.answer("simulate", PRRR, *links, "--start", "undeformed", "-o", "b")
        at_rest = self.answer("simulate", PRRR, *links, "-o", "c")
        force = [max(p["value"] for p in said["peaks"] if p["name"] == "q1.force")
                 for said in (rigid, straight, at_rest)]
        self.assertAlmostEqual(force[1] / force[0], 2.0, delta=0.2)
        self.assertLess(force[2], 1.2 * force[0])

    def test_wrong_input_is_named(self):
        for text, part in (("left: {elements: 0}", "elements: 0"), ("left: {modes: 5000}", "modes asked of"),
                           ("left: {section: {diameter: -1 mm}}", "diameter"), ("nobody: {}", "nobody"),
                           ("platform: {}", "platform"), ("left: {damping: a lot}", "damping"),
                           ("left: {stiffening: maybe}", "stiffening"), ("left: {below: 250 m}", "below")):
            with self.subTest(text):
                self.assertIn(part, self.refused(2, "simulate", SIAX, "--flexible", text, "-o", "out"))


class Guide(Program):
    """docs/guide/flexible-links.md shows what the program draws."""

    def setUp(self):
        super().setUp()
        (self.folder / "robots").symlink_to(ROOT / "robots")

    def test_the_picture(self):
        self.answer("simulate", SIAX, "--run", ROOT / "runs/siax-flexible.yaml", "-o", "out")
        self.assertEqual(shape(ROOT / "docs/pictures/siax-deflection.svg"), shape(self.folder / "out/deflection.svg"))


if __name__ == "__main__":
    unittest.main()
