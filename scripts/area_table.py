#!/usr/bin/env python3
"""Reads lines "module stat.json" (Yosys `stat -json` after synth_xilinx), prints the area table.

LUT: LUT1..LUT6 cells. INV cells are not counted: Yosys makes one per flop with an active-low reset,
an FPGA has one per reset net. LUTRAM: cells of LUT RAM and shift registers (a RAM32M takes 4 LUTs).
Peer: the published nv_small RTL, same tool and options.
"""
import json
import re
import sys

COLUMNS = ("LUT", "LUTRAM", "FF", "DSP", "RAMB36", "RAMB18")
PEER = {  # LUT, FF, DSP, RAMB36
    "cdma": (12675, 9168, 14, 0),
    "cbuf": (14974, 14416, 0, 64),
    "csc": (6668, 5018, 8, 0),
    "cmac": (1781, 1288, 32, 0),
    "cacc": (3693, 2568, 0, 0),
    "sdp": (14259, 13626, 6, 0),  # with sdp_rdma
    "cdp": (20668, 18194, 15, 0),  # with cdp_rdma
    "mcif": (5614, 8277, 0, 0),
    "csb_master": (551, 1809, 0, 0),
    "glb": (63, 92, 0, 0),
    "cfgrom": (43, 31, 0, 0),
}
COPIES = {"cmac": 2}
CLASSES = (
    ("LUT", r"LUT[1-6]"),
    ("LUTRAM", r"RAM(32|64|128|256)\w*|SRL\w+"),
    ("FF", r"FD[CPRS]E\w*|LD[CP]E"),
    ("DSP", r"DSP48E1"),
    ("RAMB36", r"RAMB36\w*"),
    ("RAMB18", r"RAMB18\w*"),
)


def counts(path):
    cells = json.load(open(path))["design"]["num_cells_by_type"]
    row = dict.fromkeys(COLUMNS, 0)
    for cell, number in cells.items():
        for column, pattern in CLASSES:
            if re.fullmatch(pattern, cell):
                row[column] += number
                break
    return row


def line(name, ours, peer):
    text = f"{name:<14}" + "".join(f"{ours[c]:>8}" for c in COLUMNS)
    if peer is not None:
        text += "   " + "".join(f"{n:>8}" for n in peer)
    print(text)


def main():
    print(f"{'':<14}" + "".join(f"{c:>8}" for c in COLUMNS) +
          "   peer: LUT      FF     DSP  RAMB36")
    total = dict.fromkeys(COLUMNS, 0)
    peer_total = [0] * 4
    for text in sys.stdin:
        module, path = text.split()
        unit = module.removeprefix("dla_")
        ours, peer, copies = counts(path), PEER.get(unit), COPIES.get(unit, 1)
        line(unit + (f" (x{copies})" if copies > 1 else ""), ours, peer)
        for column in COLUMNS:
            total[column] += copies * ours[column]
        for i, number in enumerate(peer or ()):
            peer_total[i] += copies * number
    line("sum", total, peer_total)


if __name__ == "__main__":
    main()
