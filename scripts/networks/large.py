#!/usr/bin/env python3
"""Large networks as int8 TFLite files: the layers of published ones, with weights drawn at random,
such that activations keep their size through the network. They find nothing; they are for the
seconds and memory of the compiler (compile_time.py).

    large.py FOLDER [--networks NAME ...]

Each is FOLDER/NAME/model.tflite. yolov5n and yolov8n have the boxes behind their heads, as
exporters write them, without the choice among these; movenet_lightning has its four heads, and of
the key points their places.
"""
import argparse
from pathlib import Path

import numpy as np
from quantised import scale_of
from shapes import Layer, Shapes, groups_of_mobilenet_v2

CLASSES = 80
REACH = 16  # of a side of a box in YOLOv8, in steps of its stride


class Large(Shapes):
    """With the operators of detectors and of networks whose outputs are pictures."""

    def like(self, x, shape):
        """A tensor of another shape with the scale of x."""
        y = self.tensor(shape, scale=x.scale, zero=x.zero)
        return self.done(y, self.square[x.index])

    def within(self, shape, low, high, square=1.0):
        return self.done(self.tensor(shape, **scale_of(low, high)), square)

    def pad(self, x, count):
        """So many lines and columns on each side."""
        _, height, width, channels = x.shape
        y = self.like(x, (1, height + 2 * count, width + 2 * count, channels))
        sides = np.array([[0, 0], [count, count], [count, count], [0, 0]], np.int32)
        self.operator("PAD", [x, self.constant(sides)], [y])
        return y

    def atrous(self, x, dilation):
        """Depthwise, 3 x 3, of stride 1."""
        channels = x.shape[3]
        weights = self.draw((1, 3, 3, channels), 9, x)
        y = self.within(x.shape, 0, 6, 0.5)
        bias = self.rng.normal(0, 0.1, channels)
        self.operator("DEPTHWISE_CONV_2D", [x, *self.parameters(x, weights, bias, 3)], [y],
                      padding="SAME", stride_h=1, stride_w=1, depth_multiplier=1,
                      activation="RELU6", dilation_h=dilation, dilation_w=dilation)
        return y

    def product(self, a, b, low, high, square=1.0):
        y = self.within(np.broadcast_shapes(a.shape, b.shape), low, high, square)
        self.operator("MUL", [a, b], [y], activation="NONE")
        return y

    def logistic(self, x):
        y = self.done(self.tensor(x.shape, scale=1 / 256, zero=-128), 0.3)
        self.operator("LOGISTIC", [x], [y])
        return y

    def silu(self, x):
        return self.product(x, self.logistic(x), -0.28, 4, 0.36)

    def cbs(self, x, kernels, size=1, stride=1):
        """Convolution and SiLU. Of a stride of 2 the padding is an operator of its own."""
        if stride == 1:
            return self.silu(self.layer("conv", x, kernels, size, 1, "NONE"))
        padded = self.pad(x, (size - 1) // 2)
        self.layers.append(Layer("conv", *x.shape[1:], kernels, size, stride, "NONE"))
        weights = self.draw((kernels, size, size, x.shape[3]), size * size * x.shape[3], x)
        y = self.conv(padded, weights, self.rng.normal(0, 0.1, kernels), self.bounds("NONE"),
                      stride, padding="VALID")
        return self.silu(self.done(y, 1.0))

    def concat(self, tensors, axis=3):
        """Each with the scale of the first."""
        shape = list(tensors[0].shape)
        shape[axis] = sum(x.shape[axis] for x in tensors)
        y = self.like(tensors[0], shape)
        self.operator("CONCATENATION", tensors, [y], axis=axis, activation="NONE")
        return y

    def part(self, x, begin, size):
        y = self.like(x, size)
        self.operator("SLICE", [x, self.constant(begin), self.constant(size)], [y])
        return y

    def channels(self, x, first, count):
        """Of the last axis."""
        return self.part(x, [0] * (len(x.shape) - 1) + [first], [*x.shape[:-1], count])

    def nearest(self, x):
        """Twice as high and wide."""
        _, height, width, channels = x.shape
        y = self.like(x, (1, 2 * height, 2 * width, channels))
        self.operator("RESIZE_NEAREST_NEIGHBOR", [x, self.constant([2 * height, 2 * width])], [y],
                      align_corners=False, half_pixel_centers=True)
        return y

    def bilinear(self, x, height, width, **how):
        y = self.like(x, (1, height, width, x.shape[3]))
        self.operator("RESIZE_BILINEAR", [x, self.constant([height, width])], [y],
                      **{"align_corners": False, "half_pixel_centers": False, **how})
        return y

    def reshape(self, x, shape):
        y = self.like(x, shape)
        self.operator("RESHAPE", [x, self.constant(shape)], [y])
        return y

    def transpose(self, x, order):
        y = self.like(x, [x.shape[axis] for axis in order])
        self.operator("TRANSPOSE", [x, self.constant(order)], [y])
        return y

    def constant_of(self, values):
        """Real values, one scale and zero point for all."""
        scale = scale_of(float(values.min()), float(values.max()) + 1e-3)
        elements = np.clip(np.rint(values / scale["scale"]) + scale["zero"], -128, 127)
        return self.constant(elements, "int8", scale["scale"], scale["zero"])

    def linear(self, name, a, b, low, high):
        """ADD or SUB."""
        y = self.within(np.broadcast_shapes(a.shape, b.shape), low, high)
        self.operator(name, [a, b], [y], activation="NONE")
        return y


def spatial_pyramid(net, x):
    kernels = x.shape[3]
    y = [net.cbs(x, kernels // 2)]
    for _ in range(3):
        y.append(net.done(net.pool("MAX", y[-1], 5, 1, "SAME"), net.square[y[-1].index]))
    return net.cbs(net.concat(y), kernels)


def bottleneck(net, x, first, shortcut):
    y = net.cbs(net.cbs(x, x.shape[3], first), x.shape[3], 3)
    return net.sum(x, y, "NONE") if shortcut else y


def c3(net, x, kernels, repeats=1, shortcut=True):
    """YOLOv5."""
    y = net.cbs(x, kernels // 2)
    for _ in range(repeats):
        y = bottleneck(net, y, 1, shortcut)
    return net.cbs(net.concat([y, net.cbs(x, kernels // 2)]), kernels)


def c2f(net, x, kernels, repeats=1, shortcut=True):
    """YOLOv8."""
    both = net.cbs(x, kernels)
    y = [net.channels(both, 0, kernels // 2), net.channels(both, kernels // 2, kernels // 2)]
    for _ in range(repeats):
        y.append(bottleneck(net, y[-1], 3, shortcut))
    return net.cbs(net.concat(y), kernels)


def pyramid(net, block, first):
    """Backbone and neck: three pictures, from the finest to the coarsest."""
    x = net.cbs(net.x, 16, first, 2)
    x = block(net, net.cbs(x, 32, 3, 2), 32)
    fine = block(net, net.cbs(x, 64, 3, 2), 64, 2)
    middle = block(net, net.cbs(fine, 128, 3, 2), 128, 3 if block is c3 else 2)
    x = spatial_pyramid(net, block(net, net.cbs(middle, 256, 3, 2), 256))
    narrow = block is c3
    coarse = net.cbs(x, 128) if narrow else x
    x = block(net, net.concat([net.nearest(coarse), middle]), 128, 1, False)
    middle = net.cbs(x, 64) if narrow else x
    fine = block(net, net.concat([net.nearest(middle), fine]), 64, 1, False)
    x = net.concat([net.cbs(fine, 64, 3, 2), middle])
    middle = block(net, x, 128, 1, False)
    x = net.concat([net.cbs(middle, 128, 3, 2), coarse])
    return [fine, middle, block(net, x, 256, 1, False)]


def grid(height, width):
    """x and y of each place, (places, 2)."""
    return np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2)


def yolov5n(size):
    net = Large(5, size, size)
    boxes = []
    values = 5 + CLASSES
    for x in pyramid(net, c3, 6):
        _, height, width, _ = x.shape
        y = net.logistic(net.layer("conv", x, 3 * values, 1, 1, "NONE"))
        y = net.transpose(net.reshape(y, (1, height * width, 3, values)), (0, 2, 1, 3))
        places = net.constant_of((2 * grid(height, width) - 1)[None, None] / (2 * width))
        sides = net.constant_of(net.rng.uniform(0.02, 0.5, (1, 3, 1, 2)))
        xy = net.linear("ADD", net.product(net.channels(y, 0, 2), net.constant_of(
            np.full((1, 1, 1, 1), 2 / width)), 0, 1), places, 0, 1)
        wide = net.channels(y, 2, 2)
        wh = net.product(net.product(wide, wide, 0, 1), sides, 0, 1)
        y = net.concat([xy, wh, net.channels(y, 4, values - 4)])
        boxes.append(net.reshape(y, (1, 3 * height * width, values)))
    net.finish(net.concat(boxes, 1))
    return net


def yolov8n(size):
    net = Large(8, size, size)
    found, centres = [], []
    for x in pyramid(net, c2f, 3):
        _, height, width, _ = x.shape
        heads = []
        for inner, kernels in ((64, 4 * REACH), (CLASSES, CLASSES)):
            y = net.cbs(net.cbs(x, inner, 3), inner, 3)
            heads.append(net.layer("conv", y, kernels, 1, 1, "NONE"))
        y = net.concat(heads)
        found.append(net.reshape(y, (1, height * width, y.shape[3])))
        centres.append((grid(height, width) + 0.5) / width)
    x = net.concat(found, 1)
    places = x.shape[1]
    sides = net.reshape(net.channels(x, 0, 4 * REACH), (1, places, 4, REACH))
    sides = net.done(net.softmax(sides), 0.1)
    steps = net.constant_of(np.arange(REACH, dtype=float).reshape(1, 1, 1, REACH))
    y = net.within((1, places, 4), 0, REACH)
    net.operator("SUM", [net.product(sides, steps, 0, REACH), net.constant([3])], [y],
                 keep_dims=False)
    y = net.product(y, net.constant_of(np.full((1, 1, 1), 1 / 80)), 0, 1)
    centre = net.constant_of(np.concatenate(centres)[None])
    low = net.linear("SUB", centre, net.channels(y, 0, 2), -0.5, 1.5)
    high = net.linear("ADD", centre, net.channels(y, 2, 2), -0.5, 1.5)
    middle = net.product(net.linear("ADD", low, high, -1, 3),
                         net.constant_of(np.full((1, 1, 1), 0.5)), 0, 1)
    classes = net.logistic(net.channels(x, 4 * REACH, CLASSES))
    net.finish(net.concat([middle, net.linear("SUB", high, low, 0, 1), classes], 2))
    return net


def movenet_lightning(size):
    net = Large(11, size, size)
    _, quarter, eighth, _, sixteenth, _, last = groups_of_mobilenet_v2(net)
    x = net.layer("conv", last, 64, 1, 1, "NONE")
    for finer, kernels in ((sixteenth, 64), (eighth, 32), (quarter, 24)):
        wide = net.bilinear(x, *finer.shape[1:3], half_pixel_centers=True)
        x = net.sum(wide, net.layer("conv", finer, wide.shape[3], 1, 1, "NONE"), "NONE")
        x = net.layer("conv", net.layer("depthwise", x, x.shape[3], 3), kernels, 1)
    _, height, width, _ = x.shape
    for kernels, points in ((1, False), (17, True), (34, False), (34, False)):
        y = net.layer("conv", net.layer("depthwise", x, x.shape[3], 3), 96, 1)
        y = net.layer("conv", y, kernels, 1, 1, "NONE")
        if not points:
            net.finish(y)
            continue
        heat = net.reshape(net.logistic(y), (1, height * width, kernels))
        best = net.tensor((1, kernels), "int32")
        net.operator("ARG_MAX", [heat, net.constant(1)], [best],
                     output_type=2)
        net.finish(best)
    return net


def deeplab(size):
    """Version 3 on MobileNet v2: 21 classes of each pixel."""
    net = Large(12, size, size)
    x = groups_of_mobilenet_v2(net, dilated=True)[-1]
    _, height, width, channels = x.shape
    mean = net.done(net.mean(x, (-1, 1)), 0.3)
    mean = net.layer("conv", net.reshape(mean, (1, 1, 1, channels)), 256, 1, 1, "RELU")
    mean = net.bilinear(mean, height, width, align_corners=True)
    x = net.concat([net.layer("conv", x, 256, 1, 1, "RELU"), mean])
    x = net.layer("conv", net.layer("conv", x, 256, 1, 1, "RELU"), 21, 1, 1, "NONE")
    x = net.bilinear(x, size, size, align_corners=True)
    best = net.tensor((1, size, size), "int64")
    net.operator("ARG_MAX", [x, net.constant(3)], [best], output_type=4)
    net.finish(best)
    return net


def edsr(height, width):
    """64 channels, 5 blocks; three times as high and wide."""
    net = Large(13, height, width)
    first = x = net.layer("conv", net.x, 64, 3, 1, "NONE")
    for _ in range(5):
        y = net.layer("conv", net.layer("conv", x, 64, 3, 1, "RELU"), 64, 3, 1, "NONE")
        x = net.sum(x, y, "NONE")
    x = net.sum(net.layer("conv", x, 64, 3, 1, "NONE"), first, "NONE")
    x = net.layer("conv", x, 27, 3, 1, "NONE")
    y = net.like(x, (1, 3 * height, 3 * width, 3))
    net.operator("DEPTH_TO_SPACE", [x], [y], block_size=3)
    net.finish(y)
    return net


NETWORKS = {
    "yolov5n_320": lambda: yolov5n(320), "yolov5n_640": lambda: yolov5n(640),
    "yolov8n_320": lambda: yolov8n(320), "yolov8n_640": lambda: yolov8n(640),
    "movenet_lightning_192": lambda: movenet_lightning(192),
    "deeplab_v3_513": lambda: deeplab(513),
    "edsr_64_5_360x640": lambda: edsr(360, 640),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--networks", nargs="+", choices=list(NETWORKS), default=list(NETWORKS))
    arguments = parser.parse_args()
    for name in arguments.networks:
        net = NETWORKS[name]()
        path = arguments.folder / name / "model.tflite"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(net.bytes())
        macs = sum(layer.macs() for layer in net.layers)
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, {macs / 1e6:.0f} M MAC in layers")


if __name__ == "__main__":
    main()
