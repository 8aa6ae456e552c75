"""Accelerators and networks on them, from Python.

    >>> import macrame
    >>> small = macrame.Configuration("nv_small")
    >>> small.family, small["mac-atomic-c-size"]
    ('dla', '8')

A network runs as with onnxruntime: `Session(path, configuration).run(None, {"input": array})`.
Bad input is a `macrame.Error`, with the messages of the command line.
"""

import json
import os

import numpy as np

from . import _macrame
from ._macrame import Error

__all__ = ["Configuration", "Error", "Session", "Value", "families", "presets"]
__version__ = _macrame.version
Error.__module__ = "macrame"


def families():
    """Names of the families of accelerators; the first is that of the default.

    >>> families()
    ['dla', 'tcu', 'systolic']
    """
    return _macrame.families()


def presets(family="dla"):
    """Names of the presets of a family, sorted.

    >>> "nv_large" in presets("dla")
    True
    """
    return _macrame.presets(family)


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


class Configuration:
    """Values for all parameters of a family that have passed the generator's checks.

    Args:
        preset: name of a preset; the default of the family, or of the program, if left out.
        family: "dla", "tcu", "systolic"; follows from the preset.
        file: path of a TOML or JSON file with values, read above the preset.
        values: parameters, named as in docs/parameters.md with - or _.

    Raises:
        Error: names every value that is wrong.

    >>> Configuration("nv_small", mac_atomic_c_size=3)
    Traceback (most recent call last):
        ...
    macrame.Error: mac-atomic-c-size = 3: want 8, 16, 32 or 64 (--mac-atomic-c-size)
    """

    def __init__(self, preset=None, *, family=None, file=None, **values):
        given = [(key.replace("_", "-"), _text(value)) for key, value in values.items()]
        path = os.fspath(file) if file is not None else ""
        self._own = _macrame.Configuration(family or "", preset or "", path, given)

    @property
    def name(self):
        """Preset or file that the values started from."""
        return self._own.name

    @property
    def family(self):
        """Name of the family."""
        return self._own.family

    @property
    def values(self):
        """All parameters, by the name that the command line has, as texts."""
        return {key.replace("_", "-"): text for key, text in self._own.values}

    def __getitem__(self, parameter):
        return self.values[parameter.replace("_", "-")]

    def files(self):
        """What `generate` writes: bytes by path."""
        return self._own.files()

    def generate(self, folder):
        """Writes Verilog, testbench, headers and documents into a folder, as `macrame generate`."""
        self._own.generate(os.fspath(folder))

    def __repr__(self):
        return f"<macrame.Configuration {self.name} of {self.family}>"

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{key}<td>{text}" for key, text in self.values.items())
        return f"<b>{self.name}</b>, family {self.family}<table>{rows}</table>"


class Value:
    """An input or output as the network's file declares it.

    Attributes:
        name: of the tensor.
        shape: tuple.
        dtype: of numpy.
    """

    def __init__(self, own):
        self.name = own.name
        self.shape = tuple(own.shape)
        self.dtype = np.dtype(own.type).newbyteorder("<")

    def __repr__(self):
        return f"<{self.name}: {self.dtype.name} {'x'.join(map(str, self.shape))}>"


class Session:
    """A network (.tflite, .onnx) compiled for a configuration, ready to run.

    Args:
        network: path of the file.
        configuration: a Configuration, or the name of a preset.
        machine: "model", the golden model, or "rtl": the Verilated design, which is built once
            (Verilator and a C++ compiler are needed).
        exact: the reference's bytes, also where that is slower.
        no_host: what the hardware cannot do is an Error instead of work for the processor.
        strategy: one of the family's.
        shapes: of inputs that the file leaves open, {name: (1, 3, 48, 192)}.

    What a network keeps (streaming networks) goes on from run to run; `reset` starts again.
    """

    def __init__(self, network, configuration=None, *, machine="model", exact=False, no_host=False,
                 strategy="", shapes=None):
        if machine not in ("model", "rtl"):
            raise Error(f"machine = {machine}: want model or rtl")
        if not isinstance(configuration, Configuration):
            configuration = Configuration(configuration)
        self.configuration = configuration
        wanted = {name: [int(n) for n in shape] for name, shape in (shapes or {}).items()}
        self._own = _macrame.Session(configuration._own, os.fspath(network), exact, no_host,
                                     strategy, wanted, machine == "rtl")
        self._inputs = [Value(one) for one in self._own.inputs]
        self._outputs = [Value(one) for one in self._own.outputs]

    def get_inputs(self):
        """Inputs, in the order of the file."""
        return list(self._inputs)

    def get_outputs(self):
        """Outputs, in the order of the file."""
        return list(self._outputs)

    def run(self, output_names, feeds):
        """Outputs for inputs, as onnxruntime's InferenceSession.run.

        Args:
            output_names: names of the outputs wanted; None: all, in order.
            feeds: an array for each input, by name, of its shape and dtype. Nothing is cast.

        Returns:
            A list of arrays.
        """
        names = {value.name for value in self._inputs}
        for name in feeds:
            if name not in names:
                raise Error(f"input {name}: want {', '.join(sorted(names))}")
        made = self._own.run([self._bytes(value, feeds) for value in self._inputs])
        arrays = {
            value.name: np.frombuffer(data, value.dtype).reshape(value.shape)
            for value, data in zip(self._outputs, made)
        }
        wanted = [value.name for value in self._outputs] if output_names is None else output_names
        for name in wanted:
            if name not in arrays:
                raise Error(f"output {name}: want {', '.join(arrays)}")
        return [arrays[name] for name in wanted]

    @staticmethod
    def _bytes(value, feeds):
        if value.name not in feeds:
            raise Error(f"input {value.name}: want an array, {value!r}")
        array = np.asarray(feeds[value.name])
        if array.dtype != value.dtype or array.shape != value.shape:
            shape = "x".join(map(str, array.shape))
            raise Error(f"input {value.name}: {array.dtype.name} {shape}: want {value!r}")
        return np.ascontiguousarray(array).tobytes()

    def reset(self):
        """What the network keeps is as at the start."""
        self._own.reset()

    @property
    def cycles(self):
        """Of the last run on the design; None on the golden model."""
        return self._own.cycles

    def estimate(self, host_mhz=1000):
        """What the network will take, as `macrame estimate --json`: a dict with total_cycles, work
        and layers. The clock of the host is in MHz."""
        return json.loads(self._own.estimate(host_mhz))

    def programs(self):
        """Programs for the hardware, in each form that `macrame compile` writes: bytes by name."""
        return self._own.programs()

    def __repr__(self):
        return f"<macrame.Session {self._inputs} -> {self._outputs}, {self.configuration!r}>"

    def _repr_html_(self):
        estimate = self.estimate()
        layers = "".join(
            f"<tr><td>{one['name']}<td>{one['unit']}<td>{one['cycles']}<td>{one['limiter']}"
            for one in estimate["layers"])
        return (f"<b>{estimate['network']}</b> on {estimate['configuration']}: "
                f"{estimate['total_cycles']} cycles<table><tr><th>layer<th>unit<th>cycles"
                f"<th>limit{layers}</table>")
