#!/usr/bin/env python3
"""Nothing toggles in an idle machine but its clock, behind a program that has used all modules.

    idle_test.py MACRAME

With Icarus; without it the test is skipped (exit status 77).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SHOWN = 20
HERE = pathlib.Path(__file__).resolve().parent
DESIGN = ["--family", "systolic", "--rows", "4", "--cols", "3", "--ibuf-entries", "32",
          "--wbuf-entries", "16", "--obuf-entries", "32"]
PROGRAM = """
LOAD  dram_address=0x400 sram_address=0x2000000 x_size=1 y_size=4 z_size=3 z_stride=3 bitwidth=1
GEMM  ofmap_height=2 ofmap_width=3 active_rows=3 active_cols=3 stride_h=3 stride_w=1
ALU   alu_opcode=max output_height=2 output_width=2 window_height=1 window_width=1 mem_stride_ow=2 mem_stride_r=1 output_address=20 num_active=3
STORE dram_address=0x803 sram_address=0x3000000 x_size=1 y_size=5 z_size=3 z_stride=7
"""


def toggles(vcd):
    """Names of the signals that change behind the first values of a dump, and how often."""
    names, scope, changes = {}, [], {}
    dumps = started = False
    for line in vcd.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scope.append(words[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var integer"):
            continue  # of a loop: no signal
        elif line.startswith("$var"):
            names.setdefault(words[3], ".".join([*scope, words[4]]))
        elif line.startswith("$dumpvars"):
            dumps = True
        elif line == "$end":
            started = dumps
        elif started and line and line[0] in "01xzb":
            key = words[1] if line[0] == "b" else line[1:]
            changes[key] = changes.get(key, 0) + 1
    return {names[key]: count for key, count in changes.items() if key in names}


def main():
    macrame = pathlib.Path(sys.argv[1]).resolve()
    if shutil.which("iverilog") is None:
        print("skipped: no iverilog")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)

        def run(*words):
            done = subprocess.run([str(w) for w in words], cwd=folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                sys.exit(done.stdout)
            return done.stdout

        run(macrame, "generate", *DESIGN, "--out", folder / "design")
        (folder / "program.sasm").write_text(PROGRAM)
        run(macrame, "simulate", *DESIGN, "--program", "program.sasm", "--model",
            "--write-hex", "program.hex")
        header = (folder / "design/include/systolic_params.h").read_text()
        address = re.search(r"SYSTOLIC_CONFIG_ADDRESS (\d+)", header).group(1)
        files = [f"design/{name}" for name in (folder / "design/filelist.f").read_text().split()]
        run("iverilog", "-g2005", "-DMACRAME_ASSERT", f"-DCONFIG_ADDRESS={address}", "-o", "sim",
            "-s", "idle_tb", HERE / "idle_tb.v", *files)
        said = run("vvp", "-n", "sim")
        if "no interrupt" in said or "done" not in said:
            print(said)
            return 1
        found = toggles((folder / "idle.vcd").read_text())
    clocks = {name for name in found if name.endswith(".clk")}
    moving = sorted(set(found) - clocks)
    print(f"{len(clocks)} clock(s) toggle, {len(moving)} other signals")
    for name in moving[:SHOWN]:
        print(f"{name}: {found[name]} changes while nothing is under way")
    return 0 if clocks and not moving else 1


if __name__ == "__main__":
    sys.exit(main())
