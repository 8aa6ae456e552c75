#include <math.h>

#include "../found.h"

static void order_corners(float* box, const float* corners) {
    uint32_t axis;
    for (axis = 0; axis < 2; ++axis) {
        const float a = corners[axis], b = corners[axis + 2];
        box[axis] = b < a ? b : a;
        box[axis + 2] = a < b ? b : a;
    }
}

/* Not 0: one of those taken covers it. Overlaps with those that it has not seen make its score
 * less. */
static int covered(struct macrame_entry* now, const struct macrame_box* boxes, const int32_t* taken,
                   uint32_t count, const struct macrame_host_suppression* with) {
    const float scale = with->sigma > 0 ? -0.5f / with->sigma : 0;
    uint32_t i;
    for (i = count; i-- > now->seen;) {
        const float overlap = macrame_overlap(boxes[now->item].at, boxes[taken[i]].at);
        if (overlap >= with->overlap) return 1;
        if (with->sigma > 0) now->key *= expf(scale * overlap * overlap);
        if (now->key <= with->score) break;
    }
    return 0;
}

void macrame_host_suppression(void* indices, void* scores, void* count, const void* corners,
                              const void* of_boxes, void* work,
                              const struct macrame_host_suppression* with) {
    struct macrame_box* const boxes = (struct macrame_box*)work;
    struct macrame_entry* const heap = (struct macrame_entry*)(boxes + with->boxes);
    int32_t* const taken = (int32_t*)indices;
    int32_t left = 0;
    uint32_t i, found = 0, most;
    for (i = 0; i < with->boxes; ++i) {
        struct macrame_entry entry;
        entry.key = ((const float*)of_boxes)[i];
        entry.item = (int32_t)i;
        entry.seen = 0;
        order_corners(boxes[i].at, (const float*)corners + 4 * i);
        if (entry.key > with->score) macrame_heap_up(heap, left++, 0, entry);
    }
    most = (uint32_t)left < with->most ? (uint32_t)left : with->most;
    while (found < most && left > 0) {
        struct macrame_entry now = heap[0];
        const float before = now.key;
        macrame_heap_pop(heap, left--);
        if (covered(&now, boxes, taken, found, with)) continue;
        now.seen = found;
        if (now.key == before) {
            taken[found] = now.item;
            ((float*)scores)[found++] = now.key;
        }
        /* Also one that is taken, which then covers itself. */
        if (now.key > with->score) macrame_heap_up(heap, left++, 0, now);
    }
    for (i = found; i < with->most; ++i) {
        taken[i] = 0;
        ((float*)scores)[i] = 0;
    }
    *(int32_t*)count = (int32_t)found;
}
