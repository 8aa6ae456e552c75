#!/usr/bin/env python3
"""Runs of macrame side by side, interrupted and killed runs, the build cache.

    parallel_test.py MACRAME [TEST...]

`make` and Verilator are stubs in PATH. A stub waits for a file to appear and not for time to pass,
so that a slow machine changes nothing.
"""

import contextlib
import fcntl
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

MACRAME = None
PRESETS = ("nv_small", "nv_large")
PATIENCE = 60  # seconds until something that must happen counts as missing

# Says when a build begins and ends; two in one folder at a time are an overlap. The program that
# it makes fails for the second preset, so that the exit status tells which one ran.
MAKE = """#!/bin/sh
[ "$1" = -C ] && cd "$2" || exit 9
kind=build
case "$*" in *WAVES*) kind=build-waves;; esac
mkdir busy 2> /dev/null || echo overlap >> "$LOG"
echo begin >> "$LOG"
mkdir -p "$kind"
%s
rm -f "$kind/sim"
if grep -q '"configuration": "nv_small"' ../manifest.json
then cp /bin/true "$kind/sim"
else cp /bin/false "$kind/sim"
fi
echo end >> "$LOG"
rmdir busy
"""

# Leaves something half done and hangs, with a child that does not listen to SIGTERM.
HANG = """
echo half > "$kind/half"
(trap '' TERM; echo child > "$LOG.child"; while [ -d "${LOG%/*}" ]; do sleep 0.1; done) &
echo $! > "$LOG.pids"
echo $$ >> "$LOG.pids"
while [ ! -e "$LOG.child" ]; do sleep 0.01; done
touch "$LOG.hangs"
wait
"""

# Waits for the file $LOG.go.
SLOW = """
echo $$ > "$LOG.pids"
touch "$LOG.hangs"
while [ ! -e "$LOG.go" ] && [ -d "${LOG%/*}" ]; do sleep 0.01; done
"""

# Wants every path to exist as seen from where it is used. As the real one, its makefile refuses a
# folder with a blank in its name.
VERILATOR = r"""#!/usr/bin/env python3
import pathlib, sys
words = sys.argv[1:]
build = pathlib.Path(words[words.index("--Mdir") + 1])
build.mkdir(exist_ok=True)
flags = words[words.index("-CFLAGS") + 1].split()
for path in [w for w in words if w.endswith(".cpp")] + [f[2:] for f in flags if f[:2] == "-I"]:
    if not (build / path).exists():
        sys.exit(f"{path}: not found")
top = words[words.index("--top-module") + 1]
(build / f"V{top}.mk").write_text("sim:\n\tcp /bin/true sim\nifneq ($(words $(CURDIR)),1)\n"
                                  " $(error a blank in the name)\nendif\n")
"""


def until(condition, what, patience=PATIENCE):
    """Waits until the condition holds."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.005)


def running(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


def contents(folder):
    """Bytes of all files below, hidden ones, too."""
    return {str(p.relative_to(folder)): p.read_bytes()
            for p in sorted(folder.rglob("*")) if p.is_file()}


class Case(unittest.TestCase):
    patience = PATIENCE

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="macrame_test_"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.log = self.scratch / "log"
        self.env = dict(os.environ, LOG=str(self.log), TMPDIR=str(self.scratch / "tmp"),
                        XDG_CACHE_HOME=str(self.scratch / "cache"))
        (self.scratch / "tmp").mkdir()

    def start(self, *words, **more):
        more.setdefault("env", self.env)
        process = subprocess.Popen([MACRAME, *map(str, words)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.scratch, **more)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()

    @staticmethod
    def next_message(process):
        """The next line on stderr."""
        if not select.select([process.stderr], [], [], PATIENCE)[0]:
            raise AssertionError("waited in vain for a message")
        return process.stderr.readline()

    def finish(self, process):
        """Exit status as a shell sees it, stdout, stderr."""
        out, err = process.communicate(timeout=self.patience)
        status = process.returncode
        return (128 - status if status < 0 else status), out, err

    def run_macrame(self, *words, **more):
        return self.finish(self.start(*words, **more))

    def stub(self, name, text):
        """Puts a program in front of all others."""
        folder = self.scratch / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
        self.env["PATH"] = f"{folder}:{os.environ['PATH']}"

    def logged(self):
        return self.log.read_text().split() if self.log.exists() else []

    def right_states(self):
        """What the folder may contain in the end: one preset, whole."""
        states = {}
        for preset in PRESETS:
            folder = self.scratch / f"right_{preset}"
            self.assertEqual(self.run_macrame("generate", "--preset", preset, "--out", folder)[0], 0)
            states[preset] = contents(folder)
        return states


class Generate(Case):
    def test_many_runs_in_one_folder(self):
        states = self.right_states()
        folder = self.scratch / "same"
        for _ in range(3):
            runs = [self.start("generate", "--preset", PRESETS[i % 2], "--out", folder)
                    for i in range(12)]
            for run in runs:
                status, _, err = self.finish(run)
                self.assertEqual((status, err.replace("macrame: waiting for another run in "
                                                      f"{folder}\n", "")), (0, ""))
            self.assertIn(contents(folder), states.values())

    def test_killed_runs(self):
        states = self.right_states()
        folder = self.scratch / "same"
        for i in range(10):
            killed = self.start("generate", "--preset", PRESETS[i % 2], "--out", folder)
            if i % 2:
                until(lambda: (folder / ".macrame.new").exists() or killed.poll() is not None,
                      "the first file")
            killed.kill()
            killed.wait()
            preset = PRESETS[i // 2 % 2]
            self.assertEqual(self.run_macrame("generate", "--preset", preset, "--out", folder)[0],
                             0)
            self.assertEqual(contents(folder), states[preset])

    @contextlib.contextmanager
    def locked(self, folder):
        folder.mkdir()
        with open(folder / ".macrame.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def test_a_run_that_waits_says_so_once(self):
        folder = self.scratch / "same"
        with self.locked(folder):
            run = self.start("generate", "--preset", "nv_small", "--out", folder)
            self.assertEqual(self.next_message(run),
                             f"macrame: waiting for another run in {folder}\n")
            self.assertIsNone(run.poll())
        status, _, err = self.finish(run)
        self.assertEqual((status, err), (0, ""))
        self.assertFalse((folder / ".macrame.lock").exists())

    def test_interrupt_while_waiting(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            folder = self.scratch / f"same{number}"
            with self.locked(folder):
                run = self.start("generate", "--preset", "nv_small", "--out", folder)
                self.next_message(run)
                run.send_signal(number)
                self.assertEqual(self.finish(run), (
                    128 + number, "", f"macrame: {folder}: interrupted, nothing was changed\n"))
                self.assertEqual(contents(folder), {".macrame.lock": b""})

    def test_interrupted_at_any_time(self):
        """A folder is as before or as after, whenever the signal comes."""
        states = self.right_states()
        folder = self.scratch / "same"
        self.run_macrame("generate", "--preset", PRESETS[0], "--out", folder)
        begin = time.monotonic()
        self.run_macrame("generate", "--preset", PRESETS[1], "--out", folder)
        duration = time.monotonic() - begin
        for i in range(20):
            run = self.start("generate", "--preset", PRESETS[i % 2], "--out", folder)
            end = time.monotonic() + duration * i / 20
            until(lambda: time.monotonic() > end, "the clock")
            run.send_signal(signal.SIGINT if i % 2 else signal.SIGTERM)
            self.finish(run)
            self.assertIn(contents(folder), states.values())


class Mistakes(Case):
    def refused(self, *words):
        status, _, err = self.run_macrame(*words)
        self.assertEqual((status, err.count("\n")), (2, 1), err)
        return err.replace(str(self.scratch), "DIR").strip()

    def test_folder_for_file_and_file_for_folder(self):
        folder = self.scratch / "folder"
        folder.mkdir()
        (self.scratch / "file").write_text("")
        out = ("--out", self.scratch / "out")
        self.assertEqual(self.refused("generate", "--config", folder, *out),
                         "macrame: DIR/folder: a folder: want a file")
        self.assertEqual(self.refused("generate", "--config", "/dev/zero", *out),
                         "macrame: /dev/zero: more than 64 MiB: want a smaller file")
        self.assertEqual(self.refused("generate", "--out", self.scratch / "file"),
                         "macrame: DIR/file: not a folder: want a folder")
        self.assertEqual(self.refused("generate", "--out", self.scratch / "file/below"),
                         "macrame: DIR/file/below: cannot make this folder: Not a directory")
        self.assertFalse((self.scratch / "out").exists())

    def test_output_that_goes_nowhere(self):
        with open("/dev/full", "w") as full:
            for words in (("list", "presets"), ("list", "params"),
                          ("generate", "--out", self.scratch / "out")):
                run = subprocess.run([MACRAME, *map(str, words)], stdout=full,
                                     stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual((run.returncode, run.stderr), (
                    2, "macrame: standard output: cannot write: want room for it\n"))

    def test_read_only_folder(self):
        folder = self.scratch / "folder"
        folder.mkdir()
        folder.chmod(0o555)
        if os.access(folder, os.W_OK):
            folder = pathlib.Path("/proc/self")  # root may write everywhere but there
        text = self.refused("generate", "--out", folder)
        self.assertIn("cannot write: ", text)
        self.assertTrue(text.endswith("want a folder that may be written"), text)


class Cache(Case):
    def simulate(self, *words, **more):
        return self.start("simulate", "--random", "1", *words, **more)

    def setUp(self):
        super().setUp()
        self.stub("make", MAKE % "")

    def entries(self):
        return sorted((self.scratch / "cache/macrame").iterdir())

    def test_first_runs_side_by_side(self):
        runs = [self.simulate("--preset", PRESETS[i % 2]) for i in range(8)]
        self.assertEqual([self.finish(run)[0] for run in runs], [0, 1] * 4)
        self.assertNotIn("overlap", self.logged())
        self.assertEqual(len(self.entries()), 2)
        self.assertEqual((self.scratch / "cache/macrame").stat().st_mode & 0o777, 0o700)

    def test_two_configurations_in_one_folder(self):
        """Each run gets the program that it built, whatever is built there next."""
        folder = self.scratch / "same"
        runs = [self.simulate("--preset", PRESETS[i % 2], "--build-dir", folder)
                for i in range(8)]
        self.assertEqual([self.finish(run)[0] for run in runs], [0, 1] * 4)
        self.assertNotIn("overlap", self.logged())

    def test_interrupt_ends_the_build(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.stub("make", MAKE % HANG)
            run = self.simulate("--preset", "nv_small")
            until((self.scratch / "log.hangs").exists, "the build")
            pids = (self.scratch / "log.pids").read_text().split()
            run.send_signal(number)
            status, _, err = self.finish(run)
            self.assertEqual(status, 128 + number, err)
            for pid in pids:
                until(lambda: not running(pid), "the end of a child")
            (entry,) = self.entries()
            self.assertFalse((entry / ".macrame.lock").exists())
            self.assertTrue((entry / "tb/build/half").exists())
            for left in ("hangs", "pids", "child"):
                (self.scratch / f"log.{left}").unlink()
            (entry / "tb/busy").rmdir()
            # The next run starts from nothing.
            self.stub("make", MAKE % "")
            self.assertEqual(self.finish(self.simulate("--preset", "nv_small"))[0], 0)
            self.assertFalse((entry / "tb/build/half").exists())

    def test_build_outlives_a_killed_run(self):
        self.stub("make", MAKE % SLOW)
        killed = self.simulate("--preset", "nv_small")
        until((self.scratch / "log.hangs").exists, "the build")
        killed.kill()
        killed.wait()
        run = self.simulate("--preset", "nv_small")
        self.assertIn("waiting for another run", self.next_message(run))
        self.assertEqual(self.logged(), ["begin"])
        (self.scratch / "log.go").touch()
        self.assertEqual(self.finish(run)[0], 0)
        self.assertNotIn("overlap", self.logged())

    def test_no_make(self):
        self.env["PATH"] = str(self.scratch)
        status, _, err = self.finish(self.simulate())
        self.assertEqual((status, err), (2, "macrame: make: No such file or directory: "
                                            "want GNU make, Verilator and a C++ compiler\n"))

    def test_odd_folder_names(self):
        (self.scratch / "bin/make").unlink()
        self.stub("verilator", VERILATOR)
        for name in ("a b", " x\t ", "$HOME", "$(x)", "a#b", "it's", 'a"b', "\u00e4\u2713", "-C",
                     "a:b=c;d&e%f\\g", "*", "a\nb"):
            run = self.simulate("--preset", "nv_small", f"--build-dir={name}")
            status, _, err = self.finish(run)
            self.assertEqual((status, err), (0, ""), name)

    def test_failed_build(self):
        self.stub("make", "#!/bin/sh\necho broken; exit 7")
        status, _, err = self.finish(self.simulate())
        self.assertEqual(status, 2)
        self.assertIn("tb: the build failed (make: exit status 7), end of ", err)
        self.assertTrue(err.endswith("/tb/build.log:\n    broken\n"), err)

    def test_cache_that_others_may_write(self):
        folder = self.scratch / "cache/macrame"
        folder.mkdir(parents=True)
        for mode in (0o777, 0o770):
            folder.chmod(mode)
            status, _, err = self.finish(self.simulate())
            self.assertEqual((status, err), (
                2, f"macrame: {folder}: mode {mode:o}, other users may write there: want 700, "
                   "or --build-dir FOLDER\n"))
        folder.rmdir()
        folder.symlink_to(self.scratch / "tmp")
        self.assertEqual(self.finish(self.simulate())[0], 2)

    @unittest.skipUnless(os.geteuid() == 0, "only root can play other users")
    def test_cache_of_another_user(self):
        folder = self.scratch / "cache/macrame"
        folder.mkdir(parents=True)
        os.chown(folder, 54321, 54321)
        status, _, err = self.finish(self.simulate())
        self.assertEqual((status, err), (
            2, f"macrame: {folder}: belongs to another user: want --build-dir FOLDER\n"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can play other users")
    def test_user_without_home(self):
        for name in ("HOME", "XDG_CACHE_HOME"):
            self.env.pop(name, None)
        program = shutil.copy(MACRAME, self.scratch / "macrame")
        self.scratch.chmod(0o755)
        status, _, err = self.finish(self.simulate(user=54321, executable=program))
        self.assertEqual((status, err), (2, "macrame: the user has no home folder to build in: "
                                            "want --build-dir FOLDER\n"))

    def test_picture_needs_no_temporary_file(self):
        (self.scratch / "tmp/macrame_picture.ppm").mkdir()  # not a place to write to
        status, out, err = self.finish(self.start("simulate", "--model", "--picture", "--png",
                                                  "a.png"))
        self.assertEqual((status, err), (0, ""), out)
        self.assertEqual(os.listdir(self.scratch / "tmp"), ["macrame_picture.ppm"])


@unittest.skipUnless(os.environ.get("MACRAME_REAL_BUILDS"), "minutes: a full regression does it")
class RealBuilds(Case):
    """With make and Verilator."""
    patience = 3600

    def simulate(self, preset, *words):
        return self.start("simulate", "--preset", preset, "--both", "--random", "2", *words)

    def passes(self, run):
        status, out, err = self.finish(run)
        self.assertEqual(status, 0, err)
        self.assertIn("2 passed, 0 failed", out)

    def test_side_by_side(self):
        runs = [self.simulate("nv_small") for _ in range(3)]
        runs += [self.simulate(p, "--build-dir", "one folder") for p in ("nv_small", "nv_small_256")]
        for run in runs:
            self.passes(run)

    def test_interrupted(self):
        run = self.simulate("nv_small", "--build-dir", "same")
        build = self.scratch / "same/tb/build"
        until(lambda: list(build.glob("*.o")) or run.poll() is not None, "an object", self.patience)
        run.terminate()
        self.assertEqual(self.finish(run)[0], 128 + signal.SIGTERM)
        before = contents(build)
        self.assertNotIn("sim", before)
        self.passes(self.simulate("nv_small", "--build-dir", "same"))


if __name__ == "__main__":
    MACRAME = os.path.realpath(sys.argv.pop(1))
    unittest.main()
