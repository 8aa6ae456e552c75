#!/usr/bin/env python3
"""Estimated times of configurations for the twelve networks of the presets fit_*, as a table.

  scripts/explore/times.py --macrame build/macrame [--mhz 100] [--memory-bytes-per-cycle N]
      [--models FOLDER] [--networks NAME...] --configurations "--preset fit_7010" ...

FOLDER has a folder per network with model.tflite (MACRAME_MODELS). The mean is geometric; times
have the host's share, at --host-mhz. A configuration is arguments of macrame estimate.
"""
import argparse
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

NETWORKS = (
    "kws_dscnn", "ic_resnet8", "vww_mobilenet", "zoo/tiny__str_ww_ref_model",
    "zoo/tiny__model_ToyCar_quant_fullint", "mnist_valid_q", "mnist_resnet_q",
    "zoo/mltk__rock_paper_scissors", "zoo/mltk__image_example1",
    "zoo/micro-wake-word-models__alexa_2", "zoo/mltk__keyword_spotting_on_off_v3",
    "zoo/tflite-micro__test_conv_model.cc_carray")


def milliseconds(given, network, configuration):
    command = [given.macrame, "estimate", given.models / network / "model.tflite",
               *shlex.split(configuration)]
    if given.memory_bytes_per_cycle:
        command += ["--memory-bytes-per-cycle", given.memory_bytes_per_cycle]
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        done = subprocess.run([str(c) for c in (*command, "--json", report)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}")
        told = json.loads(report.read_text())
    return (told["total_cycles"] / (1000 * given.mhz)
            + told["work"]["host_cycles"] / (1000 * given.host_mhz))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame")
    parser.add_argument("--models", type=pathlib.Path, default=os.environ.get("MACRAME_MODELS"))
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--configurations", nargs="+", required=True)
    parser.add_argument("--mhz", type=float, default=100)
    parser.add_argument("--host-mhz", type=float, default=1000)
    parser.add_argument("--memory-bytes-per-cycle", type=float, default=0)
    given = parser.parse_args()
    if given.models is None:
        parser.error("want --models, or MACRAME_MODELS")
    given.models = pathlib.Path(given.models)
    names = [network.split("/")[-1].split("__")[-1] for network in given.networks]
    print(f"| configuration | mean, ms | {' | '.join(names)} |")
    print("|---|--:|" + "--:|" * len(names))
    for configuration in given.configurations:
        times = [milliseconds(given, network, configuration) for network in given.networks]
        mean = math.exp(sum(map(math.log, times)) / len(times))
        print(f"| {configuration} | {mean:.3f} | {' | '.join(f'{ms:.3f}' for ms in times)} |",
              flush=True)


if __name__ == "__main__":
    main()
