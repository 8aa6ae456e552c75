"""Plays a program on a design in cocotb: BENCH_PROGRAM is its folder, BENCH_FAMILY the family."""
import os
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout

import program
from designs import FAMILIES

PERIOD = 10        # ns
LONGEST = 1000     # us, of one command
RESET_CYCLES = 16


class Player:
    """Commands of a program, on a design."""

    def __init__(self, design, clock, reset, folder):
        self.design, self.clock, self.reset_pin, self.folder = design, clock, reset, folder
        self.loaded = []                       # names of memories, by number
        self.words, self.beat_bytes = program.beats(folder) if design.stream else ([], 0)
        self.serves = None                     # addresses of status and mask
        self.seen, self.declared = {}, {}      # interrupts, by bit
        self.event, self.checks = None, {}     # checks by (bit, count)

    async def reset(self):
        self.reset_pin.value = 0
        await ClockCycles(self.clock, RESET_CYCLES)
        self.reset_pin.value = 1
        await ClockCycles(self.clock, RESET_CYCLES)

    def memory(self, number):
        return self.design.memories[self.loaded[number]]

    def check_crc(self, number, address, size, crc):
        found = zlib.crc32(bytes(self.memory(number).read(address, size)))
        assert found == crc, f"CRC of {size} bytes at {address:#x}: {found:#x}, want {crc:#x}"

    async def serve(self):
        """Counts and clears the interrupts that the pin tells of."""
        status, mask = [await self.design.registers.read(at) for at in self.serves]
        for bit in range(32):
            if (status & ~mask) >> bit & 1 == 0:
                continue
            self.seen[bit] = count = self.seen.get(bit, 0) + 1
            assert count <= self.declared.get(bit, 0), f"interrupt {bit} came {count} times"
            for check in self.checks.get((bit, count), []):
                self.check_crc(*check)
        if status & ~mask:
            await self.design.registers.write(self.serves[0], status & ~mask)

    async def rest(self):
        """Serves the pin, or lets a cycle pass."""
        if self.serves and self.design.pins() & 1:
            await self.serve()
        else:
            await RisingEdge(self.clock)

    async def execute(self, command):
        letter, a, b, c, d, name = command
        design = self.design
        while self.serves and design.pins() & 1:
            await self.serve()
        if letter == "m":
            self.loaded.append(name)
            for address, contents in program.pages(self.folder, name, "before").items():
                self.memory(a).write(address, contents)
        elif letter == "s":
            self.serves = (a, b)
        elif letter == "e":
            self.event = (a, b)
            self.declared[a] = b
        elif letter == "k":
            self.checks.setdefault(self.event, []).append((a, b, c, d))
        elif letter == "w":
            await design.registers.write(a, b)
        elif letter == "r":
            found = await design.registers.read(a)
            assert found & c == b & c, f"{name} is {found:#x}, want {b:#x} in bits {c:#x}"
        elif letter == "p":
            while (await design.registers.read(a)) & c != b & c:
                await self.rest()
        elif letter == "b":
            found = design.pins()
            assert found & b == a & b, f"pins are {found:#x}, want {a:#x} in bits {b:#x}"
        elif letter == "v":
            held = 0
            while held < c:
                await RisingEdge(self.clock)
                held = held + 1 if design.pins() & b == a & b else 0
        elif letter == "i":
            while self.seen.get(a, 0) < b:
                await self.rest()
        elif letter == "n":
            await ClockCycles(self.clock, a)
        elif letter == "t":
            words, self.words = self.words[:a], self.words[a:]
            assert len(words) == a, "the stream ends before the program"
            await design.stream.send(b"".join(w.to_bytes(self.beat_bytes, "little") for w in words))
            await design.stream.wait()
        elif letter == "c":
            self.check_crc(a, b, c, d)
        elif letter == "d":
            self.memory(a).write(b, c.to_bytes(8, "little")[:d])
        elif letter == "x":
            await self.reset()
        else:
            raise ValueError(f"{command}: no such command")

    def compare(self):
        """Every byte of every page, those that the program must not touch as well."""
        for name in self.loaded:
            for address, wanted in program.pages(self.folder, name, "after").items():
                found = bytes(self.design.memories[name].read(address, program.PAGE))
                for i in range(program.PAGE):
                    assert found[i] == wanted[i], \
                        f"{name} at {address + i:#x}: {found[i]:#04x}, want {wanted[i]:#04x}"


@cocotb.test()
async def play(dut):
    family = FAMILIES[os.environ["BENCH_FAMILY"]]
    clock, reset = getattr(dut, family.CLOCK), getattr(dut, family.RESET)
    reset.value = 0                            # bus models do not take X for a handshake
    Clock(clock, PERIOD, unit="ns").start()
    await RisingEdge(clock)
    design = family(dut)
    player = Player(design, clock, reset, os.environ["BENCH_PROGRAM"])
    await player.reset()
    for number, command in enumerate(program.commands(player.folder)[:-1], 1):
        try:
            await with_timeout(player.execute(command), LONGEST, "us")
        except cocotb.triggers.SimTimeoutError:
            raise AssertionError(f"line {number}, {' '.join(map(str, command))}: not done after "
                                 f"{LONGEST} us; pins {design.pins():#x}") from None
    await ClockCycles(clock, 64)
    while player.serves and design.pins() & 1:
        await player.serve()
    player.compare()
