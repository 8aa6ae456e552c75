#include "macrame_host_internal.h"

void macrame_host_take(void* to, const void* from, const struct macrame_host_take* with) {
    uint8_t* out = (uint8_t*)to;
    const uint8_t* const in = (const uint8_t*)from;
    uint32_t index[MACRAME_HOST_RANK];
    uint32_t at = 0, axis, i;
    for (axis = 0; axis < with->rank; ++axis) {
        index[axis] = 0;
        at += with->offsets[axis][0];
    }
    for (;;) {
        for (i = 0; i < with->size; ++i)
            *out++ = in[at + i];
        for (axis = with->rank;;) {
            if (axis-- == 0) return;
            at -= with->offsets[axis][index[axis]];
            if (++index[axis] == with->shape[axis]) index[axis] = 0;
            at += with->offsets[axis][index[axis]];
            if (index[axis] != 0) break;
        }
    }
}
