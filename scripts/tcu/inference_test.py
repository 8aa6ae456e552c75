#!/usr/bin/env python3
"""Every product of a tensor unit becomes DSP blocks and every large memory block RAM, whatever the
type: what Yosys makes of small designs for a 7-series FPGA and for ECP5.

  scripts/tcu/inference_test.py build/macrame [TYPE...]

Then two spoiled copies, which have to be found. Synthesis stops where Yosys has chosen DSP blocks
and memories: what is left of a multiplication or a memory becomes LUTs and flip-flops. Without
Yosys: exit status 77.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARRAY = 2
# Units with neither products nor large memories.
OTHERS = ("fetch", "decode", "store", "feed", "weights")
TYPES = {"FP8BP4": 1, "FP16BP8": 1, "FP18BP10": 1, "FP32BP16": 4}  # DSP blocks of a product
TARGETS = {
    "xc7": ("synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top tcu_top -run "
            "begin:map_ffram",
            r"DSP48E1", r"RAMB\d+E1"),
    "ecp5": ("synth_ecp5 -top tcu_top -run begin:map_ffram", r"MULT18X18D", r"DP16KD"),
}
# Memories that are block RAM: where they are, least number of blocks.
MEMORIES = {
    "local memory": (r"u_local\..*u_ram", 2),
    "accumulators": (r"u_acc\..*u_accumulators", 1),
    "queue": (r"u_issue\.u_queue", 1),
    "vectors of load": (r"u_load\..*u_vectors", 2),
}


def generate(macrame, data_type, out):
    subprocess.run([macrame, "generate", "--family", "tcu", "--array-size", str(ARRAY),
                    "--data-type", data_type, "--local-depth", "2048", "--accumulator-depth",
                    "1024", "--queue-depth", "512", "--out", out],
                   check=True, stdout=subprocess.DEVNULL)


def cells_of(out, target):
    """Type and name of every cell before anything becomes LUTs."""
    found = out / "cells.txt"
    boxes = " ".join(f"tcu_{unit}" for unit in OTHERS)
    files = " ".join((out / "filelist.f").read_text().split())
    subprocess.run(["yosys", "-q", "-p", f"read_verilog {files}; blackbox {boxes}; "
                    f"{TARGETS[target][0]}; select tcu_top; write_rtlil -selected {found}"],
                   cwd=out, check=True, stdout=subprocess.DEVNULL)
    return re.findall(r"^  cell \\?(\S+) \\?(\S+)$", found.read_text(), re.M)


def mistakes(cells, data_type, target):
    """What is not as it should be."""
    _, dsp, ram = TARGETS[target]
    kinds = collections.Counter(kind for kind, _ in cells)
    wrong = [f"{number} {kind} left" for kind, number in kinds.items()
             if kind.startswith(("$mul", "$mem"))]
    products = (ARRAY * ARRAY + ARRAY) * TYPES[data_type]
    have = sum(number for kind, number in kinds.items() if re.fullmatch(dsp, kind))
    if have != products:
        wrong.append(f"{have} DSP blocks: want {products}")
    for memory, (place, least) in MEMORIES.items():
        inside = collections.Counter(kind for kind, name in cells if re.match(place, name))
        blocks = sum(number for kind, number in inside.items() if re.fullmatch(ram, kind))
        if blocks < least:
            wrong.append(f"{memory}: {blocks} block RAMs: want {least} or more; {dict(inside)}")
    return wrong


def spoil(out, file, old, new):
    path = out / "rtl" / file
    text = path.read_text()
    assert old in text, f"{file} has no {old}"
    path.write_text(text.replace(old, new))


def main():
    macrame = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("yosys") is None:
        print("SKIPPED: no yosys")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        for data_type in sys.argv[2:] or TYPES:
            generate(macrame, data_type, out / data_type)
            for target in TARGETS:
                wrong = mistakes(cells_of(out / data_type, target), data_type, target)
                print(f"{data_type} {target}: {'; '.join(wrong) or 'good'}", flush=True)
                failed += len(wrong)
        # No product, memories that nothing maps.
        data_type = "FP16BP8"
        generate(macrame, data_type, out / "spoiled")
        spoil(out / "spoiled", "tcu_product.v", "a * b", "a + b")
        spoil(out / "spoiled", "sram_1r1w.v", '"block"', '"registers"')
        wrong = mistakes(cells_of(out / "spoiled", "ecp5"), data_type, "ecp5")
        want = ["0 DSP blocks"] + [memory + ":" for memory in MEMORIES]
        unseen = [text for text in want if not any(found.startswith(text) for found in wrong)]
        print(f"spoiled: {'; '.join(unseen) + ' not seen' if unseen else 'seen'}; {wrong}")
        failed += len(unseen)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
