#!/usr/bin/env bash
# Installs what is missing and builds the program, build/macrame; a new folder with several source
# files at a time (MACRAME_UNITY). A folder that is a build already keeps its settings.
#   scripts/build.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
case $build in -*) echo "build.sh: $build: want the name of a folder" >&2; exit 2 ;; esac
scripts/setup.sh
if [ ! -e "$build/build.ninja" ]; then
    cmake -S . -B "$build" -G Ninja -DMACRAME_TESTS=OFF -DMACRAME_UNITY=ON \
        > "$build.log" ||
        { cat "$build.log"; exit 1; }
    mv "$build.log" "$build/configure.log"
fi
ninja -C "$build" macrame && exit 0
grep -q "MACRAME_UNITY:BOOL=ON" "$build/CMakeCache.txt" || exit 1
echo "build.sh: several source files at a time do not compile: now one at a time"
cmake -S . -B "$build" -DMACRAME_UNITY=OFF >> "$build/configure.log"
ninja -C "$build" macrame
