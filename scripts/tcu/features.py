#!/usr/bin/env python3
"""What each means against waiting brings: clock cycles of short sequences, beside the original.

  scripts/tcu/features.py --macrame build/macrame

Each sequence runs 200 and 400 times in one program on the Verilated design; the difference divided
by 200 is what one of them costs in the long run. Beside it the cycles of the original hardware,
from the measured costs of its instructions (it runs them one after the other), with the same bus
of 128 bits and read latency of 20 cycles.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

LATENCY = 20
BUS = 128  # bits
REPEAT = 200
PRESETS = (("speech_robot", 8), ("zcu104", 32))
SCALAR = 16  # bits of a scalar in both


def beats(n):
    """Beats of a vector on the bus."""
    return max(1, n * SCALAR // BUS)


def block_read(n, size):
    return size * beats(n) + LATENCY + 4 + (beats(n) > 1)


def strided_read(n, size):
    return size * max(beats(n), (LATENCY + beats(n) + 1) / 3) + 5


def block_write(n, size):
    return size * beats(n) + 1


# Puts defined values into what the sequences read.
FILL = ("DataMove(<-) Local(0) DRAM0(0) 1023(+1)\nLoadWeights Local(512) 8(+1)\n"
        "MatMul Local(0) Acc(0) 255(+1)\n")

# Means, sequence, text of it for repetition i and array size n, cycles on the original.
SEQUENCES = (
    ("double-buffered weights", "LoadWeights N+1, MatMul 16",
     lambda i, n: f"LoadWeights Local({i % 2 * 64}) {n}(+1)\n"
                  f"MatMul Local(256) Acc({i % 8 * 16}) 15(+1)\n",
     lambda n: 16 + n + 1 + 2 * n),
    ("no drain of the array", "MatMul 16, its results to local memory",
     lambda i, n: f"MatMul Local(256) Acc({i % 8 * 16}) 15(+1)\n"
                  f"DataMove(<-) Local({512 + i % 8 * 16}) Acc({i % 8 * 16}) 15(+1)\n",
     lambda n: 16 + 16 + 2 + 2 * n),
    ("SIMD read-modify-write each cycle", "8 SIMD, read and write",
     lambda i, n: "".join(f"SIMD(RW) Max(In, R1) -> Out Acc({k}) <- Acc({k + 8})\n"
                          for k in range(8)),
     lambda n: 8 * 4),
    ("requests in flight, strided", "strided read of 64",
     lambda i, n: f"DataMove(<-) Local({i % 8 * 64}) DRAM0(0)@2^3 63(+1)\n",
     lambda n: strided_read(n, 64)),
    ("requests in flight, short reads", "8 reads of 8",
     lambda i, n: "".join(f"DataMove(<-) Local({k * 64}) DRAM1({k * 512}) 7(+1)\n"
                          for k in range(8)),
     lambda n: 8 * block_read(n, 8)),
    ("both banks at once", "read of 64 from each bank",
     lambda i, n: f"DataMove(<-) Local({i % 4 * 64}) DRAM0(0) 63(+1)\n"
                  f"DataMove(<-) Local({512 + i % 4 * 64}) DRAM1(0) 63(+1)\n",
     lambda n: 2 * block_read(n, 64)),
    ("reads beside writes", "read of 64, write of 64",
     lambda i, n: f"DataMove(<-) Local({i % 4 * 64}) DRAM0(0) 63(+1)\n"
                  f"DataMove(->) Local({512 + i % 4 * 64}) DRAM0({4096 + i % 4 * 64}) 63(+1)\n",
     lambda n: block_read(n, 64) + block_write(n, 64)),
    ("transfers beside the array", "read of 64, LoadWeights N+1, MatMul 64 on those before",
     lambda i, n: f"DataMove(<-) Local({i % 4 * 64}) DRAM0(0) 63(+1)\n"
                  f"LoadWeights Local(512) {n}(+1)\n"
                  f"MatMul Local({(i + 2) % 4 * 64}) Acc({i % 2 * 64}) 63(+1)\n",
     lambda n: block_read(n, 64) + 64 + n + 1 + 2 * n),
)


def cycles(macrame, preset, text):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "x.tasm").write_text(text)
        command = [macrame, "simulate", "--preset", preset, "--axi-data-width", str(BUS),
                   "--latency", str(LATENCY), "--program", folder / "x.tasm", "--both", "--quiet",
                   "--csv", folder / "table.csv"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
        return int(next(csv.DictReader(open(folder / "table.csv")))["total_cycles"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    args = parser.parse_args()
    macrame = args.macrame.resolve()
    for preset, n in PRESETS:
        print(f"{preset}: array size N = {n}, bus of {BUS} bits, latency {LATENCY}")
        print(f"  {'means':34}{'original':>9}{'ours':>8}{'times':>7}  sequence")
        for means, sequence, text, original in SEQUENCES:
            short, long = (cycles(macrame, preset, FILL + "".join(text(i, n) for i in range(count)))
                           for count in (REPEAT, 2 * REPEAT))
            ours = (long - short) / REPEAT
            print(f"  {means:34}{original(n):>9.0f}{ours:>8.1f}{original(n) / ours:>7.1f}"
                  f"  {sequence}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
