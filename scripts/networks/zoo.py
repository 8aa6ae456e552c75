#!/usr/bin/env python3
"""What becomes of whole networks: do they run, with which outputs, how much does the hardware do?

    zoo.py MACRAME FOLDER ... [--before MACRAME] [--configurations 16x16@100 zcu104@150 ...]
           [--sums] [--csv FILE]

Each FOLDER is a network or has folders of networks: model.tflite or model.onnx, inputs.bin or
inputs.i8 (several runs back to back), outputs_ref.bin or outputs_ref.i8 of a reference executor,
and tensors.json with the shapes and types of both; without that, all is int8 and the file has one
output. Where there is outputs_other.bin, outputs may be as that, too. Where networks come from is
the column `origin` of index.csv beside their folders.

Prints a table (Markdown; what is done so far goes to standard error): source and operators of each
network, and for every configuration the outputs on the golden model against the reference - equal,
or by how much they differ at most, and of real values the decibels of signal to noise -, the share
of the multiply-adds on the hardware, estimated cycles, and milliseconds at the clock behind @ with
those of the host. A configuration is a preset, with options of macrame ("nv_small --exact@100").
With --before, an earlier macrame runs them, too, and its refusals are counted beside. Status 1: a
run failed.
"""
import argparse
import array
import concurrent.futures
import csv
import json
import math
import shlex
import statistics
import subprocess
import sys
import tempfile
import typing
from pathlib import Path

CODES = {"bool": "b", "int8": "b", "uint8": "B", "int16": "h", "int32": "i", "int64": "q",
         "float32": "f"}
# With the clock of a board that takes it: boards/*/board.toml.
CONFIGURATIONS = ["nv_small@100", "nv_large@100", "16x16@100", "zcu104@150"]


RUNS = ("exact", "off", "runs")  # what Outcome.what is of one that runs


class Outcome(typing.NamedTuple):
    what: str  # exact, off, refused, failed or runs (without a reference)
    largest: float = 0
    part: float = 0  # of the values that differ
    decibels: float = math.inf  # of the worst output of real values: signal to noise
    share: typing.Optional[float] = None  # of the multiply-adds on the hardware
    programs: int = 0
    cycles: int = 0
    hardware_ms: typing.Optional[float] = None  # at the clock of the configuration
    host_ms: float = 0
    kinds: dict = {}  # operators of the network
    text: str = ""


def one_of(folder, *names):
    return next((folder / name for name in names if (folder / name).exists()), None)


def networks_of(folders):
    for folder in folders:
        for one in [folder, *sorted(folder.iterdir())]:
            if one.is_dir() and one_of(one, "model.tflite", "model.onnx"):
                yield one


def type_of(tensor):
    """(elements, name of their type) of an entry of tensors.json."""
    if isinstance(tensor, dict):
        return math.prod(tensor["shape"]), tensor.get("type", tensor.get("dtype"))
    shape, kind = (tensor[1:] if isinstance(tensor[0], str) else tensor)[:2]  # a name may lead
    return math.prod(shape), kind


def types_of(folder, values):
    index = folder / "tensors.json"
    if not index.exists():
        return [(len(values), "int8")]
    return [type_of(tensor) for tensor in json.loads(index.read_text())["outputs"]]


def distance(x, y):
    """Of two values; what is no number equals itself alone."""
    if x == y or (x != x and y != y):
        return 0
    return abs(x - y) if abs(x - y) >= 0 else math.inf


NEAR = 40  # decibels: as near as references of real values are to each other


class Power:
    """Of one output, all runs together."""
    def __init__(self):
        self.signal = self.noise = 0.0

    def add(self, got, want):
        finite = [(x, y) for x, y in zip(got, want) if math.isfinite(x) and math.isfinite(y)]
        self.signal += sum(y * y for _, y in finite)
        self.noise += sum((x - y) ** 2 for x, y in finite)
        if any(distance(x, y) == math.inf for x, y in zip(got, want)):
            self.noise = math.inf

    def decibels(self):
        if self.noise == 0:
            return math.inf
        if self.signal == 0 or self.noise == math.inf:
            return -math.inf
        return 10 * math.log10(self.signal / self.noise)


def compare(folder, got):
    """Of all outputs: largest difference, the share of values that differ, decibels. Of two
    references, as ONNX Runtime has one with its optimisations and one without, the nearer one."""
    found = [difference(folder, got, one) for one in (
        one_of(folder, "outputs_ref.bin", "outputs_ref.i8"), folder / "outputs_other.bin")
        if one.exists()]
    return min(found, key=lambda one: (one[0] != 0, -one[2], one[0]))


def difference(folder, got, reference):
    want = reference.read_bytes()[:len(got)]
    if len(want) != len(got) or not got:
        raise ValueError(f"{len(got)} bytes of outputs")
    largest, differ, values, at = 0.0, 0, 0, 0
    types = types_of(folder, want)
    run = sum(elements * array.array(CODES[kind]).itemsize for elements, kind in types)
    if len(got) % run:
        raise ValueError(f"{len(got)} bytes of outputs: want runs of {run}")
    powers = [Power() for _ in types]
    while at < len(want):
        for (elements, kind), power in zip(types, powers):
            end = at + elements * array.array(CODES[kind]).itemsize
            a, b = (array.array(CODES[kind], x[at:end]) for x in (got, want))
            if kind == "float32":
                power.add(a, b)
            distances = [distance(x, y) for x, y in zip(a, b)]
            largest = max(largest, *distances)
            differ += sum(d > 0 for d in distances)
            values += elements
            at = end
    return largest, differ / values, min(power.decibels() for power in powers)


def call(command, seconds):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=seconds)
    except subprocess.TimeoutExpired:
        return 1, f"more than {seconds} s"
    return done.returncode, done.stdout.strip()


def measure(macrame, folder, configuration, arguments):
    """Of a network that is not run, as there is no reference or it is too large: `runs`."""
    words, _, mhz = configuration.partition("@")
    machine = ["--preset", *shlex.split(words)]
    model = one_of(folder, "model.tflite", "model.onnx")
    with tempfile.TemporaryDirectory() as scratch:
        report, out = Path(scratch) / "report.json", Path(scratch) / "outputs.bin"
        status, text = call([macrame, "estimate", model, *machine, "--json", report],
                            arguments.seconds)
        if status != 0:
            return Outcome("refused" if status == 2 else "failed", text=text)
        made = json.loads(report.read_text())
        work = made.get("work", {})
        share = None
        if work.get("multiply_adds"):
            share = work["hardware_multiply_adds"] / work["multiply_adds"]
        inputs = one_of(folder, "inputs.bin", "inputs.i8")
        host_ms = sum(one["milliseconds"] for one in work.get("host", []))
        told = {"share": share, "programs": work.get("programs", 1), "cycles": made["total_cycles"],
                "hardware_ms": made["total_cycles"] / (1000 * float(mhz)) if mhz else None,
                "host_ms": host_ms, "kinds": work.get("kinds", {})}
        large = work.get("multiply_adds", 0) > 1e6 * getattr(arguments, "most", math.inf)
        if large or inputs is None or one_of(folder, "outputs_ref.bin", "outputs_ref.i8") is None:
            return Outcome("runs", **told)
        status, text = call([macrame, "run", model, *machine, "--input", inputs, "--count",
                             str(arguments.runs), "--output", out], arguments.seconds)
        if status != 0:
            return Outcome("failed", text=text, **told)
        try:
            largest, part, decibels = compare(folder, out.read_bytes())
        except (ValueError, KeyError) as error:
            return Outcome("failed", text=str(error), **told)
    return Outcome("off" if largest else "exact", largest, part, decibels, **told)


def cell_of(before, now):
    text = now.what
    if now.what == "off":
        text = f"up to {now.largest:.3g} in {100 * now.part:.2g} %"
        if math.isfinite(now.decibels):
            text += f", {now.decibels:.3g} dB"
    if now.share is not None and now.share < 1:
        text += f", {100 * now.share:.4g} % on hardware"
    if now.programs > 1:
        text += f", {now.programs} programs"
    if now.what in RUNS:
        text += f", {now.cycles / 1000:,.4g} k cycles"
        if now.hardware_ms is not None:
            text += f", {now.hardware_ms + now.host_ms:.3g} ms"
            if now.host_ms:
                text += f" (host {now.host_ms:.2g})"
    if before is not None and before.what == "refused" and now.what != "refused":
        text = f"**{text}**"
    return text


def sums(results, networks, configurations):
    """Rows of counts for all networks together."""
    def row(title, of):
        return f"| {title} | | | " + " | ".join(of([results[n, c] for n in networks])
                                            for c in configurations) + " |"
    yield row("run", lambda all_: f"{sum(o.what in RUNS for o in all_)} of {len(all_)}")
    yield row("equal to the reference", lambda all_: str(sum(o.what == "exact" for o in all_)))
    if any(math.isfinite(o.decibels) for o in results.values()):
        yield row(f"equal, or {NEAR} dB and more in all real values", lambda all_: str(
            sum(o.what == "exact" or o.what == "off" and NEAR <= o.decibels < math.inf
                for o in all_)))
    yield row("multiply-adds on the hardware, median", lambda all_: "-" if not any(
        o.share is not None for o in all_) else "{:.4g} %".format(
            100 * statistics.median(o.share for o in all_ if o.share is not None)))


def origins(folder):
    """{folder of a network: where it comes from}."""
    index = folder / "index.csv"
    if not index.exists():
        return {}
    with open(index, newline="", encoding="utf-8") as file:
        return {row["folder"]: row["origin"] for row in csv.DictReader(file)}


def title_of(network, outcomes):
    """Its name, source and operators."""
    kinds = next((o.kinds for o in outcomes if o.kinds), {})
    operators = ", ".join(f"{count} {kind}" if count > 1 else kind
                          for kind, count in kinds.items())
    return f"| {network.name} | {origins(network.parent).get(network.name, '')} | {operators} | "


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--before", type=Path, help="an earlier macrame")
    parser.add_argument("--configurations", nargs="+", default=CONFIGURATIONS)
    parser.add_argument("--runs", type=int, default=2, help="of each network (%(default)s)")
    parser.add_argument("--seconds", type=int, default=900, help="for one run (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sums", action="store_true", help="no line for each network")
    parser.add_argument("--csv", type=Path, help="write every outcome to this file")
    arguments = parser.parse_args()
    networks = list(networks_of(arguments.folders))
    machines = {"now": arguments.macrame}
    if arguments.before:
        machines["before"] = arguments.before
    results = {name: {} for name in machines}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = {pool.submit(measure, machine, network, configuration, arguments):
                   (name, network, configuration) for name, machine in machines.items()
                   for network in networks for configuration in arguments.configurations}
        for done in concurrent.futures.as_completed(waiting):
            name, network, configuration = waiting[done]
            outcome = results[name][network, configuration] = done.result()
            told = cell_of(None, outcome) + (": " + outcome.text[:300] if outcome.text else "")
            print(f"{name}: {network.name}, {configuration}: {told}", file=sys.stderr, flush=True)
    print("| network | source | operators | " + " | ".join(
        c.replace("@", ", ") + " MHz" if "@" in c else c for c in arguments.configurations) + " |")
    print("|---" * (len(arguments.configurations) + 3) + "|")
    for network in [] if arguments.sums else networks:
        cells = [cell_of(results.get("before", {}).get((network, c)), results["now"][network, c])
                 for c in arguments.configurations]
        outcomes = [results["now"][network, c] for c in arguments.configurations]
        print(title_of(network, outcomes) + " | ".join(cells) + " |")
    for name in machines:
        for line in sums(results[name], networks, arguments.configurations):
            print(line.replace("| ", "| before: ", 1) if name == "before" else line)
    if arguments.csv:
        arguments.csv.write_text("".join(
            f"{network.name},{configuration},{name},{o.what},{o.largest},{o.part},{o.share},"
            f"{o.programs},{o.cycles},{o.hardware_ms},{o.host_ms}\n" for name in machines
            for (network, configuration), o in sorted(results[name].items())))
    sys.exit(any(o.what == "failed" for o in results["now"].values()))


if __name__ == "__main__":
    main()
