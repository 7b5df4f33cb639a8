"""What nobody could wait for or hold is refused before memory is asked for."""

import resource
import subprocess
import unittest

from program import PKM, ROOT, Program, is_sanitized

SIAX = ROOT / "robots/siax.yaml"


class Bounds(Program):
    def refused_small(self, *words):
        """The message, from a program that may hold 2 GB of memory."""
        def limit():
            if not is_sanitized():  # sanitizers reserve more than any limit
                resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, 2 << 30))
        done = subprocess.run([PKM, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=limit)
        self.assertEqual(done.returncode, 2, f"{words}: {done.stderr}")
        self.assertEqual(self.files(), [])
        return done.stderr

    def test_options(self):
        for words in (["inverse", SIAX, "--instants", "100000000"], ["compare", SIAX, "--instants", "100000000"],
                      ["simulate", SIAX, "--instants", "100000000"],
                      ["envelope", SIAX, "--motion", "paper", "--instants", "100000000", "--clearance",
                       "spherical: {radial: 0.1 mm}"],
                      ["inverse", SIAX, "--instants", "99999999999999999999"]):
            self.assertIn("10000000", self.refused_small(*words))
        self.assertIn("to 1000000", self.refused_small("ik", SIAX, "--at", "0,0,-1", "--search", "2000000000"))
        self.assertIn("to 100000", self.refused_small("workspace", SIAX, "--slice", "z=-1", "--points", "1000000"))
        self.assertIn("at most 2e+07 in all",
                      self.refused_small("workspace", SIAX, "--slice", "z=-1", "--points", "100000"))


if __name__ == "__main__":
    unittest.main()
