"""Dynamics of parallel robots: kinematics, driving forces, simulation, modes, workspace.

    import pkm
    robot = pkm.load("robots/siax.yaml", m5="2.5 kg")
    q = robot.ik([[0, 0, -0.9], [0.1, 0, -0.9]])
    rows = robot.simulate({"motion": "pick", "friction": {"spherical": {"static": 0.1, "radius": "5 mm"}}})
    rows["qA.force"]            # a NumPy array that shares the library's memory
    rows.peak("qA.force").value
    pkm.call("motors", "robots/siax.yaml", motors="motors/servo.yaml")["best"]   # any verb of the program

SI units and radians throughout. Robots and runs are files, YAML texts or dicts of the same keys
(docs/reference/model-file.md, run-file.md). Errors are exceptions with file, line and column.
"""

from __future__ import annotations

from ._lib import Error, InputError, NoAnswer, decode as _decode, lib as _lib
from .answer import Answer, Peak, Warning
from .builder import Builder
from .equations import Body, Equations, Matrices, Part, Reaction
from .figure import Figure
from .robot import Robot, load, parse, study
from .simulation import Simulation
from .verb import Option, Result, Verb, call, verbs

__all__ = ["Answer", "Body", "Builder", "Equations", "Error", "Figure", "InputError", "Matrices", "NoAnswer", "Option", "Part",
           "Peak", "Reaction", "Result", "Robot", "Simulation", "Verb", "Warning", "call", "load", "parse", "study", "verbs",
           "version"]


def version() -> str:
    """The version of the library."""
    return _decode(_lib.pkm_version())


__version__ = version()
