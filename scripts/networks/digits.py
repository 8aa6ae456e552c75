#!/usr/bin/env python3
"""Makes the network of compiler/examples/digits: draws its data, trains it, quantises it.

    digits.py FOLDER [--macrame PROGRAM] [--preset P]

writes digits.tflite, classes.txt (names of classes), pictures/ with one of each digit and
labels.txt (their classes). All is drawn and trained here, from fixed seeds, with numpy alone, in
some minutes on one core; the same machine makes the same bytes, another one may round sums
differently. What is tested with was drawn with other seeds and never trained with. With --macrame
the quantised network classifies the test pictures on the golden model.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # sums always in the same order

import argparse
import struct
import subprocess
import tempfile
import time
import zlib
from pathlib import Path

import numpy as np
from draw_digits import dataset
from quantised import QuantisedNetwork
from training import Adam, Conv, Dense, Depthwise, softmax

TRAIN, TEST, EPOCHS, BATCH = 16000, 3000, 12, 100
TRAIN_SEED, TEST_SEED = 1, 2


class Network:
    """28x28 -> conv 3x3 /2 (8) -> depthwise 3x3, conv 1x1 (16) -> conv 3x3 /2 (16) -> a block with
    a residual (16) -> conv 3x3 /2 (24) -> mean -> 10."""

    def __init__(self, rng):
        self.first = Conv(rng, 1, 8, stride=2, same=False)
        self.depthwise = Depthwise(rng, 8)
        self.pointwise = Conv(rng, 8, 16, kernel=1)
        self.down = Conv(rng, 16, 16, stride=2)
        self.inner = [Conv(rng, 16, 16), Conv(rng, 16, 16, relu=False)]
        self.inner[1].weights *= 0.5
        self.last = Conv(rng, 16, 24, stride=2)
        self.dense = Dense(rng, 24, 10)
        self.head = [self.first, self.depthwise, self.pointwise, self.down]
        self.layers = [*self.head, *self.inner, self.last, self.dense]

    def forward(self, x):
        """Logits. Keeps the activations, for gradients and ranges."""
        for layer in self.head:
            x = layer.forward(x)
        y = self.inner[1].forward(self.inner[0].forward(x))
        self.sum = np.maximum(x + y, 0)
        self.features = self.last.forward(self.sum)
        self.mean = self.features.mean(axis=(1, 2))
        return self.dense.forward(self.mean)

    def backward(self, dy):
        dy = self.dense.backward(dy)
        _, height, width, _ = self.features.shape
        dy = np.broadcast_to(dy[:, None, None] / (height * width), self.features.shape)
        dy = self.last.backward(dy) * (self.sum > 0)
        dx = dy + self.inner[0].backward(self.inner[1].backward(dy))
        for layer in reversed(self.head):
            dx = layer.backward(dx)


def real(pictures):
    return pictures.astype(np.float32) / 255


def accuracy(network, pictures, digits):
    right = [network.forward(real(pictures[i:i + 500])).argmax(axis=1) == digits[i:i + 500]
             for i in range(0, len(digits), 500)]
    return np.concatenate(right).mean()


def train(pictures, digits, test):
    rng = np.random.default_rng(TRAIN_SEED)
    network = Network(rng)
    optimiser = Adam(network.layers, 0.004)
    steps, step = EPOCHS * len(digits) // BATCH, 0
    for epoch in range(EPOCHS):
        order, loss, begin = rng.permutation(len(digits)), 0.0, time.time()
        for i in range(0, len(order), BATCH):
            batch = order[i:i + BATCH]
            p = softmax(network.forward(real(pictures[batch])))
            loss -= np.log(p[np.arange(BATCH), digits[batch]] + 1e-9).sum()
            p[np.arange(BATCH), digits[batch]] -= 1
            network.backward(p / BATCH)
            optimiser.update(0.5 + 0.5 * np.cos(np.pi * step / steps))
            step += 1
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {loss / len(order):.4f}, test accuracy "
              f"{100 * accuracy(network, *test):.2f} %, {time.time() - begin:.0f} s", flush=True)
    return network


def quantise(network, pictures):
    """Ranges of activations are those of `pictures`, which were trained with."""
    network.forward(real(pictures))

    def parameters(layer):
        return layer.weights.astype(float), layer.bias.astype(float)

    def bounds(values):
        return float(values.min()), float(values.max())
    made = QuantisedNetwork("digits: made by scripts/networks/digits.py")
    x = made.start((1, 28, 28, 1), 0.0, 1.0)
    x = made.conv(x, *parameters(network.first), bounds(network.first.y), 2, "RELU", "VALID",
                  "first")
    x = made.depthwise(x, *parameters(network.depthwise), bounds(network.depthwise.y), 1, "RELU",
                       "depthwise")
    x = made.conv(x, *parameters(network.pointwise), bounds(network.pointwise.y), 1, "RELU",
                  name="pointwise")
    x = made.conv(x, *parameters(network.down), bounds(network.down.y), 2, "RELU", name="down")
    y = made.conv(x, *parameters(network.inner[0]), bounds(network.inner[0].y), 1, "RELU",
                  name="inner 1")
    y = made.conv(y, *parameters(network.inner[1]), bounds(network.inner[1].y), name="inner 2")
    x = made.add(x, y, bounds(network.sum), "RELU", "sum")
    x = made.conv(x, *parameters(network.last), bounds(network.last.y), 2, "RELU", name="features")
    x = made.mean(x, bounds(network.mean), "mean")
    x = made.fully_connected(x, *parameters(network.dense), bounds(network.dense.forward(
        network.mean)), "digit")
    made.outputs.append(made.softmax(x))
    return made.bytes()


def png(picture):
    """A grey picture as a PNG file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I",
                                                                        zlib.crc32(kind + data))
    height, width = picture.shape
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write_pictures(folder, pictures, digits):
    """The first picture of each digit, their true classes, and names of the classes."""
    names = "zero one two three four five six seven eight nine".split()
    (folder / "classes.txt").write_text("".join(f"{name}\n" for name in names))
    (folder / "pictures").mkdir(exist_ok=True)
    (folder / "labels.txt").write_text("".join(f"{digit}\n" for digit in range(10)))
    for digit in range(10):
        first = np.flatnonzero(digits == digit)[0]
        (folder / f"pictures/{digit}.png").write_bytes(png(pictures[first, :, :, 0]))


def test_quantised(macrame, preset, path, pictures, digits):
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = Path(folder) / "inputs.i8", Path(folder) / "outputs.i8"
        (pictures.astype(np.int16) - 128).astype(np.int8).tofile(inputs)
        subprocess.run([macrame, "run", path, "--preset", preset, "--input", inputs, "--output",
                        outputs], check=True)
        got = np.fromfile(outputs, np.int8).reshape(len(digits), 10).argmax(axis=1)
        return (got == digits).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--macrame", type=Path)
    parser.add_argument("--preset", default="nv_small")
    arguments = parser.parse_args()
    begin = time.time()
    pictures, digits = dataset(TRAIN_SEED, TRAIN)
    test = dataset(TEST_SEED, TEST)
    print(f"drew {TRAIN} pictures to train and {TEST} to test with, {time.time() - begin:.0f} s")
    network = train(pictures, digits, test)
    print(f"float: {100 * accuracy(network, *test):.2f} % of the test pictures")

    arguments.folder.mkdir(parents=True, exist_ok=True)
    path = arguments.folder / "digits.tflite"
    path.write_bytes(quantise(network, pictures[:1000]))
    write_pictures(arguments.folder, *test)
    print(f"{path}: {path.stat().st_size} bytes")
    if arguments.macrame:
        right = test_quantised(arguments.macrame, arguments.preset, path, *test)
        print(f"int8 on {arguments.preset}: {100 * right:.2f} % of the test pictures")
    print(f"{time.time() - begin:.0f} s")


if __name__ == "__main__":
    main()
