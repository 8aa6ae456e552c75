"""Weights rounded so that a layer's sums change least on the calibration data, one after the other
with what is lost carried to those that follow (Frantar et al., GPTQ), and biases that take the mean
of what remains."""
import numpy as np

from measure import run
from network import attribute

COLUMNS = 4096  # positions of a layer's inputs that are looked at, at most
DAMPING = 0.01  # of the mean of the diagonal


def layers(network):
    """Convolutions of one or two axes and products with constant weights, in order."""
    def is_layer(node):
        if node.op_type not in ("Conv", "Gemm", "MatMul") or node.input[1] not in network.constants:
            return False
        axes = network.array(node.input[1]).ndim
        if node.op_type == "Conv":
            known = axes in (3, 4)
        elif node.op_type == "Gemm":
            known = not any(value.name in ("alpha", "beta") and value.f != 1
                            or value.name == "transA" and value.i for value in node.attribute)
        else:
            known = axes == 2
        return known and len(network.users[node.input[1]]) == 1
    return [node for node in network.nodes if is_layer(node)]


def patches(node, array, kernel):
    """Inputs of a convolution: [group][channel and kernel position][output position]."""
    spatial = array.ndim - 2
    if spatial == 1:
        array, kernel = array[:, :, None], (1,) + tuple(kernel)

    def ints(name, default):
        values = next((list(a.ints) for a in node.attribute if a.name == name), None)
        return values if values is not None else default
    strides, dilations = ints("strides", [1] * spatial), ints("dilations", [1] * spatial)
    pads = ints("pads", [0] * 2 * spatial)
    if spatial == 1:
        strides, dilations = [1] + strides, [1] + dilations
        pads = [0, pads[0], 0, pads[1]]
    window = [(size - 1) * dilation + 1 for size, dilation in zip(kernel, dilations)]
    same = next((value.s for value in node.attribute if value.name == "auto_pad"), b"NOTSET")
    if same.startswith(b"SAME"):
        wanted = [max(0, (-(-size // stride) - 1) * stride + reach - size)
                  for size, stride, reach in zip(array.shape[2:], strides, window)]
        less, more = [n // 2 for n in wanted], [n - n // 2 for n in wanted]
        pads = less + more if same == b"SAME_UPPER" else more + less
    array = np.pad(array, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    view = np.lib.stride_tricks.sliding_window_view(array, window, axis=(2, 3))
    view = view[:, :, ::strides[0], ::strides[1], ::dilations[0], ::dilations[1]]
    batch, channels, height, width = view.shape[:4]
    groups = attribute(node, "group", 1)
    return view.reshape(batch, groups, channels // groups, height, width, -1).transpose(
        1, 2, 5, 0, 3, 4).reshape(groups, -1, batch * height * width)


def columns(node, arrays, outputs, kernel, generator):
    """Some positions of all: [group][element of a kernel][position] of the inputs, and
    [channel][position] of what the float network has there."""
    found, wanted, each = [], [], max(1, COLUMNS // len(arrays))
    for array, output in zip(arrays, outputs):
        if node.op_type == "Conv":
            part = patches(node, array.astype(float), kernel)
            want = np.moveaxis(output, 1, 0).reshape(output.shape[1], -1)
        else:
            part = array.astype(float).reshape(-1, array.shape[-1]).T[None]
            want = output.reshape(-1, output.shape[-1]).T
        if part.shape[2] > each:
            pick = generator.choice(part.shape[2], each, replace=False)
            part, want = part[:, :, pick], want[:, pick]
        found.append(part)
        wanted.append(want)
    return np.concatenate(found, axis=2), np.concatenate(wanted, axis=1)


def rounded(weights, inputs):
    """Kernels [kernel][element], as products of a scale and an integer of -127..127. The largest of
    each stays, so that it gives the same scale again."""
    scale = np.abs(weights).max(axis=1, keepdims=True) / 127
    scale = np.where(scale > 0, scale, 1).astype(np.float32).astype(float)
    hessian = inputs @ inputs.T
    mean = np.mean(np.diag(hessian))
    if not mean > 0 or inputs.shape[1] < 2:
        return np.clip(np.round(weights / scale), -127, 127) * scale
    hessian[np.diag_indices_from(hessian)] += DAMPING * mean
    # Rows of the upper factor of the inverse tell how a loss is best carried on.
    upper = np.linalg.cholesky(np.linalg.inv(hessian)).T
    work, result = weights.copy(), np.empty_like(weights)
    top = np.abs(weights).argmax(axis=1)
    rows = np.arange(len(weights))
    for i in range(weights.shape[1]):
        value = np.clip(np.round(work[:, i] / scale[:, 0]), -127, 127) * scale[:, 0]
        value = np.where(top == i, np.sign(weights[rows, top]) * 127 * scale[:, 0], value)
        result[:, i] = value
        loss = (work[:, i] - value) / upper[i, i]
        work[:, i + 1:] -= np.outer(loss, upper[i, i + 1:])
    return result


def learnt(network, write, inputs):
    """The network with weights rounded, and biases that take the mean of what is lost, layer by
    layer, with what the quantised layers in front of it give. `write`: a network's quantised
    form."""
    network = network.copy()
    generator = np.random.default_rng(1)
    chosen = layers(network)
    wanted = run(network.model, inputs, [node.output[0] for node in chosen])
    for node in chosen:
        model = write(network)
        copy = next((other for other in model.graph.node if other.name == node.name), None)
        if copy is None or copy.input[1] == node.input[1]:
            continue  # it stays in float32
        name = copy.input[0]
        given = {value.name for value in model.graph.input}
        arrays = [one[name] for one in (inputs if name in given else run(model, inputs, [name]))]
        weights = network.array(node.input[1]).astype(float)
        found, want = columns(node, arrays, [one[node.output[0]] for one in wanted],
                              weights.shape[2:], generator)
        parts = np.split(as_kernels(node, weights), len(found))
        parts = [rounded(part, data) for part, data in zip(parts, found)]
        network.replace(node.input[1], from_kernels(node, np.concatenate(parts), weights.shape))
        sums = np.concatenate([part @ data for part, data in zip(parts, found)])
        correct_bias(network, node, (want - sums).mean(axis=1))
    return network


def correct_bias(network, node, bias):
    """Gives a layer that has a bias of its own this one."""
    if (len(node.input) > 2 and node.input[2] in network.constants
            and len(network.users[node.input[2]]) == 1
            and network.array(node.input[2]).shape == bias.shape):
        network.replace(node.input[2], bias)


def as_kernels(node, weights):
    """[kernel][element] of the weights."""
    if node.op_type == "Conv":
        return weights.reshape(len(weights), -1)
    return weights if node.op_type == "Gemm" and attribute(node, "transB", 0) else weights.T


def from_kernels(node, kernels, shape):
    if node.op_type == "Conv":
        return kernels.reshape(shape)
    return kernels if node.op_type == "Gemm" and attribute(node, "transB", 0) else kernels.T
