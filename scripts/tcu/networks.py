#!/usr/bin/env python3
"""Writes the two networks that Tensil published compiled programs of as ONNX files.

  scripts/tcu/networks.py OUT [--conformance FOLDER]

OUT/resnet20.onnx is ResNet-20 v2 for CIFAR-10, OUT/speech.onnx the speech commands network of the
speech robot. Weights are those of the constants beside the programs (facts: the order in which a
program uses them), else seeded random ones of the same size: cycles do not depend on values. Also
writes the inputs beside the programs as float32 files, OUT/NAME.INDEX.bin.
"""
import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "compiler/test/executors"))
import environment  # noqa: E402

RESNET = "resnet20_32x32_local_isolated"
SPEECH = "speech_8x8"
STEPS = 256  # of FP16BP8 from 0 to 1


class Constants:
    """Those of a .tdata file in its order, or random ones."""

    def __init__(self, lanes, folder):
        import numpy
        self.lanes = lanes
        self.rng = numpy.random.default_rng(1)
        self.codes = None
        if folder is not None:
            file, = folder.glob("*.tdata")
            self.codes = numpy.fromfile(file, "<i2").reshape(-1, lanes)
        self.next = 0

    def rows(self, height, width, spread):
        """A matrix of which each row is padded to whole vectors."""
        import numpy
        if self.codes is None:
            return (self.rng.standard_normal((height, width)) * spread).astype(numpy.float32)
        blocks = -(-width // self.lanes)
        part = self.codes[self.next:self.next + height * blocks].reshape(height, -1)[:, :width]
        self.next += height * blocks
        return part.astype(numpy.float32) / STEPS

    def vector(self, size, middle=0.0):
        return self.rows(1, size, 0.1)[0] + (middle if self.codes is None else 0)

    def matrix(self, inputs, outputs):
        height = -(-inputs // self.lanes) * self.lanes
        return self.rows(height, outputs, inputs ** -0.5)[:inputs]

    def kernel(self, size, inputs, outputs):
        """In ONNX's order."""
        height = -(-inputs // self.lanes) * self.lanes
        rows = self.rows(size * size * height, outputs, (size * size * inputs) ** -0.5)
        return rows.reshape(size, size, height, outputs)[:, :, :inputs].transpose(3, 2, 0, 1)

    def skip(self, vectors):
        self.next += vectors


class Network:
    def __init__(self, constants):
        self.constants = constants
        self.nodes, self.initializers = [], []

    def constant(self, name, values):
        import numpy
        from onnx import numpy_helper
        self.initializers.append(numpy_helper.from_array(numpy.ascontiguousarray(values), name))
        return name

    def add(self, operator, inputs, name, **attributes):
        from onnx import helper
        self.nodes.append(helper.make_node(operator, inputs, [name], name=name, **attributes))
        return name

    def conv(self, name, x, size, inputs, outputs, stride=1, bias=True, same=True):
        names = [self.constant(name + ".b", self.constants.vector(outputs))] if bias else []
        kernel = self.constant(name + ".w", self.constants.kernel(size, inputs, outputs))
        return self.add("Conv", [x, kernel, *names], name, kernel_shape=[size, size],
                        strides=[stride, stride], pads=[size // 2 if same else 0] * 4)

    def norm(self, name, x, channels):
        """A batch normalisation that is a factor and an offset, and the ReLU behind it."""
        import numpy
        names = [self.constant(name + ".scale", self.constants.vector(channels, 1.0)),
                 self.constant(name + ".offset", self.constants.vector(channels)),
                 self.constant(name + ".mean", numpy.zeros(channels, numpy.float32)),
                 self.constant(name + ".var", numpy.ones(channels, numpy.float32))]
        out = self.add("BatchNormalization", [x, *names], name, epsilon=0.0)
        return self.add("Relu", [out], name + ".relu")

    def dense(self, name, x, inputs, outputs, bias_first=False):
        order = [("b", self.constants.vector, (outputs,)),
                 ("w", self.constants.matrix, (inputs, outputs))]
        for suffix, make, size in order if bias_first else reversed(order):
            self.constant(f"{name}.{suffix}", make(*size))
        out = self.add("MatMul", [x, name + ".w"], name + ".product")
        return self.add("Add", [out, name + ".b"], name)

    def model(self, shape, outputs):
        from onnx import TensorProto, helper
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, of)
                  for name, of in (("x", shape), ("y", [1, outputs]))]
        graph = helper.make_graph(self.nodes, "network", values[:1], values[1:],
                                  self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        model.ir_version = 8
        return model


def resnet20(folder):
    """Pre-activation bottlenecks, two in each of three stages; 61.476 M products."""
    import numpy
    n = Network(Constants(32, folder))
    x, channels = n.add("Relu", [n.conv("first", "x", 3, 3, 16)], "first.relu"), 16
    for stage, outputs in enumerate((64, 128, 256)):
        inner = 16 if stage == 0 else outputs // 2
        for block in range(2):
            name = f"s{stage}b{block}"
            stride = 2 if stage > 0 and block == 0 else 1
            before = x
            if block == 0:
                x = n.conv(name + ".short", x, 1, channels, outputs, stride)
            active = before if name == "s0b0" else n.norm(name + ".norm", before, channels)
            y = n.conv(name + ".a", active, 1, channels, inner, stride)
            y = n.conv(name + ".b", n.add("Relu", [y], y + ".relu"), 3, inner, inner)
            y = n.conv(name + ".c", n.add("Relu", [y], y + ".relu"), 1, inner, outputs,
                       bias=block == 1)
            x = n.add("Add", [x, y], name)
            channels = outputs
    y = n.norm("last.norm", x, channels)
    n.constants.skip(1)  # the factor of the average
    y = n.add("AveragePool", [y], "average", kernel_shape=[8, 8])
    y = n.add("Reshape", [y, n.constant("shape", numpy.array([1, 256]))], "flat")
    n.add("Identity", [n.dense("dense", y, 256, 10, bias_first=True)], "y")
    return n, n.model([1, 3, 32, 32], 10)


def speech(folder):
    """Spectrograms of 124 x 129; 27.9 M products."""
    import numpy
    n = Network(Constants(8, folder))
    n.constants.skip(175)  # weights of the Resize
    sizes = n.constant("sizes", numpy.array([1, 1, 32, 32]))
    y = n.add("Resize", ["x", "", "", sizes], "resize", mode="linear",
              coordinate_transformation_mode="half_pixel")
    mean, scale = n.constants.rows(1024, 1, 0.1)[0], n.constants.rows(1024, 1, 1.0)[0]
    y = n.add("Sub", [y, n.constant("mean", mean)], "sub")
    y = n.add("Mul", [y, n.constant("scale", scale)], "mul")
    for index, (inputs, outputs) in enumerate(((1, 32), (32, 64), (64, 32))):
        y = n.conv(f"conv{index}", y, 3, inputs, outputs, same=False)
        y = n.add("Relu", [y], f"conv{index}.relu")
    y = n.add("MaxPool", [y], "pool", kernel_shape=[2, 2], strides=[2, 2])
    y = n.add("Transpose", [y], "transpose", perm=[0, 2, 3, 1])
    y = n.add("Reshape", [y, n.constant("shape", numpy.array([1, 5408]))], "flat")
    y = n.add("Relu", [n.dense("dense0", y, 5408, 128)], "dense0.relu")
    n.add("Identity", [n.dense("dense1", y, 128, 12)], "y")
    return n, n.model([1, 1, 124, 129], 12)


def write_inputs(out, name, folder, lanes, shape):
    """The inputs of the program, which has pixels of one vector each, in ONNX's order."""
    import numpy
    channels, pixels = shape[1], shape[2] * shape[3]
    codes = numpy.fromfile(folder / "inputs.bin", "<i2").reshape(-1, pixels, lanes)
    for index, one in enumerate(codes):
        reals = one[:, :channels].T.astype(numpy.float32) / STEPS
        reals.tofile(out / f"{name}.{index}.bin")


def write(out, conformance):
    """The files; names of the networks."""
    out.mkdir(parents=True, exist_ok=True)
    for name, make, program, shape in (("resnet20", resnet20, RESNET, (1, 3, 32, 32)),
                                       ("speech", speech, SPEECH, (1, 1, 124, 129))):
        folder = conformance / program if conformance is not None else None
        network, model = make(folder)
        constants = network.constants
        if folder is not None:
            if constants.next != len(constants.codes):
                sys.exit(f"{folder}: {len(constants.codes)} vectors of constants: "
                         f"want {constants.next}")
            write_inputs(out, name, folder, constants.lanes, shape)
        (out / f"{name}.onnx").write_bytes(model.SerializeToString())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_TENSIL"),
                        type=pathlib.Path, help="default: $MACRAME_TENSIL; else random weights")
    arguments = parser.parse_args()
    environment.enter("ONNX")
    write(arguments.out, arguments.conformance)


if __name__ == "__main__":
    main()
