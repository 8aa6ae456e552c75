#include "macrame_host_internal.h"

void macrame_host_dequantise(void* to, const void* from,
                             const struct macrame_host_dequantise* with) {
    float* const out = (float*)to;
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        if (with->type == MACRAME_HOST_INT64) {
            out[i] = (float)((const int64_t*)from)[i];
        } else if (!with->scale) {
            out[i] = (float)macrame_get(from, with->type, i);
        } else {
            const uint32_t c = with->scales > 1 ? i / with->inner % with->scales : 0;
            const double distance = (double)macrame_get(from, with->type, i) - with->zero[c];
            out[i] = (float)((double)with->scale[c] * distance);
        }
    }
}
