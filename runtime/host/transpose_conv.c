#include "macrame_host_internal.h"
#include "products.h"

/* The inputs whose scattered products reach an element of the output, in the order of the input. */
void macrame_host_transpose_conv(void* to, const void* from, const void* weights,
                                 const struct macrame_host_conv* with) {
    const struct macrame_host_window* const w = &with->window;
    const int32_t size = w->kernel_h * w->kernel_w * w->channels;
    int32_t y, x, k, in_y, in_x;
    uint32_t next = 0;
    for (y = 0; y < w->out_h; ++y) {
        for (x = 0; x < w->out_w; ++x) {
            for (k = 0; k < with->kernels; ++k) {
                const int32_t zero = with->zero_weights[with->zeros > 1 ? k : 0];
                uint64_t sum = macrame_bias(with, k);
                for (in_y = 0; in_y < w->in_h; ++in_y) {
                    const int32_t ky =
                        macrame_tap(y + w->top - in_y * w->stride_h, w->kernel_h, w->dilation_h);
                    if (ky < 0) continue;
                    for (in_x = 0; in_x < w->in_w; ++in_x) {
                        const int32_t kx = macrame_tap(x + w->left - in_x * w->stride_w,
                                                       w->kernel_w, w->dilation_w);
                        const uint32_t data = (uint32_t)((in_y * w->in_w + in_x) * w->channels);
                        const uint32_t weight =
                            (uint32_t)(k * size + (ky * w->kernel_w + kx) * w->channels);
                        if (kx >= 0)
                            sum += products(from, data, weights, weight, zero, w->channels, with);
                    }
                }
                macrame_put_scaled(to, next++, (uint32_t)k, sum, &with->scaling);
            }
        }
    }
}
