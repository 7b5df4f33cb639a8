"""The n-th allocation fails: the program says "out of memory" and ends with 1, or does not need it.

PKM_FAULTS_VERBS="study report" breaks only these; the others are counted, for what they have in common.
"""

import os
import re
import shutil
import unittest

from faulty import IS_LONG, LIBRARY, VERBS, Faulty, alike, some


PROBE = 65536  # bytes that the reader of YAML asks for before libfyaml, which crashes without its next two allocations


def is_of_libfyaml(sizes, k):
    """Is allocation k one of the two that libfyaml does not check? pkm has seen before that there is memory."""
    return PROBE in sizes[max(0, k - 3):k - 1]


@unittest.skipUnless(LIBRARY, "needs the library of faults")
class Memory(Faulty):
    def judge(self, verb, fail, tally):
        """What is wrong with a run whose allocation fails; None: nothing."""
        words, out = self.arguments(verb)
        done = self.with_faults(words, PKM_FAIL_ALLOCATION=fail)
        tally[done.returncode] = tally.get(done.returncode, 0) + 1
        left = list(self.folder.rglob("*.tmp"))
        shutil.rmtree(out, ignore_errors=True)
        # A study whose worker has no memory: the case died, the others are there.
        allowed = (0, 1, 4) if verb == "study" else (0, 1)
        is_good = done.returncode in allowed and (done.returncode != 1 or "memory" in done.stderr) and not left
        return None if is_good else f"{verb}, allocation {fail}: {done.returncode} {left} {done.stderr[-300:]}"

    def test_no_verb_is_forgotten(self):
        """Every verb of `pkm --help` has a line in VERBS, and every kind of export."""
        listed = re.findall(r"^  ([a-z]+) {2,}\S", self.pkm("--help").stdout, re.M)
        self.assertGreater(len(listed), 20)
        self.assertEqual(set(listed) - {words[0] for words in VERBS.values()}, set())
        self.assertEqual({words[1] for words in VERBS.values() if words[0] == "export"}, {"fmu", "c"})

    def test_every_verb_says_so(self):
        self.prepare()
        tally, seen, n_all, wrong = {}, [], 0, []
        for verb in self.verbs():
            n, _, sizes = self.count(verb)
            # What it does as a verb before it has done (reading the model), was broken there.
            begin = max((alike(sizes, other) for other in seen), default=0)
            seen.append(sizes)
            if verb not in os.environ.get("PKM_FAULTS_VERBS", verb).split():
                continue
            n_all += n
            for k in some(n, 8, verb, begin + 1):
                if is_of_libfyaml(sizes, k):
                    continue
                found = [self.judge(verb, k, tally)]
                if IS_LONG or k % 3 == 0:
                    found.append(self.judge(verb, f"{k}+", tally))
                wrong += [f for f in found if f]
            if IS_LONG:
                print(f"{verb}: {n} allocations, the first {begin} as before; {sum(tally.values())} runs, "
                      f"{len(wrong)} wrong", flush=True)
        self.assertGreater(tally[1], 20)
        print(f"{n_all} allocations; runs in which one or more failed: {sum(tally.values())}, by exit code {tally}")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
