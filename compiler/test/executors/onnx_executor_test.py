#!/usr/bin/env python3
"""Our executor of the definitions against ONNX Runtime, result by result.

    onnx_executor_test.py GRAPH_RUN [--graphs N]

ONNX Runtime comes from PyPI (scripts/executors.sh); without it, the test is skipped (status 77).
The reference is what its kernels for integers give: networks in QLinear form as they are (no
optimisations, of uint8 those that the last paragraph but one wants), networks in QDQ form with the
optimisations that are the default, which make the same kernels of them. Without these, QDQ networks
are float32, and sums depend on their order: no integers can be equal to that. One case of this
remains: on x86 it leaves convolutions and products of matrices with int8 activations in float32
(those with uint8 are integers). Results of these may differ by one, in rare places; what is computed
of such a result is not compared.

Kernels of uint8 activations and int8 weights add two products in 16 bits, with saturation, on an x86
processor without VNNI: values differ there from those of any other processor. Its option for exact
products is set for them: it makes the weights uint8, from the level "extended" of optimisations on.

int8 and uint8; operators in chains and alone; additions and products of all pairs of elements. Not
compared: linear Resize between QDQ, which is float32 there, halves of which depend on the order of
sums.
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import environment

FLOAT = {"Conv", "MatMul"}
# Its optimisations make QLinearSoftmax of it, which counts whole steps: ours rounds once.
ROUNDED = {"Softmax"}
# Sums of float32 in another order, with less exact factors there.
ABSOLUTE = {"DFT": 3e-5, "STFT": 3e-5, "FusedConv": 1e-5, "Resize": 1e-5}


class Comparison:
    def __init__(self, graph_run):
        self.graph_run = graph_run
        self.folder = tempfile.TemporaryDirectory()
        self.results = self.values = self.float_sums = 0
        self.operators, self.problems = {}, []

    def theirs(self, network, inputs):
        import numpy
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 1
        levels = onnxruntime.GraphOptimizationLevel
        exact = network.kind == numpy.uint8
        if exact:
            options.add_session_config_entry("session.x64quantprecision", "1")
        as_it_is = levels.ORT_ENABLE_EXTENDED if exact else levels.ORT_DISABLE_ALL
        options.graph_optimization_level = levels.ORT_ENABLE_ALL if network.qdq else as_it_is
        session = onnxruntime.InferenceSession(network.model().SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, {i.name: x for i, x in zip(network.inputs, inputs)})

    def ours(self, network, inputs):
        """Tensors by name and shape. The last of several has the layout of the file."""
        folder = Path(self.folder.name)
        (folder / "model.onnx").write_bytes(network.model().SerializeToString())
        (folder / "inputs").write_bytes(b"".join(x.tobytes() for x in inputs))
        subprocess.run([self.graph_run, folder / "model.onnx", folder / "inputs",
                        folder / "out"], check=True)
        found = {}
        for line in (folder / "out/index.txt").read_text().splitlines():
            file, _, shape, name = line.split(" ", 3)
            found[name, shape] = (folder / "out" / file).read_bytes()
        return found

    def network(self, title, network, inputs=None):
        """One run. Stops at the first result that differs."""
        import numpy
        if inputs is None:
            inputs = [network.values([d.dim_value for d in i.type.tensor_type.shape.dim])
                      for i in network.inputs]
        theirs, ours = self.theirs(network, inputs), self.ours(network, inputs)
        for (name, _), want in zip(network.outputs, theirs):
            operator = network.operators[name]
            got = ours[name, "x".join(map(str, want.shape))]
            got = numpy.frombuffer(got, want.dtype).reshape(want.shape)
            self.results += 1
            self.values += want.size
            self.operators[operator] = self.operators.get(operator, 0) + want.size
            differ = numpy.abs(got.astype(int) - want.astype(int))
            in_float = network.qdq and network.kind == numpy.int8 and operator in FLOAT
            if differ.any() and network.qdq and operator in ROUNDED and differ.max() == 1:
                return
            if differ.any() and in_float and differ.max() == 1 and differ.mean() < 0.02:
                self.float_sums += 1
                return
            if differ.any():
                self.problems.append(f"{title}: {operator} {name} of {want.shape}: {(differ > 0).sum()} of "
                                     f"{want.size} values differ, by up to {differ.max()}")
                return

    def found(self, seed, model):
        """Boxes that are found: rows of -1 are behind them, and their number is an output."""
        import numpy
        import onnxruntime
        shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
        inputs = numpy.random.default_rng(seed).normal(size=shape).astype(numpy.float32)
        session = onnxruntime.InferenceSession(model.SerializeToString(),
                                               providers=["CPUExecutionProvider"])
        want = session.run(None, {"x": inputs})[0]
        folder = Path(self.folder.name)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        (folder / "inputs").write_bytes(inputs.tobytes())
        subprocess.run([self.graph_run, folder / "model.onnx", folder / "inputs", folder / "out"],
                       check=True)
        got = numpy.frombuffer((folder / "out/outputs.bin").read_bytes(), numpy.int64)
        rows = got[:-1].reshape(-1, 3)
        self.results += 1
        self.values += want.size
        self.operators["NonMaxSuppression"] = \
            self.operators.get("NonMaxSuppression", 0) + want.size
        if got[-1] != len(want) or (rows[:len(want)] != want).any() or \
                (rows[len(want):] != -1).any():
            self.problems.append(f"NonMaxSuppression {seed}: differs")

    def reals(self, title, model, shape, exact=False):
        """One run on float32: numbers are the same, real values but for the order of sums."""
        import numpy
        import onnxruntime
        inputs = numpy.random.default_rng(1).normal(size=shape).astype(numpy.float32)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        folder = Path(self.folder.name)
        (folder / "model.onnx").write_bytes(model)
        (folder / "inputs").write_bytes(inputs.tobytes())
        subprocess.run([self.graph_run, folder / "model.onnx", folder / "inputs", folder / "out"],
                       check=True)
        got, at = (folder / "out/outputs.bin").read_bytes(), 0
        for want in session.run(None, {"x": inputs}):
            ours = numpy.frombuffer(got[at:at + want.nbytes], want.dtype)
            at += want.nbytes
            self.results += 1
            self.values += want.size
            self.operators[title] = self.operators.get(title, 0) + want.size
            same = ours.size == want.size and (
                ours.tobytes() == want.tobytes() if exact else
                numpy.allclose(ours, want.ravel(), 1e-5, ABSOLUTE.get(title, 1e-6)) if want.dtype.kind == "f" else
                (ours == want.ravel()).all())
            if not same:
                self.problems.append(f"{title} of {want.dtype}: differs")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--graphs", type=int, default=25, help="chains of each kind and form")
    arguments = parser.parse_args()
    environment.enter("ONNX Runtime")
    import numpy
    import onnx_cache_graphs
    import onnx_choice_graphs
    import onnx_dynamic_graphs
    import onnx_contrib_graphs
    import onnx_made_graphs
    import onnx_patch_graphs
    import onnx_recurrent_graphs
    import onnx_type_graphs
    import onnx_volume_graphs
    from onnx_graphs import alone, chain, every_pair
    comparison = Comparison(arguments.graph_run)
    for form in ("QLinear", "QDQ"):
        for kind in ("int8", "uint8"):
            for seed in range(arguments.graphs):
                rng = numpy.random.default_rng(seed)
                comparison.network(f"{form} {kind} chain {seed}",
                                   chain(rng, kind, form == "QDQ", 2 + seed % 9))
            for operator in ("Add", "Mul"):
                for seed in range(3):
                    rng = numpy.random.default_rng(seed)
                    comparison.network(f"{form} {kind} pairs {operator} {seed}",
                                       *every_pair(kind, form == "QDQ", operator, rng))
    for kind in ("int8", "uint8"):
        for seed in range(4):
            for name, network in alone(kind, seed):
                comparison.network(f"{kind} {name} {seed}", network)
    for seed in range(4):
        for graphs in (onnx_cache_graphs, onnx_choice_graphs, onnx_contrib_graphs,
                       onnx_dynamic_graphs, onnx_made_graphs, onnx_patch_graphs,
                       onnx_recurrent_graphs, onnx_type_graphs, onnx_volume_graphs):
            for name, model, shape in graphs.cases(seed):
                comparison.reals(name, model, shape)
        for name, model, shape in onnx_dynamic_graphs.exact_cases(seed):
            comparison.reals(name, model, shape, exact=True)
    for seed in range(24):
        comparison.found(seed, onnx_made_graphs.found(seed))
    for operator, values in sorted(comparison.operators.items()):
        print(f"{operator:28} {values:>9} values")
    for problem in comparison.problems:
        print(problem)
    print(f"{comparison.results} results, {comparison.values} values compared, "
          f"{len(comparison.problems)} networks differ; {comparison.float_sums} not compared behind "
          f"sums in float32")
    sys.exit(1 if comparison.problems else 0)


if __name__ == "__main__":
    main()
