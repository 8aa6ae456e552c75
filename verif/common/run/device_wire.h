/* What runtime/device and `macrame simulate --serve` say to each other, in the byte order of the
 * machine that both run on: the program begins with MACRAME_WIRE_HELLO; then each request is a
 * struct and, for a memory write, the bytes. Those marked with * are answered by a word of 64 bits,
 * and a memory read then by the bytes. The end of the stream ends the program. */
#ifndef MACRAME_DEVICE_WIRE_H
#define MACRAME_DEVICE_WIRE_H

#include <stdint.h>

#define MACRAME_WIRE_HELLO UINT64_C(0x31656369766564)

enum macrame_wire_op {
    MACRAME_WIRE_RESET,
    MACRAME_WIRE_READ, /* * value of the register at `address` */
    MACRAME_WIRE_WRITE,
    MACRAME_WIRE_MEMORY_READ, /* * `value` bytes */
    MACRAME_WIRE_MEMORY_WRITE,
    MACRAME_WIRE_WAIT,      /* * level of the interrupt line, after at most `value` cycles */
    MACRAME_WIRE_CYCLES,    /* * */
    MACRAME_WIRE_ADVANCE,   /* * cycles so far, after `value` more */
    MACRAME_WIRE_STATISTICS, /* * bytes of a struct macrame_wire_statistics, which follows */
    MACRAME_WIRE_IDENTITY   /* * of the programs that the design runs */
};

struct macrame_wire_request {
    uint32_t op;
    uint32_t port; /* of memory */
    uint64_t address;
    uint64_t value;
};

/* Counts since the request for them before. */
struct macrame_wire_statistics {
    uint64_t cycles;
    uint64_t register_reads, register_writes;
    uint64_t layers;                  /* that have begun */
    uint64_t interrupts;              /* rises of the line that were seen */
    uint64_t read_bytes, write_bytes; /* of the device at its memory ports */
    uint64_t read_stalls, write_stalls;
};

#endif
