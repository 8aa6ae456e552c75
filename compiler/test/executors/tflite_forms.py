"""Other forms of TFLite files with the same meaning: each changes the tree of tables of a file, or
gives its bytes."""
import copy
import struct

import numpy as np
import tflite_shape_forms
from tflite_file import Table, Vector, file_of
from tflite_tree import (AXIS, BOOL, BUFFER, BUFFERS, CODES, COMPLEX64, FLOAT64, INPUTS, INT32,
                         METADATA, METADATA_BUFFER, NAME, OPERATORS,
                         OUTPUTS, QUANTISATION, SCALE, SHAPE, SIGNATURES,
                         STRING, SUBGRAPHS, TENSOR_NAME, TYPE, ZERO,
                         add_buffer, add_tensor, axes, code_of, computed,
                         constants, graph_of, has_data, operators_of,
                         quantisations, reads, tensors_of)

# ---------------------------------------------------------------- quantisation

def axis_of_vectors(model):
    for q in quantisations(model, lambda t: axes(t) == 1):
        q[AXIS] = ("i", 3)


def axis_of_single_scales(model):
    for q in quantisations(model, lambda t: axes(t) > 1):
        if len(q[SCALE].elements) == 1:
            q[AXIS] = ("i", 1)


def ranges(model):
    """What quantisers have seen; of each channel, too."""
    for q in quantisations(model, lambda t: True):
        count = len(q[SCALE].elements)
        q[0] = Vector(np.full(count, -1.5, np.float32))
        q[1] = Vector(np.full(count, 2.5, np.float32))


def details_of_quantisation(model):
    """Of a tool's own, beside the scales."""
    for tensor in tensors_of(model):
        q = tensor.fields.setdefault(QUANTISATION, Table({})).fields
        q[4] = ("B", 1)
        q[5] = Table({0: Vector(np.frombuffer(b"details", np.uint8), 16)})


def quantised_shapes(model):
    """Integers of shapes and axes have scales that nobody reads."""
    for tensor in constants(model):
        if tensor.fields[TYPE][1] == INT32 and QUANTISATION not in tensor.fields:
            tensor.fields[QUANTISATION] = Table({
                SCALE: Vector(np.array([0.0], np.float32)), ZERO: Vector(np.array([9], np.int64))})


def empty_quantisation(model):
    for tensor in tensors_of(model):
        tensor.fields.setdefault(QUANTISATION, Table({}))


def vectors_without_scales(model):
    for tensor in tensors_of(model):
        if QUANTISATION not in tensor.fields:
            tensor.fields[QUANTISATION] = Table({SCALE: Vector(np.array([], np.float32)),
                                                 ZERO: Vector(np.array([], np.int64))})


# ---------------------------------------------------------------- tensors

def unused_strings(model):
    text = struct.pack("<iii", 1, 12, 16) + b"text"
    add_tensor(model, _0=Vector(np.array([1], np.int32)), _1=("b", STRING), _2=add_buffer(model, text))
    add_tensor(model, _1=("b", STRING))


def unused_types(model):
    for kind in (BOOL, FLOAT64, COMPLEX64, 1):
        add_tensor(model, _1=("b", kind))
    add_tensor(model, _0=Vector(np.array([1] * 12, np.int32)))


def unused_without_elements(model):
    add_tensor(model, _0=Vector(np.array([0], np.int32)))
    add_tensor(model, _0=Vector(np.array([], np.int32)), _1=("b", BOOL))


def empty_tensors(model):
    """Without a shape, and without a name."""
    add_tensor(model)
    fields = tensors_of(model)[-1].fields
    del fields[SHAPE], fields[TENSOR_NAME]


def no_names(model):
    for tensor in tensors_of(model):
        del tensor.fields[TENSOR_NAME]
    del graph_of(model)[NAME], model.fields[3]


def same_names(model):
    for tensor in tensors_of(model):
        tensor.fields[TENSOR_NAME] = "größe \U0001f600\n".encode()


def scalar_shapes_left_out(model):
    for tensor in constants(model):
        if axes(tensor) == 0:
            del tensor.fields[SHAPE]


def biases_with_axes(model):
    for tensor in constants(model):
        if tensor.fields[TYPE][1] == INT32 and QUANTISATION in tensor.fields and \
                len(tensor.fields[QUANTISATION].fields[SCALE].elements) == 1:
            tensor.fields[SHAPE] = Vector(np.array([1, 1, 1, *tensor.fields[SHAPE].elements],
                                                   np.int32))


def shared_buffers(model):
    """Each operator has constants of its own, their data are there once."""
    for operator in operators_of(model):
        numbers = []
        for number in reads(operator):
            tensor = tensors_of(model)[number]
            if number >= 0 and has_data(model, tensor):
                tensors_of(model).append(copy.copy(tensor))
                number = len(tensors_of(model)) - 1
            numbers.append(number)
        operator.fields[1] = Vector(np.array(numbers, np.int32))


def empty_buffers(model):
    """What is computed has a buffer of its own, without data."""
    for number, tensor in enumerate(tensors_of(model)):
        if not has_data(model, tensor):
            tensor.fields[BUFFER] = ("I", len(model.fields[BUFFERS].elements))
            empty = Vector(np.array([], np.uint8), 16)
            model.fields[BUFFERS].elements.append(Table({0: empty} if number % 2 else {}))


def first_buffer_with_data(model):
    """It is for what has no data, even so."""
    model.fields[BUFFERS].elements[0].fields[0] = Vector(np.arange(16, dtype=np.uint8), 16)


def data_behind(model):
    """As in files above 2 GB: data behind the flatbuffer."""
    buffers, parts = model.fields[BUFFERS].elements, []
    for buffer in buffers:
        if 0 in buffer.fields:
            parts.append((buffer, buffer.fields[0].elements.tobytes()))
            buffer.fields = {1: ("Q", 2), 2: ("Q", len(parts[-1][1]))}
    data = bytearray(bytes(-len(file_of(model)) % 16))
    start = len(file_of(model))
    for buffer, part in parts:
        buffer.fields[1] = ("Q", start + len(data))
        data += part + bytes(-len(part) % 16)
    return file_of(model) + bytes(data)


# ---------------------------------------------------------------- operators

def old_codes(model):
    """Files from before 2020 have the code in one byte."""
    for code in model.fields[CODES].elements:
        code.fields.pop(3)


def unused_codes(model):
    model.fields[CODES].elements.insert(0, Table({0: ("b", 32), 1: b"TFLite_Detection", 3: ("i", 32)}))
    for operator in operators_of(model):
        operator.fields[0] = ("I", operator.fields[0][1] + 1)


def custom_options(model):
    for operator in operators_of(model):
        operator.fields[5] = Vector(np.frombuffer(b"options", np.uint8))
        operator.fields[7] = Vector(np.zeros(len(reads(operator)), np.uint8))


def shapes_left_out(model):
    """New shapes, which the shapes of the results tell, too."""
    for operator in operators_of(model):
        if code_of(model, operator) == OPTIONAL["RESHAPE"]:
            shape = tensors_of(model)[operator.fields[2].elements[0]].fields[SHAPE]
            operator.fields[1] = Vector(reads(operator)[:1])
            operator.fields[3], operator.fields[4] = ("B", 17), Table({0: shape})


def options_left_out(code):
    def change(model):
        for operator in operators_of(model):
            if code_of(model, operator) == code:
                operator.fields.pop(3, None)
                operator.fields.pop(4, None)
    return change


def unused_results(model):
    """An operator whose result nobody reads; this one is not even known to the reader."""
    model.fields[CODES].elements.append(Table({0: ("b", 8), 2: ("i", 1), 3: ("i", 8)}))  # FLOOR
    one = np.array([1.5], np.float32).tobytes()
    shape = Vector(np.array([1], np.int32))
    start = add_tensor(model, _0=shape, _1=("b", 0), _2=add_buffer(model, one))
    end = add_tensor(model, _0=shape, _1=("b", 0))
    codes = model.fields[CODES].elements
    operators_of(model).insert(0, Table({
        0: ("I", len(codes) - 1), 1: Vector(np.array([start], np.int32)),
        2: Vector(np.array([end], np.int32))}))


# ---------------------------------------------------------------- graphs

def unused_input(model):
    index = add_tensor(model)
    graph = graph_of(model)
    graph[INPUTS] = Vector(np.array([*graph[INPUTS].elements, index], np.int32))


def outputs_twice(model):
    graph = graph_of(model)
    graph[OUTPUTS] = Vector(np.repeat(graph[OUTPUTS].elements, 2))


def input_is_output(model):
    graph = graph_of(model)
    graph[OUTPUTS] = Vector(np.array([*graph[OUTPUTS].elements, graph[INPUTS].elements[0]], np.int32))


def constant_is_output(model):
    graph = graph_of(model)
    numbers = [i for i, t in enumerate(tensors_of(model)) if has_data(model, t)]
    graph[OUTPUTS] = Vector(np.array([*graph[OUTPUTS].elements, *numbers[:1]], np.int32))


def second_graph(model):
    """One that nothing calls, of an operator that is not known."""
    other = copy.deepcopy(model.fields[SUBGRAPHS].elements[0])
    codes = model.fields[CODES].elements
    codes.append(Table({0: ("b", 66), 2: ("i", 1), 3: ("i", 66)}))  # SIN
    for operator in other.fields[OPERATORS].elements:
        operator.fields[0] = ("I", len(codes) - 1)
    other.fields[NAME] = b"other"
    model.fields[SUBGRAPHS].elements.append(other)


def metadata(model):
    add_buffer(model, b"1.14.0" + bytes(10))
    number = len(model.fields[BUFFERS].elements) - 1
    model.fields[METADATA] = Vector([Table({0: b"min_runtime_version", 1: ("I", number)})])
    model.fields[METADATA_BUFFER] = Vector(np.array([number], np.int32))


def signatures(model):
    graph = graph_of(model)

    def maps(kind):
        return Vector([Table({0: f"{kind}_{i}".encode(), 1: ("I", int(index))})
                       for i, index in enumerate(graph[kind].elements)])
    model.fields[SIGNATURES] = Vector([Table({0: maps(INPUTS), 1: maps(OUTPUTS),
                                              2: b"serving_default", 4: ("I", 0)})])


def bytes_behind(model):
    return file_of(model) + b"appended by a tool: a zip file with labels"


# Of operators whose options may be left out, their codes.
OPTIONAL = {"ADD": 0, "FULLY_CONNECTED": 9, "MUL": 18, "RESHAPE": 22, "SUB": 41,
            "RESIZE_BILINEAR": 23, "LEAKY_RELU": 98}
FORMS = {f.__name__: f for f in (
    axis_of_vectors, axis_of_single_scales, ranges, details_of_quantisation, quantised_shapes,
    empty_quantisation,
    vectors_without_scales, unused_strings, unused_types, unused_without_elements,
    empty_tensors, no_names, same_names, *tflite_shape_forms.FORMS,
    scalar_shapes_left_out, biases_with_axes, shared_buffers, empty_buffers,
    first_buffer_with_data, data_behind, old_codes,
    unused_codes, custom_options, shapes_left_out,
    unused_results, unused_input, outputs_twice,
    input_is_output, constant_is_output, second_graph, metadata, signatures, bytes_behind)}
FORMS.update({f"{name}_without_options": options_left_out(code) for name, code in OPTIONAL.items()})


def changed(network, form):
    """The bytes of a network in another form."""
    model = network.table()
    return FORMS[form](model) or file_of(model)
