/* Of boxes that are found. */
#ifndef MACRAME_HOST_FOUND_H
#define MACRAME_HOST_FOUND_H

#include "macrame_host_internal.h"

/* Top, left, bottom, right. */
struct macrame_box {
    float at[4];
};

/* What two share over what they cover. */
static inline float macrame_overlap(const float* a, const float* b) {
    const float first = (a[2] - a[0]) * (a[3] - a[1]), second = (b[2] - b[0]) * (b[3] - b[1]);
    float high = (a[2] < b[2] ? a[2] : b[2]) - (a[0] > b[0] ? a[0] : b[0]);
    float wide = (a[3] < b[3] ? a[3] : b[3]) - (a[1] > b[1] ? a[1] : b[1]);
    float both;
    if (first <= 0 || second <= 0) return 0;
    if (high < 0) high = 0;
    if (wide < 0) wide = 0;
    both = high * wide;
    return both / (first + second - both);
}

/* A heap whose root has the largest key. Equal ones come out as from that of the GNU C++ library,
 * which the reference executors have. */
struct macrame_entry {
    float key;
    int32_t item;
    uint32_t seen;
};

static inline void macrame_heap_up(struct macrame_entry* heap, int32_t hole, int32_t top,
                                   struct macrame_entry entry) {
    while (hole > top && heap[(hole - 1) / 2].key < entry.key) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = entry;
}

/* The hole goes down to a leaf, the entry up from there. */
static inline void macrame_heap_down(struct macrame_entry* heap, int32_t hole, int32_t size,
                                     struct macrame_entry entry) {
    const int32_t top = hole;
    int32_t child = 2 * hole + 2;
    for (; child < size; child = 2 * hole + 2) {
        if (heap[child].key < heap[child - 1].key) --child;
        heap[hole] = heap[child];
        hole = child;
    }
    if (child == size) {
        heap[hole] = heap[child - 1];
        hole = child - 1;
    }
    macrame_heap_up(heap, hole, top, entry);
}

/* The largest goes behind the others. */
static inline void macrame_heap_pop(struct macrame_entry* heap, int32_t size) {
    const struct macrame_entry last = heap[size - 1];
    heap[size - 1] = heap[0];
    macrame_heap_down(heap, 0, size - 1, last);
}

#endif
