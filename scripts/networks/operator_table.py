#!/usr/bin/env python3
"""Which operators of network files are read, and where they run: writes docs/operators.md.

    operator_table.py --macrame build/macrame [--page docs/operators.md] [--seeds N] [--keep]
                      [FOLDER ...]

The operators are those of the readers' tables (macrame list operators). Where they run is what
macrame estimate tells of random networks, those that test/executors compares, and of the networks
in FOLDERs: an operator is the hardware's if a network has it there, else the host's, which runs all
that are read. Random networks alone are few: without FOLDERs of real ones, such as a zoo's, much of
what the hardware does is told as the host's. --keep adds to what the page has. In C: macrame
compile writes it for a board in some network, and names no function that it lacks. A star: no
network here has the operator, so that only its reader is known. The modules that make networks of
ONNX want the packages of scripts/executors.sh, in whose Python this runs.
"""
import argparse
import collections
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parents[1] / "compiler/test/executors"
FAMILIES = {"dla": "nv_large", "systolic": "16x16", "tcu": "zcu104"}
PLACE = re.compile(r"operator \d+ \(([^)]*)\)")
MARK = "<!-- the table below is written by scripts/networks/operator_table.py -->"


def tflite_networks(seeds):
    """(operators, file) of one operator or few."""
    import tflite_cell_graphs as cells
    import tflite_detect_graphs as detect
    import tflite_dynamic_graphs as dynamic
    import tflite_loop_graphs as loops
    from tflite_graphs import INT8, chain
    made = []
    for name in INT8:  # some do not suit what the seed begins with
        suited = (chain(seed, name, 1) for seed in range(12))
        made += itertools.islice((network for network in suited if network is not None), seeds)
    for kind in (cells.cells, cells.volume, cells.placed, cells.elements, cells.sparse,
                 dynamic.dynamic, dynamic.recurrent, detect.svdf, detect.suppression, loops.loop,
                 loops.spectrum, loops.two_ways):
        made += [kind(seed) for seed in range(5 * seeds)]
    made += [cells.functions(seed) for seed in range(13 * seeds)]
    made += [detect.detections(0)[0]]
    for network in made:
        yield {operator[0] for operator in network.operators}, network.bytes(), "tflite"


def onnx_networks(seeds):
    import onnx
    import onnx_cache_graphs
    import onnx_choice_graphs
    import onnx_contrib_graphs
    import onnx_dynamic_graphs
    import onnx_made_graphs
    import onnx_patch_graphs
    import onnx_recurrent_graphs
    import onnx_volume_graphs
    import numpy
    from onnx_graphs import alone, chain
    files = []
    for kind in ("int8", "uint8"):
        for seed in range(seeds):
            files += [network.model().SerializeToString() for _, network in alone(kind, seed)]
    for seed in range(6 * seeds):
        rng = numpy.random.default_rng(seed)
        files.append(chain(rng, "int8", seed % 2 == 1, 3).model().SerializeToString())
    for module in (onnx_cache_graphs, onnx_choice_graphs, onnx_contrib_graphs, onnx_dynamic_graphs,
                   onnx_made_graphs, onnx_patch_graphs, onnx_recurrent_graphs, onnx_volume_graphs):
        for seed in range(seeds):
            files += [model for _, model, _ in module.cases(seed)]
    files.append(onnx_made_graphs.found(0).SerializeToString())
    seen = set()
    for data in files:
        operators = {node.op_type for node in onnx.load_from_string(data).graph.node}
        seen |= operators
        yield operators, data, "onnx"
    # Of the others the tests of the onnx package.
    import onnx_nodes_test
    from onnx.backend.test.case.node import collect_testcases
    tried = collections.Counter()
    for case in collect_testcases(None):
        operators = {node.op_type for node in case.model.graph.node}
        name = " ".join(sorted(operators))
        if operators <= seen or tried[name] > seeds or not case.data_sets or \
                not case.data_sets[0][0]:
            continue
        tried[name] += 1
        try:
            data = onnx_nodes_test.with_constants(case.model, case.data_sets[0][0])
        except (TypeError, AttributeError):
            continue  # lists and optional values
        yield operators, data, "onnx"


def networks_of(folders):
    """All of the files in folders."""
    import onnx
    from tflite_runtime.interpreter import Interpreter, OpResolverType
    for file in sorted(file for folder in folders for file in Path(folder).rglob("*")):
        data = file.read_bytes() if file.suffix in (".onnx", ".tflite") else None
        if file.suffix == ".onnx":
            operators = {node.op_type for node in onnx.load_from_string(data).graph.node}
        elif file.suffix == ".tflite":
            reader = Interpreter(
                model_content=data,
                experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
            operators = {one["op_name"] for one in reader._get_ops_details()}
        else:
            continue
        yield operators, data, file.suffix[1:]


class Places:
    """Of each operator: families whose hardware has it, and whether C has it."""
    def __init__(self, macrame):
        self.macrame, self.folder = macrame, tempfile.TemporaryDirectory()
        self.found = collections.defaultdict(set)
        self.seen = set()

    def run(self, *arguments):
        return subprocess.run([self.macrame, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)

    def take(self, operators, data, suffix):
        file = Path(self.folder.name) / f"net.{suffix}"
        file.write_bytes(data)
        for family, preset in FAMILIES.items():
            if all(family in self.found[name] for name in operators):
                continue
            report = Path(self.folder.name) / "report.json"
            done = self.run("estimate", file, "--preset", preset, "--json", report)
            if done.returncode != 0:
                print(f"{sorted(operators)} on {preset}: {done.stdout.splitlines()[:1]}")
                continue
            self.seen |= operators
            work = json.loads(report.read_text())["work"]
            on_host = {PLACE.search(one["place"])[1] for one in work["host"]
                       if PLACE.search(one["place"])}
            if work["hardware_operators"]:
                for name in operators - on_host:
                    self.found[name].add(family)
        if not all("c" in self.found[name] for name in operators):
            done = self.run("compile", file, "--preset", "nv_large", "--out",
                            Path(self.folder.name) / "program")
            lacks = {found for line in done.stdout.splitlines() if line.startswith("no net_host.c")
                     for found in PLACE.findall(line)}
            if done.returncode == 0:
                for name in operators - lacks:
                    self.found[name].add("c")


def keep(places, page):
    """What the page tells without a star is found already."""
    for line in page.split(MARK)[-1].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 + len(FAMILIES) or cells[2] not in ("yes", "host"):
            continue
        name = cells[0].split(" ")[0]
        places.seen.add(name)
        known = [*FAMILIES, "c"]
        places.found[name] |= {where for where, cell in zip(known, cells[2:]) if cell == "yes"}


def known_operators(macrame):
    """name -> formats, in the order of the readers."""
    done = subprocess.run([macrame, "list", "operators"], stdout=subprocess.PIPE, text=True,
                          check=True)
    known = {}
    for line in done.stdout.splitlines():
        name, known_format = re.split(r"\s{2,}", line, 1)
        known.setdefault(name, []).append(known_format)
    return known


def rows_of(known, places):
    for name, formats in known.items():
        plain = name.split(" ")[0]
        here = places.found[plain]
        star = "" if plain in places.seen else "*"
        cells = [f"yes{star}" if one in here else f"host{star}" for one in FAMILIES]
        yield f"| {name} | {', '.join(formats)} | {' | '.join(cells)} | " \
              f"{'yes' if 'c' in here else '-' if not star else star} |"


def page_of(text, rows):
    head = text.split(MARK)[0] + MARK
    columns = " | ".join(f"{family} ({preset})" for family, preset in FAMILIES.items())
    lines = ["", "", f"| operator | format | {columns} | host's C |", "|---" * 6 + "|", *rows, ""]
    return head + "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--macrame", required=True)
    parser.add_argument("--page", type=Path, default=HERE.parents[1] / "docs/operators.md")
    parser.add_argument("--seeds", type=int, default=2, help="0: no random networks")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    sys.path[:0] = [str(TESTS), str(HERE)]
    import environment
    environment.enter("onnx package")
    places = Places(arguments.macrame)
    if arguments.keep:
        keep(places, arguments.page.read_text())
    made = (tflite_networks, onnx_networks) if arguments.seeds else ()
    for networks in (networks_of(arguments.folders), *(one(arguments.seeds) for one in made)):
        for operators, data, suffix in networks:
            places.take(operators, data, suffix)
    rows = list(rows_of(known_operators(arguments.macrame), places))
    arguments.page.write_text(page_of(arguments.page.read_text(), rows))
    print(f"{len(rows)} operators; {sum('*' in row for row in rows)} in no network here")


if __name__ == "__main__":
    main()
