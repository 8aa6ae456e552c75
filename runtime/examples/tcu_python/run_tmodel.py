#!/usr/bin/env python3
"""Runs a .tmodel on a board with a processor (PYNQ-Z1, Ultra96-V2, ZCU104) from Linux.

    run_tmodel.py PROJECT UIO BUFFER NET.tmodel CHANNELS INPUT.f32 [OUTPUT_CHANNELS]

PROJECT is the folder that `macrame fpga` wrote, UIO the device of axi_dma_0 (uio0), whose map 1, where
there is one, has the registers of the tensor unit (identity, bus errors). BUFFER is one of
u-dma-buf (udmabuf0) that begins at a multiple of 64 KiB below 4 GiB. INPUT.f32 has float32 numbers,
pixel after pixel. Prints the output and the number of its largest element.
"""

import array
import mmap
import os
import pathlib
import re
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import macrame_tcu  # noqa: E402


def defines(header):
    """Numbers of #define lines."""
    found = re.findall(r"^#define (\w+) (0x[0-9A-Fa-f]+|\d+)u?\b", header.read_text(), re.M)
    return {name: int(value, 0) for name, value in found}


def map_device(path, size, number=0):
    """Of a UIO device map `number`."""
    file = os.open(path, os.O_RDWR | os.O_SYNC)
    return mmap.mmap(file, size, offset=number * mmap.PAGESIZE)


def accesses(registers):
    """Functions that read and write 32 bits of a map."""
    return (lambda address: struct.unpack_from("<I", registers, address)[0],
            lambda address, value: struct.pack_into("<I", registers, address, value))


def open_machine(project, uio, buffer, network):
    board = defines(project / "include/board.h")
    registers = map_device(f"/dev/{uio}", 4096)
    folder = pathlib.Path("/sys/class/u-dma-buf") / buffer
    address = int((folder / "phys_addr").read_text(), 16)
    memory = macrame_tcu.Block(
        map_device(f"/dev/{buffer}", int((folder / "size").read_text())), address)

    blocks, at = [], 0
    for size in (network.dram0_bytes, network.dram1_bytes, network.stream_bytes):
        size = -(-size // 65536) * 65536
        blocks.append(memory.part(at, size))
        at += size

    core = None
    if pathlib.Path(f"/sys/class/uio/{uio}/maps/map1").exists():
        core = accesses(map_device(f"/dev/{uio}", 4096, 1))
    dma = macrame_tcu.AxiDma(*accesses(registers), blocks[2], board["BOARD_BEAT_BYTES"],
                             board["BOARD_DMA_LENGTH_BITS"])
    return macrame_tcu.Machine(
        project / "include/architecture.tarch", board["BOARD_BEAT_BYTES"], *blocks, dma.send,
        wait=lambda: time.sleep(0.0001), registers=core, drain=dma.drain,
        identity=defines(project / "include/tcu_params.h")["TCU_IDENTITY"])


def load(network, machine):
    """Behind a bus error of an earlier run the unit has to be reset."""
    try:
        network.load(machine)
    except macrame_tcu.Error as error:
        if error.code != macrame_tcu.BUS_ERROR:
            raise
        network.reset(machine)
        network.load(machine)


def main():
    if len(sys.argv) not in (7, 8):
        sys.exit(__doc__)
    project, uio, buffer, model, channels, path = sys.argv[1:7]
    network = macrame_tcu.Network(model)
    machine = open_machine(pathlib.Path(project), uio, buffer, network)
    values = array.array("f", pathlib.Path(path).read_bytes())
    load(network, machine)
    start = time.monotonic()
    wanted = [int(sys.argv[7])] if len(sys.argv) == 8 else None
    output = network.run(machine, [values], [int(channels)], wanted)[0]
    print(f"{1000 * (time.monotonic() - start):.1f} ms", *output)
    print("largest:", output.index(max(output)))


if __name__ == "__main__":
    main()
