"""Robots: loading, kinematics and forces on arrays, every analysis."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Callable, List, Mapping, Optional, TYPE_CHECKING, Union, overload

import numpy as np

from ._lib import check, decode, ffi, lib, new_error
from .answer import Answer
from .equations import Equations, Matrices, matrices

if TYPE_CHECKING:
    from .simulation import Simulation

RunLike = Union[None, str, Path, Mapping[str, Any]]
Progress = Callable[[float], Optional[bool]]
Controller = Callable[[float, np.ndarray, np.ndarray], Any]


def _yaml(value: Any) -> str:
    """A value of a run or of a model as text: JSON is YAML, and texts stay as they are."""
    return value if isinstance(value, str) else json.dumps(value)


def _overrides(parameters: Mapping[str, Any]) -> Any:
    kept: List[Any] = []
    array = ffi.new("pkm_override[]", len(parameters))
    for i, (name, value) in enumerate(parameters.items()):
        kept += [ffi.new("char[]", name.encode()), ffi.new("char[]", str(value).encode())]
        array[i].name, array[i].value = kept[-2:]
    return array, kept


def _ticker(progress: Optional[Progress]) -> Any:
    """A progress callback of the library, and the list of what was raised in it."""
    caught: List[BaseException] = []

    def keep(kind: Any, value: BaseException, trace: Any) -> None:
        caught.append(value)

    @ffi.callback("bool(void*, double)", error=False, onerror=keep)
    def tick(_: Any, fraction: float) -> bool:  # Ctrl-C is raised here
        return progress is None or progress(fraction) is not False

    return tick, caught


def _control(controller: Optional[Controller], n: int) -> Any:
    """A controller callback of the library, and the list of what was raised in it; forces are checked for their shape."""
    caught: List[BaseException] = []
    if controller is None:
        return None, caught
    asked = controller

    def keep(kind: Any, value: BaseException, trace: Any) -> None:
        caught.append(value)

    @ffi.callback("bool(void*, double, const pkm_instant*, double*)", error=False, onerror=keep)
    def ask(_: Any, t: float, now: Any, force: Any) -> bool:
        q, v = (np.array([getattr(now, x)[d] for d in range(n)]) for x in "qv")
        wanted = np.asarray(asked(t, q, v), dtype=np.float64)
        if wanted.shape != (n,):
            raise ValueError(f"controller: shape {wanted.shape}, expected ({n},)")
        for d in range(n):
            force[d] = wanted[d]
        return True

    return ask, caught


def study(path: Union[str, Path], database: Union[str, Path], processes: int = 0,
          progress: Optional[Progress] = None, **parameters: Any) -> Answer:
    """Run a study file into an SQLite database, or continue what is there; table ``cases``.

    Workers are forked (``processes=0``: one per processor): call it before the program has threads.
    """
    tick, caught = _ticker(progress)
    out, err = ffi.new("pkm_answer**"), new_error()
    array, kept = _overrides(parameters)
    status = lib.pkm_run_study(str(path).encode(), str(database).encode(), array, len(parameters), processes, tick,
                               ffi.NULL, out, err)
    del kept
    answer = Answer(out[0]) if out[0] != ffi.NULL else None
    if caught:
        raise caught[0]
    check(status, err, answer)
    assert answer is not None
    return answer


def load(path: Union[str, Path], **parameters: Any) -> "Robot":
    """The robot of a model file, with other values for some of its parameters: ``load(path, m5="2 kg")``."""
    out, err = ffi.new("pkm_robot**"), new_error()
    array, kept = _overrides(parameters)
    check(lib.pkm_robot_load(str(path).encode(), array, len(parameters), out, err), err)
    del kept
    return Robot(out[0])


def parse(model: Union[str, Mapping[str, Any]], name: str = "model", **parameters: Any) -> "Robot":
    """A robot from YAML text or from a dict of the same keys; files it names are beside ``name``."""
    out, err = ffi.new("pkm_robot**"), new_error()
    array, kept = _overrides(parameters)
    check(lib.pkm_robot_parse(_yaml(model).encode(), name.encode(), array, len(parameters), out, err), err)
    del kept
    return Robot(out[0])


class Robot:
    """A robot, made by :func:`load` or :func:`parse`. One thread at a time works with it; others wait, or have copies."""

    def __init__(self, pointer: Any):
        self._pointer = ffi.gc(pointer, lib.pkm_robot_free)
        self._lock = threading.RLock()
        p = self._pointer
        self.name: str = decode(lib.pkm_robot_name(p))
        self.drives: List[str] = [decode(lib.pkm_robot_drive_name(p, d)) for d in range(lib.pkm_robot_n_drive(p))]
        self.bodies: List[str] = [decode(lib.pkm_robot_body_name(p, b)) for b in range(lib.pkm_robot_n_body(p))]
        self.joints: List[str] = [decode(lib.pkm_robot_joint_name(p, j)) for j in range(lib.pkm_robot_n_joint(p))]
        self.motions: List[str] = [decode(lib.pkm_motion_name(lib.pkm_robot_get_motion(p, m)))
                                   for m in range(lib.pkm_robot_n_motion(p))]
        self.closed_form: Optional[str] = decode(lib.pkm_robot_closed_form(p)) or None
        self.mass: float = lib.pkm_robot_mass(p)

    def copy(self) -> "Robot":
        """The same robot once more, for another thread."""
        out, err = ffi.new("pkm_robot**"), new_error()
        check(lib.pkm_robot_copy(self._pointer, out, err), err)
        return Robot(out[0])

    # ---- arrays

    def _method(self, method: Optional[str]) -> int:
        if method is None:
            method = "closed" if self.closed_form else "engine"
        if method not in ("engine", "closed"):
            raise ValueError(f"method {method!r}, expected 'engine' or 'closed'")
        return lib.PKM_METHOD_CLOSED if method == "closed" else lib.PKM_METHOD_ENGINE

    @staticmethod
    def _rows(value: Any, widths: Any, what: str) -> np.ndarray:
        array = np.ascontiguousarray(value, dtype=np.float64)
        if array.ndim == 0 or array.shape[-1] not in widths:
            raise ValueError(f"{what}: shape {array.shape}, expected (..., {' or '.join(map(str, widths))})")
        return array

    @staticmethod
    def _data(array: Optional[np.ndarray]) -> Any:
        return ffi.NULL if array is None else ffi.cast("double*", array.ctypes.data)

    def _batch(self, call: Any, n: int, strict: bool) -> None:
        err, status = new_error(), ffi.new("pkm_status[]", max(n, 1))
        with self._lock:
            code = call(status, err)
        if strict or code in (lib.PKM_ERR_ARGUMENT, lib.PKM_ERR_MODEL, lib.PKM_ERR_MEMORY):
            check(code, err)

    def ik(self, pose: Any, method: Optional[str] = None, strict: bool = True) -> np.ndarray:
        """Drive positions (..., n_drive) for tool positions (..., 3) or poses (..., 7: x y z, w x y z).

        By the closed form where there is one, in the working mode of home. A pose out of reach raises
        :class:`NoAnswer`; with ``strict=False`` its row is NaN.
        """
        given = self._rows(pose, (3, 7), "pose")
        full = np.zeros(given.shape[:-1] + (7,))
        full[..., :given.shape[-1]] = given
        q = np.empty(given.shape[:-1] + (len(self.drives),))
        n, which = full.size // 7, self._method(method)
        self._batch(lambda status, err: lib.pkm_batch_ik(self._pointer, which, n, self._data(full), self._data(q),
                                                         status, err), n, strict)
        return q

    def fk(self, q: Any, strict: bool = True) -> np.ndarray:
        """Tool poses (..., 7: x y z, w x y z) for drive positions (..., n_drive), in the assembly mode of home."""
        given = self._rows(q, (len(self.drives),), "q")
        pose = np.empty(given.shape[:-1] + (7,))
        n = pose.size // 7
        self._batch(lambda status, err: lib.pkm_batch_fk(self._pointer, n, self._data(given), self._data(pose),
                                                         status, err), n, strict)
        return pose

    def forces(self, q: Any, v: Any = None, a: Any = None, wrench: Any = None, method: Optional[str] = None,
               strict: bool = True) -> np.ndarray:
        """Drive forces for drive positions, rates and accelerations (..., n_drive).

        ``wrench`` (..., 6) is force and torque on the tool, world axes.
        """
        width = (len(self.drives),)
        given = self._rows(q, width, "q")
        others = []
        for value, widths, what in ((v, width, "v"), (a, width, "a"), (wrench, (6,), "wrench")):
            array = None if value is None else self._rows(value, widths, what)
            if array is not None and array.shape[:-1] != given.shape[:-1]:
                array = np.ascontiguousarray(np.broadcast_to(array, given.shape[:-1] + widths))
            others.append(array)
        out = np.empty(given.shape)
        n, which = out.size // max(width[0], 1), self._method(method)
        self._batch(lambda status, err: lib.pkm_batch_inverse(
            self._pointer, which, n, self._data(given), *map(self._data, others), self._data(out), status, err),
            n, strict)
        return out

    def _instant(self, q: Any, v: Any, force: Any, wrench: Any, a: Any = None) -> Any:
        now = ffi.new("pkm_instant*")
        zero = np.zeros(len(self.drives))
        v, a, force = (zero if x is None else x for x in (v, a, force))
        for field, value in (("q", q), ("v", v), ("a", a), ("force", force)):
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
            if numbers.shape != (len(self.drives),):
                raise ValueError(f"{field}: shape {numbers.shape}, expected ({len(self.drives)},)")
            for d, x in enumerate(numbers):
                getattr(now, field)[d] = x
        w = [0.0] * 6 if wrench is None else self._rows(wrench, (6,), "wrench").tolist()
        if np.ndim(w) != 1:
            raise ValueError(f"wrench: shape {np.shape(w)}, expected (6,)")
        now.tool_force, now.tool_torque = w[:3], w[3:]
        return now

    def accelerations(self, q: Any, v: Any, force: Any, wrench: Any = None, method: Optional[str] = None) -> np.ndarray:
        """Forward dynamics: accelerations of the drives under forces, all (n_drive,)."""
        now, err = self._instant(q, v, force, wrench), new_error()
        with self._lock:
            check(lib.pkm_forward_at(self._pointer, self._method(method), now, err), err)
        return np.array([now.a[d] for d in range(len(self.drives))])

    def dynamics(self, q: Any, v: Any, wrench: Any = None, method: Optional[str] = None) -> Any:
        """M and h of the equations of motion in the drives, M a + h = force."""
        n = len(self.drives)
        now, err = self._instant(q, v, np.zeros(n), wrench), new_error()
        M, h = np.empty((n, n)), np.empty(n)
        with self._lock:
            check(lib.pkm_dynamics_at(self._pointer, self._method(method), now, self._data(M), self._data(h), err), err)
        return M, h

    def matrices(self, q: Any, v: Any = None, a: Any = None, wrench: Any = None) -> Matrices:
        """Jacobians, mass matrix, Coriolis and gravity terms in the drives, limb by limb."""
        now = self._instant(q, v, None, wrench, a)
        with self._lock:
            return matrices(self._pointer, now)

    def equations(self, q: Any, v: Any = None, a: Any = None, force: Any = None, wrench: Any = None) -> Equations:
        """M a + h = Q + G' lambda in all joint coordinates, bodies and reactions, see :class:`pkm.Equations`.

        With ``force`` [n_drive] accelerations follow from forces, else ``a`` is prescribed.
        """
        if force is not None and a is not None:
            raise ValueError("expected either a or force")
        now = self._instant(q, v, force, wrench, a)
        with self._lock:
            return Equations(self._pointer, now, force is not None)

    # ---- analyses

    def _run(self, run: RunLike, keys: Mapping[str, Any]) -> Any:
        out, err = ffi.new("pkm_run**"), new_error()
        check(lib.pkm_run_create(self._pointer, out, err), err)
        made = ffi.gc(out[0], lib.pkm_run_free)
        if isinstance(run, (str, Path)):
            check(lib.pkm_run_read(made, str(run).encode(), err), err)
        elif run is not None and not isinstance(run, Mapping):
            raise TypeError(f"run: {type(run).__name__}, expected the path of a run file or a dict of its keys")
        given = {key: value for key, value in run.items() if key not in ("run", "description")} if isinstance(run, Mapping) else {}
        for key, value in {**given, **keys}.items():
            check(lib.pkm_run_choose(made, key.encode(), _yaml(value).encode(), err), err)
        return made

    def _analyse(self, name: str, run: RunLike, progress: Optional[Progress], keys: Mapping[str, Any],
                 controller: Optional[Controller] = None, period: Optional[float] = None) -> Answer:
        tick, caught = _ticker(progress)
        if controller is None and period is not None:
            raise ValueError("period: expected with a controller, which is asked that often")
        ask, failed = _control(controller, len(self.drives))
        with self._lock:
            made = self._run(run, keys)
            lib.pkm_run_set_progress(made, tick, ffi.NULL)
            out, err = ffi.new("pkm_answer**"), new_error()
            if ask is not None:
                check(lib.pkm_run_set_controller(made, 1e-3 if period is None else period, ask, ffi.NULL, err), err)
            status = getattr(lib, f"pkm_run_{name}")(self._pointer, made, out, err)
        answer = Answer(out[0]) if out[0] != ffi.NULL else None
        for error in caught + failed:
            raise error
        check(status, err, answer)
        assert answer is not None
        return answer

    @overload
    def inverse(self, run: RunLike = None, *, progress: Optional[Progress] = None, **keys: Any) -> Answer: ...

    @overload
    def inverse(self, t: Any, q: Any, v: Any, a: Any, /, *, wrench: Any = None, method: Optional[str] = None) -> np.ndarray: ...

    def inverse(self, *given: Any, progress: Optional[Progress] = None, **keys: Any) -> Any:
        """Drive forces along a motion: ``robot.inverse(motion="pick", instants=101)`` with all effects of inverse dynamics.

        ``robot.inverse(t, q, v, a)`` gives those (n, n_drive) of drive positions, rates and accelerations (n, n_drive) at
        times (n,) that increase, as :meth:`forces` does.
        """
        if len(given) < 2:
            return self._analyse("inverse", keys.pop("run", None) if not given else given[0], progress, keys)
        if len(given) != 4:
            raise TypeError("inverse: expected a run, or t, q, v, a")
        t, q, v, a = (np.asarray(x, dtype=np.float64) for x in given)
        if t.ndim != 1 or not (np.diff(t) > 0).all() or not q.shape == v.shape == a.shape == (len(t), len(self.drives)):
            raise ValueError(f"inverse: expected times (n,) that increase, and q, v, a of the shape (n, {len(self.drives)})")
        return self.forces(q, v, a, **keys)

    def simulate(self, run: RunLike = None, progress: Optional[Progress] = None,
                 controller: Optional[Controller] = None, period: Optional[float] = None, **keys: Any) -> Answer:
        """What the robot does when drives, friction, clearance and loads act on it.

        ``controller(t, q, v)`` is asked every ``period`` [s] (1e-3) and gives the forces of the drives (``drives="free"``),
        which are held until it is asked again.
        """
        return self._analyse("simulate", run, progress, keys, controller, period)

    def modes(self, run: RunLike = None, progress: Optional[Progress] = None, **keys: Any) -> Answer:
        """Natural frequencies with flexible links: ``robot.modes(modes=6, at=[0, 0, -0.9]).values["modes.0.frequency"]``."""
        return self._analyse("modes", run, progress, keys)

    def stiffness(self, run: RunLike = None, progress: Optional[Progress] = None, **keys: Any) -> Answer:
        """Stiffness at the tool: tables ``compliance`` and ``stiffness``, 6 x 6."""
        return self._analyse("stiffness", run, progress, keys)

    def elastodynamics(self, run: RunLike = None, progress: Optional[Progress] = None, **keys: Any) -> Answer:
        """Flexible links on the rigid motion, linear."""
        return self._analyse("elastodynamics", run, progress, keys)

    def envelope(self, run: RunLike = None, progress: Optional[Progress] = None, **keys: Any) -> Answer:
        """Largest errors of the tool over all positions that clearance leaves the joints."""
        return self._analyse("envelope", run, progress, keys)

    def workspace(self, run: RunLike = None, progress: Optional[Progress] = None, **keys: Any) -> Answer:
        """What the tool reaches: ``robot.workspace(slice={"z": -0.9}, points=51)``."""
        return self._analyse("workspace", run, progress, keys)

    def simulation(self, run: RunLike = None, **keys: Any) -> "Simulation":
        """A simulation in steps, see :class:`pkm.Simulation`."""
        from .simulation import Simulation

        with self._lock:
            made = self._run(run, keys)
            out, err = ffi.new("pkm_simulation**"), new_error()
            check(lib.pkm_simulation_create(self._pointer, made, out, err), err)
        return Simulation(out[0], self.drives, self.bodies)

    def __repr__(self) -> str:
        return f"<pkm robot {self.name}: drives {', '.join(self.drives)}>"


__all__ = ["Robot", "load", "parse", "study"]
