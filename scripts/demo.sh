#!/usr/bin/env bash
# The main job, from nothing: builds macrame, generates nv_small, compiles it with Verilator, lets
# the design and the golden model filter a small picture through the register interface, and shows
# cycles, MAC utilisation and the result. Then a network reads a handwritten digit on both: answer,
# cycles of each layer, and a report. Last, machines of the other families read the same digit.
#   scripts/demo.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
scripts/build.sh "$build"
"$build/macrame" generate --preset nv_small --out "$build/nv_small"
"$build/macrame" simulate --preset nv_small --build-dir "$build/nv_small" --both --strict \
    --picture --png "$build/picture.png"
digits=compiler/examples/digits
"$build/macrame" run $digits/digits.tflite --preset nv_small --build-dir "$build/nv_small" --both \
    --input $digits/pictures/7.png --classes $digits/classes.txt --report "$build/digits.html"
for preset in artya7100t 16x16; do
    "$build/macrame" run $digits/digits.tflite --preset $preset \
        --build-dir "$build/$preset" --both \
        --input $digits/pictures/7.png --classes $digits/classes.txt
done
