#!/usr/bin/env python3
"""Test of the Python binding of the tcu driver: python_test.py libmacrame_runtime.so

The unit is a few lines: it knows Configure and DataMove between DRAM and local memory.
"""

import importlib.util
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "python"))
os.environ["MACRAME_RUNTIME"] = os.path.abspath(sys.argv[1])
import macrame_tcu  # noqa: E402

ARCHITECTURE = {
    "data_type": "FP16BP8", "array_size": 4, "dram0_depth": 128, "dram1_depth": 64,
    "local_depth": 32, "accumulator_depth": 16, "simd_registers_depth": 1, "stride0_depth": 8,
    "stride1_depth": 8, "number_of_threads": 1, "thread_queue_depth": 8}
# Operands of 1, 2 and 1 bytes, 5 and 7 bits of address: isa.yaml, 8 bytes of a vector.
PROGRAM = bytes([2, 4, 0, 1, 0x20,    # L[2..3] = D0[4..5]
                 4, 1, 0, 0, 0x22,    # L[4] = D1[1]
                 2, 8, 0, 2, 0x21])   # D0[8..10] = L[2..4]
MODEL = {
    "name": "net", "prog": {"file_name": "net.tprog", "size": len(PROGRAM)},
    "consts": [{"file_name": "n\u00e9t.tdata", "base": 1, "size": 1}],
    "inputs": [{"name": "x/1", "base": 4, "size": 2}],
    "outputs": [{"name": "y", "base": 8, "size": 3}], "arch": ARCHITECTURE}
CONSTANTS = bytes([0, 1, 0, 2, 0, 3, 0, 0xff])


class Unit:
    def __init__(self, architecture=ARCHITECTURE, **options):
        self.works, self.fails, self.synced = True, None, []
        self.local = [bytes(8)] * 32
        self.offsets = {0: None, 4: None}
        self.blocks = [macrame_tcu.Block(bytearray(1024), 0x20000),
                       macrame_tcu.Block(bytearray(512), 0x10000),
                       macrame_tcu.Block(bytearray(1024), 0x30000)]
        self.registers = {0: 0, 4: 0}
        self.dma = macrame_tcu.AxiDma(self.read, self.write, self.blocks[2], 4)
        self.machine = macrame_tcu.Machine(
            architecture, 4, *self.blocks, self.send, max_polls=10,
            sync=lambda *arguments: self.synced.append(arguments), **options)

    def read(self, address):
        return self.registers.get(address, 0)

    def write(self, address, value):
        self.registers[address] = value & ~4 if address == 0 else value
        if address == 0x28:
            start = self.registers[0x18] - 0x30000
            self.take(bytes(self.blocks[2].memory[start:start + value]))
            self.registers[4] = 2

    def send(self, offset, size):
        if self.fails:
            raise self.fails
        return self.dma.send(offset, size)

    def take(self, stream):
        for at in range(0, len(stream) // 5 * 5, 5):
            op0, op1, op1_high, op2, header = stream[at:at + 5]
            if header == 0xf0:
                self.offsets[op0 & 15] = (op0 >> 4 | op1 << 4 | op1_high << 12) * 65536
            elif header >> 4 == 2 and self.works:
                self.move(header & 15, op0 & 31, op1 & 127, op2 + 1)

    def move(self, kind, local, address, size):
        bank = kind >> 1
        assert self.offsets[4 * bank] == self.blocks[bank].device_address
        memory = self.blocks[bank].memory
        for i in range(size):
            at = 8 * (address + i)
            if kind & 1:
                memory[at:at + 8] = self.local[local + i]
            else:
                self.local[local + i] = bytes(memory[at:at + 8])


def refused(function, *arguments):
    try:
        function(*arguments)
    except macrame_tcu.Error as error:
        return str(error)
    raise AssertionError("want an error")


def check_runs(model):
    network = macrame_tcu.Network(model)
    assert network.name == "net" and network.inputs == [("x/1", 2)], network.inputs
    assert network.outputs == [("y", 3)] and network.array_size == 4
    assert network.dram0_bytes == 1024 and network.dram1_bytes == 16
    for options in ({}, {"at_rest": lambda: True}, {"wait": lambda: 0, "interrupts": 1}):
        unit = Unit(**options)
        network.load(unit.machine)
        for scale in (1, -2):
            values = [scale * v for v in (0.5, 1, 1.25, 1000, 3, -4)]
            found = network.run(unit.machine, [values], [3])[0]
            clamped = [min(max(v, -128), 127.99609375) for v in values]
            assert found == [*clamped[:3], 0, *clamped[3:], 0, 1, 2, 3, -1], found
        assert network.run(unit.machine, [values], [3], [12])[0] == found
        assert {block for block, *_ in unit.synced} == {0, 1, 2}
    return network


def check_errors(model, network):
    unit = Unit()
    fresh = macrame_tcu.Network(model)
    assert "a step left out" in refused(fresh.run, unit.machine, [[0] * 8], [4])
    network.load(unit.machine)
    text = refused(network.run, unit.machine, [[0] * 4], [4])
    assert text == "the length of the data is not that of the tensor: vectors: found 1, want 2", text
    unit.works = False
    assert "does not come to its end" in refused(network.run, unit.machine, [[0] * 8], [4])
    unit.fails = KeyError("mine")
    try:
        network.run(unit.machine, [[0] * 8], [4])
        raise AssertionError("want an error")
    except KeyError:
        pass
    text = refused(network.load, Unit(dict(ARCHITECTURE, array_size=8)).machine)
    assert text == ("the network was made for another architecture than that of the unit: "
                    "array_size: found 4, want 8"), text
    model.with_name("net.tprog").write_bytes(PROGRAM[:-1])
    text = refused(macrame_tcu.Network, model)
    assert text.endswith("bytes: found 14, want 15"), text
    model.write_text("{]")
    assert refused(macrame_tcu.Network, model).startswith("the .tmodel is no JSON; wanted there"), text


def check_registers(model):
    """The right unit, an error of the bus, a reset."""
    words = {0x00: 1, 0x08: 5, 0x0c: 0x1000, 0x14: 77}
    drained = []

    def write(address, value):
        assert address == 0x10
        words[0] = 0x20 if value else 1

    unit = Unit(registers=(words.get, write), drain=lambda: drained.append(words[0]), identity=77)
    network = macrame_tcu.Network(model)
    network.load(unit.machine)
    words[0] = 0x10
    text = refused(network.run, unit.machine, [[0] * 8], [4])
    assert text == ("memory answered the unit with an error: write of DRAM0, DECERR at 4096"), text
    network.reset(unit.machine)
    assert drained == [0x20] and words[0] == 1, (drained, words)
    assert "a step left out" in refused(network.run, unit.machine, [[0] * 8], [4])
    network.load(unit.machine)
    network.run(unit.machine, [[0] * 8], [4])
    words[0x14] = 78
    text = refused(network.load, unit.machine)
    assert text == ("the unit is of another architecture than the headers in use: identity: found "
                    "78, want 77"), text
    words[0], words[0x14] = 0x10, 77
    try:
        network.load(unit.machine)
        raise AssertionError("want an error")
    except macrame_tcu.Error as error:
        assert error.code == macrame_tcu.BUS_ERROR, error.code


def check_example(folder):
    """The example for boards reads the header of a project."""
    path = HERE.parents[1] / "examples/tcu_python/run_tmodel.py"
    spec = importlib.util.spec_from_file_location("run_tmodel", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    header = folder / "board.h"
    header.write_text("#ifndef X\n#define X\n#define BOARD_DMA_BASE 0x43C00000u /* a */\n"
                      "#define BOARD_DMA_LENGTH_BITS 26\n#endif\n")
    found = example.defines(header)
    assert found == {"BOARD_DMA_BASE": 0x43C00000, "BOARD_DMA_LENGTH_BITS": 26}, found


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        model = folder / "net.tmodel"
        model.write_text(json.dumps(MODEL))
        (folder / "net.tprog").write_bytes(PROGRAM)
        (folder / "n\u00e9t.tdata").write_bytes(CONSTANTS)
        network = check_runs(model)
        check_registers(model)
        check_errors(model, network)
        check_example(folder)
    print("well")


main()
