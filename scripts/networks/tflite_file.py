"""Writes quantised networks as TFLite files. Needs numpy; knows no other library.

    network = Network()
    x = network.input((1, 28, 28, 1), scale=1 / 255, zero=-128)
    y = network.tensor((1, 10), scale=0.1, zero=3)
    network.operator("FULLY_CONNECTED", [x, weights, bias], [y], activation="RELU")
    network.outputs.append(y)
    data = network.bytes()
"""
import struct
from dataclasses import dataclass

import numpy as np

TYPES = {"float32": 0, "int32": 2, "uint8": 3, "int64": 4, "bool": 6, "int16": 7, "complex64": 8,
         "int8": 9, "int4": 17}
PADDING = {"SAME": 0, "VALID": 1}
ACTIVATION = {"NONE": 0, "RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}

# Fields of the tables of options in the order of their ids, with struct's letter for the type;
# None: a field that is left out.
CONV = [("padding", "b"), ("stride_w", "i"), ("stride_h", "i"), ("activation", "b"),
        ("dilation_w", "i"), ("dilation_h", "i")]
POOL = [("padding", "b"), ("stride_w", "i"), ("stride_h", "i"), ("filter_w", "i"),
        ("filter_h", "i"), ("activation", "b")]
BIAS = [("quantized_bias_type", "b")]  # of int16: as TYPES; older readers take it from the bias
ARITHMETIC = [("activation", "b")]
CELL = [("activation", "b"), ("asymmetric_quantize_inputs", "?")]
VOLUME = [("padding", "b"), ("stride_d", "i"), ("stride_w", "i"), ("stride_h", "i"),
          ("activation", "b"), ("dilation_d", "i"), ("dilation_w", "i"), ("dilation_h", "i")]
SAMPLING = [("align_corners", "?"), ("half_pixel_centers", "?")]

CUSTOM = 32
# Of each operator: code, version that understands int8, type of its options, their fields.
OPERATORS = {
    "ADD": (0, 2, 11, ARITHMETIC),
    "AVERAGE_POOL_2D": (1, 2, 5, POOL),
    "CONCATENATION": (2, 2, 10, [("axis", "i"), ("activation", "b")]),
    "CONV_2D": (3, 3, 1, CONV + BIAS),
    "DEPTHWISE_CONV_2D": (4, 3, 2, CONV[:3] + [("depth_multiplier", "i")] + CONV[3:]),
    "SPACE_TO_DEPTH": (26, 2, 19, [("block_size", "i")]),
    "DEPTH_TO_SPACE": (5, 2, 94, [("block_size", "i")]),
    "DEQUANTIZE": (6, 2, 38, []),
    "FLOOR": (8, 1, 0, []),
    "FULLY_CONNECTED": (9, 4, 8, [("activation", "b"), ("weights_format", "b"),
                                  ("keep_num_dims", "?"),
                                  ("asymmetric_quantize_inputs", "?"), *BIAS]),
    "LOGISTIC": (14, 2, 0, []),
    "MAX_POOL_2D": (17, 2, 5, POOL),
    "MUL": (18, 2, 21, ARITHMETIC),
    "RELU": (19, 2, 0, []),
    "RELU_N1_TO_1": (20, 1, 0, []),
    "RELU6": (21, 2, 0, []),
    "RESHAPE": (22, 1, 17, []),
    "RESIZE_BILINEAR": (23, 3, 15, [None, None] + SAMPLING),
    "SOFTMAX": (25, 2, 9, [("beta", "f")]),
    "TANH": (28, 2, 0, []),
    "PAD": (34, 2, 22, []),
    "GATHER": (36, 2, 23, [("axis", "i"), ("batch_dims", "i")]),
    "BATCH_TO_SPACE_ND": (37, 2, 24, []),
    "SPACE_TO_BATCH_ND": (38, 2, 25, []),
    "TRANSPOSE": (39, 2, 26, []),
    "MEAN": (40, 2, 27, [("keep_dims", "?")]),
    "SUB": (41, 2, 28, ARITHMETIC),
    "SQUEEZE": (43, 1, 30, []),
    "STRIDED_SLICE": (45, 2, 32, [("begin_mask", "i"), ("end_mask", "i"), ("ellipsis_mask", "i"),
                                  ("new_axis_mask", "i"), ("shrink_axis_mask", "i")]),
    "EXP": (47, 2, 33, []),
    "DIV": (42, 2, 29, ARITHMETIC),
    "SPLIT": (49, 2, 35, [("num_splits", "i")]),
    "PRELU": (54, 1, 0, []),
    "MAXIMUM": (55, 2, 39, []),
    "ARG_MAX": (56, 2, 40, [("output_type", "b")]),
    "MINIMUM": (57, 2, 39, []),
    "NEG": (59, 1, 42, []),
    "PADV2": (60, 2, 43, []),
    "SLICE": (65, 2, 48, []),
    "SIN": (66, 1, 0, []),
    "TRANSPOSE_CONV": (67, 3, 49, CONV[:4] + BIAS),
    "TILE": (69, 1, 0, []),
    "EXPAND_DIMS": (70, 1, 52, []),
    "LOG": (73, 1, 0, []),
    "SQRT": (75, 1, 0, []),
    "RSQRT": (76, 2, 0, []),
    "SHAPE": (77, 1, 55, [("output_type", "b")]),
    "POW": (78, 1, 56, []),
    "REDUCE_MAX": (82, 2, 27, [("keep_dims", "?")]),
    "PACK": (83, 2, 59, [("values_count", "i"), ("axis", "i")]),
    "UNPACK": (88, 2, 64, [("num", "i"), ("axis", "i")]),
    "SQUARE": (92, 1, 66, []),
    "RESIZE_NEAREST_NEIGHBOR": (97, 3, 74, SAMPLING),
    "LEAKY_RELU": (98, 2, 75, [("alpha", "f")]),
    "SQUARED_DIFFERENCE": (99, 2, 76, []),
    "MIRROR_PAD": (100, 2, 77, [("mode", "b")]),
    "ABS": (101, 2, 78, []),
    "SPLIT_V": (102, 2, 79, [("num_splits", "i")]),
    "CEIL": (104, 1, 0, []),
    "COS": (108, 1, 0, []),
    "ELU": (111, 1, 0, []),
    "QUANTIZE": (114, 2, 81, []),
    "ROUND": (116, 1, 0, []),
    "HARD_SWISH": (117, 1, 91, []),
    "BATCH_MATMUL": (126, 3, 101, [("adjoint_a", "?"), ("adjoint_b", "?"),
                                  ("asymmetric_quantize_inputs", "?")]),
    "BROADCAST_TO": (130, 3, 0, []),
    "GELU": (150, 1, 116, [("approximate", "?")]),
    "SIGN": (158, 1, 0, []),
    "CAST": (53, 1, 37, [("in_data_type", "b"), ("out_data_type", "b")]),
    **{name: (code, 2, kind, []) for name, code, kind in (
        ("LESS", 58, 41), ("GREATER", 61, 44), ("GREATER_EQUAL", 62, 45), ("LESS_EQUAL", 63, 46),
        ("EQUAL", 71, 53), ("NOT_EQUAL", 72, 54), ("SELECT", 64, 47))},
    **{name: (code, 1, kind, []) for name, code, kind in (
        ("LOGICAL_OR", 84, 60), ("LOGICAL_AND", 86, 62), ("LOGICAL_NOT", 87, 63),
        ("SELECT_V2", 123, 98), ("ADD_N", 106, 82), ("FLOOR_MOD", 95, 72), ("RANGE", 96, 73),
        ("RANK", 110, 86), ("ZEROS_LIKE", 93, 67), ("FILL", 94, 68), ("EMBEDDING_LOOKUP", 7, 0),
        ("REVERSE_V2", 105, 81))},
    "FLOOR_DIV": (90, 2, 65, []),
    **{name: (code, 2, 27, [("keep_dims", "?")]) for name, code in (
        ("SUM", 74), ("REDUCE_MIN", 89))},
    **{name: (code, 1, 27, [("keep_dims", "?")]) for name, code in (
        ("REDUCE_PROD", 81), ("REDUCE_ANY", 91), ("REDUCE_ALL", 140))},
    "ARG_MIN": (79, 2, 57, [("output_type", "b")]),
    "ONE_HOT": (85, 1, 61, [("axis", "i")]),
    "L2_NORMALIZATION": (11, 2, 12, [("activation", "b")]),
    "L2_POOL_2D": (12, 1, 5, POOL),
    "RELU_0_TO_1": (152, 1, 0, []),
    "LOCAL_RESPONSE_NORMALIZATION": (13, 1, 13, [("radius", "i"), ("bias", "f"), ("alpha", "f"),
                                                 ("beta", "f")]),
    "SVDF": (27, 3, 6, [("rank", "i"), ("activation", "b"), ("asymmetric_quantize_inputs", "?")]),
    "UNIDIRECTIONAL_SEQUENCE_LSTM": (44, 3, 71, [
        ("activation", "b"), ("cell_clip", "f"), ("projection_clip", "f"), ("time_major", "?"),
        ("asymmetric_quantize_inputs", "?")]),
    "RNN": (24, 3, 7, CELL),
    "UNIDIRECTIONAL_SEQUENCE_RNN": (35, 3, 31, [("time_major", "?"), *CELL]),
    "BIDIRECTIONAL_SEQUENCE_RNN": (46, 3, 70, [("time_major", "?"), CELL[0],
                                               ("merge_outputs", "?"), CELL[1]]),
    "LSTM": (16, 4, 14, [("activation", "b"), ("cell_clip", "f"), ("projection_clip", "f"),
                         ("kernel_type", "b"), CELL[1]]),
    "BIDIRECTIONAL_SEQUENCE_LSTM": (52, 3, 69, [
        ("activation", "b"), ("cell_clip", "f"), ("projection_clip", "f"), ("merge_outputs", "?"),
        ("time_major", "?"), CELL[1]]),
    "CONV_3D": (132, 1, 106, VOLUME),
    "CONV_3D_TRANSPOSE": (141, 1, 106, VOLUME),
    "ATAN2": (156, 1, 0, []),
    "BUCKETIZE": (147, 1, 115, [("boundaries", np.ndarray)]),
    "DENSIFY": (124, 1, 99, []),
    "MATRIX_DIAG": (113, 1, 88, []),
    "MATRIX_SET_DIAG": (115, 1, 90, []),
    "RFFT2D": (131, 1, 0, []),
    "COMPLEX_ABS": (135, 1, 0, []),
    "REAL": (134, 1, 0, []),
    "IMAG": (133, 1, 0, []),
    "IF": (118, 1, 92, [("then", "i"), ("else", "i")]),
    "WHILE": (119, 1, 93, [("condition", "i"), ("body", "i")]),
    "TOPK_V2": (48, 2, 34, []),
    "GATHER_ND": (107, 1, 83, []),
    "REVERSE_SEQUENCE": (112, 1, 87, [("seq_dim", "i"), ("batch_dim", "i")]),
    "SCATTER_ND": (122, 1, 0, []),
    "DYNAMIC_UPDATE_SLICE": (151, 1, 0, []),
    "NON_MAX_SUPPRESSION_V4": (120, 1, 95, []),
    "NON_MAX_SUPPRESSION_V5": (121, 1, 96, []),
    "CUMSUM": (128, 1, 102, [("exclusive", "?"), ("reverse", "?")]),
    # By its name. Its option is a flexbuffer.
    "TFLite_Detection_PostProcess": (32, 1, 0, [("custom", bytes)]),
}


# ---------------------------------------------------------------- flatbuffers

@dataclass
class Table:
    """Fields of a table: id -> (struct's letter, number), Table, Vector or bytes (a string)."""
    fields: dict


@dataclass
class Vector:
    """Elements: a numpy array, or tables."""
    elements: object
    alignment: int = 4


class Flatbuffer:
    """A buffer written from the front: what a reference points to always lies behind it."""

    def __init__(self, root, identifier):
        self.data = bytearray(struct.pack("<I4s", 0, identifier))
        self._refer(0, root)

    def _align(self, alignment, ahead=0):
        """Lets what begins `ahead` bytes from here lie at a multiple of `alignment`."""
        self.data += bytes(-(len(self.data) + ahead) % alignment)

    def _refer(self, place, item):
        """Writes an item; the reference to it is at `place`."""
        write = {Table: self._table, Vector: self._vector, bytes: self._string}[type(item)]
        struct.pack_into("<I", self.data, place, write(item) - place)

    def _table(self, table):
        kinds = {i: value[0] if isinstance(value, tuple) else "I"
                 for i, value in table.fields.items()}
        places, size = {}, 4  # in the table, behind the place of its vtable; the largest first
        for i in sorted(kinds, key=lambda i: (-struct.calcsize(kinds[i]), i)):
            places[i] = size
            size += struct.calcsize(kinds[i])
        slots = max(places, default=-1) + 1
        eight = any(struct.calcsize(kind) == 8 for kind in kinds.values())
        self._align(8 if eight else 4, 4 + 2 * slots + (4 if eight else 0))
        vtable = len(self.data)
        self.data += struct.pack(f"<HH{slots}H", 4 + 2 * slots, size,
                                 *(places.get(i, 0) for i in range(slots)))
        here = len(self.data)
        self.data += struct.pack("<i", here - vtable) + bytes(size - 4)
        for i, value in table.fields.items():
            if isinstance(value, tuple):
                struct.pack_into("<" + kinds[i], self.data, here + places[i], value[1])
        for i, value in table.fields.items():
            if not isinstance(value, tuple):
                self._refer(here + places[i], value)
        return here

    def _vector(self, vector):
        numbers = isinstance(vector.elements, np.ndarray)
        alignment = max(vector.alignment, vector.elements.itemsize if numbers else 4)
        self._align(alignment, 4)
        here = len(self.data)
        self.data += struct.pack("<I", len(vector.elements))
        if numbers:
            self.data += vector.elements.astype(vector.elements.dtype.newbyteorder("<")).tobytes()
            return here
        self.data += bytes(4 * len(vector.elements))
        for i, element in enumerate(vector.elements):
            self._refer(here + 4 + 4 * i, element)
        return here

    def _string(self, text):
        self._align(4)
        here = len(self.data)
        self.data += struct.pack("<I", len(text)) + text + b"\0"
        return here


def file_of(model):
    return bytes(Flatbuffer(model, b"TFL3").data)


# ---------------------------------------------------------------- networks

def packed(data, block=None, sparse=None, kind=np.int32):
    """Data of a sparse tensor, and the table that tells where they are. `block`: elements of one
    along each axis; `sparse`: the axis whose indices are told, of blocks that are not all 0; those
    in front of it and behind it are dense. `kind`: of the indices."""
    rank = data.ndim
    block = block or [1] * rank
    sparse = rank - 1 if sparse is None else sparse
    inner = [axis for axis in range(rank) if block[axis] > 1]
    outer = [size // step for size, step in zip(data.shape, block)]
    apart = data.reshape([n for pair in zip(outer, block) for n in pair])
    apart = apart.transpose([2 * axis for axis in range(rank)] +
                            [2 * axis + 1 for axis in range(rank)])
    rows = apart.reshape((int(np.prod(outer[:sparse])), outer[sparse], -1))
    segments, indices, values = [0], [], []
    for row in rows:
        there = np.flatnonzero(row.any(axis=1))
        indices += list(there)
        values += [row[i] for i in there]
        segments.append(len(indices))
    width = {np.int32: 1, np.uint16: 2, np.uint8: 3}[kind]
    levels = []
    for axis, size in enumerate(outer):
        if axis == sparse:
            levels.append(Table({0: ("b", 1), 2: ("B", width),
                                 3: Table({0: Vector(np.array(segments, kind))}),
                                 4: ("B", width), 5: Table({0: Vector(np.array(indices, kind))})}))
        else:
            levels.append(Table({1: ("i", size)}))
    levels += [Table({1: ("i", block[axis])}) for axis in inner]
    fields = {0: Vector(np.arange(rank + len(inner), dtype=np.int32)), 2: Vector(levels)}
    if inner:
        fields[1] = Vector(np.array(inner, np.int32))
    return np.concatenate(values) if values else np.zeros(0, data.dtype), Table(fields)


class Tensor:
    """Scale: one, or one for each index of `axis`; None: not quantised. Data: of constants."""

    def __init__(self, index, shape, kind, scale, zero, axis, data, name):
        self.index = index
        self.shape = tuple(int(size) for size in shape)
        self.kind = kind
        self.scale = None if scale is None else np.atleast_1d(np.asarray(scale, np.float32))
        self.zero = zero
        self.axis = axis
        self.variable = False
        self.sparsity = None  # of sparse data: as packed() makes it
        self.data = None if data is None else np.asarray(data).astype(kind)
        self.name = name or f"tensor {index}"
        if self.data is not None and self.data.shape != self.shape:
            raise ValueError(f"{self.name}: data {self.data.shape}: want {self.shape}")


class Network:
    """Tensors and operators in order; `inputs` and `outputs` are tensors; `subgraphs` are networks,
    by number from 1 on, that operators name."""

    def __init__(self, description="macrame"):
        self.description = description
        self.tensors, self.operators = [], []
        self.inputs, self.outputs, self.subgraphs = [], [], []

    def tensor(self, shape, kind="int8", scale=None, zero=0, axis=0, data=None, name=""):
        made = Tensor(len(self.tensors), shape, kind, scale, zero, axis, data, name)
        self.tensors.append(made)
        return made

    def input(self, shape, kind="int8", scale=None, zero=0, name=""):
        self.inputs.append(self.tensor(shape, kind, scale, zero, name=name))
        return self.inputs[-1]

    def variable(self, shape, kind="int16", scale=None, zero=0):
        """What an operator keeps from one run to the next."""
        made = self.tensor(shape, kind, scale, zero)
        made.variable = True
        return made

    def constant(self, data, kind="int32", scale=None, zero=0, axis=0, name=""):
        data = np.asarray(data)
        return self.tensor(data.shape, kind, scale, zero, axis, data, name)

    def operator(self, name, inputs, outputs, **options):
        """Inputs may be None. Options by the names above; what is left out has its default."""
        known = {field[0] for field in OPERATORS[name][3] if field}
        unknown = sorted(set(options) - known)
        if unknown:
            raise ValueError(f"{name}: options {unknown}: want some of {sorted(known)}")
        self.operators.append((name, inputs, outputs, options))

    def _tensor_table(self, tensor, buffers):
        fields = {0: Vector(np.array(tensor.shape, np.int32)), 1: ("b", TYPES[tensor.kind]),
                  2: ("I", 0), 3: tensor.name.encode()}
        if tensor.variable:
            fields[5] = ("?", True)
        if tensor.data is not None:
            data = tensor.data
            if tensor.sparsity is not None:
                data, fields[6] = packed(data, **tensor.sparsity)
            raw = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
            fields[2] = ("I", len(buffers))
            buffers.append(Table({0: Vector(raw, 16)}))
        if tensor.scale is not None:
            zeros = np.full(len(tensor.scale), tensor.zero, np.int64)
            fields[4] = Table({2: Vector(tensor.scale), 3: Vector(zeros), 6: ("i", tensor.axis)})
        return Table(fields)

    @staticmethod
    def _options(name, given):
        _, _, kind, fields = OPERATORS[name]
        if "custom" in given:
            return {5: Vector(np.frombuffer(given["custom"], np.uint8))}
        values = {}
        for i, field in enumerate(fields):
            if field and field[0] in given:
                value = given[field[0]]
                if field[1] is np.ndarray:
                    values[i] = Vector(value)
                    continue
                value = {**PADDING, **ACTIVATION}.get(value, value)
                values[i] = (field[1], value)
        return {3: ("B", kind), 4: Table(values)} if kind else {}

    def table(self):
        """The file as a tree of tables."""
        graphs = [self, *self.subgraphs]
        names = sorted({operator[0] for graph in graphs for operator in graph.operators})
        codes = [Table({0: ("b", min(OPERATORS[name][0], 127)), 2: ("i", OPERATORS[name][1]),
                        3: ("i", OPERATORS[name][0]),
                        **({1: name.encode()} if OPERATORS[name][0] == CUSTOM else {})})
                 for name in names]
        buffers = [Table({})]
        tables = [graph._graph_table(names, buffers, f"graph {number}" if number else "main")
                  for number, graph in enumerate(graphs)]
        return Table({0: ("I", 3), 1: Vector(codes), 2: Vector(tables),
                      3: self.description.encode(), 4: Vector(buffers)})

    def _graph_table(self, names, buffers, title):
        tensors = [self._tensor_table(tensor, buffers) for tensor in self.tensors]

        def indices(of):
            return Vector(np.array([-1 if t is None else t.index for t in of], np.int32))
        operators = [Table({0: ("I", names.index(name)), 1: indices(inputs), 2: indices(outputs),
                            **self._options(name, options)})
                     for name, inputs, outputs, options in self.operators]
        return Table({0: Vector(tensors), 1: indices(self.inputs), 2: indices(self.outputs),
                      3: Vector(operators), 4: title.encode()})

    def bytes(self):
        return file_of(self.table())
