#!/usr/bin/env python3
"""Which single faults of the emitted Verilog do random programs find?

  scripts/mutants.py --macrame build/macrame                     all faults
  scripts/mutants.py --macrame build/macrame FAMILY --only acc   of a family, names that have this
  scripts/mutants.py --macrame build/macrame --sample 2          that many of each family's first
                                                                 design, by --seed
  scripts/mutants.py --list                                      names and what is changed

Faults are the rows of scripts/FAMILY/mutants.toml: module, the right expression and another one,
and what goes wrong with it. Between two @ is the expression where its place needs more words to be
found. All faults of a design are in one build: a place becomes
`mutation[0] == N ? other : right`, and the simulator reads N from mutation.hex in the folder where
it starts. Without a fault (0) all programs must pass; with one, a program that fails has found it.
Prints how many of the programs found each fault, and ends with `N passed, N failed`: a fault that
none found has failed, and so has a run without a fault that does not pass. A place that is no
longer in the Verilog, or there several times, is an error: tables go with the templates.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.M)

DECLARATION = """
    // verilator lint_off WIDTH
    reg [31:0] mutation [0:0];
    initial $readmemh("mutation.hex", mutation);
"""

Fault = collections.namedtuple("Fault", "name design module right other why programs",
                               defaults=(0,))


def places(text, faults, module):
    """Verilog of a module with the faults, (number, fault) each, in it."""
    at = collections.defaultdict(list)
    for number, fault in faults:
        at[fault.right].append((number, fault))
    found = []
    for right, here in at.items():
        before, value, _ = right.split("@") if "@" in right else ("", right, "")
        words = right.replace("@", "")
        if text.count(words) != 1:
            sys.exit(f"{here[0][1].name}: {text.count(words)} times in {module}.v, want 1: {words}")
        first = text.index(words) + len(before)
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


def table(family):
    """Programs for each fault, designs by name, faults, of a family."""
    rows = tomllib.loads((HERE / family / "mutants.toml").read_text())
    return rows["programs"], rows["designs"], [Fault(**row) for row in rows["fault"]]


def build(macrame, arguments, faults, folder):
    """Generates the design, puts its faults in and builds the simulator."""
    subprocess.run([macrame, "generate", *arguments.split(), "--out", folder], check=True,
                   stdout=subprocess.DEVNULL)
    for module in sorted({fault.module for _, fault in faults}):
        path = folder / "rtl" / f"{module}.v"
        here = [(n, fault) for n, fault in faults if fault.module == module]
        path.write_text(places(path.read_text(), here, module))
    log = folder / "tb" / "mutants.log"
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
    if not found and "Verilog $stop" in done.stdout:  # a broken rule of a link or a bus
        return 0, 1
    if not found:
        sys.exit(f"no result of {sim}:\n{done.stdout[-2000:]}")
    return int(found.group(1)), int(found.group(2))


def play(macrame, family, args, folder):
    """Found faults and those that were not, of a family."""
    programs, designs, faults = table(family)
    chosen = [(n, f) for n, f in enumerate(faults, 1) if args.only in f.name]
    if args.sample:
        first = [pair for pair in chosen if pair[1].design == next(iter(designs))]
        chosen = random.Random(args.seed).sample(first, min(args.sample, len(first)))

    def counts(sim, here, number, fault=None):
        """Failures, and of how many programs; a fault may say that it needs more."""
        count = args.random or (fault and fault.programs) or programs
        options = ["--random", str(count), "--seed", str(args.seed)]
        return run(sim, here, number, options)[1], count

    good = bad = 0
    for design in dict.fromkeys(fault.design for _, fault in chosen):
        here = (folder / f"{family}-{design}").resolve()
        # All faults of a design, so that another choice needs no other build.
        sim = build(macrame, designs[design], [(n, f) for n, f in enumerate(faults, 1)
                                               if f.design == design], here)
        failed, count = counts(sim, here, 0)
        print(f"{family}, {design}, no fault: {failed} of {count} programs fail", flush=True)
        bad += failed != 0
        for number, fault in (pair for pair in chosen if pair[1].design == design):
            found, count = counts(sim, here, number, fault)
            good += found != 0
            bad += found == 0
            print(f"{fault.name:24} {found:4} of {count} programs find it"
                  f"{'' if found else f'   SURVIVES: {fault.why}'}", flush=True)
    return good, bad


def main():
    families = sorted(path.parent.name for path in HERE.glob("*/mutants.toml"))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", nargs="*", help="%(choices)s; default: all",
                        choices=[*families, []], default=[])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--random", type=int, help="programs for each; default: as the tables say")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="faults whose names have this in them")
    parser.add_argument("--sample", type=int, default=0, help="so many of each family")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/mutants"))
    parser.add_argument("--list", action="store_true", help="only say which faults there are")
    args = parser.parse_args()
    chosen = args.family or families
    if args.list:
        for family in chosen:
            for fault in table(family)[2]:
                if args.only in fault.name:
                    print(f"{family:9} {fault.name:20} {fault.module:20} {fault.right}  ->  "
                          f"{fault.other}: {fault.why}")
        return 0
    if not any(args.only in fault.name for family in chosen for fault in table(family)[2]):
        sys.exit(f"--only {args.only}: no such fault")
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    good = bad = 0
    for family in chosen:
        passed, failed = play(args.macrame.resolve(), family, args, args.folder)
        good += passed
        bad += failed
    print(f"{good} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
