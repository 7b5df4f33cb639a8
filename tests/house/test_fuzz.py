"""Every source that reads files or command lines counts in the campaign of a fuzz target (tests/fuzz/readers.txt)."""

import fnmatch
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import fuzz_campaign  # noqa: E402

READ = ["base", "model", "run", "study", "table", "write", "report", "verb", "force"]  # folders in which all do


class Owners(unittest.TestCase):
    def test_every_reader_has_a_target(self):
        patterns = fuzz_campaign.owners()
        targets = {path.stem[len("fuzz_"):] for path in (ROOT / "tests/fuzz").glob("fuzz_*.c")}
        files = [str(path) for path in (ROOT / "src").rglob("*.[ch]")]
        for pattern, names in patterns:
            self.assertTrue(names, f"{pattern} belongs to no target")
            self.assertLessEqual(set(names), targets, pattern)
            self.assertTrue(fnmatch.filter(files, pattern), f"no source fits {pattern}")
        owned = {path: fuzz_campaign.owners_of(path, patterns) for path in files}
        self.assertEqual({name for names in owned.values() for name in names}, targets)
        for folder in READ:
            for path in (ROOT / "src" / folder).iterdir():
                self.assertTrue(owned[str(path)], f"{path} belongs to no target")


if __name__ == "__main__":
    unittest.main()
