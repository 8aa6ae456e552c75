#include "macrame_host_internal.h"

void macrame_host_clamp(void* to, const void* from, const struct macrame_host_clamp* with) {
    const float* const in = (const float*)from;
    uint32_t i;
    for (i = 0; i < with->count; ++i)
        ((float*)to)[i] = macrame_bounded(in[i], with->bounds, with->least, with->most);
}
