#!/usr/bin/env python3
"""The Python package: the same answers, estimates, files and messages as the command line.

    package_test.py MACRAME [FOLDER]

FOLDER holds the package. numpy comes from PyPI (scripts/executors.sh); without it, or with a Python
that the module was not built for, the test is skipped (status 77). Without FOLDER the package is
the one installed for the Python that runs this.
"""
import ast
import concurrent.futures
import contextlib
import doctest
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "compiler/test/executors"))
sys.path.append(str(ROOT / "scripts"))
import check_docs  # noqa: E402
import environment  # noqa: E402
import quantise_test  # noqa: E402

DIGITS = ROOT / "compiler/examples/digits/digits.tflite"
SDP_S_POINTER = 0x9004  # of nv_small
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
        modules = [macrame, *(value for value in vars(macrame).values()
                              if isinstance(value, types.ModuleType))]
        results = [doctest.testmod(module, optionflags=doctest.ELLIPSIS) for module in modules]
        self.assertGreater(sum(one.attempted for one in results), 5)
        self.assertEqual(sum(one.failed for one in results), 0)

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
            page = session._repr_html_()
            self.assertEqual(page, session.estimate()._repr_html_())
            self.assertEqual(page.count("<tr>"), 1 + len(session.estimate()["layers"]))
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

    def test_tensors_of_layers_are_those_of_run(self):
        for preset in ("nv_small", "8x8"):
            session = macrame.Session(DIGITS, preset, layers=True)
            picture = self.picture(7)
            layers = session.run_layers({session.get_inputs()[0].name: picture})
            numpy.save(self.folder / "in.npy", picture)
            told = command("run", DIGITS, "--preset", preset, "--input", self.folder / "in.npy",
                           "--layers", self.folder / preset)
            self.assertEqual(told.returncode, 0, told.stderr)
            rows = [row for row in json.loads((self.folder / preset / "index.json").read_text())
                    ["tensors"] if row["file"]]
            self.assertGreater(len(rows), 4)
            self.assertEqual([name for _, name, _ in layers], [row["tensor"] for row in rows])
            for (kind, _, array), row in zip(layers, rows):
                wanted = numpy.load(self.folder / preset / row["file"])
                self.assertEqual((kind, array.dtype), (row["kind"], wanted.dtype))
                self.assertEqual(array.tolist(), wanted.tolist())
        for options, text in (({"machine": "rtl", "layers": True}, "golden model"),
                              ({}, "keeps them")):
            session = macrame.Session(DIGITS, "nv_small", **options)
            with self.assertRaisesRegex(macrame.Error, text):
                session.run_layers({session.get_inputs()[0].name: self.picture(7)})

    def test_the_page(self):
        """docs/python.md: `# raises macrame.Error` behind a line, a literal behind one with a value."""
        page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        shutil.copy(DIGITS, self.folder / "net.tflite")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        names, values = {"picture": self.picture(3), "macrame": macrame}, 0
        for block in check_docs.blocks(page)[0]:
            if block.language != "python" or block.kind == "not run":
                continue
            text = "\n".join(block.lines)
            for node in ast.parse(text).body:
                comment = block.lines[node.end_lineno - 1][node.end_col_offset:].strip(" #")
                kind, one = ("eval", ast.Expression(node.value)) if isinstance(node, ast.Expr) \
                    else ("exec", ast.Module([node], []))
                code = compile(one, f"docs/python.md:{block.line + node.lineno - 1}", kind)
                if comment.startswith("raises"):
                    self.assertRaises(macrame.Error, eval, code, names)
                    continue
                found = eval(code, names)  # of the project's own page
                try:
                    wanted = ast.literal_eval(comment)
                except (SyntaxError, ValueError):
                    continue
                self.assertEqual(found, wanted)
                values += 1
        self.assertGreater(values, 0)

    def test_the_notebook(self):
        cells = json.loads((ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8"))["cells"]
        source = [text for cell in cells if cell["cell_type"] == "code" for text in cell["source"]]
        (self.folder / "compiler").symlink_to(ROOT / "compiler")
        told = io.StringIO()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        code = "".join(text if text.endswith("\n") else text + "\n" for text in source)
        with contextlib.redirect_stdout(told):
            exec(compile(code, "notebook.ipynb", "exec"), {})  # of the project's own notebook
        self.assertIn("is a 0", told.getvalue())
        self.assertTrue((self.folder / "my_design").is_dir())

    def test_the_notebook_in_jupyter(self):
        try:
            import ipykernel  # noqa: F401
            import nbclient
            import nbformat
        except ImportError:
            self.skipTest("no nbclient and ipykernel for this Python")
        notebook = nbformat.read(ROOT / "docs/notebook.ipynb", as_version=4)
        (self.folder / "compiler").symlink_to(ROOT / "compiler")
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3",
                                resources={"metadata": {"path": str(self.folder)}}).execute()
        shown = [output for cell in notebook.cells if cell.cell_type == "code"
                 for output in cell.outputs]
        texts = [one.get("text", "") for one in shown]
        self.assertIn("is a 0", "".join(texts))
        pages = [one["data"]["text/html"] for one in shown if "text/html" in one.get("data", {})]
        self.assertIn("<th>layer", "".join(pages))

    def test_type_hints(self):
        def checked(*arguments):
            path = str(pathlib.Path(macrame.__file__).parents[1])
            return subprocess.run(
                [sys.executable, "-m", "mypy", "--strict", "--cache-dir", self.folder / "cache",
                 *arguments], env={**os.environ, "MYPYPATH": path if "site" not in path else ""},
                cwd=self.folder, capture_output=True, text=True, check=False)
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("no mypy for this Python")
        whole = checked("-p", "macrame")
        self.assertEqual(whole.returncode, 0, whole.stdout + whole.stderr)
        wrong = checked("-c", "import macrame\nmacrame.Session('a').run(None, 3)")
        self.assertRegex(wrong.stdout, "Argument 2 to .run. of .Session. has incompatible type")

    def test_commands(self):
        self.assertEqual(macrame.command("list", "presets", family="tcu"),
                         command("list", "presets", "--family", "tcu").stdout)
        small = macrame.Configuration("nv_small", cbuf_bank_depth=256)
        self.assertEqual(macrame.command("estimate", DIGITS, **small.options()).splitlines()[3:],
                         command("estimate", DIGITS, "--preset", "nv_small", "--cbuf-bank-depth",
                                 256).stdout.splitlines()[3:])
        with self.assertRaisesRegex(macrame.Error, "^mac-atomic-c-size = 3: want"):
            macrame.command("generate", preset="nv_small", mac_atomic_c_size=3, out=self.folder)

    def test_explore(self):
        front = macrame.explore(DIGITS, out=self.folder, family="systolic")
        self.assertGreater(len(front.points), 2)
        self.assertEqual([one["luts"] for one in front.points],
                         sorted(one["luts"] for one in front.points))
        best = front.points[-1]
        found = front.configuration(best["name"])
        self.assertEqual(found.family, "systolic")
        self.assertEqual(macrame.Session(DIGITS, found).estimate()["total_cycles"],
                         best["networks"][0]["cycles"])
        self.assertIn(best["name"], front._repr_html_())
        with self.assertRaisesRegex(macrame.Error, "want"):
            front.configuration("nothing")
        with self.assertRaisesRegex(macrame.Error, "no.such.tflite"):
            macrame.explore("no such.tflite", out=self.folder / "other")

    def test_quantise(self):
        try:
            import onnx  # noqa: F401
        except ImportError:
            self.skipTest("no onnx for this Python")
        network = quantise_test.network(self.folder)
        folder = quantise_test.data(self.folder / "data", 8)
        arrays = [{"x": numpy.load(path)} for path in sorted(folder.iterdir())]
        for number, given in enumerate((folder, arrays)):
            found = macrame.quantise(network, data=given, out=self.folder / f"{number}.onnx",
                                     configuration="nv_small", keep_host=3)
            told = command("quantise", network, "--data", folder, "--out", self.folder / "q.onnx",
                           "--keep-host", 3, "--json", self.folder / "q.json")
            self.assertEqual(told.returncode, 0, told.stderr)
            wanted = json.loads((self.folder / "q.json").read_text())
            self.assertGreater(found["db"], 20)
            self.assertIn("<th>step", found._repr_html_())
            self.assertEqual(found["db"], wanted["db"])
            self.assertEqual(found["calibration_inputs"], wanted["calibration_inputs"])
        with self.assertRaisesRegex(macrame.Error, "names without /"):
            macrame.quantise(network, data=[{"a/b": arrays[0]["x"], "c": arrays[0]["x"]}],
                             out=self.folder / "none.onnx")
        with self.assertRaisesRegex(macrame.Error, "found shape"):
            macrame.quantise(network, data=[{"x": arrays[0]["x"][:, :2]}],
                             out=self.folder / "none.onnx")
        self.assertFalse((self.folder / "none.onnx").exists())

    def test_a_device_answers_a_driver(self):
        for machine in ("model", "rtl"):
            with macrame.Device("nv_small", machine=machine) as device:
                self.assertEqual(device.read_memory(0x1000, 4), bytes(4))
                device.write_memory(0x1000, numpy.arange(40, dtype=numpy.uint8))
                self.assertEqual(device.read_memory(0x1008, 8), bytes(range(8, 16)))
                self.assertFalse(device.wait(10))
                device.write(SDP_S_POINTER, 1)
                self.assertEqual(device.read(SDP_S_POINTER) & 1, 1)
                device.reset()
                self.assertEqual(device.read(SDP_S_POINTER) & 1, 0)
                self.assertEqual(device.statistics()["register_reads"], 2)
                self.assertGreaterEqual(device.advance(100), 100)
        with self.assertRaisesRegex(macrame.Error, "closed"):
            device.read(0)
        with self.assertRaisesRegex(macrame.Error, "nothing"):
            macrame.Device("nv_small", nothing=3)
        with self.assertRaisesRegex(macrame.Error, "want"):
            macrame.Device("nv_small").read_memory(1 << 40, 4)

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
    built = len(sys.argv) > 2
    if built:
        environment.enter("numpy")
        sys.argv[1] = os.path.abspath(sys.argv[1])  # tests change the folder
        os.environ["MACRAME"] = sys.argv[1]
        sys.path.insert(0, sys.argv.pop(2))
    MACRAME = sys.argv.pop(1)
    import numpy
    try:
        import macrame
    except ImportError as error:
        if not built:
            raise
        print(f"package_test.py: skipped: {error}")
        return environment.SKIPPED
    unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
