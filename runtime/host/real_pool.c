#include <float.h>

#include "macrame_host_internal.h"

void macrame_host_real_pool(void* to, const void* from, const struct macrame_host_real_pool* with) {
    const struct macrame_host_window* const w = &with->window;
    struct macrame_spot spot;
    int32_t c, ky, kx;
    float* out = (float*)to;
    macrame_first_spot(&spot, w);
    do {
        const int32_t n =
            (spot.rows.end - spot.rows.first) * (spot.columns.end - spot.columns.first);
        for (c = 0; c < w->channels; ++c) {
            float value = with->average ? 0 : -FLT_MAX;
            for (ky = spot.rows.first; ky < spot.rows.end; ++ky) {
                for (kx = spot.columns.first; kx < spot.columns.end; ++kx) {
                    const uint32_t place = macrame_under(&spot, w, ky, kx) + (uint32_t)c;
                    const float element = ((const float*)from)[place];
                    if (with->average)
                        value += element;
                    else if (value < element)
                        value = element;
                }
            }
            if (with->average && n > 0) value /= (float)n;
            *out++ = value;
        }
    } while (macrame_next_spot(&spot, w));
}
