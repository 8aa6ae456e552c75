#include <math.h>

#include "../macrame_host_internal.h"

static void row(float* to, const float* from, const struct macrame_host_norm* with) {
    double mean = 0, squares = 0, scale;
    uint32_t i;
    for (i = 0; with->centred && i < with->size; ++i)
        mean += (double)from[i] / (double)with->size;
    for (i = 0; i < with->size; ++i) {
        const double distance = (double)from[i] - mean;
        squares += distance * distance;
    }
    scale = 1 / sqrt(squares / (double)with->size + (double)with->epsilon);
    for (i = 0; i < with->size; ++i) {
        const double value = ((double)from[i] - mean) * scale;
        const float scaled = (float)value * (with->gain ? with->gain[i] : 1);
        to[i] = scaled + (with->offset ? with->offset[i] : 0);
    }
}

void macrame_host_norm(void* to, const void* from, const struct macrame_host_norm* with) {
    uint32_t i;
    for (i = 0; i < with->rows; ++i)
        row((float*)to + i * with->size, (const float*)from + i * with->size, with);
}
