"""Keys and options have one home: a table. Schema, reference pages, manual page and completion follow from it."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("PKM", "")
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.c"))}
#: A row of a table of keys: {"radius", "of ball or pin", PKM_KEY_NUMBER ..., or a macro that begins with the kind
ROW = re.compile(r'\{\s*"(\w+)",\s*(?:NULL|"(?:[^"\\]|\\.|"\s*")*"),\s*(?:(?:\.kind = )?PKM_KEY_\w+|[A-Z]+\b)')
#: A value that is asked of a map by the name of its key.
ASKED = re.compile(r'pkm_yaml_get\([^()]*(?:\([^()]*\))?[^()]*?, "(\w+)"\)')


def homes():
    """The files that have each key in a table."""
    found = {}
    for path, text in SOURCES.items():
        for key in ROW.findall(text):
            found.setdefault(key, set()).add(path)
    return found


def names(node):
    """Every property that a schema names."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                yield from value
            yield from names(value)
    elif isinstance(node, list):
        for value in node:
            yield from names(value)


class Homes(unittest.TestCase):
    def test_every_key_stands_in_a_table(self):
        # the word of a force element is in the table of elements, see force/element.h
        elements = set(re.findall(r'\.word = "(\w+)"', "".join(SOURCES.values())))
        for kind in ("model", "run", "motors", "study"):
            schema = json.loads((ROOT / f"schema/pkm-{kind}-1.schema.json").read_text(encoding="utf-8"))
            self.assertEqual(set(names(schema)) - set(homes()) - elements, set(), kind)

    def test_nobody_asks_for_a_key_of_a_run_outside_of_its_home(self):
        known = homes()
        for path, text in SOURCES.items():
            for key in set(ASKED.findall(text)) if path.parent.name == "run" else ():
                with self.subTest(file=path.name, key=key):
                    self.assertTrue(key not in known or path in known[key])

    def test_a_key_is_one_file(self):
        """Names that mean a key and nothing else stand in one file; src/force names some that it checks in its turn."""
        known = homes()
        readers = {path: text for path, text in SOURCES.items() if path.parent.name != "force"}
        for key in ("stribeck_velocity", "bristle_damping", "overlap_delta", "impact_floor", "cross_mass", "rigid_ends",
                    "section_end", "static_correction", "backdrive_efficiency", "acceleration_feedforward", "max_step",
                    "tracking_time", "anti_windup"):
            with self.subTest(key):
                self.assertEqual([str(path) for path, text in readers.items() if f'"{key}"' in text],
                                 [str(path) for path in sorted(known[key])])


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "the program is not built")
class Generated(unittest.TestCase):
    def say(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout

    def test_schemas_and_tables_of_the_pages_are_what_the_program_says(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/reference.py", PROGRAM, "--check"],
                              capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ("", 0), "tools/reference.py PROGRAM writes them")

    def verbs(self):
        return re.findall(r"(?m)^  ([a-z]+) {2,}\S", self.say("--help"))

    def options(self, verb):
        return re.findall(r"(?m)^  (--?[a-z][-a-z]*)", self.say(verb, "--help"))

    def test_the_manual_page_has_every_verb_and_option(self):
        page = self.say("completion", "man").replace("\\-", "-")
        for verb in self.verbs():
            part = page.partition(f".SS pkm {verb} ")[2].partition(".SS ")[0]
            self.assertTrue(part, verb)
            for option in self.options(verb)[:-3]:
                self.assertIn(f"\\fB{option}\\fR", part)

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_the_manual_page_is_roff(self):
        page = self.say("completion", "man")
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-"], input=page, capture_output=True, text=True,
                              env={**os.environ, "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def complete(self, *words):
        """What bash offers behind `pkm WORDS`."""
        line = " ".join(["pkm", *words])
        script = (self.say("completion", "bash") + f"COMP_WORDS=({' '.join(repr(w) for w in ('pkm', *words))})\n"
                  f"COMP_CWORD={len(words)}\nCOMP_LINE={line!r}\n_pkm\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
        done = subprocess.run(["bash", "-u", "-c", script], check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_verbs_options_and_words(self):
        self.assertEqual(self.complete("sim"), ["simulate"])
        self.assertEqual(set(self.complete("simulate", "robot.yaml", "--")),
                         {o for o in self.options("simulate") if o.startswith("--")})
        self.assertEqual(self.complete("simulate", "robot.yaml", "--integrator", ""), ["explicit", "bdf", "sdirk", "ida"])

    def test_every_shell_knows_every_option(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.say("completion", shell)
            for verb in self.verbs():
                for option in self.options(verb):
                    name = option.lstrip("-") if shell == "fish" else option
                    self.assertIn(name, script)
            if shutil.which(shell):
                subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True, check=True)


if __name__ == "__main__":
    unittest.main()
