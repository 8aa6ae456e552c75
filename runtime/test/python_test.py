#!/usr/bin/env python3
"""Test of the Python binding: python_test.py libmacrame_runtime.so

The program file is put together by hand, from the description in compiler/program/README.md.
"""

import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))
os.environ["MACRAME_RUNTIME"] = os.path.abspath(sys.argv[1])
import macrame  # noqa: E402

STATUS, SOURCE, TARGET, START = 0xC, 0x10, 0x14, 0x18


def pad(data):
    return data + bytes(-len(data) % 8)


def tensor(name, offset):
    return struct.pack("<IBbHIIIIQIIIfiI", name, 0, 9, 0, 1, 2, 3, 4, offset, 0, 8, 4, 0.5, -1, 0)


def program_file():
    strings = b"\0test\0in\0out\0"
    commands = b"".join(struct.pack("<HHIII", *c) for c in [
        (1, 0, SOURCE, 0x40, 0), (1, 0, TARGET, 0x80, 0), (0, 0, START, 1, 0), (4, 0, 0, 1, 0)])
    sections = [(commands, 4), (struct.pack("<QQQ", 0x20, 3, 0), 1),
                (tensor(6, 0x40) + tensor(9, 0x80), 2), (b"", 0), (strings, len(strings)),
                (b"abc", 3)]
    table, place = b"", 160
    for data, count in sections:
        table += struct.pack("<QQ", place, count)
        place += len(pad(data))
    at_data = struct.unpack_from("<Q", table, 80)[0]
    sections[1] = (struct.pack("<QQQ", 0x20, 3, at_data), 1)
    head = struct.pack("<8sQIIIIQIIIIII", b"MACRPRG1", place, 0, 160, 77, STATUS, 256, 64, 1, 1, 0,
                       1, 0)
    file = bytearray(head + table + b"".join(pad(data) for data, _ in sections))
    file[16:20] = struct.pack("<I", zlib.crc32(file))
    return bytes(file)


class Accelerator:
    """Adds 1 to eight bytes."""

    def __init__(self):
        self.registers = {STATUS: 0}
        self.works = True
        self.machine = macrame.Machine(self.read, self.write, self.wait, 256, 0x1000)

    def read(self, address):
        return self.registers[address]

    def write(self, address, value):
        if address == STATUS:
            self.registers[STATUS] &= ~value
            return
        self.registers[address] = value
        if address == START and self.works:
            source, target = self.registers[SOURCE] - 0x1000, self.registers[TARGET] - 0x1000
            for i in range(8):
                self.machine.memory[target + i] = self.machine.memory[source + i] + 1
            self.registers[STATUS] = 1

    def wait(self, _):
        return self.registers[STATUS] != 0


def refused(text, function, *arguments):
    try:
        function(*arguments)
    except Exception as error:  # whichever
        assert text in str(error), error
        return
    raise AssertionError(f"want: {text}")


def main():
    file = program_file()
    program = macrame.Program(file)
    assert (program.family, program.configuration, program.network) == ("test", "", "test"), \
        (program.family, program.configuration, program.network)
    assert program.identity == 77 and program.memory_bytes == 256
    image, = program.inputs
    assert (image.name, image.element, image.bytes, image.scale) == ("in", "int8", 6, 0.5)
    accelerator = Accelerator()
    program.prepare(accelerator.machine)
    assert accelerator.machine.memory[0x20:0x23] == b"abc"
    for first in (1, 100):
        data = bytes(range(first, first + 6))
        out, = program.run(accelerator.machine, [data])
        assert out == bytes(x + 1 for x in data), out
        assert accelerator.machine.memory[0x43] == 9  # the filler

    program.check_identity(77)
    program.check_identity(0)
    refused("compiled for other hardware", program.check_identity, 78)
    refused("other hardware: a = none: want 1", program.check_identity, 78, "a=1\n")
    assert program.address_bits == 0 and program.parameters == ""

    refused("0 inputs: want 1", program.run, accelerator.machine, [])
    refused("not that of the tensor", program.run, accelerator.machine, [b"12345"])
    refused("checksum", macrame.Program, file[:-1] + b"x")
    refused("shorter", macrame.Program, file[:-8])
    accelerator.works = False
    refused("time limit", program.run, accelerator.machine, [b"123456"])
    accelerator.registers = {}
    refused("12", program.run, accelerator.machine, [b"123456"])  # KeyError of a callback
    print("python binding: well")


if __name__ == "__main__":
    main()
