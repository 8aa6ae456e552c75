#include "macrame_host_internal.h"

void macrame_host_average_pool(void* to, const void* from,
                               const struct macrame_host_average_pool* with) {
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
                const int32_t n = (rows.end - rows.first) * (columns.end - columns.first);
                int64_t total = 0, value = 0;
                for (ky = rows.first; ky < rows.end; ++ky) {
                    for (kx = columns.first; kx < columns.end; ++kx) {
                        const int32_t row = top + ky * w->dilation_h;
                        const int32_t pixel = row * w->in_w + left + kx * w->dilation_w;
                        total +=
                            macrame_get(from, with->type, (uint32_t)(pixel * w->channels + c)) +
                            with->shift;
                    }
                }
                if (n > 0) value = (total + (total > 0 ? n / 2 : -(n / 2))) / n - with->shift;
                macrame_put(to, with->type, next++, macrame_clamp(value, with->least, with->most));
            }
        }
    }
}
