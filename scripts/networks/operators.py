#!/usr/bin/env python3
"""Single operators of networks, and whole networks, against TFLite's reference kernels.

    operators.py NETWORKS --macrame build/macrame [--configurations nv_small "nv_large --exact" ...]
    operators.py NETWORKS --macrame build/macrame --networks

NETWORKS is a folder of folders with model.tflite, inputs.bin (several runs, all inputs of a run
back to back), outputs_ref.bin and tensors.json, or one of these. Each operator is cut out of its
network with the values that it reads there, runs alone on the golden model and is counted: exact,
off or refused (with --no-host: what the host could do does not count); behind it the largest
difference and, of one operator, the worst share of values that differ. What repeats an operator
with the same parameters is left out. A configuration is a preset with options of macrame. With
--networks, the networks as they are, with the host.

The last rows count what was declared exact before it ran, and what is beyond what was declared:
an output that differs by more than the bound of it in the JSON of macrame run, which is that of
macrame estimate.

Operators that are cut are kept in --folder and used again. The interpreter comes from PyPI
(scripts/executors.sh); without it, status 77. Status 1: something is beyond what was declared; or
off, with --exact-only.
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
import typing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "compiler/test/executors"))
CONFIGURATIONS = ["nv_small", "nv_large --exact", "16x16", "zcu104"]


class Outcome(typing.NamedTuple):
    what: str  # exact, off, refused or failed
    largest: float = 0
    share: float = 0  # of the values that differ
    text: str = ""
    declared: typing.Optional[bool] = None  # exact; none: nothing was declared
    beyond: bool = False  # differs more than was declared


def differences(got, want, types):
    """Of each output, runs together: largest difference, values that differ, values."""
    import numpy as np
    found = [[0, 0, 0] for _ in types]
    at = 0
    while at < len(want):
        for output, (kind, elements) in zip(found, types):
            a, b = (np.frombuffer(x, kind, elements, at).astype(float) for x in (got, want))
            distance = np.abs(a - b)
            output[0] = max(output[0], distance.max())
            output[1] += (distance > 0).sum()
            output[2] += elements
            at += elements * np.dtype(kind).itemsize
    return found


def is_beyond(told, found, types):
    """Does an output differ more than its bound? Real values have some of float32 on top."""
    if not told["declared"]:
        return False
    if len(told["outputs"]) != len(found):
        return True
    return any(output["largest"] is not None and
               largest > output["largest"] * (1 + 1e-5 * kind.startswith("float"))
               for output, (largest, _, _), (kind, _) in zip(told["outputs"], found, types))


def measure(macrame, configuration, folder, types, seconds, count=0, whole=False):
    with tempfile.TemporaryDirectory() as made:
        out, report = Path(made) / "outputs.bin", Path(made) / "report.json"
        preset, *options = shlex.split(configuration)
        command = [macrame, "run", folder / "model.tflite", "--preset", preset, *options,
                   "--input", folder / "inputs.bin", "--output", out, "--json", report]
        if count:
            command += ["--count", str(count)]
        if not whole:
            command.append("--no-host")
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Outcome("failed", text=f"more than {seconds} s")
        text = done.stdout.strip().splitlines()
        if done.returncode != 0:
            what = "refused" if done.returncode == 2 else "failed"
            return Outcome(what, text=" | ".join(text[:2]) or f"status {done.returncode}")
        got = out.read_bytes()
        told = json.loads(report.read_text())["exactness"]
    want = (folder / "outputs_ref.bin").read_bytes()
    if count:
        want = want[:len(got)]
    exact = told["exact"] if told["declared"] else None
    if got == want:
        return Outcome("exact", declared=exact)
    if len(got) != len(want):
        return Outcome("failed", text=f"{len(got)} bytes: want {len(want)}")
    found = differences(got, want, types)
    largest = max(output[0] for output in found)
    differ, values = (sum(output[i] for output in found) for i in (1, 2))
    text = f"{differ} of {values}, up to {largest:g}; {told['text']}"
    return Outcome("off", largest, differ / values, text, exact, is_beyond(told, found, types))


def cell_of(outcomes):
    """Counts; behind them the largest difference and the worst share of values that differ."""
    count = {what: sum(o.what == what for o in outcomes)
             for what in ("exact", "off", "refused", "failed")}
    cell = f"{count['exact']} / {count['off']} / {count['refused']}"
    if len(outcomes) == 1:
        cell = outcomes[0].what
    if count["off"]:
        largest, share = max(o.largest for o in outcomes), max(o.share for o in outcomes)
        cell += f" ({largest:.3g}, {100 * share:.2g} %)"
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
    for title, one in (("declared exact", lambda o: o.declared), ("beyond declared",
                                                                  lambda o: o.beyond)):
        cells = []
        for configuration in configurations:
            outcomes = [o for o in everything[configuration] if o.declared is not None]
            cells.append(str(sum(bool(one(o)) for o in outcomes)) if outcomes else "-")
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def reason_of(text):
    """Why a file was refused, without the places in it."""
    return ": ".join(text.split(" | ")[0].rsplit(": ", 2)[-2:])[:100]


def reasons(results, configurations):
    """Lines: how often each reason is why a configuration refused something."""
    lines = []
    for configuration in configurations:
        count = collections.Counter(reason_of(outcome.text) for _, used, outcome in results
                                    if used == configuration and outcome.what == "refused")
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
                               arguments.seconds, whole=arguments.networks): (job, configuration)
                   for job, configuration in jobs}
        for done in concurrent.futures.as_completed(waiting):
            (kind, name, *_), configuration = waiting[done]
            outcome = done.result()
            results.append((kind, configuration, outcome))
            if arguments.verbose or outcome.what == "failed" or outcome.beyond or \
                    (arguments.list and outcome.what == "off"):
                beyond = "BEYOND DECLARED, " if outcome.beyond else ""
                print(f"{name}, {configuration}: {beyond}{outcome.what} {outcome.text}",
                      flush=True)
    print("\n".join(table(results, arguments.configurations)))
    if arguments.list:
        print("\n".join(reasons(results, arguments.configurations)))
    print(f"{len(jobs)} runs in {time.time() - start:.0f} s")
    if arguments.csv:
        arguments.csv.write_text("".join(
            f"{kind},{configuration},{outcome.what},{outcome.largest},{outcome.share},"
            f"{outcome.declared},{outcome.beyond}\n"
            for kind, configuration, outcome in sorted(results, key=str)))
    wrong = {"off", "failed"} if arguments.exact_only else {"failed"}
    return 1 if any(outcome.what in wrong or outcome.beyond for _, _, outcome in results) else 0


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
