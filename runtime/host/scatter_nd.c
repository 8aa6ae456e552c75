#include "macrame_host_internal.h"

static uint64_t of_numbers(int64_t a, int64_t b, enum macrame_host_reduction function) {
    switch (function) {
        case MACRAME_HOST_SUM:
            return (uint64_t)a + (uint64_t)b;
        case MACRAME_HOST_PRODUCT:
            return (uint64_t)a * (uint64_t)b;
        case MACRAME_HOST_LARGEST:
            return (uint64_t)(a < b ? b : a);
        case MACRAME_HOST_LEAST:
            break;
    }
    return (uint64_t)(b < a ? b : a);
}

static void join(void* to, uint32_t at, const void* from, uint32_t i,
                 const struct macrame_host_scatter_nd* with) {
    if (with->type == MACRAME_HOST_FLOAT32)
        ((float*)to)[at] =
            macrame_joined(((float*)to)[at], ((const float*)from)[i], with->function);
    else
        macrame_put_low(to, with->type, at,
                        of_numbers(macrame_get_whole(to, with->type, at),
                                   macrame_get_whole(from, with->type, i), with->function));
}

int macrame_host_scatter_nd(void* to, const void* from, const void* indices, const void* updates,
                            const struct macrame_host_scatter_nd* with) {
    uint32_t i, axis, e;
    for (i = 0; i < with->bytes; ++i)
        ((uint8_t*)to)[i] = ((const uint8_t*)from)[i];
    for (i = 0; i < with->count; ++i) {
        uint32_t at = 0, first = i * with->elements;
        for (axis = 0; axis < with->axes; ++axis) {
            const int64_t index =
                macrame_index(indices, with->index_type, i * with->axes + axis, with->length[axis]);
            if (index < 0) return 1;
            at += (uint32_t)index * with->stride[axis];
        }
        if (with->joined) {
            for (e = 0; e < with->elements; ++e)
                join(to, at + e, updates, first + e, with);
            continue;
        }
        for (e = 0; e < with->elements * with->size; ++e)
            ((uint8_t*)to)[at * with->size + e] = ((const uint8_t*)updates)[first * with->size + e];
    }
    return 0;
}
