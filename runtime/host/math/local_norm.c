#include <math.h>

#include "../macrame_host_internal.h"

void macrame_host_local_norm(void* to, const void* from,
                             const struct macrame_host_local_norm* with) {
    uint32_t row;
    int32_t i, k;
    for (row = 0; row < with->rows; ++row) {
        const float* const in = (const float*)from + row * (uint32_t)with->size;
        float* const out = (float*)to + row * (uint32_t)with->size;
        for (i = 0; i < with->size; ++i) {
            const int32_t first = i < with->before ? 0 : i - with->before;
            const int32_t rest = with->size - 1 - i;
            const int32_t last = i + (rest < with->behind ? rest : with->behind);
            float squares = 0;
            for (k = first; k <= last; ++k)
                squares += in[k] * in[k];
            out[i] = in[i] * (float)pow(with->bias + with->alpha * (double)squares, -with->beta);
        }
    }
}
