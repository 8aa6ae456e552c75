#!/usr/bin/env python3
"""The system around ${top}, by LiteX: VexRiscv, RAM, UART, timer, the accelerator.

    python3 soc.py --mhz 50 --ram-kib 1024 --baud 115200 --out build

writes build/gateware/ with soc.v, all other Verilog, a list of it and the contents of the RAM, and
headers for the firmware. Made by macrame ${version}.
"""
import argparse
import os
import pathlib
import shutil

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import ClockDomain, LiteXModule
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore

from accelerator import Accelerator
from shared_ram import SharedRam

HERE = pathlib.Path(__file__).resolve().parent
PINS = [("clk", 0, Pins(1)), ("rst", 0, Pins(1)),
        ("serial", 0, Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1)))]
RAM = 0x40000000        # the processor starts here
REGISTERS = 0x80000000  # not cached from here on


class Verilog(GenericPlatform):
    """No FPGA: the Verilog of the system, and a list of all of its files."""

    def build(self, fragment, build_dir, build_name, **_):
        folder = pathlib.Path(build_dir)
        files = [f"{build_name}.v"]
        for path, *_ in self.sources:
            shutil.copy(path, folder)
            files.append(pathlib.Path(path).name)
        (folder / "filelist.f").write_text("".join(f"{name}\n" for name in files))
        made = self.get_verilog(fragment, name=build_name)
        os.chdir(folder)  # contents of memories go to where one is
        made.write(files[0])
        return made.ns


class Clock(LiteXModule):
    def __init__(self, platform):
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")),
                      self.cd_sys.rst.eq(platform.request("rst"))]


class Soc(SoCCore):
    def __init__(self, platform, clock_hz, ram_bytes, baud):
        self.crg = Clock(platform)
        SoCCore.__init__(self, platform, clk_freq=clock_hz, cpu_type="vexriscv",
                         cpu_variant="standard", cpu_reset_address=RAM,
                         integrated_sram_size=0, uart_baudrate=baud, timer_uptime=True)
        self.accelerator = Accelerator(platform, HERE)
        self.bus.add_slave("accelerator", self.accelerator.control,
                           SoCRegion(origin=REGISTERS, size=Accelerator.CONTROL_BYTES,
                                     cached=False))
        self.ram = SharedRam(ram_bytes, self.accelerator.readers, self.accelerator.writers)
        self.bus.add_slave("main_ram", self.ram.bus,
                           SoCRegion(origin=RAM, size=ram_bytes, mode="rwx"))
        self.irq.add("accelerator")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mhz", type=float, default=50)
    parser.add_argument("--ram-kib", type=int, default=1024)
    parser.add_argument("--baud", type=int, default=115200)
    parser.add_argument("--out", default="build")
    options = parser.parse_args()
    soc = Soc(Verilog("", PINS, name="soc"), int(options.mhz * 1e6), options.ram_kib * 1024,
              options.baud)
    Builder(soc, output_dir=options.out, compile_software=False,
            compile_gateware=False).build(build_name="soc")


if __name__ == "__main__":
    main()
