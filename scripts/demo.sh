#!/usr/bin/env bash
# The main job, from nothing: builds macrame, generates nv_small, compiles it with Verilator, lets
# the design and the golden model filter a small picture through the register interface, and shows
# cycles, MAC utilisation and the result. Then a network reads a handwritten digit on both: answer,
# cycles of each layer, and a report. Last, machines of the other families read the same digit.
#   scripts/demo.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
next() { echo "== $SECONDS s: $*"; }
next "macrame is built, the longest step; then nv_small with its testbench, and a picture"
scripts/build.sh "$build"
"$build/macrame" generate --preset nv_small --out "$build/nv_small"
next "nv_small and its golden model filter a picture: to $build/picture.png"
"$build/macrame" simulate --preset nv_small --build-dir "$build/nv_small" --both --strict \
    --picture --png "$build/picture.png"
next "a network reads a digit on nv_small: to $build/digits.html; then on two other designs"
digits=compiler/examples/digits
"$build/macrame" run $digits/digits.tflite --preset nv_small --build-dir "$build/nv_small" --both \
    --input $digits/pictures/7.png --classes $digits/classes.txt --report "$build/digits.html"
for preset in artya7100t 16x16; do
    next "the same network on $preset"
    "$build/macrame" run $digits/digits.tflite --preset $preset \
        --build-dir "$build/$preset" --both \
        --input $digits/pictures/7.png --classes $digits/classes.txt
done
