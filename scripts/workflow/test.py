#!/usr/bin/env python3
"""The workflow gives the same bytes as one run: nothing is lost, nothing is there twice.

  scripts/workflow/test.py --macrame build/macrame [--snakemake PROGRAM]... [--only KIND]...

Kinds: local (all parts of an exploration; snakemake is killed in mid-run and goes on), slurm (the
same by slurmctld and slurmd, which the test starts with a munge key of its own and stops, a job
cancelled in mid-run; and as an array without Snakemake), units (rows of a table, as by fill.py
alone), regression (logs of rows, as by regress.py alone). --snakemake may come several times, for
several versions. What cannot be tested here is named as skipped. Ends with `N passed, N failed`.
"""
import argparse
import contextlib
import filecmp
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NETWORK = ROOT / "compiler/examples/digits/digits.tflite"
FAMILY = "systolic"  # its space is the smallest
PARTS = 8
SECONDS = 1800
POINTS = f".points_{FAMILY}.jsonl"
KINDS = ("local", "slurm", "units", "regression")
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
UNITS = ["--rows", "4", "--cols", "4", "--ibuf-entries", "256", "--wbuf-entries", "256",
         "--obuf-entries", "256"]
ROWS = "case_0"


class Failed(Exception):
    pass


def want(good, text):
    if not good:
        raise Failed(text)


def run(command, folder, **options):
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=SECONDS, **options)
    want(done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}")
    return done.stdout


class Workflow:
    """A folder in which snakemake runs."""

    def __init__(self, snakemake, macrame, folder, profile, **config):
        self.snakemake, self.folder, self.profile = snakemake, folder, HERE / "profiles" / profile
        config = {"macrame": str(macrame), "family": FAMILY, "networks": [str(NETWORK)],
                  "parts": PARTS, **config}
        self.more = [*(["--cores", "2"] if profile == "local" else []),
                     "--config", *(f"{key}={value!r}" for key, value in config.items())]
        folder.mkdir(parents=True)

    def command(self, *words):
        return [str(word) for word in (self.snakemake, *words, "-s", HERE / "Snakefile",
                                       "--profile", self.profile, *self.more)]

    def environment(self):
        return {**os.environ, "MACRAME_SLURM": str(HERE / "profiles/slurm")}

    def run(self, target):
        return run(self.command(target), self.folder, env=self.environment())

    def start(self, target):
        with open(self.folder / "log", "w") as log:
            return subprocess.Popen(self.command(target), cwd=self.folder, stdout=log,
                                    stderr=subprocess.STDOUT, start_new_session=True,
                                    env=self.environment())

    def parts(self):
        """Folder of a part -> lines of its points."""
        return {file.parent.name: [line for line in file.read_text().splitlines()[1:] if line]
                for file in sorted((self.folder / "parts").glob(f"*/{POINTS}"))}

    def wait_for_points(self, process):
        """Until a part is done and another one has begun; names and lines of those that have."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            parts = self.parts() if (self.folder / "parts").is_dir() else {}
            done = list((self.folder / "parts").glob("*/done"))
            want(process.poll() is None, f"it ended early: {(self.folder / 'log').read_text()}")
            if done and sum(map(bool, parts.values())) > len(done):
                return parts
            time.sleep(0.05)
        raise Failed("no part was done in time")


def same_front(whole, folder):
    """All files of two explorations, those of the points, too."""
    names = sorted(str(file.relative_to(whole)) for file in whole.rglob("*") if file.is_file())
    found = sorted(str(file.relative_to(folder)) for file in folder.rglob("*")
                   if file.is_file() and file.name != "done")
    want(names == found, f"{folder}: files {found}, want {names}")
    _, other, errors = filecmp.cmpfiles(whole, folder, names, shallow=False)
    want(not other and not errors, f"{folder}: other bytes in {other + errors}")


def once(parts, whole):
    """Each point is in one part."""
    lines = sorted(line for part in parts.values() for line in part)
    wanted = sorted((whole / POINTS).read_text().splitlines()[1:])
    want(len(parts) == PARTS, f"{len(parts)} parts")
    want(lines == wanted, f"{len(lines)} points in parts, want {len(wanted)}, each once")


def still_there(before, after):
    """What an interrupted job had found was not done again: its lines come first."""
    for name, lines in before.items():
        want(after[name][:len(lines) - 1] == lines[:len(lines) - 1], f"{name}: was begun anew")


def local(given, snakemake, folder):
    flow = Workflow(snakemake, given.macrame, folder / "local", "local")
    process = flow.start("front")
    before = flow.wait_for_points(process)
    os.killpg(process.pid, signal.SIGKILL)  # snakemake and its jobs, which are this session
    process.wait()
    time.sleep(1)
    run(flow.command("--unlock"), flow.folder, env=flow.environment())
    before = flow.parts()
    flow.run("front")
    still_there(before, flow.parts())
    once(flow.parts(), given.whole)
    same_front(given.whole, flow.folder / "front")
    want("Nothing to be done" in flow.run("front"), "what is there was made again")


@contextlib.contextmanager
def slurm(folder):
    """Slurm of this machine alone; what it was started with is stopped again."""
    ports = []
    for _ in range(2):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            ports.append(one.getsockname()[1])
    host = socket.gethostname().split(".")[0]
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o400)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    (folder / "slurm.conf").write_text(f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    started = []

    def start(*command):
        with open(folder / (command[0] + ".out"), "w") as log:
            started.append(subprocess.Popen([str(c) for c in command], stdout=log,
                                            stderr=subprocess.STDOUT))

    try:
        start("munged", "--foreground", "--force", f"--key-file={folder}/key",
              f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
              f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed")
        for _ in range(100):
            if (folder / "munge.socket").exists():
                break
            time.sleep(0.1)
        start("slurmctld", "-D")
        start("slurmd", "-D", "-N", host)
        for _ in range(300):
            state = subprocess.run(["sinfo", "-h", "-o", "%T"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True).stdout.strip()
            if state in ("idle", "mixed"):
                break
            time.sleep(0.2)
        logs = [file.read_text()[-500:] for file in sorted(folder.glob("*.log"))]
        want(state in ("idle", "mixed"), f"slurm: {state}\n" + "\n".join(logs))
        yield
    finally:
        subprocess.run(["scancel", "--user", "root"], stderr=subprocess.DEVNULL)
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            process.wait(60)


def by_slurm(given, snakemake, folder):
    flow = Workflow(snakemake, given.macrame, folder / "slurm", "slurm")
    process = flow.start("front")
    flow.wait_for_points(process)
    running = subprocess.run(["squeue", "-h", "-t", "RUNNING", "-o", "%i %j"], text=True,
                             stdout=subprocess.PIPE).stdout.split("\n")
    victims = [line.split()[0] for line in running if line.endswith("part")]
    want(victims, f"no job of a part is running: {running}")
    subprocess.run(["scancel", victims[0]], check=True)
    want(process.wait(SECONDS) == 0, (flow.folder / "log").read_text()[-3000:])
    log = (flow.folder / "log").read_text()
    want("Trying to restart job" in log, "the job that was cancelled was not started again")
    once(flow.parts(), given.whole)
    same_front(given.whole, flow.folder / "front")


def array(given, folder):
    """Without Snakemake: the line of the README."""
    folder.mkdir()
    explore = f"{given.macrame} explore {NETWORK} --family {FAMILY}"
    run(["sbatch", "--wait", f"--array=1-{PARTS}", "--wrap", f"{explore} --jobs 1 --part "
         f"$SLURM_ARRAY_TASK_ID/{PARTS} --out parts/$SLURM_ARRAY_TASK_ID"], folder)
    parts = [f"parts/{part}" for part in range(1, PARTS + 1)]
    run([*shlex.split(explore), "--merge", *parts, "--out", "front"], folder)
    same_front(given.whole, folder / "front")


def units(given, snakemake, folder):
    front = folder / "one" / "configurations"
    front.mkdir(parents=True)
    keys = UNITS[0::2], UNITS[1::2]
    (front / "one.toml").write_text(f'family = "{FAMILY}"\n' + "".join(
        f"{key.lstrip('-').replace('-', '_')} = {value}\n" for key, value in zip(*keys)))
    flow = Workflow(snakemake, given.macrame, folder / "units", "local", target="ecp5",
                    front=str(front.parent))
    flow.run("units/table.jsonl")
    alone = folder / "alone.jsonl"
    run([ROOT / "scripts/explore/fill.py", "--macrame", given.macrame, "--family", FAMILY,
         "--target", "ecp5", "--front", front.parent, "--table", alone], folder)
    found = (flow.folder / "units/table.jsonl").read_text().splitlines()
    wanted = alone.read_text().splitlines()
    want(len(wanted) > 5 and sorted(found) == sorted(wanted), f"{found}\nwant {wanted}")


def without_seconds(text):
    """Lines of the table of a regression."""
    lines = text[text.rindex("kcycles"):].splitlines()[1:]
    return [[word for n, word in enumerate(line.split()) if n != len(line.split()) - 2]
            for line in lines if "configurations" not in line and "passed" not in line]


def regression(given, snakemake, folder):
    options = ["--quick", "--conformance", os.environ["MACRAME_SYSTOLIC"], "--random", "8"]
    regress = [ROOT / f"scripts/{FAMILY}/regress.py", "--macrame", given.macrame, *options]
    names = run([*regress, "--list"], folder).splitlines()
    want(len(names) > 5 and len(set(names)) == len(names), f"rows {names}")
    names = [name for name in names if ROWS in name]
    flow = Workflow(snakemake, given.macrame, folder / "regression", "local", regress=options)
    (flow.folder / "regression").mkdir()
    rows = flow.folder / "regression/rows.txt"
    rows.write_text("\n".join(names) + "\n")  # some rows instead of all
    flow.run("regression/table.txt")
    found = (flow.folder / "regression/table.txt").read_text()
    wanted = run([*regress, "--only", ROWS], folder)
    cut = [[row[-1], *row[:4]] for row in without_seconds(found)]
    want(cut == [[row[-1], *row[:4]] for row in without_seconds(wanted)] and len(cut) > 1,
         f"{found}\nwant {wanted}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", default="build/macrame", type=pathlib.Path)
    parser.add_argument("--snakemake", action="append", metavar="PROGRAM")
    parser.add_argument("--only", action="append", choices=KINDS)
    given = parser.parse_args()
    programs = [shutil.which(name) for name in given.snakemake or ["snakemake"]]
    if not all(programs):
        print("workflow: skipped: snakemake is not installed (pip install snakemake)")
        print("0 passed, 0 failed")
        return 0
    given.macrame = given.macrame.resolve()
    kinds = list(given.only or KINDS)
    missing = [name for name in DAEMONS if shutil.which(name) is None]
    why = (f"{', '.join(missing)}: not installed (apt-get install slurm-wlm munge)" if missing
           else "want to be root" if os.getuid() != 0 else "")
    if "slurm" in kinds and why:
        print(f"slurm: skipped: {why}")
        kinds.remove("slurm")
    if "regression" in kinds and "MACRAME_SYSTOLIC" not in os.environ:
        print("regression: skipped: MACRAME_SYSTOLIC is not set")
        kinds.remove("regression")
    if "units" in kinds and shutil.which("yosys") is None:
        print("units: skipped: yosys is not installed")
        kinds.remove("units")
    counts = [0, 0]

    def attempt(name, function, *arguments):
        begin = time.monotonic()
        try:
            function(*arguments)
            text = "passed"
        except (Failed, subprocess.SubprocessError, OSError) as error:
            text = f"FAILED: {error}"
        counts[text != "passed"] += 1
        print(f"{name}: {text}, {time.monotonic() - begin:.0f} s", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        given.whole = scratch / "whole"
        run([given.macrame, "explore", NETWORK, "--family", FAMILY, "--jobs", "1", "--out",
             given.whole], scratch)
        tests = {"local": local, "units": units, "regression": regression}
        for number, program in enumerate(programs):
            version = run([program, "--version"], scratch).strip()
            folder = scratch / str(number)
            for kind in [kind for kind in kinds if kind in tests]:
                (folder / kind).mkdir(parents=True, exist_ok=True)
                attempt(f"{kind}, Snakemake {version}", tests[kind], given, program,
                        folder / kind)
        if "slurm" in kinds:
            daemons = scratch / "daemons"
            daemons.mkdir()

            def all_slurm():
                with slurm(daemons):
                    attempt("slurm, array", array, given, scratch / "array")
                    for number, program in enumerate(programs):
                        version = run([program, "--version"], scratch).strip()
                        folder = scratch / str(number)
                        attempt(f"slurm, Snakemake {version}", by_slurm, given, program, folder)

            attempt("slurm", all_slurm)
    print(f"{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
