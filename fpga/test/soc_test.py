#!/usr/bin/env python3
"""Folders of macrame soc without LiteX: every file that another one names is there; what no system
serves is refused, with the reason.

    fpga/test/soc_test.py MACRAME
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGITS = ROOT / "compiler/examples/digits"
NETWORK = DIGITS / "digits.tflite"
PICTURE = DIGITS / "pictures/7.png"
REFUSED = [
    (["--preset", "nv_large"], PICTURE, "secondary-memif-enable = true: want false"),
    (["--preset", "nv_small", "--bus-clock", "own"], PICTURE, "bus-clock = own: want core"),
    (["--preset", "8x8", "--address-width", "24"], PICTURE, "address-width = 24: want at least 31"),
    (["--preset", "cmoda7", "--sample-block-size", "16"], PICTURE, "sample-block-size = 16: want 0"),
    (["--preset", "nv_small"], DIGITS / "pictures", "10 inputs: want one"),
]


def soc(macrame, folder, choice, picture):
    return subprocess.run([macrame, "soc", NETWORK, *choice, "--input", picture, "--out", folder],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def absent(folder):
    """Files that are named and not there."""
    sources = (folder / "filelist.f").read_text().split()
    contents = re.findall(r'\.incbin "(.*)"', (folder / "network/network.S").read_text())
    makefile = (folder / "network/network_host.mk").read_text()
    runtime = re.findall(r"\$\(MACRAME_RUNTIME\)/(\S+\.c)", makefile)
    if not sources or not contents or not runtime:
        return ["what is in one of the lists"]
    named = sources + contents + [f"runtime/{name}" for name in runtime]
    named += ["soc.py", "accelerator.py", "firmware/machine.c", "firmware/machine.mk"]
    return [name for name in named if not (folder / name).exists()]


def main():
    macrame = pathlib.Path(sys.argv[1]).resolve()
    faults = []
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        configurations = sorted(ROOT.glob("scripts/*/soc.toml"))
        for config in configurations:
            to = folder / config.parent.name
            done = soc(macrame, to, ["--config", config], PICTURE)
            faults += [f"{config}: {done.stdout}"] if done.returncode else \
                [f"{config}: {name} is not there" for name in absent(to)]
        for choice, picture, wanted in REFUSED:
            done = soc(macrame, folder / "refused", choice, picture)
            if done.returncode == 0 or wanted not in done.stdout:
                faults.append(f"{choice}: found {done.stdout!r}: want {wanted!r}")
            if (folder / "refused").exists():
                faults.append(f"{choice}: refused, but files were written")
    print("\n".join(faults) or f"{len(configurations)} systems are whole, {len(REFUSED)} refused")
    return 1 if faults or not configurations else 0


if __name__ == "__main__":
    sys.exit(main())
