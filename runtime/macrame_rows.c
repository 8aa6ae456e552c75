/* Rows of a tensor in the block: what a network keeps from run to run changes in its place. */
#include "macrame_internal.h"

enum { Y, X, CHANNELS, AXES };

/* Where a row goes; the length where that is no place. */
static uint32_t place_of(const void* places, uint32_t bytes, uint32_t row, uint32_t length) {
    int64_t place;
    if (bytes == 4)
        place = ((const int32_t*)places)[row];
    else
        place = ((const int64_t*)places)[row];
    if (place < 0) place += length;
    return place < 0 || place >= (int64_t)length ? length : (uint32_t)place;
}

static uint64_t offset_of(const struct macrame_tensor* tensor, const uint32_t at[AXES]) {
    return tensor->offset + (uint64_t)(at[CHANNELS] / tensor->group) * tensor->surface_stride +
           (uint64_t)at[Y] * tensor->line_stride + (uint64_t)at[X] * tensor->pixel_stride +
           (uint64_t)(at[CHANNELS] % tensor->group) * tensor->element_bytes;
}

int macrame_put_rows(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                     uint32_t axis, uint32_t count, const void* rows, const void* places,
                     uint32_t place_bytes) {
    struct macrame_tensor whole;
    uint32_t sizes[AXES], at[AXES], length, row, b;
    const uint8_t* from = (const uint8_t*)rows;
    const int error = macrame_check_tensor(machine, tensor, &whole);
    if (error != MACRAME_OK) return error;
    if (axis >= AXES || !rows || !places || (place_bytes != 4 && place_bytes != 8))
        return MACRAME_BAD_ARGUMENT;
    sizes[Y] = whole.height;
    sizes[X] = whole.width;
    sizes[CHANNELS] = whole.channels;
    length = sizes[axis];
    for (row = 0; row < count; ++row)
        if (place_of(places, place_bytes, row, length) == length) return MACRAME_BAD_ARGUMENT;
    sizes[axis] = count;
    for (at[Y] = 0; at[Y] < sizes[Y]; ++at[Y]) {
        for (at[X] = 0; at[X] < sizes[X]; ++at[X]) {
            for (at[CHANNELS] = 0; at[CHANNELS] < sizes[CHANNELS]; ++at[CHANNELS]) {
                uint8_t* element;
                row = at[axis];
                at[axis] = place_of(places, place_bytes, row, length);
                element = machine->memory + (size_t)offset_of(&whole, at);
                at[axis] = row;
                for (b = 0; b < whole.element_bytes; ++b)
                    element[b] = *from++;
            }
        }
    }
    if (machine->sync) machine->sync(machine->user, whole.offset, whole.span, 1);
    return MACRAME_OK;
}
