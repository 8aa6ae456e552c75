#!/usr/bin/env python3
"""Whether Winograd convolutions of int8 give what direct ones give, for 3x3 layers of stride 1.

    PYTHON scripts/dla/winograd.py MODELS      PYTHON: of the folder that scripts/executors.sh makes

MODELS is as for networks.py. The design keeps transformed kernels and tiles in int8 each. A layer
is exact if all G g G' - times 4, 2 or 1, as SDP can divide each channel by that again - are
integers of 8 bits, and no tile B' d B saturates. Prints per layer: the kernels that fit, the tiles
of up to four inputs that saturate.
"""
import pathlib
import sys

import numpy as np
from tflite_runtime import interpreter

TWICE_G = np.array([[2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]])
B = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
INPUTS = 4


def fits(kernels):
    """Which kernels are int8 behind the transform, each with the factor that suits it."""
    transformed = np.einsum("ij,...jk,lk->...il", TWICE_G, kernels, TWICE_G)  # times 4
    axes = tuple(range(1, transformed.ndim))
    return np.any([((transformed % part == 0) & (abs(transformed) <= 127 * part)).all(axes)
                   for part in (1, 2, 4)], axis=0)


def saturated(image, zero):
    """Tiles of one channel that saturate, and all."""
    padded = np.pad(image.astype(int), ((1, 1), (1, 1), (0, 0)), constant_values=zero)
    tiles = np.lib.stride_tricks.sliding_window_view(padded, (4, 4), axis=(0, 1))[::2, ::2]
    values = np.einsum("ij,...jk,lk->...il", B, tiles, B)
    return int(((values > 127) | (values < -128)).any((-1, -2)).sum()), tiles[..., 0, 0].size


def layers(model):
    """Kernels, input and its zero point of 3x3 layers that keep the size of their input."""
    details = {t["index"]: t for t in model.get_tensor_details()}
    for op in model._get_ops_details():
        if op["op_name"] not in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            continue
        source, weights, result = op["inputs"][0], op["inputs"][1], op["outputs"][0]
        size, out = details[source]["shape"][1:3], details[result]["shape"][1:3]
        if tuple(details[weights]["shape"][1:3]) != (3, 3) or (size - out).max() not in (0, 2):
            continue
        kernels = model.get_tensor(weights).astype(int)
        axes = (0, 3, 1, 2) if op["op_name"] == "CONV_2D" else (3, 0, 1, 2)
        yield (op["op_name"], kernels.transpose(axes), model.get_tensor(source)[0],
               details[source]["quantization"][1])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    exact = total = 0
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*/model.tflite")):
        model = interpreter.Interpreter(
            str(path), experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=interpreter.OpResolverType.BUILTIN_REF)
        model.allocate_tensors()
        source = model.get_input_details()[0]
        inputs = np.fromfile(path.parent / "inputs.i8", np.int8).reshape(-1, *source["shape"])
        rows = []
        for data in inputs[:INPUTS]:
            model.set_tensor(source["index"], data)
            model.invoke()
            for i, (name, kernels, image, zero) in enumerate(layers(model)):
                if i == len(rows):
                    rows.append([name, fits(kernels), 0, 0])
                bad, tiles = saturated(image, zero)
                rows[i][2] += bad
                rows[i][3] += tiles
        for name, good, bad, tiles in rows:
            total += 1
            exact += bool(good.all()) and bad == 0
            print(f"{path.parent.name:<16} {name:<18} {good.sum():4} of {good.size:4} kernels fit, "
                  f"{100 * bad / tiles:5.1f} % of the tiles saturate")
    print(f"{exact} of {total} layers are exact")


if __name__ == "__main__":
    main()
