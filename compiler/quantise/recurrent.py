"""LSTM and GRU as steps of products with constant weights, which become int8, and of gates, which
stay in float32: a state that is rounded in every step drifts away."""
import numpy as np
from onnx import helper, numpy_helper

MOST_STEPS = 64
GATES = {"LSTM": 4, "GRU": 3}
FUNCTIONS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"]}
GATE = "/gate_"  # in the names of operators that stay in float32


def shapes_of(network):
    values = list(network.model.graph.value_info) + list(network.model.graph.input)
    return {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            for value in values}


def attributes(node):
    return {value.name: helper.get_attribute_value(value) for value in node.attribute}


def is_plain(network, node, shapes):
    """One direction, constant weights, the usual functions, few steps of known number?"""
    if node.op_type not in GATES:
        return False
    given = attributes(node)
    functions = [name.decode() for name in given.get("activations", [])]
    names = list(node.input) + [""] * (8 - len(node.input))
    shape = shapes.get(names[0], [])
    return (given.get("direction", b"forward") == b"forward" and given.get("layout", 0) == 0
            and functions in ([], FUNCTIONS[node.op_type]) and given.get("clip", 0) == 0
            and given.get("input_forget", 0) == 0 and not names[4] and not names[7]
            and all(name in network.constants for name in names[1:4] if name)
            and len(shape) == 3 and all(shape) and shape[0] <= MOST_STEPS)


class Steps:
    """Writes the operators that one recurrent layer becomes."""

    def __init__(self, network, node, shape):
        self.network, self.node, self.nodes = network, node, []
        self.steps, self.batch, self.inputs = shape
        names = list(node.input) + [""] * (8 - len(node.input))
        self.weights, self.recurrent = network.array(names[1])[0], network.array(names[2])[0]
        self.hidden = self.recurrent.shape[1]
        rows = GATES[node.op_type] * self.hidden
        bias = network.array(names[3])[0] if names[3] else np.zeros(2 * rows, np.float32)
        self.bias, self.recurrent_bias = bias[:rows], bias[rows:]
        self.state = names[5] and self.reshaped(names[5], [self.batch, self.hidden], "h")
        self.cell = names[6] and self.reshaped(names[6], [self.batch, self.hidden], "c")

    def constant(self, array, name):
        name = f"{self.node.name}/{name}"
        self.network.model.graph.initializer.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind, inputs, name, outputs=1, gate=True, **given):
        """An operator; its output, or a list of them."""
        name = f"{self.node.name}{GATE if gate else '/'}{name}"
        made = [name] if outputs == 1 else [f"{name}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, made, name=name, **given))
        return made[0] if outputs == 1 else made

    def reshaped(self, name, shape, what):
        return self.add("Reshape", [name, self.constant(np.array(shape, np.int64), f"{what}_shape")],
                        f"{what}_rows")

    def parts(self, name, count, axis, what):
        """A tensor cut into equal parts."""
        if count == 1:
            return [name]
        size = self.batch if axis == 0 else self.hidden
        sizes = self.constant(np.full(count, size, np.int64), f"{what}_sizes")
        return self.add("Split", [name, sizes], what, count, axis=axis)

    def product(self, name, weights, what, bias=None):
        return self.add("Gemm", [name, weights] + ([bias] if bias else []), what, gate=False,
                        transB=1)

    def lstm(self, sums, t):
        if self.state:
            sums = self.add("Add", [sums, self.product(self.state, self.all_rows, f"{t}_h")],
                            f"{t}_sum")
        inward, out, forget, new = self.parts(sums, 4, 1, f"{t}_parts")
        inward, out, new = (self.add(kind, [name], f"{t}_{what}") for kind, name, what in (
            ("Sigmoid", inward, "i"), ("Sigmoid", out, "o"), ("Tanh", new, "g")))
        cell = self.add("Mul", [inward, new], f"{t}_in")
        if self.cell:
            forget = self.add("Sigmoid", [forget], f"{t}_f")
            cell = self.add("Add", [cell, self.add("Mul", [forget, self.cell], f"{t}_keep")],
                            f"{t}_c")
        self.cell = cell
        self.state = self.add("Mul", [out, self.add("Tanh", [cell], f"{t}_tanh")], f"{t}_h")

    def gru(self, sums, t):
        if not self.state:
            self.state = self.constant(np.zeros((self.batch, self.hidden), np.float32), "h_0")
        update, reset, new = self.parts(sums, 3, 1, f"{t}_parts")
        if self.before_reset:
            old = self.product(self.state, self.all_rows, f"{t}_h", self.last_bias)
            old_update, old_reset, old_new = self.parts(old, 3, 1, f"{t}_old")
        else:
            old = self.product(self.state, self.gate_rows, f"{t}_zr")
            old_update, old_reset = self.parts(old, 2, 1, f"{t}_old")
        update, reset = (
            self.add("Sigmoid", [self.add("Add", [a, b], f"{t}_{what}_sum")], f"{t}_{what}")
            for a, b, what in ((update, old_update, "z"), (reset, old_reset, "r")))
        if self.before_reset:
            old_new = self.add("Mul", [reset, old_new], f"{t}_reset")
        else:
            old_new = self.product(self.add("Mul", [reset, self.state], f"{t}_reset"),
                                   self.new_rows, f"{t}_n")
        new = self.add("Tanh", [self.add("Add", [new, old_new], f"{t}_n_sum")], f"{t}_tanh")
        # new + update * (state - new)
        moved = self.add("Mul", [update, self.add("Sub", [self.state, new], f"{t}_off")],
                         f"{t}_keep")
        self.state = self.add("Add", [new, moved], f"{t}_h")

    def write(self):
        node, size = self.node, self.hidden
        step = self.lstm if node.op_type == "LSTM" else self.gru
        bias, old_bias = self.bias.copy(), self.recurrent_bias.copy()
        if node.op_type == "GRU":
            self.before_reset = attributes(node).get("linear_before_reset", 0)
        if node.op_type == "GRU" and self.before_reset:
            bias[:2 * size] += old_bias[:2 * size]
            old_bias[:2 * size] = 0
            self.last_bias = self.constant(old_bias, "bias_h")
        else:
            bias += old_bias
        if node.op_type == "GRU" and not self.before_reset:
            self.gate_rows = self.constant(self.recurrent[:2 * size], "weights_zr")
            self.new_rows = self.constant(self.recurrent[2 * size:], "weights_n")
        else:
            self.all_rows = self.constant(self.recurrent, "weights_h")
        rows = self.reshaped(node.input[0], [self.steps * self.batch, self.inputs], "x")
        sums = self.product(rows, self.constant(self.weights, "weights_x"), "x",
                            self.constant(bias, "bias"))
        states = []
        for t, part in enumerate(self.parts(sums, self.steps, 0, "x_parts")):
            step(part, t)
            states.append(self.state)
        self.results(states)
        return self.nodes

    def results(self, states):
        """Gives the outputs of the layer their names."""
        names = list(self.node.output) + [""] * 3
        if names[0]:
            whole = states[0] if len(states) == 1 else self.add("Concat", states, "y", axis=0)
            self.shaped(whole, [self.steps, 1, self.batch, self.hidden], names[0])
        for name, value in ((names[1], self.state), (names[2], self.cell)):
            if name:
                self.shaped(value, [1, self.batch, self.hidden], name)

    def shaped(self, value, shape, name):
        shape = self.constant(np.array(shape, np.int64), f"{len(self.nodes)}_shape")
        made = f"{self.node.name}{GATE}{len(self.nodes)}_out"
        self.nodes.append(helper.make_node("Reshape", [value, shape], [name], name=made))


def as_steps(network):
    """Replaces the recurrent layers of a network whose shapes are inferred."""
    graph, shapes = network.model.graph, shapes_of(network)
    for node in list(graph.node):
        if not is_plain(network, node, shapes):
            continue
        made = Steps(network, node, shapes[node.input[0]]).write()
        at = list(graph.node).index(node)
        graph.node.remove(node)
        for one in reversed(made):
            graph.node.insert(at, one)
        used = {name for other in graph.node for name in other.input}
        for name in set(node.input) - used:
            if name in network.constants:
                graph.initializer.remove(network.constants[name])
