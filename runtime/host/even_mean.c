#include "macrame_host_internal.h"

void macrame_host_even_mean(void* to, const void* from, const struct macrame_host_even_mean* with) {
    struct macrame_place kept;
    uint32_t i = 0;
    macrame_start(&kept, &with->kept);
    do {
        const int64_t sum = macrame_sum(from, with->from_type, kept.at[0], &with->summed,
                                        with->zero_from, with->count);
        const double value = macrame_whole((double)((float)sum * with->factor), MACRAME_HOST_EVEN);
        macrame_put(to, with->to_type, i++,
                    macrame_clamp((int64_t)value + with->zero_to, -32768, 32767));
    } while (macrame_next(&kept, &with->kept));
}
