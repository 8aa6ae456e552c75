#include "macrame_host_internal.h"

void macrame_host_slope(void* to, const void* from, const struct macrame_host_slope* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const int32_t distance = macrame_get(from, with->type, i) - with->zero_from;
        const int negative = distance < 0;
        const int32_t value = macrame_multiply(negative && with->absolute ? -distance : distance,
                                               negative ? with->below : with->above);
        macrame_put(to, with->type, i,
                    macrame_clamp((int64_t)value + with->zero_to, with->least, with->most));
    }
}
