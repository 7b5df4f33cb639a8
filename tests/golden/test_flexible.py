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

CARRIED = """pkm: 1
name: carried rod
gravity: [0, 0, 0]
materials: {steel: {density: 7800, young: 200 GPa, poisson: 0.25}}
ground: {points: {O: [0, 0, 0]}}
bodies:
  slide: {mass: 5 kg, inertia: [1, 1, 1], points: {O: [0, 0, 0], A: [0, 0, 0], B: [1, 0, 0]}}
  rod: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: {rod: {from: A, to: B, diameter: 20 mm}, material: steel}}
joints:
  guide: {type: prismatic, between: [ground.O, slide.O], axis: z}
  a: {type: revolute, between: [slide.A, rod.A], axis: y}
  b: {type: revolute, between: [slide.B, rod.B], axis: y}
drives: {q: {joint: guide}}
tool: slide.B
motions: {lift: {duration: 2 s, law: quintic, drives: {q: 0.5 m}}}
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
    def test_peaks_of_links_do_not_depend_on_the_rows(self):
        run = self.write("run.yaml", "run: 1\nfor: 40 ms\nflexible: {A.left: {damping: adams}, A.right: {damping: adams}}\n")
        few, many = ({link["name"]: link for link in self.answer("simulate", SIAX, "--run", run, "--instants", n, "-o", f"rows{n}")
                      ["flexible_links"]} for n in (4, 1601))
        with open(self.folder / "rows4/table.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        at_rows = []
        for name, link in few.items():
            for quantity in ("deflection", "stress", "axial", "buckling"):
                # parabolas through three places of a step, to 1e-5; rows 1/40 of a millisecond apart miss less than 1e-4
                self.assertAlmostEqual(link[quantity] / many[name][quantity], 1.0, delta=2e-4, msg=f"{name}.{quantity}")
                column = next(c for c in rows[0] if c.startswith(f"{name}.{quantity}"))
                at_rows.append(max(abs(float(row[column])) for row in rows) / link[quantity])
        self.assertLess(min(at_rows), 0.99)  # so few rows miss a part of it

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
        table, located = (columns(self.folder / f"out/{name}.csv")["arm@0.25.deflection"] for name in ("table", "peaks"))
        self.assertEqual(max(map(abs, table + located)), places[0]["deflection"])
        said = self.said("simulate", SIAX, *rods("places: [0.5]"), "-o", "mid", "--for", "20 ms")
        self.assertIn("A.left@0.5 ", said)
        table = columns(self.folder / "mid/table.csv")
        for a, b in zip(table["A.left.deflection"], table["A.left@0.5.deflection"]):
            self.assertAlmostEqual(a, b, delta=1e-15)
        for bad, text in (("[1.5]", "1.5, expected a part of the length, 0 to 1"), ("[-0.1]", "-0.1"), ("[]", "places")):
            self.assertIn(text, self.refused(2, "simulate", SIAX, *rods(f"places: {bad}")))

    # The same cantilever pulled, pushed to both sides and twisted at its tip: displacements with their
    # signs. The force is so small that neither its share in bending, 0.4 F L^2 / E I, nor the
    # shortening by bending, 0.6 v^2 / L, is seen.
    def test_signed_displacements_meet_the_closed_form(self):
        model = self.write("crank.yaml", CRANK)
        A, EI = math.pi * 0.01**2, 200e9 * math.pi * 0.02**4 / 64
        for pieces in (1, 2):
            self.answer("simulate", model, "--motion", "none", "--drive", "locked", "--for", "0.1 ms", "--instants", 2,
                        "--tool-force", "-0.03,1e-6,-2e-6,2e-5,0,0", "--flexible", f"arm: {{places: [0.25, 1], elements: 8, pieces: {pieces}, "
                        "modes: full, stiffening: false}", "-o", "out")
            table = columns(self.folder / "out/table.csv")
            for x in (0.25, 1):
                of = lambda what: table[f"arm@{x}.{what}"][0]
                bend = x * x * (3 - x) / 6 / EI
                self.assertAlmostEqual(of("stretch") / (-0.03 * x / (200e9 * A)), 1, delta=2e-5)
                self.assertAlmostEqual(of("bend_y") / (1e-6 * bend), 1, delta=2e-5)
                self.assertAlmostEqual(of("bend_z") / (-2e-6 * bend), 1, delta=2e-5)
                self.assertAlmostEqual(of("twist") / (2e-5 * x / (0.8 * EI)), 1, delta=2e-5)
                self.assertAlmostEqual(math.hypot(of("bend_y"), of("bend_z")) / of("deflection"), 1, delta=1e-12)

    # A pinned rod carried up by a slide lags behind: -rho A a x (L^3 - 2 L x^2 + x^3) / 24 E I. The
    # jerk of 3.75 m/s3 with which the law begins makes it ring by 3.75 / 249 rad/s = 0.0151 m/s2
    # about that. Both ways to compute it say so, and the same to 3e-3
    # of the peak (frequencies of the kept modes differ by 1e-5, over 80 periods).
    def test_a_pinned_rod_bends_under_its_own_inertia(self):
        model = self.write("carried.yaml", CARRIED)
        A, EI, both = math.pi * 0.01**2, 200e9 * math.pi * 0.02**4 / 64, []
        for verb, tolerance in (("simulate", ["--tolerance", "1e-10"]), ("elastodynamics", [])):
            self.said(verb, model, "--flexible", "rod: {places: [0.3, 0.5]}", "--instants", 41, "-o", verb, *tolerance)
            table = columns(self.folder / verb / "table.csv")
            for x in (0.3, 0.5):
                shape = 7800 * A * x * (1 - 2 * x**2 + x**3) / (24 * EI)
                for a, bend, side in zip(table["q.a"], table[f"rod@{x}.bend_z"], table[f"rod@{x}.bend_y"]):
                    self.assertAlmostEqual(bend, -shape * a, delta=1.05 * shape * 0.0151)
                    self.assertAlmostEqual(side, 0, delta=1e-9 * shape)
            both.append(table)
            words = " ".join(ElementTree.parse(self.folder / verb / "places.svg").getroot().itertext())
            for word in ("displacement", "rod, 30 %", "rod, 50 %", "axial displacement"):
                self.assertIn(word, words)
            self.assertNotIn("twist", words)  # rounding is no twist
        most = max(map(abs, both[0]["rod@0.3.bend_z"]))
        self.assertAlmostEqual(most / (7800 * A * 0.3 * (1 - 2 * 0.3**2 + 0.3**3) / (24 * EI)), 0.722, delta=0.02)
        for a, b in zip(both[0]["rod@0.3.bend_z"], both[1]["rod@0.3.bend_z"]):
            self.assertAlmostEqual(a, b, delta=3e-3 * most)

    # The list of the free link says which mode bends which way; a run with that mode alone does just that.
    # With the eight lowest named one by one the run is the usual one.
    def test_modes_are_chosen_one_by_one(self):
        listed = self.answer("modes", SIAX, "--link", "A.left", "--flexible", "left: {below: 600 Hz, disabled: [8, 10]}")["modes"]
        self.assertEqual([m["number"] for m in listed if m["enabled"]], [7, 9])
        self.assertEqual([m["number"] for m in self.answer("modes", SIAX, "--link", "A.left", "--modes", 20)["modes"] if m["enabled"]],
                         list(range(7, 15)))
        for k in (7, 8):
            way = listed[k - 1]["kind"][-1]
            self.assertIn(way, "yz")
            self.said("simulate", SIAX, *rods(f"modes: [{k}], static_correction: false, places: [0.3]"), "--instants", 21, "-o", "out")
            table = columns(self.folder / "out/table.csv")
            most = {axis: max(map(abs, table[f"A.left@0.3.bend_{axis}"])) for axis in "yz"}
            self.assertGreater(most[way], 1e-5)
            self.assertLess(most["z" if way == "y" else "y"], 1e-9 * most[way])
        tables = []
        for modes in ("[7, 8, 9, 10, 11, 12, 13, 14]", "8"):
            self.said("simulate", SIAX, *rods(f"modes: {modes}"), "--instants", 21, "-o", "out")
            tables.append(columns(self.folder / "out/table.csv")["P.dp"])
        for a, b in zip(*tables):
            self.assertAlmostEqual(a, b, delta=1e-5 * max(tables[0]))
        for bad, part in (("modes: [6]", "mode 6 is a motion of the rigid body"), ("modes: [99]", "mode 99 asked of 54"),
                          ("modes: [[3 Hz, 1 Hz]]", "expected rising frequencies"), ("disabled: [[1 Hz, 2 Hz]]", "no mode of the free body between 1 and 2 Hz"),
                          ("modes: []", "modes"), ("modes: [7], disabled: [7], static_correction: false", "no mode is kept")):
            with self.subTest(bad):
                self.assertIn(part, self.refused(2, "simulate", SIAX, *rods(bad)))

    def test_the_report_for_people(self):
        said = self.said("simulate", SIAX, *rods(), "-o", "out")
        for part in ("6 flexible links", "change of strain energy", "flexible link", "A.left ", "of buckling"):
            self.assertIn(part, said)
        self.assertNotIn("warning", said)

    def test_thin_rods_near_buckling_are_told(self):
        thin = ("simulate", IRB, "--set", "d=7 mm", *rods(), "--for", "50 ms", "-o", "out")
        said = self.answer(*thin)
        self.assertEqual(len(said["warnings"]), 1)
        self.assertRegex(said["warnings"][0]["text"], r"^[BC]\.(left|right) at t = 0\.03\d* s: near buckling.* 39\.\d % of Euler")
        self.assertIn("warning: ", self.said(*thin))

    def test_large_bending_is_told(self):
        said = self.answer("simulate", IRB, "--set", "d=5 mm", *rods(), "-o", "out", "--for", "40 ms")
        text = " / ".join(w["text"] for w in said["warnings"])
        self.assertIn("near buckling", text)
        self.assertIn("outside the range of small deflections", text)

    # The linear model of the notes on this robot: mid-span of the rods and the platform point at
    # 50 m/s2 for two of its three diameters.
    def test_the_trend_of_the_irb_340(self):
        for d, bend, moved in ((14, 0.50e-3, 10.6e-6), (7, 2.37e-3, 22.4e-6)):
            said = self.answer("simulate", IRB, "--motion", "gentle", "--set", f"d={d} mm",
                               *rods("stiffening: false"), "-o", "out")
            most = max(link["deflection"] for link in said["flexible_links"])
            peak = {p["name"]: p["value"] for p in said["peaks"]}
            self.assertAlmostEqual(most, bend, delta=0.01 * bend)
            self.assertAlmostEqual(peak["P.dp"], moved, delta=0.01 * moved)

    # 157 of 376 N at 100 m/s2. Weight and inertia of half the rod make its ends differ from the middle, by 4.09 N
    # (3.58 N in the middle of the last of eight elements).
    def test_buckling_load_of_its_thin_rods(self):
        said = self.answer("simulate", IRB, "--set", "d=7 mm", *rods("stiffening: false"), "-o", "out")
        table = columns(self.folder / "out/table.csv")
        self.assertAlmostEqual(max(link["axial"] for link in said["flexible_links"]), 157, delta=1)
        for link in said["flexible_links"]:
            pressed = -min(table[link["name"] + ".axial"])
            self.assertAlmostEqual(376 * link["buckling"], pressed, delta=4.2)

    # Many short steps: an implicit method is chosen and said to be, with the peaks of the explicit one.
    def test_the_integrator_is_chosen_by_the_modes(self):
        links = ["--flexible", "a.link?: {}", "--for", "0.3 s", "--instants", 21]
        chosen = self.answer("simulate", PRRR, *links, "-o", "a")
        self.assertEqual(chosen["integration"]["integrator"], "sdirk")
        self.assertIn("modes", chosen["integration"]["chosen_since"])
        manifest = json.loads((self.folder / "a/manifest.json").read_text(encoding="utf-8"))
        self.assertIn({"name": "integrator", "value": "sdirk"}, manifest["options"])
        named = self.answer("simulate", PRRR, *links, "--integrator", "sdirk", "-o", "b")
        self.assertIsNone(named["integration"]["chosen_since"])
        self.assertEqual(chosen["peaks"], named["peaks"])

    def test_accelerations_of_stiff_links_are_no_noise_by_default(self):
        run = self.write("run.yaml", 'run: 1\nfor: 10 ms\ninstants: 11\nintegrator: sdirk\nflexible: {"?.link3": {below: 1000 Hz, damping: adams}, "?.link4": {below: 1000 Hz, damping: adams}}\n')
        peak = []
        for more in ((), ("--tolerance", "1e-11")):
            said = self.answer("simulate", ROOT / "robots/isoglide4.yaml", "--run", run, *more, "-o", "out")
            peak.append(next(p["value"] for p in said["peaks"] if p["name"] == "cm.da"))
        self.assertAlmostEqual(peak[0] / peak[1], 1.0, delta=2e-3)

    def test_pieces_are_verified_and_reported(self):
        arm = self.write("arm.yaml", """
pkm: 1
name: arm
gravity: [0, 0, -9.81]
materials: {steel: {young: 207 GPa, poisson: 0.3, density: 7800 kg/m3}}
ground: {points: {O: [0, 0, 0]}}
bodies: {arm: {points: {A: [0, 0, 0], B: [1, 0, 0]}, shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}}}
joints: {hub: {type: revolute, between: [ground.O, arm.A], axis: y}}
drives: {q: {joint: hub}}
tool: arm.B
motions: {turn: {duration: 0.2 s, drives: {q: 0.1 rad}}}
""")
        # one element has six modes, two have twelve and not sixteen
        said = self.said("simulate", arm, "--motion", "turn", "--flexible", "arm: {elements: 1}", "--verify", "--instants", 2, "-o", "out")
        self.assertRegex(said, r"B\.dp +\S+ +\S+ +\S+ +[mu]?m")
        said = self.said("simulate", arm, "--motion", "turn", "--flexible", "arm: {pieces: 4}", "--verify", "--instants", 21, "-o", "out")
        self.assertRegex(said, r"tolerance 1e-12, .*twice the elements and modes \(or pieces\)")
        value, bar = re.search(r"B\.dp +(\S+) +\S+ +(\S+) +[mu]?m\n", said).groups()
        self.assertLess(0, float(bar))
        self.assertLess(float(bar), 1e-3 * float(value))
        # accelerations, too: the second integrator follows the stiff modes of the pieces without noise
        self.assertIn("the explicit integrator", said)
        value, bar = re.search(r"B\.acc +(\S+) +\S+ +(\S+) +m/s2\n", said).groups()
        self.assertLess(float(bar), 0.02 * float(value))
        # the start is in equilibrium: the tip sags by w L^4/(8 EI)
        sag = 7800 * math.pi * 0.005**2 * 9.81 / (8 * 207e9 * math.pi * 0.01**4 / 64)
        self.assertAlmostEqual(-columns(self.folder / "out/table.csv")["B.dz"][0] / sag, 1, delta=2e-3)
        self.assertEqual(self.pkm("report", "out").returncode, 0)
        page = (self.folder / "out/report.html").read_text(encoding="utf-8")
        self.assertIn("arm.deflection", page)

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
