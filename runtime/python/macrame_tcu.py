"""Runs .tmodel files on a tensor unit from Python: ctypes over the shared build of the driver
(macrame_tcu.h).

    unit = macrame_tcu.Machine("architecture.tarch", beat_bytes, dram0, dram1, stream, send)
    network = macrame_tcu.Network("net.tmodel")
    network.load(unit)
    scores, = network.run(unit, [image], channels=[3])

Inputs and outputs are flat sequences of numbers in the order pixel, channel. The library is
libmacrame_runtime.so beside this file, or what MACRAME_RUNTIME names.
"""

import ctypes
import json
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint8, c_uint32,
                    c_uint64, c_void_p)

BUS_ERROR = 18  # code of an Error: memory answered the unit with an error
TYPES = ("FP8BP4", "FP16BP8", "FP18BP10", "FP32BP16")

_Send = CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64)
_Look = CFUNCTYPE(c_int, c_void_p)
_Sync = CFUNCTYPE(None, c_void_p, c_void_p, c_uint64, c_uint64, c_int)
_Read = CFUNCTYPE(c_uint32, c_void_p, c_uint32)
_Write = CFUNCTYPE(None, c_void_p, c_uint32, c_uint32)


class _Problem(ctypes.Structure):
    _fields_ = [("what", c_char_p), ("place", c_uint64), ("found", c_uint64), ("wanted", c_uint64)]


class _Architecture(ctypes.Structure):
    _fields_ = [("data_type", c_uint32), ("array_size", c_uint32), ("dram0_depth", c_uint64),
                ("dram1_depth", c_uint64)]
    _fields_ += [(name, c_uint32) for name in
                 ("local_depth", "accumulator_depth", "simd_registers_depth", "stride0_depth",
                  "stride1_depth", "lut_tables", "lut_depth")]


class _Block(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("device_address", c_uint64), ("bytes", c_uint64)]


class _Machine(ctypes.Structure):
    _fields_ = [("architecture", _Architecture), ("beat_bytes", c_uint32), ("dram0", _Block),
                ("dram1", _Block), ("stream", _Block)]
    _fields_ += [(name, c_uint32) for name in
                 ("separate_memories", "interrupts", "timeout", "sample_interval", "max_polls")]
    _fields_ += [("user", c_void_p), ("send", _Send), ("at_rest", _Look), ("wait", _Look),
                 ("sync", _Sync), ("read_register", _Read), ("write_register", _Write),
                 ("identity", c_uint32), ("drain", _Look)]


class _Text(ctypes.Structure):
    _fields_ = [("text", c_void_p), ("bytes", c_size_t)]

    def __str__(self):
        return json.loads('"' + ctypes.string_at(self.text, self.bytes).decode() + '"')


class _Layout(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in
                ("address0_bits", "stride0_bits", "operand0_bytes", "address1_bits", "stride1_bits",
                 "operand1_bytes", "register_bits", "operand2_bytes", "bytes")]


class _Network(ctypes.Structure):
    _fields_ = [("problem", _Problem), ("architecture", _Architecture), ("layout", _Layout),
                ("scalar_bytes", c_uint32), ("vector_bytes", c_uint32), ("name", _Text),
                ("program_name", _Text), ("constants_name", _Text), ("program_bytes", c_uint64),
                ("constants_base", c_uint64), ("constants_vectors", c_uint64),
                ("constants_to_local", c_uint32), ("input_count", c_uint32),
                ("output_count", c_uint32), ("json", c_void_p), ("json_bytes", c_size_t),
                ("inputs_at", c_size_t), ("outputs_at", c_size_t), ("program", c_void_p),
                ("constants", c_void_p), ("dram0_vectors", c_uint64), ("dram1_vectors", c_uint64),
                ("stream_bytes", c_uint64), ("polls", c_uint32)]


class _Tensor(ctypes.Structure):
    _fields_ = [("name", _Text), ("vectors", c_uint64)]


class _Dma(ctypes.Structure):
    _fields_ = [("user", c_void_p), ("read", _Read), ("write", _Write),
                ("device_address", c_uint64), ("beat_bytes", c_uint32), ("length_bits", c_uint32),
                ("max_polls", c_uint32), ("busy", c_uint32)]


class Error(Exception):
    """Something that the driver refuses or that went wrong; `code` as in macrame_tcu.h."""

    def __init__(self, code, problem=None):
        text = _library().macrame_tcu_error_text(code).decode()
        if problem is not None and problem.what:
            text += ": " + problem.what.decode()
            if problem.place:
                text += f" at {problem.place}"
            if problem.found or problem.wanted:
                text += f": found {problem.found}, want {problem.wanted}"
        super().__init__(text)
        self.code = code


_loaded = None


def _library():
    global _loaded
    if _loaded is None:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libmacrame_runtime.so")
        _loaded = ctypes.CDLL(os.environ.get("MACRAME_RUNTIME", beside))
        _loaded.macrame_tcu_error_text.restype = c_char_p
        network, machine, floats = POINTER(_Network), POINTER(_Machine), POINTER(c_float)
        numbers = [network, machine, c_uint32, floats, c_uint64, c_uint32]
        for name, arguments in {
                "tcu_open": [network, c_char_p, c_size_t],
                "tcu_attach": [network, c_char_p, c_uint64, c_char_p, c_uint64],
                "tcu_get_input": [network, c_uint32, POINTER(_Tensor)],
                "tcu_get_output": [network, c_uint32, POINTER(_Tensor)],
                "tcu_load": [network, machine],
                "tcu_write_input": numbers,
                "tcu_read_output": numbers,
                "tcu_run": [network, machine],
                "tcu_reset": [network, machine],
                "axi_dma_start": [POINTER(_Dma)],
                "axi_dma_send": [POINTER(_Dma), c_uint64, c_uint64],
                "axi_dma_drain": [POINTER(_Dma)]}.items():
            getattr(_loaded, "macrame_" + name).argtypes = arguments
    return _loaded


def _architecture(keys):
    out = _Architecture(data_type=TYPES.index(keys["data_type"]))
    for name, _ in _Architecture._fields_[1:]:
        setattr(out, name, keys.get(name, 0))
    return out


class Block:
    """Memory that processor and unit share: any writable buffer (an mmap, say), and where the unit
    has it."""

    def __init__(self, memory, device_address):
        self.memory = memory
        self.device_address = device_address
        self._buffer = (c_uint8 * len(memory)).from_buffer(memory)

    def part(self, offset, size):
        """Bytes of it as a block of their own."""
        view = memoryview(self.memory)[offset:offset + size]
        if len(view) != size:
            raise ValueError(f"{size} bytes from {offset}: want them within {len(self.memory)}")
        return Block(view, self.device_address + offset)

    def _as_c(self):
        return _Block(ctypes.cast(self._buffer, c_void_p), self.device_address, len(self._buffer))


class Machine:
    """A unit. send(offset, bytes) sends bytes of the stream block; at_rest() -> whether all is
    complete, or None: the flush probe tells; wait() sleeps between two looks; sync(block, offset,
    bytes, to_device) with block 0, 1, or 2 for the stream; registers: read(address) -> value and
    write(address, value) of its registers; drain() waits until all that was sent has been taken.
    `options`: separate_memories, interrupts, timeout, sample_interval, max_polls, identity
    (TCU_IDENTITY of tcu_params.h). What a callback raises is raised again behind the call."""

    def __init__(self, architecture, beat_bytes, dram0, dram1, stream, send, at_rest=None,
                 wait=None, sync=None, registers=None, drain=None, **options):
        if not isinstance(architecture, dict):
            architecture = json.loads(pathlib.Path(architecture).read_text())
        self.raised = None
        self.blocks = (dram0, dram1, stream)
        places = [ctypes.addressof(block._buffer) for block in self.blocks]

        def guarded(function, failed):
            def call(_, *arguments):
                try:
                    if self.raised is None:
                        return int(function(*arguments) or 0)
                except BaseException as error:  # through C nothing can be raised
                    self.raised = error
                return failed
            return call

        def synced(_, block, *arguments):
            place = ctypes.cast(block, POINTER(_Block)).contents.memory
            guarded(sync, 0)(_, places.index(place), *arguments)

        read, write = registers or (None, None)
        self._machine = _Machine(
            _architecture(architecture), beat_bytes, dram0._as_c(), dram1._as_c(), stream._as_c(),
            user=None, send=_Send(guarded(send, 1)),
            at_rest=_Look(guarded(at_rest, -1)) if at_rest else _Look(),
            wait=_Look(guarded(wait, 1)) if wait else _Look(),
            sync=_Sync(synced) if sync else _Sync(),
            read_register=_Read(guarded(read, 0xffffffff)) if read else _Read(),
            write_register=_Write(guarded(write, None)) if write else _Write(),
            drain=_Look(guarded(drain, 1)) if drain else _Look(), **options)


class AxiDma:
    """`send` of a machine by an AXI DMA: read(address) -> value, write(address, value)."""

    def __init__(self, read, write, stream, beat_bytes, length_bits=26):
        self._dma = _Dma(None, _Read(lambda _, address: read(address)),
                         _Write(lambda _, address, value: write(address, value)),
                         stream.device_address, beat_bytes, length_bits)
        if _library().macrame_axi_dma_start(byref(self._dma)) != 0:
            raise OSError("the AXI DMA does not answer")

    def send(self, offset, size):
        return _library().macrame_axi_dma_send(byref(self._dma), offset, size)

    def drain(self):
        return _library().macrame_axi_dma_drain(byref(self._dma))


class Network:
    """A .tmodel with the files that it names, which are beside it."""

    def __init__(self, path):
        path = pathlib.Path(path)
        self._json = path.read_bytes()
        self._network = _Network()
        self._call("open", self._json, len(self._json))
        self._program, self._constants = (
            (path.parent / str(name)).read_bytes()
            for name in (self._network.program_name, self._network.constants_name))
        self._call("attach", self._program, len(self._program), self._constants,
                   len(self._constants))
        self.name = str(self._network.name)
        self.inputs = self._tensors("get_input", self._network.input_count)
        self.outputs = self._tensors("get_output", self._network.output_count)

    @property
    def array_size(self):
        return self._network.architecture.array_size

    @property
    def dram0_bytes(self):
        """Of all vectors of DRAM0, as the flush probe needs them."""
        return self._network.architecture.dram0_depth * self._network.vector_bytes

    @property
    def dram1_bytes(self):
        """That the network uses."""
        return self._network.dram1_vectors * self._network.vector_bytes

    @property
    def stream_bytes(self):
        """Enough for the program."""
        return len(self._program) + 4096

    def _tensors(self, function, count):
        """Name and vectors of each."""
        found = []
        for number in range(count):
            tensor = _Tensor()
            self._call(function, number, byref(tensor))
            found.append((str(tensor.name), tensor.vectors))
        return found

    def _call(self, name, *arguments):
        code = getattr(_library(), "macrame_tcu_" + name)(byref(self._network), *arguments)
        if code != 0:
            raise Error(code, self._network.problem)

    def _on(self, machine, name, *arguments):
        machine.raised = None
        try:
            self._call(name, byref(machine._machine), *arguments)
        finally:
            if machine.raised:
                raise machine.raised

    def load(self, machine):
        """Constants, program and registers, once."""
        self._on(machine, "load")

    def reset(self, machine):
        """Soft reset of a machine with registers, behind an error: load again then."""
        self._on(machine, "reset")

    def run(self, machine, inputs, channels, output_channels=None):
        """Outputs as lists of numbers for inputs as sequences of numbers. Each pixel has so many
        channels, one number for each input; outputs without a number have whole vectors."""
        if len(inputs) != len(self.inputs) or len(channels) != len(self.inputs):
            raise ValueError(f"{len(inputs)} inputs, {len(channels)} channels: want "
                             f"{len(self.inputs)}")
        for number, (values, each) in enumerate(zip(inputs, channels)):
            if len(values) % each != 0:
                raise ValueError(f"input {number}: {len(values)} numbers: want a multiple of {each}")
            data = (c_float * len(values))(*values)
            self._on(machine, "write_input", number, data, len(values) // each, each)
        self._on(machine, "run")
        outputs = []
        for number, (_, vectors) in enumerate(self.outputs):
            each = output_channels[number] if output_channels else self.array_size
            pixels = vectors // -(-each // self.array_size)
            data = (c_float * (pixels * each))()
            self._on(machine, "read_output", number, data, pixels, each)
            outputs.append(list(data))
        return outputs
