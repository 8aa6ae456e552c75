#!/usr/bin/env python3
"""Every attribute, optional input and output, and version of the operators of ONNX is used or refused.

    onnx_attributes_test.py GRAPH_RUN [--cases N] [--every N] [--operators NAME ...] [--all]

The tests of operators that the onnx package has are changed in one place after the other: an
attribute gets another value or is left out, an input or output that is optional is left out or
asked for, the operator is that of another version. Where ONNX Runtime runs the result, ours is the
same or refused. Each change is tried on N tests of an operator, of these each Nth. --all: also
prints what is refused, and what is taken though ONNX Runtime does not run it. The packages come from PyPI (scripts/executors.sh); without
them, the test is skipped (status 77).
"""
import argparse
import collections
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import environment
from forms_test import apart
from onnx_nodes_test import flat

# Random numbers, what has none of our types,
# and those whose number of results the values say: these are compared elsewhere.
LEFT_OUT = re.compile(r"NonMax|Random|Multinomial|Bernoulli|^Dropout.*train|String|Tf|Optional|Label")
NOT_TOLD = {("TopK", "sorted 0")}  # in which order
PROBES = {"INT": (-1, 0, 1, 2, 3), "FLOAT": (-0.4, 0.0, 0.3)}


def words_of(attribute):
    """Values that a description names, and one that nothing has."""
    quoted = re.findall(r"[`'\"]+([A-Za-z_]+)[`'\"]+", attribute.description)
    return sorted(set(quoted)) + ["nonsense"]


def values_of(attribute, known, rank):
    """Other values of an attribute than `known`, which is None where the file has none."""
    kind = str(attribute.type).rsplit(".", 1)[-1]
    if kind in PROBES:
        found = PROBES[kind]
    elif kind == "STRING":
        found = words_of(attribute)
    elif kind in ("INTS", "FLOATS"):
        scalars = PROBES[kind[:-1]]
        if known:
            found = [[*known[:i], value, *known[i + 1:]] for i in range(len(known))
                     for value in scalars] + [known[::-1], known[:-1]]
        else:
            found = [[value] * count for value in scalars
                     for count in sorted({1, max(rank - 2, 1), max(2 * rank - 4, 1), rank})]
    else:
        found = ()  # tensors and graphs
    return [value for value in found if value != known]


def changes(model):
    """(what is changed, changed model) of a network of one operator."""
    import onnx
    from onnx import helper
    node = model.graph.node[0]
    version = next(one.version for one in model.opset_import if one.domain == node.domain)
    schema = onnx.defs.get_schema(node.op_type, version, node.domain)
    shape = model.graph.input[0].type.tensor_type.shape
    known = {a.name: helper.get_attribute_value(a) for a in node.attribute}

    def copy():
        made = onnx.ModelProto()
        made.CopyFrom(model)
        return made, made.graph.node[0]

    yield "as it is", model
    for name, attribute in sorted(schema.attributes.items()):
        value = known.get(name)
        value = value.decode() if isinstance(value, bytes) else value
        value = list(value) if isinstance(value, (list, tuple)) else value
        others = values_of(attribute, value, len(shape.dim))
        for other in [*others, *([None] if name in known else [])]:
            made, changed = copy()
            kept = [a for a in changed.attribute if a.name != name]
            del changed.attribute[:]
            changed.attribute.extend(kept)
            if other is not None:
                changed.attribute.append(helper.make_attribute(
                    name, other, attr_type=int(attribute.type.value)))
            yield f"{name} {'left out' if other is None else other}", made
    for i in range(1, len(node.input)):
        made, changed = copy()
        changed.input[i] = ""
        yield f"input {i} left out", made
    for i in range(len(node.output), len(schema.outputs)):
        made, changed = copy()
        changed.output.extend([f"more{k}" for k in range(len(node.output), i + 1)])
        made.graph.output.add().name = f"more{i}"
        yield f"output {i}", made
    for other in sorted({s.since_version for s in onnx.defs.get_all_schemas_with_history()
                         if s.name == node.op_type and s.domain == node.domain} - {version}):
        made, _ = copy()
        for one in made.opset_import:
            if one.domain == node.domain:
                one.version = other
        made.ir_version = min(made.ir_version, 10)
        yield f"version {other}", made


def theirs(model, inputs):
    """Outputs by ONNX Runtime, which may throw anything."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    names = {one.name for one in session.get_inputs()}
    return session.run(None, {info.name: value for info, value in zip(model.graph.input, inputs)
                              if info.name in names})


def equal(data, outputs):
    """Real values near those of sums in another order, others the same; NaN is not compared."""
    import numpy
    if len(data) != sum(value.nbytes for value in outputs):
        return False
    at = 0
    for value in outputs:
        ours = numpy.frombuffer(data[at:at + value.nbytes], value.dtype).reshape(value.shape)
        at += value.nbytes
        if value.dtype.kind == "f":
            known = ~numpy.isnan(value)
            finite = numpy.abs(value[numpy.isfinite(value)])
            most = finite.max() if finite.size else 0
            if not numpy.allclose(ours[known], value[known], 1e-3, 1e-5 * most + 1e-6):
                return False
        elif (ours != value).any():
            return False
    return True


class Changes:
    def __init__(self, graph_run, folder, tell):
        self.graph_run, self.folder, self.tell = graph_run, Path(folder), tell
        self.counts = collections.Counter()
        self.problems = []

    def ours(self, model, inputs):
        """Bytes of the outputs, or None and the reason of the refusal."""
        import onnx
        made = onnx.ModelProto()
        made.CopyFrom(model)
        for info, value in list(zip(made.graph.input, inputs))[1:]:
            made.graph.initializer.append(onnx.numpy_helper.from_array(value, info.name))
        del made.graph.input[1:]
        (self.folder / "model.onnx").write_bytes(made.SerializeToString())
        (self.folder / "inputs").write_bytes(flat(inputs[0]).tobytes())
        done = subprocess.run([self.graph_run, self.folder / "model.onnx", self.folder / "inputs",
                               self.folder / "out"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode == 0:
            return (self.folder / "out/outputs.bin").read_bytes(), ""
        text = done.stdout.splitlines()
        return None, text[0] if text else f"status {done.returncode}"

    def check(self, title, model, inputs):
        want = apart(theirs, model, inputs)  # it ends some of these by a signal
        got, reason = self.ours(model, inputs)
        values = None if want is None else [flat(value) for value in want]
        if got is None:
            kind = "refused"
            if "status" in reason and not reason.startswith("model"):
                self.problems.append(f"{title}: {reason}")
        elif values is None:
            kind = "not theirs"
        elif any(value is None for value in values):
            kind = "of other types"
        else:
            kind = "equal" if equal(got, values) else "differs"
        self.counts[kind] += 1
        if kind == "differs":
            self.problems.append(f"{title}: differs")
        elif self.tell and (kind == "not theirs" or kind == "refused" and values is not None):
            print(f"{title}: {kind} {reason}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--cases", type=int, default=1, help="for each change (%(default)s)")
    parser.add_argument("--every", type=int, default=12, help="which of the changes (%(default)s)")
    parser.add_argument("--operators", nargs="+", default=[])
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    environment.enter("onnx package")
    warnings.simplefilter("ignore")
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
    try:
        from onnx.backend.test.case.node import collect_testcases
    except ImportError:
        print("skipped: the onnx package has no tests of operators")
        sys.exit(environment.SKIPPED)
    number = 0
    times = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        tried = Changes(arguments.graph_run, folder, arguments.all)
        for case in collect_testcases(None):
            kind = case.model.graph.node[0].op_type
            inputs = case.data_sets[0][0]
            if len(case.model.graph.node) != 1 or case.model.graph.node[0].domain or \
                    LEFT_OUT.search(kind) or not inputs or \
                    case.name.endswith("_expanded") or any(flat(value) is None for value in inputs):
                continue
            if arguments.operators and kind not in arguments.operators:
                continue
            for what, model in changes(case.model):
                times[kind, what] += 1
                if times[kind, what] > arguments.cases or (kind, what) in NOT_TOLD:
                    continue
                number += 1
                if number % arguments.every == 0:
                    tried.check(f"{kind} {case.name}: {what}", model, inputs)
    for problem in tried.problems:
        print("FAILED", problem)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(tried.counts.items())))
    print(f"{tried.counts['equal']} passed, {len(tried.problems)} failed")
    sys.exit(1 if tried.problems or not tried.counts["equal"] else 0)


if __name__ == "__main__":
    main()
