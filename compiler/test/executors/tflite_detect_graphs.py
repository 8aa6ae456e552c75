"""Seeded networks that find boxes, and one that keeps features of its last steps."""
import numpy as np
from tflite_file import Network


def svdf(seed):
    """Two in a row, of int8 with a state of int16."""
    rng = np.random.default_rng(seed)
    g = Network()
    inputs = int(rng.integers(3, 20))
    x = g.input((1, inputs), scale=0.05, zero=int(rng.integers(-100, 100)))
    for _ in range(2):
        rank, units, steps = (int(n) for n in rng.integers((1, 1, 2), (4, 9, 8)))
        filters = rank * units
        feature = g.constant(rng.integers(-127, 128, (filters, x.shape[1])), "int8", 0.01)
        kept = float(np.float32(60 * 70 * np.sqrt(x.shape[1]) * 0.01 * x.scale[0] / 20000))
        time = g.constant(rng.integers(-32767, 32768, (filters, steps)), "int16", 3e-5)
        bias = g.constant(rng.integers(-100000, 100000, units), "int32", kept * 3e-5)
        state = g.variable((1, filters * steps), "int16", kept)
        y = g.tensor((1, units), "int8", kept * 5000 * np.sqrt(steps * rank) / 60,
                     int(rng.integers(-128, 0)))
        g.operator("SVDF", [x, feature, time, bias, state], [y], rank=rank,
                   activation="RELU")
        x = y
    g.outputs = [x]
    return g


def boxes_of(rng, count):
    """Overlapping ones; scores with some that are alike."""
    return rng.uniform(0, 1, (count, 4)).astype(np.float32)


def detections(seed):
    """By classes or not, with a background or without, of float32 or uint8; classes of a box."""
    from flatbuffers import flexbuffers
    rng = np.random.default_rng(seed)
    g = Network()
    count, classes, background = int(rng.integers(4, 40)), int(rng.integers(1, 6)), seed % 2
    by_class = bool(seed // 2 % 2)
    most, each = int(rng.integers(1, 12)), 1 if by_class else int(rng.integers(1, 3))
    each = min(each, classes)
    ends = [g.input((1, count, 4), "uint8", 0.03, 128), g.input((1, count, classes + background),
                                                                "uint8", 1 / 256, 0)]
    if seed % 3:
        reals = [g.tensor(t.shape, "float32") for t in ends]
        for t, real in zip(ends, reals):
            g.operator("DEQUANTIZE", [t], [real])
        ends = reals
    anchors = boxes_of(rng, count)
    kind = {"kind": "float32"} if seed % 3 else {"kind": "uint8", "scale": 1 / 255}
    anchors = g.constant(anchors if seed % 3 else np.round(anchors * 255), **kind)
    size = most * each
    g.outputs = [g.tensor(shape, "float32") for shape in
                 ((1, size, 4), (1, size), (1, size), (1,))]
    options = {"max_detections": most, "max_classes_per_detection": each,
               "num_classes": classes, "use_regular_nms": by_class,
               "nms_score_threshold": 0.4, "nms_iou_threshold": 0.3 + 0.1 * (seed % 5),
               "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0}
    if by_class:
        options["detections_per_class"] = int(rng.integers(1, 8))
    g.operator("TFLite_Detection_PostProcess", [*ends, anchors], g.outputs,
               custom=bytes(flexbuffers.Dumps(options)))
    return g, each


def suppression(seed):
    """Of fixed boxes by scores of the input; version 5 makes scores less, too."""
    rng = np.random.default_rng(seed)
    g = Network()
    count, most = int(rng.integers(3, 40)), int(rng.integers(1, 12))
    x = g.input((count,), "uint8", 1 / 256, 0)
    scores = g.tensor((count,), "float32")
    g.operator("DEQUANTIZE", [x], [scores])
    corners = rng.uniform(0, 1, (count, 4))
    name = f"NON_MAX_SUPPRESSION_V{4 + seed % 2}"
    numbers = [g.constant(np.float32(n), "float32") for n in
               (0.3, 0.1, *([0.5 * (seed // 2 % 2)] if seed % 2 else []))]
    g.outputs = [g.tensor((most,), "int32"),
                 *([g.tensor((most,), "float32")] if seed % 2 else []), g.tensor((), "int32")]
    g.operator(name, [g.constant(corners, "float32"), scores, g.constant(np.int32(most)), *numbers],
               g.outputs)
    return g
