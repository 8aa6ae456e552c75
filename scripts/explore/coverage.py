#!/usr/bin/env python3
"""What the reduced space of explore leaves out: its front beside random configurations of the grid.

  scripts/explore/coverage.py --macrame build/macrame [--random 1000] [NETWORK...]

NETWORK is a file, or a folder with model.tflite. Each network is explored on its own. A row has the
least time of the space and of the random configurations that fit an FPGA, and how much slower the
space is than the random ones at as many LUTs (1 % more at most): the worst of them that no other
random one beats in time and LUTs. Ends with 1 if a least time is more than --most percent
over that of the random ones. Times are at one clock. Results stay in --keep FOLDER, and are used
again from there.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

# FPGA -> LUTs, of which 80 % count, DSP blocks, block RAMs.
FPGAS = {"XC7Z010": (14080, 80, 60), "XC7Z020": (42560, 220, 140), "any": (10**9, 10**9, 10**9)}
# Of MACRAME_MODELS, if no network is named.
NETWORKS = ("kws_dscnn", "ic_resnet8", "mnist_valid_q", "mnist_resnet_q",
            "zoo/mltk__image_example1", "vww_mobilenet")
SAME = 1.01  # as many LUTs
SIZES = ("luts", "dsps", "brams")


def points_of(given, network, folder):
    """Points without refusals as (kind, ms, sizes)."""
    file = network / "model.tflite" if network.is_dir() else network
    command = [given.macrame, "explore", file, "--family", given.family, "--random", given.random,
               "--out", folder]
    done = subprocess.run([str(c) for c in command], stdout=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    with open(folder / "points.csv", newline="") as lines:
        return [(row["kind"], float(row["ms"]), tuple(int(row[k]) for k in SIZES))
                for row in csv.DictReader(lines) if not row["unfit"]]


def fits(sizes, limits):
    return all(size <= limit for size, limit in zip(sizes, limits))


def front(points):
    """Those that no other beats in time and LUTs."""
    out = []
    for ms, sizes in sorted(points, key=lambda point: (point[1][0], point[0])):
        if not out or ms < out[-1][0]:
            out.append((ms, sizes))
    return out


def over(space, randoms):
    """How much more time in percent the space takes than the worst of the front of random points,
    at as many LUTs; None: the space has nothing as small."""
    worst = 0.0
    for ms, sizes in front(randoms):
        times = [other for other, size in space if size[0] <= SAME * sizes[0]]
        if not times:
            return None
        worst = max(worst, 100 * (min(times) / ms - 1))
    return worst


def row_of(points, limits):
    """(least time of the space, of the random ones, over() of them); None: no point fits."""
    chosen = {kind: [(ms, sizes) for one, ms, sizes in points if one == kind and
                     fits(sizes, limits)] for kind in ("space", "random")}
    if not chosen["space"] or not chosen["random"]:
        return None
    least = [min(chosen[kind])[0] for kind in ("space", "random")]
    return (*least, over(chosen["space"], chosen["random"]))


def self_test():
    """The worse space is seen; an assertion that fails is a mistake of this script."""
    one, two = (100, 1, 1), (200, 1, 1)
    points = [("space", 4.0, one), ("space", 2.0, two), ("random", 3.0, one), ("random", 2.5, two)]
    assert row_of(points, (1000, 1, 1))[:2] == (2.0, 2.5)
    assert round(row_of(points, (1000, 1, 1))[2]) == 33
    assert row_of(points, (150, 1, 1))[:2] == (4.0, 3.0)
    assert row_of(points, (99, 1, 1)) is None
    assert over([(1.0, two)], [(1.0, one)]) is None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--family", default="dla")
    parser.add_argument("--random", type=int, default=1000)
    parser.add_argument("--most", type=float, default=1.0, metavar="PERCENT")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("networks", nargs="*", type=pathlib.Path)
    given = parser.parse_args()
    if not given.networks:
        models = os.environ.get("MACRAME_MODELS")
        if models is None:
            parser.error("no network: want files or folders, or MACRAME_MODELS")
        given.networks = [pathlib.Path(models) / name for name in NETWORKS]
    self_test()
    good = True
    print("| network | FPGA | least time of the space, ms | of the random ones, ms | space |"
          " at as many LUTs, worst |\n|---|---|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for number, network in enumerate(given.networks):
            name = network.name if network.is_dir() or network.stem != "model" \
                else network.parent.name
            folder = (given.keep or pathlib.Path(scratch)) / f"{number}_{name}"
            points = points_of(given, network, folder)
            for fpga, limits in FPGAS.items():
                row = row_of(points, limits)
                if row is None:
                    continue
                space, random, worst = row
                percent = 100 * (space / random - 1)
                good &= percent <= given.most
                text = "nothing as small" if worst is None else f"{worst:+.1f} %"
                print(f"| {name} | {fpga} | {space:.3f} | {random:.3f} | {percent:+.1f} % | "
                      f"{text} |", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
