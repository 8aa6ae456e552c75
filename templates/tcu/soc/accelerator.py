"""${top} in a LiteX system."""
from litex.gen import LiteXModule
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from migen import If, Signal

from axi_pins import FULL, LITE, add_bus, instance


class StreamReader(LiteXModule):
    """Reads beats of the RAM, one behind the other, for a stream. A write of `beats` starts it;
    `left`: beats that the stream has not taken yet."""

    def __init__(self, bus, valid, ready, data):
        self.address = CSRStorage(32)
        self.beats = CSRStorage(32)
        self.left = CSRStatus(32)
        at, wanted = Signal(32), Signal(32)
        self.comb += [
            bus.ar.valid.eq(wanted != 0), bus.ar.addr.eq(at), bus.ar.len.eq(0),
            bus.ar.size.eq((bus.data_width // 8).bit_length() - 1),
            bus.ar.burst.eq(axi.BURST_INCR),
            valid.eq(bus.r.valid), bus.r.ready.eq(ready), data.eq(bus.r.data),
        ]
        self.sync += [
            If(bus.ar.valid & bus.ar.ready, at.eq(at + bus.data_width // 8),
               wanted.eq(wanted - 1)),
            If(valid & ready, self.left.status.eq(self.left.status - 1)),
            If(self.beats.re, at.eq(self.address.storage), wanted.eq(self.beats.storage),
               self.left.status.eq(self.beats.storage)),
        ]


class Accelerator(LiteXModule):
    CONTROL_BYTES = ${1024 * control_kib}

    def __init__(self, platform, folder):
        self.control = axi.AXILiteInterface(data_width=32, address_width=32)
        dram0, dram1, program = (axi.AXIInterface(data_width=${memory_bits}, address_width=32, id_width=6)
                                 for _ in range(3))
        self.readers, self.writers = [dram0, dram1, program], [dram0, dram1]
        valid, ready, data = Signal(), Signal(), Signal(${memory_bits})
        self.stream = StreamReader(program, valid, ready, data)
        pins = {"i_instruction_tvalid": valid, "o_instruction_tready": ready,
                "i_instruction_tdata": data, "i_instruction_tlast": 0}
        add_bus(pins, "s_axi", self.control, LITE, slave=True, address_bits=5)
        add_bus(pins, "m_axi_dram0", dram0, FULL)
        add_bus(pins, "m_axi_dram1", dram1, FULL)
        instance(self, platform, folder, "${top}", pins, clock="clock", reset="reset",
                 interrupt="${interrupt}")
