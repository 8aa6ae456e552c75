#!/usr/bin/env python3
"""Makes an int8 network (ONNX, QDQ form) of a float one, as near to it as it can, and tells how near
that is on inputs that it was not calibrated with. `macrame quantise --help` has the options."""
import argparse
import json
import logging
import os
import sys

import onnx
from onnxruntime.quantization.onnx_model import ONNXModel

import equalise
import inputs
import keep
import measure
import network as networks
import ranges
import rounding
import write
from network import UserError

LEAST_JUMP = 3.0   # dB that element-wise operators in float32 have to bring
LEAST_GAIN = 0.3   # dB that an operator's way to the host has to bring
MOST_LOSS = 2.0    # dB on calibration inputs that equalised channels may lose: their ranges are
                   # chosen for other inputs
MOST_SHARE = 0.05  # of the multiply-adds, that may go to the host
MOST_GROUPS = 24   # of tensors, that are tried
FEW = 8            # inputs that losses of single tensors are measured on
GOOD = 30.0        # dB; below there is a warning
ENOUGH = 40.0      # dB; from there on nothing more goes to the host


def options(arguments):
    """What the program hands over: it has the table of options, with defaults and limits."""
    parser = argparse.ArgumentParser(prog="macrame quantise")
    parser.add_argument("network")
    for name in ("data", "out", "method"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--keep-host", type=int, required=True)
    for name in ("check", "json"):
        parser.add_argument(f"--{name}")
    for name in ("shape", "fix"):
        parser.add_argument(f"--{name}", action="append", default=[])
    return parser.parse_args(arguments)


def settled(texts, kind=str):
    """{input: values} of NAME=V,V,..."""
    return {name: [kind(value) for value in values.split(",")]
            for name, _, values in (text.rpartition("=") for text in texts)}


class Report:
    """What each step brought on the inputs of `judge`."""

    def __init__(self, judge):
        self.judge, self.steps = judge, []
        self.advice = "or raise --keep-host"  # what would help

    def add(self, name, model, taken=True):
        figures = self.judge.figures(model)
        self.steps.append({"step": name, "db": figures.score, "taken": taken,
                           "outputs": figures.outputs})
        print(f"  {figures.score:6.1f} dB  {name}{'' if taken else ' (left out)'}", flush=True)


def quantise(network, calibration, method, most, report):
    """The quantised network, and the operators that it leaves to the host. What is decided by trial
    is decided on the calibration inputs."""
    judge = measure.Judge(network, calibration)
    loss_judge = measure.Judge(network, calibration[:FEW])
    seen = ranges.observe(network, calibration)
    limits = ranges.choose(network, seen, "minmax")
    model = write.quantised(network, limits)
    tensors = list(keep.pairs(model))
    report.add("int8, ranges from the least to the largest value", model)

    free = keep.between_host_operators(network, tensors)
    report.add(f"{len(free)} tensors that only the host has stay in float32",
               keep.without(model, free, network))

    free_steps = []

    def writer(limits):
        return lambda net: keep.without(write.quantised(net, limits), free + free_steps, net)

    limits = ranges.choose(network, seen, method)
    model = writer(limits)(network)
    score = judge.figures(model).score
    report.add(f"ranges by {method}", model)

    moved = set()
    steps, their_operators = keep.between_layers(network, [
        name for name in keep.pairs(model) if name not in free])
    if steps:
        candidate = keep.without(model, steps, network)
        new_score = judge.figures(candidate).score
        if new_score > score + LEAST_JUMP:
            taken = len(their_operators) <= most
            report.add(f"{len(their_operators)} element-wise operators between layers on the host",
                       candidate, taken)
            if taken:
                free_steps, moved, score = steps, their_operators, new_score
            else:
                report.advice = f"or take --keep-host {len(their_operators)}: {new_score:.1f} dB"

    equal, count = equalise.equalised(network, seen)
    if count:
        equal_limits = ranges.choose(equal, ranges.observe(equal, calibration), method)
        model = writer(equal_limits)(equal)
        equal_score = judge.figures(model).score
        taken = equal_score > score - MOST_LOSS
        report.add(f"channels of {count} layers equalised", model, taken)
        if taken:
            network, limits, score = equal, equal_limits, equal_score

    learnt = rounding.learnt(network, writer(limits), calibration)
    model = writer(limits)(learnt)
    learnt_score = judge.figures(model).score
    taken = learnt_score > score
    report.add("weights rounded for the calibration inputs, biases corrected", model, taken)
    if taken:
        network, score = learnt, learnt_score

    if score >= ENOUGH:
        return writer(limits)(network), sorted(moved)
    kept, model = [], writer(limits)(network)
    for _, group in keep.losses(network, model, loss_judge)[:MOST_GROUPS]:
        if not keep.fits(network, free_steps + kept + group, tensors, most, MOST_SHARE):
            continue
        candidate = keep.without(model, kept + group, network)
        new_score = judge.figures(candidate).score
        taken = new_score > score + LEAST_GAIN
        if taken:
            kept, score = kept + group, new_score
            new = keep.operators(network, free_steps + kept, tensors) - moved
            moved |= new
            told = f"on the host: {', '.join(sorted(new))}" if new else f"{group[0]} in float32"
            report.add(told, candidate)
    return keep.without(model, kept, network), sorted(moved)


def main(arguments):
    given = options(arguments)
    logging.disable(logging.WARNING)  # the library tells what it does with each operator
    network = networks.read(given.network, settled(given.shape, int), settled(given.fix))
    calibration = inputs.read(given.data, network)
    seen_only = False
    if given.check:
        check = inputs.read(given.check, network)
    elif len(calibration) >= 4:
        check, calibration = calibration[3::4], [one for i, one in enumerate(calibration)
                                                 if i % 4 != 3]
    else:
        check, seen_only = calibration, True
    for where, some in ((given.data, calibration), (given.check or given.data, check)):
        strange = measure.strange(network, some)
        if strange:
            raise UserError(f"{given.network}: with the inputs of {where} {strange} of the float "
                            f"network has values that are no finite numbers: want others")
    judge = measure.Judge(network, check)
    report = Report(judge)
    print(f"signal to noise on {len(check)} inputs, calibrated with {len(calibration)}:")
    model, moved = quantise(network, calibration, given.method, given.keep_host, report)
    figures = judge.figures(model)
    losses = keep.losses(network, model, measure.Judge(network, check[:FEW]))[:5]
    print("tensors that cost most:",
          ", ".join(f"{group[0]} {db:.1f} dB" for db, group in losses if db < 99) or "none")
    unseen = "inputs that it was CALIBRATED with" if seen_only else "unseen inputs"
    print(f"on {len(check)} {unseen}: {figures.line()}")
    warnings = []
    if seen_only:
        warnings.append(f"{given.data}: has {len(calibration)} inputs, which say nothing about "
                        f"others: want at least 4, or --check")
    if figures.score < GOOD:
        warnings.append(f"{figures.score:.1f} dB is far from the float network: look at the figures "
                        f"above, give more inputs, {report.advice}")
    for text in warnings:
        print(f"macrame: warning: {text}", file=sys.stderr)
    model.producer_name = "macrame quantise"
    ONNXModel(model).topological_sort()
    onnx.checker.check_model(model)
    files = {given.out: model.SerializeToString()}
    if given.json:
        files[given.json] = json.dumps({
            "network": given.network, "calibration_inputs": len(calibration),
            "check_inputs": len(check), "check_inputs_unseen": not seen_only,
            "steps": report.steps, "host": moved, "db": figures.score,
            "outputs": figures.outputs, "warnings": warnings,
            "worst": [{"tensor": group[0], "db": db} for db, group in losses]}, indent=1).encode()
    write_all(files)


def write_all(files):
    """Writes files, {path: bytes}, or none of them."""
    path = ""
    try:
        for path, data in files.items():
            with open(f"{path}.part", "wb") as file:
                file.write(data)
        for path in files:
            os.replace(f"{path}.part", path)
    except OSError as error:
        for one in files:
            if os.path.exists(f"{one}.part"):
                os.remove(f"{one}.part")
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        print(f"macrame: {error}", file=sys.stderr)
        sys.exit(2)
    except Exception as error:  # of a library, or a mistake of ours
        print(f"macrame: internal error: {type(error).__name__}: {str(error).splitlines()[:1]}",
              file=sys.stderr)
        sys.exit(3)
