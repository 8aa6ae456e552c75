#!/usr/bin/env python3
"""Adds inputs and outputs of TFLite's reference kernels to quantised networks, for zoo.py.

    tflite_zoo.py FILES OUT [--only WORD ...] [--floats]
    zoo.py MACRAME OUT

FILES is a folder of networks, NAME.tflite (packages.py takes them out of packages). OUT gets a
folder NAME for each that the reference kernels run and that has weights of 8 bits or activations of
8 or 16: model.tflite, inputs.bin (three runs of smooth noise; codes over their whole range, real
values from -1 to 1), outputs_ref.bin, tensors.json. Others are named and left out; with --floats,
those of float32 are made, too. Wants numpy and tflite-runtime (scripts/executors.sh).
"""
import argparse
import json
import multiprocessing
import sys
from pathlib import Path

RUNS = 3


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], help="in the name of the network")
    parser.add_argument("--floats", action="store_true", help="networks of float32, too")
    return parser.parse_args()


def interpreter_of(model):
    try:
        from tflite_runtime import interpreter as module
    except ImportError:
        from ai_edge_litert import interpreter as module
    made = module.Interpreter(model_content=model,
                              experimental_op_resolver_type=module.OpResolverType.BUILTIN_REF)
    made.allocate_tensors()
    return made


def drawn(detail, random):
    """Neighbours are like each other."""
    import numpy as np
    kind, shape = np.dtype(detail["dtype"]), detail["shape"]
    value = random.uniform(-1, 1, shape)
    for axis in [i for i, length in enumerate(shape) if length > 8]:
        for _ in range(3):
            value = (value + np.roll(value, 1, axis)) / 1.6
    value = np.clip(value, -1, 1)
    if kind.kind == "f":
        return value.astype(kind)
    if kind == np.bool_:
        return value > 0
    if kind.itemsize > 2:
        return random.integers(0, 128, shape).astype(kind)
    limits = np.iinfo(kind)
    middle, half = (limits.max + limits.min) / 2, (limits.max - limits.min) / 2
    return np.rint(middle + half * value).astype(kind)


def make(source, out, floats):
    """In a process of its own: the interpreter ends it where a kernel is missing."""
    import numpy as np
    model = source.read_bytes()
    try:
        interpreter = interpreter_of(model)
    except (RuntimeError, ValueError) as error:
        print(f"{source.stem}: {' '.join(str(error).split())[:200]}", flush=True)
        sys.exit(1)
    kinds = {np.dtype(one["dtype"]).name for one in interpreter.get_tensor_details()}
    if not floats and not kinds & {"int8", "uint8", "int16"}:
        print(f"{source.stem}: not quantised", flush=True)
        sys.exit(1)
    random = np.random.default_rng(1)
    inputs, outputs = interpreter.get_input_details(), interpreter.get_output_details()
    given, made = [], []
    for _ in range(RUNS):
        for one in inputs:
            value = drawn(one, random)
            interpreter.set_tensor(one["index"], value)
            given.append(value.tobytes())
        interpreter.invoke()
        made += [interpreter.get_tensor(one["index"]).tobytes() for one in outputs]
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.tflite").write_bytes(model)
    (out / "inputs.bin").write_bytes(b"".join(given))
    (out / "outputs_ref.bin").write_bytes(b"".join(made))
    described = [[{"name": one["name"], "shape": [int(n) for n in one["shape"]],
                   "type": np.dtype(one["dtype"]).name} for one in all_]
                 for all_ in (inputs, outputs)]
    (out / "tensors.json").write_text(json.dumps(dict(zip(("inputs", "outputs"), described))))


def main():
    arguments = options()
    made = left = 0
    for source in sorted(arguments.files.glob("*.tflite")):
        if not any(word in source.name for word in arguments.only):
            continue
        child = multiprocessing.Process(
            target=make, args=(source, arguments.out / source.stem, arguments.floats))
        child.start()
        child.join()
        made, left = (made, left + 1) if child.exitcode else (made + 1, left)
        if child.exitcode < 0:
            print(f"{source.stem}: the interpreter ends by signal {-child.exitcode}", flush=True)
    print(f"{made} networks, {left} that are left out")
    sys.exit(made == 0)


if __name__ == "__main__":
    main()
