#include <math.h>

#include "../macrame_host_internal.h"

/* The rest has the sign of b. */
static float rest_of(float a, float b) {
    const float rest = fmodf(a, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

static float combined(float a, float b, enum macrame_host_binary_function function) {
    if (function == MACRAME_HOST_FLOOR_DIV) return floorf(a / b);
    return function == MACRAME_HOST_FLOOR_MOD ? rest_of(a, b) : powf(a, b);
}

void macrame_host_power(void* to, const void* a, const void* b,
                        const struct macrame_host_power* with) {
    struct macrame_place place;
    float* out = (float*)to;
    macrame_start(&place, &with->walk);
    do {
        *out++ = combined(((const float*)a)[place.at[0]], ((const float*)b)[place.at[1]],
                          with->function);
    } while (macrame_next(&place, &with->walk));
}
