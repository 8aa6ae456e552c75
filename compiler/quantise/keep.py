"""Which tensors stay in float32: what the host computes then."""
import onnx

WEIGHTED = {"Conv", "ConvTranspose", "Gemm", "MatMul"}
LAYERS = WEIGHTED | {"MaxPool", "AveragePool", "GlobalAveragePool", "Concat", "Resize"}
# What hardware computes between int8 tensors. The others are the host's, whatever their types are.
HARDWARE = LAYERS | {"Add", "Sub", "Mul", "Relu", "LeakyRelu", "PRelu", "Clip", "HardSwish",
                     "HardSigmoid", "Sigmoid", "Tanh", "Pad"}
# Their output has values of their input, or means of them: both stay in float32, or none.
VIEWS = {"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Slice", "Gather", "Identity",
         "Split", "MaxPool", "ReduceMean", "Pad", "Expand"}

# The quantiser takes them into the range of what they are behind.
DROPPED = {"Relu", "Clip"}

# What the quantiser calls an output of the network before its QuantizeLinear.
RENAMED = "_QuantizeLinear_Input"


def pairs(model):
    """{tensor: (QuantizeLinear, [DequantizeLinear])} of the activations of a quantised network."""
    readers = {}
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear":
            readers.setdefault(node.input[0], []).append(node)
    return {node.input[0]: (node, readers.get(node.output[0], []))
            for node in model.graph.node if node.op_type == "QuantizeLinear"}


def without(model, tensors, network):
    """The quantised form of `network` with these tensors in float32. The quantiser drops activations
    that an int8 range does in passing: they come back."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    gone = pairs(result)
    there = {node.name for node in result.graph.node}
    outputs = {value.name for value in result.graph.output}
    name = {}
    for tensor in tensors:
        if tensor not in gone:
            continue
        first, others = gone[tensor]
        at = list(result.graph.node).index(first)
        for node in [first] + others:
            result.graph.node.remove(node)
        function = network.producer.get(tensor)
        if function is not None and function.name not in there:
            back = onnx.NodeProto()
            back.CopyFrom(function)
            back.input[0], back.output[0] = tensor, others[0].output[0]
            result.graph.node.insert(at, back)
            name.update({node.output[0]: back.output[0] for node in others[1:]})
            continue
        for node in others:
            if node.output[0] in outputs:  # it has to keep its name
                name[tensor] = node.output[0]
            else:
                name[node.output[0]] = tensor
    for node in result.graph.node:
        for values in (node.input, node.output):
            for i, value in enumerate(values):
                value = name.get(value, value)
                values[i] = name.get(value, value)
    return result


def groups(network, tensors):
    """The tensors in lists of those that have the same values."""
    of = {name: [name] for name in tensors}
    for node in network.nodes:
        if node.op_type not in VIEWS:
            continue
        for output in node.output:
            a, b = of.get(node.input[0]), of.get(output)
            if a is not None and b is not None and a is not b:
                a.extend(b)
                of.update({name: a for name in b})
    unique = []
    for group in of.values():
        if not any(group is other for other in unique):
            unique.append(group)
    return unique


def is_transposed(node):
    """Are the weights of a Gemm rows of kernels?"""
    return any(attribute.name == "transB" and attribute.i for attribute in node.attribute)


def multiply_adds(network):
    """{operator: multiply-adds} of those with constant weights."""
    found = {}
    for node in network.nodes:
        if node.op_type in WEIGHTED and node.input[1] in network.constants:
            array = network.array(node.input[1])
            # Of each value of the output; of the input for a transposed convolution.
            kernels = 0 if "Conv" in node.op_type or is_transposed(node) else -1
            each = array.size // array.shape[kernels]
            if node.op_type == "MatMul":
                each = array.shape[-2]
            name = node.input[0] if node.op_type == "ConvTranspose" else node.output[0]
            found[node.name] = network.size(name) * each
    return found


def maker(network, name, quantised):
    """What computes the tensor: the operator in front of activations that the quantiser drops in
    passing, whose inputs are none of the `quantised` tensors; None: the caller of the network."""
    node = network.producer.get(name.removesuffix(RENAMED))
    while (node is not None and node.op_type in DROPPED and node.input[0] not in quantised
           and node.input[0] in network.producer):
        node = network.producer[node.input[0]]
    return node


def operators(network, tensors, quantised):
    """The operators of hardware that read or compute one of the tensors; `quantised`: all that have
    an int8 form."""
    makers = [maker(network, name, quantised) for name in tensors]
    touching = [node for node in makers if node is not None]
    for name in tensors:
        touching += network.users[name.removesuffix(RENAMED)]
        if name.removesuffix(RENAMED) in network.producer:
            touching.append(network.producer[name.removesuffix(RENAMED)])
    return {node.name for node in touching if node.op_type in HARDWARE}


def between_host_operators(network, tensors):
    """Tensors that only operators of the host write and read, and those that are outputs as they
    are: in float32 they cost nothing."""
    def works_for_host(node):
        if node.op_type in LAYERS:
            return False
        wrote = [network.producer[name] for name in node.input if name in network.producer]
        read = [user for name in node.output for user in network.users[name]]
        return bool(wrote) and all(other.name in host for other in wrote + read)

    host = {node.name for node in network.nodes
            if node.op_type not in HARDWARE and node.op_type not in VIEWS
            or node.op_type == "MatMul" and not set(node.input) & set(network.constants)}
    before = -1
    while len(host) != before:
        before = len(host)
        host |= {node.name for node in network.nodes if works_for_host(node)}
    free = {name for name in tensors
            if name in network.producer and network.producer[name].name in host
            and all(user.name in host for user in network.users[name])}
    for group in groups(network, tensors):
        first = [network.producer.get(name.removesuffix(RENAMED)) for name in group]
        if set(group) & ends(network, tensors) and not any(
                node is not None and node.op_type in WEIGHTED for node in first):
            free |= set(group)
    return [name for name in tensors if name in free]


def between_layers(network, tensors):
    """Tensors that no layer writes or reads, and the operators of hardware that then are the
    host's: normalisation or activation functions in many small steps."""
    def is_layer(node):
        return node is None or node.op_type in LAYERS

    found = []
    for group in groups(network, tensors):
        makers = [maker(network, name, tensors) for name in group]
        users = [user for name in group for user in network.users[name]]
        if not any(is_layer(node) for node in makers + users):
            found += group
    return found, operators(network, found, tensors)


def ends(network, tensors):
    """Tensors whose values are those of an output of the network."""
    found = set()
    for name in network.outputs:
        found.add(name + RENAMED)
        while True:
            found.add(name)
            node = network.producer.get(name)
            if node is None or node.op_type not in VIEWS:
                break
            name = node.input[0]
    return found & set(tensors)


def losses(network, model, judge):
    """[(dB, group)] of the groups of int8 tensors, the one that alone costs most first."""
    tensors = list(pairs(model))
    reference = judge.against(without(model, tensors, network))
    rows = []
    for group in groups(network, tensors):
        others = [name for name in tensors if name not in group]
        rows.append((reference.figures(without(model, others, network)).score, group))
    return sorted(rows, key=lambda row: row[0])


def fits(network, tensors, quantised, most, share):
    """Do these of the `quantised` tensors in float32 bring at most `most` operators and this share
    of the multiply-adds to the host?"""
    moved = operators(network, tensors, quantised)
    work = multiply_adds(network)
    return (len(moved) <= most
            and sum(work.get(name, 0) for name in moved) <= share * max(1, sum(work.values())))
