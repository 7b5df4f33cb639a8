"""Every verb through the library gives what the program prints: all values of `--json`, all of the text.

Run by test_verbs.py, with the package and its library in place.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

import pkm

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["PKM"]
SIAX = str(ROOT / "robots/siax.yaml")
STUDY = str(ROOT / "studies/000-1-triglide.yaml")
BALLS = "spherical: {radius: 5 mm, radial: 0.02 mm}"
VARIES = {"wall_time"}  # of the clock, in every run another

# Verb: how it is asked, each a model and its options; OUT is a folder, RUN one that a run has left.
ASKED = {
    "check": [(SIAX, {}), (SIAX, {"bodies": True, "tree": True, "set": {"m5": "8 kg"}})],
    "ik": [(SIAX, {"at": "0.1,0,-0.9", "velocity": "1,0,0", "search": 3})],
    "fk": [(SIAX, {"drives": "30 deg, 20 deg, 10 deg"})],
    "inverse": [(SIAX, {"o": "OUT", "instants": 41, "reactions": True}), (SIAX, {"method": "closed", "o": "OUT"})],
    "compare": [(SIAX, {"instants": 41, "o": "OUT"}), (SIAX, {"instants": 11, "generated": True})],
    "simulate": [(SIAX, {"for_": "0.02 s", "o": "OUT", "friction": {"spherical": {"static": 0.1, "radius": "5 mm"}}, "verify": True})],
    "envelope": [(SIAX, {"clearance": BALLS, "o": "OUT"}),
                 (SIAX, {"clearance": BALLS, "motion": "paper", "instants": 11, "o": "OUT"})],
    "workspace": [(SIAX, {"points": 6, "o": "OUT"})],
    "elastodynamics": [(SIAX, {"for_": "0.02 s", "o": "OUT"})],
    "modes": [(SIAX, {"o": "OUT"}), (SIAX, {"link": "A.left", "modes": 3, "o": "OUT"}), (SIAX, {"convergence": "1..3"}),
              (SIAX, {"along": "paper", "points": 4, "modes": 3, "o": "OUT"}),
              (SIAX, {"response": "1..100", "points": 20, "o": "OUT"})],
    "stiffness": [(SIAX, {}), (SIAX, {"at": "0.1,0,-0.9", "o": "OUT"})],
    "analyse": [("RUN/table.csv", {"o": "OUT"})],
    "effects": [("all", {}), ("modes", {})],
    "matrices": [(SIAX, {"at": "0.1,0,-0.9"}), (SIAX, {"force": "1,0,0", "o": "OUT"})],
    "motors": [(SIAX, {"motors": ROOT / "motors/servo.yaml", "o": "OUT"})],
    "fastest": [(SIAX, {"force": 450, "o": "OUT"})],
    "draw": [(SIAX, {"o": "OUT"}), (SIAX, {"motion": "paper", "poses": 3, "view": "x", "o": "OUT"})],
    "plot": [("RUN", {"column": "q?.force", "o": "OUT"}), ("RUN", {"path": "space", "o": "OUT"})],
    "shape": [(SIAX, {"motion": {"duration": "5 ms", "drives": {"qA": "0.1 deg"}}, "frequency": "2000 Hz",
                      "flexible": {"A.left": {"modes": 1}}, "tolerance": 1e-5, "o": "OUT"})],
    "schema": [("run", {}), ("options", {"table": "motors"})],
    "completion": [("bash", {}), ("man", {})],
    "study": [(STUDY, {"o": "OUT", "j": 1})],
    "report": [("RUN", {"o": "OUT.html"})],
    "view": [(SIAX, {"no_open": True, "o": "OUT.html"})],
    "export c": [(SIAX, {"o": "OUT"})],
    "export fmu": [(SIAX, {"o": "OUT.fmu"})],
}
WITHOUT = {"export"}  # asked by its kinds


def words(verb, model, options):
    """The command line of the same question."""
    out = [PROGRAM, *verb.split(), model]
    for name, value in options.items():
        name = name.rstrip("_").replace("_", "-")
        dashed = f"--{name}" if len(name) > 1 else f"-{name}"
        if value is True:
            out.append(dashed)
        elif name == "set":
            for key, one in value.items():
                out += [dashed, f"{key}={one}"]
        else:
            out += [dashed, json.dumps(value) if isinstance(value, dict) else str(value)]
    return out


def steady(value):
    """Without what the clock decides."""
    if isinstance(value, dict):
        return {key: steady(one) for key, one in value.items() if key not in VARIES}
    return [steady(one) for one in value] if isinstance(value, list) else value


def count(value):
    if isinstance(value, dict):
        return sum(count(one) for one in value.values())
    return sum(count(one) for one in value) if isinstance(value, list) else 1


class Verbs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.run_folder = cls.folder / "run"
        subprocess.run([PROGRAM, "inverse", SIAX, "-o", cls.run_folder], check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def place(self, value):
        """OUT and RUN in the temporary folder."""
        if not isinstance(value, str):
            return value
        return value.replace("OUT", str(self.folder / "out")).replace("RUN", str(self.run_folder))

    def clear(self):
        for path in self.folder.glob("out*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def program(self, asked):
        self.clear()
        done = subprocess.run(asked, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, (asked, done.stderr))
        return done.stdout

    def test_every_verb_is_asked_here(self):
        self.assertEqual(set(pkm.verbs()), set(ASKED) | WITHOUT)

    def test_analyses_of_the_library_give_the_trees_of_the_verbs(self):
        """One tree per analysis: what a call of the library answers is what its verb answers, value by value."""
        robot = pkm.load(SIAX)
        balls, stop = {"spherical": {"radius": "5 mm", "radial": "0.02 mm"}}, {"for": "20 ms", "instants": 11}
        steel = {"A.left1": {"radius": "5 mm", "radial": "0.1 mm", "material": "steel"}}
        seated = {"spherical": {"radius": "5 mm", "radial": "0.02 mm", "fidelity": "seated"}}
        asked = [("inverse", {"instants": 21}, {"instants": 21}),
                 ("inverse", {"method": "closed", "instants": 21}, {"method": "closed", "instants": 21}),
                 ("simulate", {**stop, "verify": True}, {"for_": "20 ms", "instants": 11, "verify": True}),
                 ("simulate", {"for": "2 ms", "instants": 3, "clearance": steel}, {"for_": "2 ms", "instants": 3, "clearance": steel}),
                 ("simulate", {"instants": 11, "clearance": seated}, {"instants": 11, "clearance": seated}),
                 ("elastodynamics", {**stop, "verify": True}, {"for_": "20 ms", "instants": 11, "verify": True}),
                 ("elastodynamics", {**stop, "stiffening": True, "step": "0.1 ms"}, {"for_": "20 ms", "instants": 11, "stiffening": True, "step": "0.1 ms"}),
                 ("modes", {"modes": 4}, {"modes": 4}), ("stiffness", {"weight": True}, {"weight": True}),
                 ("envelope", {"clearance": balls}, {"clearance": balls}),
                 ("envelope", {"clearance": balls, "motion": "paper", "instants": 5}, {"clearance": balls, "motion": "paper", "instants": 5}),
                 ("workspace", {"points": 6}, {"points": 6})]
        for verb, keys, options in asked:
            with self.subTest(verb=verb, keys=keys):
                ours, theirs = getattr(robot, verb)(keys).tree, pkm.call(verb, SIAX, **options).values
                self.assertIsNone(theirs.pop("folder", None))
                self.assertEqual(steady(ours), steady(theirs))
                self.assertGreater(count(ours), 10)

    def test_every_value_that_the_program_prints_is_in_the_result(self):
        seen = 0
        for verb, questions in ASKED.items():
            for model, options in questions:
                model, options = self.place(model), {name: self.place(value) for name, value in options.items()}
                with self.subTest(verb=verb, options=options):
                    asked = words(verb, model, options)
                    said, text = self.program([*asked, "--json"]), self.program(asked)
                    self.clear()
                    result = pkm.call(verb, model, **options)
                    self.assertTrue(all(Path(path).is_file() for path in result.files), result.files)
                    if not result.values:  # schema, completion: text is all there is
                        self.assertEqual(result.text, said)
                        continue
                    self.assertEqual(steady(result.values), steady(json.loads(said)))
                    self.assertEqual(steady(json.loads(result.json())), steady(json.loads(said)))
                    if "wall_time" not in said and " s on " not in text:
                        self.assertEqual(result.text, text)
                    seen += count(result.values)
        self.assertGreater(seen, 3000)

    def test_tables_of_a_verb_are_those_of_its_file(self):
        result = pkm.call("inverse", SIAX, o=self.folder / "out")
        with open(self.folder / "out/table.csv", encoding="utf-8") as file:
            names = [word.split(" [")[0] for word in file.readline().strip().split(",")]
            rows = np.loadtxt(file, delimiter=",")
        self.assertEqual(result.tables["rows"].columns, names)
        np.testing.assert_array_equal(result.tables["rows"].array[:len(rows)], rows)

    def test_nothing_is_written_or_printed_unless_asked(self):
        script = ("import pkm, sys; r = pkm.call('inverse', sys.argv[1]); "
                  "assert r['folder'] is None and not r.files and 'results in' not in r.text")
        empty = self.folder / "empty"
        empty.mkdir()
        done = subprocess.run([sys.executable, "-c", script, SIAX], cwd=empty, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(list(empty.iterdir()), [])

    def test_a_robot_in_memory_answers_as_its_file_does(self):
        robot = pkm.load(SIAX, m5="8 kg")
        for verb, options in (("check", {}), ("matrices", {"at": "0.1,0,-0.9"}), ("inverse", {"instants": 21}),
                              ("modes", {"modes": 3}), ("fastest", {"force": 450})):
            with self.subTest(verb=verb):
                ours = pkm.call(verb, robot, **options).values
                theirs = pkm.call(verb, SIAX, set={"m5": "8 kg"}, **options).values
                self.assertEqual(steady(ours), steady(theirs))

    def test_values_have_units_and_paths(self):
        result = pkm.call("motors", SIAX, motors=ROOT / "motors/servo.yaml")
        self.assertEqual(result["motors.0.name"], result.values["motors"][0]["name"])
        self.assertEqual(result.unit("motors.0.rated_torque"), "N m")
        with self.assertRaises(KeyError):
            result["motors.99.name"]

    def test_mistakes_are_the_sentences_of_the_program(self):
        for verb, model, options in (("check", "none.yaml", {}), ("chek", SIAX, {}), ("check", SIAX, {"bodes": True}),
                                     ("motors", SIAX, {}), ("ik", SIAX, {"at": "5,0,0"}),
                                     ("check", SIAX, {"bodies": "yes"}), ("simulate", SIAX, {"for_": ["1 s", "2 s"]})):
            with self.subTest(verb=verb, options=options):
                with self.assertRaises(pkm.Error) as raised:
                    pkm.call(verb, model, **options)
                if "yes" in options.values() or any(isinstance(v, list) for v in options.values()):
                    continue
                done = subprocess.run(words(verb, model, options), capture_output=True, text=True, check=False)
                self.assertIn(raised.exception.text, done.stderr)
                self.assertIn(done.returncode, (2, 3))
        with self.assertRaises(pkm.InputError):
            pkm.call("study", pkm.load(SIAX))

    def test_progress_stops_a_run_and_keeps_its_rows(self):
        heard = []

        def stop(what, fraction):
            heard.append((what, fraction))
            return fraction < 0.3

        with self.assertRaises(pkm.Error) as raised:
            pkm.call("inverse", SIAX, instants=2001, progress=stop)
        self.assertEqual(raised.exception.status, "PKM_ERR_INTERRUPTED")
        self.assertEqual(heard[0], ("inverse dynamics", 0.0))
        rows = raised.exception.answer.tables["rows"]
        self.assertTrue(100 < len(rows) < 1500, len(rows))

        def broken(what, fraction):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            pkm.call("inverse", SIAX, progress=broken)

    def test_threads_do_not_disturb_each_other(self):
        alone = {m: steady(pkm.call("inverse", SIAX, set={"m5": f"{m} kg"}, reactions=True).values) for m in (2, 5, 8)}
        found = {}

        def work(mass):
            for _ in range(4):
                found[mass] = steady(pkm.call("inverse", SIAX, set={"m5": f"{mass} kg"}, reactions=True).values)

        threads = [threading.Thread(target=work, args=(mass,)) for mass in alone]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, alone)
        self.assertTrue(all(math.isfinite(v["drives"][0]["max_force"]) for v in found.values()))


if __name__ == "__main__":
    unittest.main()
