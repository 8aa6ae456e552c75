#include "macrame_host_internal.h"

void macrame_host_l2_norm(void* to, const void* from, const struct macrame_host_l2_norm* with) {
    const int fraction = 7; /* bits of the output */
    uint32_t row, i;
    for (row = 0; row < with->rows; ++row) {
        const uint32_t start = row * with->size;
        struct macrame_factor inverse;
        uint32_t squares = 0;
        for (i = start; i < start + with->size; ++i) {
            const int32_t x = macrame_get(from, with->from_type, i) - with->zero_from;
            squares += (uint32_t)(x * x);
        }
        inverse = macrame_inverse_square_root((int32_t)squares);
        if (!with->old) inverse.exponent += fraction;
        for (i = start; i < start + with->size; ++i) {
            const int32_t x = macrame_get(from, with->from_type, i) - with->zero_from;
            const int32_t scaled = macrame_multiply(with->old ? x * (1 << fraction) : x, inverse);
            macrame_put(to, with->to_type, i, (int64_t)scaled + with->zero_to);
        }
    }
}
