"""Every function of the library with arguments that are wrong: NULL in every place, sizes and indices out of range, numbers
that are not finite, words of enumerations that there are not. A crash ends a child process, which the test sees. Run by
test_misuse.py with a Python that has cffi: PYTHONPATH is the package, $PKM_LIBRARY the library."""

import math
import os
import re
import signal
import sys
import tempfile
import unittest
from pathlib import Path

from pkm._lib import declarations, ffi, lib

ROOT = Path(__file__).resolve().parent.parent.parent
ROBOT = str(ROOT / "robots/five-bar.yaml").encode()
FOLDER = tempfile.mkdtemp()
LEAST, MOST = -(2**31), 2**31 - 1

# Arguments that may be NULL, beside every `err`: the headers say what that means.
OPTIONAL = {
    "pkm_answer_peak": "value t error_bar chaotic", "pkm_batch_fk": "status", "pkm_batch_ik": "status",
    "pkm_batch_inverse": "v a wrench status", "pkm_builder_robot": "file set", "pkm_builder_set_list": "value", "pkm_call_words": "words",
    "pkm_compare_run": "settings", "pkm_equations_motion": "v a", "pkm_equations_multipliers": "gamma lambda",
    "pkm_equations_reaction": "unique", "pkm_equations_joint": "v", "pkm_frequencies_at": "choice", "pkm_hdf5_write": "attribute",
    "pkm_inverse_run": "settings report", "pkm_plot_table": "title", "pkm_plot_table_levels": "title level",
    "pkm_robot_find_motion": "name out index", "pkm_robot_load": "set", "pkm_robot_parse": "set",
    "pkm_run_add_force": "user", "pkm_run_set_controller": "control user", "pkm_run_study": "set progress user",
    "pkm_simulation_create": "run", "pkm_simulation_ode_get": "x nominal", "pkm_tool_stiffness_at": "choice",
    "pkm_workspace_plan_map": "report",
    **{f"pkm_run_{a}": "run" for a in ("inverse", "simulate", "modes", "stiffness", "elastodynamics", "envelope", "workspace")},
}
# Sizes: what is told with a buffer is its length, which nobody can check; a length that is too small is wrong, too.
SIZES = {"n", "n_set", "n_row", "n_mode", "n_column", "n_level", "n_attribute", "n_instant", "room", "size", "n_process"}


def listed():
    return [line.split()[1] for line in (ROOT / "cmake/symbols.txt").read_text(encoding="utf-8").splitlines()]


def parameters():
    """Names of the parameters of every function, from the headers."""
    out = {}
    for name, inside in re.findall(r"\b(pkm_\w+)\s*\(([^;{}]*)\)\s*;", declarations()):
        parts = [p.strip() for p in inside.split(",")]
        out[name] = [] if parts == ["void"] else [re.search(r"(\w+)\s*(?:\[\d*\])?$", p).group(1) for p in parts]
    return out


def made(call, kind, *arguments):
    """What a create function makes."""
    out, err = ffi.new(f"{kind}**"), ffi.new("pkm_error*")
    assert call(*arguments, out, err) == lib.PKM_OK, ffi.string(err.text)
    return out[0]


class World:
    """One of each thing, so that all arguments but one can be right."""

    def __init__(self):
        robot = self.robot = made(lambda *a: lib.pkm_robot_load(ROBOT, ffi.NULL, 0, *a), "pkm_robot")
        run = made(lib.pkm_run_create, "pkm_run", robot)
        for key, value in ((b"for", b"1 ms"), (b"instants", b"3")):
            assert lib.pkm_run_choose(run, key, value, ffi.NULL) == lib.PKM_OK
        free = made(lib.pkm_run_create, "pkm_run", robot)
        for key, value in ((b"motion", b"none"), (b"drives", b"free")):
            assert lib.pkm_run_choose(free, key, value, ffi.NULL) == lib.PKM_OK
        call = made(lib.pkm_call_create, "pkm_call", b"check")
        assert lib.pkm_call_set(call, b"model", ROBOT, ffi.NULL) == lib.PKM_OK
        assert lib.pkm_call_run(call, ffi.NULL) == lib.PKM_OK
        builder = made(lib.pkm_builder_create, "pkm_builder", b"robot")
        answer = made(lib.pkm_run_inverse, "pkm_answer", robot, run)
        plan = ffi.new("pkm_workspace_plan*")
        assert lib.pkm_workspace_plan_make(robot, plan, ffi.NULL) == lib.PKM_OK
        table = lib.pkm_table_create()
        lib.pkm_table_add_column(table, b"t", b"s")
        lib.pkm_table_append(table)[0] = 0.0
        self.empty = lib.pkm_table_create
        home = lib.pkm_instant_home(robot)
        self.of = {
            "pkm_robot *": robot, "pkm_run *": run, "pkm_call *": call, "pkm_builder *": builder, "pkm_answer *": answer,
            "pkm_workspace_plan *": plan, "pkm_table *": table, "pkm_verb *": lib.pkm_verb_at(0),
            "pkm_result *": lib.pkm_call_result(call), "pkm_motion *": lib.pkm_robot_get_motion(robot, 0),
            "pkm_simulation *": made(lib.pkm_simulation_create, "pkm_simulation", robot, free),
            "pkm_equations *": made(lib.pkm_equations_create, "pkm_equations", robot),
            "pkm_instant *": ffi.new("pkm_instant*", home), "pkm_error *": ffi.new("pkm_error*"),
            "pkm_workspace_grid *": ffi.new("pkm_workspace_grid*", {"from": home.tool.pose.p, "to": home.tool.pose.p, "n": [1, 1, 1]}),
            "char *": ffi.new("char[]", b"t" + 200 * b"\0"), "void *": ffi.new("char[]", 65536),
            "double *": ffi.new("double[]", 65536), "int *": ffi.new("int[]", 64),
        }
        self.kept = []

    def good(self, function, name, kind):
        """An argument of the type `kind` that is right, or at least points to memory."""
        text = kind.cname
        if kind.kind == "function":
            self.kept.append(ffi.callback(kind, lambda *_: None if kind.result.kind == "void" else 0))
            return self.kept[-1]
        if text == "pkm_table *" and name in ("table", "engine", "closed") and function in FILLED:
            return lib.pkm_table_create()  # which must be empty
        if text == "char *" and name == "path" and function not in ("pkm_result_find", "pkm_builder_set"):
            self.kept.append(ffi.new("char[]", os.path.join(FOLDER, "file").encode()))
            return self.kept[-1]
        if text in self.of:
            return self.of[text]
        if kind.kind == "pointer":
            # as many as there are bodies or drives, where an array is meant
            self.kept.append(ffi.new(f"{kind.item.cname}[64]" if kind.item.kind == "struct" else "void*[64]"))
            return ffi.cast(kind, self.kept[-1])
        if kind.kind == "struct":
            return ffi.new(f"{text}*")[0]
        if kind.kind == "enum":
            return 0
        return 0.5 if text == "double" else True if text in ("bool", "_Bool") else 1


FILLED = {"pkm_inverse_run", "pkm_compare_run", "pkm_frequencies_at", "pkm_workspace_plan_map"}


def wrong_values(name, kind):
    """What is wrong in this place: (in words, value)."""
    if kind.kind in ("pointer", "function"):
        return [("NULL", ffi.NULL)]
    if kind.kind == "enum":
        return [("no such word", ffi.cast(kind, 99)), ("no such word", ffi.cast(kind, -1))]
    if kind.cname == "double":
        return [("NaN", math.nan), ("infinity", math.inf), ("-infinity", -math.inf), ("-1", -1.0), ("1e300", 1e300)]
    if kind.cname == "int":
        return [("-1", -1), ("least", LEAST)] + ([] if name in SIZES else [("most", MOST)])
    if kind.kind == "struct" and kind.cname in ("pkm_vec3", "pkm_quat"):
        return [("NaN", ffi.new(f"{kind.cname}*", [math.nan] * len(kind.fields))[0])]
    if kind.cname == "size_t":
        return [("0", 0)]
    return []


def is_nothing(value, kind):
    """What functions without a status answer where there is nothing."""
    if kind.kind == "void":
        return True
    if kind.kind == "pointer":
        return value == ffi.NULL or kind.cname == "char *" and ffi.string(value) == b""
    if kind.cname == "double":
        return math.isnan(value)
    if kind.kind == "struct":
        return True
    return value in (0, -1, False) or kind.kind == "enum"


def attack(name, world, names):
    """Call one function in all wrong ways; gives sentences about what is not answered."""
    function = getattr(lib, name)
    kind = ffi.typeof(function)
    told = []
    optional = set(OPTIONAL.get(name, "").split()) | {"err"}
    handle = kind.args and kind.args[0].kind == "pointer" and names[0] not in optional
    ways = [(None, "all NULL", None)] + [(i, *w) for i, (n, k) in enumerate(zip(names, kind.args)) for w in wrong_values(n, k)]
    for place, word, value in ways:
        if place is None:
            arguments = [ffi.NULL if k.kind in ("pointer", "function") else world.good(name, n, k) for n, k in zip(names, kind.args)]
        elif name.endswith("_free"):
            continue  # of something that is there
        else:
            arguments = [world.good(name, n, k) for n, k in zip(names, kind.args)]
            arguments[place] = value
        sys.stdout.write(f"{name}({names[place] if place is not None else '...'}: {word})\n")
        sys.stdout.flush()
        got = function(*arguments)
        missing = place is None and handle or place is not None and word == "NULL" and names[place] not in optional
        if kind.result.cname == "pkm_status" and missing and got != lib.PKM_ERR_ARGUMENT:
            told.append(f"{name}: {names[place or 0]} is NULL, and the status is {got}")
        if kind.result.cname != "pkm_status" and handle and place in (None, 0) and missing and not is_nothing(got, kind.result):
            told.append(f"{name}: {names[0]} is NULL, and it gives {got}")
        if kind.result.cname == "pkm_status" and word in ("NaN", "infinity", "-infinity", "no such word") and got == lib.PKM_OK:
            told.append(f"{name}: {names[place]} is {word}, and the status is PKM_OK")
    return told


class Misuse(unittest.TestCase):
    maxDiff = None

    def test_every_function_is_attacked_and_none_falls(self):
        names, fell, told = parameters(), [], []
        world = World()
        for function in listed():
            self.assertIn(function, names)
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reader)
                os.dup2(writer, 1)
                signal.alarm(60)
                try:
                    for line in attack(function, world, names[function]):
                        print("!", line)
                except BaseException as error:  # of the test itself
                    print("!", function, repr(error))
                sys.stdout.flush()
                os._exit(0)
            os.close(writer)
            with open(reader, encoding="utf-8", errors="replace") as pipe:
                lines = pipe.read().splitlines()
            _, status = os.waitpid(child, 0)
            if status != 0:
                fell.append(f"{lines[-1] if lines else function}: {status}")
            told += [line[2:] for line in lines if line.startswith("! ")]
        self.assertEqual("\n".join(fell + told), "")


if __name__ == "__main__":
    unittest.main()
