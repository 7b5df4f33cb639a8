"""Running the program in golden tests: $PKM, by default the one in build/release."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PKM = os.environ.get("PKM", str(ROOT / "build/release/pkm"))
ROBOTS = sorted((ROOT / "robots").glob("*.yaml"))
PLACE = re.compile(r"^[^\n]*?:\d+:\d+: [^\n]+\n$")


def is_sanitized():
    """Is the program built with sanitizers?"""
    done = subprocess.run(["readelf", "--dynamic", PKM], capture_output=True, text=True, check=True)
    return "libasan" in done.stdout


class Program(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def pkm(self, *arguments, timeout=300):
        return subprocess.run([PKM, *map(str, arguments)], cwd=self.folder, capture_output=True,
                              timeout=timeout, encoding="utf-8", errors="replace")

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def files(self):
        """Everything in the folder, so that a test can see what a run has left."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def answer(self, *arguments):
        """What `pkm ... --json` says: exit code 0, JSON and nothing else on stdout."""
        done = self.pkm(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout, parse_constant=self.fail)

    def refused(self, code, *arguments, place=False):
        """The message of a run that must fail with `code`: one line, nothing on stdout, no files."""
        before = self.files()
        done = self.pkm(*arguments)
        self.assertEqual(done.returncode, code, f"stdout: {done.stdout}\nstderr: {done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.endswith("\n"))
        self.assertEqual(self.files(), before, "something was half-written")
        if place:
            self.assertRegex(done.stderr, PLACE)
        return done.stderr
