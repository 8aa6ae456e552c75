#include "macrame_host_internal.h"

static float combined(float a, float b, enum macrame_host_binary_function function) {
    switch (function) {
        case MACRAME_HOST_ADD:
            return a + b;
        case MACRAME_HOST_SUB:
            return a - b;
        case MACRAME_HOST_MUL:
            return a * b;
        case MACRAME_HOST_MAXIMUM:
            return a < b ? b : a;
        case MACRAME_HOST_MINIMUM:
            return b < a ? b : a;
        case MACRAME_HOST_SQUARED_DIFFERENCE:
            return (a - b) * (a - b);
        case MACRAME_HOST_DIV:
            return a / b;
        default: /* those of macrame_host_power() */
            break;
    }
    return a;
}

void macrame_host_real_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_real_binary* with) {
    struct macrame_place place;
    float* out = (float*)to;
    macrame_start(&place, &with->walk);
    do {
        *out++ = combined(((const float*)a)[place.at[0]], ((const float*)b)[place.at[1]],
                          with->function);
    } while (macrame_next(&place, &with->walk));
}
