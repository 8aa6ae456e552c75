"""Cuts operators out of TFLite networks, with the values that they read and write there.

The values are those of TFLite's own interpreter with its reference kernels.
"""
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tflite_patch import BUFFERS, OPERATORS, TENSORS, File, with_one_operator, with_outputs


def interpreter_module():
    try:
        from tflite_runtime import interpreter
    except ImportError:
        from ai_edge_litert import interpreter
    return interpreter


@dataclass
class Cut:
    """An operator alone: a folder with model.tflite, inputs.bin and outputs_ref.bin."""
    network: str
    number: int
    kind: str
    folder: Path
    types: list  # of the outputs, and elements of one run: [["int8", 1024]]

    @property
    def name(self):
        return f"{self.network} {self.number} {self.kind}"


def read_runs(folder, details):
    """Inputs of each run, from inputs.bin: elements of all inputs back to back."""
    data = (folder / "inputs.bin").read_bytes()
    size = sum(int(np.prod(d["shape"])) * np.dtype(d["dtype"]).itemsize for d in details)
    if not data or len(data) % size:
        raise ValueError(f"inputs.bin: {len(data)} bytes: want runs of {size}")
    runs = []
    for start in range(0, len(data), size):
        values, at = [], start
        for detail in details:
            count = int(np.prod(detail["shape"]))
            values.append(np.frombuffer(data, detail["dtype"], count, at).reshape(detail["shape"]))
            at += values[-1].nbytes
        runs.append(values)
    return runs


def meaning(model, number, details):
    """What two operators have in common that compute the same of the same inputs."""
    file, digest = File(model), hashlib.sha256()
    table = file.tables(file.graph, OPERATORS)[number]
    operator = next(op for op in details[1] if op["index"] == number)
    digest.update(operator["op_name"].encode())
    options = file.field(table, 4)
    if options is not None:
        at = file.follow(options)
        vtable = at - file.word(at, "<i")
        digest.update(file.data[vtable:vtable + file.word(vtable, "<H")])
        digest.update(file.data[at + 4:at + file.word(vtable + 2, "<H")])
    buffers = file.tables(file.model, BUFFERS)
    for index in [*operator["inputs"], *operator["outputs"]]:
        if index < 0:
            digest.update(b"none")
            continue
        detail = details[0][index]
        q = detail["quantization_parameters"]
        digest.update(repr((tuple(detail["shape"]), np.dtype(detail["dtype"]).name,
                            q["scales"].tolist(), q["zero_points"].tolist(),
                            q["quantized_dimension"])).encode())
        tensor = file.tables(file.graph, TENSORS)[index]
        buffer = buffers[file.scalar(tensor, 2, "<I")]
        if file.length(buffer, 0):
            at = file.follow(file.field(buffer, 0))
            digest.update(file.data[at + 4:at + 4 + file.word(at)])
    return digest.hexdigest()


class Cutter:
    """Of several networks; operators that were there already are left out."""

    def __init__(self, folder, runs):
        self.folder, self.runs = folder, runs
        self.module = interpreter_module()
        self.known, self.repeated = set(), 0

    def interpreter(self, model):
        made = self.module.Interpreter(
            model_content=model, experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=self.module.OpResolverType.BUILTIN_REF)
        made.allocate_tensors()
        return made

    def cut(self, path, wanted):
        """Those operators of a network folder whose kind is wanted; all, if that is empty."""
        model = (path / "model.tflite").read_bytes()
        plain = self.interpreter(model)
        kinds = {d["index"]: np.dtype(d["dtype"]).kind for d in plain.get_tensor_details()}
        # Resources and strings are no values.
        operators = [operator for operator in plain._get_ops_details()
                     if all(kinds[i] in "iufb" for i in (*operator["inputs"], *operator["outputs"])
                            if i >= 0)]
        written = sorted({int(i) for operator in operators for i in operator["outputs"]})
        # Preserved is only what is an output: an operator may work in the place of its input.
        interpreter = self.interpreter(with_outputs(model, written))
        tensors = {d["index"]: d for d in interpreter.get_tensor_details()}
        file, picked = File(model), []
        for operator in operators:
            if wanted and operator["op_name"] not in wanted:
                continue
            key = meaning(model, operator["index"], (tensors, operators))
            if key in self.known:
                self.repeated += 1
                continue
            self.known.add(key)
            reads = list(dict.fromkeys(int(i) for i in operator["inputs"]
                                       if i >= 0 and not file.is_constant(i)))
            picked.append((operator, reads, [int(i) for i in operator["outputs"]], [], []))
        if not picked:
            return []
        for values in read_runs(path, interpreter.get_input_details())[:self.runs]:
            for detail, value in zip(interpreter.get_input_details(), values):
                interpreter.set_tensor(detail["index"], value)
            interpreter.invoke()
            for _, reads, writes, inputs, outputs in picked:
                inputs += [interpreter.get_tensor(i).tobytes() for i in reads]
                outputs += [interpreter.get_tensor(i).tobytes() for i in writes]
        return [self.write(path.name, model, tensors, *one) for one in picked]

    def write(self, network, model, tensors, operator, reads, writes, inputs, outputs):
        number, kind = operator["index"], operator["op_name"]
        folder = self.folder / f"{network}.{number:03}.{kind}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.tflite").write_bytes(with_one_operator(model, number, reads, writes))
        (folder / "inputs.bin").write_bytes(b"".join(inputs))
        (folder / "outputs_ref.bin").write_bytes(b"".join(outputs))
        types = [[np.dtype(tensors[i]["dtype"]).name, int(np.prod(tensors[i]["shape"]))]
                 for i in writes]
        return Cut(network, number, kind, folder, types)


def save(cuts, path):
    rows = [{**vars(cut), "folder": cut.folder.name} for cut in cuts]
    path.write_text(json.dumps(rows, indent=1))


def load(path):
    return [Cut(**{**cut, "folder": path.parent / cut["folder"]})
            for cut in json.loads(path.read_text())]
