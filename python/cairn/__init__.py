# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Cairn: rigid bodies with contact and friction, solved to a tolerance that you choose, and every answer measured.

World, Body, Joint, Sensor
                        a world of rigid bodies; cairn.box, cairn.sphere, ... are its shapes
Scene, Run, Recording   scenes from files (JSON, URDF, MJCF), runs and recordings
Robot                   a robot in joint coordinates
Batch                   many copies of a scene at once, as Gymnasium's vector environments
Problem, methods        contact problems and the methods that solve them; solve_lcp for plain LCPs

SI units, z up, quaternions (w, x, y, z). What is refused raises CairnError with one sentence.
"""

from ._cairn import ffi as _ffi
from ._cairn import lib as _lib
from ._core import BadInput, Busy, CairnError, Fault, Interrupted, NoFile, NoMemory, NotSupported
from .batch import Batch
from .problem import Problem, Solution, SolveReport, methods, solve_lcp
from .robot import Robot
from .scene import Recording, Run, Scene
from .shapes import (Shape, box, capsule, compound, cone, cylinder, ellipsoid, half_space, height_field, hull, mesh, read_mesh,
                     sphere, tapered_capsule)
from .world import MASK_ALL, Body, Joint, Sensor, Snapshot, StepReport, World

__version__ = _ffi.string(_lib.cairn_version()).decode()

__all__ = [
    "BadInput", "Batch", "Body", "Busy", "CairnError", "Fault", "Interrupted", "Joint", "MASK_ALL", "NoFile", "NoMemory",
    "NotSupported", "Problem", "Recording", "Robot", "Run", "Scene", "Sensor", "Shape", "Snapshot", "Solution", "SolveReport", "StepReport",
    "World", "box", "capsule", "compound", "cone", "cylinder", "ellipsoid", "half_space", "height_field", "hull", "mesh", "methods",
    "read_mesh", "solve_lcp", "sphere", "tapered_capsule",
]
