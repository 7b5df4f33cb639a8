"""Studies: two in a folder, databases of others, damaged databases, files that change, processes that die."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from faulty import IS_LONG, PKM, SIAX, STUDY, Faulty
from study_base import Study

SLOW = f"""study: 1
robot: {SIAX}
motion: paper
for: 50 ms
instants: 51
outputs: {{torque: peak qA.force}}
sweep: {{m5: [1 kg, 2 kg, 3 kg, 4 kg]}}
"""


class Folder(Faulty):
    """Who may write where."""

    def run_study(self, path, *words, out="out"):
        return self.pkm("study", path, "-j", "1", "-o", out, *words)

    def cases(self, out="out"):
        db = sqlite3.connect(self.folder / out / "study.sqlite")
        found = db.execute("select id, state, value from cases left join results on id = case_id order by id").fetchall()
        db.close()
        return found

    def test_two_studies_in_one_folder(self):
        slow = self.write("slow.yaml", SLOW)
        first = subprocess.Popen([PKM, "study", str(slow), "-j", "1", "-o", "out"], cwd=self.folder,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wal = self.folder / "out/study.sqlite-wal"
        while first.poll() is None and not (wal.exists() and wal.stat().st_size > 0):
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)  # it holds the database as long as this test needs
        self.assertIsNone(first.poll())
        for words in ([], ["--fresh"], ["--resume"]):
            done = self.run_study(self.study, *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("another study is writing it", done.stderr)
        # A report of what is finished so far is possible meanwhile.
        done = self.pkm("report", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        first.send_signal(signal.SIGCONT)
        self.assertEqual(first.wait(), 0, first.stderr.read())
        first.stderr.close()
        self.assertEqual([c[1] for c in self.cases()], ["done"] * 4)

    def test_results_of_another_study_stay(self):
        self.assertEqual(self.run_study(self.study).returncode, 0)
        before = self.cases()
        other = self.write("other.yaml", STUDY.replace("3 kg", "4 kg"))
        done = self.run_study(other)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "3 finished cases of another study.*--fresh replaces")
        self.assertEqual(self.cases(), before)
        self.assertEqual(self.run_study(other, "--resume").returncode, 2)
        self.assertEqual(self.cases(), before)
        self.assertEqual(self.run_study(other, "--fresh").returncode, 0)
        self.assertNotEqual(self.cases(), before)

    def timing(self):
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        found = db.execute("select case_id, wall_time from timing order by case_id").fetchall()
        db.close()
        return found

    def test_a_finished_study_is_not_computed_again(self):
        """Called once more it shows its results; only --fresh computes, and what has changed is refused."""
        first = self.run_study(self.study)
        self.assertNotIn("nothing was computed", first.stdout)
        before, seconds = self.cases(), self.timing()
        (self.folder / "out/cases.csv").unlink()
        for words in ([], ["--resume"]):
            again = self.run_study(self.study, *words)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn("\nnothing was computed: every case was finished before; --fresh computes them anew\n", again.stdout)
            self.assertEqual((self.cases(), self.timing()), (before, seconds))
            self.assertEqual(first.stdout.split("\n", 2)[2], again.stdout.split("\n", 3)[3])
            self.assertTrue((self.folder / "out/cases.csv").exists())
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        db.execute("update about set value = 'f00' where key = 'build'")
        db.commit()
        db.close()
        done = self.run_study(self.study)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "before a change; --fresh replaces")
        self.assertEqual((self.cases(), self.timing()), (before, seconds))
        self.assertEqual(self.run_study(self.study, "--fresh").returncode, 0)
        self.assertEqual(self.cases(), before)
        self.assertNotEqual(self.timing(), seconds)

    def test_failed_cases_stay_failed(self):
        """The exit code of a study with failed cases is that of every call."""
        path = self.write("fail.yaml", STUDY.replace("sweep: {m5: [1 kg, 2 kg, 3 kg]}", "sweep: {l2: [200 mm, 1106 mm]}"))
        for _ in range(2):
            done = self.run_study(path)
            self.assertEqual((done.returncode, done.stderr), (4, "pkm: 1 of 2 cases of fail failed\n"))
        self.assertIn("nothing was computed", done.stdout)

    def test_databases_of_others_stay(self):
        (self.folder / "out").mkdir()
        path = self.folder / "out/study.sqlite"
        db = sqlite3.connect(path)
        db.execute("create table mine (x)")
        db.execute("insert into mine values (42)")
        db.commit()
        db.close()
        before = path.read_bytes()
        for words in ([], ["--fresh"], ["--resume"]):
            done = self.run_study(self.study, *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("not the database of a study", done.stderr)
            self.assertEqual(path.read_bytes(), before)
        path.write_text("my notes, no database at all\n")
        for words in ([], ["--fresh"], ["--resume"]):
            self.assertEqual(self.run_study(self.study, *words).returncode, 2)
            self.assertEqual(path.read_text(), "my notes, no database at all\n")

    def test_a_pipe_instead_of_a_database_does_not_hold_it_up(self):
        for name in ("study.sqlite", "study.sqlite-wal", "study.sqlite-journal"):
            self.assertEqual(self.run_study(self.study, "--fresh").returncode, 0)
            path = self.folder / "out" / name
            path.unlink(missing_ok=True)
            os.mkfifo(path)
            asked = [["study", self.study, "-o", "out"], ["study", self.study, "-o", "out", "--fresh"], ["report", "out"]]
            for words in asked[:2] if name == "study.sqlite" else asked:  # without a database it is the folder of a run
                done = self.pkm(*words, timeout=20)
                self.assertEqual(done.returncode, 2, f"{name}: {words}")
                self.assertIn(f"{name}: it is not a file", done.stderr)
            path.unlink()

    def test_contrary_wishes_are_refused(self):
        """To go on and to begin anew at once: nothing of what is there is touched."""
        self.assertEqual(self.run_study(self.study).returncode, 0)
        before = (self.folder / "out/study.sqlite").read_bytes()
        for words, line in ((["--resume", "--fresh"], "--resume and --fresh: expected one of them"),
                            (["--accept-build"], "--accept-build: expected --resume beside it"),
                            (["--accept-build", "--fresh"], "--accept-build: expected --resume beside it")):
            done = self.run_study(self.study, *words)
            self.assertEqual((done.returncode, done.stderr), (2, f"pkm: {line}\n"))
        self.assertEqual((self.folder / "out/study.sqlite").read_bytes(), before)

    def test_failed_cases_are_told(self):
        text = STUDY.replace("sweep: {m5: [1 kg, 2 kg, 3 kg]}", "sweep: {l2: [200 mm, 1106 mm]}")
        done = self.run_study(self.write("fail.yaml", text), "--json")
        self.assertEqual(done.returncode, 4, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["n_failed"], 1)
        self.assertEqual([f["name"] for f in answer["failed"]], ["l2 = 200 mm"])
        self.assertTrue(answer["failed"][0]["reason"])
        all_fail = STUDY.replace("sweep: {m5: [1 kg, 2 kg, 3 kg]}", "sweep: {l2: [200 mm, 210 mm]}")
        done = self.run_study(self.write("all.yaml", all_fail), out="all")
        self.assertEqual((done.returncode, done.stderr), (4, "pkm: 2 of 2 cases of all failed\n"))
        self.assertIn("failed cases\n", done.stdout)

    def test_a_changed_input_is_not_mixed_in(self):
        self.write("pull.csv", "0, 0, 0, 0\n1, 10, 0, 0\n")
        text = (f"study: 1\nrobot: {SIAX}\nmotion: paper\nfor: 5 ms\ninstants: 6\noutputs: {{torque: peak qA.force}}\n"
                "loads: {pull: {force: {file: pull.csv}, at: platform.P}}\nsweep: {m5: [1 kg, 2 kg, 3 kg, 4 kg]}\n")
        path = self.write("pulled.yaml", text)
        self.assertEqual(self.run_study(path).returncode, 0)
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        self.assertEqual(db.execute("select count(*) from files where path like '%pull.csv'").fetchone(), (1,))
        db.execute("update cases set state = 'waiting' where id > 1")  # as after a kill
        db.commit()
        db.close()
        self.assertEqual(self.run_study(path, "--resume").returncode, 0)
        self.write("pull.csv", "0, 0, 0, 0\n1, 20, 0, 0\n")
        before = self.cases()
        self.assertEqual(self.run_study(path).returncode, 2)
        self.assertEqual(self.cases(), before)
        done = self.run_study(path, "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("pull.csv has changed since this study began", done.stderr)

    def test_every_kind_of_file_is_compared(self):
        """Model, mesh, samples of a motion and of a load, and the study itself."""
        corner = ("0 0 0", "0.1 0 0", "0 0.1 0", "0 0 0.1")
        faces = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {corner[k]}\n" for k in face)
                        + "endloop\nendfacet\n" for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
        files = {"part.stl": f"solid s\n{faces}endsolid s\n", "way.csv": "0, 0\n0.5, 0.1\n1, 0.2\n",
                 "crank.yaml": """pkm: 1
name: crank
parameters: {g: 9.81 m/s2}
gravity: [0, 0, =-g]
materials: {steel: {density: 7800}}
ground: {points: {A: [0, 0, 0]}}
bodies:
  arm: {mass: 1 kg, inertia: [0.01, 0.02, 0.02], points: {A: [0, 0, 0], B: [1, 0, 0]}}
  hand: {points: {B: [0, 0, 0]}, shape: {mesh: {file: part.stl}, material: steel}}
joints: {a: {type: revolute, between: [ground.A, arm.A], axis: y}, b: {type: fixed, between: [arm.B, hand.B]}}
drives: {q: {joint: a}}
tool: arm.B
motions: {go: {samples: {file: way.csv, of: drives}}}
""",
                 "load.csv": "0, 0, 0, 0\n1, 10, 0, 0\n",
                 "crank-study.yaml": """study: 1
robot: crank.yaml
analysis: inverse
motion: go
instants: 3
loads: {pull: {force: {file: load.csv}, at: arm.B}}
outputs: {torque: peak q.force}
sweep: {g: [1 m/s2, 9 m/s2]}
"""}
        for name, text in files.items():
            path = self.write(name, text)
        self.assertEqual(self.run_study(path).returncode, 0)
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        self.assertEqual({os.path.basename(row[0]) for row in db.execute("select path from files")}, set(files))
        db.execute("update cases set state = 'waiting' where id = 2")  # as after a kill
        db.commit()
        db.close()
        for name, text in files.items():
            self.write(name, text + "\n")
            done = self.run_study(path, "--resume")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("changed since this study began", done.stderr)
            self.write(name, text)
        self.assertEqual(self.run_study(path, "--resume").returncode, 0)

    def test_a_study_is_resumed_from_another_folder(self):
        self.assertEqual(self.run_study("study.yaml").returncode, 0)
        (self.folder / "below").mkdir()
        done = subprocess.run([PKM, "study", "../study.yaml", "-o", "../out", "--resume"], cwd=self.folder / "below",
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_another_build_needs_a_word(self):
        self.assertEqual(self.run_study(self.study).returncode, 0)
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        db.execute("update about set value = 'f00' where key = 'build'")
        db.execute("update case_builds set build = 'f00'")
        db.execute("update cases set state = 'waiting' where id = 2")
        db.commit()
        db.close()
        done = self.run_study(self.study, "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--accept-build", done.stderr)
        self.assertEqual(self.run_study(self.study, "--resume", "--accept-build").returncode, 0)
        db = sqlite3.connect(self.folder / "out/study.sqlite")
        builds = [row[0] for row in db.execute("select build from case_builds order by case_id")]
        db.close()
        self.assertEqual(builds[:2], ["f00", "f00"])
        self.assertRegex(builds[2], "^[0-9a-f]{40}$")
        manifest = json.loads((self.folder / "out/manifest.json").read_text())
        mixed = [o["value"] for o in manifest["options"] if o["name"] == "builds"]
        self.assertEqual(len(mixed), 1)
        self.assertIn("f00", mixed[0])
        self.assertIn(builds[2], mixed[0])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_read_only_archive_is_reported(self):
        self.assertEqual(self.run_study(self.study).returncode, 0)
        os.chmod(self.folder / "out/study.sqlite", 0o444)
        os.chmod(self.folder / "out", 0o555)
        done = self.pkm("report", "out", "-o", "page.html")
        os.chmod(self.folder / "out", 0o755)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_archive_is_not_written_to(self):
        self.assertEqual(self.run_study(self.study).returncode, 0)
        before = (self.folder / "out/study.sqlite").read_bytes()
        listing = sorted(os.listdir(self.folder / "out"))
        self.assertEqual(self.pkm("report", "out", "-o", "page.html").returncode, 0)
        self.assertEqual((self.folder / "out/study.sqlite").read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.folder / "out")), listing)


class Damage(Faulty):
    """Databases that are not as they should be: a sentence, never a crash."""

    SQL = ["update signals set data = -1", "update signals set data = 'text'", "update signals set data = x'00'",
           "update cases set id = id - 1", "update cases set id = id + 1000000000", "update cases set state = x'00ff'",
           "update cases set reason = x'ff'",
           "update results set case_id = -7 where case_id = 1", "update results set output_id = -3",
           "update results set value = 'x'", "delete from about", "update about set value = x'80'",
           "update about set value = NULL", "drop table signals", "drop table about", "drop table cases",
           "update scenes set robot = '{'", "update deviations set data = 5", "pragma user_version = 9",
           "update outputs set unit = x'01'", "delete from factors", "delete from case_levels", "drop table files",
           "update files set sha256 = 3", "insert into cases (id, name, settings) values (-5, 'a', 'b')"]

    def attack(self, database, what):
        out = self.folder / "bad"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        (out / "study.sqlite").write_bytes(database)
        for words in (["report", "bad", "-o", "page.html"], ["study", self.study, "-j", "1", "-o", "bad", "--resume"],
                      ["study", self.study, "-j", "1", "-o", "bad"]):
            done = self.pkm(*words, timeout=60)
            self.assertIn(done.returncode, (0, 2, 4), f"{what}: {words[0]}: {done.stderr[-500:]}")

    def good(self):
        self.assertEqual(self.pkm("study", self.study, "-j", "1", "-o", "good").returncode, 0)
        return (self.folder / "good/study.sqlite").read_bytes()

    def test_rows_that_are_wrong(self):
        good = self.good()
        for sql in self.SQL:
            path = self.write("edit.sqlite", good)
            db = sqlite3.connect(path)
            db.execute("pragma writable_schema = on")
            db.execute(sql)
            db.commit()
            db.close()
            self.attack(path.read_bytes(), sql)

    def test_bytes_that_are_wrong(self):
        good = bytearray(self.good())
        chance = random.Random(14)
        for k in range(400 if IS_LONG else 12):
            bad = bytearray(good)
            if k % 4 == 0:
                bad = bad[:chance.randrange(len(bad))]
            for _ in range(chance.choice((1, 3, 30)) if bad else 0):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            self.attack(bytes(bad), f"bytes, {k}")

    def test_fresh_replaces_a_damaged_one_of_ours(self):
        good = self.good()
        (self.folder / "good/study.sqlite").write_bytes(good[:100] + bytes(len(good) - 100))
        done = self.pkm("study", self.study, "-j", "1", "-o", "good")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--fresh replaces it", done.stderr)
        self.assertEqual(self.pkm("study", self.study, "-j", "1", "-o", "good", "--fresh").returncode, 0)


class Kills(Study):
    """Killed at any moment - the program, a worker, all - and resumed: as if nothing had been."""

    MANY = f"""study: 1
robot: {SIAX}
analysis: inverse
instants: 201
outputs: {{torque: peak qA.force, low: min qB.force}}
factors:
  friction: {{without: {{}}, with: {{friction: {{spherical: {{static: 0.1, radius: 10 mm}}}}}}}}
  payload: {{5 kg: {{}}, 6 kg: {{set: {{m5: 6 kg}}}}}}
  crank: {{light: {{}}, heavy: {{set: {{m1: 2 kg}}}}}}
  rods: {{light: {{}}, heavy: {{set: {{m2: 0.5 kg}}}}}}
"""

    def content(self, folder):
        out = super().content(folder)
        return {table: rows for table, rows in out.items() if table not in ("files", "about")}

    def children(self, pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as f:
                return [int(x) for x in f.read().split()]
        except OSError:
            return []

    def kill(self, work, kind, chance):
        victims = [work.pid] if kind == "main" else self.children(work.pid)
        if kind == "all":
            os.killpg(work.pid, signal.SIGKILL)
        elif victims:
            try:
                os.kill(chance.choice(victims), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def test_kills(self):
        path = self.folder / "many.yaml"
        path.write_text(self.MANY)
        whole = self.content(self.study(self.MANY, "-j", "2", name="many"))
        chance, n_kill, n_end, folder = random.Random(14), 0, 0, self.folder / "killed"
        command = [PKM, "study", str(path), "-o", str(folder), "--resume", "-j", "2"]
        mpi = ["mpirun", "-n", "2", "--oversubscribe"]
        use_mpi = IS_LONG and shutil.which("mpirun") and os.path.exists(PKM + "-mpi")
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        while n_kill < (1000 if IS_LONG else 20):
            with_mpi = use_mpi and n_kill % 10 == 0
            work = subprocess.Popen((mpi if with_mpi else []) + command, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True,
                                    env=environment)
            time.sleep(chance.uniform(0.0, 0.6 if with_mpi else 0.25))
            if work.poll() is None:
                kind = "all" if with_mpi else chance.choice(("main", "worker", "all"))
                self.kill(work, kind, chance)
                n_kill += 1
            code = work.wait()
            if code == 0:  # it has survived, or was faster
                self.assertEqual(self.content(folder), whole)
                shutil.rmtree(folder)
                n_end += 1
        while subprocess.run(command, capture_output=True, cwd=self.folder).returncode == 4:
            pass
        self.assertEqual(self.content(folder), whole)
        print(f"{n_kill} kills, {n_end + 1} ends, all the same")


if __name__ == "__main__":
    unittest.main()
