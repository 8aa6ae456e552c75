#include "macrame_host_internal.h"
#include "products.h"

void macrame_host_conv(void* to, const void* from, const void* weights,
                       const struct macrame_host_conv* with) {
    const struct macrame_host_window* const w = &with->window;
    const int32_t depth = w->channels / with->groups, per_group = with->kernels / with->groups;
    const int32_t size = w->kernel_h * w->kernel_w * depth;
    struct macrame_spot spot;
    int32_t k, ky, kx;
    uint32_t next = 0;
    macrame_first_spot(&spot, w);
    do {
        for (k = 0; k < with->kernels; ++k) {
            const int32_t zero = with->zero_weights[with->zeros > 1 ? k : 0];
            uint64_t sum = macrame_bias(with, k);
            for (ky = spot.rows.first; ky < spot.rows.end; ++ky) {
                for (kx = spot.columns.first; kx < spot.columns.end; ++kx) {
                    const uint32_t data =
                        macrame_under(&spot, w, ky, kx) + (uint32_t)(k / per_group * depth);
                    const uint32_t weight = (uint32_t)(k * size + (ky * w->kernel_w + kx) * depth);
                    sum += products(from, data, weights, weight, zero, depth, with);
                }
            }
            macrame_put_scaled(to, next++, (uint32_t)k, sum, &with->scaling);
        }
    } while (macrame_next_spot(&spot, w));
}
