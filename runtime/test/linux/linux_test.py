#!/usr/bin/env python3
"""runtime/linux and run_network: a folder stands for /dev and /sys, the golden model for hardware
(fake_access.c). Outputs are those of `macrame simulate`; what can go wrong ends in one line. The same
is compiled for the processors of boards, where there are compilers for them, and runs in QEMU's
emulation of these (Debian package qemu-user-static), where that is installed.

    linux_test.py MACRAME DEVICE_LIBRARY FOLDER"""

import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time

RUNTIME = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINE = ["--preset", "nv_small", "--control-bus", "axi4-lite", "--memory-bus", "axi3"]
CFLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-O2"]
TARGETS = {"aarch64": "aarch64-linux-gnu-gcc", "arm": "arm-linux-gnueabihf-gcc",
           "riscv64": "riscv64-linux-gnu-gcc"}
REGISTERS, REGISTER_BYTES = 0x43C00000, 0x40000
BUFFER, BUFFER_BYTES = 0x10000000, 0x100000
INPUT_BYTES, RUNS = 28 * 28, 3


def call(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    assert done.returncode == 0, f"{command}: {done.stdout}"
    return done.stdout


def sources(*patterns):
    return [path for pattern in patterns for path in sorted(RUNTIME.glob(pattern))]


def fake_for(gcc, headers, program, folder, target):
    """run_network with the golden model behind it, in one file for another processor."""
    headers = [*headers, f"-I{RUNTIME.parent}"]
    call(gcc, *CFLAGS, *headers, *program, RUNTIME / "device/macrame_device.c", "-static", "-o",
         folder / f"fake-{target}", "-D_DEFAULT_SOURCE")


def compile_all(library, folder):
    """Returns the emulators of processors for which fake-PROCESSOR is there."""
    headers = [f"-I{folder}/design/include", f"-I{RUNTIME}/linux", f"-I{RUNTIME}/device",
               "-include", "dla_params.h", "-include", "dla_regs.h"]
    program = sources("examples/run_network/main.c", "macrame*.c", "linux/macrame_linux.c")
    access = RUNTIME / "linux/macrame_linux_access.c"
    here = pathlib.Path(__file__).parent
    cc = os.environ.get("CC", "cc")
    call(cc, "-std=gnu99", "-Wall", "-Wextra", "-Werror", *headers, here / "access_test.c", access,
         "-o", folder / "access_test")
    fake = [*program, here / "fake_access.c"]
    call(cc, *CFLAGS, *headers, *fake, library, "-o", folder / "fake", "-D_DEFAULT_SOURCE")
    call(cc, *CFLAGS, *program, access, "-o", folder / "real")
    print(call(folder / "access_test").strip())
    emulators = {}
    for target, gcc in TARGETS.items():
        if not shutil.which(gcc):
            print(f"{target}: skipped, no {gcc}")
            continue
        call(gcc, *CFLAGS, *headers, *program, access, "-o", folder / target)
        emulator = shutil.which(f"qemu-{target}-static") or shutil.which(f"qemu-{target}")
        print(f"{target}: compiled{'' if emulator else ', not run: no QEMU'}")
        if emulator:
            fake_for(gcc, headers, fake, folder, target)
            emulators[target] = emulator
    return emulators


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class Root:
    """A folder in place of /: UIO device uio3 of name dla_axi, buffer udmabuf0, /dev/mem."""

    def __init__(self, folder):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        uio = folder / "sys/class/uio/uio3"
        write(uio / "name", "dla_axi\n")
        self.map0 = uio / "maps/map0"
        write(self.map0 / "addr", f"{REGISTERS:#010x}\n")
        write(self.map0 / "size", f"{REGISTER_BYTES:#x}\n")
        write(self.map0 / "offset", "0x0\n")
        self.buffer = folder / "sys/class/u-dma-buf/udmabuf0"
        write(self.buffer / "size", f"{BUFFER_BYTES}\n")
        write(self.buffer / "phys_addr", f"{BUFFER:#010x}\n")
        (folder / "dev").mkdir()
        words = struct.pack(f"={REGISTER_BYTES // 4}I", *range(0, REGISTER_BYTES, 4))
        (folder / "dev/uio3").write_bytes(words)
        with open(folder / "dev/udmabuf0", "wb") as file:
            file.truncate(BUFFER_BYTES)
        with open(folder / "dev/mem", "wb") as file:
            file.seek(REGISTERS)
            file.write(words)


class Bench:
    def __init__(self, folder, program, inputs):
        self.root, self.folder = Root(folder / "root"), folder
        self.program, self.inputs, self.output = program, inputs, folder / "out.bin"

    def start(self, *options, interrupt="", program=None, inputs=None, binary=("fake",)):
        self.output.unlink(missing_ok=True)
        environment = {**os.environ, "FAKE_CONFIGURATION": " ".join(MACHINE[:2]),
                       "FAKE_INTERRUPT": interrupt}
        *emulator, name = binary
        command = [*emulator, self.folder / name, "--root", self.root.folder, *options,
                   program or self.program, inputs or self.inputs, self.output]
        return subprocess.Popen([str(word) for word in command], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, *options, **more):
        process = self.start(*options, **more)
        try:
            said = process.communicate(timeout=60)[0]
        finally:
            process.kill()
        return process.returncode, said

    def works(self, wanted, *options, **more):
        status, said = self.run(*options, **more)
        assert status == 0 and not said, f"{options}: {status}, {said}"
        found = self.output.read_bytes()
        assert found == wanted, f"{options}: {len(found)} bytes, other than of the golden model"

    def fails(self, message, *options, **more):
        status, said = self.run(*options, **more)
        assert status == 1 and message in said and said.count("\n") == 1, \
            f"{options} {more}: exit status {status}, \"{said}\": want \"{message}\""
        assert not self.output.exists(), f"{options}: fails, and leaves outputs"


def faults_of_names(bench):
    uio, root = ("--device", "uio3"), bench.root
    bench.fails("/sys/class/uio has no uio0")
    bench.fails("/sys/class/uio has no tcu", "--device", "tcu")
    bench.fails("has no udmabuf7: is u-dma-buf loaded?", *uio, "--buffer", "udmabuf7")
    bench.fails("map0: want map1 to map4", *uio, "--buffer", "map0")
    bench.fails("maps/map1/addr: No such file", *uio, "--buffer", "map1")
    bench.fails("want mem:ADDRESS:BYTES", "--device", "mem:0x43c00000")
    bench.fails("multiple of 4096", "--device", "mem:0x43c00010:0x1000")
    bench.fails("is uio_pdrv_genirq loaded?", *uio, "--root", str(bench.folder / "nowhere"))
    write(root.folder / "sys/class/uio/uio4/name", "dla_axi\n")
    bench.fails("has 2 of name dla_axi", "--device", "dla_axi")
    bench.fails("maps/map0/addr: No such file", "--device", "uio4")
    shutil.rmtree(root.folder / "sys/class/uio/uio4")
    node = root.folder / "dev/uio3"
    node.rename(node.with_name("gone"))
    bench.fails("/dev/uio3: No such file", *uio)
    node.with_name("gone").rename(node)
    for path, text, message in (
            (root.buffer / "size", "4096\n", "udmabuf0 has 4096 bytes: want at least"),
            (root.buffer / "size", "many\n", "is \"many\": want a number"),
            (root.buffer / "phys_addr", "0x10000010\n", "is not aligned"),
            (root.map0 / "size", "0x1000\n", "has a register at 0x"),
    ):
        before = path.read_text()
        path.write_text(text)
        bench.fails(message, *uio)
        path.write_text(before)


def faults_of_runs(bench, wanted, other):
    uio = ("--device", "uio3")
    bench.fails("no interrupt", *uio, interrupt="none")
    bench.fails("the UIO device fails: Input/output error", *uio, interrupt="gone")
    bench.fails("compiled for other hardware", *uio, program=other)
    short = bench.folder / "short.bin"
    short.write_bytes(bytes(INPUT_BYTES - 1))
    bench.fails(f"783 bytes: want {INPUT_BYTES} for each run", *uio, inputs=short)
    bench.fails("--colour: want --device", "--colour", "red")
    bench.fails("--timeout: want milliseconds", "--timeout", "-1")
    # Another process has it; then it is killed in mid-run.
    process = bench.start(*uio, interrupt="sleep")
    end = time.monotonic() + 20
    while bench.run(*uio)[0] == 0 and time.monotonic() < end:
        time.sleep(0.05)
    bench.fails("/dev/uio3 is in use by another process", *uio)
    bench.fails("/dev/udmabuf0 is in use by another process", "--device",
                f"mem:{REGISTERS:#x}:{REGISTER_BYTES:#x}")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    bench.works(wanted, *uio)


def main():
    macrame, library, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    os.environ["MACRAME"] = str(macrame)
    folder.mkdir(parents=True, exist_ok=True)
    digits = RUNTIME.parent / "compiler/examples/digits/digits.tflite"
    call(macrame, "generate", *MACHINE, "--out", folder / "design")
    call(macrame, "compile", digits, *MACHINE, "--out", folder / "net")
    call(macrame, "compile", digits, *MACHINE, "--mac-atomic-c-size", 16, "--out", folder / "other")
    emulators = compile_all(library, folder)

    inputs = folder / "in.bin"
    inputs.write_bytes(bytes((7 * i * i + i // 28) % 256 for i in range(RUNS * INPUT_BYTES)))
    program, golden = folder / "net/digits.program", folder / "golden.bin"
    call(macrame, "simulate", *MACHINE, "--model", "--program", program, "--input", inputs,
         "--output", golden)
    wanted = golden.read_bytes()
    assert len(wanted) % RUNS == 0 and wanted[:len(wanted) // RUNS] != wanted[-len(wanted) // RUNS:]

    bench = Bench(folder, program, inputs)
    bench.works(wanted, "--device", "uio3")
    bench.works(wanted, "--device", "dla_axi", "--timeout", "1000")
    bench.works(wanted, "--device", f"mem:{REGISTERS:#x}:{REGISTER_BYTES:#x}", "--buffer",
                f"mem:{BUFFER:#x}:{BUFFER_BYTES:#x}")
    # The buffer of a kernel of before Linux 5.
    old = bench.root.folder / "sys/class/udmabuf"
    bench.root.buffer.parent.rename(old)
    bench.works(wanted, "--device", "uio3")
    old.rename(bench.root.buffer.parent)
    for target, emulator in emulators.items():
        bench.works(wanted, "--device", "uio3", binary=(emulator, f"fake-{target}"))
        print(f"{target}: the same outputs")
    faults_of_names(bench)
    faults_of_runs(bench, wanted, folder / "other/digits.program")
    # The program for hardware opens the same files, whose registers say nothing of it.
    bench.fails("compiled for other hardware", "--device", "uio3", "--timeout", "10", binary=("real",))
    print(f"{RUNS} inputs on the golden model behind files of /dev and /sys; faults are told")


if __name__ == "__main__":
    main()
