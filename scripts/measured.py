"""What area.sh and timing.sh measure, for scripts that make tables of it."""
import json
import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: exit status {done.returncode}")
    return done.stdout


def area(target, out, units=()):
    """Unit, or module, -> column of area.sh -> number; "sum", too."""
    head, *lines = run(SCRIPTS / "area.sh", "--target", target, out, *units).splitlines()
    columns = head.split("peer:")[0].split()[1:]
    rows = {}
    for line in lines:
        if line.startswith("peer:"):
            continue
        words = line.removeprefix("  with ").replace(" (x", "(x").split()
        rows[words[0].split("(x")[0]] = dict(zip(columns, map(int, words[1:])))
    return rows


def paths(macrame, flow, out, units, target="ecp5"):
    """Unit, or module, -> what timing.sh found: longest path in ns, gates (0 but in standard
    cells). `target`: of an estimate."""
    folder = pathlib.Path(out) / "timing"
    run(SCRIPTS / "timing.sh", "--macrame", macrame, "--flow", flow, "--target", target,
        "--rtl", out, "--reports", folder,
        *(argument for unit in units for argument in ("--unit", unit)))
    found = {}
    for unit in units:
        name = flow if target == "ecp5" else f"{flow}_{target}"
        with open(folder / f"{name}_{unit}.json") as file:
            report = json.load(file)
        families = report["families"].get("register to register")
        found[unit] = {"ns": families[0]["ns"] if families else None, "gates": report["gates"]}
    return found
