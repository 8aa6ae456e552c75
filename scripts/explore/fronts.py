#!/usr/bin/env python3
"""What explore finds for the networks of MLPerf Tiny, and how long it takes, as tables.

  scripts/explore/fronts.py --macrame build/macrame [MODELS]

MODELS has a folder per network with model.tflite (MACRAME_MODELS). Time is processor time of one
thread, all of the command.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

NETWORKS = {"keyword": "kws_dscnn", "ResNet-8": "ic_resnet8", "person": "vww_mobilenet"}
# FPGA -> limits: 80 % of the LUTs.
FPGAS = {
    "XC7Z010": ["--limit", "lut=14080,dsp=80,bram=60"],
    "XC7Z020": ["--limit", "lut=42560,dsp=220,bram=140"],
    "XC7A35T": ["--limit", "lut=16640,dsp=90,bram=50"],
}
CLOCKS = {"100 MHz": ["--clock", "100"], "own clock": ["--clock", "auto"]}
# FPGA -> ms of a bitstream per network of fpgaConvNet, as published.
PEERS = {"XC7Z010": (2.15, 3.15, None), "XC7Z020": (0.324, 0.411, 9.49)}
def explore(given, names, options, folder):
    """front.json and the seconds that it took."""
    networks = [given.models / NETWORKS[name] / "model.tflite" for name in names]
    command = [given.macrame, "explore", *networks, "--family", given.family, *options,
               "--jobs", "1", "--out", folder]
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return json.loads((pathlib.Path(folder) / "front.json").read_text()), used.ru_utime


def speeds(given, scratch):
    print("| networks | points | s | points per second |")
    print("|---|--:|--:|--:|")
    sets = {**{name: [name] for name in NETWORKS}, "all three": list(NETWORKS)}
    for title, names in sets.items():
        front, seconds = explore(given, names, FPGAS["XC7Z020"], scratch / title.split()[0])
        print(f"| {title} | {front['points']:,} | {seconds:.0f} | "
              f"{front['points'] / seconds:.0f} |")
    print()


def times_text(times):
    return " | ".join("" if ms is None else f"{ms:.3f}" for ms in times)


def at_estimate(point):
    """Times at the clock of the longest path, without room for wires."""
    mhz = 1000 / point["longest_path_ns"]
    host = [n["ms"] - n["cycles"] / (1000 * point["mhz"]) for n in point["networks"]]
    return mhz, [n["cycles"] / (1000 * mhz) + more for n, more in zip(point["networks"], host)]


def fronts(given, scratch):
    """One bitstream for all three: that of the least time."""
    print("| FPGA | clock | configuration | MHz | LUT | of measured units | DSP | block RAM | "
          + " | ".join(f"{name}, ms" for name in NETWORKS) + " |")
    print("|---|---|---|--:|--:|--:|--:|--:|" + "--:|" * len(NETWORKS))
    empty = " |" * 5
    folder = scratch / "all"  # points are the same whatever the limits are
    found = None
    for fpga, limits in FPGAS.items():
        for clock, options in CLOCKS.items():
            found, _ = explore(given, list(NETWORKS), [*limits, *options], folder)
            best = next((p for p in found["front"] if p["name"] == found["chosen"]), None)
            if best is None:
                print(f"| {fpga} | {clock} | none fits |" + " |" * (5 + len(NETWORKS)))
                continue
            print(f"| {fpga} | {clock} | {best['name']} | {best['mhz']} | {best['luts']:,} | "
                  f"{100 * best['measured_luts'] / best['luts']:.0f} % | {best['dsps']} | "
                  f"{best['brams']} | {times_text(n['ms'] for n in best['networks'])} |")
            if clock != "own clock":
                continue
            mhz, times = at_estimate(best)
            print(f"| {fpga} | of the estimate | the same, {best['slowest_unit']} is the slowest "
                  f"unit | {mhz:.0f} |{empty[2:]} {times_text(times)} |")
            bound = [n["multiply_adds"] / n["macs_per_cycle"] / (1000 * mhz)
                     for n in best["networks"]]
            print(f"| {fpga} | of the estimate | the same, MAC array alone | {mhz:.0f} |"
                  f"{empty[2:]} {times_text(bound)} |")
        if fpga in PEERS:
            print(f"| {fpga} | | fpgaConvNet, a bitstream per network |{empty} "
                  f"{times_text(PEERS[fpga])} |")
    print()
    return found


def presets(found):
    print("| preset | LUT | DSP | block RAM | "
          + " | ".join(f"{name}, cycles" for name in NETWORKS) + " | dominated by |")
    print("|---|--:|--:|--:|" + "--:|" * len(NETWORKS) + "---|")
    for one in found["presets"]:
        cycles = " | ".join(f"{n['cycles']:,}" for n in one["networks"])
        print(f"| {one['name']} | {one['luts']:,} | {one['dsps']} | {one['brams']} | {cycles} | "
              f"{one['dominated_by']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("models", nargs="?", type=pathlib.Path,
                        default=os.environ.get("MACRAME_MODELS", "."))
    parser.add_argument("--family", default="dla")
    parser.add_argument("--only", choices=["speed", "fronts"])
    given = parser.parse_args()
    if given.models is None or not given.models.is_dir():
        parser.error(f"{given.models}: want a folder of networks, or MACRAME_MODELS")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        if given.only != "fronts":
            speeds(given, scratch)
        if given.only != "speed":
            presets(fronts(given, scratch))


if __name__ == "__main__":
    main()
