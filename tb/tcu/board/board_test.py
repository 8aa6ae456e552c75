#!/usr/bin/env python3
"""Boards as programs: the Verilated top of a board behind a pseudo-terminal, and `macrame host` at
the other end; lint of all tops.

    board_test.py MACRAME FOLDER [TEST...]        FOLDER: for builds
"""

import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "fpga/test"))
from board_program import Board, lint_all, run  # noqa: E402

MACRAME = None
FOLDER = None
SMALL = ["--family", "tcu", "--array-size", "4", "--local-depth", "250", "--accumulator-depth", "60",
         "--dram0-depth", "65536", "--dram1-depth", "65536", "--axi-data-width", "64",
         "--queue-depth", "64"]
# In a small FPGA, with 4 KiB of memory.
TINY = ["--config", pathlib.Path(__file__).resolve().parents[3] / "scripts/tcu/ice40.toml"]
TINY_PROGRAM = """DataMove(<-) Local(0) DRAM1(0) 2(+1)
DataMove(<-) Local(8) DRAM0(0)@2^1 15(+1)
LoadWeights Local(0) 2(+1)
MatMul Local(8) Acc(0) 15(+1)
MatMul(Acc) Local(16) Acc(0) 7(+1)
SIMD Zero() -> R1 Acc(0) <- Acc(0)
SIMD(RW) Max(In, R1) -> Out Acc(3) <- Acc(3)
LoadWeights Local(8) 2(+1)
MatMul(Acc) Local(10) Acc(4) 7(+1)
DataMove(<-) Local(32) Acc(0) 15(+1)
DataMove(->) Local(32) DRAM0(101) 15(+1)
DataMove(->) Local(36) DRAM1(70)@2^1 7(+1)
DataMove(<-) Local(36) DRAM1(71)@2^1 6(+1)
DataMove(->) Local(36) DRAM0(3) 6(+1)
"""
# Weights, inputs and results in both banks, the second set at an offset of 64 KiB.
PROGRAM = """DataMove(<-) Local(0) DRAM1(0) 4(+1)
DataMove(<-) Local(8) DRAM0(0)@2^1 15(+1)
LoadWeights Local(0) 4(+1)
MatMul Local(8) Acc(0) 15(+1)
MatMul(Acc) Local(16) Acc(0) 7(+1)
SIMD Zero() -> R1 Acc(0) <- Acc(0)
SIMD(RW) Max(In, R1) -> Out Acc(3) <- Acc(3)
DataMove(<-) Local(32) Acc(0) 15(+1)
DataMove(->) Local(32) DRAM0(100) 15(+1)
DataMove(->) Local(36) DRAM1(2000)@2^2 7(+1)
Configure DRAM0Offset 1
DataMove(<-) Local(64) DRAM0(0) 31(+1)
DataMove(->) Local(64) DRAM0(3000) 31(+1)
"""


class Boards(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.fill(0x11000)

    def fill(self, size):
        """Images of this many bytes for both banks."""
        numbers = random.Random(1)
        for bank in (0, 1):
            (self.folder / f"in{bank}").write_bytes(numbers.randbytes(size))

    def program(self, text):
        (self.folder / "x.tasm").write_text(text)
        return ["--program", self.folder / "x.tasm"]

    def images(self, where):
        files = [self.folder / f"{where}{bank}" for bank in (0, 1)]
        return files, ["--dram0", self.folder / "in0", "--dram1", self.folder / "in1",
                       "--dump-dram0", files[0], "--dump-dram1", files[1]]

    def play(self, board, configuration, *options):
        with board as port:
            done = run(MACRAME, "host", "--port", port, *configuration, *options)
        self.assertEqual(board.said, "")
        return done

    def check(self, board, configuration=SMALL, text=PROGRAM):
        """The program on board and model; both leave the same in the banks."""
        program = self.program(text)
        model, options = self.images("model")
        done = run(MACRAME, "simulate", "--model", *configuration, *program, *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        found, options = self.images("board")
        done = self.play(board, configuration, *program, *options)
        self.assertEqual(done.returncode, 0, done.stdout)
        for bank in (0, 1):
            after = found[bank].read_bytes()
            self.assertTrue(after == model[bank].read_bytes(), f"bank {bank}")
            before = (self.folder / f"in{bank}").read_bytes()
            self.assertTrue(after[:len(before)] != before, f"bank {bank}")

    def test_block_ram(self):
        board = Board(MACRAME, FOLDER / "small", SMALL, "ecp5-evn")
        self.check(board)
        # 65536 vectors of 8 bytes are more than its 128 KiB.
        done = self.play(board, SMALL, *self.program(
            "DataMove(<-) Local(0) DRAM0(0)@2^7 249(+1)\n" +
            "DataMove(<-) Local(0) DRAM0(1)@2^7 249(+1)\n"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("does not fit the memory of the board, 128 KiB", done.stdout)
        done = self.play(board, SMALL, *self.program(
            "Configure DRAM1Offset 16384\nDataMove(<-) Local(0) DRAM1(1) 0(+1)\n"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("uses address 0x40000008 of bank 1: want less than 1 GiB", done.stdout)
        # Another configuration than that of the board.
        done = self.play(board, ["--preset", "cmoda7"], *self.program(PROGRAM))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the board holds another configuration: want cmoda7", done.stdout)

    def test_small_fpga(self):
        self.fill(256)
        board = Board(MACRAME, FOLDER / "tiny", TINY, "ice40-hx8k-evn")
        self.check(board, TINY, TINY_PROGRAM)
        done = self.play(board, TINY, "--random", "8", "--both")
        self.assertEqual(done.returncode, 0, done.stdout)
        done = self.play(board, TINY, *self.program(
            "Configure DRAM1Offset 4096\nDataMove(<-) Local(0) DRAM1(1) 0(+1)\n"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("uses address 0x10000002 of bank 1: want less than 256 MiB", done.stdout)

    def test_sdram(self):
        self.check(Board(MACRAME, FOLDER / "small_sdram", SMALL, "ulx3s-85f"))


class Lint(unittest.TestCase):
    def test_tops(self):
        linted = lint_all(MACRAME, FOLDER, SMALL, TINY)
        self.assertEqual({board: text for board, text in linted.items() if text}, {})
        self.assertGreaterEqual(len(linted), 8, linted)


def main():
    global MACRAME, FOLDER
    MACRAME, FOLDER = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)


if __name__ == "__main__":
    main()
