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

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "fpga/test"))
from board_program import Board, lint_all, run  # noqa: E402

MACRAME = None
FOLDER = None
SMALL = ["--preset", "4x4", "--axi-data-width", "64"]
# In a small FPGA, with 4 KiB of memory.
TINY = ["--config", ROOT / "scripts/systolic/ice40.toml"]
# Two folds of one tile, a maximum, and both kinds of STORE; tokens order all of it.
TINY_PROGRAM = """
LOAD  dram_address=0x101 sram_address=0x2000000 x_size=1 y_size=4 z_size=2 z_stride=2 bitwidth=1
LOAD  push_next dram_address=0x203 sram_address=0x1000000 x_size=3 y_size=5 z_size=2 z_stride=2 y_stride=7 bitwidth=1
GEMM  pop_prev ofmap_height=3 ofmap_width=5 active_rows=2 active_cols=2 stride_h=5 stride_w=1
GEMM  push_next weight_address=2 input_address=1 ofmap_height=3 ofmap_width=5 active_rows=2 active_cols=2 stride_h=5 stride_w=1 pad_right=1 preload_output=1
ALU   pop_prev push_next alu_opcode=max output_height=2 output_width=4 window_height=2 window_width=2 mem_stride_ow=5 mem_stride_r=1 mem_stride_s=5 output_address=20 num_active=2
STORE pop_prev dram_address=0x901 sram_address=0x3000028 x_size=2 y_size=4 z_size=2 z_stride=3 y_stride=5 bitwidth=1
STORE dram_address=0x2a02 sram_address=0x3000000 x_size=1 y_size=15 z_size=2 z_stride=2
"""
# It waits for a token that nobody gives.
LONELY = "GEMM pop_prev\n"


class Boards(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def play(self, board, configuration, *options):
        with board as port:
            done = run(MACRAME, "host", "--port", port, *configuration, *options)
        self.assertEqual(board.said, "")
        return done

    def program(self, text):
        (self.folder / "x.sasm").write_text(text)
        return ["--program", self.folder / "x.sasm"]

    def random(self, board, configuration, count):
        done = self.play(board, configuration, "--random", count, "--both")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{count} passed, 0 failed", done.stdout)

    def test_block_ram(self):
        board = Board(MACRAME, FOLDER / "small", SMALL, "ecp5-evn")
        self.random(board, SMALL, 8)
        # Bytes that lie 128 KiB, its memory, from each other.
        done = self.play(board, SMALL, *self.program(
            "LOAD sram_address=0x3000000 x_size=1 y_size=1 z_size=4 dram_address=0x1000\n"
            "LOAD sram_address=0x3000010 x_size=1 y_size=1 z_size=4 dram_address=0x21000\n"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("does not fit the memory of the board, 128 KiB", done.stdout)
        # Another configuration than that of the board.
        done = self.play(board, ["--preset", "8x8"], *self.program(LONELY))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the board holds another configuration: want 8x8", done.stdout)

    def test_small_fpga(self):
        before = self.folder / "before.bin"
        before.write_bytes(random.Random(1).randbytes(0x500))
        program = [*self.program(TINY_PROGRAM), "--memory", before]
        after = self.folder / "model.bin"
        done = run(MACRAME, "simulate", "--model", *TINY, *program, "--dump", after)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn(after.read_bytes()[0x901:0x930], [bytes(0x2f), b""])
        board = Board(MACRAME, FOLDER / "tiny", TINY, "ice40-hx8k-evn")
        done = self.play(board, TINY, *program, "--expect", after)
        self.assertEqual(done.returncode, 0, done.stdout)
        # It is reset before the next program.
        done = self.play(board, TINY, *self.program(LONELY))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("it stands still", done.stdout)
        self.assertNotIn("RESET", done.stdout)  # which has stopped it
        done = self.play(board, TINY, *self.program(TINY_PROGRAM), "--memory", before, "--both")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_sdram(self):
        self.random(Board(MACRAME, FOLDER / "small_sdram", SMALL, "ulx3s-85f"), SMALL, 4)


class Lint(unittest.TestCase):
    def test_tops(self):
        linted = lint_all(MACRAME, FOLDER, SMALL, TINY)
        self.assertEqual({board: text for board, text in linted.items() if text}, {})
        self.assertGreaterEqual(len(linted), 4, linted)


def main():
    global MACRAME, FOLDER
    MACRAME, FOLDER = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)


if __name__ == "__main__":
    main()
