/* Instructions: their bits, those that the driver adds, a look at those of a program. */
#include "macrame_tcu_internal.h"

enum { OP_NOOP, OP_MATMUL, OP_MOVE, OP_WEIGHTS, OP_SIMD, OP_TABLE, OP_CONFIGURE = 15 };
enum { REGISTER_BITS = 4, VALUE_BITS = 28 };

/* ------------------------------------------------------------------ layout */

static uint32_t ceiling_log2(uint64_t values) {
    uint32_t bits = 0;
    while (bits < 63 && (uint64_t)1 << bits < values)
        ++bits;
    return bits;
}

static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t whole_bytes(uint32_t bits) { return (bits + 7) / 8; }

void macrame_tcu_layout_of(const struct macrame_tcu_architecture* a,
                           struct macrame_tcu_layout* out) {
    const uint32_t local = ceiling_log2(a->local_depth);
    const uint32_t accumulator = ceiling_log2(a->accumulator_depth);
    const uint32_t dram0 = ceiling_log2(a->dram0_depth), dram1 = ceiling_log2(a->dram1_depth);
    const uint32_t registers = ceiling_log2((uint64_t)a->simd_registers_depth + 1);
    const uint32_t simd = (a->lut_tables != 0 ? 5u : 4u) + 3 * registers;
    out->register_bits = registers;
    out->address0_bits = most(local, accumulator);
    out->stride0_bits = ceiling_log2(a->stride0_depth);
    out->operand0_bytes = whole_bytes(out->address0_bits + out->stride0_bits);
    out->address1_bits = most(most(local, accumulator), most(dram0, dram1));
    out->stride1_bits = ceiling_log2(a->stride1_depth);
    out->operand1_bytes = whole_bytes(out->address1_bits + out->stride1_bits);
    out->operand2_bytes = whole_bytes(most(most(least(local, accumulator), least(local, dram0)),
                                           most(least(local, dram1), simd)));
    out->bytes = out->operand0_bytes + out->operand1_bytes + out->operand2_bytes + 1;
}

uint64_t macrame_tcu_largest_value(const struct macrame_tcu_layout* layout) {
    const uint32_t bits = 8 * (layout->bytes - 1) - REGISTER_BITS;
    return ((uint64_t)1 << least(bits, VALUE_BITS)) - 1;
}

/* ------------------------------------------------------------------ writing */

static void put(struct macrame_tcu_writer* writer, uint64_t value, uint32_t bytes) {
    uint32_t i;
    for (i = 0; i < bytes; ++i, value >>= 8)
        writer->to[writer->bytes++] = (uint8_t)(value & 0xffu);
}

void macrame_tcu_configure(struct macrame_tcu_writer* writer, uint32_t number, uint64_t value) {
    const uint64_t bits = value << REGISTER_BITS | number;
    const uint32_t operands = writer->layout->bytes - 1;
    put(writer, bits, least(operands, 8));
    put(writer, 0, operands - least(operands, 8));
    put(writer, OP_CONFIGURE << 4, 1);
}

void macrame_tcu_move(struct macrame_tcu_writer* writer, uint32_t flags, uint64_t local,
                      uint64_t dram, uint64_t vectors) {
    put(writer, local, writer->layout->operand0_bytes);
    put(writer, dram, writer->layout->operand1_bytes);
    put(writer, vectors - 1, writer->layout->operand2_bytes);
    put(writer, (uint32_t)OP_MOVE << 4 | flags, 1);
}

void macrame_tcu_probe(struct macrame_tcu_writer* writer,
                       const struct macrame_tcu_architecture* a) {
    const uint64_t local = (uint64_t)a->local_depth - 1;
    macrame_tcu_move(writer, MACRAME_TCU_DRAM0_TO_LOCAL, local, a->dram0_depth - 1, 1);
    macrame_tcu_move(writer, MACRAME_TCU_LOCAL_TO_DRAM0, local, a->dram0_depth - 2, 1);
}

void macrame_tcu_pad(struct macrame_tcu_writer* writer, uint32_t beat_bytes) {
    while (writer->bytes % beat_bytes != 0)
        put(writer, 0, writer->layout->bytes);
}

/* ------------------------------------------------------------------ reading */

static uint64_t get(const uint8_t* at, uint32_t bytes) {
    uint64_t value = 0;
    while (bytes != 0)
        value = value << 8 | at[--bytes];
    return value;
}

/* A transfer between DRAM and local memory: does it stay in its bank? */
static int scan_move(struct macrame_tcu_network* network, const uint8_t* at, uint64_t number,
                     uint32_t flags) {
    const struct macrame_tcu_layout* layout = &network->layout;
    const uint64_t operand = get(at + layout->operand0_bytes, layout->operand1_bytes);
    const uint64_t address = operand & (((uint64_t)1 << layout->address1_bits) - 1);
    const uint64_t stride =
        (operand >> layout->address1_bits) & (((uint64_t)1 << layout->stride1_bits) - 1);
    const uint64_t further =
        get(at + layout->operand0_bytes + layout->operand1_bytes, layout->operand2_bytes);
    const uint64_t last = address + (further << stride);
    const int bank1 = flags >= MACRAME_TCU_DRAM1_TO_LOCAL;
    const uint64_t depth =
        bank1 ? network->architecture.dram1_depth : network->architecture.dram0_depth;
    uint64_t* const used = bank1 ? &network->dram1_vectors : &network->dram0_vectors;
    if (last >= depth)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_INSTRUCTION,
                                bank1 ? "vector of DRAM1" : "vector of DRAM0", number, last,
                                depth - 1);
    if (*used <= last) *used = last + 1;
    return MACRAME_TCU_OK;
}

int macrame_tcu_scan(struct macrame_tcu_network* network) {
    const uint32_t bytes = network->layout.bytes;
    const uint8_t* at = network->program;
    uint64_t number;
    int error = MACRAME_TCU_OK;
    for (number = 0; number < network->program_bytes / bytes; ++number, at += bytes) {
        const uint32_t code = at[bytes - 1] >> 4, flags = at[bytes - 1] & 15u;
        const uint32_t configured = at[0] & 15u;
        if (code == OP_MOVE && flags < 4) {
            error = scan_move(network, at, number, flags);
        } else if (code == OP_CONFIGURE && (configured == MACRAME_TCU_DRAM0_OFFSET ||
                                            configured == MACRAME_TCU_DRAM1_OFFSET)) {
            error = macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_INSTRUCTION,
                                     "Configure of an offset", number, 0, 0);
        } else if (code > OP_SIMD && code < OP_CONFIGURE &&
                   !(code == OP_TABLE && network->architecture.lut_tables != 0)) {
            error = macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_INSTRUCTION, "opcode",
                                     number, code, 0);
        }
        if (error != MACRAME_TCU_OK) return error;
    }
    return MACRAME_TCU_OK;
}
