#include <math.h>

#include "../macrame_host_internal.h"

static void row(float* to, const float* from, const struct macrame_host_real_softmax* with) {
    float largest = from[0], sum = 0;
    uint32_t i;
    for (i = 1; i < with->size; ++i) {
        if (largest < from[i]) largest = from[i];
    }
    for (i = 0; i < with->size; ++i) {
        const float part = expf((from[i] - largest) * with->beta);
        to[i] = with->log ? from[i] - largest : part;
        sum += part;
    }
    for (i = 0; i < with->size; ++i)
        to[i] = with->log ? to[i] - logf(sum) : to[i] / sum;
}

void macrame_host_real_softmax(void* to, const void* from,
                               const struct macrame_host_real_softmax* with) {
    uint32_t i;
    for (i = 0; i < with->rows; ++i)
        row((float*)to + i * with->size, (const float*)from + i * with->size, with);
}
