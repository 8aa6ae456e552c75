"""RAM that the processor shares with the accelerator: a Wishbone port for the one, AXI ports for the
other."""

from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream, wishbone
from migen import READ_FIRST, Case, If, Memory, Signal

WAITING = 4  # answers that may wait for an AXI master to take them


class SharedRam(LiteXModule):
    """The AXI interfaces, all of one width, take turns at the second port of a block RAM: an access
    per cycle. Of `readers` the channels ar and r are used, of `writers` aw, w and b."""

    autocsr_exclude = {"mem"}  # no window to it among the registers

    def __init__(self, size, readers, writers):
        data_width = (readers + writers)[0].data_width
        # Not empty, so that the Verilog reads its contents from a file.
        self.mem = Memory(data_width, size // (data_width // 8), init=[0], name="main_ram")
        self.specials += self.mem
        self.bus = wishbone.Interface(data_width=data_width, address_width=32, addressing="word")
        self.processor = wishbone.SRAM(self.mem, bus=self.bus)
        self.port = self.mem.get_port(write_capable=True, we_granularity=8, mode=READ_FIRST)
        self.specials += self.port
        self.users = []  # (wants an access, has it now, what the access is)
        for bus in readers:
            self.add_reader(bus)
        for bus in writers:
            self.add_writer(bus)
        self.take_turns()

    def word(self, beat):
        """Where a beat is in the RAM."""
        shift = (len(self.port.dat_r) // 8).bit_length() - 1
        return beat.addr[shift:shift + len(self.port.adr)]

    def add_beats(self, commands, bus):
        """Bursts become beats."""
        layout = axi.ax_description(bus.address_width)
        burst = axi.AXIStreamInterface(layout=layout, id_width=bus.id_width)
        beat = axi.AXIStreamInterface(layout=layout, id_width=bus.id_width)
        self.submodules += axi.AXIBurst2Beat(burst, beat)
        self.comb += commands.connect(burst)
        return beat

    def add_reader(self, bus):
        beat = self.add_beats(bus.ar, bus)
        layout = [("data", bus.data_width), ("id", bus.id_width)]
        answers = stream.SyncFIFO(layout, depth=WAITING, buffered=False)
        self.submodules += answers
        want, taken, arrives, last = Signal(), Signal(), Signal(), Signal()
        name = Signal(bus.id_width)
        self.comb += [
            want.eq(beat.valid & (answers.level + arrives < WAITING)),
            beat.ready.eq(taken),
            answers.sink.valid.eq(arrives),
            answers.sink.data.eq(self.port.dat_r),
            answers.sink.id.eq(name),
            answers.sink.last.eq(last),
            bus.r.valid.eq(answers.source.valid),
            answers.source.ready.eq(bus.r.ready),
            bus.r.data.eq(answers.source.data),
            bus.r.id.eq(answers.source.id),
            bus.r.last.eq(answers.source.last),
            bus.r.resp.eq(axi.RESP_OKAY),
        ]
        self.sync += [arrives.eq(taken), last.eq(beat.last), name.eq(beat.id)]
        self.users.append((want, taken, [self.port.adr.eq(self.word(beat))]))

    def add_writer(self, bus):
        beat = self.add_beats(bus.aw, bus)
        answers = stream.SyncFIFO([("id", bus.id_width)], depth=WAITING, buffered=False)
        self.submodules += answers
        want, taken = Signal(), Signal()
        self.comb += [
            want.eq(beat.valid & bus.w.valid & answers.sink.ready),
            beat.ready.eq(taken),
            bus.w.ready.eq(taken),
            answers.sink.valid.eq(taken & beat.last),
            answers.sink.id.eq(beat.id),
            bus.b.valid.eq(answers.source.valid),
            answers.source.ready.eq(bus.b.ready),
            bus.b.id.eq(answers.source.id),
            bus.b.resp.eq(axi.RESP_OKAY),
        ]
        self.users.append((want, taken, [
            self.port.adr.eq(self.word(beat)),
            self.port.dat_w.eq(bus.w.data),
            self.port.we.eq(bus.w.strb),
        ]))

    def take_turns(self):
        """The user behind the last one comes first."""
        count = len(self.users)
        turn = Signal(max=max(count, 2))
        cases = {}
        for last in range(count):
            chain = None
            for step in range(1, count + 1):
                number = (last + step) % count
                want, taken, access = self.users[number]
                then = [taken.eq(1), *access]
                chain = If(want, *then) if chain is None else chain.Elif(want, *then)
            cases[last] = [chain]
        self.comb += Case(turn, cases)
        self.sync += [If(taken, turn.eq(number))
                      for number, (_, taken, _) in enumerate(self.users)]
