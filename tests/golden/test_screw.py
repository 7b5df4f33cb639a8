"""A screw jack from the outside: small vibrations, free motion and energy by closed form; what it is refused for."""

import math
import unittest

from program import Program

JACK = """pkm: 1
name: jack
gravity: [0, 0, -9.81]
ground: {points: {O: [0, 0, 0], R: [0.1, 0, 0]}}
bodies:
  spindle: {mass: 1 kg, inertia: [1e-4, 1e-4, 2e-4], points: {O: [0, 0, 0]}}
  nut: {mass: 3 kg, inertia: [1e-4, 1e-4, 1e-4], points: {N: [0, 0, 0], R: [0.1, 0, 0]}, pose: {at: [0, 0, 0.02]}}
joints:
  bearing: {type: revolute, between: [ground.O, spindle.O], axis: z}
  thread: {type: screw, between: [spindle.O, nut.N], axis: z, lead: 5 mm}
  rail: {type: prismatic, between: [ground.R, nut.R], axis: z}
drives: {q: {joint: bearing}}
tool: {point: nut.N, moves: [z]}
motions:
  up: {law: quintic, duration: 1 s, drives: {q: [0 deg, -3600 deg]}}
"""
H = 5e-3 / (2 * math.pi)  # m/rad
ALONG = ("{joint: bearing}", "{joint: thread, coordinate: displacement}"), ("[0 deg, -3600 deg]", "[20 mm, 70 mm]")


class Screw(Program):
    def jack(self, *changes):
        text = JACK
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.write("jack.yaml", text)

    def test_the_drive_lifts_the_nut_by_ten_leads(self):
        energy = self.answer("inverse", self.jack(), "-o", "out")["energy"]
        self.assertAlmostEqual(energy["drive_work"], 3 * 9.81 * 0.05, delta=1e-9)
        self.assertAlmostEqual(self.answer("check", self.jack())["drives"][0]["holding_force"], -3 * 9.81 * H, delta=1e-15)

    def test_an_elastic_drive_swings_with_the_reduced_inertia(self):
        for changes, stiffness, inertia in (((), "100 N m/rad", 2e-4 + 3 * H**2), (ALONG, "1e6 N/m", 3 + 2e-4 / H**2)):
            said = self.answer("modes", self.jack(*changes), "--drives-are", f"{{stiffness: {stiffness}}}", "-o", "out")
            want = math.sqrt(float(stiffness.split()[0]) / inertia) / (2 * math.pi)
            self.assertAlmostEqual(said["modes"][0]["frequency"] / want, 1, delta=1e-10)

    def test_a_free_nut_sinks_with_the_reduced_acceleration(self):
        said = self.answer("simulate", self.jack(*ALONG), "--motion", "none", "--drive", "free", "--for", "0.1 s", "-o", "out")
        sunk = 0.5 * 9.81 * 3 / (3 + 2e-4 / H**2) * 0.1**2
        self.assertAlmostEqual(said["energy"]["potential_change"] / (-3 * 9.81 * sunk), 1, delta=1e-8)

    def test_what_a_screw_needs_and_cannot_have(self):
        for change, words in ((("lead: 5 mm", "limits: [0, 9]"), "a screw needs its 'lead'"), (("lead: 5 mm", "lead: 0"), "a lead of 0"),
                              (("axis: z, lead: 5 mm", "axis: z, lead: 5 kg"), "expected a length"),
                              (("type: prismatic", "type: prismatic, lead: 1 mm"), "a prismatic joint has no lead, expected a screw joint"),
                              (("type: screw", "type: helical"), "a 'helical' joint is called 'screw' here")):
            self.assertIn(words, self.refused(2, "check", self.jack(change), place=True))
        friction = self.refused(2, "simulate", self.jack(), "--friction", "thread: {static: 0.1, dynamic: 0.1, radius: 5mm}")
        self.assertIn("thread is screw, which has no friction", friction)
        loop = ("  rail: {type: prismatic, between: [ground.R, nut.R], axis: z}", "  rail: {type: screw, between: [ground.O, nut.N], lead: 3 mm}")
        self.assertIn("closes a loop of driven joints and screws", self.refused(2, "check", self.jack(loop), place=True))


if __name__ == "__main__":
    unittest.main()
