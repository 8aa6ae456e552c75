"""${top} in a LiteX system."""
from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream
from migen import If, Signal

from axi_pins import FULL, LITE, add_bus, instance

POSTED = 16  # writes that may wait for the registers to take them


class PostedWrites(LiteXModule):
    """Writes of `processor` are answered as soon as there is room for them to wait. A read comes
    behind all of them. What `registers` answers to a write is dropped: it knows no error."""

    def __init__(self, processor, registers):
        layout = [("addr", processor.address_width), ("data", processor.data_width),
                  ("strb", processor.data_width // 8)]
        self.queue = queue = stream.SyncFIFO(layout, depth=POSTED, buffered=False)
        taken, answer, done = Signal(), Signal(), Signal()
        addressed, written = Signal(), Signal()  # of the write in front
        left = Signal(max=2 * POSTED)             # not answered by the registers yet
        self.comb += [
            taken.eq(processor.aw.valid & processor.w.valid & queue.sink.ready & ~answer),
            processor.aw.ready.eq(taken),
            processor.w.ready.eq(taken),
            processor.b.valid.eq(answer),
            processor.b.resp.eq(axi.RESP_OKAY),
            queue.sink.valid.eq(taken),
            queue.sink.addr.eq(processor.aw.addr),
            queue.sink.data.eq(processor.w.data),
            queue.sink.strb.eq(processor.w.strb),
            registers.aw.valid.eq(queue.source.valid & ~addressed),
            registers.aw.addr.eq(queue.source.addr),
            registers.w.valid.eq(queue.source.valid & ~written),
            registers.w.data.eq(queue.source.data),
            registers.w.strb.eq(queue.source.strb),
            done.eq(queue.source.valid & (addressed | registers.aw.ready)
                    & (written | registers.w.ready)),
            queue.source.ready.eq(done),
            registers.b.ready.eq(1),
            registers.ar.valid.eq(processor.ar.valid & (left == 0)),
            registers.ar.addr.eq(processor.ar.addr),
            processor.ar.ready.eq(registers.ar.ready & (left == 0)),
            registers.r.connect(processor.r),
        ]
        self.sync += [
            If(taken, answer.eq(1)).Elif(processor.b.ready, answer.eq(0)),
            addressed.eq(~done & (addressed | (registers.aw.valid & registers.aw.ready))),
            written.eq(~done & (written | (registers.w.valid & registers.w.ready))),
            left.eq(left + taken - registers.b.valid),
        ]


class Accelerator(LiteXModule):
    CONTROL_BYTES = ${1024 * control_kib}

    def __init__(self, platform, folder):
        self.control = axi.AXILiteInterface(data_width=32, address_width=32)
        registers = axi.AXILiteInterface(data_width=32, address_width=32)
        self.posted = PostedWrites(self.control, registers)
        memory = axi.AXIInterface(data_width=${memory_bits}, address_width=${addr_w}, id_width=1)
        self.readers, self.writers = [memory], [memory]
        pins = {}
        add_bus(pins, "s_axi", registers, LITE, slave=True, address_bits=18)
        add_bus(pins, "m_axi", memory, FULL)
        instance(self, platform, folder, "${top}", pins, clock="aclk", reset="aresetn",
                 interrupt="${interrupt}")
