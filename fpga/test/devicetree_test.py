#!/usr/bin/env python3
"""The device-tree fragments of boards with a processor: dtc takes them, in a tree with the labels of
the kernel's, and their values are those of the project around them.

    devicetree_test.py MACRAME OPTIONS BOARD...        OPTIONS: of `macrame fpga`, in one argument

Exit status 77: there is no dtc."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What the trees of the kernel have that a fragment uses: cells of addresses, interrupt controller,
# clock controller; of the processor: the first interrupt from the programmable logic (Zynq: 61,
# ZynqMP: 121, without the 32 of each processor), the first clock (dt-bindings).
KINDS = {
    "ps7": (1, "intc", "clkc", 61 - 32, 15),
    "ps8": (2, "gic", "zynqmp_clk", 121 - 32, 71),
}
LEVEL_HIGH = 4


def base_tree(kind):
    cells, controller, clocks, _, _ = KINDS[kind]
    return f"""/dts-v1/;
/ {{
    #address-cells = <{cells}>;
    #size-cells = <{cells}>;
    {controller}: interrupt-controller {{
        interrupt-controller;
        #interrupt-cells = <3>;
        #address-cells = <0>;
    }};
    {clocks}: clock-controller {{
        #clock-cells = <1>;
    }};
}};
/include/ "board.dtsi"
"""


def same(what, found, wanted):
    assert found == wanted, f"{what} is {found}: want {wanted}"


class Tree:
    def __init__(self, out, kind):
        (out / "system.dts").write_text(base_tree(kind))
        done = subprocess.run(["dtc", "-@", "-o", "system.dtb", "system.dts"], cwd=out,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0 and not done.stdout, done.stdout
        self.file, self.cells = out / "system.dtb", KINDS[kind][0]

    def get(self, node, name, kind="x"):
        done = subprocess.run(["fdtget", "-t", kind, self.file, node, name], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"{node} {name}: {done.stdout}"
        return done.stdout.split() if kind != "x" else [int(w, 16) for w in done.stdout.split()]

    def ranges(self, node):
        """Pairs of address and size."""
        words, cells = self.get(node, "reg"), self.cells
        numbers = [int("".join(f"{word:08x}" for word in words[at:at + cells]), 16)
                   for at in range(0, len(words), cells)]
        return list(zip(numbers[0::2], numbers[1::2]))

    def node(self, label):
        return self.get("/__symbols__", label, "s")[0]

    def target(self, node, name):
        """The cells of a property that begins with a reference, and the node that this names."""
        first, *rest = self.get(node, name)
        labels = subprocess.run(["fdtget", "-p", self.file, "/__symbols__"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout.split()
        named = [label for label in labels if self.has_phandle(self.node(label), first)]
        return named, rest

    def has_phandle(self, node, handle):
        try:
            return self.get(node, "phandle") == [handle]
        except AssertionError:
            return False


def check(macrame, options, board, folder):
    out = folder / board
    subprocess.run([macrame, "fpga", "--board", board, *options, "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    project = (out / "project.tcl").read_text()
    family = json.loads((out / "manifest.json").read_text())["family"]
    top = re.search(r"-reference (\w+) core", project)[1]
    kind = "ps7" if "processing_system7" in project else "ps8"
    _, controller, clocks, interrupt, clock = KINDS[kind]
    tree = Tree(out, kind)
    node = tree.node(top)

    # Registers as the block design has them; a second range is that of the core behind a DMA.
    names = dict(re.findall(r"set (\w+_base) (0x[0-9A-F]+)", project))
    wanted = [(int(names[base], 16), 1024 * int(kib)) for base, kib in
              re.findall(r"assign_bd_address -offset \$(\w+) -range (\d+)K", project)]
    assert wanted, project
    same("reg", tree.ranges(node), wanted)
    same("unit address", node, f"/{top}@{wanted[0][0]:x}")
    same("compatible", tree.get(node, "compatible", "s"), [f"macrame,{family}", "generic-uio"])

    for header in out.glob("include/*_regs.h"):
        for reset in re.findall(r"_SYSCTL_S_RESET_0\s+(0x\w+)u", header.read_text()):
            same("macrame,reset", tree.get(node, "macrame,reset"), [int(reset, 16)])

    # Interrupts: as many inputs as the block design joins.
    ports = re.search(r"CONFIG.NUM_PORTS (\d+)", project)
    lines = int(ports[1]) if ports else 1
    same("interrupts", tree.get(node, "interrupts"),
         [cell for line in range(lines) for cell in (0, interrupt + line, LEVEL_HIGH)])
    same("interrupt-parent", tree.target(node, "interrupt-parent"), ([controller], []))

    mhz = int(re.search(r"(?:FPGA0_PERIPHERAL_|PL0_REF_CTRL__)FREQMHZ (\d+)", project)[1])
    for name in ("clocks", "assigned-clocks"):
        same(name, tree.target(node, name), ([clocks], [clock]))
    same("assigned-clock-rates", tree.get(node, "assigned-clock-rates"), [1000000 * mhz])
    if kind == "ps7":
        same("fclk-enable", tree.get(tree.node("clkc"), "fclk-enable"), [1])

    # Reserved memory: of both users, inside of the board's, below 4 GiB, not where the kernel begins.
    memory = tree.node(f"{top}_memory")
    ((base, size),) = tree.ranges(memory)
    toml = (pathlib.Path(__file__).parent.parent / "boards" / board / "board.toml").read_text()
    board_bytes = 1024 * int(re.search(r"^kib = (\d+)", toml, re.M)[1])
    assert 0 < base and base + size <= min(board_bytes, 1 << 32), (base, size, board_bytes)
    same("alignment of the reserved memory", (base % (1 << 20), size % (1 << 20)), (0, 0))
    same("size of the buffer", tree.get(tree.node(f"{top}_udmabuf"), "size"), [size])
    for user in (node, tree.node(f"{top}_udmabuf")):
        same("memory-region", tree.target(user, "memory-region"), ([f"{top}_memory"], []))


def main():
    if not shutil.which("dtc") or not shutil.which("fdtget"):
        print("skipped: no dtc (Debian package device-tree-compiler)")
        sys.exit(77)
    macrame, options = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2].split()
    with tempfile.TemporaryDirectory() as folder:
        for board in sys.argv[3:]:
            check(macrame, options, board, pathlib.Path(folder))
    print(f"{len(sys.argv) - 3} device trees")


if __name__ == "__main__":
    main()
