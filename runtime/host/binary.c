#include "macrame_host_internal.h"

static int32_t combined(int32_t a, int32_t b, const struct macrame_host_binary* with) {
    const int32_t x = a - with->zero_a, y = b - with->zero_b;
    const int square = with->function == MACRAME_HOST_SQUARED_DIFFERENCE;
    int32_t first, second;
    if (with->function == MACRAME_HOST_MUL)
        return macrame_multiply((int32_t)((uint32_t)x * (uint32_t)y), with->last);
    if (with->bits == 0) {
        first = macrame_shift_right(x, with->a.exponent);
        second = macrame_shift_right(y, with->b.exponent);
        return with->function == MACRAME_HOST_SUB ? first - second : first + second;
    }
    first = macrame_multiply(x * (1 << with->bits), with->a);
    second = macrame_multiply(y * (1 << with->bits), with->b);
    if (square) return macrame_multiply((first - second) * (first - second), with->last);
    return macrame_multiply(with->function == MACRAME_HOST_SUB ? first - second : first + second,
                            with->last);
}

void macrame_host_binary(void* to, const void* a, const void* b,
                         const struct macrame_host_binary* with) {
    struct macrame_place place;
    uint32_t i = 0;
    macrame_start(&place, &with->walk);
    do {
        const int32_t x = macrame_get(a, with->a_type, place.at[0]);
        const int32_t y = macrame_get(b, with->b_type, place.at[1]);
        int64_t value;
        if (with->function == MACRAME_HOST_MAXIMUM)
            value = x > y ? x : y;
        else if (with->function == MACRAME_HOST_MINIMUM)
            value = x < y ? x : y;
        else
            value = macrame_clamp((int64_t)combined(x, y, with) + with->zero_to, with->least,
                                  with->most);
        macrame_put(to, with->to_type, i++, value);
    } while (macrame_next(&place, &with->walk));
}
