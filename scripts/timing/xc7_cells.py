"""Delays of the cells of a 7-series FPGA, speed grade -1, and of wires by fan-out: typical values
of vendor reports, before placement. They tell designs and units apart; a clock they do not promise.
"""
import math
import re

CLOCKS = ("C", "G", "CLK", "WCLK", "CLKARDCLK", "CLKBWRCLK", "REGCLKARDRCLK", "REGCLKB")
CARRIES = ("CI",)              # inputs that are no level of a path
FLOPS = ("FDRE", "FDSE", "FDCE", "FDPE", "FDRE_1", "FDSE_1", "FDCE_1", "FDPE_1")
DATA = "D"                     # input that a path to a flop does not name
BLOCK_RAM, BLOCK_RAM_REGISTERED, BLOCK_RAM_SETUP = 2.45, 0.88, 0.57
LUT_RAM = re.compile(r"RAM(32|64|128|256)[XM]\w*")
SHIFT = re.compile(r"SRL\w+")
CLOCK_TO_OUT, LUT_RAM_CLOCK_TO_OUT = 0.46, 1.31
FLOP_SETUP = {"D": 0.05, "CE": 0.20, "R": 0.43, "S": 0.43}
LUT_RAM_SETUP = 0.45
GATES = {"INV": 0.12, "MUXF7": 0.21, "MUXF8": 0.10, **{f"LUT{n}": 0.12 for n in range(1, 7)}}
# Of a DSP block: through the multiplier and the sum, through the sum alone, and from its registers.
MULTIPLY, ADD, FROM_PRODUCT, FROM_SUM = 3.84, 1.52, 1.70, 0.43
DSP_SETUP = 0.35


def number(cell, name):
    """A parameter of a cell, which Yosys writes in binary digits."""
    text = cell.get("parameters", {}).get(name, "0")
    return int(text, 2) if isinstance(text, str) else text


def registered(cell, port):
    """Whether an operand of a DSP block goes into a register of its own."""
    operand = port[0]
    return operand in "ABCD" and number(cell, f"{operand}REG") > 0


def clock_to_out(cell, port):
    """Delay from the clock if this output leaves from a register, else None."""
    kind = cell["type"]
    if kind in FLOPS:
        return CLOCK_TO_OUT
    if LUT_RAM.fullmatch(kind) or SHIFT.fullmatch(kind):
        return LUT_RAM_CLOCK_TO_OUT
    if kind.startswith("RAMB"):
        side = "A" if port.startswith(("DOA", "DOPA")) else "B"
        return BLOCK_RAM_REGISTERED if number(cell, f"DO{side}_REG") else BLOCK_RAM
    if kind == "DSP48E1":
        if number(cell, "PREG"):
            return FROM_SUM
        if number(cell, "MREG"):
            return FROM_PRODUCT
        if number(cell, "AREG") or number(cell, "BREG"):
            return CLOCK_TO_OUT + MULTIPLY
        return CLOCK_TO_OUT + ADD if number(cell, "CREG") else None
    return None


def carry_arc(given, output):
    """Through CARRY4: bits of S and DI reach their own place and those above."""
    to = int(output[-2])
    if given == "CI":
        return 0.11 if output.startswith("CO") else 0.30
    if given == "CYINIT":
        return 0.58
    at = int(given[-2])
    if at > to or (given.startswith("DI") and output.startswith("O") and at == to):
        return None
    if output.startswith("O"):
        return 0.25 if at == to else 0.45 + 0.06 * (to - at)
    return 0.40 + 0.05 * (to - at)


def cell_arc(cell, given, output):
    """Delay through a cell, None: no such path."""
    kind = cell["type"]
    if kind in GATES:
        return GATES[kind]
    if kind == "CARRY4":
        return carry_arc(given, output)
    if LUT_RAM.fullmatch(kind):
        return GATES["LUT6"] if is_read_address(kind, given, output) else None
    if SHIFT.fullmatch(kind):
        return GATES["LUT6"] if given.startswith("A") else None
    if kind == "DSP48E1" and output.startswith("P["):
        if number(cell, "PREG") or registered(cell, given):
            return None
        if given.startswith("C["):
            return ADD
        if given.startswith(("A[", "B[", "D[")) and not number(cell, "MREG"):
            return MULTIPLY
    return None


def is_read_address(kind, port, output):
    """RAM32M and RAM64M have an address for each output, the others DPRA for DPO, A for SPO."""
    if kind.endswith("M"):
        return port.startswith("ADDR" + output[2])
    if output.startswith("DPO"):
        return port.startswith("DPRA")
    return port.startswith("A")


def wire_delay(kind, port, fanout, driver):
    """Of the wire to an input; `driver`: the kind of cell at its other end. Inside a slice, from a
    LUT to its flop or its carry, there is none."""
    logic = driver in GATES
    if port == "CI" and driver == "CARRY4":
        return 0.0
    if kind in ("MUXF7", "MUXF8") and port in ("I0", "I1") and logic:
        return 0.0
    if kind in FLOPS and port == "D" and (logic or driver == "CARRY4"):
        return 0.0
    if kind == "CARRY4" and port.startswith("S[") and logic:
        return 0.0
    return 0.55 + 0.15 * math.log2(max(fanout, 1))


def is_async_reset(cell, port):
    return cell["type"] in FLOPS and port in ("CLR", "PRE")


def setup(cell, port):
    """Of an input at which paths end, else None."""
    kind = cell["type"]
    if port in CLOCKS or is_async_reset(cell, port):
        return None
    if kind in FLOPS:
        return FLOP_SETUP.get(port, 0.0)
    if LUT_RAM.fullmatch(kind):
        # The last address of RAM32M and RAM64M is that of writes, A that of the others.
        writes = port.startswith(("DI", "WE", "D[", "ADDRD")) or port == "D" or \
            (not kind.endswith("M") and port.startswith("A"))
        return LUT_RAM_SETUP if writes else None
    if SHIFT.fullmatch(kind):
        return None if port.startswith("A") else LUT_RAM_SETUP
    if kind.startswith("RAMB"):
        return BLOCK_RAM_SETUP
    if kind == "DSP48E1":
        return dsp_setup(cell, port)
    return None


def dsp_setup(cell, port):
    """Of operands: to a register of their own, or behind the multiplier or the sum."""
    if port.startswith(("CE", "RST")):
        return DSP_SETUP
    if registered(cell, port):
        return DSP_SETUP
    if port.startswith(("A[", "B[", "D[")):
        if number(cell, "MREG"):
            return MULTIPLY - ADD
        return MULTIPLY if number(cell, "PREG") else None
    if port.startswith("C["):
        return ADD if number(cell, "PREG") else None
    return None
