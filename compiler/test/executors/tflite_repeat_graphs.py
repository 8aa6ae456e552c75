"""Random operators of tflite_graphs.py that repeat, pick or regroup elements."""
SMALL = ["int8", "uint8", "int16"]


def tile(g, x):
    if x.kind not in SMALL:
        return None
    times = [1, *(g.integer(1, 4) for _ in x.shape[1:])]
    return g.append("TILE", [x, g.constant(times)],
                    g.like(x, [n * t for n, t in zip(x.shape, times)]))


def broadcast_to(g, x):
    if x.kind not in ("int8", "int16") or len(x.shape) != 4:
        return None
    y = g.append("SLICE", [x, g.constant([0, 0, 0, 0]), g.constant([1, 1, x.shape[2], x.shape[3]])],
                 g.like(x, (1, 1, *x.shape[2:])))
    shape = (1, g.integer(1, 6), *x.shape[2:])
    return g.append("BROADCAST_TO", [y, g.constant(shape)], g.like(x, shape))


def gather(g, x):
    if x.kind not in SMALL:
        return None
    axis = g.integer(0, len(x.shape))
    indices = [g.integer(0, x.shape[axis]) for _ in range(g.integer(1, 6))]
    shape = (*x.shape[:axis], len(indices), *x.shape[axis + 1:])
    if shape[0] != 1:
        return None
    return g.append("GATHER", [x, g.constant(indices)], g.like(x, shape), axis=axis)


def reduce_max(g, x):
    if x.kind not in SMALL:
        return None
    axes = sorted({g.integer(1, len(x.shape)) for _ in range(2)})
    keep = g.integer(0, 2) == 1
    shape = [1 if i in axes else n for i, n in enumerate(x.shape) if keep or i not in axes]
    return g.append("REDUCE_MAX", [x, g.constant(axes)], g.like(x, shape), keep_dims=keep)


def batches(g, x):
    """An old dilated convolution: blocks as batches, a convolution, and back, less some edge."""
    if x.kind not in ("int8", "int16") or len(x.shape) != 4:
        return None
    block = [g.integer(1, 4), g.integer(1, 4)]
    edges = [[e := g.integer(0, 3), -(n + e) % b] for n, b in zip(x.shape[1:3], block)]
    large = [n + sum(e) for n, e in zip(x.shape[1:3], edges)]
    small = [n // b for n, b in zip(large, block)]
    batch = block[0] * block[1]
    y = g.append("SPACE_TO_BATCH_ND", [x, g.constant(block), g.constant(edges)],
                 g.like(x, (batch, *small, x.shape[3])))
    weights, bias, scale = g.parameters(x, (4, 1, 1, x.shape[3]), 4, 0, optional=False)
    y = g.append("CONV_2D", [y, weights, bias], g.output((batch, *small, 4), scale, kind=x.kind),
                 padding="VALID", stride_h=1, stride_w=1, dilation_h=1, dilation_w=1)
    return g.append("BATCH_TO_SPACE_ND", [y, g.constant(block), g.constant(edges)],
                    g.like(y, (1, *x.shape[1:3], 4)))
