"""Networks with real numbers as weights, as TFLite quantises them after training.

Weights: a scale for each kernel, -127 to 127. Biases: 32 bits, scale of input times weights.
Activations: one scale and zero point for the range of real values that is given.
"""
import numpy as np

from tflite_file import Network


def scale_of(low, high):
    """Scale and zero point of int8 for real values from low to high; 0 is among the values."""
    low, high = min(low, 0.0), max(high, 0.0)
    scale = float(np.float32((high - low) / 255))
    return {"scale": scale, "zero": int(np.clip(round(-128 - low / scale), -128, 127))}


def same(size, stride):
    """Outputs along an axis with padding SAME."""
    return -(-size // stride)


class QuantisedNetwork(Network):
    def start(self, shape, low, high):
        return self.input(shape, **scale_of(low, high), name="input")

    def parameters(self, x, weights, bias, axis):
        """Real weights and biases as constants; kernels are along `axis` of the weights."""
        others = tuple(i for i in range(weights.ndim) if i != axis)
        scale = (np.abs(weights).max(axis=others) / 127).astype(np.float32)
        scale = np.maximum(scale, np.float32(1e-8))
        along = scale.reshape([-1 if i == axis else 1 for i in range(weights.ndim)])
        elements = np.clip(np.rint(weights / along), -127, 127)
        bias_scale = (scale * x.scale[0]).astype(np.float32)
        return [self.constant(elements, "int8", scale, 0, axis),
                self.constant(np.rint(bias / bias_scale.astype(float)), "int32", bias_scale)]

    def conv(self, x, weights, bias, bounds, stride=1, activation="NONE", padding="SAME", name=""):
        """Weights [kernels, height, width, channels]."""
        size = [same(n if padding == "SAME" else n - k + 1, stride)
                for n, k in zip(x.shape[1:3], weights.shape[1:3])]
        y = self.tensor((1, *size, weights.shape[0]), **scale_of(*bounds), name=name)
        self.operator("CONV_2D", [x, *self.parameters(x, weights, bias, 0)], [y], padding=padding,
                      stride_h=stride, stride_w=stride, activation=activation)
        return y

    def depthwise(self, x, weights, bias, bounds, stride=1, activation="NONE", name=""):
        """Weights [1, height, width, channels], padding SAME."""
        y = self.tensor((1, *(same(n, stride) for n in x.shape[1:3]), x.shape[3]),
                        **scale_of(*bounds), name=name)
        self.operator("DEPTHWISE_CONV_2D", [x, *self.parameters(x, weights, bias, 3)], [y],
                      padding="SAME", stride_h=stride, stride_w=stride, depth_multiplier=1,
                      activation=activation)
        return y

    def fully_connected(self, x, weights, bias, bounds, name=""):
        """Weights [kernels, channels]; one scale for all of them."""
        flat = weights.reshape(1, -1)
        scale = np.float32(np.abs(flat).max() / 127)
        elements = np.clip(np.rint(weights / scale), -127, 127)
        bias_scale = float(scale * x.scale[0])
        y = self.tensor((1, weights.shape[0]), **scale_of(*bounds), name=name)
        self.operator("FULLY_CONNECTED",
                      [x, self.constant(elements, "int8", scale),
                       self.constant(np.rint(bias / bias_scale), "int32", bias_scale)], [y])
        return y

    def add(self, a, b, bounds, activation="NONE", name=""):
        y = self.tensor(a.shape, **scale_of(*bounds), name=name)
        self.operator("ADD", [a, b], [y], activation=activation)
        return y

    def pool(self, kind, x, size, stride, padding, name=""):
        out = [same(n if padding == "SAME" else n - size + 1, stride) for n in x.shape[1:3]]
        y = self.tensor((1, *out, x.shape[3]), scale=x.scale, zero=x.zero, name=name)
        self.operator(f"{kind}_POOL_2D", [x], [y], padding=padding, stride_h=stride,
                      stride_w=stride, filter_h=size, filter_w=size)
        return y

    def mean(self, x, bounds, name=""):
        """Over height and width."""
        y = self.tensor((1, x.shape[3]), **scale_of(*bounds), name=name)
        self.operator("MEAN", [x, self.constant([1, 2])], [y], keep_dims=False)
        return y

    def flatten(self, x, name=""):
        shape = (1, int(np.prod(x.shape)))
        y = self.tensor(shape, scale=x.scale, zero=x.zero, name=name)
        self.operator("RESHAPE", [x, self.constant(shape)], [y])
        return y

    def softmax(self, x, name="softmax"):
        y = self.tensor(x.shape, scale=1 / 256, zero=-128, name=name)
        self.operator("SOFTMAX", [x], [y], beta=1.0)
        return y
