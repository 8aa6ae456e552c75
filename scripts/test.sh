#!/usr/bin/env bash
# Installs what is missing, configures, builds and runs all tests and, for every family, lint of the
# first configurations of scripts/FAMILY/sweep.txt and the quick scripts/FAMILY/regress.py.
#   scripts/test.sh [BUILD_FOLDER]        JOBS: parallel jobs (number of processors)
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
jobs=${JOBS:-$(nproc)}

scripts/setup.sh || {
    echo "0 passed, 1 failed"
    exit 1
}
cmake -S . -B "$build" -G Ninja -DMACRAME_TESTS=ON || {
    echo "0 passed, 1 failed"
    exit 1
}
# Go on after a failure: tests that could not be built count as failed.
ninja -C "$build" -k 0 -j "$jobs" || echo "build: some targets failed"
log=$build/ctest.log
ctest --test-dir "$build" --output-on-failure -j "$jobs" 2>&1 | tee "$log"
total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -n 1)
failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$log" | tail -n 1)
results=()
run() { # COMMAND...
    "$@" | tee "$build/run.log"
    results+=("$(tail -n 1 "$build/run.log")")
}
# What the families bring.
for sweep in scripts/*/sweep.txt; do
    run scripts/lint.sh --sweep "$build/macrame" "$sweep" "${LINT_COUNT:-5}"
done
for regress in scripts/*/regress.py; do
    run "$regress" --macrame "$build/macrame" --quick
done
count() { echo "$1" | grep -oE "[0-9]+ $2" | cut -d" " -f1; }
passed=$((${total:-0} - ${failed:-0}))
failed=${failed:-1}
for line in "${results[@]}"; do
    p=$(count "$line" passed)
    f=$(count "$line" failed)
    passed=$((passed + ${p:-0}))
    failed=$((failed + ${f:-1}))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
