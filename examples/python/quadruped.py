# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""A quadruped that stands up: it squats on four legs, and the servos of hips and knees stretch them.

A leg of two parts of length l, bent by the hip's angle a and the knee's -2 a, has its foot below the hip, 2 l cos a deep. Standing, each
foot presses on the floor with a quarter of the weight, which its force sensor shows.
"""

import math

import cairn

LENGTH, FOOT, SQUAT, STAND, G = 0.2, 0.02, math.radians(70), math.radians(30), 9.81


def leg(name, x, y):
    """Thigh, shin and foot, with a hinge each for hip and knee and a force sensor in the foot."""
    return f"""
    <body name="{name}_thigh" pos="{x} {y} 0">
      <joint name="{name}_hip" axis="0 -1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -{LENGTH}" size="0.02" mass="0.4" contype="0" conaffinity="0"/>
      <body name="{name}_shin" pos="0 0 -{LENGTH}">
        <joint name="{name}_knee" axis="0 -1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -{LENGTH}" size="0.015" mass="0.2" contype="0" conaffinity="0"/>
        <geom type="sphere" size="{FOOT}" pos="0 0 -{LENGTH}" mass="0.05"/>
        <site name="{name}_foot" pos="0 0 -{LENGTH}" size="{2 * FOOT}"/>
      </body>
    </body>"""


LEGS = {"front_left": (0.2, 0.12), "front_right": (0.2, -0.12), "hind_left": (-0.2, 0.12), "hind_right": (-0.2, -0.12)}
start = 2 * LENGTH * math.cos(SQUAT) + FOOT
MODEL = f"""
<mujoco model="quadruped">
  <compiler angle="radian"/>
  <default><geom friction="0.8"/></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body name="trunk" pos="0 0 {start}">
      <freejoint/>
      <geom type="box" size="0.25 0.1 0.04" mass="8"/>
      {"".join(leg(name, *place) for name, place in LEGS.items())}
    </body>
  </worldbody>
  <actuator>
    {"".join(f'<position joint="{name}_{joint}" kp="150" kv="15"/>' for name in LEGS for joint in ("hip", "knee"))}
  </actuator>
  <sensor>{"".join(f'<touch name="{name}" site="{name}_foot"/>' for name in LEGS)}</sensor>
  <keyframe>
    <key name="up" qpos="0 0 {start} 1 0 0 0 {" ".join(f"{SQUAT} {-2 * SQUAT}" for _ in LEGS)}"
         ctrl="{" ".join(f"{STAND} {-2 * STAND}" for _ in LEGS)}"/>
  </keyframe>
</mujoco>"""

robot = cairn.Robot.from_text(MODEL, keyframe="up")
scene = robot.scene(no_sleep=True)
for second in range(4):
    print("%d s: trunk at %.3f m" % (second, robot.get_state(scene)[0][2]))
    scene.step(1 / 120, steps=120)
q, v = robot.get_state(scene)
forces = {name: float(scene.read(name)[0]) for name in LEGS}
weight = robot.info.mass * G
print("it stands at %.3f m, stretched %.3f m; feet press with %s N of %.2f" % (
    q[2], 2 * LENGTH * math.cos(STAND) + FOOT, ", ".join("%.2f" % f for f in forces.values()), weight))

# servos give a little under the weight; nothing moves any more
assert 0.9 * (2 * LENGTH * math.cos(STAND)) < q[2] < 2 * LENGTH * math.cos(STAND) + FOOT
assert max(abs(v)) < 1e-3 and abs(sum(forces.values()) - weight) < 0.01 * weight
