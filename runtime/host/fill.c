#include "macrame_host_internal.h"

void macrame_host_fill(void* to, const struct macrame_host_fill* with) {
    uint8_t* out = (uint8_t*)to;
    uint32_t i, b;
    for (i = 0; i < with->count; ++i) {
        for (b = 0; b < with->size; ++b)
            *out++ = with->value[b];
    }
}
