#include "macrame_host_internal.h"

void macrame_host_max_pool(void* to, const void* from, const struct macrame_host_max_pool* with) {
    const struct macrame_host_window* const w = &with->window;
    int32_t y, x, c, ky, kx;
    uint32_t next = 0;
    for (y = 0; y < w->out_h; ++y) {
        const int32_t top = y * w->stride_h - w->top;
        const struct macrame_taps rows = macrame_taps_of(top, w->kernel_h, w->dilation_h, w->in_h);
        for (x = 0; x < w->out_w; ++x) {
            const int32_t left = x * w->stride_w - w->left;
            const struct macrame_taps columns =
                macrame_taps_of(left, w->kernel_w, w->dilation_w, w->in_w);
            for (c = 0; c < w->channels; ++c) {
                int32_t best = INT32_MIN;
                for (ky = rows.first; ky < rows.end; ++ky) {
                    for (kx = columns.first; kx < columns.end; ++kx) {
                        const int32_t row = top + ky * w->dilation_h;
                        const int32_t pixel = row * w->in_w + left + kx * w->dilation_w;
                        const int32_t value =
                            macrame_get(from, with->type, (uint32_t)(pixel * w->channels + c));
                        if (value > best) best = value;
                    }
                }
                macrame_put(to, with->type, next++, macrame_clamp(best, with->least, with->most));
            }
        }
    }
}
