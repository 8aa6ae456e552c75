#!/usr/bin/env python3
"""No path through a unit from an input to an output without a register between: only so does each
unit's timing stand alone.

  scripts/check_ports.py DIR...     folders made by macrame generate

Follows the inputs of the cells (Yosys, before any mapping) from the outputs of a unit back to
registers, module by module. Prints the inputs that it meets, be they clocks and resets; of modules
in scripts/FAMILY/switches.txt only the `ready` ones. Exit status 1 if there are any.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "timing"))
from design import Design

# Where the way back ends: registers. RAMs: a read leads to its address, not to what was written.
ENDS = {"$" + end for end in "ff dff dffe adff adffe sdff sdffe sdffce aldff aldffe dffsr dffsre "
        "sr dlatch adlatch memwr memwr_v2".split()}


def units(design):
    """Modules that the top is made of; a top around the core counts with the core's."""
    modules = [design.module(unit) for unit in design.units()]
    inner = [m for m in modules if m == design.start + "top"]
    for module in inner:
        modules += [m for m in design.instances(module) if m.startswith(design.start)]
    return [m for m in modules if m not in inner]


def switches(design):
    path = HERE / design.family / "switches.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [design.prefix + line for line in lines if line and not line.startswith("#")]


def netlist(design):
    """Modules of the design as cells between bits: what Yosys's write_json says."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "netlist.json"
        script = (f"read_verilog {' '.join(design.files(design.core))}; "
                  f"hierarchy -top {design.core}; proc; write_json {path}")
        done = subprocess.run(["yosys", "-q", "-p", script], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{design.folder}: yosys failed\n{done.stdout}")
        with open(path) as file:
            return json.load(file)["modules"]


class Cones:
    """Inputs of modules that their outputs depend on within the same cycle. A set of bits is an
    integer with a bit per input bit of the module."""

    def __init__(self, modules):
        self.modules = modules
        self.known = {}  # module -> its inputs (port, bit), {(output, bit): set}

    def inputs(self, name):
        """(port, bit of it) of the inputs, in the order of the bits of sets."""
        return [(port, i) for port, p in self.modules[name]["ports"].items()
                if p["direction"] != "output" for i in range(len(p["bits"]))]

    def of(self, name):
        """{(output, bit): set}"""
        if name not in self.known:
            self.known[name] = self.follow(self.modules[name])
        return self.known[name]

    def follow(self, module):
        ports = module["ports"]
        reached = {}  # net -> set of inputs
        for port in ports.values():
            if port["direction"] != "output":
                for net in port["bits"]:
                    reached[net] = 1 << len(reached)
        drivers, nodes = {}, []  # net -> node; node: (nets in, nets out)
        for cell in module["cells"].values():
            for node in self.nodes(cell):
                for net in node[1]:
                    drivers[net] = len(nodes)
                nodes.append(node)
        # From inputs on; what a vector feeds back to itself is there in the next round.
        order = in_order(nodes, drivers)
        again = True
        while again:
            again = False
            for node in order:
                bits = 0
                for net in nodes[node][0]:
                    bits |= reached.get(net, 0)
                for net in nodes[node][1]:
                    if bits & ~reached.get(net, 0):
                        reached[net] = reached.get(net, 0) | bits
                        again = True
        return {(port, i): reached.get(net, 0) for port, p in ports.items()
                if p["direction"] != "input" for i, net in enumerate(p["bits"])}

    def nodes(self, cell):
        """What a cell lets through: pairs of nets in and nets that depend on them."""
        kind, nets = cell["type"], cell["connections"]
        if kind in ENDS:
            return []
        if kind not in self.modules:
            directions = cell["port_directions"]
            return [([n for p, bits in nets.items() if directions[p] != "output" for n in bits],
                     [n for p, bits in nets.items() if directions[p] != "input" for n in bits])]
        outputs = {}  # set of inputs -> nets that depend on them
        for (port, i), bits in self.of(kind).items():
            if bits and port in nets:
                outputs.setdefault(bits, []).append(nets[port][i])
        inputs = self.inputs(kind)
        return [([nets[port][i] for port, i in of_set(inputs, bits) if port in nets], found)
                for bits, found in outputs.items()]

    def met(self, name):
        """Inputs (names of ports) that any output of a module depends on, with any parameters."""
        ports = {}
        for derived in self.derived(name):
            bits = 0
            for found in self.of(derived).values():
                bits |= found
            ports.update(dict.fromkeys(port for port, _ in of_set(self.inputs(derived), bits)))
        return ports

    def derived(self, name):
        """A module as it is in the design: as often as it has different parameters there."""
        found = [m for m, module in self.modules.items()
                 if name in (m, module["attributes"].get("hdlname", "").lstrip("\\"))]
        assert found, f"{name} is not in the netlist"
        return found


def of_set(inputs, bits):
    return [inputs[i] for i, digit in enumerate(reversed(bin(bits)[2:])) if digit == "1"]


def in_order(nodes, drivers):
    """Numbers of nodes, what drives a node before it (but in loops)."""
    order, seen = [], set()
    for start in range(len(nodes)):
        stack = [(start, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack += [(drivers[net], False) for net in nodes[node][0] if net in drivers]
    return order


def paths(design):
    """Inputs that an output depends on within the same cycle: unit/input."""
    cones = Cones(netlist(design))
    forward = switches(design)
    return [f"{unit}/{port}" for unit in units(design) for port in cones.met(unit)
            if unit not in forward or port.endswith("_ready")]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    bad = 0
    for folder in sys.argv[1:]:
        design = Design(folder)
        if not units(design):
            sys.exit(f"{folder}: {design.core} has no units; want a folder of macrame generate")
        for path in paths(design):
            print(f"{folder}: an output depends on the input {path} in the same cycle")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
