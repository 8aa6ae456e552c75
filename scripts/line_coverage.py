"""What the line and toggle coverage of all families share: builds, runs, counts, tables.

A family's scripts/FAMILY/coverage.py says what is played on which configurations and hands that to
Design and report(). coverage_reasons.txt beside it: lines that nothing can reach; a reason for a
line that is hit is an error.

Lines are those of procedural code, which is what Verilator counts; a line of a module that a unit
has several times is hit if one of them hits it; cells of the library are a unit of their own. A bit
toggles if it changes at least once; instances that Verilator writes separately have their own.
Combinational blocks that Verilator does not count at all are explained without a reason.
"""
import argparse
import collections
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.M)
BINS = re.compile(r"^# (\d+) of (\d+) bins hit$", re.M)
HOLE = re.compile(r"^#   (.*)$", re.M)
# What a line belongs to. Of combinational blocks and functions Verilator counts all or nothing.
PROCESS = re.compile(r"always\b|initial\b|function |endfunction|endgenerate|generate\b")
COMBINATIONAL = re.compile(r"always @\*|function ")
NOT_COUNTED = "Verilator 5.006 does not count this combinational block: see the toggles"
PART = 25  # programs whose counts are on disk at a time


def parser_of(doc, variable):
    """The options that all families have; `variable` of the environment names the conformance
    data."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get(variable), type=pathlib.Path,
                        help=f"default: ${variable}")
    parser.add_argument("--random", type=int, default=200, help="random programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true", help="forget the counts of runs before")
    parser.add_argument("--report", action="store_true", help="only print the counts so far")
    parser.add_argument("--limit", type=float, default=95.0, help="percent of lines (95)")
    parser.add_argument("--missed", action="store_true", help="print the missed lines of all units")
    return parser


def arguments_of(parser):
    args = parser.parse_args()
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    return args


def add(counts, path):
    """Adds a coverage file of Verilator: point text -> count."""
    with open(path, encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("C '"):
                point, _, count = line[3:].rpartition("' ")
                counts[point] += int(count)


class Design:
    """A configuration with Verilator's line and toggle counters, and what ran on it."""

    def __init__(self, macrame, arguments, folder, fresh):
        """Generates and builds it in a folder with the counts of runs before."""
        self.folder = folder
        self.counts = collections.Counter()
        self.passed = self.failed = 0
        subprocess.run([macrame, "generate", *arguments, "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
        log = folder / "tb" / "coverage.log"
        with open(log, "w") as out:
            if subprocess.run(["make", "-C", folder / "tb", "COVERAGE=1", "-j2"], stdout=out,
                              stderr=subprocess.STDOUT).returncode:
                sys.exit(f"the build failed, see {log}")
        merged = folder / "coverage.dat"
        if merged.is_file() and not fresh:
            if (folder / "coverage.of").read_bytes() != (folder / "manifest.json").read_bytes():
                sys.exit(f"{merged} is of another design: want --fresh")
            add(self.counts, merged)

    def run(self, name, arguments):
        """Plays programs: the options of the simulator."""
        scratch = self.folder / "counts"
        scratch.mkdir(parents=True, exist_ok=True)
        sim = self.folder / "tb" / "build-coverage" / "sim"
        done = subprocess.run([sim, "--counts", scratch, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = SUMMARY.search(done.stdout)
        passed, failed = map(int, found.groups()) if found else (0, 1)
        if done.returncode and not failed:
            failed = 1
        self.passed += passed
        self.failed += failed
        for path in scratch.glob("*.dat"):
            add(self.counts, path)
            path.unlink()
        print(f"{name:60} {passed:6} passed {failed:4} failed", flush=True)
        if failed:
            print("\n".join("  | " + line for line in done.stdout.splitlines()[-10:]))

    def random(self, programs, seed, groups):
        """Random programs on design and golden model, a share with each group of options."""
        for group, options in enumerate(groups):
            left = programs // len(groups)
            first = seed + 10000 * group
            while left > 0:
                count = min(left, PART)
                self.run(f"random, {' '.join(map(str, options))}, seeds {first}.."
                         f"{first + count - 1}",
                         ["--both", *options, "--random", str(count), "--seed", str(first)])
                first += count
                left -= count

    def save(self):
        with open(self.folder / "coverage.dat", "w", encoding="latin-1") as out:
            out.write("# SystemC::Coverage-3\n")
            out.writelines(f"C '{point}' {count}\n" for point, count in sorted(self.counts.items()))
        (self.folder / "coverage.of").write_bytes((self.folder / "manifest.json").read_bytes())


def numbers(text):
    """"3-5,9" -> 3, 4, 5, 9"""
    for part in filter(None, text.split(",")):
        low, _, high = part.partition("-")
        yield from range(int(low), int(high or low) + 1)


class Units:
    """Which unit a module file is of: the longest name that it begins with, unless `owners` says
    another for the first word behind the name of the family."""

    def __init__(self, macrame, family, owners):
        text = subprocess.run([macrame, "list", "units", "--family", family], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        self.names = [line.split()[0] for line in text.splitlines() if line]
        self.start = family + "_"
        self.owners = owners

    def of(self, file):
        stem = pathlib.PurePath(file).stem
        if not stem.startswith(self.start):
            return "library"
        stem = stem.removeprefix(self.start)
        word = stem.split("_")[0]
        if word in self.owners:
            return self.owners[word]
        fits = [unit for unit in self.names if f"{stem}_".startswith(f"{unit}_")]
        return max(fits, key=len, default="library")


def sort_points(counts, units):
    """lines: unit -> {(file, line): hit}, toggles: unit -> [hit, total], silent: place -> place of
    the head of its block, which was not counted as a whole"""
    lines = collections.defaultdict(dict)
    toggles = collections.defaultdict(lambda: [0, 0])
    blocks = collections.Counter()
    for point, count in counts.items():
        field = dict(part.split("\2", 1) for part in point.split("\1") if part)
        file = pathlib.PurePath(field["f"]).name
        unit = units.of(file)
        if field["page"].startswith("v_toggle"):
            toggle = toggles[unit]
            toggle[0] += count > 0
            toggle[1] += 1
        else:
            # One block of code, in whatever instance.
            blocks[unit, file, field.get("S", ""), field["l"], field["n"], field["o"]] += count
    silent = {}
    for (unit, file, covered, head, _, kind), count in blocks.items():
        for number in numbers(covered):
            at = (file, number)
            lines[unit][at] = lines[unit].get(at, True) and count > 0
            if kind == "block" and not count:
                silent[at] = (file, int(head))
    return lines, toggles, silent


class Reasons:
    """Rows "configurations | file | text of the line | reason"; configurations: names or *. A text
    that the file has several times may end in " #N": the N-th of them. A row for many lines: the
    file with * in it, a regular expression /.../ as text; it explains those that are not hit."""

    def __init__(self, path, configuration):
        self.rows = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split(" | ")]
            if len(cells) != 4 or not all(cells):
                sys.exit(f"{path}:{number}: want: configurations | file | text of the line | "
                         "reason")
            if cells[0] == "*" or configuration in cells[0].split():
                self.rows.append((f"{path.name}:{number}", *cells[1:]))

    def explain(self, lines, text_of):
        """Returns the explained places and what is wrong with the reasons."""
        explained, wrong = {}, []
        for where, file, text, reason in self.rows:
            in_file = [place for unit in lines.values() for place in sorted(unit.items())
                       if fnmatch.fnmatchcase(place[0][0], file)]
            if text[0] == text[-1] == "/":
                explained.update({at: reason for at, hit in in_file
                                  if not hit and re.fullmatch(text[1:-1], text_of(at))})
                continue
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


def report(design, units, reasons, args):
    """Prints the tables; the sums [lines hit, lines, explained, toggles hit, toggles] and whether
    everything is as it should be."""
    sources = {}

    def text_of(at):
        file, number = at
        if file not in sources:
            sources[file] = (design.folder / "rtl" / file).read_text().splitlines()
        return sources[file][number - 1].strip()

    lines, toggles, silent = sort_points(design.counts, units)
    explained, wrong = reasons.explain(lines, text_of)
    explained.update({at: NOT_COUNTED for at, (file, head) in silent.items()
                      if COMBINATIONAL.match(next(
                          (text for text in (text_of((file, n)) for n in range(head, 0, -1))
                           if PROCESS.match(text)), ""))})
    print_head("unit")
    below = []
    sums = [0, 0, 0, 0, 0]
    for unit in sorted(set(lines) | set(toggles)):
        hit, total = sum(lines[unit].values()), len(lines[unit])
        missed = [at for at in sorted(lines[unit]) if not lines[unit][at]]
        why = sum(at in explained for at in missed)
        row = (hit, total, why, *toggles[unit])
        sums = [a + b for a, b in zip(sums, row)]
        print_row(unit, *row)
        if total and 100 * (hit + why) < args.limit * total:
            below.append(unit)
        if missed and (unit in below or args.missed):
            for at in missed:
                reason = explained.get(at)
                print(f"    {at[0]}:{at[1]}: {text_of(at)}" + (f"   [{reason}]" if reason else ""))
    print_row("all", *sums)
    for text in wrong:
        print(text)
    print(f"{len(below)} units below {args.limit:g} % of lines: {', '.join(below) or 'none'}; "
          f"{len(wrong)} wrong reasons")
    return sums, not below and not wrong


def print_head(name):
    print(f"\n{name:12} {'lines hit':>10} {'total':>6} {'':>7} {'explained':>9}   "
          f"{'toggles hit':>11} {'total':>7}")


def print_row(unit, hit, total, why, bits, all_bits, more=""):
    def percent(part, whole):
        return f"{100 * part / whole:5.1f} %" if whole else ""
    print(f"{unit:12} {hit:10} {total:6} {percent(hit, total):>7} {why or '':>9}   "
          f"{bits:11} {all_bits:7} {percent(bits, all_bits):>7}{more}")


def measure(family, configurations, owners, here, args, play):
    """All that a script with functional coverage does: builds the configurations (name ->
    arguments), has `play(design, name, options)` run programs with these options, and prints the
    tables. `here`: the folder with coverage_reasons.txt. Returns the exit status."""
    units = Units(args.macrame, family, owners)
    all_good = True
    rows = []
    for name in args.only or configurations:
        print(f"\n== {name}: {configurations[name]}")
        folder = pathlib.Path("build/coverage").resolve() / f"{family}_{name}"
        bins = folder / "bins.txt"
        if args.fresh:
            bins.unlink(missing_ok=True)
        design = Design(args.macrame.resolve(), configurations[name].split(), folder, args.fresh)
        if not args.report:
            play(design, name, ["--coverage", bins])
            design.save()
        reasons = Reasons(here / "coverage_reasons.txt", name)
        sums, good = report(design, units, reasons, args)
        table = bins.read_text() if bins.is_file() else "# 0 of 0 bins hit\n"
        hit, total = map(int, BINS.search(table).groups())
        print("\n".join(f"bin not hit: {hole}" for hole in HOLE.findall(table)))
        rows.append((name, sums, f"{hit} of {total} bins", design))
        all_good = all_good and good and not design.failed and hit == total
    print_head("design")
    for name, sums, bins, _ in rows:
        print_row(name, *sums, f"  {bins}")
    print_row("all", *map(sum, zip(*(sums for _, sums, _, _ in rows))))
    designs = [row[3] for row in rows]
    print(f"{sum(d.passed for d in designs)} passed, {sum(d.failed for d in designs)} failed")
    return 0 if all_good else 1
