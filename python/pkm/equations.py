"""Matrices and equations of motion at one state."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np

from ._lib import check, decode, ffi, lib, new_error


class Part(NamedTuple):
    """What one limb, or a body that belongs to none, asks of the drives: M a + V + G."""

    name: str
    mass: float
    M: np.ndarray
    V: np.ndarray
    G: np.ndarray
    force: np.ndarray


class Matrices(NamedTuple):
    """x' = J q', A q' = B x' and force = M a + V + G - load in the drives.

    ``moves`` are the components of the tool that move (0 to 5 for x y z rx ry rz): the columns of ``B`` and of
    ``J_inverse``, which is None at a serial singularity or where there are more components than drives.
    """

    J: np.ndarray
    J_inverse: Any
    A: np.ndarray
    B: np.ndarray
    moves: List[int]
    all: Part
    parts: List[Part]
    load: np.ndarray
    force: np.ndarray


def _array(numbers: Any, *shape: int) -> np.ndarray:
    """Column-major numbers of the library as an array of their own."""
    n = int(np.prod(shape))
    return np.array([numbers[i] for i in range(n)]).reshape(shape, order="F")


def _part(part: Any, n: int) -> Part:
    return Part(decode(part.name), part.mass, _array(part.M, n, n), _array(part.V, n), _array(part.G, n),
                _array(part.force, n))


def matrices(robot: Any, now: Any) -> Matrices:
    """Those of ``robot`` at the instant ``now``."""
    m, err = ffi.new("pkm_matrices*"), new_error()
    check(lib.pkm_matrices_at(robot, now, m, err), err)
    n, k = m.n_drive, m.n_move
    return Matrices(_array(m.J, 6, n), _array(m.J_inverse, n, k) if m.has_inverse else None, np.diag(_array(m.A, n)),
                    _array(m.B, n, k), [m.move[i] for i in range(k)], _part(m.all, n),
                    [_part(m.part[i], n) for i in range(m.n_part)], _array(m.load, n), _array(m.force, n))


class Reaction(NamedTuple):
    """What a joint passes to its second body, at the joint, in the axes of its first frame [N, N m]."""

    force: np.ndarray
    moment: np.ndarray
    unique: bool


class Body(NamedTuple):
    """Motion of a body: pose (7: x y z, w x y z), velocity and acceleration of its origin and of its turn, world axes."""

    pose: np.ndarray
    v: np.ndarray
    w: np.ndarray
    a: np.ndarray
    alpha: np.ndarray


def _vector(x: Any) -> np.ndarray:
    return np.array([x.x, x.y, x.z])


class Equations:
    """M a + h = Q + G' lambda, G v = 0, G a = gamma in the coordinates of the tree of joints, at one state.

    ``velocities`` and ``closures`` name the entries of ``v`` and the rows of ``G``; ``bodies`` and ``reactions`` map
    names to :class:`Body` and :class:`Reaction`, ``joints`` those of revolute and prismatic joints to position and rate
    [rad, m]. ``drive_a`` and ``drive_force`` are those of the drives.
    """

    def __init__(self, robot: Any, now: Any, by_force: bool):
        out, err = ffi.new("pkm_equations**"), new_error()
        check(lib.pkm_equations_create(robot, out, err), err)
        e = ffi.gc(out[0], lib.pkm_equations_free)
        check((lib.pkm_equations_accelerate if by_force else lib.pkm_equations_set)(e, now, err), err)
        n, m = lib.pkm_equations_n_velocity(e), lib.pkm_equations_n_closure(e)
        n_drive = lib.pkm_robot_n_drive(robot)
        self.drive_a: np.ndarray = _array(now.a, n_drive)
        self.drive_force: np.ndarray = _array(now.force, n_drive)
        self.M: np.ndarray = self._read(lib.pkm_equations_mass, e, n, n)
        self.h: np.ndarray = self._read(lib.pkm_equations_bias, e, n)
        self.Q: np.ndarray = self._read(lib.pkm_equations_drives, e, n)
        v, a = ffi.new("double[]", n), ffi.new("double[]", n)
        check(lib.pkm_equations_motion(e, v, a, n, err), err)
        self.v, self.a = _array(v, n), _array(a, n)
        self.G, self.gamma, self.multipliers = np.zeros((m, n)), np.zeros(m), np.zeros(m)
        if m > 0:
            gamma, force = ffi.new("double[]", m), ffi.new("double[]", m)
            check(lib.pkm_equations_multipliers(e, gamma, force, m, err), err)
            self.G = self._read(lib.pkm_equations_closures, e, m, n)
            self.gamma, self.multipliers = _array(gamma, m), _array(force, m)
        self.velocities: List[str] = self._names(lib.pkm_equations_velocity_name, e, n)
        self.closures: List[str] = self._names(lib.pkm_equations_closure_name, e, m)
        self.bodies: Dict[str, Body] = self._bodies(e, robot)
        self.reactions: Dict[str, Reaction] = self._reactions(e, robot)
        self.joints: Dict[str, Tuple[float, float]] = self._joints(e, robot)

    @staticmethod
    def _read(call: Any, e: Any, *shape: int) -> np.ndarray:
        n, err = int(np.prod(shape)), new_error()
        numbers = ffi.new("double[]", n)
        check(call(e, numbers, n, err), err)
        return _array(numbers, *shape)

    @staticmethod
    def _names(call: Any, e: Any, n: int) -> List[str]:
        text, names = ffi.new("char[200]"), []
        for i in range(n):
            call(e, i, text, 200)
            names.append(decode(text))
        return names

    @staticmethod
    def _bodies(e: Any, robot: Any) -> Dict[str, Body]:
        out, err, bodies = ffi.new("pkm_frame_motion*"), new_error(), {}
        for b in range(lib.pkm_robot_n_body(robot)):
            check(lib.pkm_equations_body(e, b, out, err), err)
            turn = out.pose.q
            pose = np.concatenate([_vector(out.pose.p), [turn.w, turn.x, turn.y, turn.z]])
            bodies[decode(lib.pkm_robot_body_name(robot, b))] = Body(
                pose, _vector(out.v), _vector(out.w), _vector(out.a), _vector(out.alpha))
        return bodies

    @staticmethod
    def _joints(e: Any, robot: Any) -> Dict[str, Tuple[float, float]]:
        now, err, joints = ffi.new("double[2]"), new_error(), {}
        for j in range(lib.pkm_robot_n_joint(robot)):
            if lib.pkm_robot_joint_type(robot, j) in (lib.PKM_JOINT_REVOLUTE, lib.PKM_JOINT_PRISMATIC):
                check(lib.pkm_equations_joint(e, j, now, now + 1, err), err)
                joints[decode(lib.pkm_robot_joint_name(robot, j))] = (now[0], now[1])
        return joints

    @staticmethod
    def _reactions(e: Any, robot: Any) -> Dict[str, Reaction]:
        force, moment, unique = ffi.new("pkm_vec3*"), ffi.new("pkm_vec3*"), ffi.new("bool*")
        err, reactions = new_error(), {}
        for j in range(lib.pkm_robot_n_joint(robot)):
            check(lib.pkm_equations_reaction(e, j, force, moment, unique, err), err)
            reactions[decode(lib.pkm_robot_joint_name(robot, j))] = Reaction(
                _vector(force), _vector(moment), bool(unique[0]))
        return reactions


__all__ = ["Body", "Equations", "Matrices", "Part", "Reaction"]
