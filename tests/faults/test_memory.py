"""The n-th allocation fails: the program says "out of memory" and ends with 1, or does not need it."""

import unittest

from faulty import IS_LONG, LIBRARY, VERBS, Faulty, some


@unittest.skipUnless(LIBRARY, "needs the library of faults")
class Memory(Faulty):
    def check(self, verb, fail, tally):
        words, out = self.arguments(verb)
        done = self.with_faults(words, PKM_FAIL_ALLOCATION=fail)
        what = f"{verb}, allocation {fail}: {done.returncode} {done.stderr[-300:]}"
        # A study whose worker has no memory: the case died, the others are there.
        allowed = (0, 1, 4) if verb == "study" else (0, 1)
        self.assertIn(done.returncode, allowed, what)
        if done.returncode == 1:
            self.assertIn("memory", done.stderr, what)
        self.assertEqual(list(self.folder.rglob("*.tmp")), [], what)
        tally[done.returncode] = tally.get(done.returncode, 0) + 1

    def test_every_verb_says_so(self):
        self.prepare()
        tally = {}
        for verb in VERBS:
            n = self.count(verb)[0]
            for k in some(n, 8, verb):
                self.check(verb, k, tally)
                if IS_LONG or k % 3 == 0:
                    self.check(verb, f"{k}+", tally)
        self.assertGreater(tally[1], 20)
        print(f"allocations that failed: {sum(tally.values())}, by exit code {tally}")


if __name__ == "__main__":
    unittest.main()
