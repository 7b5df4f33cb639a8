"""The Python package: its wheel is built, unpacked and tested with a Python that has NumPy and cffi."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = Path(os.environ["PKM"]).parent / "libpkm.so"


def python():
    """A Python with NumPy and cffi, or None."""
    for name in (sys.executable, "/usr/bin/python3"):
        done = subprocess.run([name, "-c", "import cffi, numpy"], capture_output=True, check=False)
        if done.returncode == 0:
            return name
    return None


class Package(unittest.TestCase):
    @unittest.skipUnless(LIBRARY.exists(), "static libraries")
    @unittest.skipUnless(python(), "no Python with NumPy and cffi")
    def test_the_wheel_works(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/wheel.py", LIBRARY, folder], capture_output=True,
                              text=True, check=True)
        wheel = Path(done.stdout.strip())
        self.assertTrue(wheel.name.startswith("pkm-") and wheel.suffix == ".whl", wheel)
        with zipfile.ZipFile(wheel) as archive:
            self.assertIsNone(archive.testzip())
            record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
            listed = {line.split(",")[0] for line in archive.read(record).decode().splitlines()}
            self.assertEqual(listed, set(archive.namelist()))
            archive.extractall(folder / "site")
        environment = dict(os.environ, PYTHONPATH=str(folder / "site"))
        environment.pop("PKM_LIBRARY", None)  # the wheel brings its own
        done = subprocess.run([python(), "-B", ROOT / "tests/golden/python_package.py"], capture_output=True, text=True,
                              env=environment, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
