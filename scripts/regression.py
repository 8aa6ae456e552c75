#!/usr/bin/env python3
"""What the regressions of all families share: runs of `macrame simulate`, counted in a table.

A family's scripts/FAMILY/regress.py makes rows - a configuration each, with jobs - and hands them
to run_rows(). Alone it makes one table of logs of a family, for which --only has split it:

  scripts/regression.py LOG...

Ends with 1 if something failed, or a log has no table or a row that another log has.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.M)
LAST_COLUMNS = ("failed", "skipped", "kcycles", "seconds")


def configurations(sweep, mark=""):
    """The lines of a family's sweep.txt; those that begin with `mark`."""
    lines = [line for line in sweep.read_text().splitlines() if line and not line.startswith("#")]
    return [line[2:] if line.startswith("* ") else line
            for line in lines if line.startswith(mark)]


class Row:
    """One configuration and what ran on it; `columns` count what passed, in kinds of programs."""

    def __init__(self, name, arguments, columns):
        self.name = name
        self.arguments = arguments
        self.columns = columns
        self.jobs = []  # (column, what, options)
        self.counts = dict.fromkeys((*columns, *LAST_COLUMNS), 0)

    def add(self, column, what, options):
        self.jobs.append((column, what, options))

    def add_random(self, count, seed, memories, column="random", options=()):
        """Random programs on design and golden model, spread over the kinds of memory; seeds stay
        below seed + 50000."""
        for part, (memory, flags) in enumerate(memories):
            share = count // len(memories) + (part < count % len(memories))
            first = seed + 10000 * part
            if share:
                self.add(column, f"{column} seeds {first}..{first + share - 1} on {self.name}, "
                         f"{memory}", ["--both", "--random", str(share), "--seed", str(first),
                                       *flags, *options])

    def passed(self):
        return sum(self.counts[column] for column in self.columns)

    def text(self):
        kcycles = self.counts["kcycles"] / 1000.0
        numbers = "".join(f"{self.counts[c]:>9}" for c in (*self.columns, "failed", "skipped"))
        return f"{numbers}{kcycles:>12.0f}{self.counts['seconds']:>9.0f}  {self.name}"

    @staticmethod
    def read(columns, line):
        """What text() has made."""
        words = line.split(maxsplit=len(columns) + len(LAST_COLUMNS))
        row = Row(words.pop(), [], columns)
        row.counts = dict(zip((*columns, *LAST_COLUMNS), map(int, words)))
        row.counts["kcycles"] *= 1000
        return row


class Regression:
    def __init__(self, macrame):
        self.macrame = macrame
        self.lock = threading.Lock()

    def run(self, row):
        """All jobs of a configuration, one after the other; the first one builds its design."""
        for column, what, options in row.jobs:
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                table = pathlib.Path(folder) / "table.csv"
                command = [self.macrame, "simulate", *row.arguments, *options, "--csv", table]
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True)
                rows = list(csv.DictReader(open(table))) if table.is_file() else []
            found = SUMMARY.search(done.stdout)
            passed, failed, skipped = (int(n or 0) for n in found.groups()) if found else (0, 1, 0)
            if done.returncode != 0 and failed == 0:
                failed = 1
            counts = row.counts
            counts[column] += passed
            counts["failed"] += failed
            counts["skipped"] += skipped
            counts["seconds"] += time.monotonic() - start
            if "--model" not in options:
                counts["kcycles"] += sum(int(r["total_cycles"]) for r in rows)
            with self.lock:
                print(f"{passed:6} passed {failed:4} failed {skipped:4} skipped  {what}",
                      flush=True)
                if failed:
                    print(self.report(command, done.stdout, found), flush=True)

    @staticmethod
    def report(command, output, found):
        bad = [line for line in output.splitlines()
               if "FAIL" in line or line.startswith("    ") or "error" in line or not found]
        again = " ".join(str(word) for word in command[:-2])
        return "\n".join(["  | " + again] + ["  | " + line for line in bad[:40]])


def run_rows(macrame, rows, jobs, notes):
    """Runs all rows, prints the table and the notes below it. Passed and failed."""
    todo = Regression(macrame.resolve())
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(todo.run, rows))
    total = print_table(rows)
    for line in notes:
        print(line)
    return total.passed(), total.counts["failed"]


def head(columns):
    return "".join(f"{c:>{12 if c == 'kcycles' else 9}}" for c in (*columns, *LAST_COLUMNS))


def print_table(rows):
    """The sum of the rows."""
    columns = rows[0].columns
    total = Row(f"{len(rows)} configurations", [], columns)
    names = (*columns, *LAST_COLUMNS)
    print("\n" + head(columns))
    for row in rows:
        print(row.text())
        for name in names:
            total.counts[name] += row.counts[name]
    print(total.text())
    return total


def chosen(rows, args):
    """Those of --only: the row of that name, else rows whose names contain it. With --list their
    names are printed, and that is all."""
    exact = [row for row in rows if row.name == args.only]
    rows = exact or [row for row in rows if args.only in row.name]
    if not rows:
        sys.exit(f"--only {args.only}: no such row")
    if args.list:
        print("\n".join(row.name for row in rows))
        sys.exit(0)
    return rows


def arguments(doc, variable, random, random_help="random programs for each configuration",
              only_help="the row of this name, else rows whose name contains it"):
    """The options that all families have; `variable` of the environment names the conformance
    data."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--conformance", default=os.environ.get(variable), type=pathlib.Path,
                        help=f"default: ${variable}")
    parser.add_argument("--quick", action="store_true", help="a few minutes")
    parser.add_argument("--random", type=int, default=random, help=random_help)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help=only_help)
    parser.add_argument("--list", action="store_true", help="print the names of the rows only")
    parser.add_argument("--jobs", type=int, default=1, help="configurations at a time")
    args = parser.parse_args()
    if not args.macrame.is_file():
        sys.exit(f"{args.macrame}: not there; build it first (see README.md)")
    return args


def skipped_without(args, variable, folder, what):
    """Notes for the table: `what` is skipped if the conformance data, known by that folder in
    them, are not there; args.conformance is None then."""
    if args.conformance is not None and (args.conformance / folder).is_dir():
        return []
    why = (f"{args.conformance}/{folder} is not a folder" if args.conformance else
           f"no --conformance folder and {variable} is not set")
    args.conformance = None
    return [f"{what}: SKIPPED, {why}"]


def status(passed, failed):
    """Prints the last line; the exit status."""
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def rows_of(log):
    """Rows of the table at the end of a log."""
    lines = log.read_text().splitlines()
    heads = [n for n, line in enumerate(lines) if line.split()[-2:] == list(LAST_COLUMNS[-2:])]
    if not heads:
        sys.exit(f"{log}: no table: want the output of a regression that has ended")
    columns = tuple(lines[heads[-1]].split()[:-len(LAST_COLUMNS)])
    rows = []
    for line in lines[heads[-1] + 1:]:
        row = Row.read(columns, line)
        if row.name == f"{len(rows)} configurations":
            return rows
        rows.append(row)
    sys.exit(f"{log}: a table without its last line")


def main(logs):
    """One table of several logs."""
    rows = {}
    for log in logs:
        for row in rows_of(log):
            if row.name in rows:
                sys.exit(f"{log}: {row.name}: is in another log, too")
            rows[row.name] = row
    total = print_table(list(rows.values()))
    return status(total.passed(), total.counts["failed"])


if __name__ == "__main__":
    if not sys.argv[1:] or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main([pathlib.Path(name) for name in sys.argv[1:]]))
