"""Changes TFLite files in place: what a file holds stays as it is, options of any operator too.

What is new is appended; references of flatbuffers point forward only, so that it may be referred to
from everywhere.
"""
import struct

SUBGRAPHS, BUFFERS = 2, 4                       # fields of Model
TENSORS, INPUTS, OUTPUTS, OPERATORS = 0, 1, 2, 3  # of SubGraph


class File:
    """The bytes of a file, and places in it."""

    def __init__(self, model):
        self.data = bytearray(model)

    def word(self, at, kind="<I"):
        return struct.unpack_from(kind, self.data, at)[0]

    def follow(self, at):
        return at + self.word(at)

    def field(self, table, number):
        """Place of a field of a table; None: it has its default."""
        vtable = table - self.word(table, "<i")
        if 4 + 2 * number >= self.word(vtable, "<H"):
            return None
        ahead = self.word(vtable + 4 + 2 * number, "<H")
        return table + ahead if ahead else None

    def scalar(self, table, number, kind, default=0):
        at = self.field(table, number)
        return default if at is None else self.word(at, kind)

    def length(self, table, number):
        """Of a vector that a table refers to."""
        at = self.field(table, number)
        return 0 if at is None else self.word(self.follow(at))

    def places(self, table, number):
        """Of the elements of a vector, of four bytes each."""
        count = self.length(table, number)
        first = self.follow(self.field(table, number)) + 4 if count else 0
        return [first + 4 * i for i in range(count)]

    def tables(self, table, number):
        return [self.follow(at) for at in self.places(table, number)]

    @property
    def model(self):
        return self.follow(0)

    @property
    def graph(self):
        """The first subgraph."""
        return self.tables(self.model, SUBGRAPHS)[0]

    def set_integers(self, table, number, values):
        """Lets a field that is there refer to a new vector of int32."""
        self.data += bytes(-len(self.data) % 4)
        place = self.field(table, number)
        struct.pack_into("<I", self.data, place, len(self.data) - place)
        self.data += struct.pack(f"<{len(values) + 1}i", len(values), *values)

    def keep_operator(self, number):
        """Leaves one operator of the first subgraph; its place is that of the first one."""
        table = self.tables(self.graph, OPERATORS)[number]
        first = self.places(self.graph, OPERATORS)[0]
        struct.pack_into("<II", self.data, first - 4, 1, table - first)

    def is_constant(self, tensor):
        """Has the tensor of this number data?"""
        table = self.tables(self.graph, TENSORS)[tensor]
        buffers = self.tables(self.model, BUFFERS)
        buffer = buffers[self.scalar(table, 2, "<I")]
        return self.length(buffer, 0) > 0 or self.scalar(buffer, 1, "<Q") > 1


def with_outputs(model, tensors):
    """The file with these tensors as outputs of its graph."""
    file = File(model)
    file.set_integers(file.graph, OUTPUTS, tensors)
    return bytes(file.data)


def with_one_operator(model, number, inputs, outputs):
    """The file with one operator; tensors that it reads are inputs of the graph."""
    file = File(model)
    file.keep_operator(number)
    file.set_integers(file.graph, INPUTS, inputs)
    file.set_integers(file.graph, OUTPUTS, outputs)
    return bytes(file.data)
