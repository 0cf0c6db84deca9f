# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Robots in URDF and MJCF, and dynamics in joint coordinates: M(q) a + c(q, v) = τ."""

from __future__ import annotations

import os

import numpy as np

from ._core import Record, call, doubles, ffi, lib, of_c, path_of, text_of, vec3, vector
from .scene import Scene, _scene_def, robot_def


class Robot:
    """A robot. The order of q, v and τ is that of `joints`; docs/robots.md says what each kind has.

    >>> robot = Robot("arm.urdf")
    >>> tau = robot.inverse_dynamics(robot.q0)       # what bears its weight
    """

    def __init__(self, path, **options):
        keeps: list = []
        place = ffi.new("cairn_robot**")
        call(lib.cairn_robot_read, path_of(path), robot_def(options, keeps), place)
        self._own(place[0], os.fspath(path))

    @classmethod
    def from_text(cls, text: str, name: str = "robot.xml", **options) -> "Robot":
        robot, keeps, data = cls.__new__(cls), [], text.encode()
        place = ffi.new("cairn_robot**")
        call(lib.cairn_robot_read_text, data, len(data), name.encode(), robot_def(options, keeps), place)
        robot._own(place[0], name)
        return robot

    def _own(self, pointer, name: str) -> None:
        self._c = ffi.gc(pointer, lib.cairn_robot_destroy)
        self._name = name
        self._model = lib.cairn_robot_multibody(self._c)
        #: Where the scene begins.
        self.q0, self.v0 = np.empty(self.nq), np.empty(self.nv)
        lib.cairn_robot_start(self._c, doubles(self.q0), doubles(self.v0))

    @property
    def info(self) -> Record:
        """name, format, ignored (what was not read), link_count, joint_count, q_count, v_count, mass."""
        return of_c(ffi.typeof("cairn_robot_info"), lib.cairn_robot_describe(self._c))

    @property
    def nq(self) -> int:
        return lib.cairn_multibody_q_count(self._model)

    @property
    def nv(self) -> int:
        return lib.cairn_multibody_v_count(self._model)

    @property
    def links(self) -> list[Record]:
        kind = ffi.typeof("cairn_robot_link")
        return [of_c(kind, lib.cairn_robot_get_link(self._c, i)) for i in range(self.info.link_count)]

    @property
    def joints(self) -> list[Record]:
        kind = ffi.typeof("cairn_robot_joint")
        return [of_c(kind, lib.cairn_robot_get_joint(self._c, i)) for i in range(self.info.joint_count)]

    def _link(self, link) -> int:
        if isinstance(link, int):
            return link
        for item in self.links:
            if item.name == link:
                return item.link
        raise KeyError(link)

    # ------------------------------------------------------------ dynamics

    def _q(self, q) -> np.ndarray:
        return vector(q, self.nq, "q")

    def _v(self, v, name: str) -> np.ndarray | None:
        return None if v is None else vector(v, self.nv, name)

    def kinematics(self, q) -> dict[str, np.ndarray]:
        """The pose of each link: position and quaternion, 7 numbers."""
        q, count = self._q(q), lib.cairn_multibody_links(self._model)
        poses = np.empty((count, 7))
        call(lib.cairn_multibody_kinematics, self._model, doubles(q), ffi.NULL,
             ffi.cast("cairn_transform*", poses.ctypes.data), ffi.NULL, ffi.NULL)
        return {item.name: poses[item.link] for item in self.links}

    def jacobian(self, q, link: str | int, point=(0.0, 0.0, 0.0)) -> np.ndarray:
        """6 x nv: the velocity of a point of the link (in its frame), then the spin of the link."""
        q, J = self._q(q), np.empty((6, self.nv))
        call(lib.cairn_multibody_jacobian, self._model, doubles(q), self._link(link), vec3(point), doubles(J))
        return J

    def mass_matrix(self, q) -> np.ndarray:
        """The mass matrix M(q), nv x nv."""
        q, M = self._q(q), np.empty((self.nv, self.nv))
        call(lib.cairn_multibody_mass_matrix, self._model, doubles(q), doubles(M))
        return M

    def inverse_dynamics(self, q, v=None, a=None) -> np.ndarray:
        """τ = M a + c(q, v)."""
        return self._three(lib.cairn_multibody_inverse, q, self._v(v, "v"), self._v(a, "a"))

    def bias(self, q, v=None) -> np.ndarray:
        """c(q, v): Coriolis, centrifugal and gravity forces."""
        return self.inverse_dynamics(q, v)

    def forward_dynamics(self, q, v=None, tau=None) -> np.ndarray:
        """a = M⁻¹ (τ - c)."""
        return self._three(lib.cairn_multibody_forward, q, self._v(v, "v"), self._v(tau, "tau"))

    def _three(self, function, q, v, x) -> np.ndarray:
        q, out = self._q(q), np.empty(self.nv)
        call(function, self._model, doubles(q), ffi.NULL if v is None else doubles(v), ffi.NULL if x is None else doubles(x),
             doubles(out))
        return out

    def energy(self, q, v=None) -> tuple[float, float]:
        """J: kinetic and potential."""
        q, v = self._q(q), self._v(v, "v")
        kinetic, potential = ffi.new("double*"), ffi.new("double*")
        call(lib.cairn_multibody_energy, self._model, doubles(q), ffi.NULL if v is None else doubles(v), kinetic, potential)
        return kinetic[0], potential[0]

    def linearize(self, q, v=None, tau=None, step: float = 1e-6) -> tuple[np.ndarray, np.ndarray]:
        """A and B of d/dt (q, v) = A (q, v) + B τ about a state, by central differences; for hinges and slides."""
        n = self.nv
        if self.nq != n:
            raise NotImplementedError("linearize takes robots of hinges and slides alone")
        x = np.concatenate([self._q(q), np.zeros(n) if v is None else self._v(v, "v")])
        tau = np.zeros(n) if tau is None else self._v(tau, "tau")

        def rate(state, force):
            return np.concatenate([state[n:], self.forward_dynamics(state[:n], state[n:], force)])
        A = [(rate(x + step * e, tau) - rate(x - step * e, tau)) / (2 * step) for e in np.eye(2 * n)]
        B = [(rate(x, tau + step * e) - rate(x, tau - step * e)) / (2 * step) for e in np.eye(n)]
        return np.stack(A, axis=1), np.stack(B, axis=1)

    # ------------------------------------------------------------ in a world

    def scene(self, **options) -> Scene:
        """The robot as a scene of its own."""
        definition, keeps = _scene_def(options)
        place = ffi.new("cairn_scene**")
        call(lib.cairn_robot_make_scene, self._c, definition, place)
        scene = Scene.__new__(Scene)
        scene._own(place[0], self._name)
        scene._text = self.scene_text.encode()
        del keeps
        return scene

    @property
    def scene_text(self) -> str:
        """The scene as JSON."""
        return text_of(lib.cairn_robot_scene_text(self._c))

    def get_state(self, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the robot in a scene of its own."""
        q, v = np.empty(self.nq), np.empty(self.nv)
        call(lib.cairn_robot_get_state, self._c, scene._c, doubles(q), doubles(v))
        return q, v

    def set_state(self, scene: Scene, q, v=None) -> None:
        """Places the bodies of the robot in its scene by joint coordinates; without v at rest."""
        q, v = self._q(q), self._v(v, "v")
        call(lib.cairn_robot_set_state, self._c, scene._c, doubles(q), ffi.NULL if v is None else doubles(v))

    def add_forces(self, scene: Scene, tau) -> None:
        """Joint forces during the next step."""
        tau = vector(tau, self.nv, "tau")
        call(lib.cairn_robot_add_forces, self._c, scene._c, doubles(tau))

    def __repr__(self) -> str:
        info = self.info
        return "<cairn.Robot '%s' (%s) of %d links and %d joints, %.6g kg>" % (
            info.name, info.format, info.link_count, info.joint_count, info.mass)
