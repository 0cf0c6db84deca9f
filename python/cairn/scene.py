# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Scenes from files, runs of them, and recordings."""

from __future__ import annotations

import base64
import html
import json
import os
import tempfile
from typing import Any

import numpy as np

from ._core import CairnError, Record, call, check, ffi, fill, lib, namespace, of_c, path_of, text_of, vec3
from .world import Body, Joint, StepReport, World


def _scene_def(options: dict):
    """The options of a scene, with what they point at."""
    definition, keeps = ffi.new("cairn_scene_def*"), []
    robot = {k: options.pop(k) for k in ("packages", "keyframe", "strict", "fix_base", "no_floor", "no_meshes", "hold_frames") if k in options}
    for name in ("preset", "method"):
        if options.get(name) is not None:
            keeps.append(ffi.new("char[]", options.pop(name).encode()))
            setattr(definition, name, keeps[-1])
    if options.get("gravity") is not None:
        keeps.append(ffi.new("cairn_vec3*", vec3(options.pop("gravity"))))
        definition.gravity = keeps[-1]
    if robot:
        keeps.append(robot_def(robot, keeps))
        definition.robot = keeps[-1]
    fill(definition, {k: v for k, v in options.items() if v is not None})
    return definition, keeps


def robot_def(options: dict, keeps: list):
    """How a robot is read, with what it points at in `keeps`."""
    definition = ffi.new("cairn_robot_def*")
    for name in ("packages", "keyframe"):
        value = options.get(name)
        if value is not None:
            keeps.append(ffi.new("char[]", path_of(value) if name == "packages" else str(value).encode()))
            setattr(definition, name, keeps[-1])
    fill(definition, {k: v for k, v in options.items() if k not in ("packages", "keyframe")})
    return definition


class Scene:
    """A world read from a scene file (JSON), or from a robot in URDF or MJCF.

    >>> scene = Scene("wall.json")
    >>> run = scene.run(time=2)
    """

    def __init__(self, path, **options):
        definition, keeps = _scene_def(options)
        place = ffi.new("cairn_scene**")
        call(lib.cairn_scene_read, path_of(path), definition, place)
        self._own(place[0], os.fspath(path))
        with open(path, "rb") as file:
            self._text = file.read()
        del keeps

    @classmethod
    def from_text(cls, text: str | dict, name: str = "scene.json", **options) -> "Scene":
        """The same from a text, or from what json.loads would give."""
        data = (json.dumps(text) if isinstance(text, dict) else text).encode()
        scene = cls.__new__(cls)
        definition, keeps = _scene_def(options)
        place = ffi.new("cairn_scene**")
        call(lib.cairn_scene_read_text, data, len(data), name.encode(), definition, place)
        scene._own(place[0], name)
        scene._text = data
        del keeps
        return scene

    def _own(self, pointer, name: str) -> None:
        self._c = ffi.gc(pointer, lib.cairn_scene_destroy)
        self._name = name
        self._text = b""
        #: The world; it lives as long as the scene.
        self.world = World._borrow(lib.cairn_scene_world(self._c), self._c, self._c)

    @property
    def info(self) -> Record:
        """title, group, method, time, dt, substeps, tolerance, gravity, body_count, ignored."""
        return of_c(ffi.typeof("cairn_scene_info"), lib.cairn_scene_describe(self._c))

    def find(self, name: str) -> Body:
        """The body of a name."""
        identity = ffi.new("cairn_body_id*")
        if not lib.cairn_scene_find(self._c, name.encode(), identity):
            raise KeyError(name)
        return Body(self.world, identity[0])

    def find_joint(self, name: str) -> Joint:
        """The joint of a name."""
        identity = ffi.new("cairn_joint_id*")
        if not lib.cairn_scene_find_joint(self._c, name.encode(), identity):
            raise KeyError(name)
        return Joint(self.world, identity[0])

    @property
    def sensors(self) -> dict[str, tuple[str, ...]]:
        """The sensors that measure, with the names of their values."""
        kinds = [lib.cairn_scene_get_instrument(self._c, i) for i in range(lib.cairn_scene_instruments(self._c))]
        return {text_of(k.name): tuple(text_of(k.columns[i]) for i in range(k.count)) for k in kinds}

    def read(self, sensor: str) -> np.ndarray:
        """What a sensor measures: docs/scene.md says in which units and axes."""
        index = lib.cairn_scene_find_instrument(self._c, sensor.encode())
        if index < 0:
            raise KeyError(sensor)
        values = np.zeros(lib.CAIRN_INSTRUMENT_VALUES)
        call(lib.cairn_scene_read_instrument, self._c, index, ffi.cast("double*", values.ctypes.data))
        return values[:lib.cairn_scene_get_instrument(self._c, index).count]

    def step(self, dt: float | None = None, steps: int = 1) -> StepReport:
        """Lets bodies enter whose time has come, and steps the world."""
        return self.world.step(self.info.dt if dt is None else dt, steps)

    def run(self, time: float | None = None, dt: float | None = None, record=None, gltf=None, force: bool = False) -> "Run":
        """Runs the scene, as long as it says unless told; `record` is a file (HDF5) that the run is written to, `gltf` one
        of its animation (GLB)."""
        info = self.info
        dt = info.dt if dt is None else dt
        return Run(self, int(round((info.time if time is None else time) / dt)), dt, record, gltf, force)

    def __repr__(self) -> str:
        info = self.info
        return "<cairn.Scene '%s' of %d bodies at %.6g s>" % (info.title or self._name, info.body_count, self.world.time)

    def _repr_html_(self) -> str:
        """The page of a run, at the present state."""
        return Run(self, 0, self.info.dt, None, None, False)._repr_html_()


class Run:
    """A run of a scene: columns of figures, one number for each step, and a page that replays it."""

    COLUMNS = ("time", "residual", "penetration", "joint_error", "kinetic", "potential", "contacts", "awake")

    def __init__(self, scene: Scene, steps: int, dt: float, record, gltf, force: bool):
        self.scene, self.dt, self.steps, self.missed = scene, dt, 0, 0
        self._columns = {name: np.empty(steps) for name in self.COLUMNS}
        self._stage = ffi.gc(ffi.new("cairn_stage*"), lib.cairn_stage_destroy)
        self._frame = ffi.gc(ffi.new("cairn_frame*"), lib.cairn_frame_destroy)
        name, text = ffi.new("char[]", scene._name.encode()), ffi.new("char[]", scene._text)
        origin = ffi.new("cairn_stage_origin*", {"name": name, "text": text, "text_size": len(scene._text)})
        call(lib.cairn_stage_set_origin, self._stage, origin)
        replay = ffi.new("cairn_replay**")
        call(lib.cairn_replay_create, ffi.NULL, replay)
        self._replay = ffi.gc(replay[0], lib.cairn_replay_destroy)
        recorder, animation = ffi.new("cairn_recorder**"), ffi.new("cairn_gltf**")
        self._gltf = None
        if gltf is not None:
            call(lib.cairn_gltf_create, animation)
            self._gltf = ffi.gc(animation[0], lib.cairn_gltf_destroy)
        self._take(ffi.NULL, 0.0)
        if record is not None:
            call(lib.cairn_recorder_create, path_of(record), self._stage, force, recorder)
            lib.cairn_world_set_solve_hook(scene.world._c, ffi.addressof(lib, "cairn_recorder_solve"), recorder[0])
        try:
            self._simulate(steps, recorder[0])
        finally:
            if record is not None:
                lib.cairn_world_set_solve_hook(scene.world._c, ffi.NULL, ffi.NULL)
                call(lib.cairn_recorder_destroy, recorder[0])
        self._columns = {name: column[:self.steps] for name, column in self._columns.items()}
        if gltf is not None:
            call(lib.cairn_gltf_write, self._gltf, path_of(gltf), force)
            self._gltf = None

    def _take(self, report, ms: float) -> None:
        call(lib.cairn_stage_take, self._stage, self.scene._c, self.dt)
        call(lib.cairn_frame_take, self._frame, self._stage, self.scene._c, report, ms)
        call(lib.cairn_replay_add, self._replay, self._stage, self._frame)
        if self._gltf is not None:
            call(lib.cairn_gltf_add, self._gltf, self._stage, self._frame)

    def _simulate(self, steps: int, recorder) -> None:
        from ._core import on_main_thread
        world, scene = self.scene.world._c, self.scene._c
        report, error, motion = ffi.new("cairn_step_report*"), ffi.new("cairn_error*"), ffi.new("cairn_motion*")
        done, missed, main = ffi.new("int*"), ffi.new("int*"), on_main_thread()
        if recorder:
            call(lib.cairn_recorder_add, recorder, self._stage, self._frame)
        for i in range(steps):
            before = lib.cairn_clock()
            status = lib.glue_step(world, scene, self.dt, 1, main, done, motion, missed, report, error)
            if status == lib.CAIRN_INTERRUPTED:
                lib.cairn_world_resume(world)
            check(status, error)
            self._take(report, 1e3 * (lib.cairn_clock() - before))
            if recorder:
                call(lib.cairn_recorder_add, recorder, self._stage, self._frame)
            for name in self.COLUMNS:
                self._columns[name][i] = getattr(report, name)
            self.steps, self.missed = i + 1, self.missed + missed[0]
        #: The certificate of the motion of all steps.
        self.motion = namespace(motion)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column: time, residual, penetration, joint_error, kinetic, potential, contacts or awake."""
        return self._columns[name]

    def write_html(self, path, force: bool = False) -> None:
        """The replay as a page of its own."""
        call(lib.cairn_replay_write, self._replay, path_of(path), force)

    def plot(self, *names: str) -> Any:
        """Plots columns over time (matplotlib)."""
        from matplotlib import pyplot
        names = names or ("kinetic", "residual")
        figure, axes = pyplot.subplots(len(names), 1, sharex=True, squeeze=False)
        for axis, name in zip(axes[:, 0], names):
            axis.plot(self["time"], self[name])
            axis.set_ylabel(name)
        axes[-1, 0].set_xlabel("s")
        return figure

    def __repr__(self) -> str:
        largest = {n: float(self[n].max()) if self.steps else 0.0 for n in ("residual", "penetration", "joint_error")}
        return "<cairn.Run of '%s': %d steps of %.6g s, residual <= %.3g, overlaps <= %.3g m, joints open by <= %.3g m, %s>" % (
            self.scene.info.title or self.scene._name, self.steps, self.dt, largest["residual"], largest["penetration"],
            largest["joint_error"], "%d steps missed" % self.missed if self.missed else "all converged")

    def _repr_html_(self) -> str:
        """The replay page in a frame."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.html")
            try:
                self.write_html(path)
            except CairnError as error:  # the library was built without the page
                return "<pre>%s\n%s</pre>" % (html.escape(repr(self)), html.escape(str(error)))
            with open(path, "rb") as file:
                data = base64.b64encode(file.read()).decode()
        return '<iframe src="data:text/html;base64,%s" width="100%%" height="600" style="border:0"></iframe>' % data


class Recording:
    """A recording of a run (HDF5), open to be read."""

    def __init__(self, path):
        place = ffi.new("cairn_recording**")
        call(lib.cairn_recording_open, path_of(path), place)
        self._c = ffi.gc(place[0], lib.cairn_recording_destroy)
        self._name = os.fspath(path)
        self._stage = ffi.gc(ffi.new("cairn_stage*"), lib.cairn_stage_destroy)
        self._frame = ffi.gc(ffi.new("cairn_frame*"), lib.cairn_frame_destroy)

    def __len__(self) -> int:
        """Frames, the state before the first step included."""
        return lib.cairn_recording_frame_count(self._c)

    def frame(self, index: int) -> Record:
        """time, report, hash, and states: slots x 13 as in World.states."""
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        call(lib.cairn_recording_show, self._c, index % len(self), self._stage, self._frame)
        f = self._frame
        states = np.zeros((f.body_count, 13))
        for i in range(f.body_count):
            b = f.bodies[i]
            if b.present:
                p, q, v, w = b.pose.p, b.pose.q, b.velocity, b.spin
                states[i] = (p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z)
        return Record(time=f.report.time, report=namespace(ffi.addressof(f, "report")), hash=f.hash, states=states)

    @property
    def names(self) -> list[str]:
        """The names of the bodies, by slot, at the frame that was read last."""
        return [text_of(self._stage.bodies[i].name) for i in range(self._stage.body_count)]

    def __repr__(self) -> str:
        return "<cairn.Recording '%s' of %d frames>" % (self._name, len(self))
