#include "macrame_host_internal.h"

void macrame_host_max_pool(void* to, const void* from, const struct macrame_host_max_pool* with) {
    const struct macrame_host_window* const w = &with->window;
    struct macrame_spot spot;
    int32_t c, ky, kx;
    uint32_t next = 0;
    macrame_first_spot(&spot, w);
    do {
        for (c = 0; c < w->channels; ++c) {
            int32_t best = INT32_MIN;
            for (ky = spot.rows.first; ky < spot.rows.end; ++ky) {
                for (kx = spot.columns.first; kx < spot.columns.end; ++kx) {
                    const uint32_t place = macrame_under(&spot, w, ky, kx) + (uint32_t)c;
                    const int32_t value = macrame_get(from, with->type, place);
                    if (value > best) best = value;
                }
            }
            macrame_put(to, with->type, next++, macrame_clamp(best, with->least, with->most));
        }
    } while (macrame_next_spot(&spot, w));
}
