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

/* The same of int16: exp of a difference and 1 / (1 + x) by tables of 513 entries, in which a
 * difference has the factor. */
struct macrame_host_softmax16 {
    uint32_t rows, size;
    struct macrame_factor factor;
    const int16_t *exp, *reciprocal;
};
void macrame_host_softmax16(void* to, const void* from, const struct macrame_host_softmax16* with);

/* Functions of int16: a table of 513 entries with lines between them. */
struct macrame_host_table16 {
    uint32_t count;
    const int16_t* table;
};
void macrame_host_table16(void* to, const void* from, const struct macrame_host_table16* with);

/* Sigmoid or tanh of int16 without zero points, by 256 entries of the sigmoid of i / 24 with 16
 * fraction bits. Inputs times the factor over 2^shift are multiples of 1 / (3 * 4096). */
struct macrame_host_sigmoid16 {
    uint32_t count, tanh;
    int32_t factor, shift;
    const uint16_t* table;
};
void macrame_host_sigmoid16(void* to, const void* from, const struct macrame_host_sigmoid16* with);

/* Elements of at most 16 bits with a factor above zero and another one below; or of what they are
 * apart from zero. */
struct macrame_host_slope {
    uint32_t count, absolute;
    enum macrame_host_type type;
    int32_t zero_from, zero_to, least, most;
    struct macrame_factor above, below;
};
void macrame_host_slope(void* to, const void* from, const struct macrame_host_slope* with);

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

/* An order of elements: indices of axes, the last one the fastest, and for each of up to three
 * tensors the elements from one index to the next. */
struct macrame_host_walk {
    uint32_t rank;
    uint32_t shape[MACRAME_HOST_RANK];
    int32_t strides[3][MACRAME_HOST_RANK];
};

enum macrame_host_binary_function {
    MACRAME_HOST_ADD,
    MACRAME_HOST_SUB,
    MACRAME_HOST_MUL,
    MACRAME_HOST_MAXIMUM,
    MACRAME_HOST_MINIMUM,
    MACRAME_HOST_SQUARED_DIFFERENCE,
    MACRAME_HOST_DIV,
    MACRAME_HOST_POW,
    MACRAME_HOST_FLOOR_DIV, /* rounded down */
    MACRAME_HOST_FLOOR_MOD  /* what that leaves */
};

/* Two elements of 8 or 16 bits each, TFLite's integers. The walk is that of the two inputs; outputs
 * are packed. Sums: fraction bits, factors of both and of what is left; without fraction bits both
 * are shifted to the right by the exponents of their factors. Products: the last factor alone. */
struct macrame_host_binary {
    struct macrame_host_walk walk;
    enum macrame_host_binary_function function;
    enum macrame_host_type a_type, b_type, to_type;
    int32_t zero_a, zero_b, zero_to, least, most, bits;
    struct macrame_factor a, b, last;
};
void macrame_host_binary(void* to, const void* a, const void* b,
                         const struct macrame_host_binary* with);

/* The sum or product of 8 bits of ONNX Runtime, in float32: a * factor_a + (b * factor_b + rest),
 * or a * b * factor_a + rest. `shift` is taken off at the end; sums add it to both elements. */
struct macrame_host_even_binary {
    struct macrame_host_walk walk;
    enum macrame_host_binary_function function;
    enum macrame_host_type a_type, b_type, to_type;
    int32_t zero_a, zero_b, shift, least, most;
    float factor_a, factor_b, rest;
};
void macrame_host_even_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_even_binary* with);

/* Of float32. */
struct macrame_host_real_binary {
    struct macrame_host_walk walk;
    enum macrame_host_binary_function function;
};
void macrame_host_real_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_real_binary* with);

/* Functions of float32: macrame_functions.h. */
struct macrame_host_map {
    uint32_t count;
    float (*function)(float x, float alpha, float beta);
    float alpha, beta;
};
void macrame_host_map(void* to, const void* from, const struct macrame_host_map* with);

/* A slope for elements below zero, each for its channel. */
struct macrame_host_prelu {
    uint32_t count, channels;
    enum macrame_host_type type, slope_type;
    int32_t zero_from, zero_slope, zero_to;
    struct macrame_factor plain, sloped;
};
void macrame_host_prelu(void* to, const void* from, const void* slopes,
                        const struct macrame_host_prelu* with);
struct macrame_host_real_prelu {
    uint32_t count, channels;
};
void macrame_host_real_prelu(void* to, const void* from, const void* slopes,
                             const struct macrame_host_real_prelu* with);

/* A window over height and width; channels lie side by side. */
struct macrame_host_window {
    int32_t in_h, in_w, out_h, out_w, channels;
    int32_t kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w, top, left;
};

struct macrame_host_max_pool {
    struct macrame_host_window window;
    enum macrame_host_type type;
    int32_t least, most;
};
void macrame_host_max_pool(void* to, const void* from, const struct macrame_host_max_pool* with);

/* Of what lies inside of the input; halves go away from -shift. */
struct macrame_host_average_pool {
    struct macrame_host_window window;
    enum macrame_host_type type;
    int32_t shift, least, most;
};
void macrame_host_average_pool(void* to, const void* from,
                               const struct macrame_host_average_pool* with);

/* Of float32, largest or average, whose sums are those of all in a row, or of sums of columns. */
struct macrame_host_real_pool {
    struct macrame_host_window window;
    uint32_t average, columns;
};
void macrame_host_real_pool(void* to, const void* from, const struct macrame_host_real_pool* with);

/* float32 as the nearest integers, halves to even behind the addition of a zero point; `shift` is
 * taken off then. */
struct macrame_host_even_quantise {
    uint32_t count;
    enum macrame_host_type type;
    float scale, zero, shift, least, most;
};
void macrame_host_even_quantise(void* to, const void* from,
                                const struct macrame_host_even_quantise* with);

/* float32 from 0 on as the nearest integers less `shift`, by an addition of a half. */
struct macrame_host_add_half {
    uint32_t count;
    enum macrame_host_type type;
    int32_t shift;
};
void macrame_host_add_half(void* to, const void* from, const struct macrame_host_add_half* with);

/* The mean of what the second walk has, from each place of the first one on; outputs are packed. */
struct macrame_host_mean {
    struct macrame_host_walk kept, summed;
    enum macrame_host_type from_type, to_type;
    int32_t count, zero_from, zero_to;
    struct macrame_factor factor; /* with the division */
};
void macrame_host_mean(void* to, const void* from, const struct macrame_host_mean* with);
struct macrame_host_even_mean {
    struct macrame_host_walk kept, summed;
    enum macrame_host_type from_type, to_type;
    int32_t count, zero_from, zero_to;
    float factor;
};
void macrame_host_even_mean(void* to, const void* from, const struct macrame_host_even_mean* with);
struct macrame_host_real_mean {
    struct macrame_host_walk kept, summed;
    uint32_t count;
};
void macrame_host_real_mean(void* to, const void* from, const struct macrame_host_real_mean* with);

/* What the second walk has, from each place of the first one on, as one: the largest or the least,
 * of float32 also the sum or the product. */
enum macrame_host_reduction {
    MACRAME_HOST_SUM,
    MACRAME_HOST_PRODUCT,
    MACRAME_HOST_LARGEST,
    MACRAME_HOST_LEAST
};
struct macrame_host_reduce {
    struct macrame_host_walk kept, joined;
    enum macrame_host_reduction function;
    enum macrame_host_type type;
};
void macrame_host_reduce(void* to, const void* from, const struct macrame_host_reduce* with);

/* Index of the largest of `size` elements that are `step` apart, or of the `least`. */
struct macrame_host_argmax {
    uint32_t count, size, step, least;
    enum macrame_host_type from_type, to_type;
};
void macrame_host_argmax(void* to, const void* from, const struct macrame_host_argmax* with);

/* Four elements for each of the output: those at two rows and two columns, and how much of the
 * second one it takes; 1024 are all. */
struct macrame_host_bilinear {
    uint32_t out_h, out_w, in_w, channels;
    enum macrame_host_type from_type, to_type;
    const int32_t *rows[3], *columns[3]; /* first, second, part */
};
void macrame_host_bilinear(void* to, const void* from, const struct macrame_host_bilinear* with);
struct macrame_host_real_bilinear {
    uint32_t out_h, out_w, in_w, channels;
    const int32_t *rows[2], *columns[2];
    const float *row_parts, *column_parts;
};
void macrame_host_real_bilinear(void* to, const void* from,
                                const struct macrame_host_real_bilinear* with);

/* How sums of products become elements: a factor for each output channel, or one; without
 * factors they are int32. Rounded twice or `once`; `wide`: they have 64 bits; `real` factors: by
 * float32, halves to even. */
struct macrame_host_scaling {
    const struct macrame_factor* factors;
    const float* real;
    uint32_t count, once, wide;
    enum macrame_host_type type;
    int32_t zero, least, most;
};

/* Convolution of 8 bits, or of 16 by 8 bits; fully connected layers are rows of pixels. Weights
 * [kernels, kernel_h, kernel_w, depth], `zero_weights` one or one for each kernel. */
struct macrame_host_conv {
    struct macrame_host_window window; /* channels: of the input */
    int32_t kernels, groups, zero_from, zeros;
    enum macrame_host_type from_type, weight_type;
    const int32_t *zero_weights, *bias;
    const int64_t* wide_bias;
    struct macrame_host_scaling scaling;
};
void macrame_host_conv(void* to, const void* from, const void* weights,
                       const struct macrame_host_conv* with);
/* The window is that of the convolution whose gradient it is; in_h, in_w are those of its output.
 */
void macrame_host_transpose_conv(void* to, const void* from, const void* weights,
                                 const struct macrame_host_conv* with);
struct macrame_host_real_conv {
    struct macrame_host_window window;
    int32_t kernels, groups;
    const float* bias;
};
void macrame_host_real_conv(void* to, const void* from, const void* weights,
                            const struct macrame_host_real_conv* with);
void macrame_host_real_transpose_conv(void* to, const void* from, const void* weights,
                                      const struct macrame_host_real_conv* with);

/* Products of matrices: the walk has the first elements of row and column of each output. */
struct macrame_host_matmul {
    struct macrame_host_walk walk;
    uint32_t depth;
    int32_t step_a, step_b, zero_a, zero_b;
    enum macrame_host_type a_type, b_type;
    struct macrame_host_scaling scaling;
};
void macrame_host_matmul(void* to, const void* a, const void* b,
                         const struct macrame_host_matmul* with);
struct macrame_host_real_matmul {
    struct macrame_host_walk walk;
    uint32_t depth;
    int32_t step_a, step_b;
};
void macrame_host_real_matmul(void* to, const void* a, const void* b,
                              const struct macrame_host_real_matmul* with);

/* Pieces of `size` bytes at indices, also from behind, of an axis of `length`. Not 0: an index is
 * outside. */
struct macrame_host_gather {
    uint32_t outer, count, size;
    int32_t length;
    enum macrame_host_type index_type;
};
int macrame_host_gather(void* to, const void* from, const void* indices,
                        const struct macrame_host_gather* with);

enum macrame_host_relation {
    MACRAME_HOST_EQUAL,
    MACRAME_HOST_NOT_EQUAL,
    MACRAME_HOST_LESS,
    MACRAME_HOST_LESS_EQUAL
};

/* 1 where elements are related, else 0. */
struct macrame_host_compare {
    struct macrame_host_walk walk;
    enum macrame_host_relation relation;
    enum macrame_host_type type;
};
void macrame_host_compare(void* to, const void* a, const void* b,
                          const struct macrame_host_compare* with);

/* `size` bytes of `a` where the condition is not 0, else of `b`. */
struct macrame_host_select {
    struct macrame_host_walk walk; /* condition, a, b */
    uint32_t size;
};
void macrame_host_select(void* to, const void* condition, const void* a, const void* b,
                         const struct macrame_host_select* with);

/* LSTM of int8, with a state of int16 of a scale 2^exponent: input, forget, cell and output gate.
 * Writes the outputs of all steps, and output and state behind the last one. */
struct macrame_host_lstm {
    uint32_t steps, values, cells;
    const int8_t *inputs[4], *outputs[4]; /* weights [cells, values], [cells, cells] */
    const int32_t* biases[4];             /* null: none */
    struct macrame_factor from_input[4], from_output[4], to_output;
    int32_t zero_input, zero_output, exponent, clip;
};
void macrame_host_lstm(void* all, void* last, void* state, const void* input,
                       const void* output_before, const void* state_before,
                       const struct macrame_host_lstm* with);

/* float32 as codes of `size` bytes: the nearest multiples of 1 / (factor * one), halves upwards. */
struct macrame_host_encode {
    uint32_t count, size, mask;
    double factor, one;
    int64_t least, most;
};
void macrame_host_encode(void* to, const void* from, const struct macrame_host_encode* with);
/* And back. */
struct macrame_host_decode {
    uint32_t count, size, mask;
    double factor, one;
};
void macrame_host_decode(void* to, const void* from, const struct macrame_host_decode* with);

#include "macrame_host_math.h"
#include "macrame_host_numbers.h"

#endif
