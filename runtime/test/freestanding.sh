#!/usr/bin/env bash
# Compiles the runtime and the bare-metal example as a program without an operating system would,
# and looks that nothing is asked from a library: runtime/test/freestanding.sh host|riscv64|arm
# Exit status 77: that compiler is not installed.
set -u
cd "$(dirname "$0")/../.." || exit 1
flags=(-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -ffreestanding)
prefixes=()
case ${1:-} in
    host) prefixes=("") ;;
    riscv64) prefixes=(riscv64-unknown-elf- riscv64-linux-gnu-) ;;
    arm) prefixes=(arm-none-eabi-) flags+=(-mcpu=cortex-m3 -mthumb) ;;
    *) echo "usage: $0 host|riscv64|arm"; exit 2 ;;
esac
gcc=
for prefix in "${prefixes[@]}"; do
    command -v "${prefix}gcc" > /dev/null && gcc=${prefix}gcc && nm=${prefix}nm && break
done
[ -n "$gcc" ] || { echo "skipped: no compiler for $1"; exit 77; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat > "$work/program.c" << 'END'
#include <stdint.h>
const uint8_t macrame_network[] = {0};
const uint32_t macrame_network_bytes = 1;
END
for level in -O0 -Os -O2 -O3; do
    for source in runtime/*.c runtime/examples/bare_metal/*.c "$work/program.c"; do
        object=$work/$(basename "$source" .c).o
        "$gcc" "${flags[@]}" "$level" -DREGISTERS=0x40000000 -DDMA_MEMORY=0x80000000 \
            -c "$source" -o "$object" || exit 1
    done
    # What no object has, may only be of the compiler's own library.
    "$nm" -g "$work"/*.o | awk '
        NF == 2 && $1 == "U" { wanted[$2] = 1 }
        NF == 3 { has[$3] = 1 }
        END { for (s in wanted) if (!(s in has) && s !~ /^__/) { print "wants " s; bad = 1 }
              exit bad }' || { echo "$gcc $level: want only the runtime itself"; exit 1; }
done
# The example for Linux has a library below it.
if [ "$1" = host ]; then
    "$gcc" "${flags[@]/-ffreestanding/-O2}" runtime/examples/linux_uio/main.c runtime/*.c \
        -o "$work/linux_uio" || exit 1
fi
echo "$gcc: well"
