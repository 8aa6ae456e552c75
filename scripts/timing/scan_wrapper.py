"""A Verilog module with few pins around a module, for place and route of what has more ports than a
device has pins.

Every input comes from a flop of a shift register, every output ends in a flop; what these hold is
folded into a second shift register. So paths from and to the ports count as within a clock period,
and nothing is optimised away. Clocks (`clk`, `*_clk`, `aclk`, `clock`) and resets (`rst_n`,
`*_rstn`, `aresetn`, `reset`, ...) are pins.
The shift registers of a port run with the clock that set_input_delay and set_output_delay in the
constraints (SDC) give it; other ports belong to the first clock. set_case_analysis ties a port.
"""
import re

CLOCK = re.compile(r"(.*_)?(a?clk|clock)")
RESET = re.compile(r"(.*_)?(a?rst_?n?|a?resetn?)")
TOP = "scan_wrapper"


def clocks_of_ports(sdc):
    """Port -> clock by set_input_delay and set_output_delay."""
    found = {}
    pattern = r"set_(?:in|out)put_delay\b[^\n]*-clock\s+(\w+)\s+\[get_ports\s+(\{[^}]*\}|\w+)"
    for clock, ports in re.findall(pattern, sdc):
        found.update(dict.fromkeys(ports.strip("{}").split(), clock))
    return found


def wrapper(module, ports, sdc=""):
    """ports: name -> {"direction", "bits"} as in a netlist of Yosys."""
    given = [n for n, p in ports.items() if p["direction"] == "input"]
    clocks = [n for n in given if CLOCK.fullmatch(n)]
    direct = clocks + [n for n in given if RESET.fullmatch(n)]
    tied = {p: v for v, p in
            re.findall(r"set_case_analysis\s+(\d)\s+\[get_ports\s+(\w+)", sdc) if p in ports}
    clock_of = clocks_of_ports(sdc)
    if not clocks:
        raise SystemExit(f"timing: {module}: want an input port clk, *_clk, aclk or clock")

    pins = [f"input wire {n}" for n in direct]
    connections = [f".{n}({n})" for n in direct]
    connections += [f".{n}({len(ports[n]['bits'])}'d{value})" for n, value in tied.items()]
    body = []
    for clock in clocks:
        width = {"input": 0, "output": 0}
        for name, port in ports.items():
            if name in direct or name in tied or clock_of.get(name, clocks[0]) != clock:
                continue
            side, bits = port["direction"], len(port["bits"])
            net = f"in_{clock}_q" if side == "input" else f"out_{clock}"
            connections.append(f".{name}({net}[{width[side]} +: {bits}])")
            width[side] += bits
        if width["input"]:
            pins.append(f"input wire scan_in_{clock}")
            body.append(f"""
    reg [{width["input"] - 1}:0] in_{clock}_q;
    always @(posedge {clock})
        in_{clock}_q <= {{in_{clock}_q, scan_in_{clock}}};""")
        if width["output"]:
            last = width["output"] - 1
            pins.append(f"output wire scan_out_{clock}")
            body.append(f"""
    wire [{last}:0] out_{clock};
    reg [{last}:0] out_{clock}_q;
    reg [{last}:0] fold_{clock}_q;
    always @(posedge {clock}) begin
        out_{clock}_q <= out_{clock};
        fold_{clock}_q <= {{fold_{clock}_q, 1'b0}} ^ out_{clock}_q;
    end
    assign scan_out_{clock} = fold_{clock}_q[{last}];""")
    return (f"module {TOP} (\n    " + ",\n    ".join(pins) + "\n);" + "\n".join(body) +
            f"\n    {module} u_dut (\n        " + ",\n        ".join(connections) +
            "\n    );\nendmodule\n")
