# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""A box falls on the ground."""

import cairn

world = cairn.World()
world.add_body(cairn.half_space(), type="static")
box = world.add_body(cairn.box(1, 1, 1), position=(0, 0, 2))
for _ in range(6):
    report = world.step(1 / 60, steps=15)
    print("%.2f s  %.4f m  residual %.1e" % (world.time, box.position[2], report.residual))
assert abs(box.position[2] - 0.5) < 1e-3
