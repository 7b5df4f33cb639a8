"""pkm motors: rms torques over a cycle are those of the motion and the pause, however many rows are asked for."""

import unittest

from program import ROOT, Program

SIAX = ROOT / "robots/siax.yaml"
SERVO = ROOT / "motors/servo.yaml"


class Motors(Program):
    def ask(self, *more):
        """(rms torques of the drives with the first motor, the smallest that serves)."""
        said = self.answer("motors", SIAX, "--motors", SERVO, *more)
        return [drive["rms_torque"] for drive in said["motors"][0]["drives"]], said["best"]

    def test_rows_that_are_asked_for_change_nothing(self):
        many, best = self.ask("--instants", 4001)
        for n in (2, 3, 5, 101):
            few, smallest = self.ask("--instants", n)
            self.assertEqual(smallest, best)
            for a, b in zip(few, many):
                self.assertAlmostEqual(a / b, 1.0, delta=1e-3)

    def test_a_pause_has_the_torque_that_holds(self):
        # T rms^2 = 0.2 s rms_motion^2 + (T - 0.2 s) hold^2: two cycles give the hold, a third one must meet it
        motion, _ = self.ask()
        two, _ = self.ask("--for", "2 s")
        long, _ = self.ask("--for", "200 s")
        for m, a, b in zip(motion, two, long):
            hold = (2.0 * a * a - 0.2 * m * m) / 1.8
            self.assertAlmostEqual(b / ((0.2 * m * m + 199.8 * hold) / 200.0) ** 0.5, 1.0, delta=2e-3)


if __name__ == "__main__":
    unittest.main()
