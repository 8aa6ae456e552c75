#!/usr/bin/env python3
"""What a user waits for: microseconds per published trace, cycles / routed clock.

  scripts/dla/time_table.py --project build/boards/ulx3s-85f --conformance TRACES
  scripts/dla/time_table.py --clock nv_small_256=150 ...     a clock that was measured elsewhere

TRACES: NVDLA_HW/verif/tests/trace_tests. --project: a project of a preset for an ECP5 board that
`make` or `make seeds` has routed; its clock is that of the slowest placement that is there. Beside
the time stands the published RTL: with 97,292 LUTs it does not fit this FPGA, so the table tells
the clock that it would need to be as fast. Below: time x LUTs at the same clock (nv_small,
area.sh) and, where timing.sh --flow cells has left its tables of the preset as it is now (--cells
DIR), time in standard cells, both designs in the same flow. Exit status 1 if a trace fails.
"""
import argparse
import csv
import json
import os
import pathlib
import sys
import tempfile

import bench
import fit

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "timing"))
from design import Design, overridden

LATENCY = 32  # cycles, of the memory in the table


def routed(project, macrame):
    """(preset, MHz, where that is from) of a routed project."""
    try:
        manifest = json.loads((project / "manifest.json").read_text())
    except OSError as error:
        sys.exit(f"{project}: {error.strerror}: manifest.json; want a folder of macrame fpga")
    preset, changed = manifest["configuration"], overridden(macrame, manifest)
    if changed:
        sys.exit(f"{project}: {preset} with {', '.join(f'{k} = {v}' for k, v in changed.items())}: "
                 "want the preset as it is")
    clocks = {}
    for report in sorted(project.glob("build/seed*/timing.json")):
        fmax = json.loads(report.read_text())["fmax"]
        clocks[report.parent.name] = min(clock["achieved"] for clock in fmax.values())
    if not clocks:
        sys.exit(f"{project}: no build/seed*/timing.json; make -C {project} first")
    if preset not in bench.PEERS:
        sys.exit(f"{project}: {preset} has no published traces; want one of "
                 f"{', '.join(bench.PEERS)}")
    return preset, min(clocks.values()), ", ".join(f"{s} {mhz:.1f}" for s, mhz in clocks.items())


def given_clock(text):
    preset, _, mhz = text.partition("=")
    if preset not in bench.PEERS or not mhz.replace(".", "", 1).isdigit():
        raise argparse.ArgumentTypeError(f"{text}: want PRESET=MHZ, one of "
                                         f"{', '.join(bench.PEERS)}")
    return preset, float(mhz), "as given"


class Times:
    """Cycles of the traces of a preset, by latency, ours and the published ones."""

    def __init__(self, macrame, preset, conformance):
        peer, self.latencies = bench.peer_cycles(preset)
        folder = conformance / preset
        self.names = [name for name in sorted(peer) if (folder / name).is_dir()]
        if not self.names:
            sys.exit(f"{folder}: holds none of the {preset} traces of peer_cycles.csv")
        self.peer = {lat: {n: int(peer[n][f"lat{lat}"]) for n in self.names}
                     for lat in self.latencies}
        self.ours = {}
        with tempfile.TemporaryDirectory() as work:
            for lat in self.latencies:
                rows = bench.measure(macrame, preset, [folder / n for n in self.names], lat,
                                     pathlib.Path(work) / "out", pathlib.Path(work))
                failed = [row["trace"] for row in rows if row["result"] != "ok"]
                if failed:
                    sys.exit(f"{preset}, latency {lat}: failed: {', '.join(failed)}")
                self.ours[lat] = {row["trace"]: int(row["cycles"]) for row in rows}

    def ratio(self, latency):
        return bench.mean([self.ours[latency][n] / self.peer[latency][n] for n in self.names])


def longest(macrame, preset, folder):
    """Longest path of the whole core in the tables of timing.sh --flow cells; None without."""
    path = folder / "cells_core.json"
    if not path.exists():
        return None
    report = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as out:
        bench.run([macrame, "generate", "--preset", preset, "--out", out])
        design = Design(out)
        if report.get("stamp") != design.stamp(design.core):
            print(f"{path}: the core is another one now: left out; timing.sh makes it again",
                  file=sys.stderr)
            return None
    return report["families"]["register to register"][0]["ns"]


def peer_longest(preset):
    with open(HERE / "peer_timing.csv") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return max((float(r["ns"]) for r in rows if r["configuration"] == preset), default=None)


def luts(macrame, preset):
    """LUTs, LUT RAM not counted, and those of the published RTL; None without a peer."""
    if not bench.PEERS[preset].area:
        return None
    columns, numbers = fit.area_sum(macrame, preset, "xc7")
    return numbers[columns.index("LUT")], numbers[len(columns)]


def table(preset, mhz, source, times):
    print(f"\n{preset}, {mhz:.1f} MHz ({source}), memory latency {LATENCY}\n")
    print(f"{'trace':38}{'cycles':>10}{'us':>12}{'original':>10}{'needs MHz':>11}")
    needs = []
    for name in times.names:
        ours, theirs = times.ours[LATENCY][name], times.peer[LATENCY][name]
        needs.append(theirs / (ours / mhz))
        print(f"{name:38}{ours:>10}{ours / mhz:>12.1f}{theirs:>10}{needs[-1]:>11.1f}")
    total = sum(times.ours[LATENCY].values())
    print(f"{'sum; geometric mean':38}{total:>10}{total / mhz:>12.1f}"
          f"{sum(times.peer[LATENCY].values()):>10}{bench.mean(needs):>11.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--macrame", default="build/macrame", type=pathlib.Path)
    add("--conformance", default=os.environ.get("MACRAME_CONFORMANCE"), type=pathlib.Path,
        help="folder with one folder per preset (default: $MACRAME_CONFORMANCE)")
    add("--project", action="append", default=[], type=pathlib.Path, metavar="DIR")
    add("--clock", action="append", default=[], type=given_clock, metavar="PRESET=MHZ")
    add("--cells", type=pathlib.Path, metavar="DIR",
        help="parent of the tables of timing.sh (default: timing beside macrame)")
    add("--no-area", action="store_true", help="skip time x LUTs")
    args = parser.parse_args()
    macrame = args.macrame.resolve()
    if not macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    if args.conformance is None:
        sys.exit("no traces: want --conformance FOLDER or MACRAME_CONFORMANCE")
    clocks = [routed(project, macrame) for project in args.project] + args.clock
    if not clocks:
        sys.exit("no clock: want --project DIR or --clock PRESET=MHZ")
    for preset, mhz, source in clocks:
        times = Times(macrame, preset, args.conformance)
        table(preset, mhz, source, times)
        print(f"\n{preset}: ours / original, geometric mean of {len(times.names)} traces\n")
        print(f"{'memory latency':38}" + "".join(f"{lat:>9}" for lat in times.latencies))
        rows = [("cycles: time at the same clock", 1.0)]
        area = None if args.no_area else luts(macrame, preset)
        if area:
            rows.append((f"time x LUTs ({area[0]:,} / {area[1]:,})", area[0] / area[1]))
        ours = longest(macrame, preset, (args.cells or macrame.parent / "timing") / preset)
        theirs = peer_longest(preset)
        if ours and theirs:
            rows.append((f"time, standard cells ({ours:.2f} / {theirs:.2f} ns)", ours / theirs))
        for what, factor in rows:
            print(f"{what:38}" + "".join(f"{times.ratio(lat) * factor:>9.3f}"
                                         for lat in times.latencies), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
