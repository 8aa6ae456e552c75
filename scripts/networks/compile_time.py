#!/usr/bin/env python3
"""Seconds and memory that the compiler takes for networks, as a table.

    compile_time.py MACRAME FOLDER ... [--configurations C ...] [--commands estimate compile]
                    [--most-seconds S] [--most-mb M]

Each FOLDER is a network, with model.tflite or model.onnx, or has folders of networks, as large.py
makes them. A configuration is a preset, with options of macrame ("nv_small --exact"), or a TOML
file. Seconds are those of one core (user and system), so that other work on the machine counts
less; wall time is beside them. Memory is the most that was resident. A network that is refused has
its message. Status 1: one of them took more than --most-seconds or --most-mb, or was ended by a
signal, or all were refused.
"""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from zoo import networks_of, one_of

CONFIGURATIONS = ["nv_small", "nv_large", "16x16", "zcu104"]


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--configurations", nargs="+", default=CONFIGURATIONS)
    parser.add_argument("--commands", nargs="+", choices=["estimate", "compile"],
                        default=["estimate", "compile"])
    parser.add_argument("--most-seconds", type=float, default=10, help="(%(default)s)")
    parser.add_argument("--most-mb", type=float, default=500, help="(%(default)s)")
    return parser.parse_args()


def measure(command):
    """(status, last line of what it says, seconds of a core, seconds of wall time, MB)."""
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)  # of this process alone
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines() or [""]
    return (process.returncode, lines[-1], used.ru_utime + used.ru_stime, wall,
            used.ru_maxrss / 1024)


def command_of(given, name, model, configuration, scratch):
    first, *more = shlex.split(configuration)
    option = "--config" if first.endswith(".toml") else "--preset"
    out = ["--out", scratch] if name == "compile" else []
    return [given.macrame, name, model, option, first, *more, *out]


def main():
    given = options()
    ran = bad = 0
    print("| network | configuration | command | s of a core | s | MB | |")
    print("|---|---|---|--:|--:|--:|---|")
    for folder in networks_of(given.folders):
        model = one_of(folder, "model.tflite", "model.onnx")
        for configuration in given.configurations:
            for name in given.commands:
                with tempfile.TemporaryDirectory() as scratch:
                    status, text, seconds, wall, megabytes = measure(
                        command_of(given, name, model, configuration, scratch))
                much = seconds > given.most_seconds or megabytes > given.most_mb
                ran += status == 0
                bad += much or status < 0
                note = " ".join((["**too much**"] if much else []) +
                                ([f"status {status}: {text[:160]}"] if status else []))
                print(f"| {folder.name} | {configuration} | {name} | {seconds:.1f} | {wall:.1f} | "
                      f"{megabytes:.0f} | {note} |", flush=True)
    if ran == 0:
        print("nothing ran: want folders with model.tflite or model.onnx, and what takes them",
              file=sys.stderr)
    sys.exit(bad > 0 or ran == 0)


if __name__ == "__main__":
    main()
