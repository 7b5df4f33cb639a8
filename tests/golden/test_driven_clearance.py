"""Clearance in the bearing of a driven joint: the drive acts about or along the axis, the bearing carries the rest."""

import math
import unittest

from program import ROOT, Program
from test_flexible import columns

SIAX = ROOT / "robots/siax.yaml"
ARM = """pkm: 1
name: Arm
gravity: [0, 0, {g}]
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  arm: {{mass: 2 kg, com: {com}, inertia: {inertia}, points: {{O: [0, 0, 0], B: [0, 0, -1], C: {com}}}}}
joints: {{hinge: {{type: revolute, between: [ground.O, arm.O], axis: [0, 1, 0]}}}}
drives: {{q: {{joint: hinge}}}}
tool: arm.B
outputs: [arm.B, arm.C]
"""
LIFT = """pkm: 1
name: Lift
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0]}}
bodies:
  car: {mass: 5 kg, com: [0.2, 0, 0], inertia: [0.1, 0.2, 0.1], points: {O: [0, 0, 0]}}
joints: {rail: {type: prismatic, between: [ground.O, car.O], axis: [0, 0, 1]}}
drives: {q: {joint: rail}}
tool: car.O
"""
K, RADIAL, LENGTH, WEIGHT = 1e10, 1e-4, 0.04, 2.0 * 9.81
PIN = f"hinge: {{radial: 0.1 mm, radius: 10 mm, length: 40 mm, stiffness: {K}}}"


class DrivenClearance(Program):
    def arm(self, g=0.0, com="[0, 0, -0.5]", inertia="[0.1, 0.1, 0.01]"):
        return self.write("arm.yaml", ARM.format(g=g, com=com, inertia=inertia))

    # Between the walls nothing but the torque of the drive acts on the arm: its centre of mass stays, and the torque
    # turns the inertia about it (0.1), not that about the hinge (0.6).
    def test_in_flight_the_torque_turns_the_arm_about_its_centre_of_mass(self):
        done = self.answer("simulate", self.arm(), "--motion", "{duration: 0.2 s, drives: {q: 2 deg}}", "--clearance",
                           f"hinge: {{radial: 20 mm, radius: 10 mm, length: 40 mm, axial: 1 mm, stiffness: {K}, start: centred}}",
                           "--instants", 41, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        for i, t in enumerate(run["t"]):
            s = t / 0.2
            angle = math.radians(2) * s**3 * (10 - 15 * s + 6 * s**2)
            self.assertAlmostEqual(run["B.x"][i], -0.5 * math.sin(angle), delta=1e-9)
            self.assertAlmostEqual(run["B.z"][i], -0.5 - 0.5 * math.cos(angle), delta=1e-9)
            self.assertAlmostEqual(run["q.force"][i], 0.1 * math.radians(2) * (60 * s - 180 * s**2 + 120 * s**3) / 0.04, delta=1e-7)
        self.assertLess(done["energy"]["relative_residual"], 1e-9)

    # With a skew tensor the arm tumbles in its wide bearing. No force acts on it, and what the drive works is its energy.
    def test_a_skew_arm_tumbles_with_its_centre_of_mass_at_rest(self):
        done = self.answer("simulate", self.arm(inertia="[0.1, 0.12, 0.08, 0.02, 0.01, -0.02]"), "--motion",
                           "{duration: 0.2 s, drives: {q: 2 deg}}", "--clearance",
                           f"hinge: {{radial: 40 mm, radius: 10 mm, length: 40 mm, axial: 40 mm, stiffness: {K}, start: centred}}",
                           "--instants", 41, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        self.assertGreater(max(map(abs, run["B.y"])), 1e-3)  # it does tumble
        for axis, place in zip("xyz", (0.0, 0.0, -0.5)):
            for value in run[f"C.{axis}"]:
                self.assertAlmostEqual(value, place, delta=1e-9)
        self.assertLess(done["energy"]["relative_residual"], 1e-9)

    # Held level, the pin lies on the wall: 2 K d^1.5 = m g at its two ends. The bearing carries no moment about its
    # axis: the drive holds m g r.
    def test_a_held_arm_lies_in_its_bearing(self):
        model = self.arm(g=-9.81, com="[0.5, 0, 0]")
        self.answer("simulate", model, "--motion", "none", "--drive", "locked", "--clearance", PIN, "--for", "2 ms", "--instants", 3, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        depth = (WEIGHT / (2 * K)) ** (2 / 3)
        for i in range(3):
            self.assertAlmostEqual(run["B.z"][i], -1 - RADIAL - depth, delta=1e-9)
            self.assertAlmostEqual(abs(run["q.force"][i]), WEIGHT * 0.5, delta=1e-6)
        self.answer("simulate", model, "--motion", "{duration: 1 s, drives: {q: 0 deg}}", "--clearance",
                    "hinge: {radial: 0.1 mm, length: 40 mm, fidelity: seated}", "--instants", 3, "-o", "seated")
        self.assertAlmostEqual(columns(self.folder / "seated/table.csv")["B.dz"][0], -RADIAL, delta=1e-12)

    # Lifted beside its rail: the drive carries the weight, the guide the moment m g e. Two corners at each end press
    # the walls, 2 K d^1.5 L = m g e, and the car leans by 2 (c + d) / L.
    def test_a_car_leans_in_its_driven_guide(self):
        model = self.write("lift.yaml", LIFT)
        self.answer("simulate", model, "--motion", "none", "--drive", "locked", "--clearance",
                    f"rail: {{radial: 0.1 mm, length: 100 mm, width: 60 mm, height: 60 mm, stiffness: {K}}}", "--column", "rail.*",
                    "--for", "2 ms", "--instants", 3, "-o", "out")
        run = columns(self.folder / "out/table.csv")
        depth = (5 * 9.81 * 0.2 / (2 * K * 0.1)) ** (2 / 3)
        lean = 2 * (RADIAL + depth) / 0.1
        self.assertAlmostEqual(abs(run["rail.ry"][0]), lean, delta=2 * 60e-3 / 0.1 * lean**2)  # the width leans too
        for force in run["q.force"]:
            self.assertAlmostEqual(force, 5 * 9.81, delta=1e-6)

    # With its drives held an arm can be off by the radial clearance across its axis.
    def test_the_envelope_counts_the_bearing_of_a_drive(self):
        said = self.answer("envelope", self.arm(), "--clearance", "hinge: {radial: 0.1 mm, length: 40 mm}")
        self.assertAlmostEqual(said["axes"][2]["closed"], RADIAL, delta=1e-9)

    # Patterns that mean passive joints, too, pass over driven ones; a name, or a pattern of driven ones alone, means them.
    def test_who_is_meant(self):
        for pattern, count in (("*", 12), ("A.*", 4), ("A.motor", 1), ("?.motor", 3), ("revolute", 3)):
            said = self.answer("envelope", SIAX, "--clearance", f"'{pattern}': {{radial: 0.1 mm, length: 40 mm}}")
            self.assertEqual(said["clearance_joints"], count, pattern)

    # Cranks in loose bearings: where contact begins is the seated pose, but for what the walls yield.
    def test_a_robot_hangs_in_the_bearings_of_its_motors(self):
        size = "radial: 0.1 mm, length: 200 mm"
        self.answer("simulate", SIAX, "--clearance", f"'?.motor': {{{size}, fidelity: seated}}", "--instants", 3, "-o", "seated")
        self.answer("simulate", SIAX, "--clearance", f"'?.motor': {{{size}, radius: 20 mm, stiffness: {K}}}", "--for", "0.1 ms",
                    "--instants", 3, "-o", "contact")
        seated, contact = (columns(self.folder / name / "table.csv") for name in ("seated", "contact"))
        self.assertGreater(abs(seated["P.dz"][0]), 1e-5)
        self.assertAlmostEqual(contact["P.dz"][0], seated["P.dz"][0], delta=0.1 * abs(seated["P.dz"][0]))


if __name__ == "__main__":
    unittest.main()
