#include "macrame_host_internal.h"

void macrame_host_quantise(void* to, const void* from, const struct macrame_host_quantise* with) {
    const float* const in = (const float*)from;
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const float value = macrame_bounded(in[i], with->bounds, with->least, with->most);
        const float steps = value / with->scale;
        const double sum = macrame_whole((double)steps, with->rounding) + with->zero;
        macrame_put(to, with->type, i, macrame_clamp32((int64_t)sum));
    }
}
