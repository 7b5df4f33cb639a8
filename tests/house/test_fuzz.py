"""Every source that reads files or command lines counts in the campaign of a fuzz target (tests/fuzz/readers.txt); what seeds are."""

import fnmatch
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import fuzz_campaign  # noqa: E402
import fuzz_models  # noqa: E402
import fuzz_seeds  # noqa: E402

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


class Seeds(unittest.TestCase):
    def test_models_are_always_the_same_and_name_files_that_are_there(self):
        models = [list(fuzz_models.models(fuzz_seeds.BASE["model"])) for _ in range(2)]  # wants each text that it replaces in the base
        self.assertEqual(*models)
        named = {name for text in models[0] for name in re.findall(r"corpus/[a-z]+/[a-z0-9.-]+", text.decode())}
        self.assertGreater(len(named), 5)
        self.assertEqual([name for name in sorted(named) if not (ROOT / "tests/fuzz" / name).exists()], [])

    def test_a_key_stands_without_those_that_exclude_it(self):
        seeds = fuzz_seeds.Seeds("model", None)
        motion, shape = (seeds.schemas.root["$defs"][name] for name in ("motion", "shape"))
        go = {"duration": "1 s", "drives": "{}"}
        self.assertEqual(seeds.besides(motion, seeds.root, go, "samples"), [{"duration": "1 s"}, {}])
        self.assertEqual(seeds.besides(motion, seeds.root, go, "law"), [go])
        self.assertEqual(seeds.besides(shape, seeds.root, {"rod": "{}"}, "mesh"), [{}])


if __name__ == "__main__":
    unittest.main()
