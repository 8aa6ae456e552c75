#include "macrame_host.h"
#include "macrame_int16.h"

void macrame_host_table16(void* to, const void* from, const struct macrame_host_table16* with) {
    uint32_t i;
    for (i = 0; i < with->count; ++i)
        ((int16_t*)to)[i] = macrame_table16(with->table, ((const int16_t*)from)[i]);
}
