#!/usr/bin/env python3
"""Every option of the operators of TFLite is used or refused.

    tflite_options_test.py GRAPH_RUN [--seeds N] [--operators NAME ...] [--all]

Networks of one operator of the executor tests are changed, one option after the other: it gets
another value, also one that the file leaves to its default. Where TFLite runs the result, ours is
the same or refused. --all: also prints what is refused, and what is taken though TFLite does not run
it. The packages come from PyPI (scripts/executors.sh); without them, the test is skipped (status 77).
"""
import argparse
import collections
import sys
import tempfile
from pathlib import Path

import environment
from environment import ROOT

sys.path.insert(0, str(ROOT / "scripts/networks"))
from forms_test import Forms, apart, tflite  # noqa: E402

VALUES = {"?": (0, 1), "b": (-1, 0, 1, 2, 3, 4, 5), "i": (-2, -1, 0, 1, 2, 3),
          "f": (-0.5, 0.0, 0.25, 1.0, 2.0)}
# Options of the format that the networks never have, by the operator: their ids and types.
MORE = {"ADD": {1: "?"}, "SUB": {1: "?"}, "STRIDED_SLICE": {5: "?"}, "DEPTHWISE_CONV_2D": {7: "b"},
        "UNIDIRECTIONAL_SEQUENCE_LSTM": {5: "?"}}
OPTIONS = 4  # of an operator


def changes(network):
    """(operator, what is changed, bytes) of each option of the last operator."""
    from tflite_file import OPERATORS, Table, file_of
    from tflite_tree import code_of, operators_of
    model = network.table()
    names = {row[0]: name for name, row in OPERATORS.items() if name.isupper()}
    operator = operators_of(model)[-1]
    name = names.get(code_of(model, operator))
    if name is None:
        return
    fields = {i: (field[0], field[1]) for i, field in enumerate(OPERATORS[name][3])
              if field is not None and field[1] in VALUES}
    fields.update({i: (f"option {i}", kind) for i, kind in MORE.get(name, {}).items()})
    known = operator.fields.get(OPTIONS)
    if not isinstance(known, Table):
        return
    for i, (title, kind) in fields.items():
        kept = known.fields.get(i)
        for value in VALUES[kind]:
            if kept is not None and kept[1] == value:
                continue
            known.fields[i] = (kind, value)
            yield name, f"{title} {value}", file_of(model)
        if kept is None:
            known.fields.pop(i, None)
        else:
            del known.fields[i]
            yield name, f"{title} left out", file_of(model)
            known.fields[i] = kept


def networks(seeds):
    """(title, network): one operator of each kind that the executor tests have."""
    import tflite_cell_graphs
    from tflite_detect_graphs import svdf
    from tflite_dynamic_graphs import dynamic, recurrent
    from tflite_graphs import INT8, NEW_INT16, NOT_INT16, chain
    for name in INT8:
        for seed in range(seeds):
            for kind in ("int8", "uint8", "int16"):
                if kind != "int16" or name not in NOT_INT16 | NEW_INT16:
                    network = chain(3 * seed, name, 1, kind)
                    if network is not None:
                        yield f"chain({3 * seed}, {name!r}, 1, {kind!r})", network
    for kind in (svdf, dynamic, recurrent, tflite_cell_graphs.cells, tflite_cell_graphs.volume):
        for seed in range(6 * seeds):
            yield f"{kind.__name__}({seed})", kind(seed)


def close(got, want, real):
    """The same; sums of float32 in any order."""
    import numpy
    if got == want or len(got) != len(want):
        return got == want
    return real and len(got) % 4 == 0 and numpy.allclose(
        numpy.frombuffer(got, numpy.float32), numpy.frombuffer(want, numpy.float32), 1e-4, 1e-4,
        equal_nan=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--operators", nargs="+", default=[])
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    environment.enter("TFLite interpreter")
    import cut_operators
    cut_operators.interpreter_module()  # before there are processes
    forms, counts, problems = Forms(arguments.graph_run), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for title, network in networks(arguments.seeds):
            plain = apart(tflite, network.bytes())
            real = not title.startswith("chain")
            if plain is None:
                counts["have no reference"] += 1
                continue
            got, text = forms.ours(Path(folder), network.bytes(), plain[0])
            if got is None or not close(got, plain[1], real):
                counts["unchanged refused" if got is None else "unchanged differ"] += 1
                if got is not None:
                    problems.append(f"{title}: differs unchanged")
                continue
            for name, what, model in changes(network):
                if arguments.operators and name not in arguments.operators:
                    continue
                theirs = apart(tflite, model)
                got, text = forms.ours(Path(folder), model, theirs[0] if theirs else plain[0])
                kind = "refused" if got is None else "not theirs" if theirs is None else \
                    "equal" if close(got, theirs[1], real) else "differ"
                counts[kind] += 1
                if kind == "differ" or kind == "refused" and ": " not in text:
                    problems.append(f"{name}, {title}: {what}: {kind} {text}")
                elif arguments.all and (kind == "not theirs" or kind == "refused" and theirs):
                    print(f"{name}, {title}: {what}: {kind} {text}", flush=True)
    for problem in problems:
        print("FAILED", problem)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    print(f"{counts['equal']} passed, {len(problems)} failed")
    sys.exit(1 if problems or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
