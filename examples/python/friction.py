# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Which friction coefficient was it? A block slid to rest and was recorded; the coefficient is found from its track alone."""

import os
import tempfile

import numpy as np

import cairn


def slide(mu):
    """A block that is pushed at 3 m/s over a floor."""
    return cairn.Scene.from_text({
        "cairn": 1, "run": {"time": 1.0, "dt": 1 / 120}, "defaults": {"material": {"mu": mu}},
        "bodies": [{"type": "static", "shape": {"kind": "half_space"}},
                   {"shape": {"kind": "box", "size": [0.4, 0.4, 0.2]}, "at": [0, 0, 0.1], "velocity": [3, 0, 0]}]}, no_sleep=True)


# the experiment, of which only the recording is kept
truth = 0.37
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "slide.h5")
    slide(truth).run(record=path)
    recording = cairn.Recording(path)
    track = np.array([recording.frame(i).states[1, 0] for i in range(len(recording))])


def error(mu):
    """The mean square distance between a simulated track and the recorded one."""
    scene = slide(mu)
    seen = [0.0]
    for _ in range(len(track) - 1):
        scene.step()
        seen.append(scene.world.states()[1, 0])
    return np.mean((np.array(seen) - track) ** 2)


# golden section
lo, hi, share = 0.1, 0.9, (np.sqrt(5) - 1) / 2
for _ in range(24):
    a, b = hi - share * (hi - lo), lo + share * (hi - lo)
    lo, hi = (lo, b) if error(a) < error(b) else (a, hi)
print("found %.5f, the block had %.5f" % ((lo + hi) / 2, truth))
assert abs((lo + hi) / 2 - truth) < 1e-4
