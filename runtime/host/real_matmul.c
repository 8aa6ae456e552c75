#include "macrame_host_internal.h"

void macrame_host_real_matmul(void* to, const void* a, const void* b,
                              const struct macrame_host_real_matmul* with) {
    struct macrame_place place;
    float* out = (float*)to;
    uint32_t k;
    macrame_start(&place, &with->walk);
    do {
        float sum = 0;
        for (k = 0; k < with->depth; ++k)
            sum += ((const float*)a)[place.at[0] + k * (uint32_t)with->step_a] *
                   ((const float*)b)[place.at[1] + k * (uint32_t)with->step_b];
        *out++ = sum;
    } while (macrame_next(&place, &with->walk));
}
