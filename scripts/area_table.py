#!/usr/bin/env python3
"""Reads lines "module stat.json copies" (Yosys `stat -json` after synthesis), prints the area.
Copies "cell", before all others: a module that is counted in those that instantiate it.

  scripts/area_table.py xc7|ecp5 manifest.json FAMILY/area.json < lines

xc7: LUT: LUT1..LUT6 cells. INV cells are not counted: Yosys makes one per flop with an active-low
reset, an FPGA has one per reset net. LUTRAM: cells of LUT RAM and shift registers. ALLLUTS: LUT and
the LUTs that these take, 4 for most.
ecp5: COMB: what place and route counts, a LUT4 each; a carry cell takes 2, a LUT RAM 6.
0 copies: a part of the unit above, not in the sum. Peer, on xc7: what area.json of the family has
for a configuration with these parameters, unit by unit or the sum.
"""
import json
import re
import sys

# Column, cells, how much each counts. A cell may be in several columns.
CLASSES = {
    "xc7": (
        ("LUT", r"LUT[1-6]", 1),
        ("LUTRAM", r"RAM(32|64|128|256)\w*|SRL\w+", 1),
        ("FF", r"FD[CPRS]E\w*|LD[CP]E", 1),
        ("DSP", r"DSP48E1", 1),
        ("RAMB36", r"RAMB36\w*", 1),
        ("RAMB18", r"RAMB18\w*", 1),
        ("ALLLUTS", r"LUT[1-6]|SRL\w+|RAM(32|64)X1S", 1),
        ("ALLLUTS", r"RAM(32|64)X1D|RAM128X1S", 2),
        ("ALLLUTS", r"RAM(32|64)M|RAM128X1D|RAM256X1S", 4),
    ),
    "ecp5": (
        ("COMB", r"LUT4", 1),
        ("COMB", r"CCU2C", 2),
        ("COMB", r"TRELLIS_DPR16X4", 6),
        ("FF", r"TRELLIS_FF", 1),
        ("MULT18", r"MULT18X18D", 1),
        ("EBR", r"DP16KD", 1),
    ),
}


def counts(path, classes, known):
    """`known`: counts of modules that are not synthesised with those that instantiate them."""
    cells = json.load(open(path))["design"]["num_cells_by_type"]
    row = {column: 0 for column, _, _ in classes}
    for cell, number in cells.items():
        for column, inside in known.get(cell, {}).items():
            row[column] += number * inside
        for column, pattern, weight in classes:
            if re.fullmatch(pattern, cell):
                row[column] += number * weight
    return row


def line(name, ours, peer):
    text = f"{name:<17}" + "".join(f"{number:>8}" for number in ours.values())
    if peer is not None:
        text += "   " + "".join(f"{n:>8}" for n in peer)
    print(text)


def peer_of(target, given, path):
    """The peer of a configuration with these parameters, None if there is none."""
    with open(path) as file:
        peers = json.load(file)["peers"]
    for peer in peers:
        if target == "xc7" and all(given[key] == value
                                   for key, value in peer["parameters"].items()):
            return peer
    return None


def main():
    target, manifest_path, facts = sys.argv[1:]
    with open(manifest_path) as file:
        manifest = json.load(file)
    start = manifest.get("prefix", "") + manifest["family"] + "_"
    peer = peer_of(target, manifest["parameters"], facts)
    total = {column: 0 for column, _, _ in CLASSES[target]}
    head = f"{manifest['configuration']:<17}" + "".join(f"{c:>8}" for c in total)
    if peer:
        first, *others = peer["columns"]
        head += f"   peer:{first:>4}" + "".join(f"{c:>8}" for c in others)
    print(head)
    peer_units = peer.get("units", {}) if peer else {}
    peer_total = peer.get("sum", [0] * len(peer["columns"])) if peer else None
    known = {}
    for text in sys.stdin:
        module, path, copies = text.split()
        ours = counts(path, CLASSES[target], known)
        if copies == "cell":
            known[module] = ours
            continue
        unit, copies = module.removeprefix(start), int(copies)
        theirs = peer_units.get(unit)
        times = f" (x{copies})" if copies > 1 else ""
        line(unit + times if copies else f"  with {unit}", ours, theirs)
        for column in total:
            total[column] += copies * ours[column]
        if theirs:
            peer_total = [have + copies * more for have, more in zip(peer_total, theirs)]
    line("sum", total, peer_total)
    if peer and "sum" in peer:
        print(f"peer: {peer['what']}")


if __name__ == "__main__":
    main()
