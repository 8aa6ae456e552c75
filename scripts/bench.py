#!/usr/bin/env python3
"""Measures a generated accelerator and prints the figures beside the published nv_small RTL.

  scripts/bench.py --macrame build/macrame --traces NVDLA_HW/.../nv_small [--preset nv_small]

Prints cycles per trace at memory latency 1, 32 and 64, simulation speed, Verilate and compile CPU
time, generation time and lines of emitted Verilog. Peer: the published RTL, same memory model, same
Verilator version and flags (scripts/peer_nv_small.csv and the constants below).
"""
import argparse
import csv
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

LATENCIES = (1, 32, 64)
PEER_KCYCLES_PER_CPU_S = 122.0
PEER_VERILATE_CPU_S = 13.1
PEER_COMPILE_CPU_S = 69.0
PEER_LINES = 219184
PEER_CODE_LINES = 162858


def peer_cycles():
    path = pathlib.Path(__file__).with_name("peer_nv_small.csv")
    with open(path) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["trace"]: row for row in rows}


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **kwargs)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def build(macrame, preset, out):
    start = time.perf_counter()
    run([macrame, "generate", "--preset", preset, "--out", out])
    generate = time.perf_counter() - start
    files = sorted(out.glob("rtl/*.v"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    code = [line for line in lines if line.strip() and not line.strip().startswith("//")]
    environment = dict(os.environ, CCACHE_DISABLE="1")
    start = children_cpu()
    run(["make", "-C", out / "tb", "verilate"], env=environment)
    verilate = children_cpu() - start
    start = children_cpu()
    run(["make", "-C", out / "tb", "rtl"], env=environment)
    compiled = children_cpu() - start
    run(["make", "-C", out / "tb"], env=environment)
    print(f"\nBuild of {preset}")
    print(f"{'':28}{'macrame':>10}{'peer':>10}{'ratio':>8}")
    row = lambda name, ours, peer: print(f"{name:28}{ours:>10}{peer:>10}{ours / peer:>8.3f}")
    print(f"{'generation, s':28}{generate:>10.2f}")
    row("Verilate, CPU s", round(verilate, 1), PEER_VERILATE_CPU_S)
    row("compile model, CPU s", round(compiled, 1), PEER_COMPILE_CPU_S)
    row("both, CPU s", round(verilate + compiled, 1), PEER_VERILATE_CPU_S + PEER_COMPILE_CPU_S)
    row("Verilog files", len(files), 281)
    row("Verilog lines", len(lines), PEER_LINES)
    row("lines of code", len(code), PEER_CODE_LINES)


def measure(macrame, preset, traces, latency, work):
    table = work / f"lat{latency}.csv"
    names = [str(t) for t in traces]
    run([macrame, "simulate", "--preset", preset, "--latency", str(latency), "--csv", table,
         "--trace", *names])
    with open(table) as file:
        return {row["trace"]: row for row in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--preset", default="nv_small")
    parser.add_argument("--traces", required=True, type=pathlib.Path,
                        help="folder with one folder per trace")
    parser.add_argument("--no-build", action="store_true", help="skip the build figures")
    args = parser.parse_args()
    macrame = args.macrame.resolve()
    peer = peer_cycles()
    runnable = [args.traces / name for name in sorted(peer) if name.startswith(("dc_", "sdp_"))
                and not name.startswith("sdp_pdp") and (args.traces / name).is_dir()]
    if not runnable:
        sys.exit(f"{args.traces}: holds none of the traces of scripts/peer_nv_small.csv")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if not args.no_build:
            build(macrame, args.preset, work / "out")
        results = {lat: measure(macrame, args.preset, runnable, lat, work) for lat in LATENCIES}
    head = "".join(f"{'lat ' + str(lat):>10}{'peer':>9}{'ratio':>7}" for lat in LATENCIES)
    print(f"\n{'cycles per trace':38}{head}{'util':>7}{'peer':>7}")
    logs = {lat: [] for lat in LATENCIES}
    worse = 0
    for path in runnable:
        name = path.name
        line = f"{name:38}"
        for lat in LATENCIES:
            ours, theirs = int(results[lat][name]["cycles"]), int(peer[name][f"lat{lat}"])
            logs[lat].append(math.log(ours / theirs))
            worse += ours > theirs
            line += f"{ours:>10}{theirs:>9}{ours / theirs:>7.3f}"
        if peer[name]["macs"]:
            macs = int(peer[name]["macs"])
            util = lambda cycles: 100.0 * macs / (64 * cycles)
            line += f"{util(int(results[32][name]['cycles'])):>6.1f}%"
            line += f"{util(int(peer[name]['lat32'])):>6.1f}%"
        print(line)
    line = f"{'geometric mean':38}"
    for lat in LATENCIES:
        line += f"{'':19}{math.exp(sum(logs[lat]) / len(logs[lat])):>7.3f}"
    print(line)
    print(f"traces worse than the peer: {worse} of {len(runnable) * len(LATENCIES)}")
    cycles = sum(int(row["total_cycles"]) for row in results[32].values())
    seconds = sum(float(row["cpu_s"]) for row in results[32].values())
    speed = cycles / seconds / 1000.0
    print(f"\nsimulation speed at latency 32: {speed:.0f} kcycles per CPU second, "
          f"peer {PEER_KCYCLES_PER_CPU_S:.0f}, ratio {speed / PEER_KCYCLES_PER_CPU_S:.1f}")


if __name__ == "__main__":
    main()
