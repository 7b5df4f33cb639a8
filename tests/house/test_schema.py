"""The JSON Schema of the model file is true: it takes what pkm takes and refuses what pkm refuses.

Needs Debian's python3-jsonschema and python3-yaml, hence Debian's python3.
"""

import os
import sys

SYSTEM = "/usr/bin/python3"
if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM) and os.path.exists(SYSTEM):
    os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])

import copy
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "schema/pkm-model-1.schema.json").read_text(encoding="utf-8"))
EVERYTHING = ROOT / "tests/unit/model/data/everything.yaml"
PAGE = ROOT / "docs/reference/model-file.md"
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def with_text_keys(node):
    """YAML keys are names: `1: 0 deg` in a map means the name "1"."""
    if isinstance(node, dict):
        return {str(key): with_text_keys(value) for key, value in node.items()}
    if isinstance(node, list):
        return [with_text_keys(value) for value in node]
    return node


def load(path):
    return with_text_keys(yaml.safe_load(path.read_text(encoding="utf-8")))


def models():
    return [EVERYTHING, *sorted((ROOT / "robots").rglob("*.yaml"))]


def property_names(node):
    """Every key that the schema names, anywhere in it."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                yield from value
            yield from property_names(value)
    elif isinstance(node, list):
        for value in node:
            yield from property_names(value)


def keys_of(node):
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from keys_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from keys_of(value)


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_it_takes_every_model(self):
        for path in models():
            with self.subTest(path.name):
                errors = [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(load(path))]
                self.assertEqual(errors, [])

    def test_it_names_no_key_that_pkm_does_not_read(self):
        # pkm reads everything.yaml and refuses unknown keys, so a key in there is a true key.
        self.assertEqual(set(property_names(SCHEMA)) - set(keys_of(load(EVERYTHING))), set())

    def test_the_page_describes_every_key(self):
        page = PAGE.read_text(encoding="utf-8")
        for key in sorted(set(property_names(SCHEMA))):
            with self.subTest(key):
                self.assertRegex(page, rf"(?<![A-Za-z_]){re.escape(key)}(?![A-Za-z_])")


#: What is done to everything.yaml: the path to a map or list, a key, its new value (None: gone).
WRONG = [
    ((), "pkm", None),
    ((), "pkm", 2),
    ((), "name", None),
    ((), "robot", "x"),
    ((), "gravity", [0, 0]),
    ((), "gravity", 9.81),
    (("parameters",), "a b", 1),
    (("parameters",), "sin", 1),
    (("parameters",), "l1", "long"),
    (("parameters",), "l1", [1]),
    (("materials", "steel"), "colour", "grey"),
    (("materials", "steel"), "density", -1),
    (("bodies",), "a.b", {"mass": 1}),
    (("bodies", "platform"), "mas", 1),
    (("bodies", "platform"), "mass", -1),
    (("bodies", "platform"), "mass", "-1.58 kg"),
    (("bodies", "platform"), "mass", "heavy"),
    (("bodies", "platform"), "mass", None),
    (("bodies", "platform"), "inertia", [1, 2]),
    (("bodies", "platform"), "inertia", [1, 2, 3, 4]),
    (("bodies", "platform"), "inertia", [-1, 2, 3]),
    (("bodies", "platform"), "pose", {"at": [0, 0]}),
    (("bodies", "platform"), "pose", {"at": [0, 0, 0], "rotate": {"w": 1}}),
    (("bodies", "platform", "points"), "P", 3),
    (("bodies", "disc"), "shape", {"cylinder": {"from": "A", "to": "B"}}),
    (("bodies", "disc"), "shape", {"cone": {"diameter": 1}}),
    (("bodies", "disc"), "shape", {"sphere": {"diameter": 1}, "box": {"size": [1, 1, 1]}}),
    (("bodies", "disc"), "shape", {"sphere": {"diameter": 0}}),
    (("bodies", "disc"), "shape", []),
    (("limbs", "arm", "bodies", "crank", "shape", "tube"), "inner_diameter", 1),
    (("limbs", "arm", "bodies", "crank", "shape", "tube"), "wall", None),
    (("limbs", "arm", "bodies", "crank"), "mass", None),
    (("limbs", "arm"), "copies", None),
    (("limbs", "arm"), "copies", {}),
    (("limbs", "arm", "copies"), "A", "north"),
    (("limbs", "arm", "copies"), "A", {"turn": 3}),
    (("joints", "rail"), "type", "revolut"),
    (("joints", "rail"), "type", None),
    (("joints", "rail"), "between", ["ground.F"]),
    (("joints", "rail"), "between", ["ground", "slide.O"]),
    (("joints", "rail"), "axis", "w"),
    (("joints", "rail"), "swing", 1),
    (("joints", "rail"), "length", 1),
    (("joints", "glue"), "limits", [0, 1]),
    (("limbs", "arm", "joints", "cardan"), "axis", "x"),
    (("drives", "x"), "joint", None),
    (("drives", "x"), "sign", 2),
    (("drives", "x", "limits"), "speed", 2),
    (("tool",), "moves", ["x", "x"]),
    (("tool",), "moves", ["w"]),
    (("home",), "tool", [0, 0, 0]),
    (("motions", "stroke"), "law", "linear"),
    (("motions", "stroke"), "duration", 0),
    (("motions", "stroke"), "path", {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}),
    (("motions", "bow", "path", "arc"), "through", [[0, 0, 0], [1, 0, 0]]),
    (("motions", "turn", "path", "circle"), "angle", 1),
    (("motions", "pick", "path", "inverted_u"), "marks", [0, 1]),
    (("motions", "filed", "samples"), "of", "platform"),
    (("published", 0), "value", None),
    (("published", 0), "quantity", "median P.x"),
    (("published", 0), "motion", None),
    (("closed_form",), "family", None),
    (("closed_form",), "crank", "long"),
]


PROGRAM = os.environ.get("PKM", "")


def changed(model, path, key, value):
    """A copy of the model with one value set or gone."""
    bad = copy.deepcopy(model)
    at = bad
    for step in path:
        at = at[step]
    if value is None:
        del at[key]
    else:
        at[key] = value
    return bad


def message(model, folder):
    """What `pkm check` says to a model; JSON is YAML."""
    for name in ("tetra.stl", "samples.csv"):
        (folder / name).write_bytes((EVERYTHING.parent / name).read_bytes())
    file = folder / "model.yaml"
    file.write_text(json.dumps(model, indent=1), encoding="utf-8")
    run = subprocess.run([PROGRAM, "check", str(file)], capture_output=True, text=True)
    return run.returncode, run.stderr


class Wrong(unittest.TestCase):
    def test_the_schema_refuses_wrong_files(self):
        good = load(EVERYTHING)
        for case in WRONG:
            with self.subTest(case):
                self.assertFalse(VALIDATOR.is_valid(changed(good, *case)))

    @unittest.skipUnless(os.access(PROGRAM, os.X_OK), "the program is not built")
    def test_the_program_refuses_them_too(self):
        good = load(EVERYTHING)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            _, before = message(good, folder)
            for case in WRONG:
                with self.subTest(case):
                    code, text = message(changed(good, *case), folder)
                    self.assertEqual(code, 2)
                    self.assertRegex(text, r"model\.yaml:\d+:\d+: ")
                    self.assertNotEqual(text, before)


if __name__ == "__main__":
    unittest.main()
