#!/bin/bash
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
#
# The wheel is built, installed, and tested as installed: pytest and every example.
#     bash test_python.sh PROGRAM SOURCE_DIR
set -u
program=$1 source=$2
python=/usr/bin/python3
[ -x "$python" ] || python=python3
for module in cffi build wheel setuptools numpy pytest pip; do
    if ! "$python" -c "import $module" 2> /dev/null; then
        echo "SKIPPED python: python3-$module is not installed"
        exit 77
    fi
done
build=$(dirname "$program")
if grep -q '^CAIRN_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    echo "SKIPPED python: the library is built with sanitizers"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$source/scripts/python" "$build" "$folder/dist" wheel || exit 1
"$python" -m pip install --quiet --no-index --no-deps --root-user-action=ignore --target "$folder/site" "$folder"/dist/*.whl || exit 1
cp -r "$source/python/tests" "$folder/tests"
cd "$folder" || exit 1
export PYTHONPATH=$folder/site PYTHONDONTWRITEBYTECODE=1 CAIRN_SOURCE=$source

"$python" -m pytest -q -p no:cacheprovider tests > pytest.log 2>&1
grep -E '^(FAILED|ERROR|E  )' pytest.log
passed=$(grep -oE '[0-9]+ passed' pytest.log | cut -d' ' -f1)
failed=$(grep -oE '[0-9]+ (failed|errors?)' pytest.log | awk '{n += $1} END {print n + 0}')
[ -n "$passed" ] || { tail -n 20 pytest.log; passed=0 failed=$((failed + 1)); }

# the programs of the manual, one after the other
awk '/^```py$/ {on = 1; next} /^```$/ {on = 0} on' "$source/docs/python.md" > manual.py
ln -s "$source/scenes" scenes

# the cells of notebooks, one after the other; what a cell ends with is shown as a notebook would show it
cat > notebook.py << 'EOF'
import ast, json, sys

names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]))
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, sys.argv[1], "exec"), names)
    if last:
        value = eval(compile(last, sys.argv[1], "eval"), names)
        print(repr(value))
        if hasattr(value, "_repr_html_"):
            assert len(value._repr_html_()) > 100
EOF
for notebook in "$source"/examples/python/*.ipynb; do
    if "$python" notebook.py "$notebook" > example.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $(basename "$notebook")"
        tail -n 5 example.log
    fi
done
for example in manual.py "$source"/examples/python/*.py; do
    if "$python" "$example" > example.log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $(basename "$example")"
        tail -n 5 example.log
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
