# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Scenes, runs, recordings and robots from Python."""

import os
import pathlib

import numpy as np
import pytest

import cairn

SOURCE = pathlib.Path(os.environ.get("CAIRN_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SCENES, ROBOTS = SOURCE / "scenes", SOURCE / "tests" / "data" / "robots"


def test_sensors_measure(tmp_path):
    scene = cairn.Scene.from_text({
        "cairn": 1, "bodies": [{"type": "static", "shape": {"kind": "half_space"}},
                               {"name": "b", "at": [0, 0, 0.1], "mass": 3, "shape": {"kind": "sphere", "radius": 0.1}}],
        "sensors": [{"name": "a", "kind": "imu", "body": "b"}, {"name": "t", "kind": "touch", "body": "b"}]})
    assert scene.sensors == {"a": ("ax", "ay", "az", "wx", "wy", "wz"), "t": ("force",)}
    scene.run(time=0.5, gltf=tmp_path / "run.glb")
    assert abs(scene.read("a")[2] - 9.81) < 1e-4 and abs(scene.read("t")[0] - 3 * 9.81) < 1e-3
    assert (tmp_path / "run.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(KeyError):
        scene.read("nobody")


def test_a_scene_runs_and_shows_itself(tmp_path):
    scene = cairn.Scene(SCENES / "column.json")
    run = scene.run(time=0.5, record=tmp_path / "column.h5")
    assert len(run["time"]) == run.steps == 30 and run.missed == 0
    assert run["time"][-1] == pytest.approx(0.5)
    assert "all converged" in repr(run) and repr(scene).startswith("<cairn.Scene")
    page = run._repr_html_()
    assert page.startswith("<iframe") and len(page) > 100000
    run.write_html(tmp_path / "run.html")
    assert (tmp_path / "run.html").stat().st_size > 100000


def test_a_recording_holds_what_was_simulated(tmp_path):
    scene = cairn.Scene(SCENES / "domino.json")
    scene.run(time=0.3, record=tmp_path / "d.h5")
    recording = cairn.Recording(tmp_path / "d.h5")
    assert len(recording) == 1 + round(0.3 / scene.info.dt)
    last = recording.frame(-1)
    assert last.hash == scene.world.hash
    assert last.states == pytest.approx(scene.world.states(), abs=1e-15)
    with pytest.raises(IndexError):
        recording.frame(len(recording))


def test_bodies_and_joints_are_found_by_name():
    scene = cairn.Scene(ROBOTS / "arm.urdf")
    assert scene.find("lower").mass == pytest.approx(1.5)
    assert scene.world.name_of(scene.find("upper")) == "upper"
    assert scene.find_joint("elbow").definition.kind == "hinge"
    with pytest.raises(KeyError):
        scene.find("nobody")


def test_errors_name_file_and_line(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"cairn": 1,\n "bodies": [{"shape": {"kind": "sphere", "radius": -1}}]}')
    with pytest.raises(cairn.BadInput, match=r"bad.json:2:\d+: bodies\[0\].shape.radius"):
        cairn.Scene(bad)
    with pytest.raises(cairn.BadInput, match=r"r.urdf:1: <robot>"):
        cairn.Robot.from_text("<robot name='r'/>", "r.urdf")


def test_a_robot_obeys_its_equations():
    robot = cairn.Robot(ROBOTS / "arm.urdf")
    assert robot.nq == robot.nv == 2 and robot.info.mass == pytest.approx(3.5)
    q, v, a = np.array([0.3, -0.8]), np.array([0.5, 1.0]), np.array([2.0, -1.0])
    M, c = robot.mass_matrix(q), robot.bias(q, v)
    assert robot.inverse_dynamics(q, v, a) == pytest.approx(M @ a + c)
    assert robot.forward_dynamics(q, v, M @ a + c) == pytest.approx(a)
    assert 0.5 * v @ M @ v == pytest.approx(robot.energy(q, v)[0])
    J = robot.jacobian(q, "lower", (0.4, 0, 0))
    assert J.shape == (6, 2)
    step = 1e-6
    tip = [robot.kinematics(q + s * step * v)["lower"][:3] for s in (-1, 1)]
    origin = robot.jacobian(q, "lower")[:3] @ v
    assert (tip[1] - tip[0]) / (2 * step) == pytest.approx(origin, abs=1e-8)
    with pytest.raises(cairn.BadInput):
        robot.mass_matrix([1, 2, 3])


def test_an_arm_whose_weight_is_borne_stays_where_it_is():
    robot = cairn.Robot(ROBOTS / "arm.urdf")
    scene = robot.scene(no_sleep=True)
    q = np.array([0.4, -0.9])
    robot.set_state(scene, q)
    tau = robot.inverse_dynamics(q)
    for _ in range(50):
        robot.add_forces(scene, tau)
        scene.step(0.01)
    assert robot.get_state(scene)[0] == pytest.approx(q, abs=1e-9)


def test_what_a_robot_leaves_out_is_told():
    text = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><tendon><spatial/></tendon></mujoco>"
    assert cairn.Robot.from_text(text).info.ignored == "<spatial> (line 1)"
    with pytest.raises(cairn.BadInput, match="strict"):
        cairn.Robot.from_text(text, strict=True)


def test_worlds_and_scenes_show_themselves():
    scene = cairn.Scene(SCENES / "column.json")
    assert "<table>" in scene.world._repr_html_() and "dynamic" in scene.world._repr_html_()
    page = scene._repr_html_()
    assert "<iframe" in page or "<pre>" in page
    assert scene.world.time == 0
