/* Runs compiled networks on a systolic array. `macrame compile` writes NAME.bin, an image of memory
 * with all instructions, and NAME_host.c, whose tables tell where what is in it.
 *
 *     macrame_systolic_load                the image into the block of the machine, once
 *     macrame_systolic_write_input -> macrame_systolic_run -> macrame_systolic_read_output
 *
 * and from macrame_systolic_write_input again for the next input. C99, no allocation, no library:
 * stdint.h and stddef.h only. Nothing is global.
 *
 * The machine is that of macrame.h: register addresses are bytes from the parameter config-address,
 * `wait` tells the level of irq. All bits of INTERRUPT_ENABLE are set, as after reset. */
#ifndef MACRAME_SYSTOLIC_H
#define MACRAME_SYSTOLIC_H

#include "../macrame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions that one start runs. */
struct macrame_systolic_start {
    uint32_t offset; /* in the image */
    uint32_t count;
};

/* An input or output, a byte per element. Element (y, x, c) is at
 * offset + y * line_stride + x * pixel_stride + (first + c) / group * plane_stride
 *        + (first + c) % group. */
struct macrame_systolic_tensor {
    uint32_t offset; /* in the image */
    uint32_t height, width, channels;
    uint32_t group, first;
    uint32_t pixel_stride, line_stride, plane_stride;
};

struct macrame_systolic_program {
    uint32_t identity;     /* of the hardware that it was compiled for; 0: any */
    uint32_t address_bits; /* of the array: the block lies below their end */
    uint32_t bytes;        /* of the image; of several networks, up to the end of its part */
    uint32_t begin;        /* of its part; 0: it has the image alone */
    uint32_t start_count, input_count, output_count;
    const struct macrame_systolic_start* starts;
    const struct macrame_systolic_tensor *inputs, *outputs;
};

/* Puts the image, or its part of the image of several networks, into the block, which begins at a
 * multiple of 4096, and the addresses of the block into its instructions. Again if something else
 * wrote to the block. */
int macrame_systolic_load(const struct macrame_systolic_program* program,
                          const struct macrame_machine* machine, const void* image,
                          uint64_t image_bytes);

/* Elements row by row, column by column, channel by channel. */
int macrame_systolic_write_input(const struct macrame_systolic_program* program,
                                 const struct macrame_machine* machine, uint32_t number,
                                 const void* data, uint64_t bytes);
int macrame_systolic_read_output(const struct macrame_systolic_program* program,
                                 const struct macrame_machine* machine, uint32_t number, void* data,
                                 uint64_t bytes);

/* All starts, one after the other. Waits at most 10 s for each. An error of memory or a word that
 * is no instruction ends the run; behind any error: macrame_systolic_reset. */
int macrame_systolic_run(const struct macrame_systolic_program* program,
                         const struct macrame_machine* machine);

/* Stops what runs: transactions on their way end, nothing else begins. */
int macrame_systolic_reset(const struct macrame_machine* machine);

#ifdef __cplusplus
}
#endif

#endif
