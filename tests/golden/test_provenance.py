"""What a manifest says is true: hashes of the bytes that were read, of every file, of this run alone."""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import time
import unittest
import zlib
from pathlib import Path

from program import PKM, ROOT, Program

SIAX = ROOT / "robots/siax.yaml"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Provenance(Program):
    def manifest(self, folder):
        return json.loads((self.folder / folder / "manifest.json").read_text())

    def inputs(self, folder):
        return {entry["file"]: entry for entry in self.manifest(folder)["inputs"]}

    def test_every_file_is_listed_with_its_hash(self):
        samples = "".join(f"{k / 1000}, {k / 10}, 0, 0\n" for k in range(1001))
        self.write("pull.csv", samples)
        run = self.write("run.yaml", "run: 1\nmotion: paper\nfor: 5 ms\ninstants: 3\n"
                                     "loads: {pull: {force: {file: pull.csv}, at: platform.P}}\n")
        done = self.pkm("simulate", SIAX, "--run", run, "-o", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.inputs("out")
        self.assertEqual(found[str(SIAX)]["sha256"], sha256(SIAX.read_bytes()))
        self.assertEqual(found[str(run)]["sha256"], sha256(run.read_bytes()))
        table = [entry for path, entry in found.items() if path.endswith("pull.csv")]
        self.assertEqual([e["sha256"] for e in table], [sha256(samples.encode())])
        self.assertEqual(table[0]["bytes"], len(samples))
        self.assertEqual(self.manifest("out")["model"]["sha256"], sha256(SIAX.read_bytes()))
        self.assertRegex(self.manifest("out")["build"], r"^[0-9a-f]{40}$")

    def test_a_pipe_is_hashed_by_what_came_through_it(self):
        text = SIAX.read_bytes()
        done = subprocess.run([PKM, "inverse", "/dev/stdin", "--instants", "3", "-o", "out"], input=text,
                              cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.manifest("out")["model"]["sha256"], sha256(text))

    def test_a_model_that_changes_later_does_not_change_the_hash(self):
        model = self.write("siax.yaml", SIAX.read_bytes())
        work = subprocess.Popen([PKM, "simulate", str(model), "--for", "0.2", "-o", "out"], cwd=self.folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        old = sha256(model.read_bytes())
        while work.poll() is None and not list(self.folder.glob("out*")):
            # It has read the model when it uses time; then the file changes.
            with open(f"/proc/{work.pid}/stat") as f:
                ticks = int(f.read().rsplit(")", 1)[1].split()[11])
            if ticks >= 20:
                break
        model.write_text("changed: true\n")
        self.assertEqual(work.wait(), 0, work.stderr.read())
        work.stderr.close()
        self.assertEqual(self.manifest("out")["model"]["sha256"], old)

    def test_files_of_an_earlier_run_do_not_stay(self):
        self.assertEqual(self.pkm("workspace", SIAX, "--slice", "z=-1", "--points", "9", "-o", "out").returncode, 0)
        first = set(self.manifest("out")["files"])
        self.write("out/notes.txt", "mine")
        self.write("out/own.svg", "<svg/>")
        self.assertEqual(self.pkm("inverse", SIAX, "--instants", "5", "-o", "out").returncode, 0)
        second = set(self.manifest("out")["files"])
        self.assertTrue(first - second)
        self.assertEqual(set(os.listdir(self.folder / "out")), second | {"manifest.json", "notes.txt", "own.svg"})
        self.assertEqual(self.pkm("report", "out").returncode, 0)
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("forces.svg", page)
        self.assertNotIn("own.svg", page)

    def test_numbers_of_another_run_are_refused(self):
        """Manifest, table, peaks and scene have to be of one run; a file of numbers stands for itself."""
        drive = ("--drive", "pd: {kp: 1e4, kd: 100}", "--instants", "11")
        for folder, *more in (("a", *drive), ("b", *drive, "--set", "m5=6 kg")):
            self.assertEqual(self.pkm("simulate", SIAX, "--for", "10 ms", *more, "-o", folder).returncode, 0)
        written = {e["file"]: (e["bytes"], e["crc32"]) for e in self.manifest("a")["written"]}
        self.assertEqual(set(written), {"table.csv", "peaks.csv", "scene.json", "summary.json"})
        for name, digest in written.items():
            data = (self.folder / "a" / name).read_bytes()
            self.assertEqual(digest, (len(data), f"{zlib.crc32(data):08x}"), name)
        rows = (self.folder / "a/table.csv").read_bytes().splitlines(keepends=True)
        whole, middle = b"".join(rows), len(b"".join(rows)) // 2
        digit = next(i for i in range(middle, len(whole)) if whole[i:i + 1].isdigit())
        edited = whole[:digit] + b"%d" % ((int(whole[digit:digit + 1]) + 1) % 10) + whole[digit + 1:]  # of the same size
        for name, data in (("peaks.csv", None), ("scene.json", None), ("manifest.json", None), ("table.csv", b"".join(rows[:6])),
                           ("table.csv", edited)):
            with self.subTest(name=name):
                shutil.copytree(self.folder / "a", self.folder / "mixed")
                (self.folder / "mixed" / name).write_bytes(data or (self.folder / "b" / name).read_bytes())
                for verb in (("report", "mixed"), ("plot", "mixed", "--column", "qA.force", "-o", "picture")):
                    self.assertIn("is not what the run wrote that manifest.json tells of", self.refused(2, *verb))
                done = self.pkm("plot", "mixed/table.csv", "--column", "qA.force", "-o", "picture")
                self.assertEqual(done.returncode, 0, done.stderr)
                shutil.rmtree(self.folder / "picture")
                shutil.rmtree(self.folder / "mixed")
        self.assertEqual(self.pkm("report", "a").returncode, 0)
        self.assertEqual(self.pkm("plot", "a", "--column", "qA.force", "-o", "picture").returncode, 0)

    def test_two_runs_in_one_folder_write_one_after_the_other(self):
        """The table of one beside the manifest of the other would be a lie about both."""
        (self.folder / "out").mkdir()
        held = os.open(self.folder / "out", os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)  # as a run does while it writes
        work = [subprocess.Popen([PKM, "inverse", str(SIAX), "--instants", n, "--motion", motion, "-o", "out"],
                                 cwd=self.folder, stdout=subprocess.DEVNULL)
                for n, motion in (("31", "paper"), ("11", "pick"))]
        waiting = Path("/proc/locks")
        while waiting.exists() and sum(f" {w.pid} " in waiting.read_text() for w in work) < 2:
            self.assertEqual([w.poll() for w in work], [None, None])
            time.sleep(0.01)
        self.assertEqual(os.listdir(self.folder / "out"), [])
        os.close(held)
        self.assertEqual([w.wait() for w in work], [0, 0])
        said = {o["name"]: o["value"] for o in self.manifest("out")["options"]}
        rows = len((self.folder / "out/table.csv").read_text().splitlines()) - 1
        self.assertEqual(rows, int(said["--instants"]))
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text())["motion"], said["--motion"])

    def test_temporary_files_of_killed_runs_are_cleared(self):
        (self.folder / "out").mkdir()
        child = subprocess.Popen(["true"])
        child.wait()
        left = self.write(f"out/table.csv.{child.pid}-0.tmp", "half")
        other = self.write(f"out/table.csv.{os.getpid()}-0.tmp", "somebody writes this now")
        mine = self.write("out/notes.tmp", "mine")
        self.assertEqual(self.pkm("inverse", SIAX, "--instants", "5", "-o", "out").returncode, 0)
        self.assertFalse(left.exists())
        self.assertTrue(other.exists() and mine.exists())

    def test_named_pipes_and_devices_are_refused_at_once(self):
        os.mkfifo(self.folder / "pipe.yaml")
        for path in ("pipe.yaml", "/dev/zero", "/dev/null"):
            done = self.pkm("check", path, timeout=20)
            self.assertEqual(done.returncode, 2)
            self.assertIn("named pipe" if path[0] == "p" else "device", done.stderr)


class Words(Program):
    def test_control_characters_do_not_reach_the_terminal(self):
        text = SIAX.read_text()
        name = next(line for line in text.splitlines() if line.startswith("name:"))
        model = self.write("bad.yaml", text.replace(name, 'name: "a\\e[31mb"'))
        self.assertIn("control character U+001B", self.refused(2, "check", model, place=True))
        done = self.pkm("check", SIAX, "--set", "x\x1b[31m=1")
        self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_nor_do_those_of_a_command_line(self):
        """Names of verbs, options, values and folders come back in messages, manifests and lines such as `results in`."""
        for bad in ("a\x1b[31m", "a\u009b31m", "a\x7f", "a\u202eb", "a\u2066b"):
            for words in ([bad], ["export", bad, SIAX], ["check", bad], ["inverse", SIAX, "-o", bad], ["draw", SIAX, bad],
                          ["draw", SIAX, "-o", bad], ["motors", SIAX, "--motors", bad], ["matrices", SIAX, "--at", bad],
                          ["inverse", SIAX, "--column", "{%s: =qA.force}" % bad], ["check", SIAX, "--set", bad + "=1"]):
                done = self.pkm(*words)
                self.assertEqual(done.returncode, 2, words)
                self.assertEqual([c for c in bad[1:2] if c in done.stdout + done.stderr], [], done.stderr)
            self.assertFalse((self.folder / bad).exists())

    def test_a_full_disk_is_an_error_for_text_too(self):
        with open("/dev/full", "w") as full:
            for arguments in (["check", SIAX], ["ik", SIAX, "--at", "0,0,-1"], ["--version"], ["modes", SIAX], ["inverse", "--help"]):
                done = subprocess.run([PKM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True,
                                      cwd=self.folder)
                self.assertEqual((done.returncode, done.stderr),
                                 (2, "pkm: output: cannot write: No space left on device\n"))

    def test_a_folder_that_cannot_be_written_is_found_before_the_work(self):
        self.write("file", "")
        # Far more work than the test may take.
        for folder in ("file", "file/out"):
            line = self.refused(2, "simulate", SIAX, "--for", "100", "--instants", "1000001", "-o", folder)
            self.assertIn("file: is not a folder", line)

    def test_numbers_that_overflow_are_no_answer(self):
        line = self.refused(3, "inverse", ROOT / "robots/gough-stewart.yaml", "--set", "g=1e308")
        self.assertRegex(line, 'row 1, column "q1.force": .* left the range of numbers')


if __name__ == "__main__":
    unittest.main()
