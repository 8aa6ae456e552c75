"""Small convolutional networks in numpy: layers with their gradients, and Adam.

Activations are [pictures, height, width, channels], weights as in TFLite: [kernels, height, width,
channels], depthwise [1, height, width, channels].
"""
import numpy as np


def padding(size, kernel, stride, same):
    """Before, behind, outputs: as TFLite's SAME or VALID."""
    if not same:
        return 0, 0, (size - kernel) // stride + 1
    count = -(-size // stride)
    total = max((count - 1) * stride + kernel - size, 0)
    return total // 2, total - total // 2, count


class Taps:
    """The inputs that each position of a kernel meets."""

    def __init__(self, shape, kernel, stride, same):
        self.kernel, self.stride = kernel, stride
        self.rows = padding(shape[1], kernel, stride, same)
        self.columns = padding(shape[2], kernel, stride, same)

    def pad(self, x):
        return np.pad(x, ((0, 0), self.rows[:2], self.columns[:2], (0, 0)))

    def views(self, padded):
        """Of a padded input, for each position of the kernel in order."""
        high, wide = self.rows[2] * self.stride, self.columns[2] * self.stride
        return [padded[:, i:i + high:self.stride, j:j + wide:self.stride]
                for i in range(self.kernel) for j in range(self.kernel)]

    def inner(self, padded):
        """Without the padding."""
        return padded[:, self.rows[0]:padded.shape[1] - self.rows[1],
                      self.columns[0]:padded.shape[2] - self.columns[1]]


class Conv:
    def __init__(self, rng, channels, kernels, kernel=3, stride=1, same=True, relu=True):
        scale = np.sqrt(2 / (channels * kernel ** 2))
        self.weights = rng.normal(0, scale, (kernels, kernel, kernel, channels)).astype(np.float32)
        self.bias = np.zeros(kernels, np.float32)
        self.kernel, self.stride, self.same, self.relu = kernel, stride, same, relu

    def forward(self, x):
        self.taps = Taps(x.shape, self.kernel, self.stride, self.same)
        self.padded = self.taps.pad(x)
        self.columns = np.concatenate(self.taps.views(self.padded), axis=3)
        y = self.columns @ self.weights.reshape(len(self.bias), -1).T + self.bias
        self.y = np.maximum(y, 0) if self.relu else y
        return self.y

    def backward(self, dy):
        dy = dy * (self.y > 0) if self.relu else dy
        flat = dy.reshape(-1, dy.shape[3])
        columns = self.columns.reshape(len(flat), -1)
        self.gradients = [(flat.T @ columns).reshape(self.weights.shape), flat.sum(axis=0)]
        parts = (flat @ self.weights.reshape(len(self.bias), -1)).reshape(*dy.shape[:3], -1)
        dx = np.zeros_like(self.padded)
        channels = self.padded.shape[3]
        for i, view in enumerate(self.taps.views(dx)):
            view += parts[..., i * channels:(i + 1) * channels]
        return self.taps.inner(dx)


class Depthwise:
    """3x3, stride 1, padding SAME, ReLU."""

    def __init__(self, rng, channels):
        self.weights = rng.normal(0, np.sqrt(2 / 9), (1, 3, 3, channels)).astype(np.float32)
        self.bias = np.zeros(channels, np.float32)

    def forward(self, x):
        self.taps = Taps(x.shape, 3, 1, True)
        self.padded = self.taps.pad(x)
        factors = self.weights.reshape(9, -1)
        y = self.bias + sum(view * factor
                            for view, factor in zip(self.taps.views(self.padded), factors))
        self.y = np.maximum(y, 0)
        return self.y

    def backward(self, dy):
        dy = dy * (self.y > 0)
        gradient = [np.einsum("nhwc,nhwc->c", view, dy) for view in self.taps.views(self.padded)]
        self.gradients = [np.stack(gradient).reshape(self.weights.shape), dy.sum(axis=(0, 1, 2))]
        dx = np.zeros_like(self.padded)
        for view, factor in zip(self.taps.views(dx), self.weights.reshape(9, -1)):
            view += dy * factor
        return self.taps.inner(dx)


class Dense:
    """Weights [kernels, channels]; input [pictures, channels]."""

    def __init__(self, rng, channels, kernels):
        self.weights = rng.normal(0, np.sqrt(1 / channels), (kernels, channels)).astype(np.float32)
        self.bias = np.zeros(kernels, np.float32)

    def forward(self, x):
        self.x = x
        return x @ self.weights.T + self.bias

    def backward(self, dy):
        self.gradients = [dy.T @ self.x, dy.sum(axis=0)]
        return dy @ self.weights


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


class Adam:
    """Of all layers with weights."""

    def __init__(self, layers, rate):
        self.layers, self.rate, self.step = layers, rate, 0
        self.moments = [[(np.zeros_like(p), np.zeros_like(p)) for p in (l.weights, l.bias)]
                        for l in layers]

    def update(self, factor):
        """factor: of the rate."""
        self.step += 1
        rate = self.rate * factor * np.sqrt(1 - 0.999 ** self.step) / (1 - 0.9 ** self.step)
        for layer, moments in zip(self.layers, self.moments):
            for value, gradient, (first, second) in zip((layer.weights, layer.bias),
                                                        layer.gradients, moments):
                first += 0.1 * (gradient - first)
                second += 0.001 * (gradient ** 2 - second)
                value -= (rate * first / (np.sqrt(second) + 1e-7)).astype(np.float32)
