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

    def test_other_robots_are_refused_with_the_reason(self):
        self.assertIn("rods_per_limb is not 1", self.refused(2, "elastodynamics", ROOT / "robots/siax.yaml"))
        self.assertIn("no closed form of the family delta", self.refused(2, "elastodynamics", ROOT / "robots/five-bar.yaml"))

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
