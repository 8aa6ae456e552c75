#!/usr/bin/env python3
"""Reads lines "module stat.json copies" (Yosys `stat -json` after synth_xilinx), prints the area.

  scripts/dla/area_table.py manifest.json < lines

LUT: LUT1..LUT6 cells. INV cells are not counted: Yosys makes one per flop with an active-low reset,
an FPGA has one per reset net. LUTRAM: cells of LUT RAM and shift registers (a RAM32M takes 4 LUTs).
0 copies: a part of the unit above, not in the sum. Peer, for nv_small: the published RTL, same tool
and options.
"""
import json
import re
import sys

COLUMNS = ("LUT", "LUTRAM", "FF", "DSP", "RAMB36", "RAMB18")
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
    text = f"{name:<17}" + "".join(f"{ours[c]:>8}" for c in COLUMNS)
    if peer is not None:
        text += "   " + "".join(f"{n:>8}" for n in peer)
    print(text)


def main():
    with open(sys.argv[1]) as file:
        manifest = json.load(file)
    given = manifest["parameters"]
    with_peer = all(given[key] == value for key, value in PEER_PARAMETERS.items())
    print(f"{manifest['configuration']:<17}" + "".join(f"{c:>8}" for c in COLUMNS) +
          ("   peer: LUT  LUTRAM      FF     DSP  RAMB36" if with_peer else ""))
    total = dict.fromkeys(COLUMNS, 0)
    peer_total = [0] * 5
    for text in sys.stdin:
        module, path, copies = text.split()
        unit, copies = module.removeprefix("dla_"), int(copies)
        ours = counts(path)
        peer = PEER.get(unit) if with_peer else None
        times = f" (x{copies})" if copies > 1 else ""
        line(unit + times if copies else f"  with {unit}", ours, peer)
        for column in COLUMNS:
            total[column] += copies * ours[column]
        for i, number in enumerate(peer or ()):
            peer_total[i] += copies * number
    line("sum", total, peer_total if with_peer else None)


if __name__ == "__main__":
    main()
