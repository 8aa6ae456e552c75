#!/usr/bin/env python3
"""Reads lines "module stat.json copies" (Yosys `stat -json` after synthesis), prints the area.

  scripts/dla/area_table.py xc7|ecp5 manifest.json < lines

xc7: LUT: LUT1..LUT6 cells. INV cells are not counted: Yosys makes one per flop with an active-low
reset, an FPGA has one per reset net. LUTRAM: cells of LUT RAM and shift registers. ALLLUTS: LUT and
the LUTs that these take, 4 for most.
ecp5: COMB: what place and route counts, a LUT4 each; a carry cell takes 2, a LUT RAM 6.
0 copies: a part of the unit above, not in the sum. Peer, for nv_small on xc7: the published RTL,
same tool and options.
"""
import json
import re
import sys

PEER = {  # LUT, LUTRAM, FF, DSP, RAMB36; read DMAs are in the row of their unit
    "cdma": (12675, 203, 9168, 14, 0),
    "cbuf": (14974, 9, 14416, 0, 64),
    "csc": (6668, 0, 5018, 8, 0),
    "cmac": (1781, 0, 1288, 32, 0),
    "cacc": (3693, 90, 2568, 0, 0),
    "sdp": (14259, 42, 13626, 6, 0),
    "pdp": (14522, 107, 15959, 3, 0),
    "cdp": (20668, 34, 18194, 15, 0),
    "mcif": (5614, 16, 8277, 0, 0),
    "csb_master": (551, 0, 1809, 0, 0),
    "glb": (63, 0, 92, 0, 0),
    "cfgrom": (43, 0, 31, 0, 0),
}
PEER_PARAMETERS = {  # what nv_small is made of
    "mac_atomic_c_size": 8, "mac_atomic_k_size": 8, "cbuf_bank_number": 32,
    "cbuf_bank_depth": 512, "primary_memif_width": 64, "mem_address_width": 32,
    "sdp_bs_throughput": 1, "sdp_bn_throughput": 1, "sdp_ew_enable": False,
    "pdp_throughput": 1, "cdp_throughput": 1, "secondary_memif_enable": False,
}
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


def counts(path, classes):
    cells = json.load(open(path))["design"]["num_cells_by_type"]
    row = {column: 0 for column, _, _ in classes}
    for cell, number in cells.items():
        for column, pattern, weight in classes:
            if re.fullmatch(pattern, cell):
                row[column] += number * weight
    return row


def line(name, ours, peer):
    text = f"{name:<17}" + "".join(f"{number:>8}" for number in ours.values())
    if peer is not None:
        text += "   " + "".join(f"{n:>8}" for n in peer)
    print(text)


def main():
    target, path = sys.argv[1:]
    with open(path) as file:
        manifest = json.load(file)
    given = manifest["parameters"]
    with_peer = target == "xc7" and all(given[key] == value
                                        for key, value in PEER_PARAMETERS.items())
    total = {column: 0 for column, _, _ in CLASSES[target]}
    print(f"{manifest['configuration']:<17}" + "".join(f"{c:>8}" for c in total) +
          ("   peer: LUT  LUTRAM      FF     DSP  RAMB36" if with_peer else ""))
    peer_total = [0] * 5
    for text in sys.stdin:
        module, path, copies = text.split()
        unit, copies = module.removeprefix("dla_"), int(copies)
        ours = counts(path, CLASSES[target])
        peer = PEER.get(unit) if with_peer else None
        times = f" (x{copies})" if copies > 1 else ""
        line(unit + times if copies else f"  with {unit}", ours, peer)
        for column in total:
            total[column] += copies * ours[column]
        for i, number in enumerate(peer or ()):
            peer_total[i] += copies * number
    line("sum", total, peer_total if with_peer else None)


if __name__ == "__main__":
    main()
