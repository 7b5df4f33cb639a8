"""What an addition must touch: each kind of thing is named where it is defined and where its line in a list is, so that the
table "What must change" of docs/guide/develop.md stays true. Rules that choose between things have their places, too."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = {str(path.relative_to(ROOT)): re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        for folder in ("src", "include") for path in sorted((ROOT / folder).rglob("*.[ch]"))}
WORDS = {name: set(re.findall(r"\w+", text)) for name, text in CODE.items()}


def named_in(word):
    """The files whose code has the word."""
    return {name for name, words in WORDS.items() if word in words}


def entries(file, macro):
    """The arguments of the X(...) of a list, as texts."""
    body = re.search(rf"#define {macro}\(X\)((?:[^\n]*\\\n)*[^\n]*)", CODE[file])[1]
    return [[a.strip() for a in found.split(",")] for found in re.findall(r"X\(([^)]*)\)", body)]


class Additions(unittest.TestCase):
    def test_a_joint_type_is_named_in_its_table(self):
        self.assertEqual(named_in("PKM_JOINT_SCREW"), {"include/pkm/joint_type.h", "src/mechanism/joint.c"})

    def test_a_force_element_is_one_file(self):
        names = [entry[0] for entry in entries("src/force/element.h", "PKM_ELEMENTS")]
        self.assertGreater(len(names), 6)
        for name in names:
            defined = {file for file, text in CODE.items() if f"const pkm_element_type pkm_element_{name} =" in text}
            self.assertEqual(len(defined), 1, name)
        self.assertEqual(named_in("pkm_element_cable"), {"src/force/cable.c"})

    def test_a_friction_law_is_one_file(self):
        laws = entries("src/force/friction_law.h", "PKM_FRICTION_LAWS")
        self.assertGreater(len(laws), 4)
        defaults = {"src/run/friction.c", "src/force/clearance.c"}  # which law is meant where none is named
        for kind, name, _ in laws:
            self.assertIn(f"const pkm_friction_type pkm_friction_{name} =", CODE[f"src/force/friction_law_{name}.c"])
            self.assertLessEqual(named_in(f"PKM_FRICTION_{kind}"), defaults, kind)

    def test_an_integrator_is_one_file(self):
        rules = {"src/run/integrator.c", "src/run/settings.c", "src/run/verify.c",  # which one, how exact, which second opinion
                 "src/simulate/simulation.c", "src/simulate/run_loop.c"}  # the scales of errors
        for value, name in entries("src/solver/stepper.h", "PKM_STEPPERS"):
            self.assertEqual(named_in(f"pkm_stepper_{name}"), {f"src/solver/stepper_{name}.c"})
            self.assertLessEqual(named_in(f"PKM_INTEGRATOR_{value}"), rules, value)

    def test_a_verb_is_one_file(self):
        for (name,) in entries("src/verb/commands.h", "VERB_LIST"):
            self.assertEqual(len(named_in(f"pkm_verb_{name}")), 1, name)


if __name__ == "__main__":
    unittest.main()
