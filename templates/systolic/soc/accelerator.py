"""${top} in a LiteX system."""
from litex.gen import LiteXModule
from litex.soc.interconnect import axi
from migen import Cat, Constant, If, Mux, Replicate, Signal

from axi_pins import FULL, READ, WRITE, add_bus, instance

REGISTERS = ${config_address}


class Accelerator(LiteXModule):
    CONTROL_BYTES = ${1024 * control_kib}

    def __init__(self, platform, folder):
        self.control = axi.AXILiteInterface(data_width=32, address_width=32)
        registers = axi.AXIInterface(data_width=128, address_width=32, id_width=4)
        self.add_words(self.control, registers)
        fetch, load, store = (axi.AXIInterface(data_width=${memory_bits}, address_width=${address_width},
                                               id_width=4) for _ in range(3))
        self.readers, self.writers = [fetch, load], [store]
        pins = {}
        add_bus(pins, "s_axi", registers, FULL, slave=True)
        add_bus(pins, "m_axi_fetch", fetch, READ)
        add_bus(pins, "m_axi_load", load, READ)
        add_bus(pins, "m_axi_store", store, WRITE)
        instance(self, platform, folder, "${top}", pins, clock="clk", reset="rst_n",
                 interrupt="${interrupt}")

    def add_words(self, narrow, wide):
        """An access to a word is a burst of one beat, of 4 of the 16 bytes."""
        for channel in ("aw", "ar"):
            command, burst = getattr(narrow, channel), getattr(wide, channel)
            self.comb += [burst.valid.eq(command.valid), command.ready.eq(burst.ready),
                          burst.addr.eq(REGISTERS + command.addr[:12]), burst.len.eq(0),
                          burst.size.eq(2), burst.burst.eq(axi.BURST_INCR)]
        # Data may come behind their address.
        last_written, written, read = Signal(2), Signal(2), Signal(2)
        self.sync += [If(narrow.aw.valid, last_written.eq(narrow.aw.addr[2:4])),
                      If(narrow.ar.valid, read.eq(narrow.ar.addr[2:4]))]
        self.comb += [
            written.eq(Mux(narrow.aw.valid, narrow.aw.addr[2:4], last_written)),
            wide.w.valid.eq(narrow.w.valid), narrow.w.ready.eq(wide.w.ready),
            wide.w.data.eq(Replicate(narrow.w.data, 4)), wide.w.last.eq(1),
            wide.w.strb.eq(narrow.w.strb << Cat(Constant(0, 2), written)),
            narrow.b.valid.eq(wide.b.valid), wide.b.ready.eq(narrow.b.ready),
            narrow.b.resp.eq(wide.b.resp),
            narrow.r.valid.eq(wide.r.valid), wide.r.ready.eq(narrow.r.ready),
            narrow.r.data.eq(wide.r.data >> Cat(Constant(0, 5), read)), narrow.r.resp.eq(wide.r.resp),
        ]
