"""A float network in ONNX: reading, folding, and looking things up in it."""
import collections
import os
import tempfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper, numpy_helper

import recurrent


class UserError(Exception):
    """What is wrong with a file or an option, in one line."""


def session(model, level=ort.GraphOptimizationLevel.ORT_DISABLE_ALL, save=None):
    """A session of onnxruntime. Without optimisations it computes what the file says, also between
    DequantizeLinear and QuantizeLinear, in float32."""
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.log_severity_level = 4
    if save:
        options.optimized_model_filepath = save
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class Network:
    """A model with its tensors by name."""

    def __init__(self, model):
        self.model = model
        self.nodes = model.graph.node
        self.outputs = [value.name for value in model.graph.output]
        self.constants = {value.name: value for value in model.graph.initializer}
        self.inputs = [value for value in model.graph.input if value.name not in self.constants]
        self.producer, self.users = {}, collections.defaultdict(list)
        for node in self.nodes:
            for name in node.output:
                self.producer[name] = node
            for name in node.input:
                self.users[name].append(node)

    def copy(self):
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        return Network(model)

    def array(self, name):
        """The value of a constant."""
        return numpy_helper.to_array(self.constants[name])

    def replace(self, name, array):
        """Gives a constant another value."""
        self.constants[name].CopyFrom(numpy_helper.from_array(array.astype(np.float32), name))

    def scalar(self, name):
        """The value of a constant of one element; None: it is no such constant."""
        if name not in self.constants:
            return None
        array = self.array(name)
        return float(array.reshape(-1)[0]) if array.size == 1 else None

    def size(self, name):
        """Elements of a tensor, by shape inference; 1 where that does not know."""
        if not hasattr(self, "sizes"):
            values = list(self.model.graph.value_info) + list(self.model.graph.output)
            self.sizes = {value.name: int(np.prod([
                max(1, dim.dim_value) for dim in value.type.tensor_type.shape.dim] or [1]))
                for value in values + list(self.model.graph.input)}
        return self.sizes.get(name, 1)

    def judged(self):
        """The tensors that tell how near two networks are: outputs, but in front of softmax and
        sigmoid, which hide errors wherever they are near 0 and 1."""
        names = []
        for name in self.outputs:
            at = name
            while at in self.producer:
                node = self.producer[at]
                if node.op_type in ("Softmax", "LogSoftmax", "Sigmoid"):
                    name = node.input[0]
                elif node.op_type not in ("Reshape", "Squeeze", "Unsqueeze", "Flatten",
                                          "Identity", "ReduceMean", "Cast"):
                    break
                at = node.input[0]
            if name not in names:
                names.append(name)
        return names


def attribute(node, name, default):
    """The value of an integer attribute."""
    return next((value.i for value in node.attribute if value.name == name), default)


def fix(model, name, texts):
    """Makes an input a constant: its elements, or one for all."""
    value = next((value for value in model.graph.input if value.name == name), None)
    if value is None or any(name == constant.name for constant in model.graph.initializer):
        raise UserError(f"--fix {name}: the network has no such input")
    kind = value.type.tensor_type
    shape = [dim.dim_value for dim in kind.shape.dim]
    count = int(np.prod(shape))
    if len(texts) not in (1, count):
        raise UserError(f"--fix {name}: found {len(texts)} values, want {count}")
    dtype = helper.tensor_dtype_to_np_dtype(kind.elem_type)
    try:
        if dtype == np.bool_:
            values = [{"0": False, "false": False, "1": True, "true": True}[text] for text in texts]
        elif np.issubdtype(dtype, np.integer):
            values = [int(text) for text in texts]
            if any(not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max for value in values):
                raise ValueError
        else:
            values = [float(text) for text in texts]
        array = np.array(values, dtype)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError
    except (KeyError, ValueError) as error:
        raise UserError(f"--fix {name}: found {','.join(texts)}, want {dtype.name}") from error
    whole = np.full(shape, array[0]) if len(array) == 1 else array.reshape(shape)
    model.graph.initializer.append(numpy_helper.from_array(whole, name))
    model.graph.input.remove(value)


def take_branches(model):
    """Puts what an If does in its place where constants decide it: onnxruntime, which would do so,
    too, ends by a signal on some."""
    while True:
        graph = model.graph
        makers = {name: node for node in graph.node for name in node.output}
        inputs = {value.name for value in graph.input} - {one.name for one in graph.initializer}

        def comes_of(name, seen):
            """Whether no input has a part in it, nor an operator with a graph of its own."""
            node = makers.get(name)
            if name in seen or node is None:
                return name not in inputs
            seen.add(name)
            return all(one.type != onnx.AttributeProto.GRAPH for one in node.attribute) and \
                all(comes_of(each, seen) for each in node.input if each)
        found = next((node for node in graph.node if node.op_type == "If"
                      and comes_of(node.input[0], set())), None)
        if found is None:
            return
        needed, queue = set(), [found.input[0]]
        while queue:
            name = queue.pop()
            if name in makers and name not in needed:
                queue += makers[name].input
            needed.add(name)
        part = helper.make_graph(
            [node for node in graph.node if needed & set(node.output)], "condition", [],
            [helper.make_tensor_value_info(found.input[0], onnx.TensorProto.BOOL, None)],
            [one for one in graph.initializer if one.name in needed])
        whole = helper.make_model(part, opset_imports=model.opset_import,
                                  ir_version=model.ir_version)
        truth = session(whole.SerializeToString()).run(None, {})[0]
        wanted = "then_branch" if truth.reshape(-1)[0] else "else_branch"
        branch = next(one.g for one in found.attribute if one.name == wanted)
        place = list(graph.node).index(found)
        made = [*branch.node, *(helper.make_node("Identity", [value.name], [name]) for value, name
                                in zip(branch.output, found.output))]
        nodes = [*graph.node[:place], *made, *graph.node[place + 1:]]
        graph.initializer.extend(branch.initializer)
        del graph.node[:]
        graph.node.extend(nodes)


def read(path, shapes, fixed=()):
    """The network of a file, with batch normalisation and constants folded, in few kinds of
    operators. `shapes`: sizes by input, for axes that the file leaves open; `fixed`: elements of
    inputs that become constants."""
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model)
    except Exception as error:  # the library raises many kinds
        raise UserError(f"{path}: is no ONNX network: {str(error).splitlines()[0]}") from error
    known = {value.name for value in model.graph.initializer}
    for value in model.graph.input:
        if value.name in known:
            continue
        dims = value.type.tensor_type.shape.dim
        if value.name in shapes:
            if len(shapes[value.name]) != len(dims):
                raise UserError(f"--shape {value.name}: found {len(shapes[value.name])} sizes, "
                                f"want {len(dims)}")
            for dim, size in zip(dims, shapes[value.name]):
                dim.dim_value = size
        if any(not dim.dim_value for dim in dims):
            raise UserError(f"{path}: input {value.name} has open axes: want --shape "
                            f"{value.name}=N,N,...")
    strange = set(shapes) - {value.name for value in model.graph.input}
    if strange:
        raise UserError(f"--shape {sorted(strange)[0]}: the network has no such input")
    for name, texts in dict(fixed).items():
        fix(model, name, texts)
    take_branches(model)
    for value in model.graph.initializer:
        array = numpy_helper.to_array(value)
        # A single infinity is a mask or the start of a largest value.
        if array.dtype.kind == "f" and (np.isnan(array).any()
                                        or array.size > 1 and np.isinf(array).any()):
            raise UserError(f"{path}: constant {value.name} has values that are no finite numbers")
    if any(node.op_type in ("QuantizeLinear", "DequantizeLinear", "QLinearConv")
           for node in model.graph.node):
        raise UserError(f"{path}: is quantised already: want a float network")
    version = next((entry.version for entry in model.opset_import
                    if entry.domain in ("", "ai.onnx")), 1)
    if version < 14:  # DequantizeLinear per channel is from 13, HardSwish from 14
        try:
            model = onnx.version_converter.convert_version(model, 14)
        except Exception as error:
            raise UserError(f"{path}: found opset {version}, which onnx cannot bring to 14: "
                            f"{str(error).splitlines()[0]}") from error
    with tempfile.TemporaryDirectory() as folder:
        folded = os.path.join(folder, "folded.onnx")
        try:
            session(model.SerializeToString(), ort.GraphOptimizationLevel.ORT_ENABLE_BASIC, folded)
        except Exception as error:
            raise UserError(f"{path}: onnxruntime refuses it: {str(error).splitlines()[0]}"
                            ) from error
        model = onnx.load(folded)
    for i, node in enumerate(model.graph.node):
        node.name = node.name or f"{node.op_type}_{i}"
    network = Network(model)
    with_hard_swish(network)
    for node in network.nodes:  # the library wants biases that are vectors
        if node.op_type == "Gemm" and len(node.input) > 2 and node.input[2] in network.constants:
            bias = network.array(node.input[2])
            if bias.ndim == 2 and len(bias) == 1 and len(network.users[node.input[2]]) == 1:
                network.replace(node.input[2], bias[0])
    network = inferred(network)
    recurrent.as_steps(network)
    return inferred(network)


def inferred(network):
    """The network with the shapes of its tensors."""
    del network.model.graph.value_info[:]
    return Network(onnx.shape_inference.infer_shapes(network.model))


def with_hard_swish(network):
    """x * clip(x + 3, 0, 6) / 6 and x * hard_sigmoid(x) become one operator: fewer roundings."""
    graph = network.model.graph

    def is_hard_sigmoid_of(name, x):
        """Is it clip(x + 3, 0, 6)? Its nodes, or None."""
        clip = network.producer.get(name)
        if clip is None or clip.op_type != "Clip" or len(clip.input) < 3:
            return None
        add = network.producer.get(clip.input[0])
        if add is None or add.op_type != "Add" or x not in add.input:
            return None
        other = add.input[1] if add.input[0] == x else add.input[0]
        bounds = (network.scalar(other), network.scalar(clip.input[1]),
                  network.scalar(clip.input[2]))
        return [clip, add] if bounds == (3, 0, 6) else None

    for last in list(graph.node):
        found = None
        if last.op_type == "Div" and network.scalar(last.input[1]) == 6:
            product = network.producer.get(last.input[0])
            if product is not None and product.op_type == "Mul":
                for x, gate in (product.input, reversed(product.input)):
                    nodes = is_hard_sigmoid_of(gate, x)
                    found = found or (nodes and (x, [product] + nodes))
        elif last.op_type == "Mul":
            for x, gate in (last.input, reversed(last.input)):
                sigmoid = network.producer.get(gate)
                if (sigmoid is not None and sigmoid.op_type == "HardSigmoid"
                        and sigmoid.input[0] == x
                        and abs(next((a.f for a in sigmoid.attribute if a.name == "alpha"), 0.2)
                                - 1 / 6) < 1e-6
                        and next((a.f for a in sigmoid.attribute if a.name == "beta"), 0.5) == 0.5):
                    found = (x, [sigmoid])
        if not found:
            continue
        x, inner = found
        inside = [last.name] + [node.name for node in inner]
        if any(user.name not in inside for node in inner for user in network.users[node.output[0]]):
            continue
        at = list(graph.node).index(last)
        whole = onnx.helper.make_node("HardSwish", [x], [last.output[0]], name=last.name)
        graph.node.remove(last)
        graph.node.insert(at, whole)
        for node in inner:
            graph.node.remove(node)
