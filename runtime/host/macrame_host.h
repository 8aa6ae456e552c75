/* What the processor does of a network beside an accelerator: a function, in a file of its own, for
 * each kind of operator. `macrame compile` writes the calls (NAME_host.c).
 *
 * C99, no allocation, nothing global; without a library but for the functions of math/. The same
 * bytes on every processor with two's complement, little-endian memory and IEEE arithmetic that
 * does not contract products and sums (-ffp-contract=off). Tensors lie row by row, aligned as their
 * elements want it; what is written and what is read do not overlap. */
#ifndef MACRAME_HOST_H
#define MACRAME_HOST_H

#include <stdint.h>

#include "macrame_fixed.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MACRAME_HOST_RANK 8

/* Of NAME_run(): an operator was given a value that it cannot take, such as an index outside of a
 * table. Other errors are those of the runtime of the programs. */
#define MACRAME_HOST_BAD_VALUE 1000

enum macrame_host_type {
    MACRAME_HOST_INT8,
    MACRAME_HOST_UINT8,
    MACRAME_HOST_INT16,
    MACRAME_HOST_INT32,
    MACRAME_HOST_INT64,
    MACRAME_HOST_FLOAT32
};

/* How a real value becomes a whole one: halves away from zero, or to the even one. */
enum macrame_host_rounding { MACRAME_HOST_AWAY, MACRAME_HOST_EVEN };

/* Copies `size` bytes at a time. Strides and starts in bytes, the last axis is the fastest. */
struct macrame_host_move {
    uint32_t size, rank;
    uint32_t to_start, from_start;
    uint32_t shape[MACRAME_HOST_RANK];
    int32_t to[MACRAME_HOST_RANK], from[MACRAME_HOST_RANK];
};
void macrame_host_move(void* to, const void* from, const struct macrame_host_move* with);

/* `count` times the same `size` bytes. */
struct macrame_host_fill {
    uint32_t size, count;
    const uint8_t* value;
};
void macrame_host_fill(void* to, const struct macrame_host_fill* with);

/* The `size` bytes of the table at each byte. */
struct macrame_host_lookup {
    uint32_t size, count;
    const uint8_t* table;
};
void macrame_host_lookup(void* to, const void* from, const struct macrame_host_lookup* with);

/* Packed elements of `size` bytes: that of the input at the sum of the offsets, in bytes, of the
 * index of each axis. */
struct macrame_host_take {
    uint32_t size, rank;
    uint32_t shape[MACRAME_HOST_RANK];
    const uint32_t* offsets[MACRAME_HOST_RANK];
};
void macrame_host_take(void* to, const void* from, const struct macrame_host_take* with);

/* Rows of `size` elements of 8 bits; table: exp(-difference / scale) of a difference of 0 to 255,
 * as a fraction with 31 bits. `least` is -128 or 0. */
struct macrame_host_softmax {
    uint32_t rows, size;
    enum macrame_host_type type;
    int32_t least;
    const int32_t* table;
};
void macrame_host_softmax(void* to, const void* from, const struct macrame_host_softmax* with);

/* The same in double precision: table is exp(-difference / scale), 1 is `steps` of the output. */
struct macrame_host_even_softmax {
    uint32_t rows, size;
    enum macrame_host_type from_type, to_type;
    double steps;
    int32_t zero;
    const double* table;
};
void macrame_host_even_softmax(void* to, const void* from,
                               const struct macrame_host_even_softmax* with);

/* Integers of one scale for another, TFLite's. */
struct macrame_host_rescale {
    uint32_t count;
    enum macrame_host_type from_type, to_type;
    int32_t zero_from, zero_to, least, most;
    struct macrame_factor factor;
};
void macrame_host_rescale(void* to, const void* from, const struct macrame_host_rescale* with);

/* scale * (element - zero) as float32. Scales lie along an axis of `scales` indices with `inner`
 * elements each; null: the elements themselves. */
struct macrame_host_dequantise {
    uint32_t count, scales, inner;
    enum macrame_host_type type;
    const float* scale;
    const int32_t* zero;
};
void macrame_host_dequantise(void* to, const void* from,
                             const struct macrame_host_dequantise* with);

/* Bounds of real values: which of them hold. */
enum macrame_host_bounds {
    MACRAME_HOST_FREE,
    MACRAME_HOST_AT_LEAST,
    MACRAME_HOST_AT_MOST,
    MACRAME_HOST_BETWEEN
};

/* float32 within bounds as the nearest integers of a scale. */
struct macrame_host_quantise {
    uint32_t count;
    enum macrame_host_type type;
    enum macrame_host_rounding rounding;
    float scale;
    int32_t zero;
    enum macrame_host_bounds bounds;
    float least, most;
};
void macrame_host_quantise(void* to, const void* from, const struct macrame_host_quantise* with);

/* float32 within bounds. */
struct macrame_host_clamp {
    uint32_t count;
    enum macrame_host_bounds bounds;
    float least, most;
};
void macrame_host_clamp(void* to, const void* from, const struct macrame_host_clamp* with);

/* In math/, with functions of the C library's math.h: the last bits are those that it gives. */

/* Rows of float32; `log`: the logarithm of it. */
struct macrame_host_real_softmax {
    uint32_t rows, size, log;
    float beta;
};
void macrame_host_real_softmax(void* to, const void* from,
                               const struct macrame_host_real_softmax* with);

#ifdef __cplusplus
}
#endif

#endif
