#!/usr/bin/env bash
# Runs every fuzz target for a while under the address and undefined-behaviour sanitizers, by
# libFuzzer if clang is there, else by plain mutations.
#   scripts/fuzz.sh SECONDS [BUILD_FOLDER]      JOBS: parallel builds (number of processors)
# SECONDS per target. What libFuzzer finds worth keeping and the inputs that fail are left in
# BUILD_FOLDER; `TARGET FILE` runs one of them again. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${1:-60}
build=${2:-build/build-fuzz}
options=(-DMACRAME_SANITIZE=address,undefined)
if command -v clang++ > /dev/null; then
    options=(-DMACRAME_SANITIZE=fuzzer-no-link,address,undefined -DCMAKE_CXX_COMPILER=clang++)
fi
cmake -S . -B "$build" -G Ninja "${options[@]}" > /dev/null &&
    ninja -C "$build" -j "${JOBS:-$(nproc)}" fuzz_targets || exit 1
passed=0
failed=0
for source in {generator,compiler,verif/*}/test/fuzz/*_fuzz.cpp; do
    folder=$(dirname "$source")
    name=$(basename "$source" _fuzz.cpp)
    seeds=$folder/seeds/$name
    dictionary=$folder/$name.dict
    [ -f "$dictionary" ] || dictionary=
    [ -d "$seeds" ] || seeds=$build/fuzz_seeds.made/$name
    echo "== $name"
    if [ "${#options[@]}" = 2 ]; then
        mkdir -p "$build/corpus/$name"
        "$build/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
            -max_len=8192 -verbosity=0 -print_final_stats=1 -artifact_prefix="$build/$name." \
            ${dictionary:+-dict="$dictionary"} "$build/corpus/$name" "$seeds"
    else
        "$build/${name}_fuzz" --seconds "$seconds" --seed "$RANDOM" --crash "$build/$name.crash" \
            ${dictionary:+--dictionary "$dictionary"} "$seeds"
    fi
    if [ $? = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
