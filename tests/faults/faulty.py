"""Running the program with faults: $PKM_FAULTS_LIBRARY before it; PKM_FAULTS=long for all of them."""

import os
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "golden"))

from program import PKM, ROOT, Program  # noqa: E402

LIBRARY = os.environ.get("PKM_FAULTS_LIBRARY", "")
IS_LONG = os.environ.get("PKM_FAULTS") == "long"
SIAX = str(ROOT / "robots/siax.yaml")

STUDY = f"""study: 1
robot: {SIAX}
analysis: inverse
instants: 21
outputs: {{torque: peak qA.force}}
sweep: {{m5: [1 kg, 2 kg, 3 kg]}}
"""

# One short run of every verb; {out} is a folder, {study} a study file, {table} and {run} results of earlier runs.
VERBS = {
    "check": ["check", SIAX],
    "ik": ["ik", SIAX, "--at", "0,0,-1"],
    "fk": ["fk", SIAX, "--drives", "0.3,0.3,0.3"],
    "inverse": ["inverse", SIAX, "--instants", "11", "-o", "{out}"],
    "compare": ["compare", SIAX, "--instants", "11"],
    "simulate": ["simulate", SIAX, "--for", "5 ms", "--instants", "6", "-o", "{out}"],
    "friction": ["simulate", SIAX, "--for", "2 ms", "--instants", "3", "--friction",
                 "spherical: {{static: 0.11, dynamic: 0.084, radius: 10mm}}", "-o", "{out}"],
    "flexible": ["simulate", SIAX, "--for", "0.5 ms", "--instants", "3", "--flexible", "A.left: {{modes: 2}}", "-o",
                 "{out}"],
    "clearance": ["simulate", SIAX, "--for", "0.5 ms", "--instants", "3", "--clearance",
                  "A.left1: {{radial: 0.1 mm, radius: 10 mm, stiffness: 1.5e11}}", "-o", "{out}"],
    "envelope": ["envelope", SIAX, "--at", "0,0,-1", "--clearance", "A.left1: {{radial: 0.1 mm}}", "-o", "{out}"],
    "workspace": ["workspace", SIAX, "--slice", "z=-1", "--points", "5", "-o", "{out}"],
    "modes": ["modes", SIAX, "-o", "{out}"],
    "stiffness": ["stiffness", SIAX],
    "study": ["study", "{study}", "-j", "1", "-o", "{out}"],
    "analyse": ["analyse", "{table}", "--column", "qA.force", "-o", "{out}"],
    "report": ["report", "{run}", "-o", "{out}.html"],
    "elastodynamics": ["elastodynamics", SIAX, "--flexible", "A.left: {{}}", "--instants", "5", "-o", "{out}"],
    "effects": ["effects", "all"],
    "matrices": ["matrices", SIAX, "--at", "0,0,-1"],
    "motors": ["motors", SIAX, "--motors", str(ROOT / "motors/servo.yaml"), "--instants", "11", "-o", "{out}"],
    "fastest": ["fastest", SIAX, "--motion", "paper", "--force", "450", "--points", "40", "-o", "{out}"],
    "draw": ["draw", SIAX, "--at", "0,0,-1", "-o", "{out}"],
    "shape": ["shape", SIAX, "--motion", "{{duration: 5 ms, drives: {{qA: 0.1 deg}}}}", "--frequency", "2000 Hz", "--flexible",
              "A.left: {{modes: 1}}", "--tolerance", "1e-5", "-o", "{out}"],
    "plot": ["plot", "{run}", "--column", "q?.force", "-o", "{out}"],
    "columns": ["inverse", SIAX, "--instants", "5", "--column", "{{pull: =qA.force*qA.v}}", "-o",
                "{out}"],
    "schema": ["schema", "run"],
    "completion": ["completion", "bash"],
    "fmu": ["export", "fmu", SIAX, "-o", "{out}.fmu"],
    "code": ["export", "c", SIAX, "--what", "ik", "-o", "{out}"],
    "view": ["view", SIAX, "--run", str(ROOT / "runs/siax-clearance.yaml"), "--no-open", "-o", "{out}.html"],
}


class Faulty(Program):
    def setUp(self):
        super().setUp()
        self.study = self.write("study.yaml", STUDY)
        self.made = 0

    def prepare(self):
        done = self.pkm("inverse", SIAX, "--instants", "101", "-o", "run")
        self.assertEqual(done.returncode, 0, done.stderr)

    def verbs(self):
        """All of them; `view` where this build has the engine of its page."""
        done = self.pkm("view", SIAX, "--no-open", "-o", "view.html")
        has_view = "built without the engine" not in done.stderr
        return [verb for verb in VERBS if verb != "view" or has_view]

    def arguments(self, verb):
        self.made += 1
        out = self.folder / f"out{self.made}"
        words = [w.format(out=out, study=self.study, table=self.folder / "run/table.csv", run=self.folder / "run")
                 for w in VERBS[verb]]
        return words, out

    def with_faults(self, words, timeout=120, **faults):
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, OPENBLAS_NUM_THREADS="1")
        environment.update({key: str(value) for key, value in faults.items()})
        return subprocess.run([PKM, *words], cwd=self.folder, capture_output=True, timeout=timeout, encoding="utf-8",
                              errors="replace", env=environment)

    def count(self, verb):
        """Allocations and bytes of an undisturbed run, and the sizes of the allocations."""
        words, _ = self.arguments(verb)
        done = self.with_faults(words, PKM_COUNT=self.folder / "count")
        self.assertEqual(done.returncode, 0, f"{verb}: {done.stderr}")
        n, n_byte, *sizes = [int(x) for x in (self.folder / "count").read_text().split()]
        return n, n_byte, sizes


def alike(one, other):
    """How many sizes two runs have in common from their start: so far they do the same."""
    n = 0
    while n < min(len(one), len(other)) and one[n] == other[n]:
        n += 1
    return n


def some(n, how_many, seed, first=1):
    """All of first ... n in the long version, else `how_many`: the first, the last, and some by chance."""
    if IS_LONG or n <= how_many:
        return list(range(first if IS_LONG else 1, n + 1))
    chance = random.Random(seed)
    return sorted({1, n, *(chance.randint(1, n) for _ in range(how_many - 2))})
