#include "macrame_host_internal.h"

void macrame_host_bilinear(void* to, const void* from, const struct macrame_host_bilinear* with) {
    uint32_t y, x, c, next = 0;
    for (y = 0; y < with->out_h; ++y) {
        const uint32_t first = (uint32_t)with->rows[0][y] * with->in_w;
        const uint32_t second = (uint32_t)with->rows[1][y] * with->in_w;
        const int64_t down = with->rows[2][y], up = 1024 - down;
        for (x = 0; x < with->out_w; ++x) {
            const uint32_t near = (uint32_t)with->columns[0][x],
                           far = (uint32_t)with->columns[1][x];
            const int64_t right = with->columns[2][x], left = 1024 - right;
            for (c = 0; c < with->channels; ++c) {
                const int64_t a =
                    macrame_get(from, with->from_type, (first + near) * with->channels + c);
                const int64_t b =
                    macrame_get(from, with->from_type, (second + near) * with->channels + c);
                const int64_t d =
                    macrame_get(from, with->from_type, (first + far) * with->channels + c);
                const int64_t e =
                    macrame_get(from, with->from_type, (second + far) * with->channels + c);
                const int64_t sum =
                    a * up * left + b * down * left + d * up * right + e * down * right;
                const int64_t half = (int64_t)1 << 19;
                macrame_put(to, with->to_type, next++,
                            (sum + (sum > 0 ? half : -half)) / ((int64_t)1 << 20));
            }
        }
    }
}
