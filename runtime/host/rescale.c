#include "macrame_host_internal.h"

void macrame_host_rescale(void* to, const void* from, const struct macrame_host_rescale* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const int32_t value = macrame_get(from, with->from_type, i);
        const int32_t distance = (int32_t)((uint32_t)value - (uint32_t)with->zero_from);
        const int64_t sum = (int64_t)macrame_multiply(distance, with->factor) + with->zero_to;
        macrame_put(to, with->to_type, i, macrame_clamp(sum, with->least, with->most));
    }
}
