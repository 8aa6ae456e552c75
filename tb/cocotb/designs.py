"""The designs of each family behind bus models of cocotbext-axi and cocotbext-apb.

A class has the names of the pins CLOCK and RESET, which is active low. A design has `registers` with
read(address) and write(address, value), `memories` by their names in a program, `stream` or None, and
pins(): the word that commands wait for.
"""
import random

from cocotbext.apb import ApbBus, ApbMaster
from cocotbext.axi import (AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster, AxiRam, AxiRamRead,
                           AxiRamWrite, AxiReadBus, AxiStreamBus, AxiStreamSource, AxiWriteBus)

SIZE = 1 << 48  # bytes of a memory, of which it stores what is touched


def pauses(seed, percent=20):
    """For a channel: whether it stands still in the next cycle."""
    chance = random.Random(seed)
    while True:
        yield chance.random() * 100 < percent


def pause_reads(port, seed):
    for i, channel in enumerate((port.ar_channel, port.r_channel)):
        channel.set_pause_generator(pauses(seed + i))


def pause_writes(port, seed):
    for i, channel in enumerate((port.aw_channel, port.w_channel, port.b_channel)):
        channel.set_pause_generator(pauses(seed + 10 + i))


class AxiRegisters:
    """Registers behind a master of AXI4 or AXI4-Lite."""

    def __init__(self, master):
        self.master = master

    async def read(self, address):
        answer = await self.master.read(address, 4)
        assert int(answer.resp) == 0, f"read of {address:#x}: {answer.resp}"
        return int.from_bytes(answer.data, "little")

    async def write(self, address, value):
        answer = await self.master.write(address, value.to_bytes(4, "little"))
        assert int(answer.resp) == 0, f"write of {address:#x}: {answer.resp}"


class ApbRegisters:
    """Registers behind a master of APB4, which fails by itself where PSLVERR is not expected."""

    def __init__(self, master):
        self.master = master

    async def read(self, address):
        return int.from_bytes(await self.master.read(address), "little")

    async def write(self, address, value):
        await self.master.write(address, value)


class Dla:
    """--memory-bus axi4, --control-bus axi4-lite or apb4, one clock."""
    CLOCK, RESET = "aclk", "aresetn"

    def __init__(self, dut):
        self.dut, self.stream = dut, None
        if hasattr(dut, "s_apb_psel"):
            self.registers = ApbRegisters(ApbMaster(ApbBus.from_prefix(dut, "s_apb"), dut.aclk))
        else:
            self.registers = AxiRegisters(AxiLiteMaster(
                AxiLiteBus.from_prefix(dut, "s_axi"), dut.aclk, dut.aresetn,
                reset_active_level=False))
        self.memories = {}
        for name, prefix in (("primary", "m_axi"), ("secondary", "m_axi_sec")):
            if not hasattr(dut, f"{prefix}_awvalid"):
                continue
            ram = AxiRam(AxiBus.from_prefix(dut, prefix), dut.aclk, dut.aresetn,
                         reset_active_level=False, size=SIZE)
            pause_reads(ram.read_if, 1)
            pause_writes(ram.write_if, 1)
            self.memories[name] = ram

    def pins(self):
        return int(self.dut.dla_intr.value)


class Tcu:
    """--control-port brings its registers."""
    CLOCK, RESET = "clock", "reset"

    def __init__(self, dut):
        self.dut = dut
        self.registers = AxiRegisters(AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axi"), dut.clock, dut.reset,
            reset_active_level=False)) if hasattr(dut, "s_axi_awvalid") else None
        self.stream = AxiStreamSource(AxiStreamBus.from_prefix(dut, "instruction"), dut.clock,
                                      dut.reset, reset_active_level=False)
        self.stream.set_pause_generator(pauses(1))
        self.memories = {}
        for seed, name in enumerate(("dram0", "dram1")):
            ram = AxiRam(AxiBus.from_prefix(dut, f"m_axi_{name}"), dut.clock, dut.reset,
                         reset_active_level=False, size=SIZE)
            pause_reads(ram.read_if, seed)
            pause_writes(ram.write_if, seed)
            self.memories[name] = ram

    def pins(self):
        dut = self.dut
        flags = [dut.irq, dut.idle, dut.timeout, dut.tracepoint, dut.bus_error]
        word = sum(int(flag.value) << bit for bit, flag in enumerate(flags))
        return word | int(dut.program_counter.value) << 32


class Systolic:
    """Instructions are in a memory of their own, as in the model; the other is shared."""
    CLOCK, RESET = "clk", "rst_n"

    def __init__(self, dut):
        self.dut, self.stream = dut, None
        about = {"clock": dut.clk, "reset": dut.rst_n, "reset_active_level": False}
        self.registers = AxiRegisters(AxiMaster(AxiBus.from_prefix(dut, "s_axi"), **about))
        fetch = AxiRamRead(AxiReadBus.from_prefix(dut, "m_axi_fetch"), size=SIZE, **about)
        load = AxiRamRead(AxiReadBus.from_prefix(dut, "m_axi_load"), size=SIZE, **about)
        store = AxiRamWrite(AxiWriteBus.from_prefix(dut, "m_axi_store"), mem=load.mem, **about)
        pause_reads(fetch, 1)
        pause_reads(load, 2)
        pause_writes(store, 3)
        self.memories = {"program": fetch, "data": load}

    def pins(self):
        return int(self.dut.irq.value)


FAMILIES = {"dla": Dla, "tcu": Tcu, "systolic": Systolic}
