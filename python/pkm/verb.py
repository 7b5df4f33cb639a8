"""Everything the program does, by the names of its command line: ``pkm motors`` is ``pkm.call("motors", ...)``."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from ._lib import check, decode, ffi, lib, new_error
from .answer import Table, Warning, tree
from .robot import Robot

Told = Callable[[str, float], Optional[bool]]


class Option(NamedTuple):
    """An option of a verb; ``argument`` is None for a flag."""

    name: str
    argument: Optional[str]
    text: str
    repeats: bool


class Verb(NamedTuple):
    """What the program can be asked; ``operand`` is what it works on (MODEL, STUDY, FOLDER ...)."""

    name: str
    operand: str
    summary: str
    options: Tuple[Option, ...]


def _option(verb: Any, i: int) -> Option:
    argument = lib.pkm_verb_option_argument(verb, i)
    return Option(decode(lib.pkm_verb_option_name(verb, i)), None if argument == ffi.NULL else decode(argument),
                  decode(lib.pkm_verb_option_text(verb, i)), bool(lib.pkm_verb_option_repeats(verb, i)))


def verbs() -> Dict[str, Verb]:
    """All verbs by name, in the order of ``pkm --help``, with their options."""
    out: Dict[str, Verb] = {}
    i = 0
    while (verb := lib.pkm_verb_at(i)) != ffi.NULL:
        name = decode(lib.pkm_verb_name(verb))
        options = tuple(_option(verb, k) for k in range(lib.pkm_verb_n_option(verb)))
        out[name] = Verb(name, decode(lib.pkm_verb_operand(verb)), decode(lib.pkm_verb_summary(verb)), options)
        i += 1
    return out


class Result:
    """What a verb gives: ``values`` as nested dicts and lists with the keys of ``--json``, ``text`` as the program
    prints it, ``tables``, ``warnings``, paths of the ``files`` that were written.

    ``result["motors.0.margin"]`` is a value by its path, ``result.unit("motors.0.rated_torque")`` its unit.
    """

    def __init__(self, verb: str, call: Any):
        self.verb = verb
        self._call = call
        self._robot: Optional[Robot] = None  # what the call has borrowed
        root = lib.pkm_call_result(call)
        self.values: Dict[str, Any] = {} if root == ffi.NULL else tree(root)
        names = [decode(lib.pkm_call_table_name(call, i)) for i in range(lib.pkm_call_n_table(call))]
        self.tables: Dict[str, Table] = {name: Table(call, lib.pkm_call_table(call, name.encode())) for name in names}
        self.files: List[str] = [decode(lib.pkm_call_file(call, i)) for i in range(lib.pkm_call_n_file(call))]
        self.warnings: List[Warning] = [
            Warning(w["kind"], w["text"], float("nan") if w["t"] is None else w["t"])
            for w in self.values.get("warnings", [])]

    def _find(self, path: str) -> Any:
        node = lib.pkm_result_find(lib.pkm_call_result(self._call), path.encode())
        if node == ffi.NULL:
            raise KeyError(f"pkm {self.verb} answers no {path!r}")
        return node

    def __getitem__(self, path: str) -> Any:
        return tree(self._find(path))

    def unit(self, path: str) -> str:
        """The unit of a value, "" where it has none."""
        return decode(lib.pkm_result_unit(self._find(path)))

    @property
    def text(self) -> str:
        """What the program prints."""
        return decode(lib.pkm_call_text(self._call))

    def json(self) -> str:
        """What the program prints with ``--json``."""
        return decode(lib.pkm_call_json(self._call))

    def __repr__(self) -> str:
        return f"<pkm {self.verb}: {', '.join(self.values) or 'text'}>"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float, Path)) else json.dumps(value)


def _set(call: Any, name: str, value: Any) -> None:
    err = new_error()
    check(lib.pkm_call_set(call, name.encode(), _text(value).encode(), err), err)


def _give(call: Any, name: str, value: Any) -> None:
    """One option: a list repeats it, a dict of ``set`` overrides parameters."""
    name = name.rstrip("_").replace("_", "-")
    if name == "set" and isinstance(value, dict):
        value = [f"{key}={_text(one)}" for key, one in value.items()]
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if one is not None:
            _set(call, name, one)


def _listener(progress: Optional[Told]) -> Any:
    caught: List[BaseException] = []

    def keep(kind: Any, value: BaseException, trace: Any) -> None:
        caught.append(value)

    @ffi.callback("bool(void*, const char*, double)", error=False, onerror=keep)
    def tell(_: Any, what: Any, fraction: float) -> bool:  # Ctrl-C is raised here
        return progress is None or progress(decode(what), fraction) is not False

    return tell, caught


def call(verb: str, model: Union[str, Path, Robot], *, progress: Optional[Told] = None, **options: Any) -> Result:
    """Let a verb work: ``pkm.call("motors", "robots/siax.yaml", motors="motors/servo.yaml")``.

    ``model`` is what stands behind the verb on the command line, or a robot. Options have the names of the command
    line with ``_`` for ``-`` and no dashes in front (``tool_force="0,0,-10"``, ``o="folder"``, ``for_="0.2 s"``); flags
    are True; lists repeat an option; dicts are written as YAML; ``set={"m5": "8 kg"}`` overrides parameters. Files are
    written where ``o`` says; without it only by verbs whose answer is a file.

    ``progress(what, fraction)`` is called while it works and ends it by False. Errors are raised; what there is of an
    answer is in their ``answer``.
    """
    out, err = ffi.new("pkm_call**"), new_error()
    check(lib.pkm_call_create(verb.encode(), out, err), err)
    made = ffi.gc(out[0], lib.pkm_call_free)
    if isinstance(model, Robot):
        check(lib.pkm_call_robot(made, model._pointer, err), err)
    else:
        _set(made, "model", str(model))
    for name, value in options.items():
        _give(made, name, value)
    tell, caught = _listener(progress)
    lib.pkm_call_listen(made, tell, ffi.NULL, ffi.NULL)
    lock: Any = model._lock if isinstance(model, Robot) else nullcontext()
    with lock:
        status = lib.pkm_call_run(made, err)
    if caught:
        raise caught[0]
    result = Result(verb, made)
    result._robot = model if isinstance(model, Robot) else None
    check(status, err, result)
    return result
