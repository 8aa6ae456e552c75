#include "macrame_host_internal.h"

/* The least number by -1 stays. */
static uint64_t quotient(int64_t a, int64_t b) {
    return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static int64_t rest_of(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

static uint64_t power(int64_t a, int64_t b) {
    uint64_t result = 1, factor = (uint64_t)a;
    if (b < 0) return a == 1 || a == -1 ? (b % 2 == 0 ? 1 : factor) : 0;
    for (; b > 0; b >>= 1, factor *= factor)
        if ((b & 1) != 0) result *= factor;
    return result;
}

static uint64_t combined(int64_t a, int64_t b, enum macrame_host_binary_function function) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (function) {
        case MACRAME_HOST_ADD:
            return x + y;
        case MACRAME_HOST_SUB:
            return x - y;
        case MACRAME_HOST_MUL:
            return x * y;
        case MACRAME_HOST_MAXIMUM:
            return a < b ? y : x;
        case MACRAME_HOST_MINIMUM:
            return b < a ? y : x;
        case MACRAME_HOST_SQUARED_DIFFERENCE:
            return (x - y) * (x - y);
        case MACRAME_HOST_DIV:
            return quotient(a, b);
        case MACRAME_HOST_FLOOR_DIV:
            return quotient(a, b) - (rest_of(a, b) != 0 && (a < 0) != (b < 0) ? 1 : 0);
        case MACRAME_HOST_FLOOR_MOD:
            return (uint64_t)rest_of(a, b) + (rest_of(a, b) != 0 && (a < 0) != (b < 0) ? y : 0);
        case MACRAME_HOST_POW:
            break;
    }
    return power(a, b);
}

int macrame_host_whole_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_whole_binary* with) {
    const int divides = with->function == MACRAME_HOST_DIV ||
                        with->function == MACRAME_HOST_FLOOR_DIV ||
                        with->function == MACRAME_HOST_FLOOR_MOD;
    struct macrame_place place;
    uint32_t next = 0;
    macrame_start(&place, &with->walk);
    do {
        const int64_t x = macrame_get_whole(a, with->type, place.at[0]);
        const int64_t y = macrame_get_whole(b, with->type, place.at[1]);
        if (divides && y == 0) return 1;
        macrame_put_low(to, with->type, next++, combined(x, y, with->function));
    } while (macrame_next(&place, &with->walk));
    return 0;
}
