"""Simulations in steps, for control loops."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from ._lib import check, decode, ffi, lib, new_error


class Simulation:
    """A simulation that goes on when it is told to.

        sim = robot.simulation(drives="free", motion="none")
        for _ in range(1000):
            sim.set_forces(controller(sim.t, sim.q, sim.v))
            sim.step(1e-3)

    It works on a robot of its own. ``q``, ``v``, ``a``, ``force`` are those of the drives now.
    """

    def __init__(self, pointer: Any, drives: List[str], bodies: List[str]):
        self._pointer = ffi.gc(pointer, lib.pkm_simulation_free)
        self.drives, self.bodies = drives, bodies
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

    def step_to_event(self, dt: float) -> bool:
        """Go on by ``dt`` [s], but only to where surfaces touch or part; True: it ended there, at ``t``."""
        early, err = ffi.new("bool*"), new_error()
        check(lib.pkm_simulation_step_to_event(self._pointer, dt, early, err), err)
        return bool(early[0])

    def save(self) -> bytes:
        """The state now, to go back to; it fits simulations of the same robot and run."""
        size, err = lib.pkm_simulation_state_size(self._pointer), new_error()
        state = ffi.new("char[]", max(size, 1))
        check(lib.pkm_simulation_save(self._pointer, state, size, err), err)
        return bytes(ffi.buffer(state, size))

    def restore(self, state: bytes) -> None:
        """Back to a state of before; steps then go the same way."""
        err = new_error()
        check(lib.pkm_simulation_restore(self._pointer, ffi.from_buffer(state), len(state), err), err)

    def rewind(self) -> None:
        """Back to t = 0, without the forces that were set."""
        err = new_error()
        check(lib.pkm_simulation_rewind(self._pointer, err), err)

    def _each(self, value: Any, what: str) -> Any:
        """One number per drive."""
        numbers = np.asarray(value, dtype=np.float64)
        if numbers.shape != (len(self.drives),):
            raise ValueError(f"{what}: shape {numbers.shape}, expected ({len(self.drives)},)")
        return ffi.new("double[]", numbers.tolist())

    def set_forces(self, force: Any) -> None:
        """Forces added to what the drives do, one per drive [N, N m], until they are set again."""
        err = new_error()
        check(lib.pkm_simulation_set_forces(self._pointer, self._each(force, "force"), err), err)

    def set_references(self, q: Any, v: Any = None, a: Any = None) -> None:
        """What drives with controllers follow from now on, instead of the motion; without ``v``, ``a`` they are zero.

        A position that is NaN: the motion's. Drives without a controller follow none: expected NaN.
        """
        zero, err = np.zeros(len(self.drives)), new_error()
        check(lib.pkm_simulation_set_references(self._pointer, self._each(q, "q"), self._each(zero if v is None else v, "v"),
                                                self._each(zero if a is None else a, "a"), err), err)

    def set_wrench(self, force: Any, torque: Any = (0.0, 0.0, 0.0)) -> None:
        """Force [N] and torque [N m] on the tool, world axes."""
        err = new_error()
        check(lib.pkm_simulation_set_wrench(self._pointer, [float(x) for x in force], [float(x) for x in torque], err),
              err)

    @property
    def inputs(self) -> Dict[str, str]:
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

    @property
    def poses(self) -> Dict[str, np.ndarray]:
        """Where the bodies are: x y z, w x y z; flexible links without their deflection."""
        out, err = ffi.new("pkm_pose[]", max(len(self.bodies), 1)), new_error()
        check(lib.pkm_simulation_body_poses(self._pointer, out, err), err)
        return {name: np.array([o.p.x, o.p.y, o.p.z, o.q.w, o.q.x, o.q.y, o.q.z]) for name, o in zip(self.bodies, out)}

    @property
    def warnings(self) -> List[str]:
        """What is to be known beside the numbers, so far."""
        return [decode(lib.pkm_simulation_warning(self._pointer, i))
                for i in range(lib.pkm_simulation_n_warning(self._pointer))]

    def read(self) -> Dict[str, float]:
        """Every column of ``simulate`` now."""
        out, err = ffi.new("double[]", len(self.columns)), new_error()
        check(lib.pkm_simulation_read(self._pointer, out, err), err)
        return dict(zip(self.columns, out))
