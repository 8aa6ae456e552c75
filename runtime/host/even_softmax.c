#include "macrame_host_internal.h"

static void row(void* to, const void* from, uint32_t start,
                const struct macrame_host_even_softmax* with) {
    const uint32_t end = start + with->size;
    int32_t largest = macrame_get(from, with->from_type, start);
    double sum = 0;
    uint32_t i;
    for (i = start; i < end; ++i) {
        const int32_t value = macrame_get(from, with->from_type, i);
        if (value > largest) largest = value;
    }
    for (i = start; i < end; ++i)
        sum += with->table[largest - macrame_get(from, with->from_type, i)];
    for (i = start; i < end; ++i) {
        const double part = with->table[largest - macrame_get(from, with->from_type, i)] / sum;
        const double value = macrame_whole(part * with->steps, MACRAME_HOST_EVEN) + with->zero;
        macrame_put(to, with->to_type, i, macrame_clamp((int64_t)value, -32768, 32767));
    }
}

void macrame_host_even_softmax(void* to, const void* from,
                               const struct macrame_host_even_softmax* with) {
    uint32_t i;
    for (i = 0; i < with->rows; ++i)
        row(to, from, i * with->size, with);
}
