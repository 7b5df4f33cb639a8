"""The examples run, and print what is true."""

import os
import re
import subprocess
import sys
import unittest

from program import PKM, ROOT, Program

FOLDER = os.path.join(os.path.dirname(PKM), "examples")
SIAX = ROOT / "robots/siax.yaml"


class Examples(Program):
    def run_example(self, name, *arguments):
        done = subprocess.run([os.path.join(FOLDER, name), *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def run_payload(self, *arguments):
        script = ROOT / "examples/python/payload.py"
        return subprocess.run([sys.executable, "-B", script, SIAX, "pick", *arguments],
                              cwd=self.folder, env=dict(os.environ, PKM=PKM), capture_output=True,
                              text=True, timeout=120)

    def test_every_example_is_short_and_has_a_test(self):
        for path in sorted((ROOT / "examples").glob("*/*.[cp]*")):
            self.assertLess(len(path.read_text(encoding="utf-8").splitlines()), 80, path)
            self.assertTrue(hasattr(self, f"test_{path.stem}"), path)

    def test_mobility(self):
        """Isoglide T3: three freedoms where Gruebler counts none; three redundant constraints."""
        out = self.run_example("mobility", ROOT / "robots/isoglideT3.yaml")
        self.assertIn("mobility 3 (Gruebler-Kutzbach counts 0)", out)
        self.assertEqual(out.count("redundant:"), 3)
        out = self.run_example("mobility", SIAX, "m5=0 kg")
        self.assertEqual(out.count("idle: spin of"), 6)
        self.assertIn("7.24 kg", out)  # 12.24 kg with the payload of 5 kg

    def test_verbs(self):
        """Every value of `--json`, by its path, of a verb that no other header has."""
        words = ["motors", SIAX, "--motors", ROOT / "motors/servo.yaml"]
        out = dict(line.split(" = ", 1) for line in self.run_example("verbs", *words).splitlines() if " = " in line)
        said = self.answer(*words)
        self.assertGreater(len(out), 100)
        self.assertEqual(out["best"], said["best"])
        for k, motor in enumerate(said["motors"]):
            self.assertEqual(out[f"motors.{k}.name"], motor["name"])
            value, unit = out[f"motors.{k}.drives.2.rms_torque"].split(" ", 1)
            self.assertAlmostEqual(float(value) / motor["drives"][2]["rms_torque"], 1.0, delta=1e-8)  # nine digits
            self.assertEqual(unit, "N m")

    def test_control_loop(self):
        """Engine and closed form agree in all nine digits that are printed."""
        out = self.run_example("control_loop", SIAX)
        force = re.findall(r"largest force ([\d.]+) N m, \d+ ns per call", out)
        self.assertEqual(len(force), 2, out)
        self.assertEqual(force[0], force[1])

    def test_condition_line(self):
        """Along the axis of symmetry two singular values are equal and the weak direction is z."""
        out = self.run_example("condition_line", SIAX, 0, 0, -0.9, 0, 0, -1.1)
        rows = re.findall(r"condition ([\d.]+) +weakest \( *([-\d.]+), *([-\d.]+), *([-\d.]+)\)", out)
        self.assertEqual(len(rows), 9, out)
        for condition, x, y, z in rows:
            self.assertGreater(float(condition), 1.0)
            self.assertEqual((abs(float(x)), abs(float(y)), abs(float(z))), (0.0, 0.0, 1.0))

    def test_branches(self):
        """A Delta has eight working modes and two assembly modes; one of them is the pose."""
        out = self.run_example("branches", SIAX, 0.1, 0.05, -0.9)
        self.assertIn("8 working modes", out)
        self.assertIn("2 assembly modes", out)
        self.assertIn("  0.100000   0.050000  -0.900000 m", out)
        self.assertIn("out of reach by", self.run_example("branches", SIAX, 0.1, 0.05, -3))

    def test_forces(self):
        """The largest force printed is that of the CSV, or of an instant between its rows."""
        out = self.run_example("forces", SIAX, "pick", ".")
        self.assertEqual(self.files(), ["forces.csv", "forces.h5", "forces.svg"])
        head, *rows = (self.folder / "forces.csv").read_text(encoding="utf-8").splitlines()
        column = head.split(",").index("qA.force [N m]")
        largest = max(abs(float(row.split(",")[column])) for row in rows)
        self.assertEqual(len(rows), 1001)
        printed = float(re.search(r"absmax qA.force = (\S+) N m", out).group(1))
        self.assertGreaterEqual(printed, float(f"{largest:.6g}"))
        self.assertAlmostEqual(printed / largest, 1.0, delta=1e-4)

    def test_workspace(self):
        """The Isoglide T3 is isotropic everywhere; the program maps the same volume of the SIAX."""
        out = self.run_example("workspace", ROOT / "robots/isoglideT3.yaml", 21)
        self.assertIn("100 % of it with a condition number below 3\nbest 1 at", out)
        out = self.run_example("workspace", SIAX, 41)
        answer = self.answer("workspace", SIAX, "--volume", "--points", 41)
        self.assertRegex(out, rf"^{answer['size']:.4g} m3 \+- ")

    def test_computed_torque(self):
        """The loop of the example is the program's own controller, so the error is of its size."""
        out = self.run_example("computed_torque", SIAX)
        error = float(re.search(r"^200 cycles to t = 0.200 s, largest error of a drive (\S+) rad$", out).group(1))
        run = self.folder / "run.yaml"
        run.write_text("run: 1\nfriction: {spherical: {static: 0.1, radius: 10 mm}}\n"
                       "drives: {computed_torque: {frequency: 20 Hz, damping: 1}, sampling: {rate: 1 kHz}}\n",
                       encoding="utf-8")
        answer = self.answer("simulate", SIAX, "--run", run)
        peaks = {p["name"]: p["value"] for p in answer["peaks"]}
        own = max(peaks[f"q{k}.dq"] for k in "ABC")
        self.assertLess(abs(error - own), 0.2 * own, peaks)

    def test_friction_law(self):
        """Energy: what friction takes the drives bring."""
        out = self.run_example("friction_law", SIAX, "A.motor", "B.motor", "C.motor")
        ideal, real, lost = map(float, re.findall(r"([\d.]+) J", out))
        self.assertGreater(lost, 1.0)
        self.assertAlmostEqual(real - ideal, lost, delta=2e-4)

    def test_many_simulations(self):
        """The falls are those that the program computes."""
        out = self.run_example("many_simulations", SIAX, "m5", 20)
        falls = re.fullmatch(r"20 simulations: falls by ([\d.]+) mm with 0.5 kg, ([\d.]+) mm with 10 kg\n", out)
        for mass, fall in zip((0.5, 10), falls.groups()):
            answer = self.answer("simulate", SIAX, "--set", f"m5={mass} kg", "--motion", "none", "--for", "50 ms",
                                 "--instants", 2, "--drive", "free")
            rows = (self.folder / answer["folder"] / "table.csv").read_text(encoding="utf-8").splitlines()
            z = rows[0].split(",").index("P.z [m]")
            change = float(rows[1].split(",")[z]) - float(rows[2].split(",")[z])
            self.assertAlmostEqual(float(fall), 1e3 * change, delta=1e-4)

    def test_own_robot(self):
        """Library and textbook print the same digits."""
        out = self.run_example("own_robot", 0.1, 0.4, 2)
        pairs = re.findall(r"torque +(-?[\d.]+) N m, textbook +(-?[\d.]+) N m", out)
        self.assertEqual(len(pairs), 7)
        for ours, theirs in pairs:
            self.assertAlmostEqual(float(ours), float(theirs), delta=1.1e-4)
        self.assertGreater(max(abs(float(a)) for a, _ in pairs), 1.0)

    def test_payload(self):
        """Forces fall with the payload. The program itself is the second witness."""
        done = self.run_payload("m5", "0kg", "5kg")
        self.assertEqual(done.returncode, 0, done.stderr)
        force = [float(f) for f in re.findall(r"qA +([\d.]+) N m", done.stdout)]
        self.assertLess(force[0], force[1])
        answer = self.answer("inverse", SIAX, "--motion", "pick")
        self.assertAlmostEqual(force[1], answer["drives"][0]["absmax_force"], delta=1e-4)
        bad = self.run_payload("m9", "1kg")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("m9", bad.stderr)


if __name__ == "__main__":
    unittest.main()
