#include "macrame_host_internal.h"

void macrame_host_real_bilinear(void* to, const void* from,
                                const struct macrame_host_real_bilinear* with) {
    const float* const in = (const float*)from;
    float* out = (float*)to;
    uint32_t y, x, c;
    for (y = 0; y < with->out_h; ++y) {
        const uint32_t first = (uint32_t)with->rows[0][y] * with->in_w;
        const uint32_t second = (uint32_t)with->rows[1][y] * with->in_w;
        const float down = with->row_parts[y], up = 1.0F - down;
        for (x = 0; x < with->out_w; ++x) {
            const uint32_t near = (uint32_t)with->columns[0][x],
                           far = (uint32_t)with->columns[1][x];
            const float right = with->column_parts[x], left = 1.0F - right;
            for (c = 0; c < with->channels; ++c)
                *out++ = in[(first + near) * with->channels + c] * up * left +
                         in[(second + near) * with->channels + c] * down * left +
                         in[(first + far) * with->channels + c] * up * right +
                         in[(second + far) * with->channels + c] * down * right;
        }
    }
}
