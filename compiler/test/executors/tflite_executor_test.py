#!/usr/bin/env python3
"""Our executor of the definitions against TFLite's own interpreter, tensor by tensor.

    tflite_executor_test.py GRAPH_RUN [--seeds N] [--graphs N] [--files FILE.tflite ...]

The interpreter comes from PyPI (scripts/executors.sh); without it, the test is skipped (status 77).
Its reference kernels are used (BUILTIN_REF), not XNNPACK, which rounds in float. The reference is
tflite-runtime 2.14: it requantises every operator in two roundings, as the integers in the
operators' specification and in TensorFlow Lite Micro. Where this Python has only LiteRT 2 (the same
interpreter, renamed), fully connected layers round once there: their outputs may differ by one, and
what is computed of such an output is not compared. (Of files that say that TensorFlow 2.20 or newer
wrote them, our reader rounds once, too.)

Not compared: CUMSUM and RELU_0_TO_1, which its resolver lacks, and sums of int8, which it reads as
uint8; NEG, SQUARE, SQRT and ELU of int8 and NOT_INT16 of int16, for which it has no reference kernel; SHAPE, which our reader turns into a constant.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
from environment import ROOT

NAME = 128  # so much of a name is kept by our reader
sys.path.insert(0, str(ROOT / "scripts/networks"))


def load_interpreter():
    try:
        from tflite_runtime import interpreter
        return interpreter, False
    except ImportError:
        from ai_edge_litert import interpreter
        return interpreter, True


class Comparison:
    def __init__(self, graph_run):
        self.graph_run = graph_run
        self.module, self.rounds_once = load_interpreter()
        self.kernels = "BUILTIN_REF"
        self.folder = tempfile.TemporaryDirectory()
        self.tensors = self.values = self.left_out = 0
        self.operators, self.problems = set(), []

    def ours(self, model, inputs):
        """Tensors by name and shape. A reader may write a tensor twice, for a view of it."""
        folder = Path(self.folder.name)
        (folder / "model.tflite").write_bytes(model)
        (folder / "inputs").write_bytes(b"".join(x.tobytes() for x in inputs))
        subprocess.run([self.graph_run, folder / "model.tflite", folder / "inputs",
                        folder / "out"], check=True)
        found = {}
        for line in (folder / "out/index.txt").read_text().splitlines():
            file, _, shape, name = line.split(" ", 3)
            found.setdefault((name, shape), folder / "out" / file)
        return {key: path.read_bytes() for key, path in found.items()}

    def interpreter(self, model):
        return self.module.Interpreter(
            model_content=model, experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=getattr(self.module.OpResolverType, self.kernels))

    def network(self, title, model, rng, inputs=None):
        """One run, with `inputs` or random ones. Stops at the first tensor that differs."""
        # Preserved is only what is an output: an operator may work in the place of its input.
        written = [index for operator in self.interpreter(model)._get_ops_details()
                   for index in operator["outputs"]]
        model = self.with_outputs(model, written)
        interpreter = self.interpreter(model)
        interpreter.allocate_tensors()
        if inputs is None:
            inputs = [rng.integers(0, 65536 if d["dtype"] == self.numpy.int16 else 256,
                                   d["shape"]).astype(d["dtype"])
                      for d in interpreter.get_input_details()]
        for detail, value in zip(interpreter.get_input_details(), inputs):
            interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        ours = self.ours(model, inputs)
        details = {d["index"]: d for d in interpreter.get_tensor_details()}
        first = interpreter.get_input_details()[0]["dtype"].__name__
        unknown = set()  # tensors that differ for a known reason, and what is computed of them
        for operator in interpreter._get_ops_details():
            for index in operator["outputs"]:
                if unknown & set(operator["inputs"]):
                    unknown.add(index)
                    self.left_out += 1
                    continue
                want = interpreter.get_tensor(index)
                shape = "x".join(map(str, want.shape)) or "scalar"
                name = details[index]["name"][:NAME]
                place = f"{title}: {operator['op_name']}, {name}"
                got = ours.get((name, shape))
                if got is None:
                    self.problems.append(f"{place}: not written")
                    return
                self.tensors += 1
                self.values += want.size
                self.operators.add((first, operator["op_name"]))
                if got == want.tobytes():
                    continue
                got = self.numpy.frombuffer(got, want.dtype).reshape(want.shape)
                differ = self.numpy.abs(got.astype(float) - want.astype(float))
                if self.rounds_once and operator["op_name"] == "FULLY_CONNECTED" and \
                        differ.max() <= 1:
                    unknown.add(index)
                    continue
                self.problems.append(f"{place}: {(differ > 0).sum()} of {want.size} values "
                                     f"differ, by up to {differ.max():g}")
                return


    def runs(self, model, rng, steps=1):
        """Outputs of both, run by run, of a network that may keep something."""
        interpreter = self.interpreter(model)
        interpreter.allocate_tensors()
        inputs, want = [], []
        for _ in range(steps):
            for detail in interpreter.get_input_details():
                inputs.append(rng.integers(0, 256, detail["shape"]).astype(detail["dtype"]))
                interpreter.set_tensor(detail["index"], inputs[-1])
            interpreter.invoke()
            want += [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
        self.ours(model, inputs)
        got, ours = (Path(self.folder.name) / "out/outputs.bin").read_bytes(), []
        for value in want:
            ours.append(self.numpy.frombuffer(got[:value.nbytes], value.dtype).reshape(value.shape))
            got = got[value.nbytes:]
        self.tensors += len(want)
        return want, ours

    def stream(self, title, network, rng):
        want, ours = self.runs(network.bytes(), rng, 6)
        if any(a.tobytes() != b.tobytes() for a, b in zip(want, ours)):
            self.problems.append(f"{title}: differs")

    def real_stream(self, title, network, rng):
        """Sums of float32, whose order is that of the processor."""
        want, ours = self.runs(network.bytes(), rng, 6)
        if not all(self.numpy.allclose(a, b, 1e-5, 1e-5) for a, b in zip(want, ours)):
            self.problems.append(f"{title}: differs")

    def boxes(self, title, network, each, rng):
        """Behind the boxes that are found, the reference leaves what was there."""
        want, ours = self.runs(network.bytes(), rng)
        count = int(want[3][0]) * each
        if int(ours[3][0]) * each != count or \
                any((a[:, :count] != b[:, :count]).any() for a, b in zip(want[:3], ours[:3])):
            self.problems.append(f"{title}: differs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--seeds", type=int, default=8, help="graphs of each operator alone")
    parser.add_argument("--graphs", type=int, default=200, help="chains of up to 12 operators")
    parser.add_argument("--files", type=Path, nargs="+", default=[], help="networks, one input each")
    arguments = parser.parse_args()
    environment.enter("TFLite interpreter")
    import numpy
    from tflite_cell_graphs import cells, elements, functions, placed, sparse, volume
    from tflite_dynamic_graphs import dynamic, recurrent
    from tflite_detect_graphs import detections, suppression, svdf
    from tflite_loop_graphs import four_bits, loop, spectrum, two_ways
    from tflite_graphs import INT8, NEW_INT16, NOT_INT16, chain
    from tflite_patch import with_outputs
    Comparison.numpy, Comparison.with_outputs = numpy, staticmethod(with_outputs)
    comparison = Comparison(arguments.graph_run)
    rng = numpy.random.default_rng(1)

    new = comparison.rounds_once
    int16 = set(INT8) - NOT_INT16 - (set() if new else NEW_INT16)
    cases = [(name, 1001 * seed, 1, "uint8" if seed % 4 == 3 else "int8")
             for name in INT8 for seed in range(arguments.seeds)]
    cases += [(name, seed, 1, "int16") for name in sorted(int16) for seed in range(arguments.seeds)]
    for seed in range(arguments.graphs):
        kind = ["int8", "uint8", "int8", "int16"][seed % 4]
        names = sorted(int16) if kind == "int16" else list(INT8)
        cases.append((names[int(rng.integers(0, len(names)))], seed, int(rng.integers(2, 13)), kind))
    graphs = 0
    for name, seed, length, kind in cases:
        graph = chain(seed, name, length, kind, new)
        if graph is None:
            continue
        graphs += 1
        comparison.network(f"chain({seed}, {name!r}, {length}, {kind!r})", graph.bytes(), rng)
    for seed in range(6 * arguments.seeds):
        comparison.network(f"dynamic({seed})", dynamic(seed).bytes(), rng)
    for seed in range(arguments.seeds):
        comparison.stream(f"svdf({seed})", svdf(seed), rng)
        comparison.boxes(f"detections({seed})", *detections(seed), rng)
        comparison.network(f"suppression({seed})", suppression(seed).bytes(), rng)
    for seed in range(4 * arguments.seeds):
        comparison.real_stream(f"recurrent({seed})", recurrent(seed), rng)
    for kind in (cells, volume, placed, elements, sparse):
        for seed in range(4 * arguments.seeds):
            comparison.real_stream(f"{kind.__name__}({seed})", kind(seed), rng)
    for seed in range(arguments.seeds):
        comparison.real_stream(f"loop({seed})", loop(seed), rng)
        comparison.real_stream(f"two_ways({seed})", two_ways(seed), rng)
        # The reference lacks RFFT2D, and others.
        comparison.kernels = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        comparison.real_stream(f"spectrum({seed})", spectrum(seed), rng)
        for each in (seed, seed + arguments.seeds):
            comparison.real_stream(f"functions({each})", functions(each), rng)
        comparison.kernels = "BUILTIN_REF"
        comparison.stream(f"four_bits({seed})", four_bits(seed), rng)
    print(f"{graphs} random graphs")
    for path in [ROOT / "compiler/examples/digits/digits.tflite", *arguments.files]:
        comparison.network(path.name, path.read_bytes(), rng)
        print(path.name)
    models = os.environ.get("MACRAME_MODELS")
    if models is None:
        print("MACRAME_MODELS is not set: no published networks")
    else:
        for folder in sorted(path.parent for path in Path(models).glob("*/model.tflite")):
            model = (folder / "model.tflite").read_bytes()
            shape = comparison.module.Interpreter(model_content=model).get_input_details()[0]
            inputs = numpy.fromfile(folder / "inputs.i8", numpy.int8)
            inputs = inputs.reshape((-1, *shape["shape"][1:]))
            for i in range(min(4, len(inputs))):
                comparison.network(f"{folder.name}, input {i}", model, rng, [inputs[i:i + 1]])
            print(f"{folder.name}: {min(4, len(inputs))} inputs")
    known = "" if not comparison.rounds_once else \
        f"; {comparison.left_out} behind fully connected layers left out"
    print(f"{comparison.tensors} tensors, {comparison.values} values, "
          f"{len({name for _, name in comparison.operators})} operators, {comparison.module.__name__}{known}")
    wanted = {("int8", name) for name in INT8} | {("int16", name) for name in int16}
    missing = {(kind, name) for kind, name in wanted - comparison.operators if name != "SQUEEZE"}
    for text in comparison.problems + [f"{name} of {kind}: never ran"
                                       for kind, name in sorted(missing)]:
        print("FAILED", text)
    sys.exit(1 if comparison.problems or missing else 0)


main()
