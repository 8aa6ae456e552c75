#!/usr/bin/env python3
"""Operators cut out of networks (scripts/networks/operators.py) are those of the networks.

    operators_test.py GRAPH_RUN

Each operator of random networks, cut out with what it reads there: our executor of the definitions
makes of that what TFLite's interpreter wrote inside the network. The interpreter comes from PyPI
(scripts/executors.sh); without it, the test is skipped (status 77).
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import environment
from environment import ROOT

sys.path.insert(0, str(ROOT / "scripts/networks"))


def make_network(folder, graph):
    import numpy
    folder.mkdir()
    (folder / "model.tflite").write_bytes(graph.bytes())
    rng, runs = numpy.random.default_rng(1), 2
    values = [rng.integers(0, 256, tensor.shape).astype(tensor.kind).tobytes()
              for _ in range(runs) for tensor in graph.inputs]
    (folder / "inputs.bin").write_bytes(b"".join(values))


def check_cuts(graph_run, folder):
    """How many operators were cut."""
    import cut_operators
    from tflite_graphs import chain
    cutter = cut_operators.Cutter(folder / "cuts", 2)
    cuts = []
    for seed, first in enumerate(["CONV_2D", "ADD", "CONCATENATION", "FULLY_CONNECTED"]):
        network = folder / f"network{seed}"
        make_network(network, chain(seed, first, 6))
        cuts += cutter.cut(network, [])
        assert not cutter.cut(network, []), "the same again: want it left out"
    for cut in cuts:
        subprocess.run([graph_run, cut.folder / "model.tflite", cut.folder / "inputs.bin",
                        cut.folder / "out"], check=True)
        index = (cut.folder / "out/index.txt").read_text().splitlines()
        parts = [(cut.folder / "out" / line.split()[0]).read_bytes()
                 for line in index[-len(cut.types):]]
        half = [len(part) // 2 for part in parts]
        got = b"".join(part[:n] for part, n in zip(parts, half)) + \
            b"".join(part[n:] for part, n in zip(parts, half))
        assert got == (cut.folder / "outputs_ref.bin").read_bytes(), f"{cut.name}: differs"
    cut_operators.save(cuts, folder / "cuts/index.json")
    assert cut_operators.load(folder / "cuts/index.json") == cuts
    return len(cuts)


def check_table():
    import operators
    from operators import Outcome
    results = [("ADD", "a", Outcome("exact", declared=True)),
               ("ADD", "a", Outcome("off", 2, 0.125, declared=False, beyond=True)),
               ("MUL", "a", Outcome("refused", text="macrame: file: operator 0: a constant: "
                                                    "want none"))]
    assert operators.table(results, ["a"]) == [
        "| | a |", "|---|---|", "| ADD | 1 / 1 / 0 (2, 12 %) |", "| MUL | refused |",
        "| all | 1 / 1 / 1 (2, 12 %) |", "| declared exact | 1 |", "| beyond declared | 1 |"]
    assert operators.reasons(results, ["a"]) == ["a: 1 x a constant: want none"]


def check_bounds():
    """Of each output, in all runs."""
    import numpy
    import operators
    types = [["int8", 3], ["float32", 1]]

    def runs(*values):
        return b"".join(numpy.array(ints, "int8").tobytes() + numpy.float32(real).tobytes()
                        for ints, real in values)
    want = runs(([1, 2, 3], 0.5), ([4, 5, 6], 0.25))
    found = operators.differences(runs(([1, 2, 3], 0.5), ([4, 3, 7], 0.375)), want, types)
    assert found == [[2, 2, 6], [0.125, 1, 2]], found
    for most, real, beyond in ((2, 0.125, False), (1, 0.125, True), (2, 0.1, True),
                               (2, None, False)):
        told = {"declared": True, "outputs": [{"largest": most}, {"largest": real}]}
        assert operators.is_beyond(told, found, types) == beyond, (most, real)
    assert not operators.is_beyond({"declared": False}, found, types)


def main():
    environment.enter("TFLite interpreter")
    check_table()
    check_bounds()
    with tempfile.TemporaryDirectory() as folder:
        print(f"{check_cuts(sys.argv[1], Path(folder))} operators")


main()
