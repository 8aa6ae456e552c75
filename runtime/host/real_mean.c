#include "macrame_host_internal.h"

void macrame_host_real_mean(void* to, const void* from, const struct macrame_host_real_mean* with) {
    struct macrame_place kept, summed;
    float* out = (float*)to;
    macrame_start(&kept, &with->kept);
    do {
        float sum = 0;
        macrame_start(&summed, &with->summed);
        do {
            sum += ((const float*)from)[kept.at[0] + summed.at[0]];
        } while (macrame_next(&summed, &with->summed));
        *out++ = sum / (float)with->count;
    } while (macrame_next(&kept, &with->kept));
}
