"""What an analysis gives: values with units, tables with named columns, peaks, warnings."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from ._lib import check, decode, ffi, lib, new_error
from .figure import Figure


class Peak(NamedTuple):
    """The largest magnitude of a column, with its sign and time [s].

    ``error_bar`` is NaN unless the run asked for ``verify``; ``chaotic`` says that the value is no answer.
    """

    value: float
    t: float
    error_bar: float
    chaotic: bool


class Warning(NamedTuple):
    """A sentence a user must know; ``t`` [s] is NaN where it belongs to no instant."""

    kind: str
    text: str
    t: float


class _Lent:
    """Memory of the library as an array that keeps its owner alive: what the library made, not a Python object that
    holds the array, since such a circle would never be collected."""

    def __init__(self, owner: Any, pointer: Any, shape: Tuple[int, int]):
        self.owner = owner
        self.__array_interface__ = {"shape": shape, "typestr": "<f8", "version": 3,
                                    "data": (int(ffi.cast("uintptr_t", pointer)), True)}


class Table:
    """Named columns of numbers; ``table["qA.force"]`` shares the library's memory and is read-only."""

    def __init__(self, owner: Any, table: Any):
        self._owner = owner
        n = lib.pkm_table_n_column(table)
        self.columns: List[str] = [decode(lib.pkm_table_name(table, c)) for c in range(n)]
        self.units: Dict[str, str] = {name: decode(lib.pkm_table_unit(table, c))
                                      for c, name in enumerate(self.columns)}
        stride = ffi.new("int*")
        first = lib.pkm_table_column(table, 0, stride)
        shape = (lib.pkm_table_n_row(table), n)
        self.array: np.ndarray = np.empty((0, n)) if first == ffi.NULL else np.asarray(_Lent(owner, first, shape))

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.units

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.units:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns[:8])} ...")
        return self.array[:, self.columns.index(name)]


def tree(node: Any) -> Any:
    """A node of a result as Python objects, without what is for people only; what is not known is None."""
    kind = lib.pkm_result_get_kind(node)
    if kind in (lib.PKM_RESULT_GROUP, lib.PKM_RESULT_LIST):
        members: List[Tuple[str, Any]] = []
        child = lib.pkm_result_first(node)
        while child != ffi.NULL:
            members.append((decode(lib.pkm_result_key(child)), child))
            child = lib.pkm_result_next(child)
        if kind == lib.PKM_RESULT_LIST:
            return [tree(child) for _, child in members]
        return {key: tree(child) for key, child in members if not key.startswith("_")}
    if kind == lib.PKM_RESULT_TEXT:
        text = lib.pkm_result_get_text(node)
        return None if text == ffi.NULL else decode(text)
    if kind == lib.PKM_RESULT_NUMBERS:
        return [_known(lib.pkm_result_value(node, k)) for k in range(lib.pkm_result_count(node))]
    value = lib.pkm_result_value(node, 0)
    if kind == lib.PKM_RESULT_BOOL:
        return value != 0.0
    return int(value) if kind == lib.PKM_RESULT_INTEGER else _known(value)


def _known(value: float) -> Optional[float]:
    return value if abs(value) < float("inf") else None  # NaN compares false


class Answer:
    """The answer of an analysis.

    ``tree`` has it as nested dicts and lists, with the keys that ``pkm ... --json`` has. ``values`` maps the paths of
    its numbers to them (``values["energy.residual"]``, ``values["drives.0.rms_force"]``) and ``units`` to their units;
    ``tables`` maps names to tables, of which the first is also indexed directly: ``answer["qA.force"]``.
    """

    def __init__(self, pointer: Any):
        self._pointer = ffi.gc(pointer, lib.pkm_answer_free)
        p = self._pointer
        self.analysis: str = decode(lib.pkm_answer_analysis(p))
        self.is_complete: bool = bool(lib.pkm_answer_is_complete(p))
        self.tree: Dict[str, Any] = tree(lib.pkm_answer_result(p))
        names = [decode(lib.pkm_answer_value_name(p, i)) for i in range(lib.pkm_answer_n_value(p))]
        self.values: Dict[str, float] = {name: lib.pkm_answer_value_at(p, i) for i, name in enumerate(names)}
        self.units: Dict[str, str] = {name: decode(lib.pkm_answer_value_unit(p, i)) for i, name in enumerate(names)}
        tables = [decode(lib.pkm_answer_table_name(p, i)) for i in range(lib.pkm_answer_n_table(p))]
        self.tables: Dict[str, Table] = {name: Table(p, lib.pkm_answer_table(p, name.encode())) for name in tables}
        self.warnings: List[Warning] = [
            Warning(decode(lib.pkm_answer_warning_kind(p, i)), decode(lib.pkm_answer_warning_text(p, i)),
                    lib.pkm_answer_warning_time(p, i)) for i in range(lib.pkm_answer_n_warning(p))]

    @property
    def table(self) -> Table:
        """The first table."""
        if not self.tables:
            raise KeyError(f"{self.analysis} gave no table")
        return next(iter(self.tables.values()))

    @property
    def columns(self) -> List[str]:
        return self.table.columns

    def __getitem__(self, name: str) -> np.ndarray:
        return self.table[name]

    def __len__(self) -> int:
        return len(self.table)

    def peak(self, column: str) -> Peak:
        """The largest magnitude of a column of the first table, between its rows too."""
        out = ffi.new("double[3]")
        chaotic = ffi.new("bool*")
        if lib.pkm_answer_peak(self._pointer, column.encode(), out, out + 1, out + 2, chaotic) != lib.PKM_OK:
            raise KeyError(f"no column {column!r}, or no rows")
        return Peak(out[0], out[1], out[2], bool(chaotic[0]))

    def json(self, rows: bool = False) -> str:
        """All of it as JSON; with ``rows`` the tables too."""
        text = lib.pkm_answer_json(self._pointer, rows)
        if text == ffi.NULL:
            raise MemoryError("pkm: out of memory")
        try:
            return decode(text)
        finally:
            lib.pkm_text_free(text)

    def dict(self, rows: bool = False) -> Dict[str, Any]:
        """The same as Python objects."""
        return json.loads(self.json(rows))

    def write_csv(self, path: str) -> None:
        """Write the first table as comma-separated values, as the program does."""
        err = new_error()
        table = lib.pkm_answer_table(self._pointer, ffi.NULL)
        check(lib.pkm_csv_write(table, str(path).encode(), err), err)

    def plot(self, *columns: str, over: str = "t") -> Any:
        """Draw columns over another one with matplotlib; gives its axes."""
        import matplotlib.pyplot as plt  # only those who draw need it

        _, axes = plt.subplots()
        for name in columns:
            axes.plot(self[over], self[name], label=f"{name} [{self.table.units[name]}]")
        axes.set_xlabel(f"{over} [{self.table.units[over]}]")
        axes.legend()
        return axes

    def figure(self, *columns: str, over: str = "t") -> Figure:
        """Columns over another one as a picture that notebooks show; needs no other package."""
        units = self.table.units
        return Figure(self[over], [self[name] for name in columns], [f"{name} [{units[name]}]" for name in columns],
                      f"{over} [{units[over]}]")

    def __repr__(self) -> str:
        rows = f", {len(self.table)} rows of {len(self.columns)} columns" if self.tables else ""
        return f"<pkm {self.analysis}{'' if self.is_complete else ', ended early'}: {len(self.values)} values{rows}>"
