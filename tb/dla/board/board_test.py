#!/usr/bin/env python3
"""Boards as programs: the Verilated top of a board behind a pseudo-terminal, and `macrame host` at
the other end; lint of all tops.

    board_test.py MACRAME FOLDER [TEST...]        FOLDER: for builds

Traces.test_published plays published traces from the folder MACRAME_CONFORMANCE. Exit status 77 if
all tests that were asked for are skipped.
"""

import binascii
import os
import pathlib
import pty
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "fpga/test"))
from board_program import Board, lint_all, run  # noqa: E402

MACRAME = None
FOLDER = None
SMALLEST = pathlib.Path(__file__).resolve().parents[3] / "scripts/dla/smallest.toml"
TRACES = ["dc_1x1x8_1x1x8x1_int8_0", "dc_8x8x36_4x4x36x16_dilation_int8_0",
          "sdp_3x3x33_bs_bn_int8_0", "sdp_8x8x32_bypass_int8_0", "pdp_7x9x10_3x3_int8",
          "pdp_24x16x1_8x8_ave_int8_0", "cdp_8x8x32_lrn5_int8_0"]

# A cube through the SDP as it is: %s are addresses, then contents and checksum.
PASS_THROUGH = """mem_load(pri_mem, 0x%(source)x, "cube.dat");
mem_init(pri_mem, 0x%(target)x, 0x%(size)x, ALL_ZERO);
reg_write(NVDLA_SDP_RDMA.D_DATA_CUBE_WIDTH_0, 0x%(width)x);
reg_write(NVDLA_SDP_RDMA.D_DATA_CUBE_HEIGHT_0, 0x0);
reg_write(NVDLA_SDP_RDMA.D_DATA_CUBE_CHANNEL_0, 0x7);
reg_write(NVDLA_SDP_RDMA.D_SRC_BASE_ADDR_LOW_0, 0x%(source)x);
reg_write(NVDLA_SDP_RDMA.D_SRC_LINE_STRIDE_0, 0x%(size)x);
reg_write(NVDLA_SDP_RDMA.D_SRC_SURFACE_STRIDE_0, 0x%(size)x);
reg_write(NVDLA_SDP_RDMA.D_SRC_DMA_CFG_0, 0x1);
reg_write(NVDLA_SDP_RDMA.D_BRDMA_CFG_0, 0x1);
reg_write(NVDLA_SDP_RDMA.D_NRDMA_CFG_0, 0x1);
reg_write(NVDLA_SDP_RDMA.D_ERDMA_CFG_0, 0x1);
reg_write(NVDLA_SDP.D_DATA_CUBE_WIDTH_0, 0x%(width)x);
reg_write(NVDLA_SDP.D_DATA_CUBE_HEIGHT_0, 0x0);
reg_write(NVDLA_SDP.D_DATA_CUBE_CHANNEL_0, 0x7);
reg_write(NVDLA_SDP.D_DST_BASE_ADDR_LOW_0, 0x%(target)x);
reg_write(NVDLA_SDP.D_DST_LINE_STRIDE_0, 0x%(size)x);
reg_write(NVDLA_SDP.D_DST_SURFACE_STRIDE_0, 0x%(size)x);
reg_write(NVDLA_SDP.D_DST_DMA_CFG_0, 0x1);
reg_write(NVDLA_SDP.D_DP_BS_CFG_0, 0x1);
reg_write(NVDLA_SDP.D_DP_BN_CFG_0, 0x1);
reg_write(NVDLA_SDP.D_DP_EW_CFG_0, 0x1);
reg_write(NVDLA_SDP.D_CVT_SCALE_0, 0x1);
reg_write(NVDLA_SDP.D_FEATURE_MODE_CFG_0, 0x0);
reg_write(NVDLA_SDP.D_OP_ENABLE_0, 0x1);
reg_write(NVDLA_SDP_RDMA.D_OP_ENABLE_0, 0x1);
intr_notify(SDP_0, sync_id_0);
check_crc(sync_id_0, 1, 0x%(target)x, 0x%(size)x, 0x%(crc)08x);
"""


class OnBoard(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def play(self, board, configuration, *options):
        with board as port:
            done = run(MACRAME, "host", "--port", port, *configuration, *options)
        self.assertEqual(board.said, "")
        return done

    def fails(self, status, text, *command):
        done = run(MACRAME, "host", *command)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(text, done.stdout)


class Boards(OnBoard):
    def trace(self, cube, source=0x80001000, target=0x9fff0000):
        """A trace that copies the cube, in its folder; with another checksum it must fail."""
        folder = self.folder / "copy"
        folder.mkdir(exist_ok=True)
        lines = [f"{{offset:0x{at:x}, size:8, payload:"
                 + " ".join(f"0x{b:02x}" for b in cube[at:at + 8]) + "} ,\n"
                 for at in range(0, len(cube), 8)]
        (folder / "cube.dat").write_text("{\n" + "".join(lines) + "}\n")
        (folder / "copy.cfg").write_text(PASS_THROUGH % {
            "source": source, "target": target, "size": len(cube), "width": len(cube) // 8 - 1,
            "crc": binascii.crc32(cube)})
        return folder

    def test_block_ram(self):
        configuration = ["--config", SMALLEST]
        board = Board(MACRAME, FOLDER / "smallest", configuration, "ecp5-evn")
        cube = random.Random(1).randbytes(800)
        folder = self.trace(cube)
        done = self.play(board, configuration, "--trace", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 passed, 0 failed", done.stdout)
        # The board really computes: a wrong checksum is seen.
        text = (folder / "copy.cfg").read_text()
        (folder / "copy.cfg").write_text(text.replace(f"0x{binascii.crc32(cube):08x}", "0x1"))
        done = self.play(board, configuration, "--trace", folder)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("checksum", done.stdout)
        # Too large for its memory.
        done = self.play(board, configuration, "--trace", self.trace(bytes(128 * 1024)))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("does not fit the memory of the board, 128 KiB", done.stdout)
        # Another configuration than that of the board.
        done = self.play(board, ["--preset", "nv_small"], "--trace", folder)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the board holds another configuration: want nv_small", done.stdout)

    def test_sdram(self):
        configuration = ["--preset", "nv_small"]
        board = Board(MACRAME, FOLDER / "nv_small", configuration, "ulx3s-85f")
        picture, model = self.folder / "picture.png", self.folder / "model.png"
        done = self.play(board, configuration, "--picture", "--png", picture)
        self.assertEqual(done.returncode, 0, done.stdout)
        run(MACRAME, "simulate", *configuration, "--model", "--picture", "--png", model)
        self.assertEqual(picture.read_bytes(), model.read_bytes())
        done = self.play(board, ["--preset", "nv_large"], "--picture")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("the board holds nv_small: want nv_large", done.stdout)

    def test_no_board(self):
        none = self.folder / "none"
        self.fails(2, "want a serial device", "--port", none, "--picture")
        self.fails(2, "not a terminal: want a serial device", "--port", "/dev/null", "--picture")
        self.fails(2, f"{none}: no such file or folder (--trace)", "--port", none, "--trace", none)
        silent, terminal = pty.openpty()
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.close, silent)
        self.fails(2, "no answer: want a board with its bitstream loaded and the speed of its line",
                   "--port", os.ttyname(terminal), "--picture")


class Lint(unittest.TestCase):
    def test_tops(self):
        linted = lint_all(MACRAME, FOLDER, ["--preset", "nv_small"])
        self.assertEqual({board: text for board, text in linted.items() if text}, {})
        self.assertGreaterEqual(len(linted), 7, linted)


class Traces(OnBoard):
    def test_published(self):
        folder = os.environ.get("MACRAME_CONFORMANCE")
        if not folder:
            self.skipTest("SKIPPED: MACRAME_CONFORMANCE is not set")
        configuration = ["--preset", "nv_small"]
        board = Board(MACRAME, FOLDER / "nv_small", configuration, "ulx3s-85f")
        traces = [pathlib.Path(folder).resolve() / "nv_small" / name for name in TRACES]
        done = self.play(board, configuration, "--trace", *traces)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{len(TRACES)} passed, 0 failed", done.stdout)


def main():
    global MACRAME, FOLDER
    MACRAME, FOLDER = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    FOLDER.mkdir(parents=True, exist_ok=True)
    tests = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False, verbosity=2).result
    skipped = tests.skipped and len(tests.skipped) == tests.testsRun
    sys.exit(77 if skipped else not tests.wasSuccessful())


if __name__ == "__main__":
    main()
