"""The JSON Schema of the study file is true: it takes what pkm takes and refuses what pkm refuses.

Needs Debian's python3-jsonschema and python3-yaml, hence Debian's python3.
"""

import os
import sys

SYSTEM = "/usr/bin/python3"
if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and os.path.exists(SYSTEM):
    os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

from test_schema import changed, load, property_names, with_text_keys

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "schema/pkm-study-1.schema.json"
SCHEMA = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = ROOT / "docs/reference/study-file.md"
RESOLVER = jsonschema.RefResolver(FILE.as_uri(), SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, resolver=RESOLVER)
PROGRAM = os.environ.get("PKM", "")

#: Keys that a run has, and those that stand in it; the page of run files describes them.
RUN = set(json.loads((ROOT / "schema/pkm-run-1.schema.json").read_text(encoding="utf-8"))["properties"])

GOOD = {
    "study": 1, "description": "x", "source": "y", "robot": str(ROOT / "robots/siax.yaml"), "analysis": "simulate",
    "set": {"m2": "0.3 kg"}, "parameters": {"mu": 0.1}, "motion": "paper", "instants": 5, "tolerance": 1e-6,
    "verify": True, "chaotic_above": "10 %", "signals": ["q?.force"],
    "outputs": {"a": {"column": "qA.force", "measure": "peak", "label": "force"}, "b": "time of peak qB.force"},
    "factors": {"friction": {"off": {}, "on": {"friction": {"spherical": {"static": "=mu", "radius": "10 mm"}}}},
                "payload": {"light": {}, "heavy": {"set": {"m5": "6 kg"}}}},
    "published": [{"text": "x", "value": "1 N m", "output": "a", "case": {"friction": "on"}, "of": "ratio",
                   "tolerance": "5 %", "bound": "below", "note": "y"}],
}

#: What is done to GOOD: the path to a map or list, a key, its new value (None: gone).
WRONG = [
    ((), "study", None),
    ((), "study", 2),
    ((), "robot", None),
    ((), "outputs", None),
    ((), "outputs", {}),
    ((), "outputs", {"a": "largest qA.force"}),
    ((), "outputs", {"a": {"measure": "peak"}}),
    ((), "outputs", {"a": {"column": "qA.force", "measure": "mean"}}),
    ((), "analysis", "statics"),
    ((), "verify", "maybe"),
    ((), "signals", "all"),
    ((), "factor", {}),
    ((), "chaotic_above", 0),
    ((), "sweep", {"m5": ["1 kg"]}),
    ((), "instants", 1),
    ((), "friction", {"spherical": {"radius": 1}}),
    ((), "elastodynamics", {"element": 2}),
    (("factors",), "payload", {"one": {}}),
    (("factors",), "payload", {"one": {}, "two": {"masses": 1}}),
    (("factors",), "payload", {"one": {}, "two": {"set": {"m5": []}}}),
    (("published", 0), "text", None),
    (("published", 0), "value", "much"),
    (("published", 0), "of", "all"),
    (("published", 0), "bound", "left"),
]
SWEPT = {key: value for key, value in GOOD.items() if key not in ("factors", "published")}
WRONG_SWEEPS = [{}, {"m5": "1 kg"}, {"m5": []}, {"m5": {"from": 1, "to": 2}}, {"m5": {"from": 1, "to": 2, "n": 1}},
                {"m5": {"from": 1, "to": 2, "n": 3, "steps": 4}}]


def page_examples():
    text = PAGE.read_text(encoding="utf-8")
    return [with_text_keys(yaml.safe_load(t)) for t in re.findall(r"^```yaml\n(.*?)^```$", text, re.S | re.M)]


def errors(study):
    return [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(study)]


def message(study, folder):
    file = folder / "study.yaml"
    file.write_text(json.dumps(study, indent=1), encoding="utf-8")
    done = subprocess.run([PROGRAM, "study", str(file), "-o", str(folder / "out"), "--fresh"], capture_output=True,
                          text=True)
    return done.returncode, done.stderr


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_it_takes_every_study(self):
        for path in sorted((ROOT / "studies").glob("*.yaml")):
            with self.subTest(path.name):
                self.assertEqual(errors(load(path)), [])
        self.assertEqual(errors(GOOD), [])
        self.assertEqual(errors(dict(SWEPT, sweep={"m5": {"from": "1 kg", "to": "2 kg", "n": 3, "log": True}})), [])

    def test_it_takes_the_examples_of_the_page(self):
        whole, sweep, published = page_examples()
        self.assertEqual(errors(whole), [])
        self.assertEqual(errors(dict(whole, **published)), [])
        del whole["factors"]
        self.assertEqual(errors(dict(whole, **sweep)), [])

    def test_the_page_describes_every_key(self):
        page = PAGE.read_text(encoding="utf-8")
        for key in sorted(set(property_names(SCHEMA)) - RUN):
            with self.subTest(key):
                self.assertRegex(page, rf"(?<![A-Za-z_]){re.escape(key)}(?![A-Za-z_])")

    def test_it_knows_the_keys_of_run_files(self):
        self.assertEqual(RUN - set(SCHEMA["properties"]) - {"run"}, set())
        self.assertEqual(RUN - set(SCHEMA["$defs"]["settings"]["properties"]) - {"run", "description"}, set())

    def test_it_refuses_wrong_files(self):
        for case in WRONG:
            with self.subTest(case):
                self.assertFalse(VALIDATOR.is_valid(changed(GOOD, *case)))
        for sweep in WRONG_SWEEPS:
            with self.subTest(sweep):
                self.assertFalse(VALIDATOR.is_valid(dict(SWEPT, sweep=sweep)))

    @unittest.skipUnless(os.access(PROGRAM, os.X_OK), "the program is not built")
    def test_the_program_refuses_them_too(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            self.assertEqual(message(GOOD, folder), (0, ""))
            for study in [changed(GOOD, *case) for case in WRONG] + [dict(SWEPT, sweep=s) for s in WRONG_SWEEPS]:
                with self.subTest(study):
                    code, text = message(study, folder)
                    self.assertEqual(code, 2)
                    self.assertRegex(text, r"study\.yaml:\d+:\d+: ")


if __name__ == "__main__":
    unittest.main()
