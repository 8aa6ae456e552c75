#!/usr/bin/env python3
"""The Python package: the same answers, estimates, files and messages as the command line.

    package_test.py MACRAME FOLDER

FOLDER holds the package. numpy comes from PyPI (scripts/executors.sh); without it, or with a Python
that the module was not built for, the test is skipped (status 77).
"""
import concurrent.futures
import doctest
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "compiler/test/executors"))
import environment  # noqa: E402

DIGITS = ROOT / "compiler/examples/digits/digits.tflite"
MACRAME = ""


def command(*arguments):
    return subprocess.run([MACRAME, *map(str, arguments)], capture_output=True, text=True,
                          check=False)


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def picture(self, seed):
        """Three strokes, so that answers differ from picture to picture."""
        random = numpy.random.default_rng(seed)
        made = numpy.full((1, 28, 28, 1), -128, numpy.int8)
        for _ in range(3):
            row, column = random.integers(4, 20, 2)
            height, width = random.permutation([3, int(random.integers(6, 18))])
            made[0, row:row + height, column:column + width] = random.integers(40, 128)
        return made

    def test_examples_of_the_documentation_strings(self):
        failed, tried = doctest.testmod(macrame, optionflags=doctest.ELLIPSIS)
        self.assertGreater(tried, 4)
        self.assertEqual(failed, 0)

    def test_files_are_those_of_generate(self):
        configuration = macrame.Configuration("nv_small", cbuf_bank_depth=256)
        configuration.generate(self.folder / "own")
        told = command("generate", "--preset", "nv_small", "--cbuf-bank-depth", 256, "--out",
                       self.folder / "told")
        self.assertEqual(told.returncode, 0, told.stderr)
        files = configuration.files()
        self.assertGreater(len(files), 50)
        for path, content in files.items():
            self.assertEqual((self.folder / "own" / path).read_bytes(), content)
            self.assertEqual((self.folder / "told" / path).read_bytes(), content)

    def test_values_are_those_of_the_preset_and_the_caller(self):
        configuration = macrame.Configuration("nv_small", winograd_enable=False)
        self.assertEqual(configuration["mac-atomic-c-size"], "8")
        self.assertEqual(configuration.values["winograd-enable"], "false")
        self.assertEqual(configuration.family, "dla")
        self.assertIn("<td>8", configuration._repr_html_())

    def test_messages_are_those_of_the_program(self):
        told = command("generate", "--preset", "nv_small", "--mac-atomic-c-size", 3,
                       "--cbuf-bank-number", 1, "--out", self.folder / "none")
        with self.assertRaises(macrame.Error) as caught:
            macrame.Configuration("nv_small", mac_atomic_c_size=3, cbuf_bank_number=1)
        self.assertEqual([f"macrame: {line}" for line in str(caught.exception).splitlines()],
                         told.stderr.splitlines())
        self.assertGreater(len(told.stderr.splitlines()), 1)
        for wrong in ({"preset": "nv_smal"}, {"family": "dl"}, {"no_such_value": 1}):
            with self.assertRaises(macrame.Error):
                macrame.Configuration(**wrong)
        with self.assertRaisesRegex(macrame.Error, "none.tflite"):
            macrame.Session("none.tflite", "nv_small")

    def test_answers_are_those_of_run(self):
        for preset in ("nv_small", "cmoda7", "4x4"):
            session = macrame.Session(DIGITS, preset)
            (given,), (made,) = session.get_inputs(), session.get_outputs()
            self.assertEqual((given.shape, given.dtype), ((1, 28, 28, 1), numpy.int8))
            pictures = [self.picture(seed) for seed in range(5)]
            (self.folder / "in.i8").write_bytes(b"".join(p.tobytes() for p in pictures))
            told = command("run", DIGITS, "--preset", preset, "--input", self.folder / "in.i8",
                           "--output", self.folder / "out.i8")
            self.assertEqual(told.returncode, 0, told.stderr)
            answers = [session.run(None, {given.name: p})[0] for p in pictures]
            self.assertEqual(answers[0].shape, made.shape)
            self.assertGreater(len({a.tobytes() for a in answers}), 3)
            self.assertEqual(b"".join(a.tobytes() for a in answers),
                             (self.folder / "out.i8").read_bytes())

    def test_estimates_and_programs_are_those_of_the_commands(self):
        for preset in ("nv_small", "8x8"):
            session = macrame.Session(DIGITS, preset)
            told = command("estimate", DIGITS, "--preset", preset, "--json",
                           self.folder / "estimate.json")
            self.assertEqual(told.returncode, 0, told.stderr)
            self.assertEqual(session.estimate(),
                             json.loads((self.folder / "estimate.json").read_text()))
            self.assertIn("cycles", session._repr_html_())
            told = command("compile", DIGITS, "--preset", preset, "--out", self.folder / preset)
            self.assertEqual(told.returncode, 0, told.stderr)
            programs = session.programs()
            self.assertGreater(len(programs), 1)
            for name, content in programs.items():
                self.assertEqual((self.folder / preset / name).read_bytes(), content)

    def test_feeds_are_checked(self):
        session = macrame.Session(DIGITS, "nv_small")
        name = session.get_inputs()[0].name
        good = self.picture(1)
        for feeds, text in (({}, "want an array"), ({"other": good}, name),
                            ({name: good[0]}, "28x28x1"),
                            ({name: good.astype(numpy.float32)}, "float32")):
            with self.assertRaisesRegex(macrame.Error, text):
                session.run(None, feeds)
        with self.assertRaisesRegex(macrame.Error, "nothing"):
            session.run(["nothing"], {name: good})
        with self.assertRaisesRegex(macrame.Error, "model or rtl"):
            macrame.Session(DIGITS, "nv_small", machine="board")

    def test_two_sessions_do_not_disturb_each_other(self):
        one, other = macrame.Session(DIGITS, "nv_small"), macrame.Session(DIGITS, "nv_small")
        name = one.get_inputs()[0].name
        first = one.run(None, {name: self.picture(1)})[0]
        second = other.run(None, {name: self.picture(2)})[0]
        self.assertFalse((first == second).all())
        self.assertTrue((one.run(None, {name: self.picture(1)})[0] == first).all())
        self.assertTrue((other.run(None, {name: self.picture(2)})[0] == second).all())

    def test_threads_share_a_session(self):
        session = macrame.Session(DIGITS, "nv_small")
        name = session.get_inputs()[0].name
        pictures = [self.picture(seed) for seed in range(24)]
        one_by_one = [session.run(None, {name: p})[0].tobytes() for p in pictures]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            at_once = list(pool.map(lambda p: session.run(None, {name: p})[0].tobytes(), pictures))
        self.assertEqual(at_once, one_by_one)
        self.assertGreater(len(set(one_by_one)), 8)


def main():
    global MACRAME, macrame, numpy
    environment.enter("numpy")
    MACRAME = sys.argv.pop(1)
    sys.path.insert(0, sys.argv.pop(1))
    import numpy
    try:
        import macrame
    except ImportError as error:
        print(f"package_test.py: skipped: {error}")
        return environment.SKIPPED
    unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
