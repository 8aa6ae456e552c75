#include "macrame_host_internal.h"

void macrame_host_mean(void* to, const void* from, const struct macrame_host_mean* with) {
    struct macrame_place kept;
    uint32_t i = 0;
    macrame_start(&kept, &with->kept);
    do {
        const int64_t sum = macrame_sum(from, with->from_type, kept.at[0], &with->summed,
                                        with->zero_from, with->count);
        const int64_t value = (int64_t)macrame_multiply((int32_t)sum, with->factor) + with->zero_to;
        macrame_put(to, with->to_type, i++, macrame_clamp(value, -32768, 32767));
    } while (macrame_next(&kept, &with->kept));
}
