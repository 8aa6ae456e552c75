"""The three ways to measure: estimate, place and route, standard cells."""
import hashlib
import json
import os
import re
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import ecp5_cells
import paths
import scan_wrapper
import xc7_cells
from design import add_files, cached, fail, run, tool_version
from report import Report, unit_of

SYNTH = ""  # of synth_ecp5
PNR = ""    # of nextpnr-ecp5
DEVICE = ["--85k", "--package", "CABGA381", "--speed", "6"]


def yosys(script, log):
    with tempfile.NamedTemporaryFile("w", suffix=".ys") as file:
        file.write(script)
        file.flush()
        run(["yosys", "-q", file.name], log)


def read_verilog(files):
    return "".join(f"read_verilog {path}\n" for path in files)


def ecp5_script(files, top, options, result):
    """For the netlist as JSON. `opt_merge`: else every flop gets an inverter LUT of its own for an
    active-low reset, thousands of nets where a tile has two. `blackbox`: write_json stops at cells
    with contents."""
    return (read_verilog(files) + f"synth_ecp5 -top {top} {options} -run begin:map_luts\n"
            f"opt_merge\nsynth_ecp5 -top {top} {options} -run map_luts:check\n"
            f"blackbox =A:whitebox\nrename -wire t:LUT4 t:TRELLIS_FF t:CCU2C t:PFUMX t:L6MUX21\n"
            f"write_json {result}\n")


def xc7_script(files, top, result):
    """For the netlist as JSON; the synthesis is that of area.sh."""
    return (read_verilog(files) +
            f"synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {top}\n"
            f"blackbox =A:whitebox\nrename -wire t:LUT* t:FD* t:CARRY4 t:MUXF*\n"
            f"write_json {result}\n")


# ---------------------------------------------------------------- estimate

def estimate(design, module, unit, folder, given):
    files = design.files(module)
    cells, target = {"ecp5": (ecp5_cells, "ECP5 speed grade 6"),
                     "xc7": (xc7_cells, "7-series speed grade -1")}[given.target]

    def make():
        with tempfile.TemporaryDirectory() as work:
            result = os.path.join(work, "netlist.json")
            script = (ecp5_script(files, module, given.synth, result) if given.target == "ecp5"
                      else xc7_script(files, module, result))
            yosys(script, os.path.join(folder, f"estimate_{unit}.log"))
            netlist = paths.Netlist(result, cells)
        report = Report(f"{design.name} {unit}", f"estimate for {target}")
        report.cells = netlist.cell_counts()
        report.notes.append("most loads: " + "  ".join(
            f"{loads} {net}" for loads, net in netlist.most_loads(8)))
        report.add_graph(netlist.graph(), unit == "core")
        return report.data()

    parts = ["estimate", given.target, module, given.synth, tool_version("yosys", "-V")]
    return Report.of(cached(f"estimate-{unit}", parts, make, files))


# ---------------------------------------------------------------- place and route

def ports_of(path, module):
    with tempfile.TemporaryDirectory() as work:
        result = os.path.join(work, "ports.json")
        yosys(f"read_verilog -lib {path}\nwrite_json {result}\n", os.path.join(work, "log"))
        with open(result) as file:
            return json.load(file)["modules"][module]["ports"]


def place_and_route(netlist, seed, given, base):
    """Routes with one seed; data of nextpnr's report and the graph of paths."""
    run(["nextpnr-ecp5", *DEVICE, "--json", netlist, "--top", scan_wrapper.TOP,
         "--lpf-allow-unconstrained", "--freq", str(given.freq), "--timing-allow-fail",
         "--seed", seed, *given.pnr.split(), "--report", base + ".report.json",
         "--sdf", base + ".sdf", "--log", base + ".log", "-q"], base + ".out")
    with open(base + ".report.json") as file:
        measured = json.load(file)
    with open(base + ".log") as file:  # the last ones are of the routed design
        found = re.findall(r"Max frequency for clock +'([^']*)': ([\d.]+) MHz", file.read())
    measured["clocks"] = {re.sub(r"^\$glbnet\$|\$TRELLIS_IO_IN$", "", clock): float(mhz)
                          for clock, mhz in found}
    graph = paths.read_sdf(base + ".sdf")
    os.remove(base + ".sdf")
    return measured, graph


def ecp5(design, module, unit, folder, given):
    """The best of the seeds in the table, all seeds in the notes."""
    files = design.files(module)
    text = scan_wrapper.wrapper(module, ports_of(design.file(module), module),
                                design.constraints(module))
    base = os.path.join(folder, f"ecp5_{unit}")
    version = tool_version("yosys", "-V") + tool_version("nextpnr-ecp5", "--version")
    seeds = [s for s in given.seeds.split(",") if s.isdigit()]
    if not seeds:
        fail(f"--seeds {given.seeds}: want numbers with commas between")
    one_netlist = threading.Lock()

    def netlist_of():
        script = ecp5_script([], scan_wrapper.TOP, given.synth, "")
        stamp = hashlib.sha256((text + script + version).encode())
        add_files(stamp, files)
        netlist = f"{base}.{stamp.hexdigest()[:12]}.netlist.json"
        with one_netlist:
            if not os.path.exists(netlist):
                with open(base + ".v", "w") as file:
                    file.write(text)
                yosys(ecp5_script(files + [base + ".v"], scan_wrapper.TOP, given.synth,
                                  netlist + ".new"), base + ".yosys.log")
                os.replace(netlist + ".new", netlist)
        return netlist

    def make(seed):
        measured, graph = place_and_route(netlist_of(), seed, given, f"{base}_seed{seed}")
        how = "placed" if "--no-route" in given.pnr else "placed and routed"
        report = Report(f"{design.name} {unit}", f"LFE5U-85F speed grade 6, {how}")
        report.cells = {k: v["used"] for k, v in measured["utilization"].items() if v["used"]}
        report.add_graph(graph, unit == "core")
        return {"report": report.data(), "clocks": measured["clocks"], "device":
                {k: v["available"] for k, v in measured["utilization"].items()}}

    def seed_run(seed):
        parts = ["ecp5", module, text, given.synth, given.pnr, given.freq, seed, version]
        return cached(f"ecp5-{unit}-seed{seed}", parts, lambda: make(seed), files)

    with ThreadPoolExecutor(given.jobs) as pool:
        runs = dict(zip(seeds, pool.map(seed_run, seeds)))
    return best_of(runs)


def best_of(runs):
    """One report of runs: seed -> what ecp5() keeps of it."""
    seed = max(runs, key=lambda s: min(runs[s]["clocks"].values(), default=0))
    report = Report.of(runs[seed]["report"])
    device = runs[seed]["device"]
    report.notes.append("used: " + "  ".join(
        f"{kind} {used}/{device[kind]}" for kind, used in report.cells.items()))
    report.cells = {}
    for number, made in runs.items():
        report.notes.append(f"seed {number}: " + "  ".join(
            f"{clock} {mhz} MHz" for clock, mhz in made["clocks"].items()))
    report.notes.append(f"paths of seed {seed}")
    return report


# ---------------------------------------------------------------- standard cells

LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
# A driver for flops and inputs makes ABC buffer their nets, too; topo drops what nothing uses, at
# which buffer stops.
ABC = """balance
&get -n
&st
&if -g -K 6
&put
dch
map -B 0.9 -D 1000
topo
buffer -p
upsize -D 1000
dnsize -D 1000
"""
ABC_CONSTRAINTS = "set_driving_cell BUFX2\nset_load 0.05\n"
ENDS = 2000  # path ends to look at


def cells_script(files, boxes, module, work):
    """Block RAMs become black boxes: memory macros of their own. OpenSTA reads neither parameters
    nor assignments to concatenations."""
    boxes = boxes + [f for f in files if f.endswith("sram_1r1w.v")]
    others = [f for f in files if f not in boxes]
    return ("".join(f"read_verilog -lib {f}\n" for f in boxes) + read_verilog(others) +
            f"synth -flatten -noshare -noabc -top {module}\n"
            f"dfflibmap -liberty {LIBERTY}\n"
            f"abc -liberty {LIBERTY} -script {work}/abc.script -constr {work}/abc.constr\n"
            f"opt_clean -purge\nread_liberty -lib {LIBERTY}\nrename -wire\n"
            f"setparam -unset W -unset DEPTH t:*sram_1r1w\n"
            f"tee -q -o {work}/cells.json stat -json -liberty {LIBERTY}\n"
            f"write_verilog -noattr -noexpr -simple-lhs {work}/netlist.v\n")


def mapped(files, boxes, module, base):
    """Standard cells of a module, black boxes left out: netlist BASE.STAMP and cells by type."""
    script = cells_script([], [], module, "")
    stamp = hashlib.sha256((script + ABC + ABC_CONSTRAINTS + tool_version("yosys", "-V")).encode())
    add_files(stamp, files + boxes + [LIBERTY])
    result = f"{base}.{stamp.hexdigest()[:12]}.netlist.v"
    if not os.path.exists(result):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(base))) as work:
            for name, text in (("abc.script", ABC), ("abc.constr", ABC_CONSTRAINTS)):
                with open(os.path.join(work, name), "w") as file:
                    file.write(text)
            yosys(cells_script(files, boxes, module, work), base + ".log")
            os.replace(os.path.join(work, "cells.json"), result + ".json")
            os.replace(os.path.join(work, "netlist.v"), result)
    with open(result + ".json") as file:
        return result, json.load(file)["design"]["num_cells_by_type"]


def gates(cells):
    """Area of standard cells, cells by type, in NAND gates of two inputs."""
    with open(LIBERTY) as file:
        areas = dict(re.findall(r"cell *\((\w+)\) *\{\s*area *: *([\d.]+)", file.read()))
    return round(sum(number * float(areas.get(cell, 0)) for cell, number in cells.items()) /
                 float(areas["NAND2X1"]))


def sta_script(module, netlists, clocks):
    tables = {"register to register": "[all_registers -clock_pins] -to [all_registers -data_pins]",
              "clock to pin": "[all_registers -clock_pins] -to [all_outputs]",
              "pin to pin": "$data_inputs -to [all_outputs]"}
    lines = [f"read_liberty {LIBERTY}", *(f"read_verilog {path}" for path in netlists),
             f"link_design {module}"]
    lines += [f"create_clock -name {c} -period 10 [get_ports {c}]" for c in clocks]
    if len(clocks) > 1:
        lines.append("set_clock_groups -asynchronous " + " ".join(f"-group {c}" for c in clocks))
    lines += [f"set_output_delay 0 -clock {clocks[0]} [all_outputs]",
              f"set_input_delay 0 -clock {clocks[0]} [all_inputs]",
              "set data_inputs [all_inputs]"]
    for table, ends in tables.items():
        lines += [f'puts "TABLE {table}"',
                  f"report_checks -from {ends} -path_delay max -format full -group_count {ENDS}"]
    return "\n".join(lines) + "\n"


def register(text):
    """Name of a register or port of OpenSTA: u_a/x_q[3]\\DFFPOSX1/D -> u_a.x_q[3]."""
    return paths.register_name(text).replace("/", ".")


def sta_paths(text):
    """[(ns, levels, from, to, steps)] of report_checks."""
    found = []
    for block in text.split("Startpoint: ")[1:]:
        end = re.search(r"Endpoint: (\S+)", block).group(1)
        steps = [(float(ns), what) for ns, what in
                 re.findall(r"^ +\S+ +(\S+) [v^] (\S+ \(\w+\))$", block.split("data arrival")[0],
                            re.M)]
        arrival = float(re.search(r"(-?[\d.]+) +data arrival time", block).group(1))
        setup = re.search(r"(-?[\d.]+) +\S+ +library setup time", block)
        levels = sum(not re.search(r"/(CLK|D) \(|\((in|out)\)", what) for _, what in steps)
        found.append((arrival - (float(setup.group(1)) if setup else 0), levels,
                      register(block.split()[0]), register(end), steps))
    return sorted(found, key=lambda p: (-p[0], p[2], p[3]))


def cells(design, module, unit, folder, given):
    """A unit is mapped as a whole; the core is the netlists of its units and what is between."""
    files = design.files(module)
    units = [design.module(u) for u in design.units()] if unit == "core" else []
    clocks = [n for n, p in ports_of(design.file(module), module).items()
              if p["direction"] == "input" and scan_wrapper.CLOCK.fullmatch(n)]
    if unit == "core" and not clocks:
        fail(f"{module}: want an input port clk, *_clk, aclk or clock")

    def make():
        report = Report(f"{design.name} {unit}",
                        "standard cells osu018, typical, no wires, flop to flop with setup")
        if not clocks:
            return report.data()
        made = {m: mapped(design.files(m), [], m, os.path.join(folder, f"cells_{m}"))
                for m in units}
        made[module] = mapped(design.files(module, units), [design.file(m) for m in units], module,
                              os.path.join(folder, f"cells_{module}"))
        for kind, number in made[module][1].items():
            for cell, times in (made[kind][1] if kind in made else {kind: 1}).items():
                report.cells[cell] = report.cells.get(cell, 0) + number * times
        report.gates = gates(report.cells)
        script = os.path.join(folder, f"cells_{unit}.tcl")
        with open(script, "w") as file:
            file.write(sta_script(module, [netlist for netlist, _ in made.values()], clocks))
        log = os.path.join(folder, f"cells_{unit}.sta.log")
        run(["sta", "-no_splash", "-exit", script], log)
        with open(log) as file:
            said = file.read()
        if re.search("^Error:", said, re.M):
            fail(f"sta failed, log in {log}")
        tables = said.split("TABLE ")[1:]
        for table in tables:
            steps = sta_paths(table)
            name = table.split("\n")[0]
            if unit == "core" and name == "register to register":
                report.add_families("by unit", steps, None, unit_of)
            report.add_families(name, steps, lambda point: point)
        os.remove(log)
        return report.data()

    parts = ["cells", module, ABC, ABC_CONSTRAINTS, tool_version("yosys", "-V")]
    return Report.of(cached(f"cells-{unit}", parts, make, files + [LIBERTY]))
