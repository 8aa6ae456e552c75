/* Of macrame_host.h: what is in math/, with functions of the C library's math.h; the last bits are
 * those that it gives. */
#ifndef MACRAME_HOST_MATH_H
#define MACRAME_HOST_MATH_H

#include "macrame_host.h"

/* Rows of float32; `log`: the logarithm of it. */
struct macrame_host_real_softmax {
    uint32_t rows, size, log;
    float beta;
};
void macrame_host_real_softmax(void* to, const void* from,
                               const struct macrame_host_real_softmax* with);

/* Of two float32 a to the power of b, their quotient rounded down, or what that leaves. */
struct macrame_host_power {
    struct macrame_host_walk walk;
    enum macrame_host_binary_function function;
};
void macrame_host_power(void* to, const void* a, const void* b,
                        const struct macrame_host_power* with);

/* Rows of float32 less their mean, if they are `centred`, over the square root of their variance
 * and epsilon; then gains and offsets. */
struct macrame_host_norm {
    uint32_t rows, size, centred;
    float epsilon;
    const float *gain, *offset;
};
void macrame_host_norm(void* to, const void* from, const struct macrame_host_norm* with);

/* Rows of float32 over the root of the sum of their squares. */
struct macrame_host_real_l2_norm {
    uint32_t rows, size;
};
void macrame_host_real_l2_norm(void* to, const void* from,
                               const struct macrame_host_real_l2_norm* with);

/* Elements of rows of float32 over (bias + alpha * sum of squares of those up to `before` in front
 * of them and `behind`) ^ beta. */
struct macrame_host_local_norm {
    uint32_t rows;
    int32_t size, before, behind; /* -1: not itself */
    double bias, alpha, beta;
};
void macrame_host_local_norm(void* to, const void* from,
                             const struct macrame_host_local_norm* with);

/* Boxes that are found, of float32: of `boxes` codes of `size` elements (y, x, height, width, each
 * over its scale) against anchors, with scores [boxes, columns] of the last `classes` columns, the
 * best that overlap less. `by_class`: up to `of_class` of each class, then the best `most`; else
 * `most` boxes by their best class, with their `each` best classes. Writes `most` * `each` corners,
 * classes and scores, 0 where there are fewer, and how many there are. Not 0: an anchor has no
 * area. */
struct macrame_host_detections {
    uint32_t boxes, size, columns, classes, most, each, of_class, by_class;
    float score, overlap, scale[4];
};
/* Bytes of `work`. */
#define MACRAME_HOST_DETECTIONS_WORK(boxes, classes, most) \
    (32 * (boxes) + 12 * (classes) + 24 * (most))
int macrame_host_detections(void* corners, void* classes, void* scores, void* count,
                            const void* codes, const void* of_classes, const void* anchors,
                            void* work, const struct macrame_host_detections* with);

/* Indices, int32, of the best `most` of so many boxes, of two opposite corners each, that overlap
 * less; their scores, float32; 0 behind them, and how many they are. With a sigma overlaps make
 * scores less. */
struct macrame_host_suppression {
    uint32_t boxes, most;
    float score, overlap, sigma;
};
#define MACRAME_HOST_SUPPRESSION_WORK(boxes) (28 * (boxes))
void macrame_host_suppression(void* indices, void* scores, void* count, const void* corners,
                              const void* of_boxes, void* work,
                              const struct macrame_host_suppression* with);

#endif
