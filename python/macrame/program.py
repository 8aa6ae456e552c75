"""Commands of the program `macrame`, which is installed with the package."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._macrame import Error
from .configuration import Configuration
from .report import Quantised, table

if TYPE_CHECKING:
    import numpy.typing as npt


def program() -> str:
    """Path of the program: what the environment variable MACRAME names, else that of this Python
    environment, else the one in PATH."""
    own = pathlib.Path(sysconfig.get_path("scripts")) / "macrame"
    found = os.environ.get("MACRAME") or (str(own) if own.exists() else shutil.which("macrame"))
    if not found:
        raise Error("macrame: no such program: want it in PATH, or in the environment variable "
                    "MACRAME")
    return found


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Words of a command line for options by name, as `command` takes them."""
    words = []
    for name, value in options.items():
        word = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(word)
            elif one is not None and one is not False:
                words.append(f"{word}={one}")
    return words


def command(*arguments: object, **options: Any) -> str:
    """Runs the program with a command line; what it prints.

    Options are named as the program's with - or _: True for those without a value, lists for those
    that may come several times. An Error has the program's messages.

    >>> print(command("list", "families").split()[0])
    dla
    """
    words = [*map(str, arguments), *words_of(options)]
    ended = subprocess.run([program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           stdin=subprocess.DEVNULL, text=True, errors="replace", check=False)
    if ended.returncode != 0:
        lines = [line[len("macrame: "):] if line.startswith("macrame: ") else line
                 for line in ended.stderr.splitlines()]
        raise Error("\n".join(lines) or f"macrame {words[0]}: ended with {ended.returncode}")
    return ended.stdout


class Front:
    """What `explore` has found.

    Attributes:
        points: dicts, from the smallest to the fastest: name, luts, dsps, brams, ms, mhz, cycles of
            each network, parameters, and more; docs/explore.md says what they mean.
        presets: the same of presets.
        folder: path of the output folder; report.html there is the whole report.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = pathlib.Path(folder)
        whole = json.loads((self.folder / "front.json").read_text(encoding="utf-8"))
        self.points = whole["front"]
        self.presets = whole["presets"]
        self.family = whole["family"]

    def configuration(self, name: str) -> Configuration:
        """The Configuration of a point of the front."""
        path = self.folder / "configurations" / f"{name}.toml"
        if not path.exists():
            known = ", ".join(point["name"] for point in self.points)
            raise Error(f"point {name}: want {known}")
        return Configuration(family=self.family, file=path)

    def __repr__(self) -> str:
        return f"<macrame.Front of {len(self.points)} points in {self.folder}>"

    def _repr_html_(self) -> str:
        return table(["configuration", "LUT", "DSP", "block RAM", "ms"],
                     ([one["name"], one["luts"], one["dsps"], one["brams"], f"{one['ms']:.3f}"]
                      for one in self.points))


def explore(*networks: str | os.PathLike[str], out: str | os.PathLike[str],
            **options: Any) -> Front:
    """Finds the configurations that are worth building for networks, as `macrame explore`.

    Args:
        networks: paths of quantised networks.
        out: output folder; an interrupted search goes on from what is there.
        options: those of the command, with _ for -: board="arty-a7-35t", limit="lut=17600",
            goal="area", ...

    Returns:
        A Front.
    """
    if options.get("family") == "all":
        raise Error("family = all: want one family: a Front is of one")
    command("explore", *networks, out=out, **options)
    return Front(out)


def _written(inputs: Iterable[Mapping[str, npt.ArrayLike]], folder: pathlib.Path) -> pathlib.Path:
    """A folder of .npy files, as the program wants them."""
    folder.mkdir()
    for number, arrays in enumerate(inputs):
        for name, array in arrays.items():
            if "/" in name and len(arrays) > 1:
                raise Error(f"input {name}: want names without /, or a folder of files")
            file = f"{number:06}.npy" if len(arrays) == 1 else f"{number:06}.{name}.npy"
            np.save(folder / file, array)
    return folder


def quantise(network: str | os.PathLike[str], *,
             data: str | os.PathLike[str] | Iterable[Mapping[str, npt.ArrayLike]],
             out: str | os.PathLike[str], configuration: Configuration | str | None = None,
             **options: Any) -> Quantised:
    """Makes an int8 network of a float one, as `macrame quantise`.

    Args:
        network: path of an ONNX or TFLite file.
        data: folder of inputs to calibrate with, or a list of dicts {input: array}.
        out: path of the ONNX file to write.
        configuration: a Configuration or the name of a preset that the network is to run on.
        options: check (as data), method, keep_host; those of the command.

    Returns:
        A dict: db (signal to noise against the float network), outputs, steps, host, worst,
        warnings.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for key, given in (("data", data), ("check", options.pop("check", None))):
            options[key] = given if given is None or isinstance(given, (str, os.PathLike)) \
                else _written(given, folder / key)
        if configuration is not None:
            if not isinstance(configuration, Configuration):
                configuration = Configuration(configuration)
            options.update(configuration.options())
        report = folder / "report.json"
        command("quantise", network, out=out, json=report, **options)
        return Quantised(json.loads(report.read_text(encoding="utf-8")))
