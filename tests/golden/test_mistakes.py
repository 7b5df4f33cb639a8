"""Mistakes of a mechanical engineer: each gets an answer, on the page of `pkm check` or in one sentence."""

import json
import math
import re
import unittest

from program import ROBOTS, ROOT, Program
from tilted import TILTED as MODEL

LEFT_SHAPE = "        shape: {tube: {from: A, to: B, diameter: 10 mm, wall: 1 mm}, material: alu}\n        pose: {A: [=R, =gap/2, 0]"


def nearest_slide(d):
    """Distance of the point at home from the rail's line of one limb: the rod that just reaches."""
    tilt = math.radians(35)
    along = (math.cos(tilt), 0.0, -math.sin(tilt))
    t = sum(a * b for a, b in zip(d, along))
    return math.dist(d, [t * a for a in along])


class Mistakes(Program):
    def model(self, *changes, name="model.yaml"):
        text = MODEL
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write(name, text)

    def warnings(self, *changes, kind=None, options=()):
        answer = self.answer("check", self.model(*changes), *options)
        return [w["text"] for w in answer["warnings"] if kind in (None, w["kind"])]

    # ---- the page ------------------------------------------------------------------------------

    def test_the_model_itself_raises_no_warning(self):
        self.assertEqual(self.warnings(), [])

    def test_no_shipped_robot_raises_a_warning_but_the_one_whose_z_points_down(self):
        for robot in ROBOTS:
            with self.subTest(robot.stem):
                kinds = [w["kind"] for w in self.answer("check", robot)["warnings"]]
                self.assertEqual(kinds, ["gravity"] if robot.stem == "kuo" else [])

    def test_text_and_json_show_the_same_sizes_and_masses(self):
        path = self.model()
        said, answer = self.pkm("check", path).stdout, self.answer("check", path)
        self.assertIn("gravity        (0, 0, -9.81) m/s2", said)
        self.assertEqual(answer["gravity"], [0, 0, -9.81])
        self.assertRegex(said, r"A\.left +0\.0458\d+ kg +0\.6 m between joints")
        size = [float(x) for x in re.search(r"size at home +(\S+) x (\S+) x (\S+) m", said).groups()]
        for a, b in zip(size, answer["size"]):
            self.assertAlmostEqual(a, b, delta=1e-3)
        left = next(b for b in answer["bodies"] if b["name"] == "A.left")
        self.assertAlmostEqual(left["joint_distance"], 0.6, delta=1e-12)

    def test_the_table_of_bodies_is_that_of_a_tube_by_hand(self):
        R, r, L = 5e-3, 4e-3, 0.6
        m = 2700 * math.pi * (R**2 - r**2) * L
        across, about = m * (3 * (R**2 + r**2) + L**2) / 12, m * (R**2 + r**2) / 2
        left = next(b for b in self.answer("check", self.model())["bodies"] if b["name"] == "A.left")
        self.assertAlmostEqual(left["mass"], m, delta=1e-12)
        for have, want in zip(left["com"], (L / 2, 0, 0)):
            self.assertAlmostEqual(have, want, delta=1e-12)
        for have, want in zip(left["inertia"], (about, across, across, 0, 0, 0)):
            self.assertAlmostEqual(have, want, delta=1e-14)
        said = self.pkm("check", self.model(), "--bodies").stdout
        self.assertIn(f"mass {m:.6g} kg, centre (0.3, 0, 0) m", said)
        self.assertIn(f"Jxx {about:.6g}  Jyy {across:.6g}  Jzz {across:.6g}", said)
        self.assertIn("A.l1 - A.l2: 0.6 m", said)

    def test_holding_forces_do_the_work_of_the_weight(self):
        """Sum of F dq = m g dz of the centre of mass, between homes 0.2 mm apart (error of second order: 1e-6)."""
        low, here, high = (self.answer("check", self.model(("home: {tool: [0, 0, -0.45]}", f"home: {{tool: [0, 0, {z}]}}")))
                           for z in (-0.4501, -0.45, -0.4499))
        work = sum(d["holding_force"] * (b["home"] - a["home"])
                   for a, d, b in zip(low["drives"], here["drives"], high["drives"]))
        lifted = here["mass"] * 9.81 * (high["com"][2] - low["com"][2])
        self.assertAlmostEqual(work / lifted, 1, delta=1e-5)

    # ---- units ---------------------------------------------------------------------------------

    def test_millimetres_forgotten(self):
        (text, far) = self.warnings(("rod: 600 mm", "rod: 600"))
        self.assertRegex(text, r"body A\.left \(line \d+\) is 600 m large, \d+ times the rest .*5 more bodies")
        self.assertRegex(far, r"the robot is 1\d\d\d m large")
        self.assertEqual(self.warnings(("gap: 90 mm", "gap: 9 mm")), [])  # 67 times smaller: a design

    def test_degrees_forgotten(self):
        for changes, options in (((("tilt: 35 deg", "tilt: 35"),), ()), ((), ("--set", "tilt=35")),
                                 ((("A: 0 deg, B: 120 deg", "A: 0 deg, B: 120"), ("home: {tool: [0, 0, -0.45]}\n", "")), ())):
            with self.subTest(changes or options):
                done = self.pkm("check", self.model(*changes), *options, "--json")
                self.assertRegex(done.stdout + done.stderr, r"an angle of \d+ rad \(.* turns\) without a unit")
        self.assertIn("did you mean 35 deg?", self.warnings(("tilt: 35 deg", "tilt: 35"))[0])
        hidden = ("  gap: 90 mm\n", "  gap: 90 mm\n  half: 45\n  unused: =sin(half)\n")
        self.assertRegex(self.warnings(hidden)[0], r"parameters\.unused: =sin\(half\): an angle of 45 rad")
        self.assertEqual(self.warnings(("tilt: 35 deg", "tilt: 0.61")), [])

    def test_inches_and_feet_are_lengths(self):
        for text in ("24 in", "2 ft", "24 inch"):
            drives = self.answer("check", self.model(("rod: 600 mm", f"rod: {text}")))["drives"]
            same = self.answer("check", self.model(("rod: 600 mm", "rod: 609.6 mm")))["drives"]
            self.assertAlmostEqual(drives[0]["home"], same[0]["home"], delta=1e-15)

    def test_a_decimal_comma_is_answered_with_the_point(self):
        for old, new, want in (("mass: 0.8 kg", "mass: 0,8 kg", "0.8"), ("R: 0.35 m", "R: 0,35 m", "0.35"),
                               ("R: 0.35 m", "R: =2*0,175 m", "0.175")):
            self.assertIn(f"a decimal comma, expected a point: {want}",
                          self.refused(2, "check", self.model((old, new)), place=True))
        text = self.refused(2, "check", self.model(("pose: {at: [0, 0, -0.45]}", "pose: {at: [0, 0, -0,45]}")), place=True)
        self.assertIn("decimal comma", text)
        text = self.refused(2, "check", self.model(("pose: {at: [0, 0, -0.45]}", "pose: {at: [0, 0, -0.45, 1.5]}")), place=True)
        self.assertNotIn("comma", text)

    def test_other_names_of_joints_are_answered_with_ours(self):
        for said, ours, where in (("ball", "spherical", "spherical"), ("hinge", "revolute", "spherical"),
                                  ("pin", "revolute", "spherical"), ("slider", "prismatic", "prismatic"),
                                  ("cardan", "universal", "spherical"), ("Hooke", "universal", "spherical")):
            text = self.refused(2, "check", self.model((f"type: {where}", f"type: {said}")), place=True)
            self.assertIn(f"'{said}' joint is called '{ours}' here", text)

    def test_a_guess_by_a_formula_without_a_value_says_so(self):
        text = self.refused(2, "check", self.model(("  gap: 90 mm\n", "  gap: 90 mm\n  depth: =sqrt(rod^2 - R^2 - (1 m)^2)\n")), place=True)
        self.assertRegex(text, r"parameters\.depth: .*sqrt\(-0\.76\d+\) is not a finite number: with these dimensions no such triangle")

    # ---- masses and gravity --------------------------------------------------------------------

    def test_a_mass_without_extent_is_a_point_in_the_joint(self):
        texts = self.warnings((LEFT_SHAPE, "        mass: 0.1 kg\n        pose: {A: [=R, =gap/2, 0]"))
        self.assertEqual(len(texts), 3)
        self.assertRegex(texts[0], r"body A\.left \(line \d+\): 0\.1 kg without extent, a point mass in joint A\.l1")

    def test_a_rod_with_its_centre_of_mass_in_a_joint(self):
        rod = "        mass: 0.1 kg\n        inertia: [1e-6, 3e-3, 3e-3]\n        pose: {A: [=R, =gap/2, 0]"
        self.assertRegex(self.warnings((LEFT_SHAPE, rod))[0], r"body A\.left .* centre of mass lies in joint A\.l1")
        self.assertEqual(self.warnings((LEFT_SHAPE, rod.replace("inertia", "com: [300 mm, 0, 0]\n        inertia"))), [])

    def test_a_point_mass_that_does_not_turn_is_a_model(self):
        """Slides only shift, so that their inertia does not matter."""
        self.assertEqual(self.warnings(("        shape: {box: {size: [80 mm, 100 mm, 40 mm]}}\n", "")), [])

    def test_gravity_upwards(self):
        self.assertRegex(self.warnings(("-9.81]", "9.81]"))[0], r"gravity points along \+z \(9\.81 m/s2\)")
        self.assertRegex(self.warnings(("-9.81]", "-9810]"))[0], r"gravity is 9810 m/s2")

    # ---- mobility ------------------------------------------------------------------------------

    def test_a_tool_that_cannot_move_is_said_plainly(self):
        path = self.model(("l1: {type: spherical", "l1: {type: revolute"), ("home: {tool: [0, 0, -0.45]}\n", ""))
        said, answer = self.pkm("check", path), self.answer("check", path)
        self.assertEqual(said.returncode, 0)
        self.assertIn("freedoms of the tool     0: the tool cannot move", said.stdout)
        self.assertNotIn("tool moves in", said.stdout)
        self.assertIn("warning: the tool cannot move at all", said.stdout)
        self.assertEqual((answer["tool_freedoms"], answer["moves"]), (0, ""))
        self.assertEqual([d["holding_force"] for d in answer["drives"]], [None] * 3)
        self.assertEqual(self.answer("check", self.model(name="good.yaml"))["tool_freedoms"], 3)

    def test_moves_that_the_tool_does_not_have(self):
        path = self.model(("l1: {type: spherical", "l1: {type: revolute, axis: y"),
                          ("r1: {type: spherical", "r1: {type: revolute, axis: y"), ("home: {tool: [0, 0, -0.45]}\n", ""))
        answer = self.answer("check", path)
        self.assertEqual(answer["tool_freedoms"], 1)
        self.assertIn("tool.moves names 3 components, but the tool moves in 1 of them only",
                      [w["text"] for w in answer["warnings"]])

    # ---- loops that do not close ---------------------------------------------------------------

    def test_rods_too_short_for_home_are_named_with_the_length_that_would_do(self):
        need = nearest_slide((0.06 - 0.35, 0.0, -0.45))
        text = self.refused(2, "check", self.model(), "--set", "rod=400mm", place=True)
        self.assertIn("home: out of reach by", text)
        self.assertIn("limb A: joint A.l2", text)
        gap = float(re.search(r"a gap of (\S+) m is left", text).group(1))
        self.assertAlmostEqual(gap, need - 0.4, delta=1e-5)
        self.assertIn(f"rod A.left is {(need - 0.4) * 1e3:.4g} mm too short (0.4 m, {need:.6g} m would close it)", text)
        self.assertIn("(in 5 more likewise)", text)
        self.answer("check", self.model(), "--set", f"rod={need + 1e-3}")

    def test_one_rod_that_is_too_short_is_the_one_named(self):
        """The platform may tilt, so the length that would do has no short formula: it is tried instead."""
        left = MODEL.index("      left:")
        text = MODEL[:left] + MODEL[left:].replace("B: [=rod, 0, 0]", "B: [=short, 0, 0]", 1)
        text = text.replace("  gap: 90 mm\n", "  gap: 90 mm\n  short: 600 mm\n")
        text = text.replace("C: 240 deg", "C: {rotate: {z: 240 deg}, set: {short: 0.5 m}}")
        said = self.refused(2, "check", self.write("model.yaml", text), place=True)
        self.assertIn("limb C: joint C.l2: a gap of", said)
        self.assertNotIn("likewise", said)
        self.assertRegex(said, r"rod C\.left is \S+ mm too short \(0\.5 m")
        length = float(re.search(r"(\S+) m would close it", said).group(1))
        self.answer("check", self.write("model.yaml", text.replace("short: 0.5 m", f"short: {length + 1e-4}")))
        self.refused(2, "check", self.write("model.yaml", text.replace("short: 0.5 m", f"short: {length - 1e-4}")))

    def test_a_rod_that_is_too_long(self):
        """A four-bar whose coupler of 1 m cannot fit into 0.4 + 0.1 + 0.3 m."""
        path = self.write("bar.yaml", """pkm: 1
name: four-bar
ground: {points: {A: [0, 0, 0], D: [0.4, 0, 0]}}
bodies:
  crank: {mass: 1 kg, points: {A: [0, 0, 0], B: [0.1, 0, 0]}, uniform: {from: A, to: B}, pose: {at: [0, 0, 0], rotate: {z: 60 deg}}}
  coupler: {mass: 1 kg, points: {B: [0, 0, 0], C: [1, 0, 0]}, uniform: {from: B, to: C}, pose: {at: [0.05, 0.09, 0]}}
  rocker: {mass: 1 kg, points: {D: [0, 0, 0], C: [0.3, 0, 0]}, uniform: {from: D, to: C}, pose: {at: [0.4, 0, 0], rotate: {z: 100 deg}}}
joints:
  A: {type: revolute, between: [ground.A, crank.A]}
  B: {type: revolute, between: [crank.B, coupler.B]}
  C: {type: revolute, between: [coupler.C, rocker.C]}
  D: {type: revolute, between: [ground.D, rocker.D]}
drives: {q: {joint: A}}
""")
        text = self.refused(2, "check", path, place=True)
        self.assertRegex(text, r"joint C: the loop does not close, a gap of 0\.2 m is left; rod coupler is 200 mm too long \(1 m, 0\.8 m would")

    def test_a_revolute_where_a_ball_should_be(self):
        for names in (("l1",), ("l2",), ("l1", "r1")):
            with self.subTest(names):
                path = self.model(*((f"{n}: {{type: spherical", f"{n}: {{type: revolute") for n in names))
                text = self.refused(2, "check", path, place=True)
                self.assertRegex(text, r"limb A: joint A\.\w2: a gap of \S+ m")
                self.assertIn(f"it closes with a spherical joint at A.{names[0]} instead of a revolute one (and at {3 * len(names) - 1} more)", text)


class Energy(Program):
    """Tolerances that let the energy go where nobody put it."""

    def run_with(self, tolerance):
        return self.pkm("simulate", ROOT / "robots/siax.yaml", "--for", "5 ms", "--integrator", "ida", "--tolerance", tolerance,
                        "--drive", "pd: {kp: 1e5, kd: 1e3}", "-o", "out")

    def test_a_run_that_loses_its_energy_is_no_answer(self):
        done = self.run_with("1e-3")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^pkm: motion paper: t = 0\.005 s: more than a twentieth of the energy .*; the 401 rows before that are in out\n$")
        text = json.loads((self.folder / "out/summary.json").read_text())["warnings"][0]["text"]
        match = re.search(r"(\S+) J of the (\S+) J exchanged are unaccounted for \((\S+) %, expected at most 5 %\)", text)
        self.assertIsNotNone(match, text)
        lost, exchanged, share = map(float, match.groups())
        self.assertGreater(share, 5)
        self.assertAlmostEqual(share, 100 * lost / exchanged, delta=1)
        rows = (self.folder / "out/table.csv").read_text().splitlines()
        self.assertEqual(len(rows), 402, "the rows are kept")

    def test_a_doubtful_one_is_warned_of_and_a_good_one_is_not(self):
        doubtful, good = self.run_with("1e-4"), self.run_with("1e-6")
        self.assertEqual((doubtful.returncode, good.returncode), (0, 0))
        self.assertRegex(doubtful.stdout, r"warning: \S+ J of the \S+ J exchanged are unaccounted for")
        self.assertNotIn("unaccounted", good.stdout)


if __name__ == "__main__":
    unittest.main()
