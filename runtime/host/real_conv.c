#include "macrame_host_internal.h"

void macrame_host_real_conv(void* to, const void* from, const void* weights,
                            const struct macrame_host_real_conv* with) {
    const struct macrame_host_window* const w = &with->window;
    const int32_t depth = w->channels / with->groups, per_group = with->kernels / with->groups;
    const int32_t size = w->kernel_h * w->kernel_w * depth;
    struct macrame_spot spot;
    int32_t k, ky, kx, c;
    float* out = (float*)to;
    macrame_first_spot(&spot, w);
    do {
        for (k = 0; k < with->kernels; ++k) {
            float sum = 0;
            for (ky = spot.rows.first; ky < spot.rows.end; ++ky) {
                for (kx = spot.columns.first; kx < spot.columns.end; ++kx) {
                    const float* const in = (const float*)from + macrame_under(&spot, w, ky, kx) +
                                            k / per_group * depth;
                    const float* const factors =
                        (const float*)weights + k * size + (ky * w->kernel_w + kx) * depth;
                    for (c = 0; c < depth; ++c)
                        sum += in[c] * factors[c];
                }
            }
            *out++ = sum + (with->bias ? with->bias[k] : 0);
        }
    } while (macrame_next_spot(&spot, w));
}
