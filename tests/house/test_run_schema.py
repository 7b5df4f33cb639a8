"""The JSON Schema of the run file is true: it takes what pkm takes and refuses what pkm refuses.

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

from test_schema import changed, keys_of, load, property_names

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "schema/pkm-run-1.schema.json").read_text(encoding="utf-8"))
EVERYTHING = ROOT / "tests/unit/run/data/everything.yaml"
PAGE = ROOT / "docs/reference/run-file.md"
MODEL = ROOT / "robots/siax.yaml"
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

#: Keys that robots/siax.yaml has no use for: no drive of it slides.
ELSEWHERE = {"screw", "lead"}


def page_run():
    """The YAML examples of the page, put together."""
    text = PAGE.read_text(encoding="utf-8")
    return yaml.safe_load("\n".join(re.findall(r"^```yaml\n(.*?)^```$", text, re.S | re.M)))


def errors(run):
    return [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(run)]


class Schema(unittest.TestCase):
    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_it_takes_every_run(self):
        for path in [EVERYTHING, *sorted((ROOT / "runs").glob("*.yaml"))]:
            with self.subTest(path.name):
                self.assertEqual(errors(load(path)), [])

    def test_it_takes_the_examples_of_the_page(self):
        self.assertEqual(errors(page_run()), [])

    def test_it_names_no_key_that_pkm_does_not_read(self):
        # pkm reads everything.yaml and refuses unknown keys, so a key in there is a true key.
        self.assertEqual(set(property_names(SCHEMA)) - set(keys_of(load(EVERYTHING))), ELSEWHERE)

    def test_the_page_describes_every_key(self):
        page = PAGE.read_text(encoding="utf-8")
        for key in sorted(set(property_names(SCHEMA))):
            with self.subTest(key):
                self.assertRegex(page, rf"(?<![A-Za-z_]){re.escape(key)}(?![A-Za-z_])")


#: What is done to everything.yaml: the path to a map or list, a key, its new value (None: gone).
WRONG = [
    ((), "run", None),
    ((), "run", 2),
    ((), "frictions", {}),
    ((), "for", 0),
    ((), "for", "long"),
    ((), "instants", 1),
    ((), "instants", 2.5),
    ((), "integrator", "euler"),
    ((), "tolerance", 0),
    ((), "tolerance", 1),
    ((), "max_step", "-1 s"),
    ((), "reactions", "maybe"),
    ((), "tool_force", [0, 0]),
    (("parameters",), "a b", 1),
    (("friction",), "A.left1", {"radius": 1}),
    (("friction",), "A.left1", {"static": -0.1, "radius": 1}),
    (("friction",), "A.left1", {"static": 0.1, "radius": 0}),
    (("friction",), "A.left1", {"static": 0.1, "radius": 1, "law": "dry"}),
    (("friction",), "A.left1", {"static": 0.1, "radius": 1, "inputs": []}),
    (("friction",), "A.left1", {"static": 0.1, "radius": 1, "inputs": ["shear"]}),
    (("friction",), "A.left1", {"mu": 0.1, "radius": 1}),
    (("clearance",), "A.left1", {"radius": 1, "stiffness": 1}),
    (("clearance",), "A.left1", {"radial": -1, "radius": 1, "stiffness": 1}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 0, "stiffness": 1}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 1, "stiffness": 0}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 1, "stiffness": 1, "law": "herz"}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 1, "stiffness": 1, "fidelity": "fine"}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 1, "stiffness": 1, "friction": {"radius": 1}}),
    (("clearance",), "A.left1", {"radial": 1, "radius": 1, "material": [{"young": 1, "poisson": 0.3}]}),
    (("drives",), "qA", "fixed"),
    (("drives",), "qA", {"pd": {"kp": 1}, "pid": {"kp": 1}}),
    (("drives",), "qA", {"pd": {"kp": -1}}),
    (("drives",), "qA", {"pd": {"ki": 1}}),
    (("drives",), "qA", {"pd": {"kp": 1}, "sampling": {"delay": 1}}),
    (("drives",), "qA", {"pd": {"kp": 1}, "sampling": {"rate": 1, "period": 1}}),
    (("drives",), "qA", {"pd": {"kp": 1}, "motor": {"inertia": 1}}),
    (("drives",), "qA", {"computed_torque": {"kp": 1, "mass": 1}}),
    (("drives",), "qA", {"computed_torque": {"kp": 1, "anti_windup": "yes"}}),
    (("drives",), "qA", {"force": [1, 2, 3]}),
    (("drives",), "qA", []),
    (("loads",), "x", {"at": "platform.P"}),
    (("loads",), "x", {"force": [1, 2, 3]}),
    (("loads",), "x", {"force": [1, 2], "at": "platform.P"}),
    (("loads",), "x", {"force": [1, 2, 3], "at": "platform.P", "axes": "robot"}),
    (("loads",), "x", {"spring": {"stiffness": 1}, "between": ["ground.A.M", "platform.P"]}),
    (("loads",), "x", {"spring": {"stiffness": 1, "length": 1}}),
    (("loads",), "x", {"spring": {"stiffness": -1, "length": 1}, "between": ["ground.A.M", "platform.P"]}),
    (("loads",), "x", {"bushing": {"stiffness": [1, 2, 3]}, "between": ["ground.A.M", "platform.P"]}),
    (("loads",), "x", {"rope": 1}),
    (("payload",), "x", {"mass": 0, "at": "platform.P"}),
    (("payload",), "x", {"mass": 1}),
    (("model",), "m5", "heavy"),
    ((), "idle", "hold"),
    ((), "idle", True),
    ((), "hold", "tight"),
    ((), "hold", {"stiffness": 0}),
    ((), "hold", {"damping": 1}),
    (("hold",), "qA", {"damping": 1}),
    (("flexible",), "A.left", {"elements": 0}),
    (("flexible",), "A.left", {"elements": 2.5}),
    (("flexible",), "A.left", {"theory": "newton"}),
    (("flexible",), "A.left", {"below": "250 Hz", "modes": 3}),
    (("flexible",), "A.left", {"below": 0}),
    (("flexible",), "A.left", {"modes": "all"}),
    (("flexible",), "A.left", {"damping": "some"}),
    (("flexible",), "A.left", {"damping": {"ratio": 1}}),
    (("flexible",), "A.left", {"section": {"diameter": 0}}),
    (("flexible",), "A.left", {"section": {"area": 1}}),
    (("flexible",), "A.left", {"section_end": {"diameter": 1}}),
    (("flexible",), "A.left", {"rigid_ends": [0.1]}),
    (("flexible",), "A.left", {"places": [1.5]}),
    (("flexible",), "A.left", {"places": []}),
    (("flexible",), "A.left", {"modes": []}),
    (("flexible",), "A.left", {"modes": [6]}),
    (("flexible",), "A.left", {"modes": [[300]]}),
    (("flexible",), "A.left", {"disabled": ["all"]}),
    (("flexible",), "A.left", {"stiff": True}),
    (("flexible",), "A.left", {"file": "rod.txt", "elements": 2}),
]

PROGRAM = os.environ.get("PKM", "")


def message(run, folder):
    """What `pkm simulate` says to a run file; JSON is YAML."""
    (folder / "push.csv").write_bytes((EVERYTHING.parent / "push.csv").read_bytes())
    file = folder / "run.yaml"
    file.write_text(json.dumps(run, indent=1), encoding="utf-8")
    done = subprocess.run([PROGRAM, "simulate", str(MODEL), "--run", str(file), "-o", str(folder / "out")],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def simulated(run):
    """The run without `hold`, which linear analyses take and simulations refuse."""
    return {key: value for key, value in run.items() if key != "hold"}


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
            self.assertEqual(message(simulated(good), folder)[0], 0)
            for case in WRONG:
                with self.subTest(case):
                    code, text = message(changed(good, *case), folder)
                    self.assertEqual(code, 2)
                    self.assertRegex(text, r"run\.yaml:\d+:\d+: ")

    @unittest.skipUnless(os.access(PROGRAM, os.X_OK), "the program is not built")
    def test_the_program_takes_the_examples_of_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            code, text = message(simulated(page_run()), Path(folder))
            self.assertEqual((code, text), (0, ""))


if __name__ == "__main__":
    unittest.main()
