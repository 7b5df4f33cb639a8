"""Loads that come and go between the steps of an integrator or the rows of a table are seen: their momentum, work and rms
are those of their integrals, whatever the method and the number of rows."""

import json
import math
import unittest

from program import ROOT, Program

MODEL = """
pkm: 1
name: block
gravity: [0, 0, 0]
ground: {points: {O: [0, 0, 0]}}
bodies:
  b: {mass: 1 kg, com: [0, 0, 0], inertia: [0.01, 0.01, 0.01], points: {O: [0, 0, 0]}}
joints:
  rail: {type: prismatic, between: [ground.O, b.O], axis: x}
drives: {q: {joint: rail}}
tool: {point: b.O, moves: [x]}
motions: {slide: {law: constant, duration: 0.1 s, drives: {q: [0, 0.5 m]}}}
"""

# Forces over 1 kN and their integrals over the run of 1 s
PULSES = {
    # up and down in 0.1 ms each, 0.1 ms between
    "step(t, 0.5 s, 0, 0.5001 s, 1)*step(t, 0.5002 s, 1, 0.5003 s, 0)": 2e-4,
    "step(t, 0.3 s, 0, 0.31 s, 1)*step(t, 0.4 s, 1, 0.41 s, 0)": 0.1,
    "exp(-((t - 0.5 s)/2 ms)^2)": math.sqrt(math.pi) * 2e-3,
    # above 0.99 of the sine: 2 (sqrt(1 - 0.99^2) - 0.99 acos 0.99) of each of its 40 waves
    "max(0, sin(2*pi*t*40 Hz) - 0.99)": 2 * (math.sqrt(1 - 0.99**2) - 0.99 * math.acos(0.99)) / (2 * math.pi),
    "abs(sin(2*pi*t*40 Hz))": 2 / math.pi,
    "floor(10*t/1 s)": 4.5,
    "min(t/1 s, 0.7)": 0.455,
}


class Pulses(Program):
    def test_no_integrator_steps_over_them(self):
        """Free of all else the block has their momentum; bdf and ida, at 1e-6, begin each of 40 waves anew at order 1."""
        model = self.write("m.yaml", MODEL)
        for force, integral in PULSES.items():
            for method, within in (("explicit", 1e-8), ("sdirk", 1e-7), ("bdf", 2e-3), ("ida", 1e-2)):
                done = self.pkm("simulate", model, "--motion", "none", "--drive", "free", "--for", 1, "--integrator", method, "--instants", 3,
                                "--load", f'p: {{force: ["=1 kN*{force}", 0, 0], at: b.O}}', "--json", "-o", "out")
                self.assertEqual(done.returncode, 0, (force, method, done.stderr))
                with open(self.folder / "out/table.csv", encoding="utf-8") as file:
                    head, *rows = [line.split(",") for line in file]
                speed = float(rows[-1][head.index("q.v [m/s]")])
                self.assertAlmostEqual(speed, 1e3 * integral, delta=within * 1e3 * integral, msg=(force, method))

    def test_forces_of_drives(self):
        done = self.pkm("simulate", self.write("m.yaml", MODEL), "--motion", "none", "--for", 1, "--instants", 3, "--integrator", "bdf",
                        "--drive", "q: {force: \"=1 kN*step(t, 0.3 s, 0, 0.31 s, 1)*step(t, 0.4 s, 1, 0.41 s, 0)\"}", "--json", "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            head, *rows = [line.split(",") for line in file]
        self.assertAlmostEqual(float(rows[-1][head.index("q.v [m/s]")]), 100.0, delta=0.1)

    def test_rms_and_work_hang_on_no_rows(self):
        """100 N that rises in 1 ms: 13/35 of that in the mean square of d^2 (3 - 2 d)."""
        rms = math.sqrt((1e-3 * 13 / 35 + 0.049) / 0.1) * 100
        for instants in (2, 3, 11, 401, 1000):
            done = self.pkm("inverse", self.write("m.yaml", MODEL), "--motion", "slide", "--instants", instants, "--json", "-o", "out",
                            "--load", 'p: {force: ["=100 N*step(t, 50 ms, 0, 51 ms, 1)", 0, 0], at: b.O}')
            self.assertEqual(done.returncode, 0, done.stderr)
            said = json.loads(done.stdout)
            self.assertAlmostEqual(said["drives"][0]["rms_force"], rms, delta=1e-8 * rms, msg=instants)
            # 5 m/s, 0.5 ms of the rise and 49 ms
            self.assertAlmostEqual(said["energy"]["load_work"], 100 * 5 * 49.5e-3, delta=1e-6)  # without 1e-9 of the run beside each break

    def test_peaks_of_short_bumps(self):
        done = self.pkm("inverse", self.write("m.yaml", MODEL), "--motion", "slide", "--instants", 11, "--json", "-o", "out",
                        "--load", 'p: {force: ["=100 N*exp(-((t - 33.3 ms)/0.2 ms)^2)", 0, 0], at: b.O}')
        self.assertEqual(done.returncode, 0, done.stderr)
        drive = json.loads(done.stdout)["drives"][0]
        self.assertAlmostEqual(drive["absmax_force"], 100.0, delta=1e-6)
        self.assertAlmostEqual(drive["absmax_time"], 33.3e-3, delta=1e-7)

    def test_steps_of_fixed_length_tell_what_they_miss(self):
        """A pulse within one step of elastodynamics; a load that rises fast and stays is seen."""
        robot = ROOT / "robots/siax.yaml"
        pulse = "step(t, 0.1 s, 0, 0.100001 s, 1)*step(t, 0.100002 s, 1, 0.100003 s, 0)"
        for force, step, warned in ((pulse, [], True), ("exp(-((t - 0.1 s)/10 us)^2)", [], True), ("exp(-((t - 0.1 s)/1 ms)^2)", [], False),
                                    ("exp(-((t - 0.1 s)/40 us)^2)", ["--step", 5e-6, "--for", "0.101"], False),
                                    ("step(t, 0.1 s, 0, 0.100001 s, 1)", [], False)):
            done = self.pkm("elastodynamics", robot, "--flexible", "left: {modes: 2}", "--instants", 3, "--json", "-o", "out", *step,
                            "--load", f'p: {{force: ["=50 N*{force}", 0, 0], at: platform.P}}')
            self.assertEqual(done.returncode, 0, done.stderr)
            said = [w for w in json.loads(done.stdout)["warnings"] if w["kind"] == "step"]
            self.assertEqual(len(said), warned, (force, said))


if __name__ == "__main__":
    unittest.main()
