# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Two fingers press on a block from both sides. It stays when the friction can bear it: 2 mu F >= m g. The limit is found by bisection."""

import cairn

MASS, FORCE, G = 1.0, 10.0, 9.81


def holds(mu):
    """Whether the block is still in the grip after a third of a second."""
    world = cairn.World(sleep=False, method="exact", tolerance=1e-8)
    block = world.add_body(cairn.box(0.1, 0.1, 0.1), mass=MASS, position=(0, 0, 1), material={"mu": mu})
    for side in (-1, 1):
        finger = world.add_body(cairn.box(0.02, 0.08, 0.08), mass=0.1, position=(side * 0.06, 0, 1), material={"mu": mu},
                                gravity_scale=0.0)
        world.add_joint("slider", None, finger, at=(side * 0.06, 0, 1), axis=(-side, 0, 0), motor=(1.0, FORCE))
    world.step(1 / 120, steps=40)
    return block.position[2] > 0.999


lo, hi = 0.1, 1.0
for _ in range(12):
    middle = (lo + hi) / 2
    lo, hi = (lo, middle) if holds(middle) else (middle, hi)
print("it holds from mu = %.4f on; the law says %.4f" % (hi, MASS * G / (2 * FORCE)))
assert abs(hi - MASS * G / (2 * FORCE)) < 5e-3
