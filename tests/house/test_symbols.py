"""The shared libraries export the functions that the public headers declare, as cmake/symbols.txt lists them."""

import collections
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ["PKM"]).parent


def declared():
    """Functions of the public headers."""
    names = set()
    for path in (ROOT / "include/pkm").glob("*.h"):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        names.update(re.findall(r"PKM_API\b[^;]*?\b(pkm_\w+)\s*\(", text))
    return names


def without_name(parameter):
    """The type of a parameter: names may change."""
    words = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[\d*\])?)", parameter.strip())
    return (words.group(1).strip() + words.group(3)) if words else parameter.strip()


def values(body):
    """Words of an enumeration with their numbers."""
    out, next_one = [], 0
    for item in filter(None, (i.strip() for i in body.split(","))):
        name, _, number = (part.strip() for part in item.partition("="))
        if number:
            next_one = eval(re.sub(r"(\d)u\b", r"\1", number), {})  # a constant of our own headers
        out.append(f"{name} = {next_one}")
        next_one += 1
    return out


def interface():
    """What programs were compiled with: prototypes, layouts of structures, numbers of words, one to a line."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/pkm").glob("*.h")))
    text = re.sub(r"//[^\n]*", "", text)
    out = {f"status {name} = {i}" for i, name in enumerate(re.findall(r'X\((PKM_\w+), \d+, "', text))}
    text = re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", "", text)
    text = " ".join(text.split())
    for inside, name in re.findall(r"enum (?:pkm_\w+ )?\{([^}]*)\}( pkm_\w+)?;", text):
        out.update(f"enum{name}: {value}" for value in values(inside))
    for inside, name in re.findall(r"struct pkm_\w+ \{([^}]*)\} (pkm_\w+);", text):
        out.add(f"struct {name} {{{inside.strip()}}}")
    out.update(re.findall(r"typedef (?:struct )?\w+ (?:\(\*)?pkm_\w+[^;{}]*;", text))
    for result, name, inside in re.findall(r"PKM_API (?:PKM_NODISCARD )?([\w *]*?)\b(pkm_\w+)\(([^;]*?)\);", text):
        out.add(f"{' '.join(result.split())} {name}({', '.join(map(without_name, inside.split(',')))})")
    return out


def listed():
    """(library, function) as the repository lists them."""
    lines = (ROOT / "cmake/symbols.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split(" ")) for line in lines]


def exported(library):
    """Dynamic symbols that a library defines, without the name of its version."""
    out = subprocess.run(["nm", "-D", "--defined-only", "--without-symbol-versions", BUILD / library],
                         capture_output=True, text=True, check=True).stdout
    symbols = {line.split()[-1] for line in out.splitlines()}
    return {s for s in symbols if not re.fullmatch(r"PKM_\d+", s)}


def imported(file):
    """Dynamic symbols that a library or program asks of others."""
    out = subprocess.run(["nm", "-D", "--undefined-only", "--without-symbol-versions", BUILD / file],
                         capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines()}


# What prints, ends the program or changes it for others.
LOUD = {"printf", "puts", "putchar", "fprintf", "vprintf", "vfprintf", "__printf_chk", "__fprintf_chk", "stdout", "stderr", "perror",
        "exit", "abort", "atexit", "quick_exit", "setenv", "chdir", "setlocale", "system", "popen"}

# Functions of the library that only tests call, and why they are there.
FOR_TESTS = {
    "pkm_alloc_count", "pkm_alloc_fail_at",  # memory that is counted and fails
    # meshes with held nodes and nodes that follow others: cantilevers, and the second formulation of Kuo's Delta (tests/kuo)
    "pkm_beam_mesh_fix", "pkm_beam_mesh_follow",
    # laws seen alone, against closed forms: the plant asks for several values at once
    "pkm_contact_restitution", "pkm_friction_coefficient", "pkm_friction_slope", "pkm_joint_friction_differentiate",
    "pkm_region_outside", "pkm_shaft_coupling_energy",
    "pkm_forward_cost", "pkm_ida_rate", "pkm_newmark_time", "pkm_rk_rate", "pkm_watch_change",  # what an algorithm did, for tests of it
}


def called_by_tests_alone():
    """Functions of headers in src that the sources of library, program, page and FMU name in declaration and definition only."""
    files = [path for folder in ("src", "wasm", "fmu") for path in (ROOT / folder).rglob("*.[ch]")]
    code = {path: re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in files}
    count = collections.Counter(name for text in code.values() for name in re.findall(r"\bpkm_\w+", text))
    pattern = r"(?m)^(?:PKM_NODISCARD )?(?:const |struct |unsigned )*\w+[\w* ]*?\b(pkm_\w+)\([^;{]*\)[^;{]*;"
    headers = [text for path, text in code.items() if path.suffix == ".h" and path.is_relative_to(ROOT / "src")]
    return {name for text in headers for name in re.findall(pattern, text) if count[name] <= 2}


def processor_time(*command):
    """The least of thirty runs [s]: the others were disturbed."""
    least = 1e9
    for _ in range(30):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, process.returncode, used = os.wait4(process.pid, 0)
        least = min(least, used.ru_utime + used.ru_stime)
    return least


class Symbols(unittest.TestCase):
    def test_functions_are_called(self):
        self.assertEqual(called_by_tests_alone(), FOR_TESTS)

    def test_the_list_is_what_the_headers_declare(self):
        names = [name for _, name in listed()]
        self.assertEqual(sorted(names), names)
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(set(names), declared())
        self.assertLessEqual({kind for kind, _ in listed()}, {"both", "pkm"})

    def test_programs_of_before_run_with_this_library(self):
        """Prototypes, structures and numbers of the ABI that has the number PKM_ABI of CMakeLists.txt: lines may come, none may go."""
        kept, now = set((ROOT / "cmake/abi.txt").read_text(encoding="utf-8").splitlines()), interface()
        self.assertEqual({line for line in now if line.count("(") != line.count(")")}, set())
        functions = {re.search(r"(pkm_\w+)\(", line).group(1) for line in now if re.match(r"[\w *]+ pkm_\w+\(", line)}
        self.assertEqual(functions, declared())
        self.assertEqual(sorted(kept - now), [], "changed or gone: programs that were linked before would break")
        self.assertEqual(sorted(now - kept), [], "new: add these lines to cmake/abi.txt")

    @unittest.skipUnless((BUILD / "libpkm.so").exists(), "static libraries")
    def test_pkm_exports_the_list(self):
        self.assertEqual(exported("libpkm.so"), {name for _, name in listed()})

    @unittest.skipUnless((BUILD / "libpkm-core.so").exists(), "static libraries")
    def test_the_core_exports_its_part(self):
        self.assertEqual(exported("libpkm-core.so"), {name for kind, name in listed() if kind == "both"})

    @unittest.skipUnless((BUILD / "libpkm.so").exists(), "static libraries")
    def test_libraries_print_nothing_and_end_no_program(self):
        for name in ("libpkm-core.so", "libpkm.so"):
            self.assertEqual(imported(name) & LOUD, set(), name)
        self.assertLessEqual({"exit", "__fprintf_chk"}, imported("pkm"))  # which does both: nm has these names

    @unittest.skipUnless((BUILD / "libpkm.so").exists(), "static libraries")
    def test_libraries_have_their_names_and_need_little(self):
        for name, foreign in (("libpkm-core.so", "sqlite"), ("libpkm.so", "glpk")):
            out = subprocess.run(["readelf", "-d", BUILD / name], capture_output=True, text=True,
                                 check=True).stdout
            self.assertIn(f"[{name}.1]", out)
            self.assertNotIn(foreign, out)

    def test_the_program_needs_at_most_fifteen_libraries(self):
        out = subprocess.run(["ldd", os.environ["PKM"]], capture_output=True, text=True, check=True).stdout
        self.assertLessEqual(len(out.splitlines()), 15, out)

    def test_the_program_starts_in_four_milliseconds(self):
        """Of a processor on which an empty program takes 0.9 ms; slower ones get more, faster ones no less."""
        self.assertLess(processor_time(os.environ["PKM"], "--version"), 4e-3 * max(1.0, processor_time("true") / 0.9e-3))


if __name__ == "__main__":
    unittest.main()
