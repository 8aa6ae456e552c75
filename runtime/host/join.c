#include "macrame_host_internal.h"

void macrame_host_join(void* to, const void* from, const struct macrame_host_join* with) {
    int32_t* const sums = (int32_t*)to;
    const int8_t* const digits = (const int8_t*)from;
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const uint32_t before = with->add ? (uint32_t)sums[i] : 0;
        sums[i] = (int32_t)(before + (uint32_t)digits[i] * (uint32_t)with->factor);
    }
}
