# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Drives engines through bench/peers/npm/driver.mjs as the benchmark does: python3 drive.py DRIVER. First one of a single
# formula (falling.mjs), then those whose packages are installed: a box slides down a slope of 0.6 rad with
# μ = 0.5, a = g (sin 0.6 - μ cos 0.6), and a pendulum keeps its length.
import json, math, os, pathlib, socket, struct, subprocess, sys

driver = pathlib.Path(sys.argv[1]).resolve()
still, here = [1, 0, 0, 0], [0, 0, 0]
failed = passed = 0


def check(name, fact):
    global failed, passed
    passed, failed = (passed + 1, failed) if fact else (passed, failed + 1)
    if not fact:
        print("FAILED", name)


def body(shape, size, mass, position, collides=True):
    inertia = [mass * (sum(x * x for x in size) - size[k] ** 2) / 3 for k in range(3)]
    return dict(shape=shape, size=size, points=[], polygons=[], mass=mass, inertia=inertia, mu=0.5, collides=collides,
                position=position, quaternion=still, velocity=here, spin=here)


def run(engine, choice, scene, frames):
    """The states of all bodies after some frames; None when the engine refuses the scene."""
    ours, theirs = socket.socketpair()
    node = subprocess.Popen(["node", str(driver), engine, str(choice)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(3,),
                            preexec_fn=lambda: os.dup2(theirs.fileno(), 3))
    theirs.close()
    text = json.dumps(scene).encode()
    ours.sendall(struct.pack("<I", len(text)) + text)
    stream, state = ours.makefile("rb"), None
    if stream.read(1) == b"y":
        size = 1 + 13 * len(scene["bodies"])
        for _ in range(frames):
            ours.sendall(b"s")
            state = struct.unpack(f"<{size}d", stream.read(8 * size))
    stream.close()
    ours.close()
    check(f"{engine}: ends with the benchmark", node.wait(20) == 0)
    return state and [state[1 + 13 * i: 14 + 13 * i] for i in range(len(scene["bodies"]))]


def scene(gravity, bodies, joints=()):
    return dict(gravity=gravity, dt=1 / 60, bodies=bodies, joints=list(joints))


# file 3 must be free for dup2 to be handed on
if not os.path.exists("/proc/self/fd/3"):
    os.dup2(0, 3)

floor = body("half_space", here, 0, here)
ball = body("sphere", [0.5, 0.5, 0.5], 2, [0, 0, 5])
joint = dict(a=-1, b=0, at_a=here, at_b=[-1, 0, 0])
down = [0, 0, -9.81]
states = run("../../../tests/bench/falling", 0, scene(down, [floor, ball]), 30)
check("a body falls g t^2 / 2", states and abs(states[1][2] - (5 - 0.5 * 9.81 * 0.25)) < 1e-12)
check("what is fixed stays", states and list(states[0][:7]) == here + still)
check("an engine that throws refuses", run("../../../tests/bench/falling", 0, scene(down, [ball], [joint]), 1) is None)
check("an engine that is not there refuses", run("no-such-engine", 0, scene(down, [ball]), 1) is None)

slope = [9.81 * math.sin(0.6), 0, -9.81 * math.cos(0.6)]
speed = 9.81 * (math.sin(0.6) - 0.5 * math.cos(0.6))
rod = body("box", [1, 0.1, 0.1], 3, [1, 0, 0], False)
packages = {"rapier": ("@dimforge/rapier3d-simd-compat", 4), "jolt": ("jolt-physics", 10), "havok": ("@babylonjs/havok", 0),
            "mujoco": ("@mujoco/mujoco", 0), "ammo": ("ammo.js", 0), "cannon": ("cannon-es", 10)}
for engine, (package, choice) in packages.items():
    if not (driver.parent / "node_modules" / package / "package.json").exists():
        continue
    states = run(engine, choice, scene(slope, [floor, body("box", [0.5, 0.5, 0.5], 1000, [0, 0, 0.5])]), 60)
    # cannon-es gives every contact point the friction of the whole body
    check(f"{engine}: a box slides as it should", states and (engine == "cannon" or abs(states[1][7] / speed - 1) < 0.3))
    check(f"{engine}: and does not sink", states and abs(states[1][2] - 0.5) < 0.03)
    states = run(engine, choice, scene(down, [rod], [joint]), 30)
    check(f"{engine}: a pendulum keeps its length", states and abs(math.dist(states[0][:3], here) - 1) < 0.02)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
