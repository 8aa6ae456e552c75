#include <math.h>

#include "../macrame_host_internal.h"

void macrame_host_real_l2_norm(void* to, const void* from,
                               const struct macrame_host_real_l2_norm* with) {
    uint32_t row, i;
    for (row = 0; row < with->rows; ++row) {
        const float* const in = (const float*)from + row * with->size;
        float* const out = (float*)to + row * with->size;
        float squares = 0, length;
        for (i = 0; i < with->size; ++i)
            squares += in[i] * in[i];
        length = sqrtf(squares);
        if (length < 1e-6f) length = 1e-6f;
        for (i = 0; i < with->size; ++i)
            out[i] = in[i] / length;
    }
}
