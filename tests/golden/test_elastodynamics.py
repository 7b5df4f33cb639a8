"""pkm elastodynamics on Kuo's robot: the reference frequencies, the published tables, the response."""

import csv
import unittest

from program import ROOT, Program

KUO = ROOT / "robots/kuo.yaml"
AT = ("--at", "0.1,0,0.5")

# One element per link, two, converged (two independent codes, 1e-6); the paper's Table 2, first and last row.
PHYSICAL = {
    1: [20.557313, 22.564866, 24.984932, 54.151658, 62.118751, 63.043136, 111.520715, 122.451762, 123.342727],
    2: [20.554913, 22.563543, 24.983370, 53.988346, 61.920631, 62.837764, 111.348942, 121.361606, 121.929106],
}
CONVERGED = [20.554741, 22.563405, 24.983196, 53.976772, 61.903735, 62.819972, 111.307760, 121.288500, 121.843590]
ST_VENANT = [20.547548, 22.523148, 24.930995, 53.319091, 61.775503, 62.756369, 104.508800, 113.193876, 114.577137]
TABLE_2 = {
    1: [17.5268, 22.6970, 24.9179, 45.5980, 56.0472, 59.3049, 73.5428, 74.5347],
    8: [17.5260, 22.6888, 24.9084, 45.5079, 55.9026, 59.0686, 73.2587, 74.2479],
}


class Elastodynamics(Program):
    def rows(self, *options):
        answer = self.answer("elastodynamics", KUO, *options)
        return {row["elements"]: row["omega"] for row in answer["rows"]}

    def near(self, found, expected, tolerance):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertLessEqual(abs(a / b - 1), tolerance, f"{a} instead of {b}")

    def test_the_model_file_gives_the_reference_frequencies(self):
        rows = self.rows(*AT, "--convergence", "1..2", "--modes", 9)
        for n, omega in PHYSICAL.items():
            self.near(rows[n], omega, 1e-6)

    def test_quintic_shapes_and_true_torsion(self):
        quintic = (*AT, "--modes", 9, "--shape", "cubic-quintic", "--convergence", 2)
        self.near(self.rows(*quintic)[2], CONVERGED, 1e-6)
        self.near(self.rows(*quintic, "--torsion", "st-venant")[2], ST_VENANT, 1e-6)

    def test_the_published_assembly_meets_table_2(self):
        rows = self.rows(*AT, "--convergence", "1..8", "--assembly", "kuo-2016")
        for n, omega in TABLE_2.items():
            for found, printed in zip(rows[n], omega):
                self.assertLessEqual(abs(found - printed), 5e-5)

    def test_thicker_links_ring_higher(self):
        thin, thick = (self.rows(*AT, "--convergence", 1, "--set", f"h={h}mm")[1][0] for h in (5, 10))
        self.assertGreater(thick, 2.0 * thin)

    def test_weight_changes_the_frequencies_a_little(self):
        plain = self.rows(*AT, "--convergence", 2)[2][0]
        weighted = self.rows(*AT, "--convergence", 2, "--weight")[2][0]
        self.assertNotAlmostEqual(plain, weighted, places=2)
        self.assertLess(abs(weighted / plain - 1), 0.2)

    def test_the_response_warns_and_leaves_its_files(self):
        done = self.pkm("elastodynamics", KUO, "--motion", "inverted_u", "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("warning: a link turns by 0.283 rad", done.stdout)
        self.assertEqual([f for f in self.files() if f.startswith("out/")],
                         ["out/lower.svg", "out/manifest.json", "out/platform.svg", "out/table.csv", "out/table.h5",
                          "out/torques.svg", "out/upper.svg"])
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            table = [row for row in csv.reader(file) if not row[0].startswith("#")]
        self.assertEqual(len(table), 802)

    def test_the_periodic_circle_is_within_the_linear_range(self):
        answer = self.answer("elastodynamics", KUO, "--motion", "paper", "--start", "periodic", "--step", "2 ms",
                             "-o", "out")
        self.assertTrue(answer["small"])
        self.assertIsNone(answer["warning"])
        self.assertAlmostEqual(answer["most"][1], -answer["least"][1], places=9)

    def test_any_robot_bends_on_its_motion(self):
        siax = ROOT / "robots/siax.yaml"
        bend = ("--flexible", "left: {elements: 4}", "--flexible", "right: {elements: 4}")
        said = self.answer("elastodynamics", siax, *bend, "--stiffening", "--verify", "-o", "out")
        peak = {p["name"]: p for p in said["peaks"]}
        self.assertAlmostEqual(peak["P.dp"]["value"], 3.28e-4, delta=0.02 * 3.28e-4)  # as pkm simulate has it
        self.assertLess(peak["P.dp"]["error_bar"], 0.01 * 3.28e-4)
        self.assertEqual(said["verified_with"], ["half the step"])
        self.assertEqual(len(said["flexible_links"]), 6)
        self.assertEqual([f for f in self.files() if f.startswith("out/")],
                         ["out/deflection.svg", "out/deviations.svg", "out/drives.svg", "out/forces.svg", "out/manifest.json",
                          "out/summary.json", "out/table.csv", "out/table.h5", "out/tool.svg"])
        free = self.answer("elastodynamics", siax, *bend, "--without-coupling", "--for", "20 ms", "--instants", 21, "-o", "out")
        tied = self.answer("elastodynamics", siax, *bend, "--for", "20 ms", "--instants", 21, "-o", "out")
        ratio = free["peaks"][6]["value"] / tied["peaks"][6]["value"]
        self.assertTrue(1e-7 < abs(ratio - 1) < 0.01, ratio)

    def test_kuo_bends_in_both_ways(self):
        bend = ("--flexible", "*: {elements: 1, modes: full, torsion: polar}")
        ours = self.answer("elastodynamics", KUO, "--motion", "paper", *bend, "--start", "periodic", "--step", "2.5 ms",
                           "--instants", 401, "-o", "out")
        self.assertEqual((ours["coordinates"], round(ours["lowest_frequency"] * 6.283185307, 4)), (36, 20.5573))
        theirs = self.answer("elastodynamics", KUO, "--motion", "paper", "--start", "periodic", "--step", "2.5 ms", "-o", "kuo")
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
        column = [name.split(" ")[0] for name in rows[0]].index("P.dz")
        self.assertAlmostEqual(max(float(row[column]) for row in rows[1:]), theirs["most"][2], delta=1e-6)

    def test_elastic_drives_yield(self):
        bend = ("--flexible", "left: {elements: 2}", "--for", "2 ms", "--instants", 3, "-o", "out")
        stiff = self.answer("elastodynamics", ROOT / "robots/siax.yaml", *bend)
        soft = self.answer("elastodynamics", ROOT / "robots/siax.yaml", *bend, "--drives-are", "{stiffness: 1e4, damping: 10}")
        self.assertEqual(soft["coordinates"], stiff["coordinates"] + 3)
        self.assertLess(soft["lowest_frequency"], stiff["lowest_frequency"])

    def test_what_cannot_be_linear_is_refused(self):
        siax = ROOT / "robots/siax.yaml"
        self.assertIn("no link can bend", self.refused(2, "elastodynamics", ROOT / "robots/3ppsr.yaml"))
        for options, text in [(("--motion", "nowhere"), "nowhere"),
                              (("--start", "moving"), "expected static, undeformed or periodic"),
                              (("--start", "periodic"), "does not end where it starts"),
                              (("--repeat", 2), "does not end where it starts"),
                              (("--step", "0"), "--step: 0 s, expected > 0"),
                              (("--drives-are", "free"), "pkm elastodynamics does not take drives that do not hold"),
                              (("--convergence", "1..4"), "pkm modes has it"),
                              (("--elements", 2), "expected --flexible 'BODIES: {elements: N}'")]:
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
        self.assertIn("a flexible link needs a material", self.refused(2, "elastodynamics", bare))
        soft = self.write("kuo.yaml", text.replace(", poisson: 0.3125", ""))
        self.assertIn("needs density, young and poisson", self.refused(2, "elastodynamics", soft))

    def test_wrong_options_are_refused(self):
        for options, text in [(("--convergence", "0..3"), "--convergence: '0..3', expected A..B"),
                              (("--convergence", "4..2"), "--convergence: '4..2'"),
                              (("--assembly", "kuo"), "expected physical or kuo-2016"),
                              (("--modes", 25), "--modes: 25, expected at most 24"),
                              (("--at", "0,0"), "--at: 2 numbers, expected 3"),
                              (("--weight", "--assembly", "kuo-2016"), "--weight: needs the physical assembly"),
                              (("--motion", "paper", "--step", "0"), "--step: 0 s, expected > 0"),
                              (("--motion", "paper", "--assembly", "kuo-2016"), "need the physical assembly")]:
            with self.subTest(options):
                self.assertIn(text, self.refused(2, "elastodynamics", KUO, *options))
        self.assertIn("does not reach", self.refused(3, "elastodynamics", KUO, "--at", "0,0,2"))


if __name__ == "__main__":
    unittest.main()
