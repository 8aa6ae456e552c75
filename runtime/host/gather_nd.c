#include "macrame_host_internal.h"

int macrame_host_gather_nd(void* to, const void* from, const void* indices,
                           const struct macrame_host_gather_nd* with) {
    uint8_t* out = (uint8_t*)to;
    uint32_t i, axis, b;
    for (i = 0; i < with->batches * with->count; ++i) {
        const uint8_t* piece = (const uint8_t*)from + i / with->count * with->batch;
        for (axis = 0; axis < with->axes; ++axis) {
            const int64_t index =
                macrame_index(indices, with->index_type, i * with->axes + axis, with->length[axis]);
            if (index < 0) return 1;
            piece += (uint32_t)index * with->stride[axis];
        }
        for (b = 0; b < with->size; ++b)
            *out++ = piece[b];
    }
    return 0;
}
