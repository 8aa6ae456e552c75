/* Of macrame_host.h: numbers without a scale, picks by indices, what a run quantises, rows
 * over their length and weights over time. */
#ifndef MACRAME_HOST_NUMBERS_H
#define MACRAME_HOST_NUMBERS_H

#include "macrame_host.h"

/* Numbers in another type, plus `shift`: what does not fit wraps; real values lose their fractions,
 * and those that do not fit 32 bits, or 64 of int64, are the least number. */
struct macrame_host_cast {
    uint32_t count;
    enum macrame_host_type from_type, to_type;
    int32_t shift;
};
void macrame_host_cast(void* to, const void* from, const struct macrame_host_cast* with);

/* Rows of float32, each in 255 steps of its own range: elements of int8, and a scale and zero point
 * for each row. Steps are those of TFLite, in 254 of them that are `symmetric`, or `even`. */
struct macrame_host_dynamic {
    uint32_t rows, size, symmetric, even;
};
void macrame_host_dynamic(void* to, void* scales, void* zeros, const void* from,
                          const struct macrame_host_dynamic* with);

/* Of int32 or int64: sums, products and powers wrap, quotients are rounded to 0. Not 0: a divisor
 * is 0. */
struct macrame_host_whole_binary {
    struct macrame_host_walk walk;
    enum macrame_host_binary_function function;
    enum macrame_host_type type;
};
int macrame_host_whole_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_whole_binary* with);

/* Pieces of `size` bytes at rows of `axes` indices of axes with these lengths and strides, in
 * bytes, in each of `batches` pieces of `batch` bytes. Not 0: an index is outside. */
struct macrame_host_gather_nd {
    uint32_t batches, count, axes, batch, size;
    int32_t length[MACRAME_HOST_RANK];
    uint32_t stride[MACRAME_HOST_RANK];
    enum macrame_host_type index_type;
};
int macrame_host_gather_nd(void* to, const void* from, const void* indices,
                           const struct macrame_host_gather_nd* with);

/* `size` bytes at an index along an axis of `length` with steps of `along` elements; the walk has
 * the other axes. Not 0: an index is outside. */
struct macrame_host_gather_elements {
    struct macrame_host_walk walk;
    uint32_t size, along;
    int32_t length;
    enum macrame_host_type index_type;
};
int macrame_host_gather_elements(void* to, const void* from, const void* indices,
                                 const struct macrame_host_gather_elements* with);

/* An axis of `length` rows of `size` bytes, `outer` times, with `count` others in their places.
 * `to` may be `from`, or lie elsewhere. Not 0: a place is outside. */
struct macrame_host_put_rows {
    uint32_t outer, count, size;
    int32_t length;
    enum macrame_host_type index_type;
};
int macrame_host_put_rows(void* to, const void* from, const void* rows, const void* places,
                          const struct macrame_host_put_rows* with);

/* What is read, `bytes` of it, with updates of `elements` elements each at rows of `axes` indices
 * of axes with these lengths and strides, in elements: in place of what is there, or both as one
 * where they are `joined`. Not 0: an index is outside. */
struct macrame_host_scatter_nd {
    uint32_t bytes, count, axes, elements, size;
    uint32_t joined;
    int32_t length[MACRAME_HOST_RANK];
    uint32_t stride[MACRAME_HOST_RANK];
    enum macrame_host_type type, index_type;
    enum macrame_host_reduction function;
};
int macrame_host_scatter_nd(void* to, const void* from, const void* indices, const void* updates,
                            const struct macrame_host_scatter_nd* with);

/* Of each row of `size` elements the largest `count` in order, or the `least`, and their indices;
 * of equal ones the first. */
struct macrame_host_top_k {
    uint32_t rows, size, count, least;
    enum macrame_host_type type, index_type;
};
void macrame_host_top_k(void* to, void* indices, const void* from,
                        const struct macrame_host_top_k* with);

/* Sums up to each of `size` elements that are `step` apart, with it or `exclusive`; `reverse`: from
 * the last one on. Numbers wrap. */
struct macrame_host_cumsum {
    uint32_t count, size, step, exclusive, reverse;
    enum macrame_host_type type;
};
void macrame_host_cumsum(void* to, const void* from, const struct macrame_host_cumsum* with);

/* A digit of sums of int32, times what it counts as: in their place, or `add`ed to them. */
struct macrame_host_join {
    uint32_t count, add;
    int32_t factor;
};
void macrame_host_join(void* to, const void* from, const struct macrame_host_join* with);

/* Values as two digits of int8: the first of all, then the second, and the step of the first. */
struct macrame_host_real_digits {
    uint32_t count;
};
void macrame_host_real_digits(void* digits, void* step, const void* from,
                              const struct macrame_host_real_digits* with);

/* Sums of these with digits of weights, [2 rows, 2 kernels], as real values; bias or null. */
struct macrame_host_real_sums {
    uint32_t rows, kernels;
    const float *steps, *bias;
};
void macrame_host_real_sums(void* to, const void* sums, const void* step,
                            const struct macrame_host_real_sums* with);

/* Rows of 8 bits over the root of the sum of their squares, in steps of 1/128; those of `old`
 * kernels have the fraction in front of the product. */
struct macrame_host_l2_norm {
    uint32_t rows, size, old;
    enum macrame_host_type from_type, to_type;
    int32_t zero_from, zero_to;
};
void macrame_host_l2_norm(void* to, const void* from, const struct macrame_host_l2_norm* with);

/* Features of each step, of `rank` filters for each output, weighted over the last `steps`. Weights
 * [filters, inputs] and [filters, steps], bias [filters / rank] or null, state [batches, filters,
 * steps]: the one behind this step is written beside the outputs. */
struct macrame_host_svdf {
    uint32_t batches, inputs, filters, steps, rank;
    const void *features, *times, *bias;
    enum macrame_host_type state_type; /* int8 or int16, also of the weights over time */
    int32_t zero_from, zero_state, zero_to;
    struct macrame_factor to_state, to_output;
};
void macrame_host_svdf(void* to, void* state, const void* from, const void* before,
                       const struct macrame_host_svdf* with);
/* The same of float32. */
void macrame_host_real_svdf(void* to, void* state, const void* from, const void* before,
                            const struct macrame_host_svdf* with);

#endif
