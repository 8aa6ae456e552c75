#!/usr/bin/env python3
"""Single operators of networks, and whole networks, against TFLite's reference kernels.

    operators.py NETWORKS --macrame build/macrame [--configurations nv_small "nv_large --exact" ...]
    operators.py NETWORKS --macrame build/macrame --networks

NETWORKS is a folder of folders with model.tflite, inputs.bin (several runs, all inputs of a run
back to back), outputs_ref.bin and tensors.json, or one of these. Each operator is cut out of its
network with the values that it reads there, runs alone on the golden model and is counted: exact,
off or refused; behind it the largest difference and, of one operator, the worst share of values
that differ. What repeats an operator with the same parameters is left out. A configuration is a
preset with options of macrame. With --networks, the networks as they are.

Operators that are cut are kept in --folder and used again. The interpreter comes from PyPI
(scripts/executors.sh); without it, status 77. Status 1: something is off, with --exact-only.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "compiler/test/executors"))
CONFIGURATIONS = ["nv_small", "nv_large --exact", "16x16", "zcu104"]


def measure(macrame, configuration, folder, types, seconds, count=0):
    """exact, off, refused or failed; largest difference, share of values that differ, a text."""
    import numpy as np
    with tempfile.TemporaryDirectory() as made:
        out = Path(made) / "outputs.bin"
        preset, *options = shlex.split(configuration)
        command = [macrame, "run", folder / "model.tflite", "--preset", preset, *options,
                   "--input", folder / "inputs.bin", "--output", out]
        if count:
            command += ["--count", str(count)]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "failed", 0, 0, f"more than {seconds} s"
        text = done.stdout.strip().splitlines()
        if done.returncode != 0:
            what = "refused" if done.returncode == 2 else "failed"
            return what, 0, 0, " | ".join(text[:2]) or f"status {done.returncode}"
        got = out.read_bytes()
    want = (folder / "outputs_ref.bin").read_bytes()
    if count:
        want = want[:len(got)]
    if got == want:
        return "exact", 0, 0, ""
    if len(got) != len(want):
        return "failed", 0, 0, f"{len(got)} bytes: want {len(want)}"
    at = most = differ = values = 0
    while at < len(want):
        for kind, elements in types:
            a, b = (np.frombuffer(x, kind, elements, at).astype(float) for x in (got, want))
            distance = np.abs(a - b)
            most = max(most, distance.max())
            differ += (distance > 0).sum()
            values += elements
            at += elements * np.dtype(kind).itemsize
    return "off", most, differ / values, f"{differ} of {values}, up to {most:g}"


def cell_of(outcomes):
    """Counts; behind them the largest difference and the worst share of values that differ."""
    count = {what: sum(o[0] == what for o in outcomes)
             for what in ("exact", "off", "refused", "failed")}
    cell = f"{count['exact']} / {count['off']} / {count['refused']}"
    if len(outcomes) == 1:
        cell = outcomes[0][0]
    if count["off"]:
        cell += f" ({max(o[1] for o in outcomes):.3g}, {100 * max(o[2] for o in outcomes):.2g} %)"
    if count["failed"] and len(outcomes) > 1:
        cell += f", failed {count['failed']}"
    return cell


def table(results, configurations):
    """Markdown: a row for each kind of operator, those with most of them first, and one of all."""
    rows, everything = {}, {}
    for kind, configuration, outcome in results:
        rows.setdefault(kind, {}).setdefault(configuration, []).append(outcome)
        everything.setdefault(configuration, []).append(outcome)
    lines = ["| | " + " | ".join(configurations) + " |", "|---" * (len(configurations) + 1) + "|"]
    order = sorted(rows, key=lambda k: (-len(rows[k][configurations[0]]), k))
    for title, row in [*((kind, rows[kind]) for kind in order), ("all", everything)]:
        cells = [cell_of(row[configuration]) for configuration in configurations]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def reason_of(text):
    """Why a file was refused, without the places in it."""
    return ": ".join(text.split(" | ")[0].rsplit(": ", 2)[-2:])[:100]


def reasons(results, configurations):
    """Lines: how often each reason is why a configuration refused something."""
    lines = []
    for configuration in configurations:
        count = collections.Counter(reason_of(outcome[3]) for _, used, outcome in results
                                    if used == configuration and outcome[0] == "refused")
        lines += [f"{configuration}: {n} x {text}" for text, n in count.most_common()]
    return lines


def networks_of(path, only):
    folders = [path] if (path / "model.tflite").exists() else sorted(path.iterdir())
    return [f for f in folders if (f / "inputs.bin").exists() and (f / "model.tflite").exists() and
            any(part in f.name for part in only or [""])]


def cuts_of(arguments, folder):
    import cut_operators
    index = folder / "index.json"
    wanted = {"networks": sorted(map(str, networks_of(arguments.networks_folder, arguments.only))),
              "kinds": sorted(arguments.kinds), "runs": arguments.runs}
    note = folder / "wanted.json"
    if note.exists() and json.loads(note.read_text()) == wanted:
        return cut_operators.load(index)
    cutter = cut_operators.Cutter(folder, arguments.runs)
    cuts = []
    for network in networks_of(arguments.networks_folder, arguments.only):
        try:
            cuts += cutter.cut(network, arguments.kinds)
        except (RuntimeError, ValueError) as error:
            print(f"{network.name}: the reference does not run it: {error}".splitlines()[0])
    folder.mkdir(parents=True, exist_ok=True)
    cut_operators.save(cuts, index)
    note.write_text(json.dumps(wanted))
    print(f"{len(cuts)} operators cut, {cutter.repeated} repeated ones left out", flush=True)
    return cuts


def jobs_of(arguments, folder):
    """(what a row is, name, folder, types) of everything to measure."""
    if not arguments.networks:
        return [(cut.kind, cut.name, cut.folder, cut.types) for cut in cuts_of(arguments, folder)]
    jobs = []
    for network in networks_of(arguments.networks_folder, arguments.only):
        outputs = json.loads((network / "tensors.json").read_text())["outputs"]
        types = [[kind, math.prod(shape)] for shape, kind in outputs]
        jobs.append((network.name, network.name, network, types))
    return jobs


def run(arguments, folder):
    jobs = [(job, configuration) for job in jobs_of(arguments, folder)
            for configuration in arguments.configurations]
    start, results = time.time(), []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {pool.submit(measure, arguments.macrame, configuration, job[2], job[3],
                               arguments.seconds): (job, configuration)
                   for job, configuration in jobs}
        for done in concurrent.futures.as_completed(waiting):
            (kind, name, *_), configuration = waiting[done]
            outcome = done.result()
            results.append((kind, configuration, outcome))
            if arguments.verbose or outcome[0] == "failed" or \
                    (arguments.list and outcome[0] == "off"):
                print(f"{name}, {configuration}: {outcome[0]} {outcome[3]}", flush=True)
    print("\n".join(table(results, arguments.configurations)))
    if arguments.list:
        print("\n".join(reasons(results, arguments.configurations)))
    print(f"{len(jobs)} runs in {time.time() - start:.0f} s")
    if arguments.csv:
        arguments.csv.write_text("".join(
            f"{kind},{configuration},{outcome[0]},{outcome[1]},{outcome[2]}\n"
            for kind, configuration, outcome in sorted(results, key=str)))
    wrong = {"off", "failed"} if arguments.exact_only else {"failed"}
    return 1 if any(outcome[0] in wrong for _, _, outcome in results) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks_folder", type=Path, metavar="NETWORKS")
    parser.add_argument("--macrame", type=Path, required=True)
    parser.add_argument("--configurations", nargs="+", default=CONFIGURATIONS,
                        metavar="'PRESET OPTIONS'")
    parser.add_argument("--networks", action="store_true", help="whole networks")
    parser.add_argument("--kinds", nargs="+", default=[], help="operators: ADD MUL ... (all)")
    parser.add_argument("--only", nargs="+", help="networks whose folder has such a part (all)")
    parser.add_argument("--runs", type=int, default=2, help="runs of each network (%(default)s)")
    parser.add_argument("--folder", type=Path, help="for operators, kept (a temporary one)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=600, help="for one run (%(default)s)")
    parser.add_argument("--list", action="store_true",
                        help="print what is off, and why things were refused")
    parser.add_argument("--verbose", action="store_true", help="print every outcome")
    parser.add_argument("--csv", type=Path, help="write every outcome to this file")
    parser.add_argument("--exact-only", action="store_true", help="status 1 if anything is off")
    arguments = parser.parse_args()
    import environment
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    environment.enter("TFLite interpreter")
    if arguments.folder:
        arguments.folder = arguments.folder.resolve()
        sys.exit(run(arguments, arguments.folder))
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(run(arguments, Path(folder)))


if __name__ == "__main__":
    main()
