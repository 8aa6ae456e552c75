"""Runs compiled networks from Python: ctypes over the shared build of the runtime (macrame.h).

    machine = macrame.Machine(read, write, wait, memory_bytes, device_address)
    program = macrame.Program(open("network.bin", "rb").read())
    program.prepare(machine)
    scores, = program.run(machine, [image])

The library is libmacrame_runtime.so beside this file, or what MACRAME_RUNTIME names.
"""

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, byref, c_char_p, c_float, c_int, c_int32, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p)

UNKNOWN_HARDWARE = 24  # enum macrame_error
ELEMENTS = ("int8", "uint8", "int16", "int32", "float32")

_Read = CFUNCTYPE(c_uint32, c_void_p, c_uint32)
_Write = CFUNCTYPE(None, c_void_p, c_uint32, c_uint32)
_Wait = CFUNCTYPE(c_int, c_void_p, c_uint32)
_Sync = CFUNCTYPE(None, c_void_p, c_uint64, c_uint64, c_int)


class _Machine(ctypes.Structure):
    _fields_ = [("user", c_void_p), ("read", _Read), ("write", _Write), ("wait", _Wait),
                ("sync", _Sync), ("memory", c_void_p), ("device_address", c_uint64),
                ("memory_bytes", c_uint64), ("registers", c_void_p),
                ("register_bytes", c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in
                ("file", "commands", "segments", "tensors", "layers", "strings")]
    _fields_ += [(name, c_uint32) for name in
                 ("command_count", "segment_count", "layer_count", "input_count", "output_count",
                  "identity", "alignment", "interrupt_status", "uses_interrupts")]
    _fields_ += [("memory_bytes", c_uint64), ("family", c_char_p), ("configuration", c_char_p),
                 ("network", c_char_p), ("address_bits", c_uint32),
                 ("identity_register", c_uint32), ("parameters", c_char_p),
                 ("networks", c_void_p), ("network_count", c_uint32), ("name", c_char_p),
                 ("hardware", c_uint32)]


class Tensor(ctypes.Structure):
    """Real value = scale * (element - zero_point); `bytes` packed in the order y, x, c."""
    _fields_ = [("_name", c_char_p), ("_element", c_uint32), ("element_bytes", c_uint32),
                ("height", c_uint32), ("width", c_uint32), ("channels", c_uint32),
                ("bytes", c_uint64), ("offset", c_uint64), ("span", c_uint64),
                ("group", c_uint32), ("surface_stride", c_uint32), ("line_stride", c_uint32),
                ("pixel_stride", c_uint32), ("scale", c_float), ("zero_point", c_int32),
                ("filler", c_int32)]

    @property
    def name(self):
        return self._name.decode()

    @property
    def element(self):
        return ELEMENTS[self._element]


class Error(Exception):
    """Something that the runtime refuses or that went wrong; `code` as in macrame.h."""

    def __init__(self, code, more=""):
        super().__init__(_library().macrame_error_text(code).decode() + more)
        self.code = code


_loaded = None


def _library():
    global _loaded
    if _loaded is None:
        beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libmacrame_runtime.so")
        _loaded = ctypes.CDLL(os.environ.get("MACRAME_RUNTIME", beside))
        _loaded.macrame_error_text.restype = c_char_p
        machine, program, tensor = POINTER(_Machine), POINTER(_Program), POINTER(Tensor)
        for name, arguments in {
                "open": [program, c_void_p, c_size_t],
                "select": [program, c_char_p],
                "network_name": [program, c_uint32],
                "check_identity": [program, c_uint32],
                "check_hardware": [program, machine],
                "difference": [program, c_char_p, c_char_p, c_size_t],
                "get_input": [program, c_uint32, tensor],
                "get_output": [program, c_uint32, tensor],
                "prepare": [program, machine],
                "write_input": [program, machine, c_uint32, c_void_p, c_uint64],
                "read_output": [program, machine, c_uint32, c_void_p, c_uint64],
                "run": [program, machine]}.items():
            getattr(_loaded, "macrame_" + name).argtypes = arguments
        _loaded.macrame_network_name.restype = c_char_p
    return _loaded


def _call(name, *arguments):
    code = getattr(_library(), "macrame_" + name)(*arguments)
    if code != 0:
        raise Error(code)


class Machine:
    """An accelerator: read(address) -> value, write(address, value), wait(timeout_ms) -> whether
    the interrupt line is high, or None; sync(offset, bytes, to_device) or None.

    `memory` is any writable buffer (an mmap, say) or a number of bytes. What a callback raises is
    raised again behind the run.
    """

    def __init__(self, read, write, wait, memory, device_address, sync=None):
        if isinstance(memory, int):
            memory = bytearray(memory)
        self.memory = memory
        self.raised = None
        self._buffer = (c_uint8 * len(memory)).from_buffer(memory)

        def guarded(function, otherwise):
            def call(_, *arguments):
                try:
                    if self.raised is None:
                        result = function(*arguments)
                        return None if otherwise is None else int(result or 0)
                except BaseException as error:  # through C nothing can be raised
                    self.raised = error
                return otherwise
            return call

        self._machine = _Machine(
            None, _Read(guarded(read, 0)), _Write(guarded(write, None)),
            _Wait(guarded(wait, -1)) if wait else _Wait(),
            _Sync(guarded(sync, None)) if sync else _Sync(),
            ctypes.cast(self._buffer, c_void_p), device_address, len(memory))


class Program:
    """A program file, given as bytes. `hardware`: identity of the hardware, DLA_IDENTITY of
    include/dla_params.h of the design; on other hardware nothing is done. 0: not known here.
    `network`: which one, by name, of a file of several; `networks` has the names of all."""

    def __init__(self, file, hardware=0, network=None):
        self._file = ctypes.create_string_buffer(bytes(file), len(file))
        self._program = _Program()
        _call("open", byref(self._program), self._file, len(file))
        self._program.hardware = hardware
        self.networks = [_library().macrame_network_name(byref(self._program), i).decode()
                         for i in range(self._program.network_count)]
        if network is not None:
            _call("select", byref(self._program), network.encode())
        self.inputs = self._tensors("get_input", self._program.input_count)
        self.outputs = self._tensors("get_output", self._program.output_count)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._program, name)
        return value.decode() if isinstance(value, bytes) else value

    def _tensors(self, function, count):
        found = [Tensor() for _ in range(count)]
        for number, tensor in enumerate(found):
            _call(function, byref(self._program), number, byref(tensor))
        return found

    def check_identity(self, identity, parameters=""):
        """Raises Error if the program was compiled for other hardware than that of this identity;
        `parameters`: of the hardware, so that the error names the first one that differs. Both are
        in include/dla_params.h of the design."""
        code = _library().macrame_check_identity(byref(self._program), identity)
        if code != 0:
            text = ctypes.create_string_buffer(200)
            _library().macrame_difference(byref(self._program), parameters.encode(), text,
                                          len(text))
            raise Error(code, ": " + text.value.decode() if parameters else "")

    def is_hardware_known(self, machine):
        """Whether anything tells that this is the hardware that the program was compiled for;
        raises Error if it is not."""
        try:
            self._on(machine, "check_hardware")
        except Error as error:
            if error.code != UNKNOWN_HARDWARE:
                raise
            return False
        return True

    def prepare(self, machine):
        """Puts weights and tables into the memory, once."""
        self._on(machine, "prepare")

    def run(self, machine, inputs):
        """Outputs as bytes objects for inputs as bytes-like objects, all packed y, x, c; inputs
        may be a dict by name."""
        if isinstance(inputs, dict):
            names = [tensor.name for tensor in self.inputs]
            if set(inputs) != set(names):
                raise ValueError(f"inputs {', '.join(inputs)}: want {', '.join(names)}")
            inputs = [inputs[name] for name in names]
        if len(inputs) != len(self.inputs):
            raise ValueError(f"{len(inputs)} inputs: want {len(self.inputs)}")
        for number, data in enumerate(inputs):
            data = bytes(data)
            self._on(machine, "write_input", number, data, len(data))
        self._on(machine, "run")
        outputs = []
        for number, tensor in enumerate(self.outputs):
            data = ctypes.create_string_buffer(tensor.bytes)
            self._on(machine, "read_output", number, data, tensor.bytes)
            outputs.append(data.raw)
        return outputs

    def _on(self, machine, name, *arguments):
        machine.raised = None
        try:
            _call(name, byref(self._program), byref(machine._machine), *arguments)
        finally:
            if machine.raised:
                raise machine.raised
