#!/usr/bin/env python3
"""Measures generated accelerators and prints the figures beside the published RTL.

  scripts/dla/bench.py --conformance NVDLA_HW/verif/tests/trace_tests      all presets with a peer
  scripts/dla/bench.py --preset nv_small --no-build --no-area              one preset, cycles only

Cycles per trace at each memory latency, the bound of MACs and memory, MAC utilisation, simulation
speed, Verilate and compile CPU time, generation time, lines of emitted Verilog, area (area.sh,
where there is a peer), and one summary at the end. Peer: the published RTL, same memory model,
same Verilator version and flags (peer_cycles.csv and the constants below). Exit status 1 if a trace
fails.
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

import conformance

HERE = pathlib.Path(__file__).resolve().parent


class Peer:
    """The published RTL of one preset; None where it was not measured. `macs`: per cycle, of the
    type of its traces, `port`: bytes per cycle."""

    def __init__(self, macs, port, speed, verilate, compiled, files, lines, code, area):
        self.port = port
        self.macs = macs
        self.speed = speed  # kcycles per CPU second
        self.verilate = verilate  # CPU s
        self.compiled = compiled  # CPU s of g++
        self.files, self.lines, self.code = files, lines, code
        self.area = area  # area.json has its columns


PEERS = {
    "nv_small": Peer(64, 8, 121.0, 13.1, 69.0, 281, 219184, 162858, True),
    "nv_small_256_full": Peer(256, 8, 80.0, 12.6, 31.0, 299, 272351, None, False),
    "nv_large": Peer(2048, 32, 66.0, 26.1, 117.0, 299, 327738, 248833, False),
    # Speed: in convolutions, which are most of the cycles.
    "nv_full": Peer(1024, 64, 0.8, 235.0, 2091.0, 335, 795031, 666554, False),
}


def bound(row, peer):
    """Cycles that MACs and the busier direction of the memory port take at least."""
    macs = int(row["macs"]) / peer.macs
    return max(macs, int(row["read_bytes"]) / peer.port, int(row["write_bytes"]) / peer.port, 1)


def peer_cycles(preset):
    """Rows of the peer's table, and the latencies that it has."""
    with open(HERE / "peer_cycles.csv") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    rows = {row["trace"]: row for row in table if row["preset"] == preset}
    latencies = [lat for lat in (1, 32, 64, 128) if all(r[f"lat{lat}"] for r in rows.values())]
    return rows, latencies


def mean(values):
    """Geometric."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


SPEED_CYCLES = 1000000  # to measure simulation speed; or
SPEED_SECONDS = 10  # of a CPU, where these take longer


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, good=(0,), **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **kwargs)
    if done.returncode not in good:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def build(macrame, preset, out):
    """Generates, Verilates and compiles; prints the table; returns CPU seconds of the last two."""
    peer = PEERS[preset]
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
    print(f"\n{preset}: build\n{'':28}{'macrame':>10}{'peer':>10}{'ratio':>8}")
    for name, ours, theirs in (
            ("generation, s", round(generate, 2), None),
            ("Verilate, CPU s", round(verilate, 1), peer.verilate),
            ("compile model, CPU s", round(compiled, 1), peer.compiled),
            ("both, CPU s", round(verilate + compiled, 1), peer.verilate + peer.compiled),
            ("Verilog files", len(files), peer.files),
            ("Verilog lines", len(lines), peer.lines),
            ("lines of code", len(code), peer.code)):
        line = f"{name:28}{ours:>10}"
        if theirs is not None:
            line += f"{theirs:>10}{ours / theirs:>8.3f}"
        print(line, flush=True)
    return verilate + compiled


def measure(macrame, preset, traces, latency, out, work):
    """Rows of the simulator; a trace that fails is among them."""
    table = work / f"lat{latency}.csv"
    where = ["--build-dir", out] if out.is_dir() else []
    run([macrame, "simulate", "--preset", preset, *where, "--latency", str(latency),
         "--csv", table, "--trace", *map(str, traces)], good=(0, 1))
    with open(table) as file:
        return list(csv.DictReader(file))


def measure_speed(macrame, preset, traces, rows, out, work):
    """Thousand cycles per CPU second. Short traces are played again and again: the first ones run
    with cold caches."""
    total = sum(int(row["total_cycles"]) for row in rows)
    seconds = sum(float(row["cpu_s"]) for row in rows)
    again = min(-(-SPEED_CYCLES // total), math.ceil(SPEED_SECONDS / seconds))
    if again > 1:
        rows = measure(macrame, preset, traces * again, 32, out, work)
    return (sum(int(row["total_cycles"]) for row in rows) / 1000.0 /
            sum(float(row["cpu_s"]) for row in rows))


class Comparison:
    """Cycles of one preset beside the peer's, per latency."""

    def __init__(self, preset, latencies):
        self.preset = preset
        self.latencies = latencies
        self.ratios = {lat: [] for lat in latencies}
        self.worse = {lat: 0 for lat in latencies}
        self.failed = 0
        self.speed = self.cpu = 0.0

    def mean(self, latency):
        return mean(self.ratios[latency])

    def add(self, name, results, peer):
        line = f"{name:38}"
        for lat in self.latencies:
            row, theirs = results[lat][name], int(peer[f"lat{lat}"])
            if row["result"] != "ok":
                self.failed += 1
                line += f"{row['result'][:16]:>17}{theirs:>9}"
                continue
            ours = int(row["cycles"])
            self.ratios[lat].append(ours / theirs)
            self.worse[lat] += ours > theirs
            line += f"{ours:>10}{theirs:>9}{ours / theirs:>6.2f}{'*' if ours > theirs else ' '}"
        row = results[32][name]
        if row["result"] == "ok":
            least = bound(row, PEERS[self.preset])
            line += f"{least:>10.0f}{int(row['cycles']) / least:>6.2f}"
        if peer["macs"] and row["result"] == "ok":
            macs = int(peer["macs"]) / PEERS[self.preset].macs
            line += f"{100.0 * macs / int(row['cycles']):>6.1f}%"
            line += f"{100.0 * macs / int(peer['lat32']):>6.1f}%"
        print(line)


def compare(macrame, preset, traces_folder, out, work):
    peer, latencies = peer_cycles(preset)
    traces = [traces_folder / name for name in sorted(peer) if (traces_folder / name).is_dir()]
    if not traces:
        sys.exit(f"{traces_folder}: holds none of the {preset} traces of peer_cycles.csv")
    rows = {lat: measure(macrame, preset, traces, lat, out, work) for lat in latencies}
    results = {lat: {row["trace"]: row for row in rows[lat]} for lat in latencies}
    found = Comparison(preset, latencies)
    head = "".join(f"{'lat ' + str(lat):>10}{'peer':>9}{'ratio':>7}" for lat in latencies)
    print(f"\n{preset + ': cycles (* worse)':38}{head}{'bound':>10}{'x':>6}{'util':>7}{'peer':>7}")
    for path in traces:
        found.add(path.name, results, peer[path.name])
    print(f"{'geometric mean':38}" +
          "".join(f"{'':19}{found.mean(lat):>6.3f} " for lat in latencies))
    print(f"{preset}: traces worse than the peer: {sum(found.worse.values())} of "
          f"{len(traces) * len(latencies)}; of the peer's {len(peer)} traces "
          f"{len(peer) - len(traces)} not there")
    found.speed = measure_speed(macrame, preset, traces, rows[32], out, work)
    print(f"{preset}: simulation speed at latency 32: {found.speed:.0f} kcycles per CPU second, "
          f"peer {PEERS[preset].speed:g}, ratio {found.speed / PEERS[preset].speed:.1f}",
          flush=True)
    return found


def summary(comparisons):
    latencies = sorted({lat for c in comparisons for lat in c.latencies})
    print(f"\n{'ours / peer':20}{'failed':>8}{'worse':>7}" +
          "".join(f"{'lat ' + str(lat):>9}" for lat in latencies) +
          f"{'kcycles/s':>11}{'peer':>6}{'build s':>9}{'peer':>7}")
    for c in comparisons:
        peer = PEERS[c.preset]
        means = "".join(f"{c.mean(lat):>9.3f}" if lat in c.latencies else f"{'':9}"
                        for lat in latencies)
        cpu = f"{c.cpu:>9.1f}" if c.cpu else f"{'-':>9}"
        print(f"{c.preset:20}{c.failed:>8}{sum(c.worse.values()):>7}{means}{c.speed:>11.0f}"
              f"{peer.speed:>6g}{cpu}{peer.verilate + peer.compiled:>7.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--preset", action="append", choices=sorted(PEERS),
                        help="only this one; may be given more than once")
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_CONFORMANCE"),
                        type=pathlib.Path, help="folder with one folder per preset, in it one "
                        "folder per trace (default: $MACRAME_CONFORMANCE)")
    parser.add_argument("--no-build", action="store_true", help="skip the build figures")
    parser.add_argument("--no-area", action="store_true", help="skip the area")
    args = parser.parse_args()
    macrame = args.macrame.resolve()
    if not macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    if args.conformance is None:
        sys.exit("no traces: want --conformance FOLDER or MACRAME_CONFORMANCE")
    comparisons = []
    for preset in args.preset or PEERS:
        with tempfile.TemporaryDirectory() as temporary:
            work = pathlib.Path(temporary)
            out = work / "out"
            cpu = 0.0 if args.no_build else build(macrame, preset, out)
            traces = conformance.traces(args.conformance, preset)
            found = compare(macrame, preset, traces, out, work)
            found.cpu = cpu
            comparisons.append(found)
            if PEERS[preset].area and not args.no_area:
                print(f"\n{preset}: area")
                print(run([HERE.parent / "area.sh", "--macrame", macrame, "--preset", preset]),
                      end="", flush=True)
    summary(comparisons)
    return 1 if any(c.failed for c in comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())
