#!/usr/bin/env python3
"""Figures of others beside ours, as one table: each with its command, commit, machine and date.

  scripts/compare.py build/macrame [--models FOLDER] [PEER ...] [--json FILE]

Nothing is fetched: a peer is what its option names. A peer without an option is not measured, and
the table says so; where one is faster or smaller, the table says that, too.

  --vela PROGRAM     Arm's estimates for Ethos-U, of package ethos-u-vela, beside ours at the same
                     number of multipliers, on kws_dscnn, ic_resnet8 and vww_mobilenet of --models
  --mlperf FOLDER    checkout of mlcommons/tiny_results_*: closed division, beside one design
                     (--board, --mhz) for all three networks
  --vta LOG          output of VTA's tsim with lines "cycle_count: N", which are added up, of the
                     network of --vta-network, beside 16x16 with as many multipliers
  --verilog NAME=PRESET=FOLDER   Verilog of a published design, beside that of a preset: lines,
                     seconds to Verilate; may come several times

Status 1: a peer that was given could not be measured.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

import results

NETWORKS = {"kws_dscnn": "keyword", "ic_resnet8": "ResNet-8", "vww_mobilenet": "person"}
BENCHMARKS = {"kws_dscnn": "kws", "ic_resnet8": "ic", "vww_mobilenet": "vww"}
LATENCY = 32
# Multipliers -> Ethos-U of as many, and configurations of ours. The first one is a preset.
ETHOS = {64: ["ethos-u55-64"], 128: ["ethos-u55-128"],
         256: ["ethos-u55-256", "ethos-u65-256", "ethos-u85-256"],
         512: ["ethos-u65-512", "ethos-u85-512"], 1024: ["ethos-u85-1024"]}
WIDE = "--sdp-bs-throughput {0} --sdp-bn-throughput {0}"
OURS = {64: ["--preset nv_small", "--preset 8x8", "--preset nv_small " + WIDE.format(8)],
        128: ["--preset nv_small --mac-atomic-c-size 16 " + WIDE.format(8)],
        256: ["--preset nv_small_256", "--preset fit_7020", "--preset 16x16"],
        512: ["--preset nv_medium_512",
              "--preset fit_7020 --mac-atomic-c-size 32 " + WIDE.format(16)],
        1024: ["--preset nv_medium_1024_full", "--preset 32x32",
               "--preset nv_small --mac-atomic-c-size 32 --mac-atomic-k-size 32 "
               + WIDE.format(16)]}


class Missing(Exception):
    """A peer that cannot be measured, and why."""


def run(words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Missing(f"{words[0]}: exit status {done.returncode}: {said[-1] if said else ''}")
    return done.stdout


def commit_of(folder):
    done = subprocess.run(["git", "-C", str(folder), "log", "-1", "--format=commit %h of %cs"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip() or "no commit known"


def better(theirs, ours):
    ratio = max(theirs, ours) / min(theirs, ours)
    return "equal" if ratio < 1.005 else \
        f"{'ours' if ours < theirs else '**theirs**'}, {ratio:.2f} x"


class Table:
    """Rows, and where their figures are from."""

    def __init__(self):
        self.rows, self.sources, self.missing = [], [], []

    def source(self, command, version):
        text = f"`{command}`, {version}"
        if text not in self.sources:
            self.sources.append(text)
        return self.sources.index(text) + 1

    def add(self, what, unit, peer, theirs, ours, name, *sources):
        """Smaller is better; `sources`: numbers of theirs and of ours."""
        self.rows.append({"what": what, "unit": unit, "peer": peer, "theirs": theirs, "ours": ours,
                          "configuration": name, "sources": sources})

    def text(self):
        lines = ["| what | peer | its figure | ours | | of configuration | by |",
                 "|---|---|--:|--:|---|---|---|"]
        for row in self.rows:
            theirs, ours = row["theirs"], row["ours"]
            digits = ",.0f" if row["unit"] == "cycles" or max(theirs, ours) >= 1000 else ",.3f"
            lines.append(f"| {row['what']}, {row['unit']} | {row['peer']} | {theirs:{digits}} "
                         f"| {ours:{digits}} | {better(theirs, ours)} | {row['configuration']} "
                         f"| {', '.join(map(str, row['sources']))} |")
        lines += [f"| {what} | {peer} | not measured: {why} | | | | |"
                  for what, peer, why in self.missing]
        lines += ["", "| by | |", "|--:|---|"]
        lines += [f"| {number} | {text} |" for number, text in enumerate(self.sources, 1)]
        return "\n".join(lines)


class Bench:
    """What measures ours."""

    def __init__(self, options, table):
        self.macrame, self.models, self.table = options.macrame, options.models, table
        self.folder = pathlib.Path(options.folder.name)
        self.version = f"{run([self.macrame, '--version']).strip()}, {commit_of(results.ROOT)}"

    def network(self, name):
        if self.models is None:
            raise Missing("want --models")
        path = self.models / name / "model.tflite"
        if not path.exists():
            raise Missing(f"{path}: no such file")
        return path

    def cycles(self, network, options):
        """Estimated cycles, and the number of the source."""
        report = self.folder / "estimate.json"
        words = ["estimate", network, *shlex.split(options), "--latency", LATENCY]
        run([self.macrame, *words, "--json", report])
        words[1] = network.name if network.parent.name not in NETWORKS else "NETWORK"
        shown = " ".join(map(str, [*words[:2], "CONFIGURATION", *words[-2:]]))
        return json.loads(report.read_text())["total_cycles"], \
            self.table.source(f"macrame {shown}", self.version)

    def named(self, options):
        return options.replace("--preset ", "", 1)


def vela(program, bench, table):
    version = f"Vela {run([program, '--version']).strip()}"
    for name, shown in NETWORKS.items():
        network = bench.network(name)
        for multipliers, ethos in ETHOS.items():
            ours = []
            for configuration in OURS[multipliers]:
                cycles, number = bench.cycles(network, configuration)
                ours.append((cycles, bench.named(configuration)))
            best, preset = min(ours), ours[0]
            for accelerator in ethos:
                out = bench.folder / accelerator
                run([program, network, "--accelerator-config", accelerator, "--output-dir", out])
                (summary,) = out.glob("*_summary_*.csv")
                with open(summary, encoding="utf-8") as file:
                    (row,) = csv.DictReader(file)
                summary.unlink()
                theirs = round(float(row["cycles_total"]))
                by = table.source("vela NETWORK --accelerator-config PEER", version)
                also = "" if preset == best else \
                    f"; {preset[1]}: {preset[0]:,} ({better(theirs, preset[0])})"
                table.add(f"{shown}, {multipliers} multipliers", "cycles", accelerator, theirs,
                          best[0], best[1] + also, by, number)


def mlperf(folder, bench, table, board):
    """Milliseconds of all systems of the closed division, from the medians of their logs."""
    logs = sorted(pathlib.Path(folder).glob("closed/*/results/*/*/performance/results.txt"))
    if not logs:
        raise Missing(f"{folder}: no closed/*/results/*/*/performance/results.txt")
    found = 0
    for name, benchmark in BENCHMARKS.items():
        cycles, number = bench.cycles(bench.network(name), board["options"])
        milliseconds = cycles / board["mhz"] / 1000
        for log in logs:
            if log.parts[-3] != benchmark:
                continue
            median = re.search(r"Median throughput is\s+([0-9.]+)\s+inf",
                               log.read_text(errors="replace"))
            if not median:
                table.missing.append((NETWORKS[name], "/".join(log.parts[-6:-3]), "no median"))
                continue
            found += 1
            by = table.source("Median throughput in " + "/".join(["closed", "*", *log.parts[-5:-4],
                                                                  "*", "*", *log.parts[-2:]]),
                              f"{pathlib.Path(folder).resolve().name}, {commit_of(folder)}")
            table.add(f"{NETWORKS[name]}, MLPerf Tiny", "ms", f"{log.parts[-6]} {log.parts[-4]}",
                      1000 / float(median.group(1)), milliseconds,
                      f"{bench.named(board['options'])} at {board['mhz']} MHz", by, number)
    if not found:
        raise Missing(f"{folder}: no log with a median throughput")


def vta(log, network, bench, table):
    if network is None:
        raise Missing("want --vta-network")
    counts = re.findall(r"cycle_count\s*:\s*(\d+)",
                        pathlib.Path(log).read_text(encoding="utf-8", errors="replace"))
    if not counts:
        raise Missing(f"{log}: no line with cycle_count: N")
    cycles, number = bench.cycles(network, "--preset 16x16")
    when = datetime.date.fromtimestamp(os.stat(log).st_mtime)
    by = table.source(f"cycle_count in {pathlib.Path(log).name}", f"of {when}")
    table.add(network.stem, "cycles", "VTA tsim, 256 multipliers", sum(map(int, counts)), cycles,
              "16x16", by, number)


def verilog(folder):
    """Lines without comments and empty ones, and processor seconds of Verilator, of a folder."""
    files = sorted(path for path in pathlib.Path(folder).rglob("*")
                   if path.suffix in (".v", ".sv") and path.is_file())
    if not files:
        raise Missing(f"{folder}: no Verilog")
    lines = 0
    for path in files:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(errors="replace"), flags=re.S)
        lines += sum(1 for line in text.splitlines() if line.strip())
    with tempfile.TemporaryDirectory() as out:
        words = ["verilator", "--cc", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O3", "--Mdir", out]
        words += [f"-I{folder}" for folder in sorted({path.parent for path in files})]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run([*words, *files])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return lines, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def sources_of(given, bench, table):
    if given.count("=") != 2:
        raise Missing(f"{given}: want NAME=PRESET=FOLDER")
    name, preset, folder = given.split("=")
    own = bench.folder / preset
    run([bench.macrame, "generate", "--preset", preset, "--out", own])
    theirs, ours = verilog(folder), verilog(own / "rtl")
    by = table.source("lines and verilator --cc -O3", f"{name}, {commit_of(folder)}")
    number = table.source("macrame generate, then the same of rtl/", bench.version)
    table.add("Verilog without comments", "lines", name, theirs[0], ours[0], preset, by, number)
    table.add("Verilating", "CPU s", name, theirs[1], ours[1], preset, by, number)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--models", type=pathlib.Path, default=os.environ.get("MACRAME_MODELS"))
    for peer in ("vela", "mlperf", "vta"):
        parser.add_argument(f"--{peer}")
    parser.add_argument("--verilog", action="append", default=[])
    parser.add_argument("--vta-network", type=pathlib.Path)
    parser.add_argument("--board", default="--preset fit_7020", help="options (%(default)s)")
    parser.add_argument("--mhz", type=float, default=100, help="of that (%(default)s)")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.models = pathlib.Path(options.models) if options.models else None
    return options


def main():
    options = arguments()
    table = Table()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        options.folder = argparse.Namespace(name=folder)
        bench = Bench(options, table)
        board = {"options": options.board, "mhz": options.mhz}
        peers = [
            ("networks, estimated cycles", "Ethos-U by Vela", "--vela", options.vela,
             lambda given: vela(given, bench, table)),
            ("networks, ms", "MLPerf Tiny", "--mlperf", options.mlperf,
             lambda given: mlperf(given, bench, table, board)),
            ("network, cycles", "VTA", "--vta", options.vta,
             lambda given: vta(given, options.vta_network, bench, table))]
        peers += [("Verilog", given.split("=")[0] if given else "of others", "--verilog", given,
                   lambda given: sources_of(given, bench, table))
                  for given in options.verilog or [None]]
        for what, peer, option, given, measure in peers:
            if given is None:
                table.missing.append((what, peer, f"no {option}"))
                continue
            try:
                measure(given)
            except (Missing, OSError) as error:
                table.missing.append((what, peer, str(error)))
                failed = True
    print(f"{datetime.date.today()}, on {results.machine()}.\n\n{table.text()}")
    if options.json:
        options.json.write_text(json.dumps({
            "date": str(datetime.date.today()), "machine": results.machine(), "rows": table.rows,
            "sources": table.sources, "not_measured": table.missing}, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
