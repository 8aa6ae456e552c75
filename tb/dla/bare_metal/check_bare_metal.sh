#!/usr/bin/env bash
# The bare-metal example, as it is, on the Verilated nv_small: generates the design, builds its
# testbench, links the example with board.cpp and the testbench's objects, runs a network and
# compares the first output with that of the golden model.
#   check_bare_metal.sh MACRAME FOLDER      FOLDER: for the build
# The network is the one that reads digits; its input is a part of the bundled picture.
set -euo pipefail
macrame=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../../..")
network=$root/compiler/examples/digits/digits.tflite
"$macrame" generate --preset nv_small --out "$folder/design" > "$folder/log"
make -C "$folder/design/tb" -j1 >> "$folder/log" 2>&1 || { tail -30 "$folder/log"; exit 1; }
"$macrame" compile "$network" --preset nv_small --out "$folder/network" >> "$folder/log"
tail -c 784 "$root/verif/dla/stimulus/knot.ppm" > "$folder/input"

build=$folder/design/tb/build
verilator=$(verilator --getenv VERILATOR_ROOT)
gcc -std=c99 -Wall -Wextra -Werror -ffreestanding -O1 -DBOARD -Dmain=bare_metal_main \
    -DDMA_OFFSET=0x80000000 -DDMA_BYTES=0x1000000 \
    -c "$root/runtime/examples/bare_metal/main.c" -o "$folder/example.o"
g++ -std=c++17 -O1 -DVM_TRACE=0 -DVM_COVERAGE=0 -I"$folder/design" -I"$folder/design/tb" \
    -I"$folder/design/include" \
    -I"$build" -isystem "$verilator/include" -isystem "$verilator/include/vltstd" \
    -c "$root/tb/dla/bare_metal/board.cpp" -o "$folder/board.o"
objects=$(ls "$build"/*.o | grep -v -E "/(main|Vdla_top__.*)\.o$")
# shellcheck disable=SC2086
g++ "$folder/board.o" "$folder/example.o" $objects "$build"/Vdla_top__ALL.a -lpthread -latomic \
    -o "$folder/board"
"$folder/board" "$folder/network/digits.program" "$folder/input" "$folder/output" \
    | tee "$folder/answer"

"$macrame" simulate --preset nv_small --model --program "$folder/network/digits.program" \
    --input "$folder/input" --output "$folder/wanted" >> "$folder/log"
cmp -n "$(stat -c %s "$folder/wanted")" "$folder/wanted" "$folder/output"
answer=$(od -An -v -td1 -w1 "$folder/wanted" | cat -n | sort -s -k2,2nr | head -1 | awk '{print $1 - 1}')
grep -q "answer $answer," "$folder/answer"
