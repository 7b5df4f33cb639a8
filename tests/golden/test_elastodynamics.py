"""pkm elastodynamics: flexible links on the rigid motion, the same method for every robot."""

import csv
import re
import unittest

from program import ROOT, Program

KUO = ROOT / "robots/kuo.yaml"

#: Largest P.dz [m] of the periodic circle in steps of 2.5 ms, one element per link: the formulation of tests/kuo.
REFERENCE = 0.0260220594


class Elastodynamics(Program):
    def test_any_robot_bends_on_its_motion(self):
        siax = ROOT / "robots/siax.yaml"
        bend = ("--flexible", "left: {elements: 4}", "--flexible", "right: {elements: 4}")
        said = self.answer("elastodynamics", siax, *bend, "--stiffening", "--verify", "-o", "out")
        peak = {p["name"]: p for p in said["peaks"]}
        self.assertAlmostEqual(peak["P.dp"]["value"], 3.28e-4, delta=0.02 * 3.28e-4)  # as pkm simulate has it
        self.assertLess(peak["P.dp"]["error_bar"], 0.01 * 3.28e-4)
        self.assertEqual(said["verified_with"], ["half the step (difference times 4/3)"])
        self.assertEqual(len(said["flexible_links"]), 6)
        self.assertEqual([f for f in self.files() if f.startswith("out/")],
                         ["out/deflection.svg", "out/deviations.svg", "out/drives.svg", "out/forces.svg", "out/manifest.json",
                          "out/peaks.csv", "out/scene.json", "out/summary.json", "out/table.csv", "out/table.h5", "out/tool.svg"])
        free = self.answer("elastodynamics", siax, *bend, "--without-coupling", "--for", "20 ms", "--instants", 21, "-o", "out")
        tied = self.answer("elastodynamics", siax, *bend, "--for", "20 ms", "--instants", 21, "-o", "out")
        ratio = free["peaks"][6]["value"] / tied["peaks"][6]["value"]
        self.assertTrue(1e-7 < abs(ratio - 1) < 0.01, ratio)

    # The force of a locked drive is a multiplier, that of an elastic one the force of its spring, in another equation: ever
    # stiffer springs lead to the locked drive, the difference falls with 1/k. One flexible rod among rigid ones that turn.
    def test_locked_drives_are_the_limit_of_stiff_ones(self):
        asked = ("elastodynamics", ROOT / "robots/siax.yaml", "--stiffening", "--flexible", "A.left: {modes: 2}", "--for", "1 us",
                 "--instants", 2, "--tool-force", "2000,3000,-4000")

        def forces(*how):
            self.answer(*asked, *how, "-o", "out")
            with open(self.folder / "out/table.csv", encoding="utf-8") as file:
                row = next(csv.DictReader(file))
            return [float(value) for name, value in row.items() if re.match(r"q.\.force", name)]

        locked = forces()
        soft, stiff = (forces("--drives-are", f"{{stiffness: {k} N m/rad}}") for k in ("1e8", "1e9"))
        self.assertEqual(len(locked), 3)
        for exact, a, b in zip(locked, soft, stiff):
            self.assertLess(abs(b + (b - a) / 9 - exact), 1e-5)

    # Three equal limbs have frequencies 0.2 % apart; the eigenvalues of all modes at home know nothing of how a run chooses its step.
    def test_the_lowest_frequency_is_that_of_the_modes(self):
        siax, bend = ROOT / "robots/siax.yaml", ("--flexible", "left: {modes: 2, damping: 0.02}")
        modes = [m["frequency"] for m in self.answer("modes", siax, *bend)["modes"]]
        said = self.answer("elastodynamics", siax, *bend, "--for", "1 ms", "--instants", 2, "-o", "out")
        self.assertLess(modes[2] / modes[0] - 1, 0.003)
        self.assertLess(abs(said["lowest_frequency"] / modes[0] - 1), 1e-9)

    # The method does not hang on the robot's name: Kuo's Delta with nothing asked has all its links flexible, in the same table
    # as any other robot, and is what the same choice written out gives.
    def test_kuos_delta_is_a_robot_like_others(self):
        motion = ("--motion", "inverted_u", "--step", "4 ms", "--instants", 21)
        plain = self.answer("elastodynamics", KUO, *motion, "-o", "out")
        said = self.answer("elastodynamics", KUO, *motion, "--flexible", "*: {}", "-o", "out")
        for answer in (plain, said):
            del answer["wall_time"]
        self.assertEqual(plain, said)
        self.assertEqual(len(plain["flexible_links"]), 6)
        self.assertIn("P.dp", [p["name"] for p in plain["peaks"]])
        self.assertIn("flexible", [w["kind"] for w in plain["warnings"]])  # it bends beyond small deflections

    # The extremes of the periodic circle by another formulation (tests/kuo): one element per link.
    def test_kuos_circle_meets_the_reference(self):
        bend = ("--flexible", "*: {elements: 1, modes: full, torsion: polar}")
        ours = self.answer("elastodynamics", KUO, "--motion", "paper", *bend, "--start", "periodic", "--step", "2.5 ms",
                           "--instants", 401, "-o", "out")
        self.assertEqual((ours["coordinates"], round(ours["lowest_frequency"] * 6.283185307, 4)), (36, 20.5573))
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
        column = [name.split(" ")[0] for name in rows[0]].index("P.dz")
        self.assertAlmostEqual(max(float(row[column]) for row in rows[1:]), REFERENCE, delta=1e-6)

    def test_elastic_drives_yield(self):
        bend = ("--flexible", "left: {elements: 2}", "--for", "2 ms", "--instants", 3, "-o", "out")
        stiff = self.answer("elastodynamics", ROOT / "robots/siax.yaml", *bend)
        soft = self.answer("elastodynamics", ROOT / "robots/siax.yaml", *bend, "--drives-are", "{stiffness: 1e4, damping: 10}")
        self.assertEqual(soft["coordinates"], stiff["coordinates"] + 3)
        self.assertLess(soft["lowest_frequency"], stiff["lowest_frequency"])

    def test_what_cannot_be_linear_is_refused(self):
        siax = ROOT / "robots/siax.yaml"
        rigid = self.write("rigid.yaml", siax.read_text(encoding="utf-8").replace(", material: steel", ""))
        self.assertIn("no link can bend", self.refused(2, "elastodynamics", rigid))
        for options, text in [(("--motion", "nowhere"), "nowhere"),
                              (("--start", "moving"), "expected static, undeformed or periodic"),
                              (("--start", "periodic"), "does not end where it starts"),
                              (("--repeat", 2), "does not end where it starts"),
                              (("--step", "0"), "--step: 0, expected > 0"),
                              (("--drives-are", "free"), "pkm elastodynamics does not take drives that do not hold"),
                              (("--convergence", "1..4"), "unknown"),
                              (("--assembly", "kuo-2016"), "unknown")]:
            with self.subTest(options):
                self.assertIn(text, self.refused(2, "elastodynamics", siax, *options))
        run = self.write("run.yaml", "run: 1\nflexible: {left: {}}\nfriction: {spherical: {static: 0.1, radius: 1 mm}}\n")
        held = self.write("held.yaml", "run: 1\nflexible: {left: {}}\ndrives: {pd: {kp: 1e4, kd: 100}}\n")
        self.assertIn("pkm elastodynamics does not take controllers; taken by pkm simulate", self.refused(2, "elastodynamics", siax, "--run", held))
        self.assertIn("friction (A.left1): pkm elastodynamics does not take friction in joints", self.refused(2, "elastodynamics", siax, "--run", run))
        self.assertIn("step: 1e-13 s in a run", self.refused(2, "elastodynamics", siax, "--step", "1e-13"))

    def test_links_without_material_are_refused(self):
        text = KUO.read_text(encoding="utf-8")
        old = "size: [=L2, =h, =h]}, material: steel}"
        self.assertEqual(text.count(old), 1)
        bare = self.write("kuo.yaml", text.replace(old, "size: [=L2, =h, =h]}}"))
        self.assertIn("a flexible link needs a material", self.refused(2, "elastodynamics", bare, "--flexible", "rod: {}"))
        soft = self.write("kuo.yaml", text.replace(", poisson: 0.3125", ""))
        self.assertIn("needs young and poisson", self.refused(2, "elastodynamics", soft, "--flexible", "rod: {}"))
        self.assertIn("no link can bend", self.refused(2, "elastodynamics", soft))

    # A peak is that of the steps, not of the rows, and stands in one of the two tables.
    def test_a_step_that_is_too_long_is_told(self):
        coarse = ("elastodynamics", ROOT / "robots/siax.yaml", "--flexible", "left: {}", "--instants", 101, "-o", "out")
        (said,) = [w for w in self.answer(*coarse, "--step", "1 ms")["warnings"] if w["kind"] == "step"]
        self.assertIn("as long as the frequencies of this robot need", said["text"])
        for fine in ((), ("--step", "60 us")):
            self.assertEqual([w for w in self.answer(*coarse, *fine)["warnings"] if w["kind"] == "step"], [])

    def test_peaks_are_those_of_all_steps(self):
        step = ("--motion", "paper", "--step", "2.5 ms", "-o", "out")
        few, many = ({p["name"]: p for p in self.answer("elastodynamics", KUO, *step, "--instants", n)["peaks"]} for n in (11, 401))
        for name, peak in few.items():
            self.assertAlmostEqual(peak["value"], many[name]["value"], delta=1e-9 * many[name]["value"], msg=name)
        self.answer("elastodynamics", KUO, *step, "--instants", 11)
        rows = []
        for file in ("table.csv", "peaks.csv"):
            with open(self.folder / "out" / file, encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(line for line in lines if not line.startswith("#")):
                    rows.append({key.split(" ")[0]: float(value) for key, value in row.items()})
        for name, peak in few.items():
            self.assertEqual(max(abs(row[name]) for row in rows), peak["value"], name)


if __name__ == "__main__":
    unittest.main()
