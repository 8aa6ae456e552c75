#include "macrame_host_internal.h"
#include "macrame_real.h"

void macrame_host_real_digits(void* digits, void* step, const void* from,
                              const struct macrame_host_real_digits* with) {
    macrame_real_digits((const float*)from, with->count, (int8_t*)digits, (float*)step);
}
