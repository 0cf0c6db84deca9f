#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Robots through the program: run, info, convert, and what is refused.
#     bash test_robot.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"
robots=$source/tests/data/robots

run run "$robots/arm.urdf" --steps 10 --json
check "an arm runs" test "$status" = 0
check "its links are bodies" grep -q '"bodies": 2' out

run info "$robots/arm.urdf"
check "info lists joints" grep -q "^shoulder *hinge *upper *0 *0 *-1.5 to 1.5" out
run info "$robots/parts.xml" --json
check "info tells the length of q as JSON" grep -q '"q": 15' out

run convert "$robots/arm.urdf" arm.json
check "a robot becomes a scene" test "$status" = 0
check "that says how many joints it has" grep -q "2 links, 2 joints" out
run run arm.json --steps 10 --json
grep -o '"state_hash": "[0-9a-f]*"' out > converted
run run "$robots/arm.urdf" --steps 10 --json
grep -o '"state_hash": "[0-9a-f]*"' out > direct
check "which moves as the robot, to the bit" cmp -s converted direct
run convert "$robots/arm.urdf" arm.json
check "an existing file is refused" test "$status" = 2

run run cart_pole --keyframe tilted --steps 5
check "a shipped robot runs by its name" test "$status" = 0
run run cart_pole --keyframe nobody --steps 5
check "a keyframe that is not there is refused" grep -q "no keyframe 'nobody'" err
run scenes
check "robots are listed" grep -q "cart_pole *a pole on a cart" out

printf '<mujoco>\n<worldbody/>\n<tendon><spatial/></tendon>\n</mujoco>\n' > t.xml
run run t.xml --steps 1
check "what is not read is told" grep -q "not read: <spatial> (line 3)" err
run run t.xml --steps 1 --strict
check "and refused when strict" grep -q "t.xml:3: <spatial>" err
cat > s.xml << 'EOF'
<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 0.1"><freejoint/><geom size="0.1" mass="2"/>
<site name="s"/></body></worldbody><sensor><accelerometer name="imu" site="s"/></sensor></mujoco>
EOF
run run s.xml --steps 20 --no-sleep --json --csv s.csv --watch imu
check "sensors are told as JSON" grep -q '"az": 9.8' out
check "and written to CSV" grep -q '"imu.ax","imu.ay","imu.az","imu.wx"' s.csv
check "in every step" test "$(awk -F, 'NR > 1 && NF == 29' s.csv | wc -l)" = 20

cat > m.urdf << 'EOF'
<robot name="m"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><geometry><mesh filename="package://p/nothing.stl"/></geometry></collision></link></robot>
EOF
refused "m.urdf:2: <mesh> names the file" run m.urdf
run run m.urdf --no-meshes --steps 1
check "meshes may be left out" ended 0
check "and are listed then" grep -q "not read: <mesh> (line 2)" err

printf 'hello' > t.urdf
run run t.urdf
check "a file that is no XML is refused" grep -q "t.urdf:1: .*expected XML" err

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
