"""The type hints of the Python package, by mypy where it is installed (Debian's mypy)."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Types(unittest.TestCase):
    def test_hints_fit(self):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(["mypy", "--ignore-missing-imports", "--check-untyped-defs", "--disallow-untyped-defs", "--cache-dir",
                                   cache, ROOT / "python/pkm"], capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    if not shutil.which("mypy"):
        print("mypy is not installed: nothing was run")
        sys.exit(77)
    unittest.main()
