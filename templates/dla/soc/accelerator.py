"""${top} in a LiteX system."""
from litex.gen import LiteXModule
from litex.soc.interconnect import axi

from axi_pins import FULL, LITE, add_bus, instance


class Accelerator(LiteXModule):
    CONTROL_BYTES = ${1024 * control_kib}

    def __init__(self, platform, folder):
        self.control = axi.AXILiteInterface(data_width=32, address_width=32)
        memory = axi.AXIInterface(data_width=${memory_bits}, address_width=${addr_w}, id_width=1)
        self.readers, self.writers = [memory], [memory]
        pins = {}
        add_bus(pins, "s_axi", self.control, LITE, slave=True, address_bits=18)
        add_bus(pins, "m_axi", memory, FULL)
        instance(self, platform, folder, "${top}", pins, clock="aclk", reset="aresetn",
                 interrupt="${interrupt}")
