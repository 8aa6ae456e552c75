#!/usr/bin/env python3
"""Line and toggle coverage of a generated design, per unit.

  scripts/dla/coverage.py --macrame build/macrame --preset nv_small --conformance FOLDER
  scripts/dla/coverage.py --macrame build/macrame --preset types --random 500

Presets, or configurations of the table below, which between them have what nv_full has in a size
that Verilator can count in. Builds the design with Verilator's line and toggle counters, plays
traces, recorded vectors (FOLDER as for regress.py) and random programs, prints hit / total per unit
and the missed lines of every unit below the limit. Lines that nothing can reach have their reason
in coverage_reasons.txt; a reason for a line that is hit is an error. Exit status 1: a unit below
the limit, a wrong reason or a failed program. What counts as a line: scripts/line_coverage.py.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import conformance  # noqa: E402
import line_coverage  # noqa: E402

# Options of the random programs; each gets its share.
RANDOM = [
    ["--latency", "1"],
    ["--latency", "32"],
    ["--latency", "200", "--csb-idle", "3"],
    ["--latency", "20", "--stall", "0.4", "--interleave"],
    ["--latency", "20", "--stall", "0.7", "--interleave", "--bus-clock-div", "3"],
]
OWNERS = {"route": "cvif"}  # the switches
# Name: arguments of macrame generate. nv_full itself takes more than 16 GB with counters.
CONFIGURATIONS = {
    "types": "--feature-data-types INT8,INT16,FP16 --mac-atomic-c-size 16 --mac-atomic-k-size 16 "
             "--pdp-throughput 4 --cdp-throughput 4 --sdp-bs-throughput 2 --sdp-bn-throughput 4 "
             "--sdp-ew-enable --sdp-ew-throughput 1 --sdp-lut-enable --batch-enable "
             "--max-batch-size 8 --weight-compression-enable --bdma-enable --rubik-enable "
             "--rubik-contract-enable --rubik-reshape-enable "
             "--secondary-memif-enable --secondary-memif-width 128 "
             "--secondary-memif-latency 64 --secondary-memif-max-burst-length 4",
    "tiles": "--feature-data-types INT16 --mac-atomic-c-size 64 --mac-atomic-k-size 16 "
             "--cbuf-bank-number 4 --cbuf-bank-depth 64 --primary-memif-width 256 "
             "--pdp-throughput 2 --cdp-throughput 2 --winograd-enable",
}


def traces(design, preset, root):
    folders = [conformance.traces(root, preset), *conformance.vectors(root, preset)]
    for folder in filter(pathlib.Path.is_dir, folders):
        files = sorted(p for p in folder.rglob("*") if p.suffix in (".cfg", ".txn"))
        for part in range(0, len(files), line_coverage.PART):
            design.run(f"{folder.relative_to(root)} {part + 1}..",
                       [*files[part:part + line_coverage.PART]])


def main():
    parser = line_coverage.parser_of(__doc__, "MACRAME_CONFORMANCE")
    parser.add_argument("--preset", default="nv_small")
    parser.add_argument("--folder", type=pathlib.Path,
                        help="design and counts (build/coverage/PRESET); counts add up over runs")
    parser.add_argument("--reasons", type=pathlib.Path, default=HERE / "coverage_reasons.txt")
    args = line_coverage.arguments_of(parser)
    folder = (args.folder or pathlib.Path("build/coverage") / args.preset).resolve()
    reasons = line_coverage.Reasons(args.reasons, args.preset)
    arguments = CONFIGURATIONS.get(args.preset, f"--preset {args.preset}").split()
    design = line_coverage.Design(args.macrame.resolve(), arguments, folder, args.fresh)
    if not args.report:
        if args.preset in CONFIGURATIONS:  # without traces, and too small for the picture
            print("random programs only")
        else:
            design.run("picture", ["--both", "--picture"])
            if args.conformance is None:
                print("traces and recorded vectors: SKIPPED, no --conformance folder")
            else:
                traces(design, args.preset, args.conformance)
        design.random(args.random, args.seed, RANDOM)
        print(f"{design.passed} passed, {design.failed} failed")
        design.save()
    units = line_coverage.Units(args.macrame, "dla", OWNERS)
    _, good = line_coverage.report(design, units, reasons, args)
    return 0 if good and not design.failed else 1


if __name__ == "__main__":
    sys.exit(main())
