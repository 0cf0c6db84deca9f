# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Worlds from Python: laws of motion, arrays, errors, snapshots, queries."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import cairn


def pair():
    world = cairn.World()
    floor = world.add_body(cairn.half_space(), type="static", material={"mu": 0.5})
    box = world.add_body(cairn.box(1, 1, 1), position=(0, 0, 2), material={"mu": 0.5})
    return world, floor, box


def test_a_body_falls_with_gravity():
    world = cairn.World(gravity=(0, 0, -10))
    ball = world.add_body(cairn.sphere(0.1), position=(0, 0, 50))
    report = world.step(0.01, steps=100)
    assert report.converged and report.steps == 100
    assert ball.velocity[2] == pytest.approx(-10, abs=1e-12)
    assert ball.position[2] == pytest.approx(45, abs=1e-9)
    assert world.time == pytest.approx(1)


def test_a_box_comes_to_rest_and_its_contacts_bear_it():
    world, floor, box = pair()
    report = world.step(steps=120)
    assert report.outcome == "converged"
    assert box.position[2] == pytest.approx(0.5, abs=1e-3)
    contacts = world.contacts
    assert len(contacts) == 4
    assert {contacts["body_a"][0], contacts["body_b"][0]} == {floor.index, box.index}
    assert abs(contacts["impulse"].sum(axis=0)[2]) == pytest.approx(box.mass * 9.81 / 60, rel=1e-3)


def test_a_block_slides_as_far_as_coulomb_says():
    world, _, box = pair()
    box.set_pose((0, 0, 0.5))
    box.set_velocity((3, 0, 0))
    world.step(1 / 240, steps=360)
    assert box.position[0] == pytest.approx(9 / (2 * 0.5 * 9.81), rel=5e-3)


def test_states_come_as_one_array_without_a_loop():
    world = cairn.World(gravity=(0, 0, 0))
    shape = cairn.sphere(0.1)
    for i in range(10000):
        world.add_body(shape, position=(i, 0, 0))
    out = np.empty((10000, 13))
    assert world.states(out) is out
    assert np.array_equal(out[:, 0], np.arange(10000))
    best = min(timed(lambda: world.states(out)) for _ in range(20))
    assert best < 2e-3  # ten times what it takes: the machine may be busy
    with pytest.raises(cairn.BadInput):
        world.states(np.empty((3, 13)))


def test_poses_and_velocities_are_read_and_written_as_arrays():
    world, floor, box = pair()
    poses, velocities = world.poses(), world.velocities()
    assert np.array_equal(np.hstack([poses, velocities]), world.states())
    poses[box.index, :3], velocities[box.index, :3] = (1, 2, 3), (0, 0, 4)
    world.set_poses(poses)
    world.set_velocities(velocities)
    assert box.position == pytest.approx([1, 2, 3]) and box.velocity == pytest.approx([0, 0, 4])


def timed(function):
    start = time.thread_time()
    function()
    return time.thread_time() - start


def test_forces_of_all_bodies_at_once():
    world = cairn.World(gravity=(0, 0, 0))
    bodies = [world.add_body(cairn.sphere(0.1), position=(i, 0, 0), mass=2.0) for i in range(3)]
    forces = np.zeros((3, 6))
    forces[1, 1] = 4.0
    world.add_forces(forces)
    world.step(0.5)
    assert bodies[1].velocity[1] == pytest.approx(1.0)
    assert bodies[0].velocity[1] == 0.0


def test_a_pendulum_swings_with_its_period():
    world = cairn.World()
    bob = world.add_body(mass=1.0, inertia=(1e-6, 1e-6, 1e-6), position=(0.05, 0, -1))
    hinge = world.add_joint("hinge", None, bob, at=(0, 0, 0), axis=(0, 1, 0))
    crossings, before = [], bob.position[0]
    for _ in range(600):
        world.step(0.005)
        now = bob.position[0]
        if before > 0 >= now:
            crossings.append(world.time + 0.005 * now / (before - now))
        before = now
    assert np.diff(crossings) == pytest.approx(2 * np.pi * np.sqrt(np.hypot(1, 0.05) / 9.81), rel=1e-3)
    assert hinge.state.error < 1e-6


def test_a_motor_turns_what_it_can():
    world = cairn.World(gravity=(0, 0, 0))
    wheel = world.add_body(mass=1.0, inertia=(1, 1, 1))
    joint = world.add_joint("hinge", None, wheel, at=(0, 0, 0), motor=(2.0, 0.5))
    world.step(0.1, steps=10)
    assert wheel.spin[2] == pytest.approx(0.5)  # 0.5 N m for 1 s on 1 kg m²
    world.step(0.1, steps=60)
    assert wheel.spin[2] == pytest.approx(2.0)
    joint.set_motor(-1.0, 100.0)
    world.step(0.1, steps=2)
    assert wheel.spin[2] == pytest.approx(-1.0)


def test_snapshots_repeat_to_the_bit():
    world, _, box = pair()
    world.step(steps=30)
    moment, before = world.snapshot(), world.hash
    world.step(steps=60)
    after = world.hash
    world.restore(moment)
    assert world.hash == before
    world.step(steps=60)
    assert world.hash == after != before


def test_events_and_exclusions():
    world, floor, box = pair()
    begun = []
    for _ in range(60):
        world.step()
        begun += world.events.begun.tolist()
    assert sorted(map(sorted, begun)) == [sorted([floor.index, box.index])]
    world.exclude(floor, box)
    world.step(steps=30)
    assert box.position[2] < 0


def test_queries():
    world, floor, box = pair()
    hit = world.cast_ray((0, 0, 10), (0, 0, -20))
    assert hit.body == box and hit.t == pytest.approx(7.5 / 20) and hit.normal[2] == pytest.approx(1)
    assert [h.body for h in world.cast_ray_all((0, 0, 10), (0, 0, -20))] == [box, floor]
    assert world.cast_ray((5, 0, 10), (0, 0, -1)) is None
    assert world.overlap(cairn.sphere(0.2), (0, 0, 2.6)) == [box]
    assert world.closest((0, 0, 3)).gap == pytest.approx(0.5)
    assert world.cast_shape(cairn.sphere(0.5), (0, 0, 10), (0, 0, -20)).t == pytest.approx(7 / 20, abs=1e-6)


def test_what_is_refused_says_why_and_changes_nothing():
    world, _, box = pair()
    before = world.hash
    with pytest.raises(cairn.BadInput, match="mass"):
        world.add_body(cairn.sphere(1), mass=-1)
    with pytest.raises(ValueError):
        cairn.sphere(-1)
    with pytest.raises(TypeError, match="colour"):
        world.add_body(cairn.sphere(1), colour="red")
    with pytest.raises(cairn.BadInput, match="dynamic"):
        world.add_body(cairn.sphere(1), type="soft")
    assert world.hash == before and len(world) == 2
    box.remove()
    with pytest.raises(cairn.CairnError):
        box.position
    assert "removed" in repr(box)
    with pytest.raises(OSError):
        cairn.Scene("/no/such/scene.json")


def test_shapes():
    assert cairn.box(1, 2, 3).mass_properties().volume == pytest.approx(6)
    corners = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, 8).T
    assert cairn.hull(corners).mass_properties().volume == pytest.approx(1)
    both = cairn.compound([(cairn.sphere(1), (0, 0, 0)), (cairn.box(1, 1, 1), (5, 0, 0))])
    assert both.mass_properties().volume == pytest.approx(4 / 3 * np.pi + 1)
    assert repr(cairn.box(1, 2, 3)) == "cairn.box(1, 2, 3)"
    with pytest.raises(cairn.BadInput):
        cairn.hull([[0, 0, 0]])
    ground = cairn.height_field(np.zeros((4, 5)), (1, 1))
    world = cairn.World()
    world.add_body(ground, type="static")
    ball = world.add_body(cairn.sphere(0.5), position=(2, 1.5, 1))
    world.step(steps=120)
    assert ball.position[2] == pytest.approx(0.5, abs=1e-2)


def test_a_loaded_body_keeps_its_center():
    world = cairn.World(gravity=(0, 0, 0))
    body = world.add_body(cairn.box(1, 1, 1), mass=1, inertia=np.diag((1.0, 2.0, 2.5)), center=(0.1, 0.2, 0.3))
    assert body.state.center == pytest.approx([0.1, 0.2, 0.3])
    assert body.definition.inertia == pytest.approx(np.diag((1.0, 2.0, 2.5)))


def test_bodies_change_while_the_world_runs():
    world, floor, box = pair()
    box.set_mass(7.0)
    assert box.mass == pytest.approx(7.0)
    box.set_inertia((0.1, 0, 0), (1, 2, 2.5))
    assert box.state.center == pytest.approx([0.1, 0, 2])
    floor.set_type("kinematic")
    floor.set_target((0, 0, 0.01), dt=0.01)
    world.step(0.01)
    assert floor.position[2] == pytest.approx(0.01)
    box.set_enabled(False)
    world.step(steps=10)
    assert box.velocity == pytest.approx(np.zeros(3))


def test_reprs_tell_something():
    world, _, box = pair()
    assert repr(world) == "<cairn.World of 2 bodies and 0 joints at 0 s>"
    assert repr(box) == "<cairn.Body 1 at (0, 0, 2)>"
    assert "converged" in repr(world.step())
    assert "mu=0.5" in repr(box.material)


def test_ctrl_c_ends_a_long_call_and_the_world_goes_on():
    world = cairn.Scene.from_text({"cairn": 1, "bodies": [
        {"type": "static", "shape": {"kind": "half_space"}},
        {"shape": {"kind": "sphere", "radius": 0.5}, "at": [0, 0, 0.6], "grid": {"count": [6, 6, 6], "pitch": 1.01, "jitter": 0.1}}]},
        no_sleep=True).world
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        world.step(1 / 60, steps=1000000)
        time.sleep(1)  # the handler runs at the latest here
    assert time.monotonic() - start < 60
    world.step()


def test_other_threads_run_during_a_step():
    world = cairn.Scene.from_text({"cairn": 1, "bodies": [
        {"type": "static", "shape": {"kind": "half_space"}},
        {"shape": {"kind": "sphere", "radius": 0.5}, "at": [0, 0, 0.6], "grid": {"count": [5, 5, 5], "pitch": 1.01, "jitter": 0.1}}]}).world
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    world.step(steps=20)
    end = time.monotonic()
    stop.set()
    thread.join()
    assert sum(start < t < end for t in ticks) >= min(3, (end - start) / 0.02)


def test_a_sensor_tells_who_enters_stays_and_leaves():
    world = cairn.World(gravity=(0, 0, 0))
    ball = world.add_body(cairn.sphere(0.1), velocity=(1, 0, 0))
    door = world.add_sensor(cairn.box(0.5, 2, 2), position=(1, 0, 0))
    entered, left = [], []
    for _ in range(120):
        world.step(1 / 60)
        events = world.sensor_events()
        entered += [(world.time, sensor, body) for sensor, body in events.begun]
        left += [(world.time, sensor, body) for sensor, body in events.ended]
        assert (ball in door.inside) == bool(entered and not left)
    assert [e[1:] for e in entered] == [(door, ball)] and [e[1:] for e in left] == [(door, ball)]
    # the box reaches from 0.75 to 1.25 m, the ball 0.1 m ahead and behind
    assert entered[0][0] == pytest.approx(0.65, abs=1 / 60) and left[0][0] == pytest.approx(1.35, abs=1 / 60)
    assert "0 bodies" in repr(door)
    door.remove()
    with pytest.raises(cairn.BadInput):
        door.remove()


def test_a_hit_tells_its_speed_and_impulse():
    world = cairn.World(gravity=(0, 0, 0))
    wall = world.add_body(cairn.box(1, 1, 1), type="static")
    ball = world.add_body(cairn.sphere(0.1), position=(-2, 0, 0), velocity=(3, 0, 0), mass=2, material={"restitution": 0})
    world.set_hit_speed(1)
    hits = [hit for _ in range(60) for hit in (world.step(1 / 60), world.hits())[1]]
    assert len(hits) == 1 and {hits[0].body_a, hits[0].body_b} == {wall, ball}
    assert hits[0].speed == pytest.approx(3, abs=1e-9) and hits[0].impulse == pytest.approx(6, abs=1e-6)


def test_a_servo_holds_a_hinge_where_it_is_told_to():
    world = cairn.World(gravity=(0, 0, 0))
    arm = world.add_body(cairn.box(1, 0.1, 0.1), position=(0.5, 0, 0))
    hinge = world.add_joint("hinge", None, arm, at=(0, 0, 0), axis=(0, 0, 1))
    hinge.set_servo(0.7, 500, 100)
    world.step(1 / 60, steps=300)
    assert hinge.motion.coordinate == pytest.approx(0.7, abs=1e-3) and hinge.motion.speed == pytest.approx(0, abs=1e-3)
    hinge.set_limits(-1, 0.5)
    world.step(1 / 60, steps=60)
    assert hinge.motion.coordinate == pytest.approx(0.5, abs=1e-3) and hinge.motion.limit < 0
    hinge.set_limits(float("-inf"), float("inf"))
    hinge.set_spring(500, 100, -0.2)
    world.step(1 / 60, steps=300)
    assert hinge.coordinate == pytest.approx(-0.2, abs=1e-3)


def test_everything_public_is_documented_and_typed():
    import inspect
    for name in cairn.__all__:
        thing = getattr(cairn, name)
        assert thing.__doc__, name
        for method, function in vars(thing).items() if inspect.isclass(thing) else ():
            if inspect.isfunction(function) and not method.startswith("_"):
                assert function.__doc__ and "return" in function.__annotations__, name + "." + method
