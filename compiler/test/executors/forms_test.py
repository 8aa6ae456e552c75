#!/usr/bin/env python3
"""Files in other forms: what TFLite's and ONNX Runtime's loaders read, our readers read, too.

    forms_test.py GRAPH_RUN [--all]

The form of files of random networks is changed, not their meaning: axes of single scales, unused or
empty tensors, several graphs, names left out and more (tflite_forms.py, onnx_forms.py). What the
reference runs then must not be refused, and gives its results. The executors come from PyPI
(scripts/executors.sh); without them, the test is skipped (status 77).
"""
import argparse
import pickle
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
from environment import ROOT

sys.path.insert(0, str(ROOT / "scripts/networks"))


def apart(function, *arguments):
    """What a function gives in a process of its own; None: an error, or it crashed."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        try:
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            result = pickle.dumps(function(*arguments))
            with os.fdopen(into, "wb") as pipe:
                pipe.write(result)
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        result = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(result) if result else None


def values_of(details):
    import numpy
    rng = numpy.random.default_rng(1)
    return [rng.integers(0, 256, d["shape"]).astype(d["dtype"]) for d in details]


def tflite(model):
    """Inputs and outputs of a run."""
    import cut_operators
    module = cut_operators.interpreter_module()
    interpreter = module.Interpreter(
        model_content=model, experimental_preserve_all_tensors=True,
        experimental_op_resolver_type=module.OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    inputs = values_of(details)
    for detail, value in zip(details, inputs):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    outputs = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
    return b"".join(x.tobytes() for x in inputs), b"".join(x.tobytes() for x in outputs)


def onnx(model):
    """The same by ONNX Runtime's kernels for integers, as the executor test has them."""
    import numpy
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    kinds = {"tensor(uint8)": numpy.uint8, "tensor(int8)": numpy.int8,
             "tensor(float)": numpy.float32}
    details = [{"shape": [n if isinstance(n, int) and n > 0 else 1 for n in i.shape],
                "dtype": kinds[i.type]} for i in session.get_inputs()]
    inputs = values_of(details)
    outputs = session.run(None, {i.name: x for i, x in zip(session.get_inputs(), inputs)})
    return b"".join(x.tobytes() for x in inputs), b"".join(x.tobytes() for x in outputs)


class Forms:
    def __init__(self, graph_run):
        self.graph_run = graph_run
        self.read = self.not_for_them = 0
        self.problems, self.seen = [], set()

    def ours(self, folder, model, inputs):
        (folder / "model").write_bytes(model)
        (folder / "inputs").write_bytes(inputs)
        done = subprocess.run([self.graph_run, folder / "model", folder / "inputs", folder / "out"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return None, done.stdout.strip()
        return (folder / "out/outputs.bin").read_bytes(), ""

    def check(self, title, form, model, runs, folder, plain):
        """`plain`: results of the file as it was; some forms keep the reference from optimising."""
        theirs = apart(runs, model)
        if theirs is None:
            self.not_for_them += 1
            return
        self.seen.add(form)
        self.read += 1
        outputs, text = self.ours(folder, model, theirs[0])
        if outputs is None:
            self.problems.append(f"{title}: {text}")
        elif outputs not in (theirs[1], plain):
            self.problems.append(f"{title}: other results")


def check_tflite(forms, folder):
    import cut_operators
    import tflite_forms
    from tflite_graphs import INT8, chain
    cut_operators.interpreter_module()  # before there are processes
    for number, name in enumerate(INT8):
        for kind in ("int8", "uint8")[number % 2:][:1]:
            network = chain(7 * number, name, 3, kind)
            if network is None:
                continue
            plain = apart(tflite, network.bytes())
            if plain is None or forms.ours(folder, network.bytes(), plain[0])[0] != plain[1]:
                continue  # has no reference kernel, or another defined result
            for form in tflite_forms.FORMS:
                model = tflite_forms.changed(network, form)
                if model != network.bytes():
                    forms.check(f"{form}: {kind} {name}", form, model, tflite, folder,
                                plain[1])
    return set(tflite_forms.FORMS)


def check_onnx(forms, folder):
    import numpy
    import onnx_forms
    import onnxruntime  # before there are processes
    from onnx_graphs import alone, chain
    assert onnxruntime
    networks = [(f"chain {seed}", chain(numpy.random.default_rng(seed), "uint8", seed % 2, 4))
                for seed in range(8)]
    networks += [(name, network) for name, network in alone("uint8", 1)]
    for name, network in networks:
        model = network.model()
        plain = apart(onnx, model.SerializeToString())
        if forms.ours(folder, model.SerializeToString(), plain[0])[0] != plain[1]:
            print(f"{name}: has other results in any form")
            continue
        for form in onnx_forms.FORMS:
            file = onnx_forms.changed(model, form)
            if file != model.SerializeToString():
                forms.check(f"{form}: {name}", form, file, onnx, folder, plain[1])
    return set(onnx_forms.FORMS)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--format", choices=["tflite", "onnx"], help="one of them (both)")
    parser.add_argument("--all", action="store_true", help="print all problems, not one of each form")
    arguments = parser.parse_args()
    environment.enter("executors")
    forms = Forms(arguments.graph_run)
    with tempfile.TemporaryDirectory() as folder:
        known = set()
        if arguments.format != "tflite":
            known |= check_onnx(forms, Path(folder))
        if arguments.format != "onnx":
            known |= check_tflite(forms, Path(folder))
    print(f"{forms.read} files read, {forms.not_for_them} that the reference does not run")
    never = known - forms.seen
    if never:
        print("never run by the reference:", *sorted(never))
    told = set()
    for problem in forms.problems:
        form = problem.split(":")[0]
        if arguments.all or form not in told:
            print("FAILED", problem)
        told.add(form)
    print(f"{len(forms.problems)} problems")
    sys.exit(1 if forms.problems else 0)


if __name__ == "__main__":
    main()
