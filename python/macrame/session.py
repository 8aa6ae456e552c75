"""Networks, compiled and ready to run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _macrame
from ._macrame import Error
from .configuration import Configuration
from .report import Estimate

if TYPE_CHECKING:
    import numpy.typing as npt


class Value:
    """An input or output as the network's file declares it.

    Attributes:
        name: of the tensor.
        shape: tuple.
        dtype: of numpy.
    """

    def __init__(self, name: str, shape: tuple[int, ...], kind: str) -> None:
        self.name = name
        self.shape = shape
        self.dtype = np.dtype(kind).newbyteorder("<")

    def array(self, data: bytes) -> npt.NDArray[Any]:
        """The array whose elements these bytes are."""
        return np.frombuffer(data, self.dtype).reshape(self.shape)

    def __repr__(self) -> str:
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
        layers: tensors of all layers stay in memory to the end of a run, for `run_layers`.
        strategy: one of the family's.
        shapes: of inputs that the file leaves open, {name: (1, 3, 48, 192)}.

    What a network keeps (streaming networks) goes on from run to run; `reset` starts again.
    """

    def __init__(self, network: str | os.PathLike[str],
                 configuration: Configuration | str | None = None, *, machine: str = "model",
                 exact: bool = False, no_host: bool = False, layers: bool = False,
                 strategy: str = "", shapes: Mapping[str, Iterable[int]] | None = None) -> None:
        if machine not in ("model", "rtl"):
            raise Error(f"machine = {machine}: want model or rtl")
        if not isinstance(configuration, Configuration):
            configuration = Configuration(configuration)
        self.configuration = configuration
        wanted = tuple((name, tuple(shape)) for name, shape in (shapes or {}).items())
        self._own = _macrame.session(configuration._own, os.fspath(network), exact, no_host, layers,
                                     strategy, wanted, machine == "rtl")
        self._inputs = [Value(*one) for one in _macrame.session_inputs(self._own)]
        self._outputs = [Value(*one) for one in _macrame.session_outputs(self._own)]

    def get_inputs(self) -> list[Value]:
        """Inputs, in the order of the file."""
        return list(self._inputs)

    def get_outputs(self) -> list[Value]:
        """Outputs, in the order of the file."""
        return list(self._outputs)

    def run(self, output_names: Sequence[str] | None,
            feeds: Mapping[str, npt.ArrayLike]) -> list[npt.NDArray[Any]]:
        """Outputs for inputs, as onnxruntime's InferenceSession.run.

        Args:
            output_names: names of the outputs wanted; None: all, in order.
            feeds: an array for each input, by name, of its shape and dtype. Nothing is cast.

        Returns:
            A list of arrays.
        """
        arrays = self._arrays(_macrame.session_run(self._own, self._fed(feeds)))
        wanted = [value.name for value in self._outputs] if output_names is None else output_names
        for name in wanted:
            if name not in arrays:
                raise Error(f"output {name}: want {', '.join(arrays)}")
        return [arrays[name] for name in wanted]

    def run_layers(self, feeds: Mapping[str, npt.ArrayLike]
                   ) -> list[tuple[str, str, npt.NDArray[Any]]]:
        """Runs the golden model as `run` does; tensors at the ends of layers, as
        `macrame run --layers` writes them. The session wants layers=True.

        Args:
            feeds: as of `run`.

        Returns:
            A list of (kind of operator, name of tensor, array): the inputs, then what the operators
            of the file write, in its order. Values that exist nowhere, because one layer does two
            operators, are left out.
        """
        made = _macrame.session_run_layers(self._own, self._fed(feeds))
        return [(kind, value[0], Value(*value).array(data)) for kind, value, data in made]

    def _arrays(self, outputs: Iterable[bytes]) -> dict[str, npt.NDArray[Any]]:
        return {value.name: value.array(data) for value, data in zip(self._outputs, outputs)}

    def _fed(self, feeds: Mapping[str, npt.ArrayLike]) -> tuple[bytes, ...]:
        names = {value.name for value in self._inputs}
        for name in feeds:
            if name not in names:
                raise Error(f"input {name}: want {', '.join(sorted(names))}")
        return tuple(self._bytes(value, feeds) for value in self._inputs)

    @staticmethod
    def _bytes(value: Value, feeds: Mapping[str, npt.ArrayLike]) -> bytes:
        if value.name not in feeds:
            raise Error(f"input {value.name}: want an array, {value!r}")
        array = np.asarray(feeds[value.name])
        if array.dtype != value.dtype or array.shape != value.shape:
            shape = "x".join(map(str, array.shape))
            raise Error(f"input {value.name}: {array.dtype.name} {shape}: want {value!r}")
        return np.ascontiguousarray(array).tobytes()

    def reset(self) -> None:
        """What the network keeps is as at the start."""
        _macrame.session_reset(self._own)

    @property
    def cycles(self) -> int | None:
        """Of the last run on the design; None on the golden model."""
        return _macrame.session_cycles(self._own)

    def estimate(self, host_mhz: int = 1000) -> Estimate:
        """What the network will take, as `macrame estimate --json`: a dict with total_cycles, work
        and layers. The clock of the host is in MHz."""
        return Estimate(json.loads(_macrame.session_estimate(self._own, host_mhz)))

    def programs(self) -> dict[str, bytes]:
        """Programs for the hardware, in each form that `macrame compile` writes: bytes by name."""
        return _macrame.session_programs(self._own)

    def __repr__(self) -> str:
        return f"<macrame.Session {self._inputs} -> {self._outputs}, {self.configuration!r}>"

    def _repr_html_(self) -> str:
        return self.estimate()._repr_html_()
