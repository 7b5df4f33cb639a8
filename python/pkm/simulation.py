"""Simulations in steps, for control loops."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from ._lib import check, decode, ffi, lib, new_error


class Simulation:
    """A simulation that goes on when it is told to.

        sim = robot.simulation(drives="free")
        for _ in range(1000):
            sim.set_forces(controller(sim.t, sim.q, sim.v))
            sim.step(1e-3)

    It works on a robot of its own. ``q``, ``v``, ``a``, ``force`` are those of the drives now.
    """

    def __init__(self, pointer: Any, drives: List[str]):
        self._pointer = ffi.gc(pointer, lib.pkm_simulation_free)
        self.drives = drives
        n = lib.pkm_simulation_n_column(self._pointer)
        self.columns: List[str] = [decode(lib.pkm_simulation_column_name(self._pointer, c)) for c in range(n)]
        self.units: Dict[str, str] = {name: decode(lib.pkm_simulation_column_unit(self._pointer, c))
                                      for c, name in enumerate(self.columns)}

    @property
    def t(self) -> float:
        """Time [s]."""
        return lib.pkm_simulation_time(self._pointer)

    def step(self, dt: float) -> None:
        """Go on by ``dt`` [s] exactly."""
        err = new_error()
        check(lib.pkm_simulation_step(self._pointer, dt, err), err)

    def rewind(self) -> None:
        """Back to t = 0, without the forces that were set."""
        err = new_error()
        check(lib.pkm_simulation_rewind(self._pointer, err), err)

    def set_forces(self, force: Any) -> None:
        """Forces added to what the drives do, one per drive [N, N m], until they are set again."""
        numbers = np.ascontiguousarray(force, dtype=np.float64)
        if numbers.shape != (len(self.drives),):
            raise ValueError(f"force: shape {numbers.shape}, expected ({len(self.drives)},)")
        err = new_error()
        check(lib.pkm_simulation_set_forces(self._pointer, ffi.cast("double*", numbers.ctypes.data), err), err)

    def set_wrench(self, force: Any, torque: Any = (0.0, 0.0, 0.0)) -> None:
        """Force [N] and torque [N m] on the tool, world axes."""
        err = new_error()
        check(lib.pkm_simulation_set_wrench(self._pointer, [float(x) for x in force], [float(x) for x in torque], err),
              err)

    @property
    def inputs(self) -> dict[str, str]:
        """Inputs that the run names, `{"input": NAME}` in place of a force, with their units."""
        count = lib.pkm_simulation_n_input(self._pointer)
        return {decode(lib.pkm_simulation_input_name(self._pointer, i)): decode(lib.pkm_simulation_input_unit(self._pointer, i))
                for i in range(count)}

    def set_input(self, name: str, value: float) -> None:
        """An input of the run, SI, until it is set again."""
        err = new_error()
        check(lib.pkm_simulation_set_input(self._pointer, name.encode(), float(value), err), err)

    def _drives(self, field: str) -> np.ndarray:
        now, err = ffi.new("pkm_instant*"), new_error()
        check(lib.pkm_simulation_get(self._pointer, now, err), err)
        return np.array([getattr(now, field)[d] for d in range(len(self.drives))])

    @property
    def q(self) -> np.ndarray:
        """Positions of the drives [m, rad]."""
        return self._drives("q")

    @property
    def v(self) -> np.ndarray:
        """Their rates."""
        return self._drives("v")

    @property
    def a(self) -> np.ndarray:
        """Their accelerations."""
        return self._drives("a")

    @property
    def force(self) -> np.ndarray:
        """Their forces [N, N m]."""
        return self._drives("force")

    def read(self) -> Dict[str, float]:
        """Every column of ``simulate`` now."""
        out, err = ffi.new("double[]", len(self.columns)), new_error()
        check(lib.pkm_simulation_read(self._pointer, out, err), err)
        return dict(zip(self.columns, out))
