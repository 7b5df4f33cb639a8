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

    def test_a_column_is_one_line(self):
        self.assertEqual(named_in("power_column"), {"src/robot/motion_table.c"})
        self.assertEqual(CODE["src/robot/motion_table.c"].count('{"power", "W"'), 1)

    def test_a_key_of_a_run_file_is_one_row(self):
        """The option of the same name asks the row for its sentence, words and bounds."""
        rows = {file: re.findall(r'\{\s*"budget",', text) for file, text in CODE.items()}
        self.assertEqual({file: len(found) for file, found in rows.items() if found}, {"src/run/run.c": 2})  # its section and its row
        self.assertIn('.key = "budget"', CODE["src/verb/options.c"])

    def test_a_task_is_prepared_in_one_place(self):
        """Verbs and calls of pkm/answer.h come by src/run/task.c; nobody else lets all links bend, but what is no task."""
        self.assertLessEqual(named_in("pkm_run_flexible_all"),
                             {"src/run/run.h", "src/run/task.c", "src/verb/cmd_shape.c", "src/study/frequencies.c"})
        self.assertEqual(named_in("pkm_run_create_for"),
                         {"src/run/run.h", "src/run/task.c", "src/run/layers.c", "src/verb/common.c", "src/linear/modes_api.c"})
        for file in ("src/api/work.c", "src/verb/common.c", "src/linear/modes_api.c", "src/run/layers.c"):
            self.assertIn("pkm_run_complete_for", WORDS[file])


WALK = re.compile(r"- \*\*A [^*]*\*\*: (.*?)(?=\n- \*\*|\Z)", re.S)


class Walks(unittest.TestCase):
    """The four walks of docs/guide/develop.md; the files are there (tools/check_docs.py)."""

    def setUp(self):
        page = (ROOT / "docs/guide/develop.md").read_text(encoding="utf-8")
        self.walks = [re.findall(r"`(\w+/\w+\.[ch])`", walk) for walk in WALK.findall(page[page.index("## Four walks"):])]
        self.owners = re.findall(r"\| `(pkm_\w+)` \(`([\w/]+\.h)`\)", page)

    def test_there_are_four_of_several_rooms(self):
        self.assertEqual(len(self.walks), 4)
        for walk in self.walks:
            self.assertGreater(len({file.split("/")[0] for file in walk}), 1, walk)

    def test_no_file_is_passed_twice(self):
        """A walk that came by a file again would go in a circle; that rooms do not include each other, tools/check_includes.py holds."""
        for walk in self.walks:
            self.assertEqual(len(set(walk)), len(walk))
            for file in walk:
                self.assertIn(f"src/{file}", CODE)

    def test_each_structure_is_declared_where_its_owner_is_said_to_be(self):
        self.assertGreater(len(self.owners), 7)
        for name, header in self.owners:
            path = next(p for p in (f"src/{header}", f"include/{header}") if p in CODE)
            self.assertRegex(CODE[path], rf"struct {name}\b|\b{name};|\b{name}_create\(", header)


if __name__ == "__main__":
    unittest.main()
