#!/usr/bin/env python3
"""Which faults of the arithmetic do random programs find?

  scripts/dla/mutate.py --macrame build/macrame                     all faults, 60 programs each
  scripts/dla/mutate.py --macrame build/macrame --only cacc         those whose names have this
  scripts/dla/mutate.py --list                                      names and what is changed

Each fault is another expression in one place of the emitted Verilog. All faults of a design are in
one build: a place becomes `mutation[0] == N ? other : right`, and the simulator reads N from
mutation.hex in the folder where it starts. Without a fault (0) all programs must pass; with one, a
program that fails has found it. Prints how many of the programs found each fault. Exit status 1: a
fault that none found, or a failure without a fault. A place that is no longer in the Verilog, or
there several times, is an error: the table below goes with the templates.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.M)

# Small designs that have the faulty modules.
DESIGNS = {
    "small": "--preset nv_small",
    "tables": "--sdp-ew-enable --sdp-ew-throughput 1 --sdp-lut-enable --feature-data-types "
              "INT8,INT16 --mac-atomic-c-size 16 --mac-atomic-k-size 16 --winograd-enable",
}
DECLARATION = """
    // verilator lint_off WIDTH
    reg [31:0] mutation [0:0];
    initial $readmemh("mutation.hex", mutation);
"""

Fault = collections.namedtuple("Fault", "name design module right other")
FAULTS = [Fault(*row) for row in (
    # Rounding behind the accumulators: bits below the guard bit, by CLIP_TRUNCATE.
    ("cacc-low-1", "small", "dla_cacc_round", "a0[2:1] != 2'd0", "a0[2]"),
    ("cacc-low-4", "small", "dla_cacc_round", "b0[3:0] != 4'd0", "b0[3:1] != 3'd0"),
    ("cacc-low-8", "small", "dla_cacc_round", "b0[7:0] != 8'd0", "1'b0"),
    ("cacc-low-8-bits", "small", "dla_cacc_round", "b0[7:0] != 8'd0", "b0[7:3] != 5'd0"),
    ("cacc-low-12", "small", "dla_cacc_round", "b0[11:0] != 12'd0", "b0[10:0] != 11'd0"),
    ("cacc-shift-8", "small", "dla_cacc_round", "b0 >>> 8", "(b0 >>> 8) & ~1"),
    ("cacc-low-16", "small", "dla_cacc_round", "c_q[15:1] != 15'd0", "c_q[15:8] != 8'd0"),
    ("cacc-low-16-top", "small", "dla_cacc_round", "c_q[15:1] != 15'd0", "c_q[14:1] != 14'd0"),
    ("cacc-shift-16", "small", "dla_cacc_round", "c_q >>> 16", "(c_q >>> 16) & ~1"),
    ("cacc-tie", "small", "dla_cacc_round", "(!neg || below)", "1'b1"),
    # X stages of SDP.
    ("x-alu-shift-32", "small", "dla_sdp_x_lane", "(alu_high[1] && (|by_15_q[30:0]))", "1'b0"),
    ("x-alu-shift-16", "small", "dla_sdp_x_lane", "by_15_q[30:15] != {16{neg}}",
     "by_15_q[30:16] != {15{neg}}"),
    ("x-prelu-33-bits", "small", "dla_sdp_x_lane", "!alu3_q[32]", "!alu3_q[31]"),
    ("x-mul-shift-32", "small", "dla_sdp_x_lane", "pass4_q ? 6'd0 : mul_shift",
     "pass4_q ? 6'd0 : {1'b0, mul_shift[4:0]}"),
    # The shifter that all units share.
    ("shift-tie", "small", "round_shift_pipe", "(up_q || low_q)", "1'b1"),
    ("shift-low", "small", "round_shift_pipe", "(word & lost) != {W{1'b0}}",
     "s < 3 && (word & lost) != {W{1'b0}}"),
    # Output convertor of SDP.
    ("c-saturate", "small", "dla_sdp_c_lane", "wide[16:7] == {10{wide[16]}}",
     "wide[16:8] == {9{wide[16]}}"),
    ("c-offset-high", "small", "dla_sdp_c_lane", "in_s - offset_s",
     "in_s - $signed(offset[23:0])"),
    ("c-shift-32", "small", "dla_sdp_c_lane", ".shift (shift)", "{1'b0, shift[4:0]}"),
    # Input convertor of convolutions.
    ("cvt-tie", "small", "dla_cdma_cvt_lane", "(!sign_q || sticky_q)", "1'b1"),
    ("cvt-low-8", "small", "dla_cdma_cvt_lane", "(shift[4] && (|padded[15:8]))", "1'b0"),
    ("cvt-low-24", "small", "dla_cdma_cvt_lane",
     "(shift[4] && shift[3] && (|padded[23:16]))", "1'b0"),
    ("cvt-shift-32", "small", "dla_cdma_cvt_lane", "to_zero ? 9'd0 : by_1", "by_1"),
    # Pooling: ties of both divisions, the padding of lines.
    ("pdp-tie-width", "small", "dla_pdp_lane", "(!minus_w || (|product_w_q[14:0]))", "1'b1"),
    ("pdp-tie-height", "small", "dla_pdp_lane", "(!minus_h || (|product_h_q[14:0]))", "1'b1"),
    ("pdp-pad", "small", "dla_pdp_lane", "{e_pad[13], e_pad}", "{2'd0, e_pad[12:0]}"),
    # Local response normalisation.
    ("cdp-out-offset", "small", "dla_cdp_out_lane", "{offset[24], offset}",
     "{{6{offset[19]}}, offset[19:0]}"),
    ("cdp-slope-shift", "small", "dla_cdp_lut_lane", "{1'b0, ~shift7_q[4], shift7_q[3:0]}",
     "{1'b0, ~shift7_q[4], 1'b0, shift7_q[2:0]}"),
    ("cdp-fraction", "small", "dla_cdp_lut_lane", "{1'b0, fraction7_q}",
     "{1'b0, fraction7_q[15:4], 4'd0}"),
)]


def places(text, faults, module):
    """Verilog of a module with the faults, (number, fault) each, in it."""
    at = collections.defaultdict(list)
    for number, fault in faults:
        at[fault.right].append((number, fault))
    found = []
    for right, here in at.items():
        if text.count(right) != 1:
            sys.exit(f"{here[0][1].name}: {text.count(right)} times in {module}.v, want 1: {right}")
        # A connection of a port: what is in the brackets.
        inner = re.fullmatch(r"\.\w+ \((.*)\)", right)
        value = inner.group(1) if inner else right
        first = text.index(right) + (right.index("(") + 1 if inner else 0)
        choice = "".join(f"mutation[0] == {n} ? ({fault.other}) : " for n, fault in here)
        found.append((first, first + len(value), f"({choice}({value}))"))
    found.sort()
    out, end = "", 0
    for first, last, choice in found:
        if first < end:
            sys.exit(f"{module}.v: two places overlap at: {text[first:last]}")
        out += text[end:first] + choice
        end = last
    out += text[end:]
    return re.sub(r"(^module " + module + r"\b.*?^\);\n)", lambda m: m.group(1) + DECLARATION, out,
                  count=1, flags=re.M | re.S)


def build(macrame, design, faults, folder):
    """Generates the design, puts its faults in and builds the simulator."""
    subprocess.run([macrame, "generate", *DESIGNS[design].split(), "--out", folder], check=True,
                   stdout=subprocess.DEVNULL)
    for module in sorted({fault.module for _, fault in faults}):
        path = folder / "rtl" / f"{module}.v"
        here = [(n, fault) for n, fault in faults if fault.module == module]
        path.write_text(places(path.read_text(), here, module))
    log = folder / "tb" / "mutate.log"
    with open(log, "w") as out:
        if subprocess.run(["make", "-C", folder / "tb", "-j2"], stdout=out,
                          stderr=subprocess.STDOUT).returncode:
            sys.exit(f"the build failed, see {log}")
    return folder / "tb" / "build" / "sim"


def run(sim, folder, number, options):
    """Programs that passed, programs that failed with a fault."""
    (folder / "mutation.hex").write_text(f"{number:x}\n")
    done = subprocess.run([sim, "--both", *options], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    found = SUMMARY.search(done.stdout)
    if not found:
        sys.exit(f"no result of {sim}:\n{done.stdout[-2000:]}")
    return int(found.group(1)), int(found.group(2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=60, help="programs for each (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="faults whose names have this in them")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/mutate"))
    parser.add_argument("--list", action="store_true", help="only say which faults there are")
    args = parser.parse_args()
    chosen = [(n, f) for n, f in enumerate(FAULTS, 1) if args.only in f.name]
    if args.list:
        for _, fault in chosen:
            print(f"{fault.name:20} {fault.module:20} {fault.right}  ->  {fault.other}")
        return 0
    if not chosen:
        sys.exit(f"--only {args.only}: no such fault")
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    options = ["--random", str(args.random), "--seed", str(args.seed)]
    missed = wrong = 0
    for design in dict.fromkeys(fault.design for _, fault in chosen):
        folder = (args.folder / design).resolve()
        # All faults of a design, so that another choice needs no other build.
        faults = [(n, f) for n, f in enumerate(FAULTS, 1) if f.design == design]
        sim = build(args.macrame.resolve(), design, faults, folder)
        _, failed = run(sim, folder, 0, options)
        print(f"{design + ', no fault':24} {failed:4} of {args.random} programs fail", flush=True)
        wrong += failed
        for number, fault in (pair for pair in chosen if pair[1].design == design):
            _, found = run(sim, folder, number, options)
            missed += found == 0
            print(f"{fault.name:24} {found:4} of {args.random} programs find it"
                  f"{'' if found else '   SURVIVES'}", flush=True)
    print(f"{len(chosen)} faults, {missed} survive")
    return 1 if missed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
