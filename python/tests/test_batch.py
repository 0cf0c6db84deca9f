# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Many worlds at once, with the interface of Gymnasium's vector environments."""

import os
import pathlib
import time

import numpy as np
import pytest

import cairn

SOURCE = pathlib.Path(os.environ.get("CAIRN_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


def make(count=5, threads=2, **options):
    scene = cairn.Scene(SOURCE / "scenes" / "cart_pole.xml", keyframe="tilted", no_sleep=True)
    return cairn.Batch(scene, count, observed=["slider", "hinge"], actuated=["slider"], threads=threads, **options)


def test_copies_move_as_the_scene_alone():
    batch = make()
    first, info = batch.reset()
    assert first.shape == (5, 4) and info == {}
    for _ in range(20):
        seen, rewards, ended, cut, info = batch.step(np.zeros((5, 1)))
    batch.scene.step(batch.dt, 20)
    assert {batch.world(i).hash for i in range(5)} == {batch.scene.world.hash}
    assert not ended.any() and not cut.any() and (rewards == 0).all() and (info["missed"] == 0).all()
    assert seen[:, 1] == pytest.approx(batch.scene.find_joint("hinge").coordinate)


def test_python_takes_less_than_two_percent_of_a_step(monkeypatch):
    # processor time of this thread, medians: what else runs on the machine does not count
    batch, forces, library, inside = make(1000, threads=1), np.zeros((1000, 1)), cairn.batch.lib, []

    class Watched:
        def __getattr__(self, name):
            return getattr(library, name)

        def glue_batch_step(self, *arguments):
            start = time.thread_time()
            status = library.glue_batch_step(*arguments)
            inside.append(time.thread_time() - start)
            return status

    monkeypatch.setattr(cairn.batch, "lib", Watched())
    whole = []
    for _ in range(60):
        start = time.thread_time()
        batch.step(forces)
        whole.append(time.thread_time() - start)
    outside = np.median(np.array(whole) - inside)
    assert outside < 0.02 * np.median(inside)


def test_forces_push_and_speeds_are_seen():
    batch = make(3, dt=1e-4)
    seen, *_ = batch.step([[0.0], [1.0], [2.0]])
    accelerations = seen[:, 2] / 1e-4
    assert np.diff(accelerations) == pytest.approx([accelerations[1] - accelerations[0]] * 2, rel=1e-6)
    assert np.diff(accelerations)[0] == pytest.approx(1 / 1.0, rel=0.1)  # a cart of 1 kg and a light pole


def test_copies_that_ended_are_reset_in_the_next_step():
    batch = make(4, judge=lambda seen, actions: (np.ones(len(seen)), np.abs(seen[:, 1]) > 0.05), max_steps=7)
    start, _ = batch.reset()
    _, rewards, ended, cut, _ = batch.step([[0.0], [40.0], [-40.0], [0.0]])
    while not ended.any():
        _, rewards, ended, cut, _ = batch.step([[0.0], [40.0], [-40.0], [0.0]])
    assert (rewards == 1).all()
    seen, *_ = batch.step(np.zeros((4, 1)))
    assert seen[ended] == pytest.approx(start[ended])


def test_the_same_seed_gives_the_same_copies():
    batch = make(6, variation={"velocity": 0.1, "spin": 0.1})
    first, _ = batch.reset(seed=3)
    second, _ = batch.reset()
    again, _ = batch.reset(seed=3)
    assert np.array_equal(first, again) and not np.array_equal(first, second)
    assert len(np.unique(first[:, 2])) == 6


def test_states_start_where_the_user_says():
    robot = cairn.Robot(SOURCE / "scenes" / "cart_pole.xml")
    scene = robot.scene()

    def start(random, n):
        states = []
        for _ in range(n):
            robot.set_state(scene, [0.0, random.uniform(0.1, 0.2)])
            states.append(scene.world.states())
        return np.stack(states)
    batch = cairn.Batch(robot.scene(), 3, observed=["hinge"], start=start)
    seen, _ = batch.reset(seed=1)
    assert ((0.1 < seen[:, 0]) & (seen[:, 0] < 0.2)).all()
    assert batch.states().shape == (3, 2, 13)


def test_bad_actions_are_refused():
    batch = make(2)
    with pytest.raises(cairn.BadInput, match="actions"):
        batch.step([1.0])
    with pytest.raises(cairn.BadInput):
        batch.step([[np.nan], [0.0]])
    with pytest.raises(KeyError):
        cairn.Batch(batch.scene, 2, observed=["nobody"])


def test_gymnasium_takes_it():
    gymnasium = pytest.importorskip("gymnasium")

    class Vector(gymnasium.vector.VectorEnv):
        """The batch under Gymnasium's class."""
        def __init__(self, batch):
            self.batch, self.num_envs = batch, batch.num_envs
            self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,))
            self.single_action_space = gymnasium.spaces.Box(-10, 10, (1,))
            self.reset, self.step = batch.reset, batch.step
    env = Vector(make(2))
    seen, _ = env.reset(seed=1)
    assert seen.shape == (2, 4) and len(env.step(np.zeros((2, 1)))) == 5
