#include "macrame_host_internal.h"

void macrame_host_move(void* to, const void* from, const struct macrame_host_move* with) {
    uint8_t* const out = (uint8_t*)to;
    const uint8_t* const in = (const uint8_t*)from;
    uint32_t index[MACRAME_HOST_RANK];
    uint32_t to_at = with->to_start, from_at = with->from_start, axis, i;
    for (axis = 0; axis < with->rank; ++axis)
        index[axis] = 0;
    for (;;) {
        for (i = 0; i < with->size; ++i)
            out[to_at + i] = in[from_at + i];
        for (axis = with->rank;;) {
            if (axis-- == 0) return;
            to_at += (uint32_t)with->to[axis];
            from_at += (uint32_t)with->from[axis];
            if (++index[axis] < with->shape[axis]) break;
            to_at -= (uint32_t)with->to[axis] * with->shape[axis];
            from_at -= (uint32_t)with->from[axis] * with->shape[axis];
            index[axis] = 0;
        }
    }
}
