"""The disk is full after n bytes: the file and the reason, exit code 2, and nothing half-written.

PKM_FAULTS_VERBS="modes study": only these.
"""

import json
import os
import resource
import subprocess
import unittest

from faulty import IS_LONG, LIBRARY, PKM, Faulty, some


@unittest.skipUnless(LIBRARY, "needs the library of faults")
class Disk(Faulty):
    def check(self, verb, n_byte):
        words, out = self.arguments(verb)
        done = self.with_faults(words, PKM_DISK_BYTES=n_byte)
        what = f"{verb}, {n_byte} bytes: {done.returncode} {done.stderr[-300:]}"
        self.assertEqual(done.returncode, 2, what)
        self.assertRegex(done.stderr, "No space left|disk is full", what)
        self.assertEqual(list(self.folder.rglob("*.tmp")), [], what)
        self.assertFalse((out / "manifest.json").exists(), what)
        for path in list(out.glob("*.json")):
            json.loads(path.read_text())

    def test_every_verb_says_so(self):
        self.prepare()
        n_run = 0
        for verb in os.environ.get("PKM_FAULTS_VERBS", " ".join(self.verbs())).split():
            # Wall times have more or fewer digits, and the log of a database more or fewer pages.
            n = self.count(verb)[1] * (60 if verb == "study" else 97) // 100
            sizes = range(0, n, max(1, n // 400)) if IS_LONG else [k - 1 for k in some(n, 5, verb)]
            for n_byte in sizes if n > 0 else []:
                self.check(verb, n_byte)
                n_run += 1
            if IS_LONG:
                print(f"{verb}: {n} bytes, {n_run} full disks so far", flush=True)
        self.assertGreater(n_run, 20)
        print(f"{n_run} full disks")

    def test_a_file_has_its_name_when_it_is_on_the_disk(self):
        """fsync goes before rename, and its failure is heard."""
        for verb in ("inverse", "draw", "motors", "fmu"):
            words, out = self.arguments(verb)
            done = self.with_faults(words, PKM_FAIL_SYNC=1)
            self.assertEqual(done.returncode, 2, f"{verb}: {done.stderr}")
            self.assertIn("cannot write: Input/output error", done.stderr)
            self.assertEqual([path for path in self.folder.rglob("*") if path.is_file() and path.name != "study.yaml"], [], verb)

    def test_a_limit_of_file_sizes_is_said_too(self):
        """ulimit -f: the signal that would end the program in the middle of a file."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
        for verb in ("inverse", "simulate", "draw", "motors", "fastest", "code", "fmu", "study"):
            words, out = self.arguments(verb)
            done = subprocess.run([PKM, *words], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
            what = f"{verb}: {done.returncode} {done.stderr}"
            self.assertEqual(done.returncode, 2, what)
            self.assertIn("pkm: ", done.stderr, what)
            self.assertEqual(list(self.folder.rglob("*.tmp")), [], what)
            self.assertFalse((out / "manifest.json").exists(), what)


if __name__ == "__main__":
    unittest.main()
