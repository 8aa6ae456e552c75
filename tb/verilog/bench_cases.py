"""Small configurations and programs, for the bench in Verilog and that of cocotb."""
import pathlib
import shlex
import subprocess
from typing import NamedTuple

SMALL_DLA = "--preset nv_small --cbuf-bank-number 4 --cbuf-bank-depth 64"


class Case(NamedTuple):
    """A design, and one program for it."""
    name: str
    family: str
    design: str   # options of generate and simulate
    program: str  # options of simulate


CASES = (
    Case("dla_axi", "dla", f"{SMALL_DLA} --memory-bus axi4 --control-bus axi4-lite",
         "--layer='6x5x8 k8 3x3 pad 1'"),
    Case("dla_apb", "dla", f"{SMALL_DLA} --memory-bus axi4 --control-bus apb4",
         "--layer='4x4x8 k8 1x1'"),
    Case("tcu", "tcu", "--family tcu --array-size 2 --local-depth 64 --accumulator-depth 32 "
         "--dram0-depth 128 --dram1-depth 128 --axi-data-width 32 --queue-depth 16 "
         "--control-port", "--random=1"),
    Case("systolic", "systolic", "--preset 4x4", "--random=1 --seed=5"),
)


def run(command, cwd=None):
    """Output of a command that must succeed."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        words = " ".join(map(str, command))
        raise RuntimeError(f"{words}: status {done.returncode}\n{done.stdout}")
    return done.stdout


NAMES = ("--prefix", "--top")


def without_names(options):
    """Options but those of names, which the golden model has no use for."""
    words = options.split()
    return [word for i, word in enumerate(words)
            if word not in NAMES and (i == 0 or words[i - 1] not in NAMES)]


def prepare(macrame, case, folder):
    """Design and program of a case below `folder`: the folders of both."""
    design, programs = folder / "design", folder / "programs"
    run([macrame, "generate", *case.design.split(), "--out", design])
    run([macrame, "simulate", *without_names(case.design), "--model", *shlex.split(case.program),
         "--verilog", programs])
    found = list(programs.iterdir())
    if len(found) != 1:
        raise RuntimeError(f"{programs}: found {len(found)} programs, want one")
    return design, found[0]


def sources(design):
    """The Verilog files of a design."""
    return [design / line for line in (design / "filelist.f").read_text().split()]


def change_one_byte(program):
    """Another value for a byte that the program must write; the file that has it."""
    for after in sorted(pathlib.Path(program).glob("*_after.hex")):
        before = after.with_name(after.name.replace("_after", "_before")).read_text().splitlines()
        lines = after.read_text().splitlines()
        for i, (old, new) in enumerate(zip(before, lines)):
            if old == new:
                continue
            lines[i] = new[:-2] + f"{int(new[-2:], 16) ^ 0x10:02x}"
            after.write_text("\n".join(lines) + "\n")
            return after
    raise RuntimeError(f"{program}: writes nothing")
