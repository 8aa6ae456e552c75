"""Longest paths between registers and pins.

A netlist that Yosys writes gives an estimate before placement: a delay per kind of cell, a wire
delay by fan-out. The SDF file of nextpnr gives delays as routed.
"""
import json
import re
import sys

import ecp5_cells

PIN_NS = 1.3  # at input ports: a register of the neighbour and its wire


class Graph:
    """Points (bits of nets, or pins) with arrival times."""

    def __init__(self):
        self.arcs = {}    # point -> [(from, ns, levels)]
        self.starts = {}  # point -> (ns, name, is a pin)
        self.ends = []    # (point, ns, name, is a pin)
        self.what = {}    # point -> text for a path
        self.arrival = {}  # from a pin -> point -> as in propagate()

    def arc(self, start, end, delay, level=0):
        self.arcs.setdefault(end, []).append((start, delay, level))

    def propagate(self, from_pin):
        """arrival[point] = (ns, point before, start, levels); nothing for what has no start."""
        arrival = self.arrival[from_pin] = {}
        waiting = {p: len(a) for p, a in self.arcs.items()}
        fanout = {}
        for point, arcs in self.arcs.items():
            for start, _, _ in arcs:
                fanout.setdefault(start, []).append(point)
        points = set(fanout) | set(self.arcs) | set(self.starts)
        ready = [p for p in points if p not in waiting]
        while ready:
            point = ready.pop()
            start = self.starts.get(point)
            best = (start[0], None, point, 0) if start and start[2] == from_pin else None
            for before, delay, level in self.arcs.get(point, ()):
                found = arrival.get(before)
                if found and (best is None or found[0] + delay > best[0]):
                    best = (found[0] + delay, before, found[2], found[3] + level)
            if best:
                arrival[point] = best
            for after in fanout.get(point, ()):
                waiting[after] -= 1
                if not waiting[after]:
                    ready.append(after)
        loops = [p for p, n in waiting.items() if n > 0]
        if loops and not from_pin:
            names = sorted(self.what.get(p, str(p)) for p in loops)
            print(f"timing: {len(loops)} points on or behind combinational loops, such as "
                  f"{names[0]}: want none", file=sys.stderr)

    def paths(self, from_pin, to_pin):
        """[(ns, levels, from, to, (from_pin, point))], longest first."""
        if from_pin not in self.arrival:
            self.propagate(from_pin)
        found = []
        for point, setup, name, is_pin in self.ends:
            arrival = self.arrival[from_pin].get(point)
            if arrival and is_pin == to_pin:
                found.append((arrival[0] + setup, arrival[3], self.starts[arrival[2]][1], name,
                              (from_pin, point)))
        return sorted(found, key=lambda p: (-p[0], p[2], p[3]))

    def walk(self, end):
        """[(ns, text)] of the longest path to an end of paths()."""
        from_pin, point = end
        steps = []
        while point is not None:
            arrival = self.arrival[from_pin][point]
            if point in self.what:
                steps.append((arrival[0], self.what[point]))
            point = arrival[1]
        steps.reverse()
        # Of a carry chain, the last step will do.
        carry = re.compile(r"\.FCO$|^(CCU2C|CARRY4) .*\.C\[\d+\]$")
        return [s for i, s in enumerate(steps) if i + 1 == len(steps) or
                not (carry.search(s[1]) and carry.search(steps[i + 1][1]))]


# ---------------------------------------------------------------- estimate from a netlist

class Netlist:
    """Top module of a Yosys JSON file. `cells`: ecp5_cells or xc7_cells, what delays cells and
    wires of a technology have."""

    def __init__(self, path, cells=ecp5_cells):
        with open(path) as file:
            modules = json.load(file)["modules"]
        tops = [m for m in modules.values() if int(m["attributes"].get("top", "0"), 2)]
        if not tops:
            raise SystemExit(f"timing: {path}: no top module: want one with attribute top")
        self.technology = cells
        self.cells, self.ports = tops[0]["cells"], tops[0]["ports"]
        self.names = {}  # bit -> the shortest name that is not made by Yosys
        for name, net in tops[0]["netnames"].items():
            for i, bit in enumerate(net["bits"]):
                text = name if len(net["bits"]) == 1 else f"{name}[{i}]"
                key = ("$" in name, len(text), text)
                if isinstance(bit, int) and key < self.names.get(bit, (2,)):
                    self.names[bit] = key
        self.fanout, self.driver = {}, {}  # bit -> loads without clocks, kind of cell
        for cell in self.cells.values():
            for port, bit in self.pins(cell, "input"):
                if port not in cells.CLOCKS:
                    self.fanout[bit] = self.fanout.get(bit, 0) + 1
            for port, bit in self.pins(cell, "output"):
                self.driver[bit] = cell["type"]

    def name(self, bit):
        return self.names[bit][2] if bit in self.names else f"n{bit}"

    @staticmethod
    def pins(cell, direction):
        """(port, bit) of this direction; pins of wide ports are DI[0], DI[1] and so on."""
        for port, bits in cell["connections"].items():
            if (cell["port_directions"].get(port, "input") == "output") == (direction == "output"):
                for i, bit in enumerate(bits):
                    if isinstance(bit, int):
                        yield port if len(bits) == 1 else f"{port}[{i}]", bit

    def graph(self):
        graph = Graph()
        for port, pins in self.ports.items():
            for bit in pins["bits"]:
                if not isinstance(bit, int):
                    continue
                if pins["direction"] == "input":
                    graph.starts[bit] = (PIN_NS, port, True)
                    graph.what[bit] = f"{'pin':16s}{port}"
                else:
                    graph.ends.append((bit, 0.0, port, True))
        for name, cell in self.cells.items():
            self.add_cell(graph, name, cell)
        return graph

    def wire(self, kind, port, bit):
        return self.technology.wire_delay(kind, port, self.fanout[bit], self.driver.get(bit))

    def add_cell(self, graph, name, cell):
        technology, kind = self.technology, cell["type"]
        inputs = list(self.pins(cell, "input"))
        outputs = list(self.pins(cell, "output"))
        flop = kind in technology.FLOPS
        for port, out in outputs:
            graph.what[out] = f"{kind:16s}{self.name(out)}"
            from_clock = technology.clock_to_out(cell, port)
            if from_clock is not None:
                graph.starts[out] = (from_clock, self.name(out) if flop else name, False)
            for given, bit in inputs:
                delay = technology.cell_arc(cell, given, port)
                if delay is not None:
                    graph.arc(bit, out, self.wire(kind, given, bit) + delay,
                              0 if given in technology.CARRIES else 1)
        target = self.name(outputs[0][1]) if flop and outputs else name
        for port, bit in inputs:
            setup = technology.setup(cell, port)
            if setup is not None:
                what = target if port == technology.DATA else f"{target} .{port}"
                graph.ends.append((bit, self.wire(kind, port, bit) + setup, what, False))

    def most_loads(self, number):
        """[(loads, net)] of the nets with most; asynchronous resets do not count."""
        loads = dict(self.fanout)
        for cell in self.cells.values():
            for port, bit in self.pins(cell, "input"):
                if self.technology.is_async_reset(cell, port):
                    loads[bit] = 0
        bits = sorted(loads, key=lambda bit: (-loads[bit], self.name(bit)))[:number]
        return [(loads[bit], self.name(bit)) for bit in bits]

    def cell_counts(self):
        counts = {}
        for cell in self.cells.values():
            counts[cell["type"]] = counts.get(cell["type"], 0) + 1
        return counts


# ---------------------------------------------------------------- a routed design

def register_name(cell):
    """Name of the register of a cell that `rename -wire` or nextpnr named: "x_q[0]\\TRELLIS_FF" ->
    x_q[0], "u_a.mem.0.3$DPRAM_COMB2" -> u_a.mem.0.3."""
    return re.sub(r"(\\*(TRELLIS_FF|DFF[A-Z]*X\d|DFFSR)|\$DPRAM_COMB\d+|\$RAMW_BLOCK).*$", "",
                  cell).removeprefix("u_dut.")


SDF_DELAY = r"\(([^()]*)\)\s+\(([^()]*)\)"
SDF_ARC = re.compile(rf"\((INTERCONNECT|IOPATH) (\S+) (\S+) {SDF_DELAY}\)")
SDF_CHECK = re.compile(r"\(SETUPHOLD \(\w+ (\S+)\) \(\w+ \S+\) \(([^()]*)\)")


def longest(*triples):
    """Longest of delays written min:typ:max in ps, in ns."""
    return max(float(t.split(":")[-1]) for t in triples) / 1000


def read_sdf(path):
    """The graph of an SDF file of nextpnr; a point is "cell/pin"."""
    graph = Graph()
    with open(path) as file:
        text = file.read().replace("\\", "")
    for block in text.split("(CELL\n")[1:]:
        kind = re.search(r'\(CELLTYPE "([^"]*)"\)', block).group(1)
        cell = re.search(r"\(INSTANCE (.*)\)", block).group(1)
        for arc, start, end, rise, fall in SDF_ARC.findall(block):
            delay = longest(rise, fall)
            if arc == "INTERCONNECT":
                graph.arc(start, end, delay)
                continue
            graph.what[f"{cell}/{end}"] = f"{kind:16s}{cell}.{end}"
            if start in ecp5_cells.CLOCKS:
                graph.starts[f"{cell}/{end}"] = (delay, register_name(cell), False)
            else:
                graph.arc(f"{cell}/{start}", f"{cell}/{end}", delay, 0 if start == "FCI" else 1)
        for pin, setup in dict(SDF_CHECK.findall(block)).items():
            graph.ends.append((f"{cell}/{pin}", longest(setup), register_name(cell) +
                               ("" if pin in ("DI", "M") else " ." + pin), False))
    return graph
