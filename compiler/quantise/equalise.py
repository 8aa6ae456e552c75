"""Equalisation across layers: channels of a convolution that hold small values are scaled up, and
the weights of the convolutions behind them down by as much (Nagel et al., Data-Free Quantization
Through Weight Equalization and Bias Correction, section 4.1). The float network stays the same."""
import numpy as np

from network import attribute

# Operators with f(s x) = s f(x) for each channel and s > 0.
THROUGH = ("Relu", "LeakyRelu", "MaxPool", "AveragePool", "GlobalAveragePool")
LEAST = 1 / 64  # scaling of a channel, relative to the others


def convolutions_behind(network, name, seen):
    """The convolutions that alone read a tensor, through operators that scale; None: something
    else reads it, too."""
    if name in network.outputs:
        return None
    found = []
    for user in network.users[name]:
        if user.op_type == "Conv" and user.input[0] == name and has_own_weights(network, user):
            found.append(user)
            continue
        if user.op_type == "Mul":  # by what does not come from this tensor but through a layer
            other = user.input[1] if user.input[0] == name else user.input[0]
            if other in seen or other in network.constants:
                return None
        elif user.op_type not in THROUGH:
            return None
        if user.output[0] in seen:
            return None
        seen.add(user.output[0])
        behind = convolutions_behind(network, user.output[0], seen)
        if behind is None:
            return None
        found += behind
    return found


def has_own_weights(network, node):
    return node.input[1] in network.constants and len(network.users[node.input[1]]) == 1


def equalised(network, seen):
    """A network that computes the same, and the number of layers that were scaled."""
    network = network.copy()
    count = 0
    for node in network.nodes:
        if node.op_type != "Conv" or not has_own_weights(network, node):
            continue
        if len(node.input) > 2 and (node.input[2] not in network.constants
                                    or len(network.users[node.input[2]]) > 1):
            continue
        name = node.output[0]
        readers = convolutions_behind(network, name, {name})
        if not readers:
            continue
        users = network.users[name]
        if len(users) == 1 and users[0].op_type == "Relu":
            name = users[0].output[0]
        if name not in seen or seen[name].channels is None:
            continue
        scale = scales(network, seen[name].channels, readers)
        if scale is None:
            continue
        by_kernel = scale.reshape([-1] + [1] * (network.array(node.input[1]).ndim - 1))
        network.replace(node.input[1], network.array(node.input[1]) / by_kernel)
        if len(node.input) > 2:
            network.replace(node.input[2], network.array(node.input[2]) / scale)
        for reader in readers:
            weights = network.array(reader.input[1])
            by = by_kernel if attribute(reader, "group", 1) > 1 else np.moveaxis(by_kernel, 0, 1)
            network.replace(reader.input[1], weights * by)
        count += 1
    return network, count


def scales(network, largest, readers):
    """What the channels are divided by. Weights are in steps of the largest of their kernel: a
    channel that matters little there may not become smaller still."""
    used = largest > 1e-4 * largest.max()
    if not used.any():
        return None
    part = np.where(used, largest / largest.max(), 1.0)
    weight = np.zeros(len(largest))
    for reader in readers:
        group = attribute(reader, "group", 1)
        if group == len(largest):
            continue  # its kernels are per channel, too
        if group > 1:
            return None
        array = np.abs(network.array(reader.input[1])).astype(float)
        array = array.reshape(len(array), len(largest), -1).max(axis=2)
        array /= np.maximum(array.max(axis=1, keepdims=True), 1e-12)
        weight = np.maximum(weight, array.max(axis=0))
    scale = np.sqrt(part / np.maximum(weight, 1e-3)) if weight.any() else part
    scale = np.where(used, scale, 1.0)
    return np.clip(scale / scale.max(), LEAST, 1.0)
