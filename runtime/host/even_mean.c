#include "macrame_host_internal.h"

void macrame_host_even_mean(void* to, const void* from, const struct macrame_host_even_mean* with) {
    struct macrame_place kept, summed;
    uint32_t i = 0;
    macrame_start(&kept, &with->kept);
    do {
        int64_t sum = 0, value;
        macrame_start(&summed, &with->summed);
        do {
            sum += macrame_get(from, with->from_type, kept.at[0] + summed.at[0]);
        } while (macrame_next(&summed, &with->summed));
        sum -= (int64_t)with->zero_from * with->count;
        value = (int64_t)macrame_whole((double)((float)sum * with->factor), MACRAME_HOST_EVEN);
        macrame_put(to, with->to_type, i++, macrame_clamp(value + with->zero_to, -32768, 32767));
    } while (macrame_next(&kept, &with->kept));
}
