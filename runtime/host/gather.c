#include "macrame_host_internal.h"

int macrame_host_gather(void* to, const void* from, const void* indices,
                        const struct macrame_host_gather* with) {
    uint8_t* out = (uint8_t*)to;
    uint32_t row, i, b;
    for (row = 0; row < with->outer; ++row) {
        for (i = 0; i < with->count; ++i) {
            int64_t index = with->index_type == MACRAME_HOST_INT64
                                ? ((const int64_t*)indices)[i]
                                : macrame_get(indices, with->index_type, i);
            const uint8_t* piece;
            if (index < -(int64_t)with->length || index >= with->length) return 1;
            if (index < 0) index += with->length;
            piece = (const uint8_t*)from +
                    (row * (uint32_t)with->length + (uint32_t)index) * with->size;
            for (b = 0; b < with->size; ++b)
                *out++ = piece[b];
        }
    }
    return 0;
}
