"""How near a network is to another."""
import dataclasses

import numpy as np
import onnx

from network import session


def run(model, inputs, names=()):
    """Values of the outputs, and of the tensors `names`, for each of the inputs."""
    tapped = onnx.ModelProto()
    tapped.CopyFrom(model)
    have = {value.name for value in tapped.graph.output}
    for name in names:
        if name not in have:
            tapped.graph.output.append(onnx.ValueInfoProto(name=name))
    runner = session(tapped.SerializeToString())
    outputs = [value.name for value in runner.get_outputs()]
    return [dict(zip(outputs, runner.run(outputs, one))) for one in inputs]


def strange(network, inputs):
    """A tensor with values that are no finite numbers, of those where networks are judged; none:
    None."""
    return next((name for one in run(network.model, inputs, network.judged())
                 for name, array in one.items() if not np.isfinite(array).all()), None)


def decibel(wanted, found):
    """Signal to noise in dB; 99 at most."""
    signal = sum(float((np.float64(a) ** 2).sum()) for a in wanted)
    noise = sum(float(((np.float64(a) - b) ** 2).sum()) for a, b in zip(wanted, found))
    if not np.isfinite(noise):
        return -99.0
    if noise == 0:
        return 99.0
    return float(np.clip(10 * np.log10(max(signal, 1e-30) / max(noise, 1e-30)), -99, 99))


@dataclasses.dataclass
class Figures:
    """A network against the float one, on some inputs."""
    score: float  # dB, the mean of the tensors where it is judged
    outputs: dict  # name: {"db", "mean", "largest", "same_class" or None}
    count: int

    def line(self):
        parts = []
        for name, one in self.outputs.items():
            text = (f"{name} {one['db']:.1f} dB, off by {one['mean']:.3g} in the mean, "
                    f"{one['largest']:.3g} at most")
            if one["same_class"] is not None:
                text += f", same class {one['same_class']} of {self.count}"
            parts.append(text)
        return "; ".join(parts)


class Judge:
    """Knows what the float network answers to some inputs; or `model`, another one for it."""

    def __init__(self, network, inputs, model=None):
        self.network, self.inputs = network, inputs
        self.names = network.judged()
        self.wanted = run(model or network.model, inputs, self.names)

    def figures(self, model):
        found = run(model, self.inputs, self.names)

        def both(name):
            return [one[name] for one in self.wanted], [one[name] for one in found]

        outputs = {}
        for name in self.network.outputs:
            a, b = both(name)
            off = np.concatenate([np.abs(np.float64(x) - y).ravel() for x, y in zip(a, b)])
            # A vector of at least two values, one for each class.
            classes = a[0].size > 1 and a[0].size == a[0].shape[-1]
            outputs[name] = {
                "db": decibel(a, b), "mean": float(off.mean()), "largest": float(off.max()),
                "same_class": sum(int(x.argmax() == y.argmax()) for x, y in zip(a, b))
                              if classes else None}
        return Figures(float(np.mean([decibel(*both(name)) for name in self.names])), outputs,
                       len(self.inputs))

    def against(self, model):
        """A judge of the same inputs with another model for the float network."""
        return Judge(self.network, self.inputs, model)
