"""Configurations of accelerators."""

from __future__ import annotations

import html
import os
from typing import Any

from . import _macrame
from .report import table


def families() -> list[str]:
    """Names of the families of accelerators; the first is that of the default.

    >>> families()
    ['dla', 'tcu', 'systolic']
    """
    return list(_macrame.families())


def presets(family: str = "dla") -> list[str]:
    """Names of the presets of a family, sorted.

    >>> "nv_large" in presets("dla")
    True
    """
    return list(_macrame.presets(family))


def _text(value: Any) -> str:
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

    def __init__(self, preset: str | None = None, *, family: str | None = None,
                 file: str | os.PathLike[str] | None = None, **values: str | int | bool) -> None:
        given = tuple((key.replace("_", "-"), _text(value)) for key, value in values.items())
        path = os.fspath(file) if file is not None else ""
        self._own = _macrame.configuration(family or "", preset or "", path, given)

    @property
    def name(self) -> str:
        """Preset or file that the values started from."""
        return _macrame.configuration_name(self._own)

    @property
    def family(self) -> str:
        """Name of the family."""
        return _macrame.configuration_family(self._own)

    @property
    def values(self) -> dict[str, str]:
        """All parameters, by the name that the command line has, as texts."""
        return {key.replace("_", "-"): text
                for key, text in _macrame.configuration_values(self._own)}

    def __getitem__(self, parameter: str) -> str:
        return self.values[parameter.replace("_", "-")]

    def options(self) -> dict[str, str]:
        """The options of a command for this configuration: `command("explain", **options())`."""
        return {"family": self.family, **self.values}

    def files(self) -> dict[str, bytes]:
        """What `generate` writes: bytes by path."""
        return _macrame.configuration_files(self._own)

    def generate(self, folder: str | os.PathLike[str]) -> None:
        """Writes Verilog, testbench, headers and documents into a folder, as `macrame generate`."""
        _macrame.configuration_generate(self._own, os.fspath(folder))

    def __repr__(self) -> str:
        return f"<macrame.Configuration {self.name} of {self.family}>"

    def _repr_html_(self) -> str:
        title = html.escape(f"{self.name}, family {self.family}")
        return f"<b>{title}</b>" + table(["parameter", "value"], self.values.items())
