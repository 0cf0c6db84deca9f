# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""How thin may a semicircular arch be? Milankovitch (1907): its thickness is at least 0.1075 of its mean radius. By bisection."""

import cairn


def stands(thickness):
    """Whether an arch of 17 stones of mean radius 1 m stands for half a second."""
    scene = cairn.Scene.from_text({
        "cairn": 1, "defaults": {"material": {"mu": 1.0}},
        "bodies": [{"type": "static", "shape": {"kind": "half_space"}},
                   {"name": "stone", "arch": {"blocks": 17, "radius": 1.0, "thickness": thickness, "depth": 0.3}}]}, no_sleep=True)
    before = scene.find("stone.8").position[2]
    scene.step(1 / 120, steps=60)
    return before - scene.find("stone.8").position[2] < 2e-3


lo, hi = 0.08, 0.14
for _ in range(6):
    middle = (lo + hi) / 2
    lo, hi = (lo, middle) if stands(middle) else (middle, hi)
print("an arch of 17 stones stands from a thickness of %.4f of its radius on (a smooth one: 0.1075)" % hi)
assert 0.095 < hi < 0.115
