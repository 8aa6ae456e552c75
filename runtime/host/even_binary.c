#include "macrame_host_internal.h"

/* a * b + c, rounded once; a has few bits, so that the product is exact in double precision. */
static float product_and_sum(float a, float b, float c) {
    union {
        double real;
        uint64_t bits;
    } sum;
    const double product = (double)a * (double)b;
    double back, error;
    sum.real = product + (double)c;
    back = sum.real - product;
    error = (product - (sum.real - back)) + ((double)c - back);
    /* What the sum has lost decides where it would be a tie: its last bit becomes a one. */
    if (error != 0 && (sum.bits & 1) == 0) {
        if ((error > 0) == (sum.real > 0))
            ++sum.bits;
        else
            --sum.bits;
    }
    return (float)sum.real;
}

void macrame_host_even_binary(void* to, const void* a, const void* b,
                              const struct macrame_host_even_binary* with) {
    struct macrame_place place;
    uint32_t i = 0;
    macrame_start(&place, &with->walk);
    do {
        const int32_t x = macrame_get(a, with->a_type, place.at[0]);
        const int32_t y = macrame_get(b, with->b_type, place.at[1]);
        float sum;
        if (with->function == MACRAME_HOST_ADD) {
            sum = product_and_sum((float)(y + with->shift), with->factor_b, with->rest);
            sum = product_and_sum((float)(x + with->shift), with->factor_a, sum);
        } else {
            const float scaled = (float)((x - with->zero_a) * (y - with->zero_b)) * with->factor_a;
            sum = scaled + with->rest;
        }
        macrame_put(
            to, with->to_type, i++,
            macrame_clamp((int64_t)macrame_whole((double)sum, MACRAME_HOST_EVEN) - with->shift,
                          with->least, with->most));
    } while (macrame_next(&place, &with->walk));
}
