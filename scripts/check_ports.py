#!/usr/bin/env python3
"""No path through a unit from an input to an output without a register between: only so does each
unit's timing stand alone.

  scripts/check_ports.py DIR...     folders made by macrame generate

Follows the inputs of the cells (Yosys, before any mapping) from the outputs of a unit back to
registers. Prints the inputs that it meets, be they clocks and resets; of modules in
scripts/FAMILY/switches.txt only the `ready` ones. Exit status 1 if there are any.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "timing"))
from design import Design

# Where the way back ends: registers. RAMs: a read leads to its address, not to what was written.
ENDS = ("ff dff dffe adff adffe sdff sdffe sdffce aldff aldffe dffsr dffsre sr dlatch adlatch "
        "memwr memwr_v2")


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


def paths(design):
    """Inputs that an output depends on within the same cycle: unit/input."""
    ends = ",".join("$" + end for end in ENDS.split())
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found"
        script = [f"read_verilog {' '.join(design.files(design.core))}", "design -save all"]
        for module in units(design):
            script += ["design -load all", f"hierarchy -top {module}", "proc",
                       "setattr -mod -unset keep_hierarchy", "flatten", "opt_clean",
                       "splitnets -ports", "select -set ports i:*",
                       f"select -set cone o:* %ci*:-{ends}",
                       f"tee -q -a {found} select -list @ports @cone %i"]
        path = pathlib.Path(folder) / "script.ys"
        path.write_text("\n".join(script) + "\n")
        done = subprocess.run(["yosys", "-q", path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{design.folder}: yosys failed\n{done.stdout}")
        ports = re.sub(r"\[\d+\]", "", found.read_text()).split()
    forward = {port for port in ports if port.split("/")[0] in switches(design)
               and not port.endswith("_ready")}
    return [port for port in dict.fromkeys(ports) if port not in forward]


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
