# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Many copies of one world, with the interface of Gymnasium's vector environments (which is not needed)."""

from __future__ import annotations

import os
from typing import Any, Callable, Sequence

import numpy as np

from ._core import call, check, doubles, ffi, fill, lib, on_main_thread, vector
from .scene import Scene
from .world import Joint, World

Judge = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


class Batch:
    """N copies of a scene, stepped by all cores with one call.

    `observed` and `actuated` are joints (hinges and sliders) or their names: an observation is their coordinates, then their speeds;
    an action is a force for each. `judge(observations, actions)` gives rewards and which copies have ended; those are reset within
    the next step, as Gymnasium does ("next step" mode). `start(random, n)` may give n states (n x bodies x 13) to start from.
    """

    def __init__(self, scene: Scene, count: int, *, observed: Sequence[str | Joint] = (), actuated: Sequence[str | Joint] = (),
                 dt: float | None = None, frame_skip: int = 1, threads: int | None = None, seed: int = 1,
                 variation: dict | None = None, judge: Judge | None = None, max_steps: int = 0,
                 start: Callable[[np.random.Generator, int], np.ndarray] | None = None):
        self.scene, self.dt, self.frame_skip = scene, scene.info.dt if dt is None else dt, frame_skip
        self._judge, self._start, self.max_steps = judge, start, max_steps
        definition = ffi.new("cairn_batch_def*")
        definition[0] = lib.cairn_default_batch_def()
        definition.count, definition.seed = count, seed
        definition.threads = threads or os.cpu_count() or 1
        fill(definition, {"variation": variation or {}})
        lists = [self._ids(observed), self._ids(actuated)]
        definition.observed, definition.observed_count = lists[0], len(observed)
        definition.actuated, definition.actuated_count = lists[1], len(actuated)
        place = ffi.new("cairn_batch**")
        call(lib.cairn_batch_create, scene.world._c, definition, place)
        self._c = ffi.gc(place[0], lib.cairn_batch_destroy)
        self.observations = np.zeros((count, lib.cairn_batch_observation_count(self._c)))
        self.missed = np.zeros(count, np.int32)
        # what a step needs each time: made once, since it is Python that other cores wait for
        self._size = count * lib.cairn_batch_action_count(self._c)
        self._seen_by_c, self._missed_by_c = ffi.from_buffer("double[]", self.observations), ffi.from_buffer("int[]", self.missed)
        self._error = ffi.new("cairn_error*")
        self._ages, self._ended = np.zeros(count, np.int64), np.zeros(count, bool)
        self._random = np.random.default_rng(seed)

    def _ids(self, joints):
        found = [self.scene.find_joint(j) if isinstance(j, str) else j for j in joints]
        return ffi.new("cairn_joint_id[]", [{"index": j._id.index, "generation": j._id.generation} for j in found])

    @property
    def num_envs(self) -> int:
        """How many copies there are."""
        return lib.cairn_batch_count(self._c)

    def __len__(self) -> int:
        return self.num_envs

    def world(self, index: int) -> World:
        """One of the copies, to be used between two steps."""
        pointer = lib.cairn_batch_world(self._c, index)
        if not pointer:
            raise IndexError(index)
        return World._borrow(pointer, ffi.NULL, self)

    def _reset(self, which: np.ndarray | None) -> None:
        flags = ffi.NULL if which is None else ffi.cast("_Bool*", which.ctypes.data)
        call(lib.cairn_batch_reset, self._c, flags)
        indices = np.arange(self.num_envs) if which is None else np.flatnonzero(which)
        if self._start is not None and len(indices):
            states = np.asarray(self._start(self._random, len(indices)), float).reshape(len(indices), -1)
            for row, index in enumerate(indices):
                self.set_state(int(index), states[row])
        self._ages[indices] = 0
        self._ended[indices] = False

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """All copies back to the start, varied anew; gives observations and an empty dict. options={"mask": ...}: some of them."""
        if seed is not None:
            lib.cairn_batch_seed(self._c, seed)
            self._random = np.random.default_rng(seed)
        mask = (options or {}).get("mask")
        self._reset(None if mask is None else np.ascontiguousarray(mask, dtype=bool))
        call(lib.cairn_batch_observe, self._c, doubles(self.observations))
        return self.observations.copy(), {}

    def step(self, actions=None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One step of `frame_skip` steps of dt: observations, rewards, terminations, truncations, infos.

        Copies that had ended are reset instead of moved. infos["missed"]: how many steps of each copy did not converge.
        """
        given = None if actions is None else vector(actions, self._size, "the actions")
        pointer = ffi.NULL if given is None else ffi.from_buffer("double[]", given)
        check(lib.glue_batch_step(self._c, self.dt, self.frame_skip, pointer, self._seen_by_c, self._missed_by_c, on_main_thread(),
                                  self._error), self._error)
        self._ages += 1
        if self._judge is None and not self.max_steps:
            count = len(self._ages)
            return (self.observations.copy(), np.zeros(count), np.zeros(count, bool), np.zeros(count, bool),
                    {"missed": self.missed.copy()})
        return self._judged(given)

    def _judged(self, given):
        # copies that had ended start anew; then who ends now?
        count = len(self._ages)
        if self._ended.any():
            self._reset(self._ended.copy())
            call(lib.cairn_batch_observe, self._c, self._seen_by_c)
        observations = self.observations.copy()
        rewards, terminated = np.zeros(count), np.zeros(count, bool)
        if self._judge is not None:
            rewards, terminated = self._judge(observations, None if given is None else given.reshape(count, -1))
        terminated = np.asarray(terminated, bool)
        truncated = (self._ages >= self.max_steps) if self.max_steps else np.zeros(count, bool)
        self._ended = terminated | truncated
        return observations, np.asarray(rewards, float), terminated, truncated, {"missed": self.missed.copy()}

    def states(self) -> np.ndarray:
        """copies x bodies x 13, as World.states."""
        out = np.empty((self.num_envs, lib.cairn_batch_bodies(self._c), 13))
        call(lib.cairn_batch_get_states, self._c, doubles(out))
        return out

    def set_state(self, index: int, states) -> None:
        """The bodies of one copy."""
        numbers = vector(states, 13 * lib.cairn_batch_bodies(self._c), "the states")
        call(lib.cairn_batch_set_state, self._c, index, doubles(numbers))

    def close(self) -> None:
        """Nothing: copies are freed with the batch."""

    def __repr__(self) -> str:
        return "<cairn.Batch of %d copies of '%s'>" % (self.num_envs, self.scene.info.title or self.scene._name)
