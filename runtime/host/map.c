#include "macrame_host_internal.h"

void macrame_host_map(void* to, const void* from, const struct macrame_host_map* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i)
        ((float*)to)[i] = with->function(((const float*)from)[i], with->alpha, with->beta);
}
