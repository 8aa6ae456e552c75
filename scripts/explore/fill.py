#!/usr/bin/env python3
"""Fills a table of measured units: area and longest paths by Yosys, one synthesis for both.

  scripts/explore/fill.py --macrame build/macrame --target xc7 --table TABLE.jsonl [--family dla]
  scripts/explore/fill.py ... --list          how many units there are, and how many the table lacks
  scripts/explore/fill.py ... --part 3/8      every eighth of those that it lacks
  scripts/explore/fill.py ... --plan FILE     those that it lacks: key, configuration, unit
  scripts/explore/fill.py ... --only KEY --of CONFIGURATION     one of them
  scripts/explore/fill.py ... --merge TABLE [TABLE...]          adds the rows of these tables
  scripts/explore/fill.py --keys DESIGN       keys of the units in a folder of macrame generate

Units are those of the configurations in scripts/explore/FAMILY.txt, or FAMILY.TARGET.txt if there,
one per line: arguments of macrame generate; with --front FOLDER those of the front that macrame
explore wrote there. A line of the table is a unit: the key is a hash of its Verilog without
comments (generator/explore/units.hpp has the same). Units that the table has are not measured
again, and a line is written as soon as it is known: an interrupted run goes on where it was. The
first line has the target, the version of Yosys and a hash of the cells that projects for the target
have in place of the general ones.

Cells of scripts/FAMILY/area.json are measured alone, and counted as often as a unit has them.
xc7: lut is the ALLLUTS of area.sh, ram counts blocks of 18 kbit; ecp5: COMB, MULT18, EBR.
"""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "timing")]
import ecp5_cells  # noqa: E402
import flows  # noqa: E402
import paths  # noqa: E402
import xc7_cells  # noqa: E402
from area_table import CLASSES  # noqa: E402
from design import Design, tool_version  # noqa: E402

# Column of the table -> columns of area.sh, how much each counts.
COLUMNS = {
    "xc7": {"lut": {"ALLLUTS": 1}, "ff": {"FF": 1}, "dsp": {"DSP": 1},
            "ram": {"RAMB36": 2, "RAMB18": 1}},
    "ecp5": {"lut": {"COMB": 1}, "ff": {"FF": 1}, "dsp": {"MULT18": 1}, "ram": {"EBR": 1}},
}
DELAYS = {"xc7": xc7_cells, "ecp5": ecp5_cells}


def code(text):
    """Verilog without comments, blanks at ends and empty lines."""
    lines = (line.split("//")[0].rstrip() for line in text.split("\n"))
    return "".join(line + "\n" for line in lines if line)


def unit_key(design, module):
    """Of a module and all below it, as `macrame generate` wrote them. `design` is without the cells
    of a target."""
    names, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            waiting += design.instances(name)
    stamp = hashlib.sha256()
    for name in sorted(names):
        with open(os.path.join(design.folder, "rtl", name + ".v")) as file:
            stamp.update(code(file.read()).encode())
    return stamp.hexdigest()[:16]


def counts(cells, target, known):
    """Columns of the table of cells by type; `known`: of cells measured alone."""
    row = dict.fromkeys(COLUMNS[target], 0)
    for cell, number in cells.items():
        for column in row:
            row[column] += number * known.get(cell, {}).get(column, 0)
        for name, pattern, weight in CLASSES[target]:
            if flows.re.fullmatch(pattern, cell):
                for column, parts in COLUMNS[target].items():
                    row[column] += number * weight * parts.get(name, 0)
    return row


def longest(graph, from_pin, to_pin):
    found = graph.paths(from_pin, to_pin)
    return round(found[0][0], 2) if found else 0


def measure(design, module, target, boxes, known):
    """The row of a module; `boxes`: cells that are black boxes in it."""
    files = design.files(module)
    with tempfile.TemporaryDirectory() as work:
        result = os.path.join(work, "netlist.json")
        script = (flows.ecp5_script(files, module, "", result) if target == "ecp5"
                  else flows.xc7_script(files, module, result))
        reads = flows.read_verilog(files)
        inside = [box for box in boxes if design.file(box) in files and box != module]
        if inside:
            script = script.replace(reads, reads + f"blackbox {' '.join(inside)}\n", 1)
        flows.yosys(script, os.path.join(work, "log"))
        netlist = paths.Netlist(result, DELAYS[target])
    graph = netlist.graph()
    return {**counts(netlist.cell_counts(), target, known), "ns": longest(graph, False, False),
            "in_ns": longest(graph, True, False), "out_ns": longest(graph, False, True)}


class Table:
    """Rows by key, and the file that they are added to."""

    def __init__(self, path, head):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            with open(path) as file:
                # The last line may have been cut.
                lines = [line for line in file if line.endswith("\n")]
            had = json.loads(lines[0]) if lines else head
            if had != head:
                sys.exit(f"{path}: made with {had}: want {head}, or another table")
            for line in lines[1:]:
                row = json.loads(line)
                self.rows[row["key"]] = row
            with open(path, "w") as file:
                file.writelines(lines or [json.dumps(head) + "\n"])
        else:
            with open(path, "w") as file:
                file.write(json.dumps(head) + "\n")

    def add(self, row):
        self.rows[row["key"]] = row
        with open(self.path, "a") as file:
            file.write(json.dumps(row) + "\n")


def parameters(design, unit):
    """What the fit may look at: numbers of the configuration."""
    return {key: int(value) for key, value in design.manifest["parameters"].items()
            if isinstance(value, (int, bool))}


def configurations(family, target, front=None):
    if front:
        files = sorted(pathlib.Path(front, "configurations").glob("*.toml"))
        return [["--config", str(file)] for file in files]
    own = SCRIPTS / "explore" / f"{family}.{target}.txt"
    with open(own if own.exists() else SCRIPTS / "explore" / f"{family}.txt") as file:
        lines = (line.split("#")[0].split() for line in file)
        return [line for line in lines if line]


def technology(family, target):
    """Hash of the cells of a target, empty if it has none."""
    folder = SCRIPTS.parent / "templates" / family / "fpga" / target
    texts = [code(path.read_text()) for path in sorted(folder.glob("*.v"))]
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16] if texts else ""


def fill(given):
    target, family = given.target, given.family
    table = Table(given.table, {"family": family, "target": target,
                                "yosys": tool_version("yosys", "-V").strip(),
                                "cells": technology(family, target)})
    with open(SCRIPTS / family / "area.json") as file:
        cells = json.load(file).get("cells", [])
    part, parts = (int(n) for n in given.part.split("/"))
    seen, lacking, plan = set(), 0, []
    only_list = given.list or given.plan
    for number, arguments in enumerate(configurations(family, target, given.front)):
        if given.of not in (None, number):
            continue
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([given.macrame, "generate", "--family", family, *arguments,
                                   "--out", folder], capture_output=True, text=True)
            if made.returncode:
                sys.exit(f"{family}.txt: {' '.join(arguments)}: {made.stderr}")
            design, general = Design(folder, target), Design(folder)
            boxes = [design.start + cell for cell in cells if design.start + cell in design.text]
            modules, known = [*boxes, *map(design.module, design.units())], {}
            if given.only:  # and the cells in it
                files = [design.files(module) for module in modules
                         if unit_key(general, module) == given.only]
                boxes = [box for box in boxes if any(design.file(box) in one for one in files)]
            for module in modules:
                key = unit_key(general, module)
                mine = key == given.only if given.only else int(key, 16) % parts == part - 1
                mine = mine or module in boxes
                if key not in table.rows and mine and key not in seen:
                    lacking += 1
                    plan.append(f"{key} {number} {module.removeprefix(design.start)}\n")
                    if not only_list:
                        begin = time.monotonic()
                        row = measure(design, module, target, boxes, known)
                        table.add({"key": key, "unit": module.removeprefix(design.start), **row,
                                   "with": parameters(design, module)})
                        print(f"{number} {module} {row} {time.monotonic() - begin:.1f} s",
                              flush=True)
                seen.add(key)
                if module in boxes:
                    known[module] = table.rows.get(key, {})
    if given.plan:
        pathlib.Path(given.plan).write_text("".join(plan))
    print(f"{len(seen)} units, {lacking} were not in the table")


def merge(given):
    """Adds rows of other tables; one that is there already has to be the same."""
    tables = [(path, pathlib.Path(path).read_text().splitlines()) for path in given.merge]
    heads = {lines[0] for _, lines in tables}
    if len(heads) > 1:
        sys.exit(f"--merge: tables of {' and '.join(sorted(heads))}: want one target and tool")
    table = Table(given.table, json.loads(heads.pop()))
    for path, lines in tables:
        for row in map(json.loads, lines[1:]):
            known = table.rows.get(row["key"])
            if known is None:
                table.add(row)
            elif {**known, "with": 0} != {**row, "with": 0}:
                sys.exit(f"{path}: {row['unit']} {row['key']}: {given.table} has other numbers")
    print(f"{len(table.rows)} units")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--family", default="dla")
    parser.add_argument("--target", choices=sorted(COLUMNS))
    parser.add_argument("--table")
    parser.add_argument("--keys", metavar="DESIGN")
    parser.add_argument("--part", default="1/1", metavar="K/N")
    parser.add_argument("--list", action="store_true", help="only count")
    parser.add_argument("--plan", metavar="FILE", help="only write which units the table lacks")
    parser.add_argument("--only", metavar="KEY", help="measure this unit alone")
    parser.add_argument("--of", type=int, metavar="CONFIGURATION", help="look at this one alone")
    parser.add_argument("--front", metavar="FOLDER", help="of macrame explore")
    parser.add_argument("--merge", nargs="+", metavar="TABLE")
    given = parser.parse_args()
    if given.keys:
        design = Design(given.keys)
        for unit in design.units():
            print(unit, unit_key(design, design.module(unit)))
    elif given.merge and given.table:
        merge(given)
    elif given.target and given.table:
        fill(given)
    else:
        parser.error("want --target and --table, or --keys")


if __name__ == "__main__":
    main()
