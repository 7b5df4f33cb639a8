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
        given = self.files()
        done = subprocess.run([PKM, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=limit)
        self.assertEqual(done.returncode, 2, f"{words}: {done.stderr}")
        self.assertEqual(self.files(), given)
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
        self.assertIn("expected at most 200000000",
                      self.refused_small("workspace", SIAX, "--slice", "z=-1", "--points", "100000"))

    def test_copies(self):
        """In one limb, and of parameters that they set: each copy that does so has all of them."""
        names = [f"c{k}: 0" for k in range(1001)]
        limb = "limbs: {{arm: {{copies: {{{}}}}}}}\n"
        model = self.write("copies.yaml", "pkm: 1\nname: n\n" + limb.format(", ".join(names)))
        self.assertIn("1001 copies, expected 1 to 1000", self.refused_small("check", model))
        parameters = "parameters: {" + ", ".join(f"p{k}: {k}" for k in range(2000)) + "}\n"
        own = ", ".join(f"c{k}: {{set: {{p1: 2}}}}" for k in range(600))
        model = self.write("own.yaml", "pkm: 1\nname: n\n" + parameters + limb.format(own))
        self.assertIn("500 copies with 2000 parameters each, expected at most 1000000 in all", self.refused_small("check", model))

    def test_elements(self):
        """Of a link, of one in pieces, of what grows with their modes, and of all links."""
        for flexible, told in (("A.left: {elements: 201}", "201 elements, expected 1 to 200"),
                               ("A.left: {elements: 10001}", "expected a whole number from 1 to 10000"),
                               ("A.left: {elements: 1601, pieces: 8}", "1608 elements, expected 1 to 1600"),
                               ("A.left: {elements: 400, pieces: 201}", "expected a whole number from 1 to 200"),
                               ("A.left: {modes: 49}", "49 modes asked of 48"),
                               ("*: {elements: 90, modes: full}", "540 modes of 90 elements, expected at most 2e+07"),
                               ("*: {elements: 200, pieces: 200}", "expected at most 5000")):
            self.assertIn(told, self.refused_small("simulate", SIAX, "--for", "1 ms", "--flexible", flexible))
        self.assertIn("expected at most 6000", self.refused_small("modes", SIAX, "--flexible", "*: {elements: 200}"))

    def test_tables(self):
        """Files of more bytes, columns and numbers than anybody has, of which the largest take no room here."""
        for name in ("big.csv", "big.h5"):
            with open(self.folder / name, "wb") as file:
                file.truncate(1100 << 20)
            self.assertIn("expected at most 1024 MB", self.refused_small("analyse", name, "--column", "x"))
        self.write("wide.csv", ",".join(f"c{k} [m]" for k in range(5000)) + "\n")
        self.assertIn("more than 4096 columns", self.refused_small("analyse", "wide.csv", "--column", "c1"))
        huge = ROOT / "tests/fuzz/corpus/hdf5/huge.h5"
        self.assertIn("expected at most 134217728", self.refused_small("analyse", huge, "--column", "t"))

    def test_studies(self):
        text = f"study: 1\nrobot: {SIAX}\nanalysis: inverse\noutputs: {{f: peak qA.force}}\nsweep: "
        level = "{{from: 1 kg, to: 2 kg, n: {}}}"
        one, two = level.format(1000000000), level.format(10000)
        for sweep, told in ((f"{{m5: {one}}}", "1000000000, expected a whole number from 2 to 100000"), (f"{{m5: {two}, m1: {two}}}", "100000000 cases, expected at most 1000000")):
            study = self.write("study.yaml", text + sweep + "\n")
            self.assertIn(told, self.refused_small("study", study, "-o", "out"))


if __name__ == "__main__":
    unittest.main()
