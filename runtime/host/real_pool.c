#include <float.h>

#include "macrame_host_internal.h"

/* Of one channel: all in a row, or the sums of columns. */
static float sum_under(const float* from, const struct macrame_spot* spot,
                       const struct macrame_host_window* w, int columns) {
    const struct macrame_taps *outer = &spot->rows, *inner = &spot->columns;
    int32_t i, k;
    float sum = 0;
    if (columns) {
        outer = &spot->columns;
        inner = &spot->rows;
    }
    for (i = outer->first; i < outer->end; ++i) {
        float part = columns ? 0 : sum;
        for (k = inner->first; k < inner->end; ++k)
            part += from[columns ? macrame_under(spot, w, k, i) : macrame_under(spot, w, i, k)];
        sum = columns ? sum + part : part;
    }
    return sum;
}

static float largest_under(const float* from, const struct macrame_spot* spot,
                           const struct macrame_host_window* w) {
    int32_t ky, kx;
    float value = -FLT_MAX;
    for (ky = spot->rows.first; ky < spot->rows.end; ++ky) {
        for (kx = spot->columns.first; kx < spot->columns.end; ++kx) {
            const float element = from[macrame_under(spot, w, ky, kx)];
            if (value < element) value = element;
        }
    }
    return value;
}

void macrame_host_real_pool(void* to, const void* from, const struct macrame_host_real_pool* with) {
    const struct macrame_host_window* const w = &with->window;
    struct macrame_spot spot;
    int32_t c;
    float* out = (float*)to;
    macrame_first_spot(&spot, w);
    do {
        const int32_t n =
            (spot.rows.end - spot.rows.first) * (spot.columns.end - spot.columns.first);
        for (c = 0; c < w->channels; ++c) {
            const float* const channel = (const float*)from + c;
            float value = with->average ? sum_under(channel, &spot, w, with->columns != 0)
                                        : largest_under(channel, &spot, w);
            if (with->average && n > 0) value /= (float)n;
            *out++ = value;
        }
    } while (macrame_next_spot(&spot, w));
}
