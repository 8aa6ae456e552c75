#!/usr/bin/env python3
"""Prints a Verilog module with few pins around a module, for place and route of what has more ports
than a device has pins.

  yosys -q -p 'read_verilog -lib FILE.v; write_json ports.json'
  scripts/scan_wrapper.py ports.json MODULE [constraints.sdc] > scan_wrapper.v

Every input comes from a flop of a shift register, every output ends in a flop; what these hold is
folded into a second shift register. So paths from and to the ports count as within a clock period,
and nothing is optimised away. Clocks (`clk`, `*_clk`) and resets (`rst_n`, `*_rstn`, ...) are pins.
The shift registers of a port run with the clock that set_input_delay and set_output_delay in the
constraints give it; other ports belong to the first clock.
"""
import json
import re
import sys

CLOCK = re.compile(r"(.*_)?clk")
RESET = re.compile(r"(.*_)?rst_?n?")


def clocks_of_ports(sdc):
    """Port -> clock by set_input_delay and set_output_delay."""
    found = {}
    pattern = r"set_(?:in|out)put_delay\b[^\n]*-clock\s+(\w+)\s+\[get_ports\s+(\{[^}]*\}|\w+)"
    for clock, ports in re.findall(pattern, sdc):
        found.update(dict.fromkeys(ports.strip("{}").split(), clock))
    return found


def chains(ports, clocks, sdc):
    """Clock -> [(port, width)] for inputs and for outputs, without clocks and resets."""
    clock_of = clocks_of_ports(sdc)
    inputs, outputs = {c: [] for c in clocks}, {c: [] for c in clocks}
    for name, port in ports.items():
        if port["direction"] == "input" and (CLOCK.fullmatch(name) or RESET.fullmatch(name)):
            continue
        side = inputs if port["direction"] == "input" else outputs
        side[clock_of.get(name, clocks[0])].append((name, len(port["bits"])))
    return inputs, outputs


def wrapper(module, ports, sdc=""):
    given = [n for n, p in ports.items() if p["direction"] == "input"]
    clocks = [n for n in given if CLOCK.fullmatch(n)]
    resets = [n for n in given if RESET.fullmatch(n)]
    if not clocks:
        raise SystemExit(f"scan_wrapper.py: {module}: want an input port clk or *_clk")
    inputs, outputs = chains(ports, clocks, sdc)
    pins = [f"input wire {n}" for n in clocks + resets]
    body, connections = [], [f".{n}({n})" for n in clocks + resets]
    for clock in clocks:
        width = sum(w for _, w in inputs[clock])
        if width:
            pins.append(f"input wire scan_in_{clock}")
            body.append(f"    reg [{width - 1}:0] in_{clock}_q;\n"
                        f"    always @(posedge {clock})\n"
                        f"        in_{clock}_q <= {{in_{clock}_q, scan_in_{clock}}};\n")
        low = 0
        for name, bits in inputs[clock]:
            connections.append(f".{name}(in_{clock}_q[{low} +: {bits}])")
            low += bits
        width = sum(w for _, w in outputs[clock])
        if width:
            pins.append(f"output wire scan_out_{clock}")
            body.append(f"    wire [{width - 1}:0] out_{clock};\n"
                        f"    reg [{width - 1}:0] out_{clock}_q;\n"
                        f"    reg [{width}:0] fold_{clock}_q;\n"
                        f"    always @(posedge {clock}) begin\n"
                        f"        out_{clock}_q <= out_{clock};\n"
                        f"        fold_{clock}_q <= {{fold_{clock}_q[{width - 1}:0] ^ "
                        f"out_{clock}_q, 1'b0}};\n"
                        f"    end\n"
                        f"    assign scan_out_{clock} = fold_{clock}_q[{width}];\n")
        low = 0
        for name, bits in outputs[clock]:
            connections.append(f".{name}(out_{clock}[{low} +: {bits}])")
            low += bits
    return (f"module scan_wrapper (\n    " + ",\n    ".join(pins) + "\n);\n" + "".join(body) +
            f"    {module} u_dut (\n        " + ",\n        ".join(connections) +
            "\n    );\nendmodule\n")


def main():
    with open(sys.argv[1]) as file:
        modules = json.load(file)["modules"]
    module = sys.argv[2]
    sdc = ""
    if len(sys.argv) > 3:
        with open(sys.argv[3]) as file:
            sdc = file.read()
    print(wrapper(module, modules[module]["ports"], sdc), end="")


if __name__ == "__main__":
    main()
