"""Accelerators behind registers, for drivers and tests."""

from __future__ import annotations

import os
from typing import Any

from . import _macrame
from ._macrame import Error
from .configuration import Configuration
from .program import program, words_of


class Device:
    """An accelerator of the family `dla`: registers, memory, interrupt.

    It is a program of its own (runtime/device), which ends with the object, or with `close`, or
    with the block of a `with`. What a driver does wrong by the programming rules, and what a design
    does wrong at its ports, is a `macrame.Error` of the next call.

    Args:
        configuration: a Configuration, or the name of a preset.
        machine: "model", the golden model, or "rtl": the Verilated design, which is built once.
        options: those of `macrame simulate` with _ for -: latency=100, strict=True, record="x.txn".

    A device is for one thread at a time.
    """

    def __init__(self, configuration: Configuration | str | None = None, *,
                 machine: str = "model", **options: Any) -> None:
        if machine not in ("model", "rtl"):
            raise Error(f"machine = {machine}: want model or rtl")
        if not isinstance(configuration, Configuration):
            configuration = Configuration(configuration)
        self.configuration = configuration
        words = words_of({**configuration.options(), **options})
        for word in words:
            if len(word.split()) != 1:
                raise Error(f"{word}: want values without blanks")
        os.environ.setdefault("MACRAME", program())  # for the library
        self._own = _macrame.device(" ".join(words), machine == "rtl")

    def read(self, address: int) -> int:
        """A register of 32 bits, by its address in bytes. A little time passes."""
        return _macrame.device_read(self._own, address)

    def write(self, address: int, value: int) -> None:
        """Writes a register of 32 bits."""
        _macrame.device_write(self._own, address, value)

    def read_memory(self, address: int, size: int, *, secondary: bool = False) -> bytes:
        """Bytes of a memory; those that nobody wrote are 0. `secondary`: at the port CVSRAM, which
        has addresses of its own."""
        return _macrame.device_read_memory(self._own, int(secondary), address, size)

    def write_memory(self, address: int, data: Any, *, secondary: bool = False) -> None:
        """Writes bytes (bytes, or an array's) to a memory."""
        _macrame.device_write_memory(self._own, int(secondary), address, bytes(data))

    def wait(self, cycles: int) -> bool:
        """Waits for the interrupt line, so many cycles at most: is it high?"""
        return _macrame.device_wait(self._own, cycles)

    def advance(self, cycles: int) -> int:
        """Lets cycles pass, whatever the interrupt line does; cycles since the reset."""
        return _macrame.device_advance(self._own, cycles)

    def reset(self) -> None:
        """A reset pulse; memories keep their contents."""
        _macrame.device_reset(self._own)

    @property
    def cycles(self) -> int:
        """Core clock cycles since the reset; of a model what it was asked to wait."""
        return _macrame.device_cycles(self._own)

    @property
    def identity(self) -> int:
        """What programs were compiled for that run on this configuration."""
        return _macrame.device_identity(self._own)

    def statistics(self) -> dict[str, int]:
        """What happened since this was asked before: a dict with cycles, register_reads,
        register_writes, layers, interrupts, read_bytes, write_bytes, read_stalls, write_stalls."""
        return _macrame.device_statistics(self._own)

    def close(self) -> None:
        """Ends the program; an Error if it had found something wrong."""
        _macrame.device_close(self._own)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
