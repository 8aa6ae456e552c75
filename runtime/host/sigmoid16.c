#include "macrame_host.h"
#include "macrame_int16.h"

void macrame_host_sigmoid16(void* to, const void* from, const struct macrame_host_sigmoid16* with) {
    const int64_t half = with->shift > 0 ? (int64_t)1 << (with->shift - 1) : 0;
    uint32_t i;
    for (i = 0; i < with->count; ++i) {
        const int64_t value = ((const int16_t*)from)[i];
        const int64_t place = (value * with->factor + half) >> with->shift;
        ((int16_t*)to)[i] =
            with->tanh ? macrame_tanh16(with->table, place) : macrame_sigmoid16(with->table, place);
    }
}
