#!/usr/bin/env bash
# Installs what is missing, configures, builds and runs the tests, those of readers and the runtime
# and a minute of fuzzing under sanitizers; for every family, lint of the first configurations of
# scripts/FAMILY/sweep.txt and the quick scripts/FAMILY/regress.py.
#   scripts/test.sh [BUILD_FOLDER]        JOBS: parallel jobs (number of processors)
#                                         LONG=ON: units in all configurations of tests.cmake, all
#                                         random networks, all tests without Verilator under
#                                         sanitizers
#                                         MINUTES: parts that have not begun by then are skipped
# At the end it prints where the time went. The last line is "N passed, N failed"; what was skipped
# is in neither, a line above it names it.
set -u
SECONDS=0
cd "$(dirname "$0")/.." || exit 1
build=${1:-build}
jobs=${JOBS:-$(nproc)}
long=${LONG:-OFF}
limit=$([ "$long" = OFF ] && echo 900 || echo 7200)  # seconds of a test, which may never end

scripts/setup.sh || {
    echo "0 passed, 1 failed"
    exit 1
}
readers="compiler_test runtime_test"  # under sanitizers alone
cmake -S . -B "$build" -G Ninja -DMACRAME_TESTS=ON -DMACRAME_UNITY=ON \
    -DMACRAME_TESTS_ELSEWHERE="${readers// /;}" \
    -DMACRAME_LONG_TESTS="$long" || {
    echo "0 passed, 1 failed"
    exit 1
}
# Go on after a failure: tests that could not be built count as failed.
ninja -C "$build" -k 0 -j "$jobs" || echo "build: some targets failed"
spent=()
# The seconds since the last part, for the table at the end.
part() { # NAME
    spent+=("$((SECONDS - ${begun:-0})) $1")
    begun=$SECONDS
}
part "build"
# Readers of packages and register descriptions; without a way to PyPI their tests are skipped.
scripts/check_packages.py get || echo "packages: some readers are not installed"
# LiteX and a compiler for RISC-V, for systems on chip; without them these tests are skipped.
scripts/soc.sh
# Under sanitizers. Without the traces: a model gives the same answers there as in the other tests,
# only later.
safe=$build/build-sanitize
targets="$readers fuzz_readers"
[ "$long" = OFF ] || targets+=" graph_run fuzz_targets macrame generator_test verif_test"
# shellcheck disable=SC2086  # a list
cmake -S . -B "$safe" -G Ninja -DMACRAME_SANITIZE=address,undefined -DMACRAME_UNITY=ON \
    -DMACRAME_LONG_TESTS="$long" \
    -DMACRAME_FUZZ_SECONDS="$([ "$long" = OFF ] && echo 5 || echo 10)" \
    -DMACRAME_FUZZ_SEEDS="$(realpath "$build")/fuzz_seeds.made" \
    > "$build/sanitize.log" &&
    ninja -C "$safe" -k 0 -j "$jobs" $targets ||
    echo "build under sanitizers: some targets failed"
part "build under sanitizers"

passed=0
failed=0
skipped=""
# Whether there is no time left for what has not begun.
late() { # NAME
    [ "${MINUTES:-0}" = 0 ] || [ "$SECONDS" -lt $((MINUTES * 60)) ] && return 1
    echo "$1: skipped, more than MINUTES=$MINUTES minutes have gone"
}
# Adds the results in a log; a log without any is a failure.
add() {
    echo "$1: $2 passed, $3 failed, after $SECONDS s"
    passed=$((passed + ${2:-0}))
    failed=$((failed + ${3:-1}))
}
run_ctest() { # NAME FOLDER [COMMAND IN FRONT]
    "${@:3}" ctest --test-dir "$2" --output-on-failure --timeout "$limit" -j "$jobs" 2>&1 |
        tee "$2/ctest.log"
    local total bad names
    total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$2/ctest.log" | tail -n 1)
    bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of .*/\1/p' "$2/ctest.log" | tail -n 1)
    names=$(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) \.*\*\*\*Skipped.*/\1/p' "$2/ctest.log")
    skipped+=${names:+ $names}
    add "$1" "${total:+$((total - bad - $(wc -w <<< "$names")))}" "$bad"
}
log() { # NAME COMMAND...
    local name=$1
    shift
    late "$name" > "$build/$name.log" || "$@" > "$build/$name.log" 2>&1
    echo "$name: $(tail -n 1 "$build/$name.log"), after $SECONDS s"
}
add_log() { # NAME
    local last
    last=$(tail -n 1 "$build/$1.log")
    if [[ $last == *"MINUTES="* ]]; then
        skipped+=" $1"
        return
    fi
    [[ $last == *" 0 failed" ]] || tail -n 100 "$build/$1.log"
    grep -iE "^([a-z_]*\.(py|sh): )?skipped" "$build/$1.log"
    add "$1" "$(echo "$last" | grep -oE "[0-9]+ passed" | cut -d" " -f1)" \
        "$(echo "$last" | grep -oE "[0-9]+ failed" | cut -d" " -f1)"
}
run_ctest sanitizers "$safe" env -u MACRAME_CONFORMANCE
part "tests under sanitizers"
run_ctest tests "$build"
part "tests"
# Of GoogleTest: a reason, then the name. What a configuration does not have gives no reason.
skipped+=" "$(sed -n '/^SKIPPED: /{n;s/^\[  SKIPPED \] \([^ ]*\) .*/\1/p}' \
    "$build/Testing/Temporary/LastTest.log" "$safe/Testing/Temporary/LastTest.log" |
    sort -u | tr '\n' ' ')
# What the families bring, in two streams: what looks at Verilog, and what simulates it. Of the
# faults of the Verilog some, each found by random programs.
half=$((jobs > 1 ? jobs / 2 : 1))
looks=()
for sweep in scripts/*/sweep.txt; do looks+=("lint_$(basename "$(dirname "$sweep")")"); done
for formal in scripts/*/formal.py; do looks+=("formal_$(basename "$(dirname "$formal")")"); done
look() {
    for sweep in scripts/*/sweep.txt; do
        log "lint_$(basename "$(dirname "$sweep")")" env NEWER="${NEWER:-slang}" \
            scripts/lint.sh --sweep "$build/macrame" "$sweep" "${LINT_COUNT:-6}"
    done
    for formal in scripts/*/formal.py; do
        log "formal_$(basename "$(dirname "$formal")")" \
            "$formal" --macrame "$build/macrame" --quick --jobs "$half"
    done
    JOBS=$half log formal scripts/formal.sh --quick "$build/macrame"
}
look &
[ "$jobs" -gt 1 ] || wait
runs=()
for regress in scripts/*/regress.py; do
    runs+=("regress_$(basename "$(dirname "$regress")")")
    log "${runs[-1]}" "$regress" --macrame "$build/macrame" --quick --jobs "$half"
done
log mutants scripts/mutants.py --macrame "$build/macrame" --sample 2 --folder "$build/mutants"
wait
for name in "${looks[@]}" formal "${runs[@]}" mutants; do add_log "$name"; done
part "lint, formal, regressions, mutants"
echo "seconds:"
for line in "${spent[@]}"; do printf '%8s %s\n' "${line%% *}" "${line#* }"; done
echo "slowest tests:"
sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec$/\2 \1/p' "$build/ctest.log" \
    "$safe/ctest.log" | sort -rn | head -n 12 | while read -r seconds name; do
    printf '%8.0f %s\n' "$seconds" "$name"
done
echo "skipped:" ${skipped:-none}
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
