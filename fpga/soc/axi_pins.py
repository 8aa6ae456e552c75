"""Pins of a Verilog module that are AXI buses, and the module with them."""
from litex.gen import ClockSignal, Instance, ResetSignal
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel

ADDRESS = "addr burst len size lock prot cache qos id"
READ = {"ar": ADDRESS, "r": "data resp last id"}
WRITE = {"aw": ADDRESS, "w": "data strb last", "b": "resp id"}
FULL = {**WRITE, **READ}
LITE = {"aw": "addr prot", "w": "data strb", "b": "resp", "ar": "addr prot", "r": "data resp"}


def add_bus(pins, prefix, bus, channels, slave=False, address_bits=None):
    """The pins `prefix`_awaddr ... of a master or slave; of an address only the low bits."""
    for channel, names in channels.items():
        out, back = ("o", "i") if (channel in ("aw", "w", "ar")) != slave else ("i", "o")
        end = getattr(bus, channel)
        for name in ["valid", *names.split()]:
            signal = getattr(end, name)
            pins[f"{out}_{prefix}_{channel}{name}"] = \
                signal[:address_bits] if name == "addr" and address_bits else signal
        pins[f"{back}_{prefix}_{channel}ready"] = end.ready


def instance(module, platform, folder, top, pins, clock, reset, interrupt):
    """The accelerator with all of its files; its interrupt is the event `done` of `module.ev`."""
    module.ev = EventManager()
    module.ev.done = EventSourceLevel()
    module.ev.finalize()
    module.specials += Instance(top, **{f"i_{clock}": ClockSignal("sys"),
                                        f"i_{reset}": ~ResetSignal("sys"),
                                        f"o_{interrupt}": module.ev.done.trigger}, **pins)
    for name in (folder / "filelist.f").read_text().split():
        platform.add_source(str(folder / name))
