/* A network on one input after the other, without an operating system: while the accelerator
 * computes on one block of memory, the processor brings the next input into another one. Weights
 * lie in both.
 *
 *   DMA_OFFSET   0; the accelerator's address of the first block, the other one lies behind it
 *   DMA_BYTES    0x8000000; how much memory each has, a multiple of the program's alignment
 *
 * The board has the functions of main.c with BOARD, and those below. */
#include <stddef.h>
#include <stdint.h>

#include "../../macrame.h"

#ifndef DMA_OFFSET
#define DMA_OFFSET 0
#endif
#ifndef DMA_BYTES
#define DMA_BYTES 0x8000000
#endif

extern const uint8_t macrame_network[];
extern const uint32_t macrame_network_bytes;

uint32_t board_read(void* user, uint32_t address);
void board_write(void* user, uint32_t address, uint32_t value);
int board_wait(void* user, uint32_t timeout_ms);
void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device);
uint8_t* board_memory(void); /* both blocks */

/* 1: the interrupt of the accelerator calls two_buffers_interrupt(); 0: it waits. */
void board_allow_interrupt(int on);
/* The next input; 0: there is none. */
int board_input(int8_t* input, uint64_t bytes);
/* The accelerator is idle: it may be reset, as some programs want it (runtime/README.md). */
void board_output(const int8_t* output, uint64_t bytes);

void two_buffers_interrupt(void);
int two_buffers(void);

static struct macrame_program program;
static struct macrame_machine machines[2];
static struct macrame_runner run;
static volatile int state; /* of the run: MACRAME_BUSY up to its end */
static int8_t input[1 << 16], output[1 << 14];

void two_buffers_interrupt(void) {
    if (state == MACRAME_BUSY) state = macrame_step(&run);
}

static void sync(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    const struct macrame_machine* machine = (const struct macrame_machine*)user;
    board_sync(NULL, (uint64_t)(machine->memory - board_memory()) + offset, bytes, to_device);
}

static int open_all(struct macrame_tensor* in, struct macrame_tensor* out) {
    int error = macrame_open(&program, macrame_network, macrame_network_bytes);
    uint32_t i;
#ifdef DLA_IDENTITY /* -include include/dla_params.h of the design: is the network for it? */
    program.hardware = DLA_IDENTITY;
#endif
    for (i = 0; i < 2 && error == MACRAME_OK; ++i) {
        machines[i].user = &machines[i];
        machines[i].read = board_read;
        machines[i].write = board_write;
        machines[i].wait = board_wait;
        machines[i].sync = sync;
        machines[i].memory = board_memory() + (size_t)i * DMA_BYTES;
        machines[i].device_address = (uint64_t)DMA_OFFSET + (uint64_t)i * DMA_BYTES;
        machines[i].memory_bytes = DMA_BYTES;
        error = macrame_prepare(&program, &machines[i]);
    }
    if (error == MACRAME_OK) error = macrame_get_input(&program, 0, in);
    if (error == MACRAME_OK) error = macrame_get_output(&program, 0, out);
    if (error != MACRAME_OK) return error;
    return in->bytes > sizeof input || out->bytes > sizeof output ? MACRAME_WRONG_LENGTH
                                                                  : MACRAME_OK;
}

/* Up to the last input. Interrupts are not allowed when it begins and ends. */
int two_buffers(void) {
    struct macrame_tensor in, out;
    uint32_t n = 0;
    int error = open_all(&in, &out);
    int more = error == MACRAME_OK && board_input(input, in.bytes);
    if (more) error = macrame_write_input(&program, &machines[n], 0, input, in.bytes);
    for (; more && error == MACRAME_OK; n ^= 1) {
        error = macrame_begin(&run, &program, &machines[n]);
        if (error != MACRAME_OK) return error;
        state = macrame_step(&run);
        board_allow_interrupt(1);
        /* This takes time, and the run goes on meanwhile. */
        more = board_input(input, in.bytes);
        if (more) error = macrame_write_input(&program, &machines[n ^ 1], 0, input, in.bytes);
        board_allow_interrupt(0);
        if (state == MACRAME_BUSY) state = macrame_finish(&run);
        if (state != MACRAME_OK) return state;
        if (error == MACRAME_OK)
            error = macrame_read_output(&program, &machines[n], 0, output, out.bytes);
        if (error == MACRAME_OK) board_output(output, out.bytes);
    }
    return error;
}
