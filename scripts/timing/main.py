"""Longest paths of a generated accelerator; started by scripts/timing.sh."""
import argparse
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import flows
from design import Design, fail, overridden
from report import Report

HELP = """Options that are not listed here go to `macrame generate`. Results are kept by contents of
the files in ${XDG_CACHE_HOME:-~/.cache}/macrame/timing, so only what changed is measured again."""


def options():
    parser = argparse.ArgumentParser(prog="timing.sh", epilog=HELP, allow_abbrev=False)
    add = parser.add_argument
    add("--flow", default="estimate", choices=("estimate", "ecp5", "cells"),
        help="estimate: netlist of an FPGA, delays by cell and fan-out; ecp5: placed and routed "
        "for LFE5U-85F, CABGA381, speed grade 6; both with the cells that projects for such boards "
        "have; cells: standard cells (osu018) and OpenSTA")
    add("--target", default="ecp5", choices=("ecp5", "xc7"), help="of an estimate (ecp5)")
    add("--unit", action="append", default=[], metavar="U",
        help="measure this unit; repeatable; all: every unit, then the whole core (the default)")
    add("--macrame", default="build/macrame", metavar="FILE", help="the program (build/macrame)")
    add("--rtl", metavar="DIR", help="a folder that `macrame generate` wrote")
    add("--reports", metavar="DIR", help="keeps tables, logs and, of ecp5, netlists "
        "(timing/CONFIGURATION beside the program, of a changed preset with a number behind)")
    add("--top", type=int, default=15, metavar="N", help="lines of a table (15)")
    add("--paths", type=int, default=0, metavar="N", help="print N paths cell by cell")
    add("--ports", action="store_true", help="also clock to pin and pin to pin (should be empty)")
    add("--jobs", type=int, default=1, metavar="N", help="measurements at a time (1)")
    add("--seeds", default="1,2,3", metavar="LIST", help="ecp5: placements to try (1,2,3)")
    add("--freq", type=float, default=60, metavar="MHZ", help="ecp5: clock to aim at (60)")
    add("--synth", default=flows.SYNTH, metavar="OPTIONS", help="ecp5: options of synth_ecp5")
    add("--pnr", default=flows.PNR, metavar="OPTIONS", help="ecp5: options of nextpnr-ecp5")
    return parser.parse_known_args()


def peer_of(design):
    """Unit -> row of scripts/FAMILY/peer_timing.csv, for the configuration that it is of."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                        design.family, "peer_timing.csv")
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["unit"]: row for row in rows if row["configuration"] == design.name}


def number_of(changed):
    """A name for parameters that differ from the preset's, short enough for a folder."""
    text = json.dumps(changed, sort_keys=True)
    return "-" + hashlib.sha256(text.encode()).hexdigest()[:8] if changed else ""


RATIO = 0.9   # goals in standard cells: longest path of a unit, of the original's
TO_PIN = 0.4  # ns, clock to pin


def goals(reports, peer):
    """What misses the goals, a line per goal that something measured has."""
    ours = {u: r.worst() for u, r in reports.items() if u != "core" and r.worst()}
    ratios = {u: ns / float(peer[u]["ns"]) for u, ns in ours.items() if u in peer}
    to_pin = {u: r.worst("clock to pin") or 0 for u, r in reports.items() if u != "core"}
    lines = []
    for goal, values, limit in ((f"ratio {RATIO}", ratios, RATIO),
                                (f"clock to pin {TO_PIN} ns", to_pin, TO_PIN)):
        if not values:
            continue
        missed = [f"{u} {v:.2f}" for u, v in values.items() if round(v, 2) > limit]
        lines.append(f"goal {goal}: " + ("missed by " + ", ".join(missed) if missed else "met"))
    core = reports["core"].worst() if "core" in reports else None
    if core and ours:
        unit = max(ours, key=ours.get)
        lines.append("goal core no longer than its slowest unit: "
                     f"{'met' if core <= ours[unit] else 'missed'}, core {core:.2f} ns, "
                     f"{unit} {ours[unit]:.2f} ns")
    return "".join(line + "\n" for line in lines)


def summary(design, flow, reports, peer):
    """A line per unit: longest paths, beside the original."""
    lines = [f"{design.name}: {flow}, longest paths in ns (cells on the path)",
             f"{'unit':<16}{'registers':>16}{'clock to pin':>16}{'pin to pin':>16}" +
             (f"{'gates':>10}" if flow == "cells" else "") +
             (f"{'original':>16}{'ratio':>8}{'to pin':>8}" if peer else "")]
    for unit, report in reports.items():
        text = f"{unit:<16}"
        for table in ("register to register", "clock to pin", "pin to pin"):
            family = next(iter(report.families.get(table, [])), None)
            text += f"{'-' if not family else '%.2f (%d)' % (family['ns'], family['levels']):>16}"
        text += f"{report.gates:>10,}" if flow == "cells" else ""
        row = peer.get(unit)
        ours = report.worst()
        if row and ours:
            text += f"{row['ns'] + ' (' + row['levels'] + ')':>16}{ours / float(row['ns']):>8.2f}"
            text += f"{row['clock_to_pin'] or '-':>8}"
        lines.append(text.rstrip())
    return "\n".join(lines) + "\n"


def main():
    given, generate = options()
    if not shutil.which(given.macrame):
        fail(f"--macrame {given.macrame}: want the program; scripts/build.sh makes build/macrame")
    with tempfile.TemporaryDirectory() as work:
        rtl = given.rtl
        if not rtl:
            rtl = os.path.join(work, "rtl")
            made = subprocess.run([given.macrame, "generate", *generate, "--out", rtl],
                                  stdout=subprocess.DEVNULL)
            if made.returncode:
                sys.exit(made.returncode)
        elif generate:
            fail(f"--rtl and {' '.join(generate)}: want one of them")
        if given.flow != "estimate" and given.target != "ecp5":
            fail(f"--target {given.target} with --flow {given.flow}: want --flow estimate")
        design = Design(rtl, None if given.flow == "cells" else given.target)
        changed = overridden(given.macrame, design.manifest)
        folder = given.reports or os.path.join(os.path.dirname(given.macrame), "timing",
                                               design.name + number_of(changed))
        os.makedirs(folder, exist_ok=True)
        units = []
        for unit in given.unit or ["core"]:
            units += design.units() + ["core"] if unit == "all" else [unit]
        measure = {"estimate": flows.estimate, "ecp5": flows.ecp5, "cells": flows.cells}[given.flow]
        flow = given.flow if given.target == "ecp5" else f"{given.flow}_{given.target}"

        def report_of(unit):
            module = design.module(unit)
            report = measure(design, module, unit, folder, given)
            tables = None if given.ports else ("by unit", "register to register")
            text = report.text(given.top, given.paths, tables)
            with open(os.path.join(folder, f"{flow}_{unit}.txt"), "w") as file:
                file.write(report.text(50, 10))
            report.stamp = design.stamp(module)
            report.write(os.path.join(folder, f"{flow}_{unit}.json"))
            return report, text

        # Of ecp5, seeds run side by side.
        with ThreadPoolExecutor(1 if given.flow == "ecp5" else given.jobs) as pool:
            found = dict(zip(units, pool.map(report_of, units)))
        for report, text in found.values():
            print(text)
        if len(units) > 1 or given.flow == "cells":
            peer = peer_of(design) if given.flow == "cells" and not changed else {}
            reports = {u: r for u, (r, _) in found.items()}
            text = summary(design, flow, reports, peer)
            if peer:
                text += goals(reports, peer)
            with open(os.path.join(folder, f"{flow}.txt"), "w") as file:
                file.write(text)
            print(text, end="")
        print(f"reports: {folder}")


if __name__ == "__main__":
    main()
