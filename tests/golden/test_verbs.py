"""Every verb of the program through the library, from Python: the same values, texts, files, errors."""

import os
import subprocess
import unittest
from pathlib import Path

from test_python import LIBRARY, ROOT, python


class Verbs(unittest.TestCase):
    @unittest.skipUnless(LIBRARY.exists(), "static libraries")
    @unittest.skipUnless(python(), "no Python with NumPy and cffi")
    def test_the_library_does_what_the_program_does(self):
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"), PKM_LIBRARY=str(LIBRARY))
        done = subprocess.run([python(), "-B", Path(__file__).with_name("python_verbs.py")], capture_output=True, text=True,
                              env=environment, timeout=400, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
