"""The program explains itself: --help, --version, and what it says to commands it does not know."""

import re
import shlex
import time
import unittest

from program import ROOT, Program, is_sanitized

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

    def test_every_verb_has_help_with_usage_options_and_two_examples(self):
        for verb in self.verbs():
            with self.subTest(verb):
                done = self.pkm(verb, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, f"^pkm {verb} ([a-z]+ )?[A-Z]+")
                for part in ("--json", "--set NAME=VALUE", f"Examples:\n  pkm {verb} "):
                    self.assertIn(part, done.stdout)
                self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
                self.assertEqual(len(self.examples(verb)), 2)

    def examples(self, verb):
        """The command lines that --help of a verb ends with, without the program."""
        lines = self.pkm(verb, "--help").stdout.partition("Examples:\n")[2].splitlines()
        return [shlex.split(line)[1:] for line in lines]

    def test_the_examples_work(self):
        for name in ("robots", "studies", "motors"):
            (self.folder / name).symlink_to(ROOT / name)
        # A page is opened, and its engine is not in every build: tests/browser looks at it.
        # The library of FMUs is not in builds with sanitizers: golden.fmu looks at it in the others.
        without = {"view", "export"} if is_sanitized() else {"view"}
        verbs = [verb for verb in self.verbs() if verb not in without]
        for verb in sorted(verbs, key=lambda verb: verb in ("analyse", "report")):
            for example in self.examples(verb):
                if "siax-scenarios" in " ".join(example):
                    continue  # half a minute
                with self.subTest(" ".join(example)):
                    done = self.pkm(*example)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

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
