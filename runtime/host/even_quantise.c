#include "macrame_host_internal.h"

void macrame_host_even_quantise(void* to, const void* from,
                                const struct macrame_host_even_quantise* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const float scaled = ((const float*)from)[i] / with->scale;
        const float sum = scaled + with->zero;
        const float whole = (float)macrame_whole((double)sum, MACRAME_HOST_EVEN) - with->shift;
        const float limited = macrame_bounded(whole, MACRAME_HOST_BETWEEN, with->least, with->most);
        macrame_put(to, with->type, i, (int64_t)limited);
    }
}
