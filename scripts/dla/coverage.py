#!/usr/bin/env python3
"""Line and toggle coverage of a generated design, per unit.

  scripts/dla/coverage.py --macrame build/macrame --preset nv_small --conformance FOLDER

Builds the design with Verilator's line and toggle counters, plays traces, recorded vectors (FOLDER
as for regress.py) and random programs, prints hit / total per unit and the missed lines of every
unit below the limit. Lines that nothing can reach have their reason in coverage_reasons.txt; a
reason for a line that is hit is an error. Exit status 1: a unit below the limit, a wrong reason or
a failed program.

Lines are those of procedural code, which is what Verilator counts; a line of a module that a unit
has several times is hit if one of them hits it; cells of the library are a unit of their own. A bit
toggles if it changes at least once; instances that Verilator writes separately have their own.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.M)
# Options of the random programs; each gets its share.
RANDOM = [
    ["--latency", "1"],
    ["--latency", "32"],
    ["--latency", "200", "--csb-idle", "3"],
    ["--latency", "20", "--stall", "0.4", "--interleave"],
    ["--latency", "20", "--stall", "0.7", "--interleave", "--bus-clock-div", "3"],
]
PART = 25  # programs whose counts are on disk at a time


def build(macrame, preset, folder):
    """Generates and builds the counting testbench; returns the program."""
    subprocess.run([macrame, "generate", "--preset", preset, "--out", folder], check=True,
                   stdout=subprocess.DEVNULL)
    log = folder / "tb" / "coverage.log"
    with open(log, "w") as out:
        if subprocess.run(["make", "-C", folder / "tb", "COVERAGE=1", "-j2"], stdout=out,
                          stderr=subprocess.STDOUT).returncode:
            sys.exit(f"the build failed, see {log}")
    return folder / "tb" / "build-coverage" / "sim"


def add(counts, path):
    """Adds a coverage file of Verilator: point text -> count."""
    with open(path, encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("C '"):
                point, _, count = line[3:].rpartition("' ")
                counts[point] += int(count)


class Runs:
    def __init__(self, sim, scratch, counts):
        self.sim, self.scratch, self.counts = sim, scratch, counts
        self.passed = self.failed = 0

    def run(self, name, arguments):
        self.scratch.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([self.sim, "--counts", self.scratch, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = SUMMARY.search(done.stdout)
        passed, failed = map(int, found.groups()) if found else (0, 1)
        if done.returncode and not failed:
            failed = 1
        self.passed += passed
        self.failed += failed
        for path in self.scratch.glob("*.dat"):
            add(self.counts, path)
            path.unlink()
        print(f"{name:60} {passed:6} passed {failed:4} failed", flush=True)
        if failed:
            print("\n".join("  | " + line for line in done.stdout.splitlines()[-10:]))

    def traces(self, preset, conformance):
        folders = [conformance / preset, *sorted((conformance / "oracle" / preset).glob("*/"))]
        for folder in filter(pathlib.Path.is_dir, folders):
            files = sorted(p for p in folder.rglob("*") if p.suffix in (".cfg", ".txn"))
            for part in range(0, len(files), PART):
                self.run(f"{folder.relative_to(conformance)} {part + 1}..",
                         [*files[part:part + PART]])

    def random(self, programs, seed):
        for group, options in enumerate(RANDOM):
            left = programs // len(RANDOM)
            first = seed + 10000 * group
            while left > 0:
                count = min(left, PART)
                self.run(f"random, {' '.join(options)}, seeds {first}..{first + count - 1}",
                         ["--both", *options, "--random", str(count), "--seed", str(first)])
                first += count
                left -= count


def numbers(text):
    """"3-5,9" -> 3, 4, 5, 9"""
    for part in filter(None, text.split(",")):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)


def unit_of(file, units):
    """Unit of a module file: the longest name that it begins with; the switches are CVIF's."""
    stem = pathlib.PurePath(file).stem
    if stem.startswith("dla_route_"):
        return "cvif"
    fits = [unit for unit in units if f"{stem}_".startswith(f"dla_{unit}_")]
    return max(fits, key=len, default="library")


def sort_points(counts, units):
    """lines: unit -> {(file, line): hit}, toggles: unit -> [hit, total]"""
    lines = collections.defaultdict(dict)
    toggles = collections.defaultdict(lambda: [0, 0])
    blocks = collections.Counter()
    for point, count in counts.items():
        field = dict(part.split("\2", 1) for part in point.split("\1") if part)
        file = pathlib.PurePath(field["f"]).name
        unit = unit_of(file, units)
        if field["page"].startswith("v_toggle"):
            toggle = toggles[unit]
            toggle[0] += count > 0
            toggle[1] += 1
        else:
            # One block of code, in whatever instance.
            blocks[unit, file, field.get("S", ""), field["l"], field["n"], field["o"]] += count
    for (unit, file, covered, *_), count in blocks.items():
        for number in numbers(covered):
            at = (file, number)
            lines[unit][at] = lines[unit].get(at, True) and count > 0
    return lines, toggles


class Reasons:
    """Rows "presets | file | text of the line | reason"; presets: names or *. A text that the file
    has several times may end in " #N": the N-th of them."""

    def __init__(self, path, preset):
        self.rows = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) != 4 or not all(cells):
                sys.exit(f"{path}:{number}: want: presets | file | text of the line | reason")
            if cells[0] == "*" or preset in cells[0].split():
                self.rows.append((f"{path.name}:{number}", *cells[1:]))

    def explain(self, lines, text_of):
        """Returns the explained places and what is wrong with the reasons."""
        explained, wrong = {}, []
        for where, file, text, reason in self.rows:
            in_file = [place for unit in lines.values() for place in sorted(unit.items())
                       if place[0][0] == file]
            numbered = re.fullmatch(r"(.*) #(\d+)", text)
            text, nth = numbered.groups() if numbered else (text, None)
            places = [(at, hit) for at, hit in in_file if text_of(at) == text]
            if nth:
                places = places[int(nth) - 1:int(nth)]
            if in_file and not places:
                wrong.append(f"{where}: {file} has no line \"{text}\"")
            for at, hit in places:
                if hit:
                    wrong.append(f"{where}: {file}:{at[1]} is hit: {text}")
                explained[at] = reason
        return explained, wrong


def report(counts, folder, units, reasons, limit, show_all):
    """Prints the tables; True if everything is as it should be."""
    sources = {}

    def text_of(at):
        file, number = at
        if file not in sources:
            sources[file] = (folder / "rtl" / file).read_text().splitlines()
        return sources[file][number - 1].strip()

    lines, toggles = sort_points(counts, units)
    explained, wrong = reasons.explain(lines, text_of)
    print(f"\n{'unit':12} {'lines hit':>10} {'total':>6} {'':>7} {'explained':>9}   "
          f"{'toggles hit':>11} {'total':>7}")
    below = []
    sums = [0, 0, 0, 0, 0]
    for unit in sorted(set(lines) | set(toggles)):
        hit, total = sum(lines[unit].values()), len(lines[unit])
        missed = [at for at in sorted(lines[unit]) if not lines[unit][at]]
        why = sum(at in explained for at in missed)
        bits, all_bits = toggles[unit] if unit in toggles else (0, 0)
        row = (hit, total, why, bits, all_bits)
        sums = [a + b for a, b in zip(sums, row)]
        print_row(unit, *row)
        if total and 100 * (hit + why) < limit * total:
            below.append(unit)
        if missed and (unit in below or show_all):
            for at in missed:
                reason = explained.get(at)
                print(f"    {at[0]}:{at[1]}: {text_of(at)}" + (f"   [{reason}]" if reason else ""))
    print_row("all", *sums)
    for text in wrong:
        print(text)
    print(f"{len(below)} units below {limit:g} % of lines: {', '.join(below) or 'none'}; "
          f"{len(wrong)} wrong reasons")
    return not below and not wrong


def print_row(unit, hit, total, why, bits, all_bits):
    def percent(part, whole):
        return f"{100 * part / whole:5.1f} %" if whole else ""
    print(f"{unit:12} {hit:10} {total:6} {percent(hit, total):>7} {why or '':>9}   "
          f"{bits:11} {all_bits:7} {percent(bits, all_bits):>7}")


def save(counts, path):
    with open(path, "w", encoding="latin-1") as out:
        out.write("# SystemC::Coverage-3\n")
        out.writelines(f"C '{point}' {count}\n" for point, count in sorted(counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--preset", default="nv_small")
    parser.add_argument("--conformance", default=os.environ.get("MACRAME_CONFORMANCE"),
                        type=pathlib.Path, help="default: $MACRAME_CONFORMANCE")
    parser.add_argument("--random", type=int, default=200, help="random programs (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path,
                        help="design and counts (build/coverage/PRESET); counts add up over runs")
    parser.add_argument("--fresh", action="store_true", help="forget the counts of runs before")
    parser.add_argument("--report", action="store_true", help="only print the counts so far")
    parser.add_argument("--reasons", type=pathlib.Path, default=HERE / "coverage_reasons.txt")
    parser.add_argument("--limit", type=float, default=95.0, help="percent of lines (95)")
    parser.add_argument("--missed", action="store_true", help="print the missed lines of all units")
    args = parser.parse_args()
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    folder = (args.folder or pathlib.Path("build/coverage") / args.preset).resolve()
    merged = folder / "coverage.dat"
    counts = collections.Counter()
    reasons = Reasons(args.reasons, args.preset)
    sim = build(args.macrame.resolve(), args.preset, folder)
    stamp = (folder / "manifest.json").read_bytes()
    if merged.is_file() and not args.fresh:
        if (folder / "coverage.of").read_bytes() != stamp:
            sys.exit(f"{merged} is of another design: want --fresh")
        add(counts, merged)
    failed = 0
    if not args.report:
        runs = Runs(sim, folder / "counts", counts)
        runs.run("picture", ["--both", "--picture"])
        if args.conformance is None:
            print("traces and recorded vectors: SKIPPED, no --conformance folder")
        else:
            runs.traces(args.preset, args.conformance)
        runs.random(args.random, args.seed)
        print(f"{runs.passed} passed, {runs.failed} failed")
        failed = runs.failed
        save(counts, merged)
        (folder / "coverage.of").write_bytes(stamp)
    units = subprocess.run([args.macrame, "list", "units"], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    units = [line.split()[0] for line in units if line]
    good = report(counts, folder, units, reasons, args.limit, args.missed)
    return 0 if good and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
