"""Signals keep the rows; a clock that jumps changes nothing."""

import csv
import json
import signal
import subprocess
import time
import unittest

from faulty import LIBRARY, PKM, ROOT, SIAX, Faulty


class Signals(Faulty):
    def stop(self, number, *words):
        work = subprocess.Popen([PKM, *map(str, words), "-o", "out"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)
        time.sleep(1.5)
        if work.poll() is not None:
            self.fail(f"it has ended before the signal: {work.communicate()[1]}")
        work.send_signal(number)
        errors = work.communicate(timeout=60)[1]
        return work.returncode, errors

    def test_rows_are_kept(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            code, errors = self.stop(number, "simulate", SIAX, "--run",
                                     ROOT / "runs/siax-clearance.yaml", "--instants", "4001")
            self.assertEqual(code, 128 + number, errors)
            with open(self.folder / "out/table.csv", newline="") as f:
                self.assertGreater(sum(1 for _ in csv.reader(f)), 2)
            manifest = json.loads((self.folder / "out/manifest.json").read_text())
            said = {o["name"]: o["value"] for o in manifest["options"]}
            self.assertIn("ended early", said["complete"])

    def test_nohup_is_respected(self):
        work = subprocess.Popen([PKM, "simulate", SIAX, "--for", "0.3", "-o", "out"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(0.3)
        work.send_signal(signal.SIGHUP)
        work.communicate(timeout=120)
        self.assertEqual(work.returncode, 0)


@unittest.skipUnless(LIBRARY, "needs the library of faults")
class Clock(Faulty):
    def test_a_clock_that_jumps_changes_nothing(self):
        done = self.with_faults(["study", str(self.study), "-j", "2", "-o", "jump", "--json"], PKM_CLOCK_JUMPS=1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(json.loads(done.stdout)["wall_time"], 0.0)
        self.assertEqual(self.pkm("study", str(self.study), "-j", "2", "-o", "calm").returncode, 0)
        self.assertEqual((self.folder / "jump/cases.csv").read_bytes(), (self.folder / "calm/cases.csv").read_bytes())


if __name__ == "__main__":
    unittest.main()
