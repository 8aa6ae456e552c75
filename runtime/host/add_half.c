#include "macrame_host_internal.h"

void macrame_host_add_half(void* to, const void* from, const struct macrame_host_add_half* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const float sum = ((const float*)from)[i] + 0.5F;
        macrame_put(to, with->type, i, (int64_t)sum - with->shift);
    }
}
