"""pkm modes and pkm stiffness: reference frequencies, files, and what it refuses."""

import csv
import json
import math
import unittest
import xml.etree.ElementTree as xml

from program import ROOT, Program

KUO, SIAX = ROOT / "robots/kuo.yaml", ROOT / "robots/siax.yaml"

# Two independent codes, 1e-6, [rad/s]: one and two elements per link.
PHYSICAL = {
    1: [20.557313, 22.564866, 24.984932, 54.151658, 62.118751, 63.043136, 111.520715, 122.451762, 123.342727],
    2: [20.554913, 22.563543, 24.983370, 53.988346, 61.920631, 62.837764, 111.348942, 121.361606, 121.929106],
}


CROSS = """pkm: 1
name: cross
gravity: [0, 0, 0]
ground: {points: {O: [0, 0, 0], W: [-1, 0, 0], E: [1, 0, 0], N: [0, 0, 1], S: [0, 0, -1]}}
bodies: {bob: {mass: 2, inertia: [1, 1, 1], points: {P: [0, 0, 0]}}}
joints: {rail: {type: prismatic, between: [ground.O, bob.P], axis: x}}
tool: bob.P
"""


def crossed(across, free):
    """Springs along the rail from W and E, `across` from N and S."""
    return "run: 1\nloads:\n" + "".join(f"  {p}: {{{word}: {{stiffness: 50 N/m, length: {free} m}}, between: [ground.{p}, bob.P]}}\n"
                                        for p, word in zip("WENS", ("spring", "spring", across, across)))


class Tables(Program):
    def table(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names = [cell.split(" [")[0] for cell in rows[0]]
        return [dict(zip(names, map(float, row))) for row in rows[1:]]


class Modes(Tables):
    def near(self, found, expected, tolerance):
        self.assertLessEqual(abs(found / expected - 1), tolerance, f"{found} instead of {expected}")

    def test_the_general_joints_meet_kuos_table(self):
        answer = self.answer("modes", KUO, "--at", "0.1,0,0.5", "--convergence", "1..2", "--modes", 9,
                             "--flexible", "*: {torsion: polar}")
        for row in answer["rows"]:
            for found, expected in zip(row["omega"], PHYSICAL[row["elements"]]):
                self.near(found, expected, 1e-6)

    def test_siax_along_its_motion(self):
        answer = self.answer("modes", SIAX, "--along", "paper", "--modes", 15, "--points", 11, "-o", "out")
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text()), answer)
        rows = self.table("out/table.csv")
        for row, expected in ((rows[0], {"f1": 44.73, "f3": 45.08, "f13": 137.44, "f15": 177.42}),
                              (rows[-1], {"f1": 37.03, "f2": 43.98, "f13": 50.89, "f14": 65.98, "f15": 163.07})):
            for name, f in expected.items():
                self.near(row[name], f, 1e-3)
        self.assertEqual([f for f in self.files() if f.startswith("out/")],
                         ["out/frequencies.svg", "out/manifest.json", "out/scene.json", "out/summary.json", "out/table.csv", "out/table.h5"])

    def test_energies_of_every_mode_sum_to_one(self):
        answer = self.answer("modes", SIAX, "--drives-are", "{stiffness: 2e4}", "--modes", 20)
        for mode in answer["modes"]:
            kinds = sum(mode[kind] for kind in ("axial", "bending", "torsion", "drives", "springs"))
            self.assertAlmostEqual(kinds, 1.0, places=9)
            self.assertAlmostEqual(sum(body["kinetic"] for body in mode["bodies"]), 1.0, places=9)
        self.assertEqual(len(answer["idle"]), 6)

    def test_softer_drives_ring_lower(self):
        stiff, soft = (self.answer("modes", SIAX, "--modes", 1, "--drives-are", how)["modes"][0]["frequency"]
                       for how in ("locked", "{stiffness: 1e4 N m/rad}"))
        self.assertLess(soft, 0.9 * stiff)

    def test_a_pose_leaves_a_table_and_a_picture(self):
        done = self.pkm("modes", SIAX, "--modes", 4, "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("left out: the spins of A.left,", done.stdout)
        self.assertEqual(len(self.table("out/table.csv")), 4)
        text = "".join(xml.parse(self.folder / "out/modes.svg").getroot().itertext())
        self.assertIn("4: 45.27 Hz", text)
        answer = self.answer("modes", SIAX, "--modes", 4, "-o", "out")
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text()), answer)
        self.assertEqual(answer["folder"], "out")

    def test_a_map_is_symmetric_as_the_robot_is(self):
        self.answer("modes", KUO, "--flexible", "rod: {elements: 2}", "--modes", 2, "--map",
                    "--grid", "-0.1:0.1:3,-0.1:0.1:3,0.5", "-o", "out")
        at = {(round(r["x"], 3), round(r["y"], 3)): r for r in self.table("out/table.csv")}
        for (x, y), row in at.items():
            self.near(row["f1"], at[x, -y]["f1"], 1e-7)
        self.assertIn("out/frequencies.svg", self.files())

    def test_unreachable_points_of_a_map_are_masked(self):
        answer = self.answer("modes", KUO, "--modes", 1, "--map", "--grid", "0:2:3,0:2:2,0.5", "-o", "out")
        self.assertEqual((answer["points"], answer["reachable"]), (6, 1))
        self.assertIn("none of the 4 points", self.refused(3, "modes", KUO, "--map", "--grid", "5:6:2,5:6:2,0.5"))

    def test_a_response_has_its_static_value_and_its_peak(self):
        options = ("--flexible", "*: {damping: 1 %}", "--response", "0.1..300", "--shake", "x", "-o", "out")
        answer = self.answer("modes", SIAX, *options)
        self.assertTrue(answer["has_damping"])
        # Damped peaks are between the points of a grid: 2000 of them in 2 Hz find what 400 in 300 Hz say.
        self.near(answer["peaks"]["x"][0], 137.43, 0.02)
        fine = self.answer("modes", SIAX, *options[:3], "136.5..138.5", *options[4:], "--points", 2000)
        self.assertAlmostEqual(answer["peaks"]["x"][1] / fine["peaks"]["x"][1], 1.0, delta=0.005)
        self.answer("modes", SIAX, *options)
        rows = self.table("out/table.csv")
        self.near(rows[0]["x.phase"] + 1, 1, 1e-4)
        self.assertGreaterEqual(len(rows), 400)

    def test_weight_softens_what_stands_and_stiffens_what_hangs(self):
        plain, weighted = (self.answer("modes", KUO, "--modes", 1, *more)["modes"][0]
                           for more in ((), ("--weight",)))
        self.assertNotAlmostEqual(plain["frequency"], weighted["frequency"], places=3)
        self.assertAlmostEqual(plain["prestress"], 0.0, places=6)

    def test_tension_holds_across_as_stiffness_holds_along(self):
        """A bob of 2 kg on a rail between two springs along it and two springs or cables across, 50 N/m each,
        1 m long and 0.5 m free: w^2 = 2 (k + T/l)/m = 75, of which 25 are the tension's."""
        model = self.write("cross.yaml", CROSS)
        for word in ("spring", "cable"):
            run = self.write("run.yaml", crossed(word, 0.5))
            [mode] = self.answer("modes", model, "--run", run, "--weight")["modes"]
            self.near(mode["omega"], 75**0.5, 1e-12)
            for verb in ("modes", "stiffness"):
                self.assertIn("loads.spring (W): it bears 25 N at this pose", self.refused(2, verb, model, "--run", run))
        for more in ((), ("--weight",)):  # at rest there is no tension to count
            [mode] = self.answer("modes", model, "--run", self.write("run.yaml", crossed("spring", 1)), *more)["modes"]
            self.near(mode["omega"], 50**0.5, 1e-12)

    def test_a_locked_drive_bears_the_spring_of_its_joint_alone(self):
        """Its preload reaches no rod, with static forces or without; an elastic drive hands it on."""
        spring = self.write("run.yaml", "run: 1\nloads: {s: {spring: {stiffness: 1e4 N m/rad, preload: 50 N m}, joint: A.motor}}\n")
        for more in ((), ("--weight",)):
            bare, loaded = (self.answer("modes", SIAX, *run, *more)["modes"] for run in ((), ("--run", spring)))
            for x, y in zip(bare, loaded):
                self.near(y["omega"], x["omega"], 1e-9)
        said = self.refused(2, "modes", SIAX, "--run", spring, "--drives-are", "{stiffness: 1e5}")
        self.assertIn("loads.spring (s): it bears 50 N m at this pose", said)

    def test_poses_next_to_a_singularity_say_so(self):
        """Rods are parallel at cos q = (r4 - base_radius)/l1; what is magnified grows with 1/(angle to there)."""
        there = math.degrees(math.acos((97 - 250) / 500))
        for verb in ("modes", "stiffness", "matrices"):
            factors = []
            for q in (107.8, 107.81):
                [warning] = self.answer(verb, SIAX, "--drives", ",".join([f"{q} deg"] * 3))["warnings"]
                self.assertEqual((warning["kind"], warning["t"]), ("singularity", None))
                self.assertIn("near a parallel singularity", warning["text"])
                factors.append(float(warning["text"].split()[-1]))
            self.near(factors[1] / factors[0], (there - 107.8) / (there - 107.81), 0.01)
            self.assertEqual(self.answer(verb, SIAX)["warnings"], [])

    def test_a_cable_that_the_weight_slackens_is_refused(self):
        """Between a spring and a cable along the rail, 50 N/m and 0.1 m stretched, 20 N move the bob by m g/2k = 0.2 m towards the cable."""
        for gravity, message in ((0.1, None), (-10, "loads.cable (E): taut at this pose and slack in the static state")):
            model = self.write("cross.yaml", CROSS.replace("[0, 0, 0]", f"[{-gravity}, 0, 0]", 1))
            run = self.write("run.yaml", "run: 1\nloads:\n  W: {spring: {stiffness: 50 N/m, length: 0.9 m}, between: [ground.W, bob.P]}\n"
                             "  E: {cable: {stiffness: 50 N/m, length: 0.9 m}, between: [ground.E, bob.P]}\n")
            if message:
                self.assertIn(message, self.refused(3, "modes", model, "--run", run, "--weight"))
            else:
                [mode] = self.answer("modes", model, "--run", run, "--weight")["modes"]
                self.near(mode["omega"], 50**0.5, 1e-12)

    def test_bad_questions_are_refused_in_one_line(self):
        for options, text in (
                (("--at", "0,0,9"), "out of reach"),
                (("--map", "--along", "paper"), "--along and --map"),
                (("--map", "--at", "0,0,-1"), "--map: expected no --at"),
                (("--modes", "0"), "--modes"),
                *((("--convergence", text), "--convergence") for text in ("3..1", "1..4294967297", "1e9..2", "1.5..2", "1...2", "-1..2", "..2", "1..",
                                                                          "4294967297")),
                (("--flexible", "A.crank: {}"), "A.crank: a flexible link needs a material"),
                (("--flexible", "left: {modes: 400}"), "A.left: 400 modes asked of 48"),
                (("--drives-are", "tight"), "tight"),
                (("--drives-are", "{qD: free}"), "'qD' is no drive, did you mean 'qA'?"),
                (("--drives-are", "{wheel: free}"), "'wheel' matches no drive; there are qA, qB, qC"),
                (("--response", "5"), "--response"),
                (("--response", "1..9", "--shake", "q"), "--shake"),
                (("--response", "1..9", "--shake", "qA"), "drive qA is locked"),
                (("--along", "nowhere"), "nowhere"),
                (("--map", "--what", "11"), "--what: 11"),
        ):
            with self.subTest(options):
                self.assertIn(text, self.refused(3 if "reach" in text else 2, "modes", SIAX, *options))

    def test_a_rigid_robot_with_locked_drives_has_none(self):
        rigid = self.write("rigid.yaml", SIAX.read_text(encoding="utf-8").replace(", material: steel", ""))
        self.assertIn("nothing can move", self.refused(2, "modes", rigid))


class Stiffness(Tables):
    def test_the_force_deflects_and_the_stiffness_agrees(self):
        answer = self.answer("stiffness", SIAX, "--tool-force", "10,0,0")
        self.assertAlmostEqual(answer["deflection"][0], 10 * answer["compliance"][0], places=15)
        for i in range(6):
            row = [sum(answer["stiffness"][6 * k + i] * answer["compliance"][6 * j + k] for k in range(6)) for j in range(6)]
            self.assertAlmostEqual(row[i], 1.0, places=6)
        self.assertAlmostEqual(sum(share["share"] for share in answer["shares"]), 1.0, places=6)

    def test_thicker_rods_are_stiffer(self):
        thin, thick = (self.answer("stiffness", ROOT / "robots/irb340.yaml", "--set", f"d={d} mm")["shifts"][0]["compliance"]
                       for d in (7, 14))
        self.assertAlmostEqual(thin / thick, 4.0, places=6)  # axial springs: EA

    def test_a_pose_leaves_its_files(self):
        done = self.pkm("stiffness", SIAX, "-o", "pose")
        self.assertIn("results in pose", done.stdout)
        saved = json.loads((self.folder / "pose/summary.json").read_text())
        self.assertEqual(saved["folder"], "pose")
        rows = self.table("pose/table.csv")
        self.assertEqual([rows[i][f"compliance.{d}"] for d in ("x", "y", "z", "rx", "ry", "rz") for i in range(6)],
                         saved["compliance"])
        self.assertEqual(self.pkm("report", "pose").returncode, 0)

    def test_a_map_leaves_its_files(self):
        done = self.pkm("stiffness", SIAX, "--map", "--points", 5, "-o", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([f for f in self.files() if f.startswith("out/")],
                         ["out/manifest.json", "out/scene.json", "out/stiffness.svg", "out/summary.json", "out/table.csv", "out/table.h5"])

    # A bar that floats with a body welded to it: six motions of rigid bodies, then vibrations that all have the given ratio, since the
    # body hangs on the bar alone.
    def test_rigid_bodies_have_no_ratio_of_damping(self):
        model = self.write("float.yaml", "pkm: 1\nname: float\ngravity: [0, 0, 0]\n"
                           "materials: {steel: {density: 7801, young: 207e9, poisson: 0.29}}\nground: {points: {O: [0, 0, 0]}}\n"
                           "bodies:\n  hub: {points: {A: [0, 0, 0], B: [0.1, 0, 0]}, mass: 2, inertia: [0.01, 0.02, 0.02]}\n"
                           "  arm:\n    points: {A: [0, 0, 0], B: [1, 0, 0]}\n    pose: {at: [0.1, 0, 0]}\n"
                           "    shape: {rod: {from: A, to: B, diameter: 10 mm}, material: steel}\n"
                           "joints:\n  fly: {type: free, between: [ground.O, hub.A]}\n  weld: {type: fixed, between: [hub.B, arm.A]}\n"
                           "tool: arm.B\n")
        question = ("modes", model, "--flexible", "arm: {damping: 1 %}", "--modes", 10)
        answer = self.answer(*question)
        self.assertEqual([m["frequency"] for m in answer["modes"][:6]], [0.0] * 6)
        self.assertEqual([m["axial"] + m["bending"] + m["torsion"] for m in answer["modes"][:6]], [0.0] * 6)
        self.assertEqual([d["ratio"] for d in answer["damped"][:6]], [None] * 6)
        self.assertEqual(len(answer["damped"]), 10)
        for mode, damped in zip(answer["modes"][6:], answer["damped"][6:]):
            self.assertAlmostEqual(damped["ratio"], 0.01, delta=1e-10)
            self.assertAlmostEqual(damped["frequency"] / mode["frequency"], (1 - 0.01 ** 2) ** 0.5, delta=1e-10)
        text = self.pkm(*question).stdout
        self.assertEqual(text.count("none, rigid bodies: a motion without stiffness"), 6)

    # A Delta shaken along z at home does not turn: its symmetry leaves rounding, which is no curve.
    def test_a_response_draws_what_answers(self):
        damped = ("--flexible", "*: {damping: 1 %}", "--response", "5..60", "--points", 20)
        answer = self.answer("modes", SIAX, *damped, "-o", "out")
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text()), answer)
        self.assertLess(max(answer["peaks"][d][1] for d in ("rx", "ry", "rz")), 1e-9 * answer["peaks"]["z"][1])
        picture = (self.folder / "out/response.svg").read_text()
        self.assertNotIn("turn [rad/N]", picture)
        self.answer("modes", SIAX, *damped, "--at", "0.3,0.1,-0.9", "-o", "off")
        self.assertIn("turn", (self.folder / "off/response.svg").read_text())

    def test_bad_questions_are_refused_in_one_line(self):
        self.assertIn("meet no stiffness", self.refused(3, "stiffness", SIAX, "--drives-are", "free"))
        self.assertIn("--map: expected no --at", self.refused(2, "stiffness", SIAX, "--map", "--at", "0,0,-1"))
        rigid = self.write("rigid.yaml", SIAX.read_text(encoding="utf-8").replace(", material: steel", ""))
        self.assertIn("nothing can move", self.refused(2, "stiffness", rigid))


if __name__ == "__main__":
    unittest.main()
