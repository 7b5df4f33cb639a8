"""Robots, runs and studies of version 0.1 (tests/data/0.1) are read: each is taken, or refused in one sentence that tells what to write."""

import shutil
import signal
import subprocess
import time
import unittest

from program import PKM, ROOT, Program

OLD = ROOT / "tests/data/0.1"


class OldFiles(Program):
    def setUp(self):
        super().setUp()
        shutil.copytree(OLD, self.folder / "old")

    def test_robots(self):
        robots = sorted((OLD / "robots").rglob("*.yaml"))
        self.assertGreaterEqual(len(robots), 13)
        for robot in robots:
            done = self.pkm("check", self.folder / "old" / robot.relative_to(OLD))
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_runs(self):
        runs = sorted((OLD / "runs").glob("*.yaml"))
        self.assertEqual(len(runs), 5)
        for run in runs:
            robot = "robots/bench/andrews.yaml" if run.stem == "andrews" else "robots/siax.yaml"
            done = self.pkm("simulate", f"old/{robot}", "--run", f"old/runs/{run.name}", "--for", "1 ms", "--instants", 3,
                            "-o", f"out-{run.stem}")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_studies(self):
        """A study whose first case is under way has been read; it is stopped there."""
        studies = sorted((OLD / "studies").glob("*.yaml"))
        self.assertEqual(len(studies), 13)
        for study in studies:
            if "integrator: galpha" in study.read_text(encoding="utf-8"):
                said = self.refused(2, "study", f"old/studies/{study.name}", "-j", "1", "-o", "no")
                self.assertIn("integrator: galpha (generalised-alpha) is gone; leave the line out or write ida", said)
                continue
            out = self.folder / f"study-{study.stem}"
            with subprocess.Popen([PKM, "study", f"old/studies/{study.name}", "-j", "1", "-o", str(out)], cwd=self.folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8") as process:
                end = time.monotonic() + 100.0
                while process.poll() is None and not (out / "study.sqlite").exists() and time.monotonic() < end:
                    time.sleep(0.02)
                process.send_signal(signal.SIGINT)
                said = process.stderr.read()
                self.assertIn(process.wait(100), (0, 130, -signal.SIGINT), f"{study.name}: {said}")
            self.assertTrue((out / "study.sqlite").exists(), study.name)


if __name__ == "__main__":
    unittest.main()
