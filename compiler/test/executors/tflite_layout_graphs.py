"""Random operators of tflite_graphs.py that move elements, or resample a picture."""
import numpy as np
from tflite_graph import SIGNED, SMALL, image, signed_image


def concat(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(0, len(x.shape))
    parts = [x]
    for _ in range(g.integer(1, 3)):
        shape = list(x.shape)
        shape[axis] = g.integer(1, 5)
        parts.append(g.constant(g.words(*shape, kind=x.kind), x.kind, x.scale, x.zero)
                     if g.integer(0, 2) else g.input(shape, x.kind, x.scale, x.zero))
    shape = list(x.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    if axis == 0 and shape[0] > 1:
        return None
    return g.append("CONCATENATION", parts, g.like(x, shape),
                    axis=axis - g.one_of([0, len(shape)]))


def pad(g, x):
    if not image(x):
        return None
    amounts = np.concatenate([[[0, 0]], g.rng.integers(0, 3, (3, 2))])
    shape = np.array(x.shape) + amounts.sum(axis=1)
    inputs = [x, g.constant(amounts)]
    if g.integer(0, 2):
        return g.append("PAD", inputs, g.like(x, shape))
    value = x.zero if x.kind not in SIGNED or g.integer(0, 2) else g.integer(-128, 128)
    inputs.append(g.constant([value], x.kind, x.scale, x.zero))
    return g.append("PADV2", inputs, g.like(x, shape))


def mirror_pad(g, x):
    if not signed_image(x) or min(x.shape[1:3]) < 3:
        return None
    amounts = np.concatenate([[[0, 0]], g.rng.integers(0, 3, (2, 2)), [[0, 0]]])
    shape = np.array(x.shape) + amounts.sum(axis=1)
    return g.append("MIRROR_PAD", [x, g.constant(amounts)], g.like(x, shape),
                    mode=g.integer(0, 2))


def transpose(g, x):
    if not image(x):
        return None
    order = [0, *(1 + g.rng.permutation(3))]
    return g.append("TRANSPOSE", [x, g.constant(order)], g.like(x, [x.shape[i] for i in order]))


def strided_slice(g, x):
    if not image(x):
        return None
    begin, stride = [0] + [g.integer(0, n) for n in x.shape[1:]], [1] + [0, 0, 0]
    end = [1]
    for axis in (1, 2, 3):
        stride[axis] = g.one_of([1, 1, 2, -1, -2])
        n = x.shape[axis]
        end.append(g.integer(begin[axis] + 1, n + 1) if stride[axis] > 0 else
                   g.integer(-n - 1, begin[axis] - n))
    masks = {"begin_mask": g.one_of([0, 2, 8]), "end_mask": g.one_of([0, 4, 8])}
    index = tuple(slice(None if masks["begin_mask"] >> i & 1 else begin[i],
                        None if masks["end_mask"] >> i & 1 else end[i], stride[i])
                  for i in range(4))
    shape = np.zeros(x.shape, np.int8)[index].shape
    return g.append("STRIDED_SLICE", [x, *map(g.constant, (begin, end, stride))],
                    g.like(x, shape), **masks)


def slice_(g, x):
    begin = [g.integer(0, n) for n in x.shape]
    size = [g.integer(1, n - b + 1) for n, b in zip(x.shape, begin)]
    return g.append("SLICE", [x, g.constant(begin), g.constant(size)], g.like(x, size))


def split(g, x):
    axis = g.integer(1, len(x.shape))
    n = x.shape[axis]
    parts = g.one_of([i for i in (1, 2, 3, 4) if n % i == 0])
    shape = list(x.shape)
    shape[axis] = n // parts
    return g.append("SPLIT", [g.constant(axis), x], [g.like(x, shape) for _ in range(parts)],
                    num_splits=parts)


def split_sizes(g, x):
    axis = g.integer(1, len(x.shape))
    if x.shape[axis] < 2:
        return None
    first = g.integer(1, x.shape[axis])
    sizes = [first, x.shape[axis] - first]
    shapes = [[size if i == axis else n for i, n in enumerate(x.shape)] for size in sizes]
    return g.append("SPLIT_V", [x, g.constant(sizes), g.constant(axis)],
                    [g.like(x, shape) for shape in shapes], num_splits=2)


def unpack(g, x):
    axis = g.integer(1, len(x.shape))
    n = x.shape[axis]
    if n > 12:
        return None
    shape = x.shape[:axis] + x.shape[axis + 1:]
    return g.append("UNPACK", [x], [g.like(x, shape) for _ in range(n)], num=n, axis=axis)


def pack(g, x):
    if len(x.shape) > 3:
        return None
    axis = g.integer(1, len(x.shape) + 1)
    shape = (*x.shape[:axis], 2, *x.shape[axis:])
    y = g.input(x.shape, x.kind, x.scale, x.zero)
    return g.append("PACK", [x, y], g.like(x, shape), values_count=2, axis=axis)


def reshape(g, x):
    if not image(x):
        return None
    shape = g.one_of([(1, int(np.prod(x.shape))), (1, x.shape[2], x.shape[1], x.shape[3]),
                      (1, 1, x.shape[1] * x.shape[2], x.shape[3])])
    return g.append("RESHAPE", [x, g.constant(shape)], g.like(x, shape))


def squeeze(g, x):
    """Adds an axis and takes it away again."""
    if len(x.shape) > 3:
        return None
    y = g.append("EXPAND_DIMS", [x, g.constant(1)], g.like(x, (x.shape[0], 1, *x.shape[1:])))
    return g.append("SQUEEZE", [y], g.like(x)) if x.shape[0] > 1 else y


def resize(name):
    def append(g, x):
        if not image(x):
            return None
        size = [g.integer(1, 20), g.integer(1, 20)]
        corners, centers = g.one_of([(False, False), (True, False), (False, True)])
        return g.append(name, [x, g.constant(size)], g.like(x, (1, *size, x.shape[3])),
                        align_corners=corners, half_pixel_centers=centers)
    return append


def argmax(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(1, len(x.shape))
    out = g.tensor(x.shape[:axis] + x.shape[axis + 1:], "int32")
    return g.append("ARG_MAX", [x, g.constant([axis])], out, output_type=2)
