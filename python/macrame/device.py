"""Accelerators behind registers, for drivers and tests."""

import os

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

    def __init__(self, configuration=None, *, machine="model", **options):
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
        self._own = _macrame.Device(" ".join(words), machine == "rtl")

    def read(self, address):
        """A register of 32 bits, by its address in bytes. A little time passes."""
        return self._own.read(address)

    def write(self, address, value):
        """Writes a register of 32 bits."""
        self._own.write(address, value)

    def read_memory(self, address, size, *, secondary=False):
        """Bytes of a memory; those that nobody wrote are 0. `secondary`: at the port CVSRAM, which
        has addresses of its own."""
        return self._own.read_memory(int(secondary), address, size)

    def write_memory(self, address, data, *, secondary=False):
        """Writes bytes (bytes, or an array's) to a memory."""
        self._own.write_memory(int(secondary), address, bytes(data))

    def wait(self, cycles):
        """Waits for the interrupt line, so many cycles at most: is it high?"""
        return self._own.wait(cycles)

    def advance(self, cycles):
        """Lets cycles pass, whatever the interrupt line does; cycles since the reset."""
        return self._own.advance(cycles)

    def reset(self):
        """A reset pulse; memories keep their contents."""
        self._own.reset()

    @property
    def cycles(self):
        """Core clock cycles since the reset; of a model what it was asked to wait."""
        return self._own.cycles

    @property
    def identity(self):
        """What programs were compiled for that run on this configuration."""
        return self._own.identity

    def statistics(self):
        """What happened since this was asked before: a dict with cycles, register_reads,
        register_writes, layers, interrupts, read_bytes, write_bytes, read_stalls, write_stalls."""
        return self._own.statistics()

    def close(self):
        """Ends the program; an Error if it had found something wrong."""
        self._own.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
