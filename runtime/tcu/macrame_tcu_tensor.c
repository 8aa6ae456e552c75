/* Inputs and outputs: numbers and codes, vectors and their places in DRAM0. */
#include "macrame_tcu_internal.h"

/* ------------------------------------------------------------------ numbers */

static const struct {
    uint32_t width, binary_point;
} kTypes[] = {{8, 4}, {16, 8}, {18, 10}, {32, 16}};

/* From the bits of the number: exact, and no floating point is asked of the processor. */
int32_t macrame_tcu_encode(uint32_t data_type, float value) {
    union {
        float number;
        uint32_t bits;
    } as;
    uint32_t exponent;
    int32_t shift;
    uint64_t size, half, largest;
    int negative;
    if (data_type > MACRAME_TENSIL_DATA_TYPE_FP32BP16) return 0;
    as.number = value;
    negative = as.bits >> 31 != 0;
    exponent = as.bits >> 23 & 0xffu;
    size = as.bits & 0x7fffffu;
    if (exponent == 0xff && size != 0) return 0; /* no number */
    if (exponent != 0) {
        size |= 0x800000u;
    } else {
        exponent = 1;
    }
    /* value * 2^binary_point = size * 2^shift */
    shift = (int32_t)exponent - 150 + (int32_t)kTypes[data_type].binary_point;
    largest = ((uint64_t)1 << (kTypes[data_type].width - 1)) - (negative ? 0u : 1u);
    if (shift >= 0) {
        size = shift > 31 && size != 0 ? largest : size << (shift > 31 ? 0 : shift);
    } else if (shift < -31) {
        size = 0;
    } else {
        /* Half upwards: away from zero above it, towards zero below. */
        half = (uint64_t)1 << (-shift - 1);
        size = (size + half - (negative ? 1u : 0u)) >> -shift;
    }
    if (size > largest) size = largest;
    return negative ? (int32_t) - (int64_t)size : (int32_t)size;
}

float macrame_tcu_decode(uint32_t data_type, int32_t code) {
    static const float steps[] = {1.0f / 16, 1.0f / 256, 1.0f / 1024, 1.0f / 65536};
    return data_type > MACRAME_TENSIL_DATA_TYPE_FP32BP16 ? 0.0f : (float)code * steps[data_type];
}

static void put_code(uint8_t* to, const struct macrame_tcu_network* network, int32_t code) {
    const uint32_t width = kTypes[network->architecture.data_type].width;
    uint32_t bits = (uint32_t)code, i;
    if (width < 32) bits &= ((uint32_t)1 << width) - 1;
    for (i = 0; i < network->scalar_bytes; ++i, bits >>= 8)
        to[i] = (uint8_t)(bits & 0xffu);
}

static int32_t get_code(const uint8_t* from, const struct macrame_tcu_network* network) {
    const uint32_t sign = (uint32_t)1 << (kTypes[network->architecture.data_type].width - 1);
    uint32_t bits = 0, i;
    int64_t code;
    for (i = 0; i < network->scalar_bytes; ++i)
        bits |= (uint32_t)from[i] << 8 * i;
    bits &= sign | (sign - 1);
    code = bits >= sign ? (int64_t)bits - 2 * (int64_t)sign : (int64_t)bits;
    return (int32_t)code;
}

/* ------------------------------------------------------------------ tensors */

/* A walk over the vectors of a tensor. */
struct vectors {
    struct macrame_tcu_pieces pieces;
    struct macrame_tcu_piece piece;
    uint64_t done; /* of the piece */
};

/* Stands at the first piece of tensor `number`; its vectors in *count. */
static int find(const struct macrame_tcu_network* network, size_t start, uint32_t number,
                struct vectors* out, uint64_t* count) {
    struct macrame_tcu_piece piece;
    struct macrame_tcu_pieces behind;
    out->pieces.network = network;
    out->pieces.at = start;
    out->done = 0;
    if (!macrame_tcu_next_piece(&out->pieces, &out->piece)) return 0;
    while (number != 0) {
        const struct macrame_tcu_text last = out->piece.name;
        if (!macrame_tcu_next_piece(&out->pieces, &out->piece)) return 0;
        if (!macrame_tcu_same_text(&last, &out->piece.name)) --number;
    }
    *count = out->piece.vectors;
    behind = out->pieces;
    while (macrame_tcu_next_piece(&behind, &piece) &&
           macrame_tcu_same_text(&piece.name, &out->piece.name))
        *count += piece.vectors;
    return 1;
}

/* Byte in DRAM0 of the next vectors, at most `most`; how many there are together in *count. */
static uint64_t next_vectors(struct vectors* v, uint64_t most, uint64_t* count) {
    uint64_t at;
    while (v->done == v->piece.vectors && macrame_tcu_next_piece(&v->pieces, &v->piece))
        v->done = 0;
    at = (v->piece.base + v->done) * v->pieces.network->vector_bytes;
    *count = v->piece.vectors - v->done;
    if (*count > most) *count = most;
    v->done += *count;
    return at;
}

static int get_tensor(const struct macrame_tcu_network* network, size_t start, uint32_t number,
                      struct macrame_tcu_tensor* out) {
    struct vectors v;
    if (!network || !network->json || !out || !find(network, start, number, &v, &out->vectors))
        return MACRAME_TCU_BAD_ARGUMENT;
    out->name = v.piece.name;
    return MACRAME_TCU_OK;
}

int macrame_tcu_get_input(const struct macrame_tcu_network* network, uint32_t number,
                          struct macrame_tcu_tensor* out) {
    return get_tensor(network, network ? network->inputs_at : 0, number, out);
}

int macrame_tcu_get_output(const struct macrame_tcu_network* network, uint32_t number,
                           struct macrame_tcu_tensor* out) {
    return get_tensor(network, network ? network->outputs_at : 0, number, out);
}

/* Data of a tensor may move: *v stands at its start. */
static int check_transfer(struct macrame_tcu_network* network,
                          const struct macrame_tcu_machine* machine, size_t start, uint32_t number,
                          const void* data, uint64_t vectors, struct vectors* v) {
    uint64_t count, end;
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    if (!network->json || !machine || !machine->dram0.memory || !data ||
        !find(network, start, number, v, &count))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "machine, data, number", 0, number, 0);
    if (count != vectors)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_WRONG_LENGTH, "vectors", 0, vectors,
                                count);
    end = network->dram0_vectors * network->vector_bytes;
    if (machine->dram0.bytes < end)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_SMALL_MEMORY, "dram0", 0,
                                machine->dram0.bytes, end);
    return MACRAME_TCU_OK;
}

static void sync_bytes(const struct macrame_tcu_machine* machine, uint64_t at, uint64_t bytes,
                       int to_device) {
    if (machine->sync && bytes != 0)
        machine->sync(machine->user, &machine->dram0, at, bytes, to_device);
}

int macrame_tcu_write_vectors(struct macrame_tcu_network* network,
                              const struct macrame_tcu_machine* machine, uint32_t number,
                              const void* data, uint64_t vectors) {
    const uint8_t* from = (const uint8_t*)data;
    struct vectors v;
    uint64_t count, at, i;
    const int error = check_transfer(network, machine, network ? network->inputs_at : 0, number,
                                     data, vectors, &v);
    if (error != MACRAME_TCU_OK) return error;
    for (; vectors != 0; vectors -= count) {
        at = next_vectors(&v, vectors, &count);
        for (i = 0; i < count * network->vector_bytes; ++i)
            machine->dram0.memory[(size_t)(at + i)] = *from++;
        sync_bytes(machine, at, count * network->vector_bytes, 1);
    }
    return MACRAME_TCU_OK;
}

int macrame_tcu_read_vectors(struct macrame_tcu_network* network,
                             const struct macrame_tcu_machine* machine, uint32_t number, void* data,
                             uint64_t vectors) {
    uint8_t* to = (uint8_t*)data;
    struct vectors v;
    uint64_t count, at, i;
    const int error = check_transfer(network, machine, network ? network->outputs_at : 0, number,
                                     data, vectors, &v);
    if (error != MACRAME_TCU_OK) return error;
    for (; vectors != 0; vectors -= count) {
        at = next_vectors(&v, vectors, &count);
        sync_bytes(machine, at, count * network->vector_bytes, 0);
        for (i = 0; i < count * network->vector_bytes; ++i)
            *to++ = machine->dram0.memory[(size_t)(at + i)];
    }
    return MACRAME_TCU_OK;
}

/* Vectors of `pixels`; no number if that is none. */
static uint64_t vectors_of(const struct macrame_tcu_network* network, uint64_t pixels,
                           uint32_t channels) {
    const uint64_t each = network && network->json && channels != 0
                              ? (channels - 1) / network->architecture.array_size + (uint64_t)1
                              : 0;
    return each != 0 && pixels <= ((uint64_t)1 << 32) / each ? pixels * each : ~(uint64_t)0;
}

int macrame_tcu_write_input(struct macrame_tcu_network* network,
                            const struct macrame_tcu_machine* machine, uint32_t number,
                            const float* values, uint64_t pixels, uint32_t channels) {
    uint64_t left = vectors_of(network, pixels, channels), at, count;
    uint32_t channel = 0, lane;
    struct vectors v;
    const int error = check_transfer(network, machine, network ? network->inputs_at : 0, number,
                                     values, left, &v);
    if (error != MACRAME_TCU_OK) return error;
    for (; left != 0; left -= count) {
        at = next_vectors(&v, 1, &count);
        for (lane = 0; lane < network->architecture.array_size; ++lane) {
            const int there = channel < channels;
            put_code(machine->dram0.memory + (size_t)(at + (uint64_t)lane * network->scalar_bytes),
                     network,
                     there ? macrame_tcu_encode(network->architecture.data_type, *values) : 0);
            values += there;
            channel += (uint32_t)there;
        }
        if (channel == channels) channel = 0;
        sync_bytes(machine, at, network->vector_bytes, 1);
    }
    return MACRAME_TCU_OK;
}

int macrame_tcu_read_output(struct macrame_tcu_network* network,
                            const struct macrame_tcu_machine* machine, uint32_t number,
                            float* values, uint64_t pixels, uint32_t channels) {
    uint64_t left = vectors_of(network, pixels, channels), at, count;
    uint32_t channel = 0, lane;
    struct vectors v;
    const int error = check_transfer(network, machine, network ? network->outputs_at : 0, number,
                                     values, left, &v);
    if (error != MACRAME_TCU_OK) return error;
    for (; left != 0; left -= count) {
        at = next_vectors(&v, 1, &count);
        sync_bytes(machine, at, network->vector_bytes, 0);
        for (lane = 0; lane < network->architecture.array_size && channel < channels; ++lane) {
            const uint8_t* from =
                machine->dram0.memory + (size_t)(at + (uint64_t)lane * network->scalar_bytes);
            *values++ =
                macrame_tcu_decode(network->architecture.data_type, get_code(from, network));
            ++channel;
        }
        if (channel == channels) channel = 0;
    }
    return MACRAME_TCU_OK;
}
