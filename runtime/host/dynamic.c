#include "macrame_host_internal.h"

/* How one row becomes integers: value * factor + zero, or value / scale + zero. */
struct steps {
    float scale, factor;
    int32_t zero, least;
};

static float magnitude(float value) { return value < 0 ? -value : value; }

static struct steps symmetric(float least, float most) {
    const float low = magnitude(least), high = magnitude(most);
    const float range = low < high ? high : low;
    struct steps out = {1, 1, 0, INT8_MIN};
    if (range == 0) return out;
    out.scale = range / INT8_MAX;
    out.factor = INT8_MAX / range;
    out.least = -INT8_MAX;
    return out;
}

/* TFLite's: in double precision, the zero point from the end that is nearer to 0. */
static struct steps away(float low, float high) {
    const double least = low < 0 ? (double)low : 0, most = high > 0 ? (double)high : 0;
    struct steps out = {1, 1, 0, INT8_MIN};
    double scale, zero;
    if (least == most) return out;
    scale = (most - least) / (INT8_MAX - INT8_MIN);
    zero = -INT8_MIN - least / scale < INT8_MAX + most / scale ? INT8_MIN - least / scale
                                                               : INT8_MAX - most / scale;
    if (zero < INT8_MIN) zero = INT8_MIN;
    if (zero > INT8_MAX) zero = INT8_MAX;
    out.scale = (float)scale;
    out.factor = 1.0f / out.scale;
    out.zero = (int32_t)macrame_whole(zero, MACRAME_HOST_AWAY);
    return out;
}

/* ONNX Runtime's: in single precision, halves to even. */
static struct steps even(float low, float high) {
    const float least = low < 0 ? low : 0, most = high > 0 ? high : 0;
    struct steps out = {1, 1, 0, INT8_MIN};
    float zero;
    if (least != most) out.scale = (most - least) / 255.0f;
    zero = 0.0f - least / out.scale;
    if (zero > 255.0f) zero = 255.0f;
    out.zero = (int32_t)macrame_whole((double)zero, MACRAME_HOST_EVEN) + INT8_MIN;
    return out;
}

void macrame_host_dynamic(void* to, void* scales, void* zeros, const void* from,
                          const struct macrame_host_dynamic* with) {
    uint32_t row, i;
    for (row = 0; row < with->rows; ++row) {
        const float* const in = (const float*)from + row * with->size;
        int8_t* const out = (int8_t*)to + row * with->size;
        float least = in[0], most = in[0];
        struct steps steps;
        for (i = 1; i < with->size; ++i) {
            if (in[i] < least) least = in[i];
            if (in[i] > most) most = in[i];
        }
        steps = with->symmetric ? symmetric(least, most)
                : with->even    ? even(least, most)
                                : away(least, most);
        ((float*)scales)[row] = steps.scale;
        ((int8_t*)zeros)[row] = (int8_t)steps.zero;
        for (i = 0; i < with->size; ++i) {
            double whole;
            if (with->even)
                whole =
                    macrame_whole((double)(in[i] / steps.scale), MACRAME_HOST_EVEN) + steps.zero;
            else
                whole = macrame_whole((double)((float)steps.zero + in[i] * steps.factor),
                                      MACRAME_HOST_AWAY);
            if (in[i] != in[i]) whole = steps.zero;
            if (whole < steps.least) whole = steps.least;
            if (whole > INT8_MAX) whole = INT8_MAX;
            out[i] = (int8_t)whole;
        }
    }
}
