"""Other forms of ONNX files with the same meaning: each changes a model, or gives the file's bytes."""
import numpy
import onnx
import onnx_node_forms
from onnx import TensorProto, helper, numpy_helper


def constant(model, values, name):
    model.graph.initializer.append(numpy_helper.from_array(values, name))
    return name


# ---------------------------------------------------------------- the file

def newer_format(model):
    model.ir_version = 11


def older_format(model):
    model.ir_version = 4


def about(model):
    model.producer_name, model.producer_version, model.domain = "maker", "1.0", "org.example"
    model.model_version, model.doc_string, model.graph.doc_string = 7, "größe", "graph"
    helper.set_model_props(model, {"classes": "a,b", "stride": "32"})
    model.graph.name = ""
    for node in model.graph.node:
        node.doc_string = "made by hand"


def fields_in_another_order(model):
    """The graph first, the version last."""
    whole = model.SerializeToString()
    first, rest = onnx.ModelProto(), onnx.ModelProto()
    first.CopyFrom(model)
    for field in ("ir_version", "opset_import"):
        first.ClearField(field)
    rest.CopyFrom(model)
    rest.ClearField("graph")
    data = first.SerializeToString() + rest.SerializeToString()
    assert len(data) == len(whole)
    return data


def training_info(model):
    info = model.training_info.add()
    info.algorithm.name = "training"
    info.algorithm.node.append(helper.make_node("Identity", ["a"], ["b"]))


def more_operator_sets(model):
    for domain, version in (("ai.onnx.ml", 3), ("org.example", 99)):
        model.opset_import.append(helper.make_opsetid(domain, version))


def named_operator_set(model):
    for one in model.opset_import:
        if one.domain == "":
            one.domain = "ai.onnx"
    for node in model.graph.node:
        if node.domain == "":
            node.domain = "ai.onnx"


def newest_operator_set(model):
    for one in model.opset_import:
        if one.domain == "":
            one.version = 28


# ---------------------------------------------------------------- values

def constants_are_inputs(model):
    """As before version 4 of the format; more of them than read."""
    for tensor in model.graph.initializer:
        model.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type,
                                                               tensor.dims))


def unused_constants(model):
    constant(model, numpy.zeros((2, 0, 3), numpy.float32), "no elements")
    constant(model, numpy.zeros(3, numpy.float16), "halves")
    constant(model, numpy.array([True, False]), "flags")
    constant(model, numpy.array(["a", "b"], object), "words")
    constant(model, numpy.zeros([1] * 12, numpy.float32), "many axes")


def constants_are_nodes(model):
    """Behind what reads them, too."""
    for tensor in model.graph.initializer:
        model.graph.node.append(helper.make_node("Constant", [], [tensor.name], value=tensor))
    del model.graph.initializer[:]


def constants_without_raw(model):
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        tensor.CopyFrom(helper.make_tensor(tensor.name, tensor.data_type, tensor.dims,
                                           values.flatten().tolist()))


def constants_are_sparse(model):
    for tensor in list(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.ndim < 2:
            continue
        flat = values.flatten()
        places = numpy.flatnonzero(flat)
        model.graph.sparse_initializer.append(helper.make_sparse_tensor(
            numpy_helper.from_array(flat[places], tensor.name),
            numpy_helper.from_array(places.astype(numpy.int64), "places"), values.shape))
        model.graph.initializer.remove(tensor)


def value_info(model):
    model.graph.value_info.append(helper.make_tensor_value_info("nowhere", TensorProto.FLOAT, [3]))
    for node in model.graph.node:
        info = model.graph.value_info.add()
        info.name = node.output[0]


def quantisation_annotations(model):
    note = model.graph.quantization_annotation.add()
    note.tensor_name = model.graph.input[0].name


def dynamic_batch(model):
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_param = "batch"


def unknown_batch(model):
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].Clear()


def negative_batch(model):
    for value in model.graph.input:
        value.type.tensor_type.shape.dim[0].dim_value = -1


# ---------------------------------------------------------------- operators

def names(model):
    for number, node in enumerate(model.graph.node):
        node.name = f"größe/name:{number}"


def any_order(model):
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def unused_results(model):
    """Operators that nobody reads; one of them is not known to the reader."""
    one = constant(model, numpy.ones(3, numpy.float32), "unread one")
    model.graph.node.append(helper.make_node("Sin", [one], ["unread sine"]))
    model.graph.node.append(helper.make_node("Relu", [model.graph.node[0].output[0]],
                                             ["unread relu"]))
    if not any(tensor.data_type == TensorProto.FLOAT for tensor in model.graph.initializer[:1]):
        model.graph.node.pop()


def inputs_left_out(model):
    """Names that are empty, behind the last input."""
    for node in model.graph.node:
        if node.op_type in ("Conv", "Clip", "Slice"):
            node.input.append("")


def identities(model):
    """Between an output and what makes it."""
    for output in model.graph.output:
        for node in model.graph.node:
            for i, name in enumerate(node.output):
                if name == output.name:
                    node.output[i] = name + " before"
            for i, name in enumerate(node.input):
                if name == output.name:
                    node.input[i] = name + " before"
        model.graph.node.append(helper.make_node("Identity", [output.name + " before"],
                                                 [output.name]))


def input_is_output(model):
    value = model.graph.output.add()
    value.CopyFrom(model.graph.input[0])


def constant_is_output(model):
    name = constant(model, numpy.array([[1.5, 2.5]], numpy.float32), "given")
    model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2]))


def unused_input(model):
    model.graph.input.append(helper.make_tensor_value_info("unread", TensorProto.FLOAT, [2]))


# ---------------------------------------------------------------- functions

def unused_function(model):
    model.functions.append(helper.make_function(
        "org.example", "Nobody", ["a"], ["b"], [helper.make_node("Sin", ["a"], ["b"])],
        [helper.make_opsetid("", 17)]))
    model.opset_import.append(helper.make_opsetid("org.example", 1))


def in_function(model):
    """Each operator of the picture in a function of its own, with attributes of the call."""
    model.opset_import.append(helper.make_opsetid("org.example", 1))
    for number, node in enumerate(model.graph.node):
        inner = onnx.NodeProto()
        inner.CopyFrom(node)
        del inner.attribute[:]
        attributes = []
        for attribute in node.attribute:
            given = inner.attribute.add()
            given.name, given.type = attribute.name, attribute.type
            given.ref_attr_name = "outer_" + attribute.name
            attributes.append("outer_" + attribute.name)
            attribute.name = "outer_" + attribute.name
        for i in range(len(inner.input)):
            inner.input[i] = f"in{i}" if inner.input[i] else ""
        inner.output[0] = "out"
        function = helper.make_function(
            "org.example", f"Part{number}", [f"in{i}" for i in range(len(inner.input))], ["out"],
            [inner], [one for one in model.opset_import if one.domain != "org.example"], attributes)
        model.functions.append(function)
        node.op_type, node.domain = f"Part{number}", "org.example"


def functions_in_functions(model):
    """The whole network in a function, called by another; what lies between has any name."""
    graph = model.graph
    inputs = [v.name for v in graph.input] + [t.name for t in graph.initializer]
    outputs = [v.name for v in graph.output]
    sets = list(model.opset_import) + [helper.make_opsetid("org.example", 1)]
    model.functions.append(helper.make_function("org.example", "Inner", inputs, outputs,
                                                list(graph.node), sets))
    call = helper.make_node("Inner", inputs, [f"r{i}" for i in range(len(outputs))],
                            domain="org.example")
    model.functions.append(helper.make_function(
        "org.example", "Outer", inputs, [f"r{i}" for i in range(len(outputs))], [call], sets))
    del graph.node[:]
    graph.node.append(helper.make_node("Outer", inputs, outputs, domain="org.example"))
    model.opset_import.append(helper.make_opsetid("org.example", 1))


FORMS = {f.__name__: f for f in (
    newer_format, older_format, about, fields_in_another_order, training_info, more_operator_sets,
    named_operator_set, newest_operator_set, constants_are_inputs, unused_constants,
    constants_are_nodes, constants_without_raw, constants_are_sparse, value_info,
    quantisation_annotations, dynamic_batch, unknown_batch, negative_batch,
    names, any_order, unused_results, inputs_left_out,
    identities, input_is_output, constant_is_output, unused_input, unused_function, in_function,
    functions_in_functions)}
FORMS.update(onnx_node_forms.FORMS)


def changed(model, form):
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return FORMS[form](copy) or copy.SerializeToString()
