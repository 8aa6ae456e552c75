#include "macrame_host_internal.h"
#include "macrame_real.h"

void macrame_host_real_sums(void* to, const void* sums, const void* step,
                            const struct macrame_host_real_sums* with) {
    const size_t kernels = with->kernels, next_row = (size_t)with->rows * 2 * kernels;
    const float own = *(const float*)step;
    size_t row, k;
    for (row = 0; row < with->rows; ++row)
        for (k = 0; k < kernels; ++k)
            ((float*)to)[row * kernels + k] =
                macrame_real_sum((const int32_t*)sums + row * 2 * kernels + k, next_row, kernels,
                                 own * with->steps[k], with->bias != 0 ? with->bias[k] : 0.0f);
}
