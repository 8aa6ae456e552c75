"""Delays of the cells of an ECP5, speed grade 6, as nextpnr has them, and of wires by fan-out."""
import math
import re

CLOCKS = ("CLK", "CLK0", "CLK1", "CLK2", "CLK3", "CLKA", "CLKB", "WCK")
CARRIES = ("CIN",)             # inputs that are no level of a path
FLOPS = ("TRELLIS_FF",)
DATA = "DI"                    # input that a path to a flop does not name
CLOCK_TO_OUT = {"TRELLIS_FF": 0.52, "DP16KD": 5.6, "TRELLIS_DPR16X4": 0.9}
RAM_REGISTERED_NS, RAM_SETUP_NS = 0.9, 0.3
GATES = {"LUT4": 0.24, "PFUMX": 0.20, "L6MUX21": 0.18}


def has_register(cell, side):
    """Whether a multiplier has registers at its inputs or outputs."""
    given = cell.get("parameters", {})
    names = {"in": ("REG_INPUTA_CLK",), "out": ("REG_OUTPUT_CLK", "REG_PIPELINE_CLK")}[side]
    return cell["type"] == "MULT18X18D" and any(given.get(n, "NONE") != "NONE" for n in names)


def clock_to_out(cell, port):
    """Delay from the clock if this output leaves from a register, else None."""
    kind = cell["type"]
    if kind == "DP16KD":
        mode = "REGMODE_A" if port.startswith("DOA") else "REGMODE_B"
        if cell.get("parameters", {}).get(mode) == "OUTREG":
            return RAM_REGISTERED_NS
    if kind == "MULT18X18D":
        return RAM_REGISTERED_NS if has_register(cell, "out") else None
    return CLOCK_TO_OUT.get(kind)


def cell_arc(cell, given, output):
    """Delay through a cell, None: no such path."""
    kind = cell["type"]
    if kind in GATES:
        return GATES[kind]
    if kind == "CCU2C":
        if given == "CIN":
            return 0.07 if output == "COUT" else 0.44
        if output == "S0" and given.endswith("1"):
            return None
        return 0.66 if output == "S1" and given.endswith("0") else 0.45
    if kind == "MULT18X18D" and not has_register(cell, "in") and not has_register(cell, "out"):
        return 3.9 if re.fullmatch(r"[AB]\d+", given) and output.startswith("P") else None
    if kind == "TRELLIS_DPR16X4":
        return 0.24 if given.startswith("RAD") else None
    return None


def wire_delay(kind, port, fanout, driver):
    """Of the wire to an input; `driver`: the kind of cell at its other end."""
    del driver
    if port == "CIN" or (kind in ("PFUMX", "L6MUX21") and port in ("ALUT", "BLUT", "D0", "D1")):
        return 0.0
    return 0.75 + 0.17 * math.log2(max(fanout, 1))


def is_async_reset(cell, port):
    return port == "LSR" and cell.get("parameters", {}).get("SRMODE") == "ASYNC"


def setup(cell, port):
    """Of an input at which paths end, else None."""
    kind = cell["type"]
    if kind not in CLOCK_TO_OUT and not has_register(cell, "in"):
        return None
    if port in CLOCKS or is_async_reset(cell, port):
        return None
    if kind == "TRELLIS_DPR16X4" and port.startswith("RAD"):
        return None
    return RAM_SETUP_NS if kind == "DP16KD" else 0.0
