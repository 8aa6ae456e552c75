"""Networks by the C that `macrame compile` writes, compiled with sanitizers, on the library for
drivers (runtime/device) in place of hardware; inputs come from files."""
import os
import re
import subprocess
from pathlib import Path

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
SECONDS = 600
MAIN = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{includes}
#include "macrame_device.h"
static struct macrame_device* device;
static struct macrame_machine machine;
static uint32_t get(void* user, uint32_t address) {{
    (void)user;
    return macrame_device_read(device, address);
}}
static void put(void* user, uint32_t address, uint32_t value) {{
    (void)user;
    macrame_device_write(device, address, value);
}}
static int wait_for(void* user, uint32_t ms) {{
    (void)user;
    return macrame_device_wait(device, (uint64_t)ms * 100000);
}}
static void sync(void* user, uint64_t offset, uint64_t bytes, int to) {{
    const uint64_t there = machine.device_address + offset;
    uint8_t* here = (uint8_t*)machine.memory + offset;
    (void)user;
    if (to)
        macrame_device_memory_write(device, MACRAME_PORT_PRIMARY, there, here, bytes);
    else
        macrame_device_memory_read(device, MACRAME_PORT_PRIMARY, there, here, bytes);
}}
static struct macrame_program program;
static int open_program(const char* name) {{
    FILE* file = fopen(name, "rb");
    char* all;
    long bytes;
    device = macrame_device_create(getenv("MACHINE"), MACRAME_DEVICE_MODEL);
    if (device == NULL) return 5;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0) return 1;
    rewind(file);
    all = malloc((size_t)bytes);
    if (fread(all, 1, (size_t)bytes, file) != (size_t)bytes || fclose(file) != 0) return 2;
    if (macrame_open(&program, all, (size_t)bytes) != 0) return 3;
    program.hardware = macrame_device_identity(device);
    machine.read = get;
    machine.write = put;
    machine.wait = wait_for;
    machine.sync = sync;
    machine.memory = calloc(1, program.memory_bytes);
    machine.device_address = 0x80000000u;
    machine.memory_bytes = program.memory_bytes;
    return macrame_prepare(&program, &machine) != 0 ? 4 : 0;
}}
{networks}
int main(void) {{
    int run;
    (void)open_program;
{begins}
    for (run = 0; run < {runs}; ++run) {{
{turns}
    }}
    return macrame_device_destroy(device) == 0 ? 0 : 11; /* null where the host has all of it */
}}
"""
# One network: it begins, and it runs once.
NETWORK = """static struct {name} net_{name};
static struct macrame_program program_{name};
static FILE *in_{name}, *out_{name};
static void* inputs_{name}[{ins}];
static void* outputs_{name}[{outs}];
static const size_t in_bytes_{name}[] = {{{in_bytes}}}, out_bytes_{name}[] = {{{out_bytes}}};
static int begin_{name}(void) {{
    size_t i;
    for (i = 0; i < {ins}; ++i) inputs_{name}[i] = malloc(in_bytes_{name}[i]);
    for (i = 0; i < {outs}; ++i) outputs_{name}[i] = malloc(out_bytes_{name}[i]);
    net_{name}.arena = malloc({upper}_ARENA_BYTES + 8);
    {programs}
    {name}_begin(&net_{name});
    in_{name} = fopen("{name}.in", "rb");
    out_{name} = fopen("{name}.out", "wb");
    (void)program_{name};
    return in_{name} == NULL || out_{name} == NULL;
}}
static int turn_{name}(void) {{
    size_t i;
    for (i = 0; i < {ins}; ++i)
        if (fread(inputs_{name}[i], 1, in_bytes_{name}[i], in_{name}) != in_bytes_{name}[i])
            return 1;
    if ({name}_run(&net_{name}, (const void* const*)inputs_{name}, outputs_{name}) != 0) {{
        printf("%s\\n", net_{name}.failed != NULL ? net_{name}.failed : "no word");
        return 2;
    }}
    for (i = 0; i < {outs}; ++i)
        if (fwrite(outputs_{name}[i], 1, out_bytes_{name}[i], out_{name}) != out_bytes_{name}[i])
            return 3;
    return fflush(out_{name});
}}
"""
MAKE = """{includes}
main: main.c
\tcc -g -O1 -Wall -Wextra -Wpedantic -Werror -fsanitize=address,undefined \\
\t  -fno-sanitize-recover=all {cflags} -D_POSIX_C_SOURCE=200809L -I{runtime}/device \\
\t  -I{runtime}/.. -I{made} -o $@ main.c $(sort {sources} \\
\t  {runtime}/macrame.c {runtime}/macrame_open.c) {runtime}/device/macrame_device.c {libs}
"""


def sizes_of(made, name):
    """Bytes of each input and output of a network whose C is in the folder `made`."""
    header = (made / f"{name}_host.h").read_text()
    return [[int(size) for _, size in sorted(
        (int(number), size) for number, size in
        re.findall(rf"#define {name.upper()}_{what}_(\d+)_BYTES (\d+)", header))]
        for what in ("INPUT", "OUTPUT")]


def has_device(made):
    """Whether the library for drivers has what the programs in the folder run on."""
    return not any(one.suffix in (".tmodel", ".bin") for one in made.iterdir())


def build(made, names, work, runs):
    """Makes `work/main` of networks in the folder `made`; what went wrong."""
    program = next(made.glob("*.program"), None)
    networks, begins, turns = [], [], []
    if program is not None:
        begins.append(f'    if (open_program("{program}") != 0) return 12;')
    for name in names:
        ins, outs = sizes_of(made, name)
        lines = []
        if f"#define {name.upper()}_PROGRAMS 1" in (made / f"{name}_host.h").read_text():
            lines = [f"program_{name} = program;"]
            if program.stem == "networks":
                lines.append(f'if (macrame_select(&program_{name}, "{name}") != 0) return 1;')
            lines.append(f"net_{name}.programs = &program_{name};")
            lines.append(f"net_{name}.machines = &machine;")
        networks.append(NETWORK.format(
            name=name, upper=name.upper(), ins=len(ins), outs=len(outs),
            in_bytes=", ".join(map(str, ins)), out_bytes=", ".join(map(str, outs)),
            programs="\n    ".join(lines)))
        begins.append(f"    if (begin_{name}() != 0) return 13;")
        turns.append(f"        if (turn_{name}() != 0) return 14;")
    (work / "main.c").write_text(MAIN.format(
        includes="\n".join(f'#include "{name}_host.h"' for name in names), runs=runs,
        networks="".join(networks), begins="\n".join(begins), turns="\n".join(turns)))

    def all_of(what):
        return " ".join(f"$({name.upper()}_HOST_{what})" for name in names)
    (work / "Makefile").write_text(MAKE.format(
        includes="\n".join(f"include {made}/{name}_host.mk" for name in names), made=made,
        runtime=RUNTIME, cflags=all_of("CFLAGS"), sources=all_of("SOURCES"), libs=all_of("LIBS")))
    done = subprocess.run(["make", "-s", "-C", work, f"MACRAME_RUNTIME={RUNTIME}", "main"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 0:
        return ""
    told = [line for line in done.stdout.splitlines() if "error" in line or "warning" in line]
    return " | ".join(told[:2] or done.stdout.splitlines()[-1:])


def run(macrame, machine, work):
    """Runs `work/main` with NAME.in there, which leaves NAME.out; what went wrong."""
    try:
        done = subprocess.run(
            ["./main"], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=SECONDS, check=False, env={
                **os.environ, "MACRAME": str(macrame), "MACHINE": "--preset " + " ".join(machine),
                "ASAN_OPTIONS": "detect_leaks=0"})
    except subprocess.TimeoutExpired:
        return f"more than {SECONDS} s"
    return "" if done.returncode == 0 else \
        f"status {done.returncode}: {' | '.join(done.stdout.splitlines()[-3:])[:300]}"
