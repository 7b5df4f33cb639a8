"""The shared library behind the package: found, declared from its own headers, its errors raised."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import cffi

_HERE = Path(__file__).resolve().parent
_ORDER = ("status", "types", "joint_type", "motion", "robot", "builder", "kinematics", "matrices", "equations", "table",
          "inverse", "workspace", "modes", "run", "result", "answer", "simulation", "batch", "study", "output", "verb", "pkm")


def _headers() -> Path:
    """The public headers: those in the package, else those of the source tree it lies in."""
    for folder in (_HERE / "include", _HERE.parent.parent / "include" / "pkm"):
        if (folder / "pkm.h").exists():
            return folder
    raise ImportError("pkm: the headers of the library are not beside the package")


def declarations() -> str:
    """The public headers as cffi reads them: no comments, no preprocessor, no attributes."""
    text = ""
    for name in _ORDER:
        text += (_headers() / f"{name}.h").read_text(encoding="utf-8")
    statuses = re.findall(r"X\((PKM_\w+), \d+, \"", text)
    text = re.sub(r"#define PKM_STATUS_ENUM.*?#undef PKM_STATUS_ENUM\n", ",".join(statuses) + "\n", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", "", text, flags=re.M)
    text = re.sub(r"\b(?:PKM_API|PKM_NODISCARD)\b", "", text)
    return re.sub(r"(\d)u\b", r"\1", text)


def _library() -> str:
    """Where libpkm is: $PKM_LIBRARY, in the package, else where the system looks."""
    if "PKM_LIBRARY" in os.environ:
        return os.environ["PKM_LIBRARY"]
    inside = _HERE / "libpkm.so.1"
    return str(inside) if inside.exists() else "libpkm.so.1"


ffi = cffi.FFI()
ffi.cdef(declarations())
try:
    lib = ffi.dlopen(_library())
except OSError as error:  # the sentence of dlopen names the library that is missing
    raise ImportError(f"pkm: {error}") from None


class Error(Exception):
    """What the library says: one sentence, with file, line and column where there is a file.

    ``status`` is the name of the C status (``PKM_ERR_MODEL``); ``answer`` is what an analysis that ended
    early has computed, or None.
    """

    def __init__(self, status: int, text: str, file: str = "", line: int = 0, column: int = 0, answer: Any = None):
        place = f"{file}:{line}:{column}: " if line > 0 else ""
        super().__init__(place + text)
        self.status: str = ffi.string(ffi.cast("pkm_status", status))
        self.text, self.file, self.line, self.column, self.answer = text, file, line, column, answer


class InputError(Error, ValueError):
    """Something given is wrong: a file, a key, a number (exit code 2 of the program)."""


class NoAnswer(Error, ArithmeticError):
    """The question is well formed and has no answer: out of reach, singular (exit codes 3 and 5)."""


def new_error() -> Any:
    return ffi.new("pkm_error*")


def decode(text: Any) -> str:
    return "" if text == ffi.NULL else ffi.string(text).decode("utf-8", "replace")


def check(status: int, err: Any, answer: Any = None) -> None:
    """Raise what a call has reported."""
    if status == lib.PKM_OK:
        return
    if status == lib.PKM_ERR_MEMORY:
        raise MemoryError("pkm: out of memory")
    kind = {2: InputError, 3: NoAnswer, 5: NoAnswer}.get(lib.pkm_status_exit_code(status), Error)
    sentence = decode(err.text) or decode(lib.pkm_status_text(status))
    raise kind(status, sentence, decode(err.file), err.line, err.column, answer)
