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

/* Does it lie as words do? Then they are read at once. */
static inline int are_words(const uint8_t* at) {
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return ((uintptr_t)at & 3u) == 0;
#else
    (void)at;
    return 0;
#endif
}

/* Of a place where are_words(). */
static inline uint32_t get_word(const uint8_t* at) {
    uint32_t word = 0;
#if defined(__GNUC__)
    __builtin_memcpy(&word, __builtin_assume_aligned(at, 4), 4);
#else
    (void)at;
#endif
    return word;
}

static inline uint32_t get32(const uint8_t* at) {
    return are_words(at) ? get_word(at) : get16(at) | get16(at + 2) << 16;
}

static inline uint64_t get64(const uint8_t* at) {
    return get32(at) | (uint64_t)get32(at + 4) << 32;
}

/* Of a file that macrame_open() has checked: behind the code are zeros. */
static inline void get_record(const uint8_t* at, struct macrame_command* out) {
    const int words = are_words(at);
    out->code = words ? get_word(at) : get16(at);
    out->address = words ? get_word(at + 4) : get32(at + 4);
    out->value = words ? get_word(at + 8) : get32(at + 8);
    out->aux = words ? get_word(at + 12) : get32(at + 12);
}

/* The commands of a run that are stores to registers in its memory, up to the first one that is
 * not: most of a program is such rows. */
static inline void store_row(struct macrame_runner* run) {
    volatile uint8_t* const registers = (volatile uint8_t*)run->machine->registers;
    const uint32_t register_bytes = run->machine->register_bytes;
    const uint32_t group = run->group, group_bits = run->group_bits;
    const uint64_t block = run->machine->device_address;
    const uint8_t* const begin = run->program->commands;
    const uint8_t* const end = begin + (size_t)run->program->command_count * COMMAND_BYTES;
    const uint8_t* at = begin + (size_t)run->next * COMMAND_BYTES;
    if (!are_words(begin)) return;
    for (; at != end; at += COMMAND_BYTES) {
        const uint32_t code = get_word(at), address = get_word(at + 4);
        uint32_t value = get_word(at + 8);
        if (address >= register_bytes) break;
        if (code == MACRAME_WRITE) {
            if (((address ^ group) & group_bits) == 0) break;
        } else if (code == MACRAME_WRITE_LOW) {
            value += (uint32_t)block;
        } else if (code == MACRAME_WRITE_HIGH) {
            value = (uint32_t)((block + ((uint64_t)get_word(at + 12) << 32 | value)) >> 32);
        } else {
            break;
        }
        *(volatile uint32_t*)(registers + address) = value;
    }
    run->next = (uint32_t)((size_t)(at - begin) / COMMAND_BYTES);
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
