#!/usr/bin/env python3
"""How `macrame quantise` reads networks: recurrent layers become steps, inputs constants.

    quantise_read_test.py

onnxruntime comes from PyPI (scripts/executors.sh); without it, the test is skipped (status 77).
"""
import sys
import tempfile
import unittest
from pathlib import Path

import environment
from environment import ROOT

sys.path.insert(0, str(ROOT / "compiler/quantise"))


def recurrent(path, kind, steps, batch=1, states=True, **attributes):
    """A recurrent layer, and the inputs of one run."""
    import numpy
    import onnx
    from onnx import helper, numpy_helper
    rng = numpy.random.default_rng(7)
    gates, inputs, hidden = {"LSTM": 4, "GRU": 3}[kind], 5, 6
    ways = 2 if attributes.get("direction") == "bidirectional" else 1
    shapes = {"w": (ways, gates * hidden, inputs), "r": (ways, gates * hidden, hidden),
              "b": (ways, 2 * gates * hidden)}
    constants = [numpy_helper.from_array(rng.normal(size=shape).astype(numpy.float32), name)
                 for name, shape in shapes.items()]
    given = {"x": [steps, batch, inputs]}
    results = {"y": [steps, ways, batch, hidden], "h": [ways, batch, hidden]}
    if kind == "LSTM":
        results["c"] = results["h"]
    if states:
        given.update({f"{name}0": shape for name, shape in results.items() if name != "y"})
    names = ["x", "w", "r", "b", ""] + [name for name in given if name != "x"]
    graph = helper.make_graph(
        [helper.make_node(kind, names, list(results), "layer", hidden_size=hidden, **attributes)],
        "recurrent", *([helper.make_tensor_value_info(name, 1, shape)
                        for name, shape in of.items()] for of in (given, results)), constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
              path)
    return {name: rng.normal(size=shape).astype(numpy.float32) for name, shape in given.items()}


class Recurrent(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "net.onnx"

    def test_steps_have_the_answers_of_the_layer(self):
        import measure
        import network as networks
        import numpy
        import onnx
        for kind, more in (("LSTM", {}), ("GRU", {}), ("GRU", {"linear_before_reset": 1})):
            for steps, batch, states in ((1, 1, True), (1, 1, False), (5, 2, True), (5, 2, False)):
                with self.subTest(kind=kind, steps=steps, states=states, **more):
                    one = recurrent(self.path, kind, steps, batch, states, **more)
                    found = networks.read(str(self.path), {})
                    self.assertNotIn(kind, [node.op_type for node in found.nodes])
                    wanted = measure.run(onnx.load(self.path), [one])[0]
                    for name, array in measure.run(found.model, [one])[0].items():
                        numpy.testing.assert_allclose(array, wanted[name], atol=1e-5)

    def test_inputs_become_constants(self):
        import measure
        import network as networks
        import numpy
        one = recurrent(self.path, "LSTM", 3)
        states = list(one)[1:]
        whole = networks.read(str(self.path), {})
        part = networks.read(str(self.path), {}, {name: ["0.25"] for name in states})
        given = {**one, **{name: numpy.full_like(one[name], 0.25) for name in states}}
        wanted = measure.run(whole.model, [given])[0]
        rest = {name: value for name, value in one.items() if name not in states}
        self.assertEqual([value.name for value in part.model.graph.input], list(rest))
        for name, array in measure.run(part.model, [rest])[0].items():
            numpy.testing.assert_allclose(array, wanted[name], atol=1e-6)
        for name, texts, told in (("w", ["1"], "no such input"), (states[0], ["x"], "want float32"),
                                  (states[0], ["1", "2", "3"], "found 3 values"),
                                  (states[0], ["nan"], "want float32")):
            with self.assertRaisesRegex(networks.UserError, told):
                networks.read(str(self.path), {}, {name: texts})

    def test_constants_decide_branches(self):
        import measure
        import network as networks
        import numpy
        import onnx
        from onnx import helper, numpy_helper
        value = helper.make_tensor_value_info
        branches = {name: helper.make_graph(
            [helper.make_node(kind, ["x", f"{name}_two"], [f"{name}_made"])], name, [],
            [value(f"{name}_made", 1, [2])],
            [numpy_helper.from_array(numpy.array([2, 2], numpy.float32), f"{name}_two")])
            for name, kind in (("then_branch", "Mul"), ("else_branch", "Add"))}
        nodes = [helper.make_node("Equal", ["rate", "wanted"], ["same"]),
                 helper.make_node("If", ["same"], ["y"], **branches)]
        graph = helper.make_graph(
            nodes, "rates", [value("x", 1, [2]), value("rate", 7, [])], [value("y", 1, [2])],
            [numpy_helper.from_array(numpy.array(16000), "wanted")])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                                    ir_version=8), self.path)
        for rate, wanted in (("16000", [10, 14]), ("8000", [7, 9])):
            found = networks.read(str(self.path), {}, {"rate": [rate]})
            self.assertNotIn("If", [node.op_type for node in found.nodes])
            made = measure.run(found.model, [{"x": numpy.array([5, 7], numpy.float32)}])[0]
            numpy.testing.assert_array_equal(made["y"], wanted)

    def test_layers_of_other_kinds_stay(self):
        import network as networks
        for steps, more in ((3, {"direction": "bidirectional"}), (3, {"clip": 0.5}), (65, {}),
                            (3, {"activations": ["Sigmoid", "Relu", "Tanh"]})):
            recurrent(self.path, "LSTM", steps, states=False, **more)
            found = networks.read(str(self.path), {})
            self.assertEqual([node.op_type for node in found.nodes], ["LSTM"])

    def test_products_are_int8_and_gates_are_not(self):
        import measure
        import network as networks
        import ranges
        import write
        for kind in ("LSTM", "GRU"):
            one = recurrent(self.path, kind, 4)
            net = networks.read(str(self.path), {})
            model = write.quantised(net, ranges.choose(net, ranges.observe(net, [one]), "minmax"))
            found = networks.Network(model)
            for node in found.nodes:
                if node.op_type == "Gemm":
                    for name in node.input[:2]:
                        self.assertEqual(found.producer[name].op_type, "DequantizeLinear")
                if node.op_type in ("Sigmoid", "Tanh"):
                    self.assertNotEqual(found.producer[node.input[0]].op_type, "DequantizeLinear")
            self.assertGreater(measure.Judge(net, [one]).figures(model).score, 25)


if __name__ == "__main__":
    environment.enter("onnxruntime")
    unittest.main()
