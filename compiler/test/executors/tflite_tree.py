"""The tree of tables of a TFLite file, and what forms look for in it."""
import numpy as np
from tflite_file import Table, Vector

# Fields of tables.
CODES, SUBGRAPHS, BUFFERS, METADATA_BUFFER, METADATA, SIGNATURES = 1, 2, 4, 5, 6, 7  # of a model
TENSORS, INPUTS, OUTPUTS, OPERATORS, NAME = 0, 1, 2, 3, 4  # of a subgraph
SHAPE, TYPE, BUFFER, TENSOR_NAME, QUANTISATION, VARIABLE, SIGNATURE, HAS_RANK = 0, 1, 2, 3, 4, 5, 7, 8
SCALE, ZERO, AXIS = 2, 3, 6  # of a quantisation
STRING, BOOL, INT32, INT8, FLOAT64, COMPLEX64 = 5, 6, 2, 9, 10, 8


def graph_of(model):
    return model.fields[SUBGRAPHS].elements[0].fields


def tensors_of(model):
    return graph_of(model)[TENSORS].elements


def operators_of(model):
    return graph_of(model)[OPERATORS].elements


def reads(operator):
    return operator.fields[1].elements


def code_of(model, operator):
    return model.fields[CODES].elements[operator.fields[0][1]].fields[3][1]


def has_data(model, tensor):
    return bool(model.fields[BUFFERS].elements[tensor.fields[BUFFER][1]].fields)


def constants(model):
    return [tensor for tensor in tensors_of(model) if has_data(model, tensor)]


def quantisations(model, wanted):
    return [tensor.fields[QUANTISATION].fields for tensor in tensors_of(model)
            if QUANTISATION in tensor.fields and wanted(tensor)]


def axes(tensor):
    return len(tensor.fields[SHAPE].elements)


def add_tensor(model, **fields):
    tensor = Table({SHAPE: Vector(np.array([2, 3], np.int32)), TYPE: ("b", INT8), BUFFER: ("I", 0),
                    TENSOR_NAME: b"more", **{int(k[1:]): v for k, v in fields.items()}})
    tensors_of(model).append(tensor)
    return len(tensors_of(model)) - 1


def add_buffer(model, data):
    model.fields[BUFFERS].elements.append(Table({0: Vector(np.frombuffer(data, np.uint8), 16)}))
    return ("I", len(model.fields[BUFFERS].elements) - 1)


def computed(model):
    """Tensors that operators write."""
    written = {n for operator in operators_of(model) for n in operator.fields[2].elements}
    return [tensor for n, tensor in enumerate(tensors_of(model)) if n in written]


def numbers_of(model, code, place):
    """Constants of integers that operators read at a place."""
    found = []
    for operator in operators_of(model):
        numbers = reads(operator)
        if code_of(model, operator) == code and place < len(numbers) and numbers[place] >= 0:
            tensor = tensors_of(model)[numbers[place]]
            if has_data(model, tensor) and tensor.fields[TYPE][1] == INT32:
                found.append((operator, tensor))
    return found


def integers(model, tensor):
    data = model.fields[BUFFERS].elements[tensor.fields[BUFFER][1]].fields[0].elements
    return np.frombuffer(data.tobytes(), np.int32)
