#include "macrame_host_internal.h"

void macrame_host_average_pool(void* to, const void* from,
                               const struct macrame_host_average_pool* with) {
    const struct macrame_host_window* const w = &with->window;
    struct macrame_spot spot;
    int32_t c, ky, kx;
    uint32_t next = 0;
    macrame_first_spot(&spot, w);
    do {
        const int32_t n =
            (spot.rows.end - spot.rows.first) * (spot.columns.end - spot.columns.first);
        for (c = 0; c < w->channels; ++c) {
            int64_t total = 0, value = 0;
            for (ky = spot.rows.first; ky < spot.rows.end; ++ky) {
                for (kx = spot.columns.first; kx < spot.columns.end; ++kx) {
                    const uint32_t place = macrame_under(&spot, w, ky, kx) + (uint32_t)c;
                    total += macrame_get(from, with->type, place) + with->shift;
                }
            }
            if (n > 0) value = (total + (total > 0 ? n / 2 : -(n / 2))) / n - with->shift;
            macrame_put(to, with->type, next++, macrame_clamp(value, with->least, with->most));
        }
    } while (macrame_next_spot(&spot, w));
}
