#include "macrame_host_internal.h"

/* The features of one filter, a step on. */
static void step_on(void* state, const void* from, const void* before, uint32_t batch,
                    uint32_t filter, const struct macrame_host_svdf* with) {
    const int8_t* const x = (const int8_t*)from + batch * with->inputs;
    const int8_t* const weights = (const int8_t*)with->features + filter * with->inputs;
    const uint32_t start = (batch * with->filters + filter) * with->steps;
    uint32_t sum = 0, i;
    for (i = 0; i < with->inputs; ++i)
        sum += (uint32_t)(weights[i] * (x[i] - with->zero_from));
    for (i = 0; i + 1 < with->steps; ++i)
        macrame_put(state, with->state_type, start + i,
                    macrame_get(before, with->state_type, start + i + 1));
    macrame_put(state, with->state_type, start + with->steps - 1,
                (int64_t)macrame_multiply((int32_t)sum, with->to_state) + with->zero_state);
}

static int8_t over_time(const void* state, uint32_t batch, uint32_t unit,
                        const struct macrame_host_svdf* with) {
    uint64_t sum = with->bias ? (uint64_t)(int64_t)((const int32_t*)with->bias)[unit] : 0;
    uint32_t i;
    int64_t value;
    for (i = 0; i < with->rank * with->steps; ++i) {
        const uint32_t at = unit * with->rank * with->steps + i;
        const int64_t weight = macrame_get(with->times, with->state_type, at);
        sum += (uint64_t)(weight * (macrame_get(state, with->state_type,
                                                batch * with->filters * with->steps + at) -
                                    with->zero_state));
    }
    value = (int64_t)macrame_multiply((int32_t)(uint32_t)sum, with->to_output) + with->zero_to;
    return (int8_t)macrame_clamp(value, INT8_MIN, INT8_MAX);
}

void macrame_host_svdf(void* to, void* state, const void* from, const void* before,
                       const struct macrame_host_svdf* with) {
    const uint32_t units = with->filters / with->rank;
    uint32_t batch, i;
    for (batch = 0; batch < with->batches; ++batch) {
        for (i = 0; i < with->filters; ++i)
            step_on(state, from, before, batch, i, with);
        for (i = 0; i < units; ++i)
            ((int8_t*)to)[batch * units + i] = over_time(state, batch, i, with);
    }
}
