#!/usr/bin/env python3
"""`macrame quantise` on a small network of our own: float32 in and out, channels of different size,
h-swish in parts, a square root between squares, a layer of few inputs.

    quantise_test.py MACRAME

onnxruntime comes from PyPI (scripts/executors.sh); without it, the test is skipped (status 77).
"""
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import environment
from environment import ROOT

sys.path.insert(0, str(ROOT / "compiler/quantise"))
sys.path.append(str(ROOT / "scripts/networks"))  # it has a measure.py, too
MACRAME = ""


def network(folder, weight=None, one_bias=False):
    """conv, relu, depthwise conv, h-swish; their squares' root; pool, product, softmax."""
    import numpy
    import onnx
    from onnx import helper, numpy_helper
    rng = numpy.random.default_rng(3)
    constants, nodes = [], []

    def constant(name, array):
        constants.append(numpy_helper.from_array(numpy.asarray(array, numpy.float32), name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    sizes = 2.0 ** rng.integers(-5, 1, (8, 1, 1, 1))
    kernels = rng.normal(size=(8, 3, 3, 3)) * sizes if weight is None else weight
    first = node("Conv", ["x", constant("w1", kernels), constant("b1", rng.normal(size=8) * 0.1)],
                 "conv1", pads=[1, 1, 1, 1])
    relu = node("Relu", [first], "relu")
    deep = node("Conv", [relu, constant("w2", rng.normal(size=(8, 1, 3, 3)) / sizes),
                         "b1" if one_bias else constant("b2", rng.normal(size=8))],
                "conv2", group=8)
    moved = node("Add", [deep, constant("three", 3)], "moved")
    clipped = node("Clip", [moved, constant("zero", 0), constant("six", 6)], "clipped")
    swish = node("Div", [node("Mul", [deep, clipped], "product"), constant("six_again", 6)], "swish")
    squares = node("Pow", [swish, constant("two", 2)], "squares")
    root = node("Sqrt", [node("Add", [squares, constant("little", 1e-3)], "sum")], "root")
    last = node("Conv", [root, constant("w3", rng.normal(size=(4, 8, 1, 1))),
                         constant("b3", rng.normal(size=4))], "conv3")
    flat = node("Flatten", [node("GlobalAveragePool", [last], "pooled")], "flat")
    logits = node("Gemm", [flat, constant("w4", rng.normal(size=(4, 5))),
                           constant("b4", rng.normal(size=5))], "logits")
    node("Softmax", [logits], "y")
    graph = helper.make_graph(
        nodes, "small", [helper.make_tensor_value_info("x", 1, [1, 3, 12, 12])],
        [helper.make_tensor_value_info("y", 1, [1, 5])], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = Path(folder) / "float.onnx"
    onnx.save(model, path)
    return path


def data(folder, count, seed=1):
    import numpy
    rng = numpy.random.default_rng(seed)
    folder.mkdir()
    for i in range(count):
        numpy.save(folder / f"{i:03}.npy",
                   (rng.normal(size=(1, 3, 12, 12)) * rng.uniform(0.5, 2)).astype(numpy.float32))
    return folder


class Steps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        import network as networks
        self.network = networks.read(str(network(self.path)), {})
        import inputs
        self.inputs = inputs.read(str(data(self.path / "data", 8)), self.network)

    def test_parts_of_hard_swish_become_one(self):
        kinds = [node.op_type for node in self.network.nodes]
        self.assertEqual(kinds.count("HardSwish"), 1)
        self.assertNotIn("Clip", kinds)

    def test_folding_and_equalising_keep_the_answers(self):
        import equalise
        import measure
        import ranges
        import numpy
        import onnx
        import inputs
        float_model = onnx.load(self.path / "float.onnx")
        equal, count = equalise.equalised(self.network, ranges.observe(self.network, self.inputs))
        self.assertEqual(count, 1)  # the convolution in front of the depthwise one
        wanted = measure.run(float_model, self.inputs)
        for model in (self.network.model, equal.model):
            for a, b in zip(wanted, measure.run(model, self.inputs)):
                numpy.testing.assert_allclose(b["y"], a["y"], atol=1e-5)
        seen = ranges.observe(equal, self.inputs)["relu"].channels
        before = ranges.observe(self.network, self.inputs)["relu"].channels
        self.assertLess(seen.max() / seen.min(), 0.2 * before.max() / before.min())

    def test_a_bias_of_several_layers_stays(self):
        import equalise
        import measure
        import network as networks
        import numpy
        import ranges
        shared = networks.read(str(network(self.path, one_bias=True)), {})
        equal, count = equalise.equalised(shared, ranges.observe(shared, self.inputs))
        self.assertEqual(count, 0)
        for a, b in zip(measure.run(shared.model, self.inputs),
                        measure.run(equal.model, self.inputs)):
            numpy.testing.assert_array_equal(a["y"], b["y"])

    def test_rounding_loses_less_than_nearest(self):
        import numpy
        import rounding
        rng = numpy.random.default_rng(2)
        weights = rng.normal(size=(6, 24))
        inputs = rng.normal(size=(24, 4)) @ rng.normal(size=(4, 300))  # of few dimensions
        inputs += 0.1 * rng.normal(size=inputs.shape)
        scale = numpy.abs(weights).max(axis=1, keepdims=True) / 127
        nearest = numpy.round(weights / scale) * scale
        found = rounding.rounded(weights, inputs)

        def loss(kernels):
            return (((kernels - weights) @ inputs) ** 2).sum()
        self.assertLess(loss(found), 0.5 * loss(nearest))
        # A quantiser that takes its scale from the largest weight gets the same integers.
        steps = found / (numpy.abs(found).max(axis=1, keepdims=True) / 127)
        numpy.testing.assert_allclose(steps, numpy.round(steps), atol=1e-4)

    def test_patches_are_what_a_convolution_multiplies(self):
        import measure
        import network as networks
        import numpy
        import onnx
        import rounding
        # The last convolution becomes one of stride 2 that pads to the size it wants.
        model = onnx.ModelProto()
        model.CopyFrom(self.network.model)
        last = next(node for node in model.graph.node if node.name == "conv3")
        weights = next(c for c in model.graph.initializer if c.name == last.input[1])
        rng = numpy.random.default_rng(5)
        weights.CopyFrom(onnx.numpy_helper.from_array(
            rng.normal(size=(4, 8, 2, 3)).astype(numpy.float32), weights.name))
        del last.attribute[:]
        last.attribute.extend([onnx.helper.make_attribute("auto_pad", "SAME_LOWER"),
                               onnx.helper.make_attribute("strides", [2, 2])])
        self.network = networks.Network(model)
        count = 0
        for node in rounding.layers(self.network):
            if node.op_type != "Conv":
                continue
            count += 1
            found = measure.run(self.network.model, self.inputs[:1], [node.input[0], node.output[0]])
            arrays = found[0].get(node.input[0], self.inputs[0].get(node.input[0]))
            weights = self.network.array(node.input[1]).astype(float)
            parts = rounding.patches(node, arrays.astype(float), weights.shape[2:])
            kernels = numpy.split(weights.reshape(len(weights), -1), len(parts))
            sums = numpy.concatenate([k @ p for k, p in zip(kernels, parts)])
            sums += self.network.array(node.input[2])[:, None]
            numpy.testing.assert_allclose(sums, found[0][node.output[0]][0].reshape(len(sums), -1),
                                          atol=1e-4)
        self.assertEqual(count, 3)

    def test_ranges_leave_room_for_inputs_that_were_not_seen(self):
        import ranges
        import numpy
        one = ranges.Seen(numpy.array([-1.0, -2.0, -3.0]), numpy.array([1.0, 1.0, 1.0]),
                          numpy.array([0.0]), 1, None)
        low, high = ranges.bounds(one)
        self.assertLess(low, -3)
        self.assertEqual(high, 1)

    def quantised(self):
        """By least and largest values; and its int8 tensors."""
        import keep
        import ranges
        import write
        limits = ranges.choose(self.network, ranges.observe(self.network, self.inputs), "minmax")
        model = write.quantised(self.network, limits)
        return model, list(keep.pairs(model))

    def test_tensors_of_the_host_alone_stay_in_float(self):
        import keep
        _, tensors = self.quantised()
        free = keep.between_host_operators(self.network, tensors)
        self.assertTrue({"squares", "sum"} & set(free))
        self.assertFalse({"swish", "relu", "conv2"} & set(free))

    def test_steps_between_layers_are_found(self):
        import keep
        _, tensors = self.quantised()
        steps, operators = keep.between_layers(self.network, tensors)
        self.assertEqual(set(steps) & {"conv1", "relu", "conv2", "root", "conv3", "logits"}, set())
        self.assertIn("squares", steps)
        self.assertEqual(operators & {"conv1", "conv2", "conv3"}, set())

    def test_what_stays_in_float_gets_its_activation_back(self):
        import keep
        import measure
        model, tensors = self.quantised()
        self.assertNotIn("Relu", [node.op_type for node in model.graph.node])
        whole = keep.without(model, tensors, self.network)
        # Weights alone are int8.
        score = measure.Judge(self.network, self.inputs).figures(whole).score
        self.assertGreater(score, 30)

    def test_a_layer_goes_to_the_host_with_the_activation_behind_it(self):
        import keep
        _, tensors = self.quantised()
        self.assertNotIn("conv1", tensors)  # the quantiser takes relu into it
        self.assertEqual(keep.operators(self.network, ["relu"], tensors),
                         {"conv1", "relu", "conv2"})
        self.assertEqual(keep.operators(self.network, ["logits"], tensors), {"logits"})
        # 31,104 of the multiply-adds are those of conv1.
        self.assertTrue(keep.fits(self.network, ["logits"], tensors, 64, 0.05))
        self.assertFalse(keep.fits(self.network, ["relu"], tensors, 64, 0.05))
        self.assertFalse(keep.fits(self.network, ["relu"], tensors, 2, 1.0))


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)
        self.network = network(self.path)

    def call(self, *arguments, status=0, program=False):
        """Output and messages: of the script in this process, or of the program."""
        if program:
            done = subprocess.run([MACRAME, "quantise", *map(str, arguments)], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            return done.stdout, done.stderr
        import quantise
        out, err, found = io.StringIO(), io.StringIO(), 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                quantise.main([str(argument) for argument in arguments] +
                              ["--method", "mse", "--keep-host", "64"])
            except quantise.UserError as error:
                found = 2
                print(error, file=sys.stderr)
        self.assertEqual(found, status, out.getvalue() + err.getvalue())
        return out.getvalue(), err.getvalue()

    def test_is_nearer_than_the_quantiser_as_it_is_and_runs(self):
        data(self.path / "data", 16)
        out, _ = self.call(self.network, "--data", self.path / "data", "--out",
                           self.path / "q.onnx", "--json", self.path / "q.json", "--preset",
                           "nv_small", program=True)
        report = json.loads((self.path / "q.json").read_text())
        self.assertEqual((report["calibration_inputs"], report["check_inputs"]), (12, 4))
        self.assertTrue(report["check_inputs_unseen"])
        self.assertGreater(report["db"], report["steps"][0]["db"] + 3)
        self.assertIn("hardware: ", out)
        # The figures are those of the file, on the inputs that were not calibrated with.
        import inputs
        import measure
        import network as networks
        import onnx
        original = networks.read(str(self.network), {})
        check = inputs.read(str(self.path / "data"), original)[3::4]
        file = onnx.load(self.path / "q.onnx")
        onnx.checker.check_model(file)
        figures = measure.Judge(original, check).figures(file)
        self.assertAlmostEqual(figures.score, report["db"], places=3)

    def test_float_networks_of_tflite_are_read(self):
        import numpy
        import tflite_file
        rng = numpy.random.default_rng(4)
        net = tflite_file.Network()
        x = net.input((1, 8, 8, 3), "float32", name="x")
        conv = net.tensor((1, 8, 8, 6), "float32", name="conv")
        net.operator("CONV_2D", [x, net.constant(rng.normal(size=(6, 3, 3, 3)), "float32"),
                                 net.constant(rng.normal(size=6), "float32")], [conv],
                     stride_h=1, stride_w=1, activation="RELU", padding="SAME")
        y = net.tensor((1, 5), "float32", name="y")
        net.operator("FULLY_CONNECTED", [conv, net.constant(rng.normal(size=(5, 384)), "float32"),
                                         None], [y])
        net.outputs = [y]
        path, folder = self.path / "net.tflite", self.path / "nhwc"
        path.write_bytes(net.bytes())
        folder.mkdir()
        for i in range(12):
            numpy.save(folder / f"{i:02}.npy", rng.normal(size=(1, 8, 8, 3)).astype("float32"))
        out, _ = self.call(path, "--data", folder, "--out", self.path / "q.onnx", "--json",
                           self.path / "q.json", "--preset", "nv_small", program=True)
        self.assertGreater(json.loads((self.path / "q.json").read_text())["db"], 25)
        self.assertIn("100 % of ", out)
        _, said = self.call(ROOT / "compiler/examples/digits/digits.tflite", "--data", folder,
                            "--out", self.path / "none.onnx", status=2, program=True)
        self.assertIn("want a float network", said)
        self.assertEqual(len(said.splitlines()), 1)

    def test_the_same_twice(self):
        data(self.path / "data", 4)
        for name in ("a.onnx", "b.onnx"):
            self.call(self.network, "--data", self.path / "data", "--out", self.path / name)
        self.assertEqual((self.path / "a.onnx").read_bytes(), (self.path / "b.onnx").read_bytes())

    def test_one_input_is_told(self):
        data(self.path / "data", 1)
        out, err = self.call(self.network, "--data", self.path / "data", "--out",
                             self.path / "q.onnx")
        self.assertIn("say nothing about others", err)
        self.assertIn("CALIBRATED", out)
        self.assertTrue((self.path / "q.onnx").exists())

    def test_what_eight_bits_cannot_hold_is_told(self):
        """The difference of two large sums: the file is written, with its figures and a warning."""
        import numpy
        import onnx
        from onnx import helper, numpy_helper
        rng = numpy.random.default_rng(6)
        kernels = 100 * rng.normal(size=(8, 3, 3, 3))
        constants = [numpy_helper.from_array(array.astype(numpy.float32), name) for name, array in
                     (("w1", kernels), ("w2", kernels + rng.normal(size=kernels.shape)))]
        nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], "a"),
                 helper.make_node("Conv", ["x", "w2"], ["b"], "b"),
                 helper.make_node("Sub", ["a", "b"], ["y"], "y")]
        graph = helper.make_graph(
            nodes, "difference", [helper.make_tensor_value_info("x", 1, [1, 3, 12, 12])],
            [helper.make_tensor_value_info("y", 1, [1, 8, 10, 10])], constants)
        path = self.path / "difference.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                                    ir_version=8), path)
        out, err = self.call(path, "--data", data(self.path / "data", 8), "--out",
                             self.path / "q.onnx", "--json", self.path / "q.json")
        report = json.loads((self.path / "q.json").read_text())
        self.assertLess(report["db"], 15)
        self.assertIn("on 2 unseen inputs: y ", out)
        self.assertIn("dB is far from the float network", err)
        self.assertEqual([err.strip()], [f"macrame: warning: {text}" for text in
                                         report["warnings"]])
        onnx.checker.check_model(onnx.load(self.path / "q.onnx"))

    def refuse(self, text, *arguments, network=None):
        _, err = self.call(network or self.network, "--out", self.path / "q.onnx", *arguments,
                           status=2)
        self.assertIn(text, err)
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        self.assertFalse(list(self.path.glob("q.onnx*")))

    def test_bad_input_is_one_line(self):
        import numpy
        folder = data(self.path / "data", 2)
        empty = self.path / "empty"
        empty.mkdir()
        self.refuse("want a folder", "--data", self.path / "nowhere")
        self.refuse("has no inputs", "--data", empty)
        numpy.save(folder / "000.npy", numpy.zeros((1, 3, 12, 11), numpy.float32))
        self.refuse("found shape [1, 3, 12, 11], want [1, 3, 12, 12]", "--data", folder)
        numpy.save(folder / "000.npy", numpy.zeros((1, 3, 12, 12), numpy.float64))
        self.refuse("found float64, want float32", "--data", folder)
        numpy.save(folder / "000.npy", numpy.full((1, 3, 12, 12), numpy.nan, numpy.float32))
        self.refuse("no finite numbers", "--data", folder)
        (folder / "000.npy").write_bytes(b"nothing")
        self.refuse("is no .npy file", "--data", folder)
        self.refuse("is no ONNX network", "--data", folder, network=folder / "001.npy")

    def test_results_that_are_no_numbers_are_told(self):
        """Finite weights and inputs, sums that are not."""
        import numpy
        network(self.path, numpy.full((8, 3, 3, 3), 3e38))
        self.refuse("of the float network has values that are no finite numbers", "--data",
                    data(self.path / "data", 4))

    def test_results_that_are_all_zero_are_equal(self):
        import measure
        import numpy
        zero = [numpy.zeros(4, numpy.float32)]
        self.assertEqual(measure.decibel(zero, zero), 99)
        self.assertEqual(measure.decibel(zero, [numpy.full(4, numpy.inf)]), -99)

    def test_all_files_are_written_or_none(self):
        self.refuse("cannot be written", "--data", data(self.path / "data", 4), "--json",
                    self.path / "nowhere" / "q.json")

    def test_bad_weights_are_told(self):
        import numpy
        network(self.path, numpy.full((8, 3, 3, 3), numpy.inf))
        self.refuse("constant w1 has values that are no finite numbers", "--data",
                    data(self.path / "data", 2))


if __name__ == "__main__":
    environment.enter("onnxruntime")
    MACRAME = sys.argv.pop(1)
    unittest.main()
