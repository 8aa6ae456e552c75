#include "macrame_host_internal.h"

static int is_larger(const void* from, enum macrame_host_type type, uint32_t a, uint32_t b) {
    if (type == MACRAME_HOST_FLOAT32) return ((const float*)from)[a] > ((const float*)from)[b];
    return macrame_get(from, type, a) > macrame_get(from, type, b);
}

void macrame_host_argmax(void* to, const void* from, const struct macrame_host_argmax* with) {
    uint32_t i, n;
    for (i = 0; i < with->count; ++i) {
        const uint32_t start = i / with->step * with->step * with->size + i % with->step;
        uint32_t best = 0;
        for (n = 1; n < with->size; ++n) {
            const uint32_t here = start + n * with->step, there = start + best * with->step;
            if (with->least ? is_larger(from, with->from_type, there, here)
                            : is_larger(from, with->from_type, here, there))
                best = n;
        }
        macrame_put(to, with->to_type, i, best);
    }
}
