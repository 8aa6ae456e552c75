#include "macrame_host_internal.h"

void macrame_host_real_prelu(void* to, const void* from, const void* slopes,
                             const struct macrame_host_real_prelu* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        float value = ((const float*)from)[i];
        if (value < 0) value *= ((const float*)slopes)[i % with->channels];
        ((float*)to)[i] = value;
    }
}
