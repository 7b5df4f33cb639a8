"""Robots built by calls."""

from __future__ import annotations

import json
from typing import Any, Sequence

from ._lib import check, decode, ffi, lib, new_error
from .robot import Robot, _overrides

_TYPES = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "distance", "screw")


class Builder:
    """A robot item by item; each call gives the builder, so that they can be chained.

        b = pkm.Builder("pendulum").point("ground", "O", [0, 0, 0])
        b.body("bob", 2.0, com=[0, 0, -1], inertia=[0, 0, 0]).point("bob", "O", [0, 0, 0])
        b.joint("pin", "revolute", "ground.O", "bob.O", axis="y").drive("q", "pin")
        robot = b.robot()

    What has no call of its own is set by its path in the model file: ``b.set("tool.point", "bob.O")``.
    """

    def __init__(self, name: str):
        out, err = ffi.new("pkm_builder**"), new_error()
        check(lib.pkm_builder_create(name.encode(), out, err), err)
        self._pointer = ffi.gc(out[0], lib.pkm_builder_free)

    def set(self, path: str, value: Any) -> "Builder":
        """Put a value (number, list, dict, or a text with units as in the file) at ``path``."""
        err = new_error()
        text = value if isinstance(value, str) else json.dumps(value)
        check(lib.pkm_builder_set(self._pointer, path.encode(), text.encode(), err), err)
        return self

    def body(self, name: str, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0),
             inertia: Sequence[float] = (0.0, 0.0, 0.0), **keys: Any) -> "Builder":
        """A body [kg, m, kg m2]: ``inertia`` is xx yy zz, or these and xy xz yz; keys as in the file (``pose``)."""
        err = new_error()
        six = [float(x) for x in inertia] + [0.0] * (6 - len(inertia))
        check(lib.pkm_builder_add_body(self._pointer, name.encode(), mass, [float(x) for x in com], six, err), err)
        for key, value in keys.items():
            self.set(f"bodies.{name}.{key}", value)
        return self

    def point(self, body: str, name: str, at: Sequence[float]) -> "Builder":
        """A point of a body, or of ``"ground"``, in its axes [m]."""
        err = new_error()
        check(lib.pkm_builder_add_point(self._pointer, body.encode(), name.encode(), [float(x) for x in at], err), err)
        return self

    def joint(self, name: str, kind: str, a: str, b: str, **keys: Any) -> "Builder":
        """A joint between two points, ``"crank.A"`` each; keys as in the file: ``axis="x"``, ``length=0.4``."""
        if kind not in _TYPES:
            raise ValueError(f"joint {kind!r}, expected one of {', '.join(_TYPES)}")
        err = new_error()
        which = getattr(lib, f"PKM_JOINT_{kind.upper()}")
        check(lib.pkm_builder_add_joint(self._pointer, name.encode(), which, a.encode(), b.encode(), err), err)
        for key, value in keys.items():
            self.set(f"joints.{name}.{key}", value)
        return self

    def drive(self, name: str, joint: str, home: float = 0.0) -> "Builder":
        """A drive of a joint, with its position at home [m, rad]."""
        err = new_error()
        check(lib.pkm_builder_add_drive(self._pointer, name.encode(), joint.encode(), home, err), err)
        return self

    @property
    def text(self) -> str:
        """The model file that says the same."""
        text = lib.pkm_builder_text(self._pointer)
        if text == ffi.NULL:
            raise MemoryError("pkm: out of memory")
        try:
            return decode(text)
        finally:
            lib.pkm_text_free(text)

    def robot(self, **parameters: Any) -> Robot:
        """The robot, with other values for some of its parameters."""
        out, err = ffi.new("pkm_robot**"), new_error()
        array, kept = _overrides(parameters)
        check(lib.pkm_builder_robot(self._pointer, ffi.NULL, array, len(parameters), out, err), err)
        del kept
        return Robot(out[0])


__all__ = ["Builder"]
