#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# Runs as GLB files, judged by the validator of the Khronos Group (npm's gltf-validator).
#     bash test_gltf.sh PROGRAM SOURCE_DIR
. "$(dirname "$0")/check.sh"

run run column --steps 3 --gltf column.glb --json
check "a run becomes a GLB file" ended 0
check "that the report lists" grep -q column.glb out
refused "exists" run column --steps 3 --gltf column.glb

skip() {
    echo "SKIPPED test_gltf: $1"
    [ "$failed" -eq 0 ] && exit 77
    exit 1
}
command -v node > /dev/null || skip "node is not installed"
[ -d "$source/viewer/node_modules/gltf-validator" ] || skip "npm has not installed gltf-validator"

cat > judge.cjs << EOF
const validator = require('$source/viewer/node_modules/gltf-validator');
const bytes = new Uint8Array(require('fs').readFileSync(process.argv[2]));
validator.validateBytes(bytes).then((report) => {
    const found = report.issues;
    console.log(found.numErrors, found.numWarnings, JSON.stringify(found.messages.slice(0, 3)));
    process.exitCode = found.numErrors + found.numWarnings > 0 ? 1 : 0;
});
EOF

# shapes of every kind, bodies that come, robots, a scene in which nothing moves, and nothing at all
cat > field.json << EOF
{"cairn": 1, "bodies": [
  {"type": "static", "shape": {"kind": "height_field", "count_x": 3, "count_y": 3, "spacing": 1, "heights": [0, 1, 0, 1, 0, 1, 0, 1, 0]}},
  {"type": "static", "shape": {"kind": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
   "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}, "at": [5, 0, 0]}]}
EOF
echo '{"cairn": 1, "bodies": []}' > nothing.json
for scene in column heap car glasses tumble cart_pole walker field.json nothing.json "$source/tests/data/robots/arm.urdf" \
    "$source/tests/data/robots/parts.xml"; do
    run run "$scene" --steps 5 --gltf judged.glb --force --quiet
    check "$scene becomes a GLB file" test -s judged.glb
    node judge.cjs judged.glb > out 2> err
    status=$?
    check "$scene is valid glTF" ended 0
    rm -f judged.glb
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
