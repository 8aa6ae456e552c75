#!/usr/bin/env python3
"""MobileNet v1 1.0 224, MobileNet v2 1.0 224, ResNet-18 and ResNet-50 v1.5 as int8 TFLite files:
the published shapes with weights drawn at random, such that activations keep their size through the
network. They recognise nothing; they are for compile time, speed and cycles.

    shapes.py FOLDER              the four networks
    shapes.py FOLDER --layers     and the ten dearest layers of each, as networks of their own, for
                                  the design; height is cut where nv_small would need more than
                                  --cycles for a layer
"""
import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from quantised import QuantisedNetwork

CLASSES = 1000
LAYER_CYCLES = 2000000


@dataclass(frozen=True)
class Layer:
    """A convolution: what it is and how large."""
    kind: str
    height: int
    width: int
    channels: int
    kernels: int
    size: int
    stride: int
    activation: str

    def macs(self):
        positions = -(-self.height // self.stride) * -(-self.width // self.stride)
        inner = 1 if self.kind == "depthwise" else self.channels
        return positions * self.kernels * inner * self.size ** 2

    def cycles(self):
        """About, on nv_small: 64 products, one element of the output a cycle."""
        positions = -(-self.height // self.stride) * -(-self.width // self.stride)
        blocks = 8 if self.kind == "depthwise" else 1
        return max(self.macs() * blocks // 64, positions * self.kernels)

    def name(self):
        return (f"{self.kind}_{self.size}x{self.size}_s{self.stride}_"
                f"{self.height}x{self.width}x{self.channels}_{self.kernels}")


class Shapes(QuantisedNetwork):
    """Remembers the mean square of each tensor's real values: weights are drawn so that what a
    convolution gives has 1, before its activation."""

    def __init__(self, seed, height=224, width=224, channels=3):
        super().__init__()
        self.rng = np.random.default_rng(seed)
        self.layers = []
        self.square = {}
        self.x = self.start((1, height, width, channels), -1.0, 1.0)
        self.square[self.x.index] = 1 / 3

    def draw(self, shape, terms, x):
        deviation = 1 / np.sqrt(terms * self.square[x.index])
        return self.rng.normal(0, deviation, shape).astype(np.float32)

    def bounds(self, activation, deviation=1.0):
        high = 4 * deviation
        return {"NONE": (-high, high), "RELU": (0, high), "RELU6": (0, 6)}[activation]

    def done(self, y, square):
        self.square[y.index] = square
        return y

    def layer(self, kind, x, kernels, size, stride=1, activation="RELU6"):
        _, height, width, channels = x.shape
        made = Layer(kind, height, width, channels, kernels, size, stride, activation)
        self.layers.append(made)
        bias = self.rng.normal(0, 0.1, kernels)
        bounds = self.bounds(activation)
        name = f"{len(self.layers)}_{made.name()}"
        if kind == "depthwise":
            weights = self.draw((1, size, size, channels), size * size, x)
            y = self.depthwise(x, weights, bias, bounds, stride, activation, name)
        else:
            weights = self.draw((kernels, size, size, channels), size * size * channels, x)
            y = self.conv(x, weights, bias, bounds, stride, activation, name=name)
        return self.done(y, 1 if activation == "NONE" else 0.5)

    def sum(self, a, b, activation):
        square = self.square[a.index] + self.square[b.index]
        bounds = self.bounds(activation, np.sqrt(square))
        return self.done(self.add(a, b, bounds, activation),
                         square * (1 if activation == "NONE" else 0.75))

    def classify(self, x):
        """x: a vector. Logits have a deviation of 4, so that softmax has something to choose."""
        weights = 4 * self.draw((CLASSES, x.shape[-1]), x.shape[-1], x)
        y = self.fully_connected(x, weights, self.rng.normal(0, 0.1, CLASSES), (-16, 16))
        self.finish(self.softmax(y))

    def finish(self, y):
        self.outputs.append(y)


def mobilenet_v1():
    net = Shapes(1)
    x = net.layer("conv", net.x, 32, 3, 2)
    blocks = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + \
        [(1024, 2), (1024, 1)]
    for kernels, stride in blocks:
        x = net.layer("depthwise", x, x.shape[3], 3, stride)
        x = net.layer("conv", x, kernels, 1)
    y = net.done(net.pool("AVERAGE", x, 7, 2, "VALID"), 0.3)
    y = net.layer("conv", y, CLASSES, 1, 1, "NONE")
    net.finish(net.softmax(net.flatten(y)))
    return net


def groups_of_mobilenet_v2(net, dilated=False):
    """What each group of blocks gives; dilated: at 1/16 of the size the steps end."""
    out = []
    x = net.layer("conv", net.x, 32, 3, 2)
    blocks = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
              (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, kernels, repeats, first_stride in blocks:
        for i in range(repeats):
            stride = first_stride if i == 0 else 1
            y = x if expansion == 1 else net.layer("conv", x, expansion * x.shape[3], 1)
            if dilated and kernels >= 160:
                y = net.atrous(y, 1 if i == 0 and kernels == 160 else 2)
            else:
                y = net.layer("depthwise", y, y.shape[3], 3, stride)
            y = net.layer("conv", y, kernels, 1, 1, "NONE")
            x = net.sum(x, y, "NONE") if y.shape == x.shape else y
        out.append(x)
    return out


def mobilenet_v2():
    net = Shapes(2)
    x = net.layer("conv", groups_of_mobilenet_v2(net)[-1], 1280, 1)
    net.classify(net.done(net.mean(x, (0, 2)), 0.3))
    return net


def resnet18():
    net = Shapes(4)
    x = net.layer("conv", net.x, 64, 7, 2, "RELU")
    x = net.done(net.pool("MAX", x, 3, 2, "SAME"), 1.0)
    for kernels, first_stride in [(64, 1), (128, 2), (256, 2), (512, 2)]:
        for i in range(2):
            stride = first_stride if i == 0 else 1
            y = net.layer("conv", x, kernels, 3, stride, "RELU")
            y = net.layer("conv", y, kernels, 3, 1, "NONE")
            if stride > 1:
                x = net.layer("conv", x, kernels, 1, stride, "NONE")
            x = net.sum(x, y, "RELU")
    net.classify(net.done(net.mean(x, (0, 4)), 1.0))
    return net


def resnet50():
    net = Shapes(3)
    x = net.layer("conv", net.x, 64, 7, 2, "RELU")
    x = net.done(net.pool("MAX", x, 3, 2, "SAME"), 1.0)
    for kernels, repeats, first_stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for i in range(repeats):
            stride = first_stride if i == 0 else 1
            y = net.layer("conv", x, kernels, 1, 1, "RELU")
            y = net.layer("conv", y, kernels, 3, stride, "RELU")
            y = net.layer("conv", y, 4 * kernels, 1, 1, "NONE")
            if i == 0:
                x = net.layer("conv", x, 4 * kernels, 1, stride, "NONE")
            x = net.sum(x, y, "RELU")
    net.classify(net.done(net.mean(x, (0, 4)), 1.0))
    return net


NETWORKS = {"mobilenet_v1": mobilenet_v1, "mobilenet_v2": mobilenet_v2,
            "resnet18": resnet18, "resnet50": resnet50}


def dearest(net, count=10):
    """Different layers, the dearest first."""
    return sorted(dict.fromkeys(net.layers), key=lambda layer: -layer.cycles())[:count]


def alone(layer, cycles):
    """The layer as a network, with fewer lines if it would take longer than `cycles`."""
    lines = -(-layer.height // layer.stride)
    lines = max(1, min(lines, cycles * lines // layer.cycles()))
    height = min(layer.height, max(lines * layer.stride, layer.size))
    net = Shapes(layer.channels, height, layer.width, layer.channels)
    net.finish(net.layer(layer.kind, net.x, layer.kernels, layer.size, layer.stride,
                         layer.activation))
    return net, height


def write_networks(folder, cycles=None):
    """All networks; their dearest layers too, if `cycles` are given."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in NETWORKS.items():
        net = make()
        path = folder / f"{name}.tflite"
        path.write_bytes(net.bytes())
        macs = sum(layer.macs() for layer in net.layers)
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, {macs / 1e6:.1f} M MAC in convolutions")
        for i, layer in enumerate(dearest(net) if cycles else []):
            single, height = alone(layer, cycles)
            path = folder / f"{name}_{i}_{single.layers[0].name()}.tflite"
            path.write_bytes(single.bytes())
            cut = "" if height == layer.height else f", {height} of {layer.height} lines"
            print(f"  {path.name}: {layer.macs() / 1e6:.1f} M MAC{cut}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layers", action="store_true")
    parser.add_argument("--cycles", type=int, default=LAYER_CYCLES, help="most of a layer")
    arguments = parser.parse_args()
    write_networks(arguments.folder, arguments.cycles if arguments.layers else None)


if __name__ == "__main__":
    main()
