#include "macrame_host_internal.h"
#include "products.h"

void macrame_host_conv(void* to, const void* from, const void* weights,
                       const struct macrame_host_conv* with) {
    const struct macrame_host_window* const w = &with->window;
    const int32_t depth = w->channels / with->groups, per_group = with->kernels / with->groups;
    const int32_t size = w->kernel_h * w->kernel_w * depth;
    int32_t y, x, k, ky, kx;
    uint32_t next = 0;
    for (y = 0; y < w->out_h; ++y) {
        const int32_t top = y * w->stride_h - w->top;
        const struct macrame_taps rows = macrame_taps_of(top, w->kernel_h, w->dilation_h, w->in_h);
        for (x = 0; x < w->out_w; ++x) {
            const int32_t left = x * w->stride_w - w->left;
            const struct macrame_taps columns =
                macrame_taps_of(left, w->kernel_w, w->dilation_w, w->in_w);
            for (k = 0; k < with->kernels; ++k) {
                const int32_t zero = with->zero_weights[with->zeros > 1 ? k : 0];
                uint64_t sum = macrame_bias(with, k);
                for (ky = rows.first; ky < rows.end; ++ky) {
                    for (kx = columns.first; kx < columns.end; ++kx) {
                        const int32_t row = top + ky * w->dilation_h;
                        const int32_t pixel = row * w->in_w + left + kx * w->dilation_w;
                        const uint32_t data =
                            (uint32_t)(pixel * w->channels + k / per_group * depth);
                        const uint32_t weight =
                            (uint32_t)(k * size + (ky * w->kernel_w + kx) * depth);
                        sum += products(from, data, weights, weight, zero, depth, with);
                    }
                }
                macrame_put_scaled(to, next++, (uint32_t)k, sum, &with->scaling);
            }
        }
    }
}
