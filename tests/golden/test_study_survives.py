"""pkm study is killed, interrupted, out of disk, spread over processes: the same answer."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from pathlib import Path

from program import PKM
from study_base import HEAD, Study

# 32 cases of some 10 ms each in the release build.
MANY = HEAD + """
analysis: inverse
instants: 201
outputs: {torque: peak qA.force, low: min qB.force, when: time of peak qA.force}
factors:
  friction: {without: {}, with: {friction: {spherical: {static: 0.1, radius: 10 mm}}}}
  payload: {5 kg: {}, 6 kg: {set: {m5: 6 kg}}}
  crank: {light: {}, heavy: {set: {m1: 2 kg}}}
  rods: {light: {}, heavy: {set: {m2: 0.5 kg}}}
  pull: {none: {}, down: {tool_force: [0, 0, -10 N]}}
"""


class Survival(Study):
    def command(self, *arguments):
        return [PKM, "study", str(self.folder / "many.yaml"), *arguments]

    def test_killed_ten_times_and_resumed_it_is_as_if_undisturbed(self):
        whole = self.content(self.study(MANY, "-j", "2", name="whole"))
        (self.folder / "many.yaml").write_text(MANY)
        chance, kills = random.Random(6), 0
        while kills < 10:
            work = subprocess.Popen(self.command("-o", str(self.folder / "killed"), "--resume", "-j", "2"),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder,
                                    start_new_session=True)
            time.sleep(chance.uniform(0.0, 0.2))
            still = work.poll() is None
            if still:
                os.kill(work.pid, signal.SIGKILL)
            errors = work.communicate()[1]
            self.assertEqual(errors, b"")
            kills += 1
            if not still:  # it was faster than the kill: begin again
                shutil.rmtree(self.folder / "killed")
        done = subprocess.run(self.command("-o", str(self.folder / "killed"), "--resume"), capture_output=True,
                              text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.compare(whole, self.content(self.folder / "killed"))

    def compare(self, whole, other):
        whole, other = dict(whole), dict(other)
        for tables in (whole, other):  # the names of the study's file and folder
            tables["about"] = [r for r in tables["about"] if not r.startswith(("('file'", "('name'"))]
            tables["files"] = [r for r in tables["files"] if "many.yaml" not in r and "whole.yaml" not in r]
        self.assertEqual(whole.keys(), other.keys())
        for table in whole:
            self.assertEqual(whole[table], other[table], table)

    @unittest.skipUnless(shutil.which("mpirun") and Path(PKM + "-mpi").exists(), "without MPI")
    def test_the_number_of_processes_does_not_matter(self):
        whole = self.content(self.study(MANY, "-j", "1", name="whole"))
        (self.folder / "many.yaml").write_text(MANY)
        environment = dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_base_warn_component_unused="0",
                           ASAN_OPTIONS="detect_leaks=0")  # of MPI
        for n in (1, 2, 4):
            done = subprocess.run(["mpirun", "-n", str(n), *self.command("-o", str(self.folder / f"mpi{n}"))],
                                  capture_output=True, text=True, cwd=self.folder, env=environment)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout.count("results in"), 1)
            self.compare(whole, self.content(self.folder / f"mpi{n}"))

    def test_ctrl_c_leaves_a_file_that_resumes(self):
        (self.folder / "many.yaml").write_text(MANY.replace("instants: 201", "instants: 1001"))
        out = self.folder / "out"
        work = subprocess.Popen(self.command("-o", str(out), "-j", "1"), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder)
        while not (out / "study.sqlite-wal").exists() and work.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2)
        work.send_signal(signal.SIGINT)
        stdout, stderr = work.communicate()
        self.assertEqual((work.returncode, stdout), (130, ""))
        self.assertRegex(stderr, r"^pkm: interrupted: \d+ of 32 cases are finished; --resume continues\n$")
        self.assertFalse((out / "cases.csv").exists())

        done = self.pkm("study", str(self.folder / "many.yaml"), "-o", str(out))
        if " 0 of 32" not in stderr:
            self.assertEqual(done.returncode, 2)
            self.assertIn("--resume continues it, --fresh begins anew", done.stderr)
        done = self.pkm("study", str(self.folder / "many.yaml"), "-o", str(out), "--resume", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["cases"]), 32)

    def test_a_changed_study_is_not_resumed(self):
        text = HEAD + "analysis: inverse\noutputs: {f: peak qA.force}\nsweep: {m5: [1 kg, 2 kg]}\n"
        self.study(text)
        (self.folder / "s.yaml").write_text(text.replace("2 kg", "3 kg"))
        line = self.refused(2, "study", str(self.folder / "s.yaml"), "-o", str(self.folder / "s"), "--resume")
        self.assertIn("have changed since this study began", line)

    def test_a_failing_case_does_not_stop_the_others(self):
        folder = self.study(HEAD + """
analysis: inverse
outputs: {f: peak qA.force}
sweep: {l2: [200 mm, 1000 mm, 1106 mm]}
""", code=4)
        db = sqlite3.connect(folder / "study.sqlite")
        cases = db.execute("select state, reason from cases order by id").fetchall()
        self.assertEqual([c[0] for c in cases], ["failed", "done", "done"])
        self.assertTrue(cases[0][1])
        rows = self.rows(folder, "cases.csv")
        self.assertEqual((rows[0]["done"], rows[0]["f [N m]"]), ("0", ""))
        self.assertEqual(rows[1]["done"], "1")

    def test_a_folder_that_cannot_be_made_is_told(self):
        (self.folder / "file").write_text("")
        (self.folder / "s.yaml").write_text(
            HEAD + "analysis: inverse\noutputs: {f: peak qA.force}\nsweep: {m5: [1 kg, 2 kg]}\n")
        line = self.refused(2, "study", str(self.folder / "s.yaml"), "-o", str(self.folder / "file/out"))
        self.assertIn("cannot make this folder", line)

    @unittest.skipUnless(os.geteuid() == 0, "needs a file system of its own")
    def test_a_full_disk_loses_no_finished_case(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(disk)],
                          capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small disk")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        (self.folder / "many.yaml").write_text(MANY)
        done = self.pkm("study", str(self.folder / "many.yaml"), "-o", str(disk))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("disk is full", done.stderr)
        shutil.copytree(disk, self.folder / "roomy")
        done = self.pkm("study", str(self.folder / "many.yaml"), "-o", str(self.folder / "roomy"), "--resume", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["n_failed"], 0)


if __name__ == "__main__":
    unittest.main()
