#include "macrame_host_internal.h"

void macrame_host_prelu(void* to, const void* from, const void* slopes,
                        const struct macrame_host_prelu* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const int32_t distance = macrame_get(from, with->type, i) - with->zero_from;
        const int32_t slope =
            macrame_get(slopes, with->slope_type, i % with->channels) - with->zero_slope;
        const int32_t value =
            distance >= 0
                ? macrame_multiply(distance, with->plain)
                : macrame_multiply((int32_t)((uint32_t)distance * (uint32_t)slope), with->sloped);
        macrame_put(to, with->type, i, (int64_t)value + with->zero_to);
    }
}
