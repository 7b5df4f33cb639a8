"""Backlash and elastic belts between motor and drive, against closed forms; what cannot be is refused."""

import math
import unittest

from program import ROOT, Program
from test_flexible import columns

ARM = """pkm: 1
name: Arm
gravity: [0, 0, {g}]
ground: {{points: {{O: [0, 0, 0]}}}}
bodies:
  arm: {{mass: 2 kg, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01], points: {{O: [0, 0, 0], B: [0, 0, -1]}}}}
joints: {{hinge: {{type: revolute, between: [ground.O, arm.O], axis: [0, 1, 0]}}}}
drives: {{q: {{joint: hinge}}}}
tool: arm.B
"""
INERTIA = 0.1 + 2.0 * 0.5**2  # about the hinge [kg m2]
PLAY, K = math.radians(1.0), 1e4
BACKLASH = f"backlash: {{play: 1 deg, stiffness: {K} N m/rad"


class Backlash(Program):
    def run_arm(self, *arguments, g=0.0):
        model = self.write("arm.yaml", ARM.format(g=g))
        done = self.answer("simulate", model, *arguments, "-o", "out")
        return columns(self.folder / "out/table.csv"), done

    # An arm thrown into its backlash, the motor locked: it flies from flank to flank at speed v, each of which turns it
    # round in half a period of arm and flank. After 2 (play / v + pi sqrt(I / k)) it is where it was, as fast.
    def test_an_arm_between_the_flanks_has_the_period_of_the_closed_form(self):
        v = 0.5
        period = 2.0 * (PLAY / v + math.pi * math.sqrt(INERTIA / K))
        run, done = self.run_arm("--motion", "none", "--drive", f"{{mode: locked, {BACKLASH}}}}}", "--start",
                                 f"{{hinge: {v} rad/s}}", "--for", f"{3 * period!r} s", "--instants", 7)
        for i, sign in enumerate((1, -1, 1, -1, 1, -1, 1)):
            self.assertAlmostEqual(run["q.v"][i], sign * v, delta=1e-6)
            self.assertAlmostEqual(run["q.q"][i], 0.0, delta=1e-7)
            self.assertAlmostEqual(run["q.lead"][i], -run["q.q"][i], delta=1e-12)
        most = max(p["value"] for p in done["peaks"] if p["name"] == "q.force")
        self.assertAlmostEqual(most, v * math.sqrt(K * INERTIA), delta=1e-3 * most)  # 1/2 I v^2 = F^2 / 2 k

    # What damped flanks take from the arm is missing in its motion: the ledger of the arm closes, its speed falls.
    def test_damped_flanks_take_energy(self):
        run, done = self.run_arm("--motion", "none", "--drive", f"{{mode: locked, {BACKLASH}, damping: 5 N m s/rad}}}}", "--start",
                                 "{hinge: 0.5 rad/s}", "--for", "0.5 s", "--instants", 101)
        energy = run["energy.kinetic"]
        self.assertLess(energy[-1], 0.5 * energy[0])
        self.assertLess(done["energy"]["relative_residual"], 1e-9)
        self.assertAlmostEqual(done["energy"]["drive_work"], energy[-1] - energy[0], delta=1e-9)

    # Moved to and fro and held: the arm hangs back by half the play and what the flank gives, on the side that gravity
    # pulls to. Lost motion between the two sides is the play and twice the give.
    def test_lost_motion_on_both_sides(self):
        for side in (1, -1):
            run, _ = self.run_arm("--motion", f"{{duration: 2 s, drives: {{q: {30 * side} deg}}}}", "--drive",
                                  f"{{{BACKLASH}, damping: 300 N m s/rad}}}}", "--for", "4 s", "--instants", 5, g=-9.81)
            q, torque = run["q.q"][-1], 2.0 * 9.81 * 0.5 * math.sin(run["q.q"][-1])
            self.assertAlmostEqual(run["q.dq"][-1], -side * 0.5 * PLAY - torque / K, delta=1e-6)
            self.assertAlmostEqual(run["q.force"][-1], torque, delta=1e-2)
            self.assertAlmostEqual(q + run["q.lead"][-1], math.radians(30 * side), delta=1e-12)

    # What slides has a ratio of angle and way, which may say so; what turns, and a screw, have one of turns.
    def test_gears_of_slides_may_have_a_unit(self):
        run = (ROOT / "robots/triglide.yaml", "--for", "1 ms", "--instants", 3, "--drive")
        found = {}
        for ratio in ("100", "100 rad/m", "0.1 rad/mm", "50"):
            self.answer("simulate", *run, f"q1: {{pd: {{kp: 1e4}}, motor: {{rotor_inertia: 1e-4, gear_ratio: {ratio}}}}}", "-o", "geared")
            found[ratio] = (self.folder / "geared/table.csv").read_text(encoding="utf-8")
        self.assertEqual(found["100"], found["100 rad/m"])
        self.assertEqual(found["100"], found["0.1 rad/mm"])
        self.assertNotEqual(found["100"], found["50"])
        for ratio, screw in (("100 m", ""), ("3 rad/m", "screw: {lead: 5 mm}, ")):
            done = self.pkm("simulate", *run, f"q1: {{pd: {{kp: 1e4}}, {screw}motor: {{rotor_inertia: 1e-4, gear_ratio: {ratio}}}}}")
            self.assertEqual(done.returncode, 2)
            self.assertIn("expected a number without a unit", done.stderr)
        done = self.pkm("simulate", ROOT / "robots/siax.yaml", "--for", "1 ms", "--drive", "qA: {pd: {kp: 1}, motor: {gear_ratio: 3 rad/m}}")
        self.assertIn("expected a number without a unit", done.stderr)

    # A belt without play on a locked motor: x'' + (c / I) x' + (k / I) x = 0.
    def test_a_belt_on_a_locked_motor_is_a_damped_oscillator(self):
        c, v = 4.0, 0.2
        run, _ = self.run_arm("--motion", "none", "--drive", f"{{mode: locked, belt: {{stiffness: {K}, damping: {c}}}}}", "--start",
                              f"{{hinge: {v} rad/s}}", "--for", "0.2 s", "--instants", 41)
        decay = c / (2 * INERTIA)
        omega = math.sqrt(K / INERTIA - decay**2)
        for t, q in zip(run["t"], run["q.q"]):
            self.assertAlmostEqual(q, v / omega * math.exp(-decay * t) * math.sin(omega * t), delta=1e-8)

    # A free motor behind a belt, the arm pushed off: momentum stays, both swing about their mean.
    def test_motor_and_arm_exchange_momentum_by_the_belt(self):
        ratio, rotor, v = 10.0, 2e-3, 0.3
        reflected = ratio**2 * rotor
        run, _ = self.run_arm("--motion", "none", "--drive",
                              f"{{mode: free, motor: {{gear_ratio: {ratio}, rotor_inertia: {rotor}}}, belt: {{stiffness: {K}}}}}",
                              "--start", f"{{hinge: {v} rad/s}}", "--for", "0.2 s", "--instants", 41)
        mean = v * INERTIA / (INERTIA + reflected)
        omega = math.sqrt(K * (1 / INERTIA + 1 / reflected))
        for t, rate, shaft in zip(run["t"], run["q.v"], run["q.shaft"]):
            self.assertAlmostEqual(rate, mean + (v - mean) * math.cos(omega * t), delta=1e-7)
            self.assertAlmostEqual(INERTIA * rate + reflected * shaft / ratio, INERTIA * v, delta=1e-7)

    # A controller measures at the motor: where all rests its spring carries the torque of the arm.
    def test_a_controller_holds_the_motor_not_the_arm(self):
        kp = 400.0
        drive = f"{{pd: {{kp: {kp}, kd: 60}}, motor: {{gear_ratio: 10, rotor_inertia: 0.01}}, {BACKLASH}, damping: 100 N m s/rad}}}}"
        run, _ = self.run_arm("--motion", "{duration: 1 s, drives: {q: 40 deg}}", "--drive", drive, "--for", "8 s", "--instants", 3, g=-9.81)
        torque = 2.0 * 9.81 * 0.5 * math.sin(run["q.q"][-1])
        self.assertAlmostEqual(kp * (math.radians(40) - run["q.q"][-1] - run["q.lead"][-1]), torque, delta=1e-3 * torque)
        self.assertAlmostEqual(run["q.lead"][-1], 0.5 * PLAY + torque / K, delta=1e-6)

    # A belt is one more stage: ratio and losses as those of a gear.
    def test_a_rigid_belt_is_a_gear(self):
        model = self.write("arm.yaml", ARM.format(g=-9.81))
        motion = ("--motion", "{duration: 1 s, drives: {q: 90 deg}}")
        for drive in ("{motor: {rotor_inertia: 1e-3, gear_ratio: 6, efficiency: 0.9}}",
                      "{motor: {rotor_inertia: 1e-3, gear_ratio: 2}, belt: {ratio: 3, efficiency: 0.9}}"):
            said = self.answer("inverse", model, *motion, "--drive", drive, "-o", "out")["drives"][0]["motor"]
            if drive.find("belt") < 0:
                want = said
            for key, value in want.items():
                self.assertAlmostEqual(said[key], value, delta=1e-9 * abs(value) + 1e-12)

    def test_what_cannot_be_is_refused(self):
        model = self.write("arm.yaml", ARM.format(g=-9.81))
        motion = ("--motion", "{duration: 1 s, drives: {q: 90 deg}}")
        for verb, drive, words in (
                ("simulate", f"{{mode: free, {BACKLASH}}}}}", "rotor_inertia"),
                ("simulate", f"{{pd: {{kp: 1, kd: 1}}, sampling: {{rate: 1 kHz}}, {BACKLASH}}}}}", "sampled controller"),
                ("simulate", f"{{belt: {{stiffness: 5}}, {BACKLASH}}}}}", "has a stiffness already"),
                ("simulate", "{backlash: {play: -1 deg, stiffness: 5}}", "play"),
                ("inverse", f"{{{BACKLASH}}}}}", "pkm simulate")):
            done = self.pkm(verb, model, *motion, "--drive", drive)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
