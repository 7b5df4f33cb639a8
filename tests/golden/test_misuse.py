"""Wrong arguments to every function of the library get an answer, not a crash."""

import os
import subprocess
import unittest
from pathlib import Path

from test_python import LIBRARY, ROOT, python


class Misuse(unittest.TestCase):
    @unittest.skipUnless(LIBRARY.exists(), "static libraries")
    @unittest.skipUnless(python(), "no Python with NumPy and cffi")
    def test_every_function_answers(self):
        environment = dict(os.environ, PYTHONPATH=str(ROOT / "python"), PKM_LIBRARY=str(LIBRARY))
        done = subprocess.run([python(), "-B", Path(__file__).with_name("python_misuse.py")], capture_output=True, text=True,
                              env=environment, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
