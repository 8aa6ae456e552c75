#!/usr/bin/env python3
"""Proves properties of units of the tcu family with Yosys and abc: verif/formal/tcu/*_formal.v.

    scripts/tcu/formal.py [--macrame PROGRAM] [--quick] [--only NAME] [--jobs N]

A proof is by induction, in steps, and so for ever: verif/formal/tcu/README.md. What it is about has
to be possible, and mutations of the unit have to be found: a run from reset that breaks what the
proof says last. --quick leaves out most mutations. The last line is "N passed, N failed".
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMAL = ROOT / "verif" / "formal"
ALL, CONCLUSION, SEEN = 0, 100, 101  # steps that claim.v and seen.v know
FRAMES = 4  # of induction; the first cycles are looked at from reset
SECONDS = 900  # for one run of abc

SIZES = ["--family", "tcu", "--data-type", "FP8BP4", "--array-size", "2", "--accumulator-depth",
         "4", "--dram0-depth", "256", "--dram1-depth", "256", "--stride0-depth", "2",
         "--stride1-depth", "2", "--queue-depth", "4", "--order-blocks", "16",
         "--axi-data-width", "32"]

# Name of the proof: its steps, 0 if it is not by induction; cycles for which it is then looked at,
# and within which all has to be seen and mutations have to be found; more sizes. NAME-one is the
# proof NAME with one vector per cycle, for which its top has ONE_VECTOR.
PROOFS = {
    "scoreboard": (7, 40, ["--local-depth", "128"]),
    "rooms": (2, 60, ["--local-depth", "8"]),
    "split": (0, 14, ["--local-depth", "8"]),
    "local": (1, 6, ["--local-depth", "8", "--array-vectors", "2"]),
    "local-one": (1, 6, ["--local-depth", "8"]),
}

# Proof, file, what it says, what it shall say, whether --quick looks at it.
BOARD = ("scoreboard", "tcu_scoreboard.v")
LOCAL = ("local", "tcu_local.v")
LOCAL_ONE = ("local-one", "tcu_local.v")
FEED = ("rooms", "tcu_feed.v")
SPLIT = ("split", "tcu_split.v")
MUTATIONS = [
    # A tag that is dropped, one of the wrong counter, one that is not touched.
    (*BOARD, "need_moved, need_read, need_feed, need_weights, need_dram}",
     "need_moved, {1'b0, c_store_tag_q}, need_feed, need_weights, need_dram}", True),
    (*BOARD, "c_takes ? need_read : need_moved,", "need_moved,", False),
    (*BOARD, "c_load_q ? store2all_acked : load2all_done;",
     "c_load_q ? store2all_read : load2all_done;", False),
    (*BOARD, "piece_kind != SIMD && !piece_zero",
     "piece_kind != SIMD && piece_kind != WEIGHTS && !piece_zero", False),
    # Tables: cleared on use, used before they are cleared, DRAM with a stride not noted.
    (*BOARD, ".wdata(clear ? NONE : feed_number)", ".wdata(NONE)", True),
    (*BOARD, "t_clear  = !clearing || (", "t_clear  = 1'b1 || (", False),
    (*BOARD, "if (go_load && t_bank == 1'd0 && !t_follow_q)", "if (go_load && t_bank == 1'd1)",
     False),
    # Ranges of stores with a stride: their ends, the bank, those before the last one.
    (*BOARD, "t_bank != new_bank_q || t_high_q < new_low_q", "t_bank == new_bank_q", False),
    (*BOARD, "t_low > new_high_q;", "t_low >= new_high_q;", True),
    (*BOARD, "new_apart && (old_rest_q || old_apart)",
     "new_apart && (old_rest_q || !old_apart)", False),
    (*BOARD, "old_rest_q ? 2'd0 : old_banks_q", "2'd0", False),
    (*BOARD, "if (old_rest_q || new_high_q > old_high_q)", "if (old_rest_q)", False),
    (*BOARD, "if (go_wide) new_high_q", "if (go_new) new_high_q", False),
    # The later one of two, a comparison of the wrong width, a FIFO with a place too few.
    (*BOARD, "near && (!wide || c_near_q - c_wide_q < HALF)", "near", False),
    (*BOARD, "last - tag < HALF && done - tag >= HALF", "last - tag < HALF >> 4 && done != tag",
     False),
    (*BOARD, "tcu_room #(.DEPTH(2)) u_load_room", "tcu_room #(.DEPTH(3)) u_load_room", False),
    # A place too many, none for the last vector.
    (*FEED, "localparam MOVES    = 8;", "localparam MOVES    = 9;", True),
    (*FEED, "move_go   = go && !matmul_q;", "move_go   = go && !matmul_q && !last_q;", False),
    # Pieces over blocks of DRAM and of local memory, weights upwards.
    (*SPLIT, "d_end  = !piece_follow || ", "d_end  = 1'b1 || ", True),
    (*SPLIT, "{COUNT_W{1'b1}} : {1'd0, p_room};", "{COUNT_W{1'b1}} : {1'd0, p_last_q};",
     False),
    (*SPLIT, "            d_first_q <= 1'b0;", "", False),
    (*SPLIT, "l_down_q ? l_rest_q : l_index_q", "l_index_q", False),
    # Two in a bank, the wrong bank.
    (*LOCAL, "&& !(weights2local_read && (weights_bank == store_bank))",
     "&& 1'b1", True),
    (*LOCAL, "&& !(load2local_write1 && (load0_bank == load1_bank))", "&& 1'b1", True),
    (*LOCAL, "&& !(load2local_write0 && (load0_bank == acc_bank))", "&& 1'b1", False),
    (*LOCAL, "&& !(load2local_write1 && (load1_bank == acc_bank))", "&& 1'b1", False),
    (*LOCAL, "&& !(store2local_read && (store_bank == weights1_bank))", "&& 1'b1", False),
    (*LOCAL_ONE, "&& !(load2local_write && (load_bank == acc_bank))", "&& 1'b1", False),
    # The later of two writers, the address of one with the word of the other, a write that is
    # granted and lost, one that is not granted.
    (*LOCAL, "wrow = by_load1 ? load2local_addr1[ROW_LO +: ROW_W]",
     "wrow = by_load1 && !by_load0 ? load2local_addr1[ROW_LO +: ROW_W]", False),
    (*LOCAL, "by_load1 ? load2local_data1 : by_load0", "by_load0", True),
    (*LOCAL, "(by_load0 || by_load1 || by_acc)", "(by_load0 || by_acc)", False),
    (*LOCAL, "(by_load0 || by_load1 || by_acc)", "(by_load0 || by_load1 || 1'b1)", False),
    (*LOCAL_ONE, "by_load ? load2local_data :", "by_acc ? acc2local_data :", False),
    (*LOCAL_ONE, "(by_load || by_acc)", "(by_load)", False),
    (*LOCAL, "wire feed_bank    = ^feed2local_addr", "wire feed_bank    = feed2local_addr[2]",
     False),
]


def run(command, log):
    """Output of a command, which is also kept; None if it failed."""
    try:
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        log.append(f"no answer within {SECONDS} s: {command[0]}")
        return None
    log.append(result.stdout)
    return result.stdout if result.returncode == 0 else None


def connections(top):
    """Yosys commands: wires of the top with //= path are these of the unit, with //= .path of
    another one."""
    text = (FORMAL / "tcu" / f"{top}.v").read_text()
    pairs = re.findall(r"(dut_\w+); *//= (\S+)", text)
    places = [(wire, path[1:] if path[0] == "." else f"u_dut.{path}") for wire, path in pairs]
    return " ".join(f"connect -set {wire} {path};" for wire, path in places)


def circuit(name, step, rtl, out, log):
    """Writes the circuit of one step for abc; false if Yosys did not like it."""
    shared = " ".join(str(FORMAL / f) for f in ("held.v", "reset_once.v"))
    cells = "$_DFF_P_"
    top = name.replace("-one", "") + "_formal"
    define = "-D ONE_VECTOR" if name.endswith("-one") else ""
    script = f"""
        read_verilog -formal {shared} {FORMAL}/tcu/claim.v {FORMAL}/tcu/seen.v
        read_verilog -formal {define} {FORMAL}/tcu/{top}.v
        read_verilog {rtl}/*.v
        chparam -set STEP {step} {top}; hierarchy -top {top}
        setattr -set keep 1 w:dut_*
        proc; setattr -unset keep c:*; flatten; memory -nomap -nordff; memory_map
        {connections(top)}
        setattr -unset keep w:dut_* w:*.claimed
        prep -top {top}; opt -fast; async2sync; opt -fast; dffunmap; opt_clean
        setundef -undriven -anyseq; techmap; opt -fast; dfflegalize -cell {cells} 01
        abc -g AND -fast; opt_clean; write_aiger -zinit {out}"""
    text = run(["yosys", "-p", script], log)
    if text is None:
        return False
    bad = re.findall(r"Resizing cell port .*", text)
    log.extend(bad)
    return not bad


def abc(circuit_file, command, log):
    """What abc says: 'holds', 'fails' or 'unknown'."""
    text = run(["yosys-abc", "-c", f"read_aiger {circuit_file}; fold; orpos; {command}"], log) or ""
    if "Networks are equivalent" in text:
        return "holds"
    if "was asserted" in text:
        return "fails"
    return "no failure" if "No output" in text else "unknown"


def induction(name, step, rtl, scratch, log):
    file = scratch / f"{name}{step}.aig"
    if not circuit(name, step, rtl, file, log):
        return False
    return abc(file, f"ind -F {FRAMES} -C 1000000000", log) == "holds"


def start(name, rtl, scratch, log):
    """All claims in the first cycles from reset."""
    file = scratch / f"{name}_start.aig"
    if not circuit(name, ALL, rtl, file, log):
        return False
    steps, cycles, _ = PROOFS[name]
    return abc(file, f"bmc3 -F {FRAMES + 2 if steps else cycles}", log) == "no failure"


def reached(name, rtl, scratch, log):
    file = scratch / f"{name}_seen.aig"
    if not circuit(name, SEEN, rtl, file, log):
        return False
    return abc(file, f"bmc3 -F {PROOFS[name][1]}", log) == "fails"


def mutation(index, rtl, scratch, log):
    name, file, old, new, _ = MUTATIONS[index]
    folder = scratch / f"mutation{index}"
    shutil.copytree(rtl, folder)
    text = (folder / file).read_text()
    if text.count(old) != 1:
        log.append(f"{file}: '{old}' is there {text.count(old)} times, want once")
        return False
    (folder / file).write_text(text.replace(old, new))
    out = folder / "circuit.aig"
    if not circuit(name, CONCLUSION, folder, out, log):
        return False
    return abc(out, f"bmc3 -F {PROOFS[name][1]}", log) == "fails"


def tasks(args):
    """All that is to be done: text, name of the proof, a function of (rtl, scratch, log)."""
    for name, (steps, cycles, _) in PROOFS.items():
        if args.only not in (None, name):
            continue
        for step in range(1, steps + 1):
            yield (f"{name}, step {step} of {steps}: holds for ever", name,
                   lambda *a, n=name, s=step: induction(n, s, *a))
        count = FRAMES + 2 if steps else cycles
        yield f"{name}: holds for {count} cycles from reset", name, lambda *a, n=name: start(n, *a)
        yield f"{name}: what it is about happens", name, lambda *a, n=name: reached(n, *a)
    for index, (name, file, _, new, quick) in enumerate(MUTATIONS):
        if args.only in (None, name) and (quick or not args.quick):
            yield (f"{name}, mutation of {file} is found: {' '.join(new.split())}", name,
                   lambda *a, i=index: mutation(i, *a))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", help="the program")
    parser.add_argument("--quick", action="store_true", help="few mutations")
    parser.add_argument("--only", choices=list(PROOFS), help="one proof")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", os.cpu_count())))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        log = []
        for name, (_, _, sizes) in PROOFS.items():
            command = [args.macrame, "generate", *SIZES, *sizes, "--out", str(scratch / name)]
            if run(command, log) is None:
                print("".join(log) + "0 passed, 1 failed")
                return 1

        def work(task):
            text, name, function = task
            log = []
            return text, function(scratch / name / "rtl", scratch, log), log

        passed = failed = 0
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for text, good, log in pool.map(work, tasks(args)):
                print(text if good else f"FAILED {text}", flush=True)
                passed, failed = passed + good, failed + (not good)
                if not good:
                    print("\n".join("\n".join(log).splitlines()[-25:]), flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
