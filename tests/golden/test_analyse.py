"""pkm analyse: spectra of known signals, CSV and HDF5, settling, messages."""

import csv
import json
import math
import unittest

from program import ROOT, Program


class Analyse(Program):
    def signal(self, *lines, name="s.csv"):
        """A file with 2000 samples over 2 s of sums of sines (frequency, amplitude)."""
        rows = ["t [s],x [mm],still"]
        for k in range(2000):
            t = 1e-3 * k
            x = 5.0 + sum(a * math.sin(2.0 * math.pi * f * t + 0.4) for f, a in lines)
            rows.append(f"{t!r},{x!r},1")
        return self.write(name, "\n".join(rows) + "\n")

    def test_the_time_is_in_the_unit_that_the_table_says(self):
        rows = "".join(f"{k},{math.sin(2 * math.pi * 37 * 1e-3 * k)!r}\n" for k in range(2000))
        for unit, factor in (("s", 1), ("ms", 1000), ("us", 1e6)):
            for head in (f"t [{unit}]", f"t ({unit})"):
                self.write("s.csv", f"{head},x [m]\n{rows}")
                (found,) = self.answer("analyse", "s.csv", "-o", "out")["signals"]
                self.assertAlmostEqual(found["lines"][0]["frequency"] / (0.037 * factor), 1.0, delta=1e-3)
        self.write("f.csv", f"t/ms,x [m]\n{rows}")
        self.assertIn("column 1 is 't/ms': expected its unit in brackets, '[ms]'", self.refused(2, "analyse", "f.csv"))
        self.write("f.csv", f"f [Hz],x [m]\n{rows}")
        self.assertIn("its first column is f [Hz], expected the time", self.refused(2, "analyse", "f.csv"))

    def test_known_lines_are_found_between_the_bins(self):
        path = self.signal((37.03, 2.0), (143.27, 0.5))
        answer = self.answer("analyse", path, "--column", "x", "-o", "out")
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text()), answer)
        found = answer["signals"][0]
        self.assertEqual(found["unit"], "mm")
        for line, (f, a) in zip(found["lines"], ((37.03, 2.0), (143.27, 0.5))):
            self.assertAlmostEqual(line["frequency"], f, delta=1e-3)
            self.assertAlmostEqual(line["amplitude"], a, delta=1e-3)
        with open(self.folder / "out/spectra.csv", newline="") as f:
            rows = list(csv.reader(f))
        self.assertEqual(rows[0], ["f [Hz]", "x [mm]"])
        self.assertEqual((len(rows), float(rows[2][0])), (1002, 0.5))
        for name in ("spectra.svg", "signals.svg", "manifest.json"):
            self.assertTrue((self.folder / "out" / name).exists(), name)

    def test_settling_of_a_damped_oscillation(self):
        rows = ["t,x"] + [f"{1e-3 * k!r},{math.exp(-2e-3 * k) * math.cos(0.05 * k)!r}" for k in range(6000)]
        path = self.write("d.csv", "\n".join(rows))
        after = self.answer("analyse", path, "--stop", "0", "--band", "10 %", "-o", "out")["signals"][0]["after_stop"]
        last = max(k for k in range(6000) if math.exp(-2e-3 * k) * abs(math.cos(0.05 * k)) > 0.1)
        self.assertAlmostEqual(after["settling_time"], 1e-3 * last, delta=1e-3)
        # The decay widens the line to 2 / pi = 0.6 Hz; it is found to a tenth of that.
        self.assertAlmostEqual(after["frequency"], 50.0 / (2.0 * math.pi), delta=0.06)
        self.assertAlmostEqual(after["damping"], 2.0 / math.hypot(2.0, 50.0), delta=5e-4)

    def test_a_table_of_a_run_says_when_its_drives_stop(self):
        done = self.pkm("simulate", ROOT / "robots/siax.yaml", "--for", "0.3 s", "--instants", "601", "-o", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [self.answer("analyse", self.folder / "run" / name, "--column", "P.speed", "-o", "out")
                   for name in ("table.csv", "table.h5")]
        for a in answers:
            self.assertAlmostEqual(a["stop"], 0.2, delta=1e-9)
            a["table"] = ""
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0]["signals"][0]["after_stop"]["swing"] < 1e-9, True)

    def test_messages(self):
        path = self.signal((10.0, 1.0))
        for arguments, text in {
                (path, "--column", "y"): "the table has no column 'y'",
                (path, "--window", "hanning"): "'hanning', expected hann, none, blackman or flattop",
                (path, "--band", "-1"): "--band: -1, expected above 0",
                (path, "--from", "1.999"): "1 rows between them, expected at least 8",
                ("no.csv",): "no.csv: cannot read the file",
                (self.write("a.csv", "t,x\n0,1\n1,oops\n"),): "a.csv:3:1: column 2: 'oops', expected a finite number",
                (self.write("b.csv", "t,x\n0,1\n1\n"),): "b.csv:3:1: 1 numbers, expected 2",
                (self.write("c.csv", "t,x\n"),): "c.csv: it has no rows of numbers",
                (self.write("d.csv", "t,x\n" + "".join(f"{k * k},1\n" for k in range(20))),): "times must rise evenly",
                (self.write("e.h5", "no"),): "e.h5: it is no HDF5 file that can be read",
                (self.write("f.csv", "".join(f"{k}\n" for k in range(20))),): "no column beside the time",
        }.items():
            with self.subTest(text):
                self.assertIn(text, self.refused(2, "analyse", *arguments))


if __name__ == "__main__":
    unittest.main()
