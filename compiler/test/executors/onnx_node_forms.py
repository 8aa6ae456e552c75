"""Other forms of ONNX files: operator sets, attributes, what operators read and what they leave out."""
import numpy
import onnx
from onnx import helper, numpy_helper, version_converter

# Where operators have scales and zero points.
PARAMETERS = {"QuantizeLinear": (1, 2), "DequantizeLinear": (1, 2), "QLinearConv": (1, 2, 4, 5, 6, 7),
              "QLinearMatMul": (1, 2, 4, 5, 6, 7), "QGemm": (1, 2, 4, 5, 7, 8),
              "QLinearAdd": (1, 2, 4, 5, 6, 7), "QLinearMul": (1, 2, 4, 5, 6, 7),
              "QLinearConcat": (0, 1, 3, 4, 6, 7), "QLinearAveragePool": (1, 2, 3, 4),
              "QLinearGlobalAveragePool": (1, 2, 3, 4), "QLinearSigmoid": (1, 2, 3, 4),
              "QLinearLeakyRelu": (1, 2, 3, 4), "QLinearSoftmax": (1, 2, 3, 4)}


def constants(model):
    return {tensor.name: tensor for tensor in model.graph.initializer}


def add(model, values, name):
    model.graph.initializer.append(numpy_helper.from_array(numpy.asarray(values), name))
    return name


def nodes(model, *kinds):
    return [node for node in model.graph.node if node.op_type in kinds]


def attribute(node, name):
    return next((one for one in node.attribute if one.name == name), None)


def drop(node, name):
    found = attribute(node, name)
    if found is not None:
        node.attribute.remove(found)


def put(node, name, value):
    drop(node, name)
    node.attribute.append(helper.make_attribute(name, value))


def ranks(model):
    inferred = onnx.shape_inference.infer_shapes(model).graph
    values = [*inferred.value_info, *inferred.input, *inferred.output]
    return {v.name: len(v.type.tensor_type.shape.dim) for v in values
            if v.type.tensor_type.HasField("shape")}


def insert(model, names, make):
    """A node behind each of these values, in front of all that read it; make: (value, name) -> node."""
    new = []
    outputs = {value.name for value in model.graph.output}
    names = [name for name in names if name not in outputs]
    for node in model.graph.node:
        for i, name in enumerate(node.input):
            if name in names:
                node.input[i] = name + " moved"
    known = {value.name for value in model.graph.input} | set(constants(model))
    new += [make(name, name + " moved") for name in names if name in known]
    for node in model.graph.node:
        new.append(node)
        new += [make(name, name + " moved") for name in node.output if name in names]
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in new]
    del model.graph.node[:]
    model.graph.node.extend(copies)


# ---------------------------------------------------------------- scales and zero points

def scales_with_an_axis(model):
    """Of one element, which is for all."""
    known = constants(model)
    for node in nodes(model, *PARAMETERS):
        for place in PARAMETERS[node.op_type]:
            if place < len(node.input) and node.input[place] in known:
                tensor = known[node.input[place]]
                if len(tensor.dims) == 0:
                    tensor.dims.append(1)


def zero_points_left_out(model):
    for node in nodes(model, "QuantizeLinear", "DequantizeLinear"):
        zero = constants(model).get(node.input[2]) if len(node.input) > 2 else None
        if zero is not None and not numpy_helper.to_array(zero).any():
            del node.input[2]


def zero_points_that_are_empty(model):
    for node in nodes(model, "DequantizeLinear"):
        zero = constants(model).get(node.input[2]) if len(node.input) > 2 else None
        if zero is not None and not numpy_helper.to_array(zero).any():
            node.input[2] = ""


def zero_points_of_biases(model):
    """Integers of 32 bits may have one, too."""
    known = constants(model)
    for node in nodes(model, "DequantizeLinear"):
        values = known.get(node.input[0])
        if values is not None and values.data_type == onnx.TensorProto.INT32:
            zero = numpy_helper.to_array(known[node.input[2]])
            name = node.name + node.output[0]
            node.input[0] = add(model, numpy_helper.to_array(values) + numpy.int32(50),
                                name + " more")
            node.input[2] = add(model, numpy.full(zero.shape, 50, numpy.int32), name + " zero")


def axes_of_single_scales(model):
    known = constants(model)
    for node in nodes(model, "QuantizeLinear", "DequantizeLinear"):
        if node.input[1] in known and not known[node.input[1]].dims:
            put(node, "axis", 1)


def weights_are_real(model):
    """And quantised in front of where they are real again."""
    known = constants(model)
    for number, node in enumerate(nodes(model, "DequantizeLinear")):
        values = known.get(node.input[0])
        if values is None or values.data_type == onnx.TensorProto.INT32:
            continue
        scale, zero = (numpy_helper.to_array(known[name]) for name in node.input[1:3])
        axis = attribute(node, "axis")
        whole = numpy_helper.to_array(values)
        shape = [1] * whole.ndim
        if scale.size > 1:
            shape[axis.i if axis else 1] = scale.size
        real = (whole.astype(numpy.float32) - zero.reshape(shape)) * scale.reshape(shape)
        before = helper.make_node("QuantizeLinear", [
            add(model, real.astype(numpy.float32), f"real {number}"), *node.input[1:3]],
            [f"integers {number}"])
        if scale.size > 1:
            put(before, "axis", axis.i if axis else 1)
        node.input[0] = before.output[0]
        model.graph.node.insert(0, before)


def biases_are_real(model):
    known = constants(model)
    for node in nodes(model, "DequantizeLinear"):
        values = known.get(node.input[0])
        if values is not None and values.data_type == onnx.TensorProto.INT32:
            real = numpy_helper.to_array(values) * numpy_helper.to_array(known[node.input[1]])
            add(model, real.astype(numpy.float32), node.output[0])
            model.graph.node.remove(node)


# ---------------------------------------------------------------- attributes

def negative_axes(model):
    rank = ranks(model)
    for node in nodes(model, "Concat", "Flatten", "Softmax", "Split", "ReduceMean", "Gather"):
        for name in ("axis", "axes"):
            found = attribute(node, name)
            if found is None or node.input[0] not in rank:
                continue
            whole = rank[node.input[0]]
            lower = [n - whole if n >= 0 else n for n in (found.ints if name == "axes" else [found.i])]
            put(node, name, lower if name == "axes" else lower[0])


def defaults_left_out(model):
    for node in nodes(model, "Conv", "QLinearConv", "ConvTranspose", "MaxPool", "AveragePool"):
        for name, value in (("pads", 0), ("strides", 1), ("dilations", 1)):
            found = attribute(node, name)
            if found is not None and all(n == value for n in found.ints):
                drop(node, name)
        group = attribute(node, "group")
        if group is not None and group.i == 1:
            drop(node, "group")


def sizes_of_kernels(model):
    known = constants(model)
    for node in nodes(model, "QLinearConv"):
        put(node, "kernel_shape", list(known[node.input[3]].dims[2:]))


def automatic_padding(model):
    for node in nodes(model, "Conv", "QLinearConv", "MaxPool"):
        pads, dilations = attribute(node, "pads"), attribute(node, "dilations")
        if pads is not None and (dilations is None or set(dilations.ints) == {1}):
            put(node, "auto_pad", "SAME_LOWER" if any(pads.ints) else "VALID")
            drop(node, "pads")


def results_left_out(model):
    """The places of the largest, which nobody asks for."""
    for node in nodes(model, "MaxPool"):
        node.output.append("")


def constants_of_attributes(model):
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        name = {"f": "value_float", "i": "value_int"}.get(values.dtype.kind)
        if values.ndim > 1 or values.dtype not in (numpy.float32, numpy.int64):
            continue
        whole = values.tolist() if values.ndim == 0 else [n for n in values.tolist()]
        node = helper.make_node("Constant", [], [tensor.name])
        node.attribute.append(helper.make_attribute(name + ("s" if values.ndim else ""), whole))
        model.graph.node.insert(0, node)
        model.graph.initializer.remove(tensor)


def transposed_weights(model):
    known = constants(model)
    made = {node.output[0]: node for node in nodes(model, "DequantizeLinear")}
    for node in nodes(model, "Gemm"):
        weights = made[node.input[1]]
        values = numpy_helper.to_array(known[weights.input[0]])
        weights.input[0] = add(model, numpy.ascontiguousarray(values.T), weights.input[0] + " turned")
        put(node, "transB", 1)


# ---------------------------------------------------------------- values

def identities_everywhere(model):
    names = [v.name for v in model.graph.input] + list(constants(model))
    names += [name for node in model.graph.node for name in node.output]
    insert(model, names, lambda a, b: helper.make_node("Identity", [a], [b]))


def identities_of_constants(model):
    """Two behind each other."""
    for turn in range(2):
        names = list(constants(model)) if turn == 0 else [n + " moved" for n in constants(model)]
        insert(model, names, lambda a, b: helper.make_node("Identity", [a], [b]))


def dropouts(model):
    names = [node.output[0] for node in nodes(model, "DequantizeLinear")]
    insert(model, names, lambda a, b: helper.make_node("Dropout", [a], [b]))


def casts_to_the_same(model):
    names = [node.output[0] for node in nodes(model, "DequantizeLinear")]
    insert(model, names, lambda a, b: helper.make_node("Cast", [a], [b], to=1))


def shared_reals(model):
    """A value that several read becomes real once."""
    first = {}
    for node in nodes(model, "DequantizeLinear"):
        key = tuple(numpy_helper.to_array(constants(model)[name]).tobytes()
                    if name in constants(model) else name for name in node.input)
        first.setdefault(key, node)
        if first[key] is not node:
            for reader in model.graph.node:
                for i, name in enumerate(reader.input):
                    if name == node.output[0]:
                        reader.input[i] = first[key].output[0]
            model.graph.node.remove(node)


def open_pictures(model):
    """Sizes of results have names."""
    for value in model.graph.output:
        rank = ranks(model).get(value.name)
        if rank is not None:
            for place in range(rank):
                value.type.tensor_type.shape.dim.add().dim_param = f"size {place}"


# ---------------------------------------------------------------- operator sets

def operator_set(version):
    def change(model):
        try:
            model.CopyFrom(version_converter.convert_version(model, version))
        except Exception:  # has no older form
            return
        model.ir_version = min(model.ir_version, 8)
    return change


def attributes_of_newer_sets(model):
    for one in model.opset_import:
        if one.domain == "":
            one.version = 21
    for node in nodes(model, "QuantizeLinear"):
        put(node, "saturate", 1)
        put(node, "block_size", 0)
    for node in nodes(model, "DequantizeLinear"):
        put(node, "block_size", 0)


FORMS = {f.__name__: f for f in (
    scales_with_an_axis, zero_points_left_out, zero_points_that_are_empty, zero_points_of_biases,
    axes_of_single_scales, weights_are_real, biases_are_real, negative_axes, defaults_left_out,
    sizes_of_kernels, automatic_padding, results_left_out, constants_of_attributes,
    transposed_weights, identities_everywhere, identities_of_constants, dropouts,
    casts_to_the_same, shared_reals, open_pictures, attributes_of_newer_sets)}
FORMS.update({f"operator_set_{n}": operator_set(n) for n in (13, 15, 18, 19, 21, 23)})
