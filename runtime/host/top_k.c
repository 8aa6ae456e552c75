#include "macrame_host_internal.h"

/* Whether element a of a row is in front of b. */
static int is_first(const void* from, uint32_t a, uint32_t b,
                    const struct macrame_host_top_k* with) {
    if (with->type == MACRAME_HOST_FLOAT32) {
        const float x = ((const float*)from)[a], y = ((const float*)from)[b];
        if (x != y) return with->least ? x < y : x > y;
    } else {
        const int64_t x = macrame_get_whole(from, with->type, a);
        const int64_t y = macrame_get_whole(from, with->type, b);
        if (x != y) return with->least ? x < y : x > y;
    }
    return a < b;
}

void macrame_host_top_k(void* to, void* indices, const void* from,
                        const struct macrame_host_top_k* with) {
    uint32_t row, i, k;
    for (row = 0; row < with->rows; ++row) {
        const uint32_t start = row * with->size;
        uint32_t before = 0;
        for (k = 0; k < with->count; ++k) {
            /* The first of those that are behind the one before. */
            const uint32_t next = row * with->count + k;
            uint32_t best = 0;
            int found = 0;
            for (i = start; i < start + with->size; ++i) {
                if (k > 0 && !is_first(from, before, i, with)) continue;
                if (!found || is_first(from, i, best, with)) best = i;
                found = 1;
            }
            before = best;
            macrame_put_low(indices, with->index_type, next, best - start);
            if (with->type == MACRAME_HOST_FLOAT32)
                ((float*)to)[next] = ((const float*)from)[best];
            else
                macrame_put_low(to, with->type, next,
                                (uint64_t)macrame_get_whole(from, with->type, best));
        }
    }
}
