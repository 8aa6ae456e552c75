/* What the parts of the driver share. */
#ifndef MACRAME_TCU_INTERNAL_H
#define MACRAME_TCU_INTERNAL_H

#include "macrame_tcu.h"

/* Loops that copy stay loops: no memcpy or memset is asked from whoever links this. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Part of a tensor: vectors of DRAM0 that follow each other. */
struct macrame_tcu_piece {
    struct macrame_tcu_text name;
    uint64_t base, vectors;
};

/* Walks over the pieces of the inputs or outputs. */
struct macrame_tcu_pieces {
    const struct macrame_tcu_network* network;
    size_t at; /* begin with inputs_at or outputs_at */
};

/* 1: *out is the next piece; 0: there is none. */
int macrame_tcu_next_piece(struct macrame_tcu_pieces* pieces, struct macrame_tcu_piece* out);

int macrame_tcu_same_text(const struct macrame_tcu_text* a, const struct macrame_tcu_text* b);

/* Notes what is wrong; returns the error. */
int macrame_tcu_fail(struct macrame_tcu_problem* problem, int error, const char* what,
                     uint64_t place, uint64_t found, uint64_t wanted);

void macrame_tcu_layout_of(const struct macrame_tcu_architecture* a,
                           struct macrame_tcu_layout* out);

/* Looks at all instructions; sets dram0_vectors and dram1_vectors. */
int macrame_tcu_scan(struct macrame_tcu_network* network);

/* Instructions one behind the other in the stream block. */
struct macrame_tcu_writer {
    const struct macrame_tcu_layout* layout;
    uint8_t* to;
    uint64_t bytes;
};

enum { MACRAME_TCU_DRAM0_TO_LOCAL = 0, MACRAME_TCU_LOCAL_TO_DRAM0, MACRAME_TCU_DRAM1_TO_LOCAL };

enum {
    MACRAME_TCU_DRAM0_OFFSET = 0x0,
    MACRAME_TCU_DRAM1_OFFSET = 0x4,
    MACRAME_TCU_TIMEOUT_CYCLES = 0x8,
    MACRAME_TCU_TRACEPOINT = 0x9,
    MACRAME_TCU_PROGRAM_COUNTER = 0xa,
    MACRAME_TCU_SAMPLE_INTERVAL = 0xb
};

/* Registers of the unit, bytes; bits of STATUS. */
enum {
    MACRAME_TCU_STATUS = 0x00,
    MACRAME_TCU_BUS_ERROR_CAUSE = 0x08, /* bit 0 write, 1 bank, 2 DECERR */
    MACRAME_TCU_BUS_ERROR_ADDRESS = 0x0c,
    MACRAME_TCU_RESET = 0x10,
    MACRAME_TCU_IDENTITY = 0x14
};
enum {
    MACRAME_TCU_STATUS_IDLE = 1 << 0,
    MACRAME_TCU_STATUS_BUS_ERROR = 1 << 4,
    MACRAME_TCU_STATUS_IN_RESET = 1 << 5
};

/* Is it the unit of machine->identity, and has it no bus error? Without registers all is well. */
int macrame_tcu_check_unit(struct macrame_tcu_network* network,
                           const struct macrame_tcu_machine* machine);
/* MACRAME_TCU_OK: the unit is idle, or has no registers; BUSY; or a bus error. */
int macrame_tcu_look(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine);
uint32_t macrame_tcu_most_polls(const struct macrame_tcu_machine* machine);

void macrame_tcu_configure(struct macrame_tcu_writer* writer, uint32_t number, uint64_t value);
void macrame_tcu_move(struct macrame_tcu_writer* writer, uint32_t flags, uint64_t local,
                      uint64_t dram, uint64_t vectors);
/* D0[depth - 1] over L[depth - 1] to D0[depth - 2]: comes there when all before is complete. */
void macrame_tcu_probe(struct macrame_tcu_writer* writer, const struct macrame_tcu_architecture* a);
/* NoOps until instructions and beats are whole. */
void macrame_tcu_pad(struct macrame_tcu_writer* writer, uint32_t beat_bytes);
/* The most that a Configure can hold. */
uint64_t macrame_tcu_largest_value(const struct macrame_tcu_layout* layout);

#ifdef __cplusplus
}
#endif

#endif
