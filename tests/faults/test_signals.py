"""Signals keep the rows; a clock that jumps changes nothing."""

import csv
import json
import os
import signal
import subprocess
import time
import unittest

from faulty import LIBRARY, PKM, ROOT, SIAX, Faulty


def used(work):
    """Seconds of a processor that a process has used; on a busy machine the clock says nothing."""
    with open(f"/proc/{work.pid}/stat") as f:
        return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def wait_until_used(work, seconds):
    while work.poll() is None and used(work) < seconds:
        time.sleep(0.02)


class Signals(Faulty):
    def stop(self, number, *words):
        work = subprocess.Popen([PKM, *map(str, words), "-o", "out"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)
        wait_until_used(work, 1.2)
        if work.poll() is not None:
            self.fail(f"it has ended before the signal: {work.communicate()[1]}")
        work.send_signal(number)
        errors = work.communicate(timeout=60)[1]
        return work.returncode, errors

    def test_rows_are_kept(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            code, errors = self.stop(number, "simulate", SIAX, "--run",
                                     ROOT / "runs/siax-clearance.yaml", "--instants", "4001", "--tolerance", "1e-13")
            self.assertEqual(code, 128 + number, errors)
            with open(self.folder / "out/table.csv", newline="") as f:
                self.assertGreater(sum(1 for _ in csv.reader(f)), 2)
            manifest = json.loads((self.folder / "out/manifest.json").read_text())
            said = {o["name"]: o["value"] for o in manifest["options"]}
            self.assertIn("ended early", said["complete"])

    def test_a_shaped_motion_ends_with_the_code_of_the_signal(self):
        for number in (signal.SIGINT, signal.SIGHUP):
            code, errors = self.stop(number, "shape", SIAX, "--motion", "paper", "--tolerance", "1e-12")
            self.assertEqual(code, 128 + number, errors)
            self.assertIn("interrupted", errors)

    def test_millions_of_rows_end_promptly(self):
        """Two seconds of a processor, wherever the run is; and the code of the signal."""
        for number, wait in ((signal.SIGINT, 1.0), (signal.SIGTERM, 3.0)):
            work = subprocess.Popen([PKM, "simulate", SIAX, "--instants", "5000001", "-o", f"out{number}"],
                                    cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until_used(work, wait)
            before = used(work)
            work.send_signal(number)
            _, status, usage = os.wait4(work.pid, 0)
            work.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(work.returncode, 128 + number)
            self.assertLess(usage.ru_utime + usage.ru_stime - before, 2.0)
            self.assertTrue((self.folder / f"out{number}/table.csv").exists())

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
