/* Of convolutions. */
#ifndef MACRAME_HOST_PRODUCTS_H
#define MACRAME_HOST_PRODUCTS_H

#include "macrame_host_internal.h"

/* Sum of products of elements without their zero points; of 8 bits only its lower 32 are true. */
static uint64_t products(const void* from, uint32_t data, const void* weights, uint32_t weight,
                         int32_t zero, int32_t count, const struct macrame_host_conv* with) {
    uint64_t sum = 0;
    int32_t c;
    if (with->from_type == MACRAME_HOST_INT8 && with->weight_type == MACRAME_HOST_INT8) {
        const int8_t* const x = (const int8_t*)from + data;
        const int8_t* const y = (const int8_t*)weights + weight;
        uint32_t low = 0;
        for (c = 0; c < count; ++c)
            low += (uint32_t)((x[c] - with->zero_from) * (y[c] - zero));
        return low;
    }
    for (c = 0; c < count; ++c) {
        const int32_t x = macrame_get(from, with->from_type, data + (uint32_t)c) - with->zero_from;
        const int32_t y = macrame_get(weights, with->weight_type, weight + (uint32_t)c) - zero;
        sum += (uint64_t)((int64_t)x * y);
    }
    return sum;
}

#endif
