"""Accelerators and networks on them, from Python.

    >>> import macrame
    >>> small = macrame.Configuration("nv_small")
    >>> small.family, small["mac-atomic-c-size"]
    ('dla', '8')

A network runs as with onnxruntime: `Session(path, configuration).run(None, {"input": array})`.
Bad input is a `macrame.Error`, with the messages of the command line.
"""

from . import _macrame
from ._macrame import Error
from .configuration import Configuration, families, presets
from .device import Device
from .program import Front, command, explore, quantise
from .report import Estimate, Quantised
from .session import Session, Value

__all__ = ["Configuration", "Device", "Error", "Estimate", "Front", "Quantised", "Session", "Value",
           "command", "explore", "families", "presets", "quantise"]
__version__ = _macrame.version
Error.__module__ = "macrame"
