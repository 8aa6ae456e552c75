#include "macrame_host_internal.h"

/* As x86-64 converts: what does not fit, and what is no number, has the top bit alone. */
static int64_t whole_of(float value, int wide) {
    const float most = wide ? 9223372036854775808.0f : 2147483648.0f;
    if (value >= -most && value < most) return (int64_t)value;
    return wide ? INT64_MIN : INT32_MIN;
}

void macrame_host_cast(void* to, const void* from, const struct macrame_host_cast* with) {
    const int wide = with->to_type == MACRAME_HOST_INT64;
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const int64_t value = with->from_type == MACRAME_HOST_FLOAT32
                                  ? whole_of(((const float*)from)[i], wide)
                                  : macrame_get_whole(from, with->from_type, i);
        if (with->to_type == MACRAME_HOST_FLOAT32)
            ((float*)to)[i] = (float)(value + with->shift);
        else
            macrame_put_low(to, with->to_type, i, (uint64_t)value + (uint64_t)(int64_t)with->shift);
    }
}
