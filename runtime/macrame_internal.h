/* What the parts of the runtime share. */
#ifndef MACRAME_INTERNAL_H
#define MACRAME_INTERNAL_H

#include "macrame.h"

/* Loops that copy stay loops: no memcpy or memset is asked from whoever links this. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Places and sizes in the file, as in compiler/program/README.md. */
enum {
    HEADER_BYTES = 160,
    FILE_BYTES = 8,
    CHECKSUM = 16,
    HEADER_SIZE = 20,
    IDENTITY = 24,
    INTERRUPT_STATUS = 28,
    MEMORY_BYTES = 32,
    ALIGNMENT = 40,
    INPUTS = 44,
    FAMILY = 48,
    CONFIGURATION = 52,
    NETWORK = 56,
    RESERVED = 60,
    SECTIONS = 64,
    SECTION_BYTES = 16,
    /* Version 2 has more. */
    HEADER_BYTES_2 = 176,
    ADDRESS_BITS = 160,
    IDENTITY_REGISTER = 164,
    PARAMETERS = 168,
    RESERVED_2 = 172,
    /* And version 3, which may have several networks, and commands MACRAME_UNIT. */
    HEADER_BYTES_3 = 192,
    NETWORKS = 176
};
enum { COMMANDS, SEGMENTS, TENSORS, LAYERS, STRINGS, DATA, SECTION_COUNT };

/* Bytes of a record. */
enum {
    COMMAND_BYTES = 16,
    SEGMENT_BYTES = 24,
    TENSOR_BYTES = 56,
    LAYER_BYTES = 24,
    NETWORK_BYTES = 32
};

/* Commands MACRAME_UNIT of a program. */
enum { MOST_UNITS = 32 };

/* Of a record of section networks. */
enum { NET_NAME = 0, NET_FILE = 4, NET_COUNTS = 8, NET_RESERVED = 28 };

static inline uint32_t get16(const uint8_t* at) { return at[0] | (uint32_t)at[1] << 8; }

/* At once where it lies as words do. */
static inline uint32_t get32(const uint8_t* at) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (((uintptr_t)at & 3u) == 0) {
        uint32_t word;
        __builtin_memcpy(&word, __builtin_assume_aligned(at, 4), 4);
        return word;
    }
#endif
    return get16(at) | get16(at + 2) << 16;
}

static inline uint64_t get64(const uint8_t* at) {
    return get32(at) | (uint64_t)get32(at + 4) << 32;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the sizes that follow from others and checks that the tensor is inside the memory. */
int macrame_complete_tensor(struct macrame_tensor* tensor, uint64_t memory_bytes);
/* The same of a tensor of the caller, in the block of a machine. */
int macrame_check_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                         struct macrame_tensor* out);

#ifdef __cplusplus
}
#endif

#endif
