"""A short motion in a long cycle: peaks of pkm inverse and rms torques of pkm motors are those of the motion and the pause,
however many rows are asked for."""

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


class Inverse(Program):
    def test_peaks_of_a_short_motion_in_a_long_run(self):
        for method in ("engine", "closed"):
            short = self.answer("inverse", SIAX, "--method", method, "-o", "short")["drives"]
            long = self.answer("inverse", SIAX, "--method", method, "--for", "200 s", "-o", "long")["drives"]  # rows 0.5 s apart
            for a, b in zip(short, long):
                self.assertAlmostEqual(a["absmax_force"] / b["absmax_force"], 1.0, delta=1e-5)
                self.assertAlmostEqual(a["absmax_time"], b["absmax_time"], delta=1e-4)
                self.assertIsNone(b["rms_force"])  # of rows that see nothing of the motion

    def test_rms_forces_are_told_where_rows_see_the_peaks(self):
        # rms^2 T of the motion alone, by its rows, is that of a run with 0.1 s of hold less hold^2 0.1 s
        short = self.answer("inverse", SIAX, "--instants", 2001, "-o", "short")["drives"]
        run = self.answer("inverse", SIAX, "--instants", 3001, "--for", "0.3 s", "-o", "run")["drives"]
        last = (self.folder / "run/table.csv").read_text().splitlines()
        for a, b in zip(short, run):
            column = next(i for i, head in enumerate(last[0].split(",")) if head.startswith(a["name"] + ".force"))
            hold = float(last[-1].split(",")[column])
            self.assertAlmostEqual(0.3 * b["rms_force"] ** 2 / (0.2 * a["rms_force"] ** 2 + 0.1 * hold**2), 1.0, delta=1e-3)


if __name__ == "__main__":
    unittest.main()
