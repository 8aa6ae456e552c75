#include <math.h>

#include "../found.h"

/* A box with its class. */
struct found {
    int32_t box, kind;
    float score;
};

/* Memory of one run. */
struct work {
    struct macrame_box* boxes;
    float* scores;            /* of the boxes, of one class or their best */
    uint32_t *order, *other;  /* boxes, and room to sort them */
    uint32_t* taken;          /* at most of_class or most of the boxes */
    struct macrame_entry* classes;
    struct found *all, *merged; /* up to most */
};

static struct work divide(void* memory, const struct macrame_host_detections* with) {
    struct work out;
    out.boxes = (struct macrame_box*)memory;
    out.scores = (float*)(out.boxes + with->boxes);
    out.order = (uint32_t*)(out.scores + with->boxes);
    out.other = out.order + with->boxes;
    out.taken = out.other + with->boxes;
    out.classes = (struct macrame_entry*)(out.taken + with->boxes);
    out.all = (struct found*)(out.classes + with->classes);
    out.merged = out.all + with->most;
    return out;
}

/* Boxes from where they are against their anchors. */
static int decode(struct macrame_box* boxes, const float* codes, const float* anchors,
                  const struct macrame_host_detections* with) {
    uint32_t i, axis;
    for (i = 0; i < with->boxes; ++i) {
        const float* const anchor = anchors + 4 * i;
        float* const box = boxes[i].at;
        for (axis = 0; axis < 2; ++axis) {
            const float* const code = codes + i * with->size + axis;
            const double place = (double)code[0] / (double)with->scale[axis];
            const double length = (double)code[2] / (double)with->scale[axis + 2];
            const double size = (double)anchor[axis + 2];
            const float centre = (float)(place * size + (double)anchor[axis]);
            const float half = (float)(0.5 * exp(length) * size);
            box[axis] = centre - half;
            box[axis + 2] = centre + half;
        }
        if (box[0] > box[2] || box[1] > box[3]) return 1;
    }
    return 0;
}

/* Boxes whose score is enough, the best first; of equal ones the first. */
static uint32_t sort(struct work* work, const struct macrame_host_detections* with) {
    uint32_t count = 0, i, width, start;
    for (i = 0; i < with->boxes; ++i)
        if (work->scores[i] >= with->score) work->order[count++] = i;
    for (width = 1; width < count; width *= 2) {
        uint32_t* const sorted = work->other;
        for (start = 0; start < count; start += 2 * width) {
            const uint32_t middle = count - start < width ? count : start + width;
            const uint32_t end = count - start < 2 * width ? count : start + 2 * width;
            uint32_t a = start, b = middle;
            for (i = start; i < end; ++i) {
                const int second =
                    a == middle || (b < end && work->scores[work->order[b]] >
                                                   work->scores[work->order[a]]);
                sorted[i] = work->order[second ? b++ : a++];
            }
        }
        work->other = work->order;
        work->order = sorted;
    }
    return count;
}

/* The best, up to `most`, that do not overlap better ones. */
static uint32_t apart(struct work* work, uint32_t most,
                      const struct macrame_host_detections* with) {
    const uint32_t count = sort(work, with);
    uint32_t taken = 0, i, k;
    for (i = 0; i < count && taken < most; ++i) {
        const uint32_t box = work->order[i];
        int covered = 0;
        for (k = 0; k < taken && !covered; ++k)
            covered = macrame_overlap(work->boxes[work->taken[k]].at, work->boxes[box].at) >
                      with->overlap;
        if (!covered) work->taken[taken++] = box;
    }
    return taken;
}

/* Those of one class among those of the classes before it, the best of all; of equal ones the last
 * class comes first. */
static uint32_t merge(struct work* work, int32_t kind, uint32_t taken, uint32_t count,
                      const struct macrame_host_detections* with) {
    struct found* const merged = work->merged;
    uint32_t a = 0, b = 0, i;
    for (i = 0; i < with->most && (a < taken || b < count); ++i) {
        const int before =
            a == taken || (b < count && work->all[b].score > work->scores[work->taken[a]]);
        if (before) {
            merged[i] = work->all[b++];
        } else {
            merged[i].box = (int32_t)work->taken[a];
            merged[i].kind = kind;
            merged[i].score = work->scores[work->taken[a++]];
        }
    }
    work->merged = work->all;
    work->all = merged;
    return i;
}

static uint32_t by_class(struct work* work, const float* scores,
                         const struct macrame_host_detections* with) {
    const uint32_t background = with->columns - with->classes;
    uint32_t kind, i, count = 0;
    for (kind = 0; kind < with->classes; ++kind) {
        for (i = 0; i < with->boxes; ++i)
            work->scores[i] = scores[i * with->columns + background + kind];
        count = merge(work, (int32_t)kind, apart(work, with->of_class, with), count, with);
    }
    return count;
}

/* The best `count` of the classes of a box, as the C++ library's partial_sort leaves them. */
static void best_classes(struct macrame_entry* classes, const float* scores, uint32_t count,
                         const struct macrame_host_detections* with) {
    int32_t i;
    const int32_t most = (int32_t)count;
    for (i = 0; i < (int32_t)with->classes; ++i) {
        classes[i].key = -scores[i];
        classes[i].item = i;
        if (most == 1 && classes[i].key < classes[0].key) classes[0] = classes[i];
    }
    if (most == 1) return;
    for (i = most / 2; i-- > 0;)
        macrame_heap_down(classes, i, most, classes[i]);
    for (i = most; i < (int32_t)with->classes; ++i) {
        const struct macrame_entry entry = classes[i];
        if (!(entry.key < classes[0].key)) continue;
        classes[i] = classes[0];
        macrame_heap_down(classes, 0, most, entry);
    }
    for (i = most; i > 1; --i)
        macrame_heap_pop(classes, i);
}

int macrame_host_detections(void* corners, void* classes, void* scores, void* count,
                            const void* codes, const void* of_classes, const void* anchors,
                            void* work, const struct macrame_host_detections* with) {
    struct work w = divide(work, with);
    const float* const all = (const float*)of_classes;
    const uint32_t each = with->each < with->classes ? with->each : with->classes;
    const uint32_t background = with->columns - with->classes;
    uint32_t found, i, k, axis;
    if (decode(w.boxes, (const float*)codes, (const float*)anchors, with)) return 1;
    for (i = 0; i < with->most * with->each; ++i) {
        for (axis = 0; axis < 4; ++axis)
            ((float*)corners)[4 * i + axis] = 0;
        ((float*)classes)[i] = ((float*)scores)[i] = 0;
    }
    if (with->by_class) {
        found = by_class(&w, all, with);
        for (i = 0; i < found; ++i) {
            for (axis = 0; axis < 4; ++axis)
                ((float*)corners)[4 * i + axis] = w.boxes[w.all[i].box].at[axis];
            ((float*)classes)[i] = (float)w.all[i].kind;
            ((float*)scores)[i] = w.all[i].score;
        }
        *(float*)count = (float)found;
        return 0;
    }
    for (i = 0; i < with->boxes; ++i) {
        const float* const own = all + i * with->columns + background;
        best_classes(w.classes, own, each, with);
        w.scores[i] = own[w.classes[0].item];
    }
    found = apart(&w, with->most, with);
    for (i = 0; i < found; ++i) {
        const float* const own = all + w.taken[i] * with->columns + background;
        best_classes(w.classes, own, each, with);
        for (k = 0; k < each; ++k) {
            const uint32_t to = i * with->each + k;
            for (axis = 0; axis < 4; ++axis)
                ((float*)corners)[4 * to + axis] = w.boxes[w.taken[i]].at[axis];
            ((float*)classes)[to] = (float)w.classes[k].item;
            ((float*)scores)[to] = own[w.classes[k].item];
        }
    }
    *(float*)count = (float)found;
    return 0;
}
