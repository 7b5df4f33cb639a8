"""The benchmarks are not part of `make check`, but they compile: what they call is still there."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PEERS = {"bench_mujoco.c"}  # needs a peer's headers
# robots whose code bench_generated.c and bench_generated_closed.c time; that of siax has the same functions in both
GENERATED = ("siax", "gough-stewart", "lindelta", "triglide", "3pprs", "3ppsr", "isoglideT3", "isoglide4", "prrr2prpar")


class Benchmarks(unittest.TestCase):
    @unittest.skipUnless(os.access(os.environ.get("PKM", ""), os.X_OK), "the program is not built")
    def test_they_compile(self):
        compiler = os.environ.get("CC") or shutil.which("cc")
        sources = [path for path in sorted((ROOT / "benchmarks").glob("*.c")) if path.name not in PEERS]
        self.assertGreater(len(sources), 10)
        command = [compiler, "-std=c17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE",
                   '-DPKM_SOURCE_DIR="."', '-DPKM_PROGRAM="pkm"', '-DPKM_BENCH_OUTPUT="."',
                   "-I", ROOT / "src", "-I", ROOT / "include", "-I", ROOT / "benchmarks"]
        with tempfile.TemporaryDirectory() as folder:
            for robot in GENERATED:
                subprocess.run([os.environ["PKM"], "export", "c", ROOT / f"robots/{robot}.yaml", "--what", "inverse", "-o", folder],
                               check=True, capture_output=True)
            done = subprocess.run([*command, "-I", folder, *sources], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
