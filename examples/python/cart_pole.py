# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""A hundred poles on carts, balanced by a linear controller that follows from the robot's own equations.

d/dt (q, v) = A (q, v) + B τ about the upright pose; τ = -K (q, v) minimizes the integral of |q, v|² + 0.1 τ² (LQR).
"""

import pathlib

import numpy as np

import cairn

SCENE = pathlib.Path(__file__).resolve().parents[2] / "scenes" / "cart_pole.xml"


def gain(A, B, Q, R):
    """K = R⁻¹ B^T P, with P from the stable half of the Hamiltonian matrix."""
    n = len(A)
    H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
    values, vectors = np.linalg.eig(H)
    stable = vectors[:, values.real < 0]
    P = np.real(stable[n:] @ np.linalg.inv(stable[:n]))
    return np.linalg.solve(R, B.T @ P)


robot = cairn.Robot(SCENE)
A, B = robot.linearize(np.zeros(2))
K = gain(A, B[:, :1], np.eye(4), np.array([[0.1]]))
print("poles of the closed loop:", np.round(np.linalg.eigvals(A - B[:, :1] @ K), 2))

# a hundred carts that start tilted, each in its own way
own = robot.scene()


def tilted(random, count):
    states = []
    for _ in range(count):
        robot.set_state(own, random.uniform((-0.5, -0.2), (0.5, 0.2)), random.uniform(-0.3, 0.3, 2))
        states.append(own.world.states())
    return np.stack(states)


batch = cairn.Batch(robot.scene(no_sleep=True), 100, observed=["slider", "hinge"], actuated=["slider"], dt=0.01, start=tilted,
                    judge=lambda seen, actions: (np.ones(len(seen)), np.abs(seen[:, 1]) > 0.8))
seen, _ = batch.reset(seed=1)
fell = 0
for step in range(800):
    seen, _, ended, _, _ = batch.step(-seen @ K.T)
    fell += ended.sum()
print("after 8 s: %d fell, the largest tilt is %.1e rad, the farthest cart is %.1e m off" % (
    fell, np.abs(seen[:, 1]).max(), np.abs(seen[:, 0]).max()))
assert fell == 0 and np.abs(seen).max() < 0.02
