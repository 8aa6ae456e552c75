"""Networks whose constants have other types than float32: few bits, in blocks, half as many bits;
and casts. Weights of 4 bits are not in front of a MatMul, where ONNX Runtime's optimisations
quantise the other operand, too."""
import itertools

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
BYTES = {"uint8": TensorProto.UINT8, "int8": TensorProto.INT8}


def packed(values, bits):
    """The lower bits first, rows of whole bytes."""
    each = 8 // bits
    values = np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, -values.shape[-1] % each)])
    parts = values.reshape(*values.shape[:-1], -1, each).astype(np.uint32)
    return sum(parts[..., i] << bits * i for i in range(each)).astype(np.uint8)


class Cases:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.models = []

    def add(self, name, nodes, constants, shape):
        graph = helper.make_graph(
            [helper.make_node(kind, inputs, [made], **options)
             for kind, inputs, made, options in nodes], name,
            [helper.make_tensor_value_info("x", FLOAT, shape)],
            [helper.make_tensor_value_info("y", FLOAT, None)],
            [value if isinstance(value, TensorProto) else numpy_helper.from_array(value, key)
             for key, value in constants])
        model = helper.make_model(graph, opset_imports=[
            helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
        self.models.append((name, model.SerializeToString(), shape))


def four_bits(c, depth, kernels, block):
    for kind, low in ((TensorProto.INT4, -8), (TensorProto.UINT4, 0)):
        blocks = [-(-depth // block), kernels]
        for shape, zeros, options in (([kernels], [kernels], {"axis": 1}),
                                      (blocks, blocks, {"axis": 0, "block_size": block})):
            constants = [("s", c.rng.uniform(0.01, 0.1, shape).astype(np.float32))]
            for name, size in (("w", [depth, kernels]), ("z", zeros)):
                values = c.rng.integers(low, low + 16, size)
                constants.append((name, helper.make_tensor(name, kind, size, values.ravel())))
            c.add("DequantizeLinear", [("DequantizeLinear", ["w", "s", "z"], "r", options),
                                       ("Mul", ["x", "r"], "y", {})], constants, [depth, kernels])


def products(c, depth, kernels, seed):
    block, bits = 16, [4, 8][seed % 2]
    blocks = -(-depth // block)
    constants = [("w", packed(c.rng.integers(0, 1 << bits, (kernels, blocks, block)), bits)),
                 ("s", c.rng.uniform(0.01, 0.1, kernels * blocks).astype(np.float32))]
    zeros = packed(c.rng.integers(0, 1 << bits, (kernels, blocks)), bits)
    options = {"K": depth, "N": kernels, "bits": bits, "block_size": block,
               "domain": "com.microsoft"}
    c.add("MatMulNBits", [("MatMulNBits", ["x", "w", "s"], "y", options)], constants, [2, depth])
    c.add("MatMulNBits", [("MatMulNBits", ["x", "w", "s", "z"], "y", options)],
          [*constants, ("z", zeros.ravel())], [2, depth])


def resized(c):
    """Between bytes: fractions are dropped, those of int8 towards 0. Weights that are no powers of
    two make whole numbers only nearly, by the order of the sums."""
    for kind, factors, mode in itertools.product(
            (np.uint8, np.int8), ([2, 4], [3, 3], [2.5, 1.5], [0.75, 3]),
            ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")):
        scales = [("t", np.float32(0.02)), ("r", np.float32([1, 1, *factors]))]
        c.add("Resize", [("Relu", ["x"], "a", {}),
                         ("QuantizeLinear", ["a", "t", "z"], "q", {}),
                         ("Resize", ["q", "", "r"], "n", {
                             "mode": "linear", "coordinate_transformation_mode": mode}),
                         ("Cast", ["n"], "i", {"to": TensorProto.INT32}),
                         ("Cast", ["i"], "y", {"to": FLOAT})],
              [*scales, ("z", kind(113 if kind is np.uint8 else -3))], [1, 3, 4, 6])


def casts(c):
    ten = [("ten", np.float32(10))]
    for kind in BYTES.values():
        c.add("Cast", [("Mul", ["x", "ten"], "a", {}), ("Abs", ["a"], "b", {}),
                       ("Cast", ["b"], "n", {"to": kind}), ("Cast", ["n"], "i", {
                           "to": TensorProto.INT32}), ("Cast", ["i"], "y", {"to": FLOAT})],
              ten, [3, 5])
    c.add("CastLike", [("Mul", ["x", "ten"], "a", {}), ("CastLike", ["a", "like"], "n", {}),
                       ("CastLike", ["n", "x"], "y", {})], [*ten, ("like", np.int64(1))], [3, 5])
    half = c.rng.normal(size=5).astype(np.float16)
    c.add("Cast", [("Cast", ["h"], "f", {"to": FLOAT}), ("Mul", ["x", "f"], "y", {})],
          [("h", half)], [3, 5])


def cases(seed):
    c = Cases(seed)
    depth, kernels = (int(n) for n in c.rng.integers(3, 50, 2))
    four_bits(c, depth, kernels, int(c.rng.integers(2, 9)))
    products(c, depth, kernels, seed)
    casts(c)
    resized(c)
    return c.models
