#!/usr/bin/env python3
"""Random programs on generated designs in Icarus, a simulator with four states.

  scripts/fourstate.py --build build                60 programs
  scripts/fourstate.py --build build --count 9      as many, of all kinds in turn

No output may be X behind the reset, no rule of a link or a bus may be broken, registers and
memories must end as the golden model's. The configurations are the lines of
tb/<family>/fourstate/configurations.txt, and the programs are made by program_listing.cpp beside
it. BUILD is a build folder with the program macrame and its libraries. Ends with
`N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command, what):
    """Output of a command; nothing may go wrong with it."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{what}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def prepare(args, sources, arguments, folder, count):
    """The compiled design in `folder` and `count` programs for it; returns their folders."""
    design, programs = folder / "design", folder / "programs"
    run([args.build / "macrame", "generate", *shlex.split(arguments), "--out", design], "macrame")
    lister = folder / "program_listing"
    libraries = sorted(args.build.glob("libmacrame*_verif.a"))  # of the family, shared
    run([*shlex.split(os.environ.get("CXX", "c++")), "-std=c++17", "-O1", "-I", ROOT,
         "-I", design / "include", sources / "program_listing.cpp", "-Wl,--start-group",
         *libraries, "-Wl,--end-group", "-o", lister], "compiler")
    try:
        run([lister, programs, count, args.seed], "program_listing")
    except RuntimeError:
        error = programs / "error.txt"
        if not error.is_file():
            raise
        raise RuntimeError(error.read_text()) from None
    files = [design / line for line in (design / "filelist.f").read_text().split()]
    run(["iverilog", "-g2012", "-DMACRAME_ASSERT", "-s", "fourstate_tb", "-I", programs,
         "-o", folder / "simulation", *sorted(sources.glob("*.v")), *files], "iverilog")
    return [programs / str(i) for i in range(count)]


def play(folder, program):
    """Whether a program passed, and what there is to say about it."""
    # Two clocks alike, or the registers' clock slower than the core's.
    half = 5 if int(program.name) % 2 == 0 else 8
    done = subprocess.run(["vvp", "-n", str(folder / "simulation"), f"+program={program}",
                           f"+csb_half={half}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.splitlines()
    passed = done.returncode == 0 and any(line.startswith("PASSED") for line in lines)
    about = (program / "about.txt").read_text().splitlines()
    verdict = lines[-1] if lines else "no output"
    text = "\n".join([f"{verdict}  {about[0]}: " + "; ".join(about[1:])] +
                     ([] if passed else lines[:-1]))
    return passed, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--count", default=60, type=int, help="programs, over all configurations")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--only", default="", help="configurations that contain this")
    parser.add_argument("--jobs", default=1, type=int, help="simulations at a time")
    parser.add_argument("--keep", type=pathlib.Path, help="work here and leave everything")
    args = parser.parse_args()
    args.build = args.build.resolve()
    todo = [(lists.parent, line) for lists in sorted(ROOT.glob("tb/*/fourstate/configurations.txt"))
            for line in lists.read_text().splitlines()
            if line and not line.startswith("#") and args.only in line]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, (sources, arguments) in enumerate(todo):
            print(arguments, flush=True)
            share = args.count // len(todo) + (number < args.count % len(todo))
            folder = (args.keep or pathlib.Path(scratch)).resolve() / str(number)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                programs = prepare(args, sources, arguments, folder, share)
            except RuntimeError as error:
                print(f"  FAILED {error}", flush=True)
                failed += 1
                continue
            for good, text in pool.map(lambda p, f=folder: play(f, p), programs):
                print("  " + text.replace("\n", "\n  "), flush=True)
                passed += good
                failed += not good
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
