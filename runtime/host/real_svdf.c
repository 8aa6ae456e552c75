#include "macrame_host_internal.h"

/* The features of one filter, a step on; sum of its weights over the steps. */
static float filtered(float* state, const float* before, const float* x, uint32_t filter,
                      const struct macrame_host_svdf* with) {
    const float* const features = (const float*)with->features + filter * with->inputs;
    const float* const times = (const float*)with->times + filter * with->steps;
    float feature = 0, sum = 0;
    uint32_t i;
    for (i = 0; i < with->inputs; ++i)
        feature += features[i] * x[i];
    for (i = 0; i < with->steps; ++i) {
        state[i] = i + 1 < with->steps ? before[i + 1] : feature;
        sum += times[i] * state[i];
    }
    return sum;
}

void macrame_host_real_svdf(void* to, void* state, const void* from, const void* before,
                            const struct macrame_host_svdf* with) {
    const uint32_t units = with->filters / with->rank;
    uint32_t batch, unit, i;
    for (batch = 0; batch < with->batches; ++batch) {
        const float* const x = (const float*)from + batch * with->inputs;
        for (unit = 0; unit < units; ++unit) {
            float sum = with->bias ? ((const float*)with->bias)[unit] : 0;
            for (i = 0; i < with->rank; ++i) {
                const uint32_t filter = unit * with->rank + i;
                const uint32_t start = (batch * with->filters + filter) * with->steps;
                sum += filtered((float*)state + start, (const float*)before + start, x, filter,
                                with);
            }
            ((float*)to)[batch * units + unit] = sum;
        }
    }
}
