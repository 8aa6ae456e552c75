#!/usr/bin/env python3
"""Compares what two builds of macrame write: a change of templates must not change the design.

  scripts/same_rtl.py [--rtl] MACRAME_A MACRAME_B [SWEEP...]

SWEEP: files of configurations, a line each; without any scripts/*/sweep.txt, and projects for
every board that takes a preset or one of scripts/*/*.toml.

Files are compared byte for byte; with --rtl only the Verilog of designs, in folders rtl/. Columns
and the first lines of a Verilog file, which name the version and the values that its template
reads, may differ, and with them the checksums in the manifest: files of which only these differ
are counted. The last line is "N passed, N failed".
"""

import concurrent.futures
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Thousands of small files: in memory, if the system has a folder there.
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
HEADER = re.compile(rb"\A// Made by macrame .*\n(?://.*\n)*")


def configurations(sweeps):
    """The commands that write a folder: [words without macrame]."""
    commands = []
    for sweep in sweeps or sorted(glob.glob(f"{ROOT}/scripts/*/sweep.txt")):
        with open(sweep, encoding="utf-8") as file:
            lines = [line.strip().lstrip("*") for line in file]
        commands += [["generate", *shlex.split(line)] for line in lines
                     if line and not line.startswith("#")]
    if not sweeps:
        presets = glob.glob(f"{ROOT}/generator/families/*/presets/*.toml")
        designs = [["--preset", os.path.basename(path)[:-5]] for path in presets]
        designs += [["--config", path] for path in glob.glob(f"{ROOT}/scripts/*/*.toml")]
        for board in sorted(os.listdir(f"{ROOT}/fpga/boards")):
            commands += [["fpga", "--board", board, *design] for design in sorted(designs)]
    return commands


def written(macrame, command, folder):
    """Exit status, messages and {path: bytes} of what macrame writes."""
    result = subprocess.run([os.path.abspath(macrame), *command, "--out", folder], cwd=ROOT,
                            capture_output=True, text=True, check=False)
    said = result.stderr.replace(folder, "DIR")
    files = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return result.returncode, said, files


def essence(path, data):
    """What of a file must not differ."""
    if path.endswith(".v"):
        return re.sub(rb"[ \t]+", b" ", HEADER.sub(b"", data))
    if os.path.basename(path) == "manifest.json":
        manifest = json.loads(data)
        manifest["files"] = [file["path"] for file in manifest.get("files", [])]
        return manifest
    return data


def first_difference(a, b):
    """The first lines that differ, for people."""
    if not (isinstance(a, bytes) and isinstance(b, bytes)):
        return "the manifests differ"
    a, b = a.split(b"\n"), b.split(b"\n")
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    shown = [(lines[at] if at < len(lines) else b"(end)").decode("utf-8", "replace")
             for lines in (a, b)]
    return f"line {at + 1} behind the header\n    {shown[0]}\n    {shown[1]}"


def compare(binaries, command, rtl):
    """(differences, files of which the header alone differs, was it refused?)"""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        (status, said, a), (status_b, said_b, b) = (
            written(macrame, command, os.path.join(scratch, name))
            for macrame, name in zip(binaries, "ab"))
    if (status, said) != (status_b, said_b):
        return [f"status {status} and {status_b}:\n{said}{said_b}"], 0, False
    if rtl:
        a, b = ({path: data for path, data in files.items()
                 if "/rtl/" in f"/{path}" and path.endswith(".v")} for files in (a, b))
    differences = [f"{path}: in one of them only" for path in sorted(set(a) ^ set(b))]
    headers = 0
    for path in sorted(set(a) & set(b)):
        if a[path] == b[path]:
            continue
        kept = essence(path, a[path]), essence(path, b[path])
        if kept[0] == kept[1]:
            headers += path.endswith(".v")
        else:
            differences.append(f"{path}: {first_difference(*kept)}")
    return differences, headers, status != 0


def main(binaries, sweeps, rtl):
    commands = configurations(sweeps)
    passed = failed = refused = headers = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda command: compare(binaries, command, rtl), commands)
        for command, (differences, some, was_refused) in zip(commands, results):
            headers += some
            refused += was_refused
            if not differences:
                passed += not was_refused
                continue
            failed += 1
            print("FAILED", shlex.join(command))
            for difference in differences[:5]:
                print("  " + difference)
            sys.stdout.flush()
    print(f"{refused} refused by both; in {headers} files header or columns alone differ")
    print(f"{passed} passed, {failed} failed")
    return failed == 0 and passed > 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--rtl"]
    if len(words) < 2:
        sys.exit(__doc__)
    sys.exit(0 if main(words[:2], words[2:], "--rtl" in sys.argv) else 1)
