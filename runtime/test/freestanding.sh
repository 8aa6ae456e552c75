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
# What a project for a board and the files of a network have.
cat > "$work/network.c" << 'END'
unsigned char net_tmodel[1], net_tprog[1], net_tdata[1];
unsigned int net_tmodel_len = 1, net_tprog_len = 1, net_tdata_len = 1;
END
# What a board has.
cat > "$work/board.c" << 'END'
#include <stdint.h>
extern uint8_t memory[1];
uint8_t memory[1];
uint32_t board_read(void* user, uint32_t address) { return user ? address : 0; }
void board_write(void* user, uint32_t address, uint32_t value) { (void)user, (void)address, (void)value; }
int board_wait(void* user, uint32_t timeout_ms) { return user || timeout_ms; }
void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    (void)user, (void)offset, (void)bytes, (void)to_device;
}
uint8_t* board_memory(void) { return memory; }
void board_allow_interrupt(int on) { (void)on; }
int board_input(int8_t* input, uint64_t bytes) { return input && bytes; }
void board_output(const int8_t* output, uint64_t bytes) { (void)output, (void)bytes; }
END
mkdir "$work/include"
echo '#define TCU_IDENTITY 1u' > "$work/include/tcu_params.h"
cat > "$work/include/architecture_params.h" << 'END'
#define TENSIL_ARCHITECTURE_DATA_TYPE TENSIL_DATA_TYPE_FP16BP8
#define TENSIL_ARCHITECTURE_ARRAY_SIZE 8
#define TENSIL_ARCHITECTURE_DRAM0_DEPTH 1048576
#define TENSIL_ARCHITECTURE_DRAM1_DEPTH 1048576
#define TENSIL_ARCHITECTURE_LOCAL_DEPTH 8192
#define TENSIL_ARCHITECTURE_ACCUMULATOR_DEPTH 2048
#define TENSIL_ARCHITECTURE_SIMD_REGISTERS_DEPTH 1
#define TENSIL_ARCHITECTURE_STRIDE0_DEPTH 8
#define TENSIL_ARCHITECTURE_STRIDE1_DEPTH 8
END
cat > "$work/include/board.h" << 'END'
#define BOARD_DMA_BASE 0x43C00000u
#define BOARD_DMA_BYTES 0x10000u
#define BOARD_DMA_LENGTH_BITS 26
#define BOARD_CORE_BASE 0x43C10000u
#define BOARD_CORE_BYTES 0x10000u
#define BOARD_BEAT_BYTES 16u
END
# As `macrame compile net.tflite` writes it.
cat > "$work/include/net_host.h" << 'END'
#include "macrame.h"
#define NET_ARENA_BYTES 16
#define NET_INPUT_0_BYTES 784
#define NET_OUTPUT_0_BYTES 10
struct net {
    const struct macrame_program* programs;
    const struct macrame_machine* machines;
    void* arena;
};
void net_begin(struct net* net);
int net_run(struct net* net, const void* const* inputs, void* const* outputs);
END
options=(-I "$work/include" -DREGISTERS=0x40000000 -DDMA_MEMORY=0x80000000 -DDRAM0=0x16800000
         -DDRAM1=0x17800000 -DDRAM1_BYTES=0x800000 -DSTREAM=0x18000000 -DSTREAM_BYTES=0x200000)
for level in -O0 -Os -O2 -O3; do
    for source in runtime/*.c runtime/*/*.c runtime/examples/*bare_metal/*.c "$work"/*.c; do
        [[ $source == runtime/device/* || $source == runtime/linux/* ]] && continue  # for a computer
        object=$work/$(echo "${source%.c}" | tr / _).o
        "$gcc" "${flags[@]}" "$level" "${options[@]}" -c "$source" -o "$object" || exit 1
    done
    "$gcc" "${flags[@]}" "$level" "${options[@]}" -I runtime -DHOST -c \
        runtime/examples/bare_metal/main.c -o "$work/host.out" || exit 1
    # What no object has, may only be of the compiler's own library.
    "$nm" -g "$work"/*.o | awk '
        NF == 2 && $1 == "U" { wanted[$2] = 1 }
        NF == 3 { has[$3] = 1 }
        END { for (s in wanted) if (!(s in has) && s !~ /^__/ && s != "_GLOBAL_OFFSET_TABLE_") { print "wants " s; bad = 1 }
              exit bad }' || { echo "$gcc $level: want only the runtime itself"; exit 1; }
done
# An example for Linux, and functions of math.h, have a library below them.
if [ "$1" = host ]; then
    for source in runtime/host/math/*.c; do
        "$gcc" "${flags[@]/-ffreestanding/-O2}" -c "$source" -o "$work/math.o" || exit 1
    done
    "$gcc" "${flags[@]/-ffreestanding/-O2}" -I "$work/include" \
        runtime/examples/tcu_linux/main.c runtime/tcu/*.c -o "$work/tcu_linux" || exit 1
fi
echo "$gcc: well"
