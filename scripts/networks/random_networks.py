#!/usr/bin/env python3
"""Random networks on machines, in the ways that networks are run: all ways have the same answer.

    random_networks.py MACRAME [--attention 60] [--mixed 240] [--kept 40] [--tflite 100]
                       [--first SEED] [--configurations nv_small "nv_large --exact" ...]
                       [--folder FOLDER]

Float networks of random_kinds.py, quantised in the forms of onnx_zoo.py, and TFLite files of the
executor tests, of int8, uint8 and int16, on golden models. Each is compared:

  run          with TFLite within the bound that was declared; with ONNX Runtime by signal to noise,
               --near where all is declared exact, else --loose; where nothing is declared the
               program must have told how far off it is
  alone        the second of three inputs without the others: the same
  no-host      --no-host, if it is not refused: as run
  exact        --exact the same; of all that declare to be exact: the same bytes
  layers       --compare-layers with the reference executor finds nothing beyond what was declared
  c            the C that compile writes, with sanitizers, on the library for drivers, where that
               has the family: the same bytes as run
  several      compiled with the network before it into one memory, both run in turn, or each of
               their programs where there is no library: the same bytes as alone
  state        --state of those that keep a value: as run by run with that handed over

Ways are chosen by --ways. Prints what fails, and `N passed, N failed` of these. Status 1: something
failed. Networks are kept in --folder and used again. Wants the executors (scripts/executors.sh);
without them, status 77.
"""
import argparse
import json
import math
import multiprocessing
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "compiler/test/executors"))
WAYS = ["alone", "no-host", "exact", "layers", "c", "several", "state"]
CONFIGURATIONS = ["nv_small", "nv_small --row-enable true",
                  "nv_small --mac-atomic-c 16 --mac-atomic-k 16", "nv_large", "16x16", "zcu104"]


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("macrame", type=lambda name: Path(name).resolve())
    for kind, count in (("attention", 60), ("mixed", 240), ("kept", 40), ("tflite", 100)):
        parser.add_argument(f"--{kind}", type=int, default=count, help="%(default)s")
    parser.add_argument("--first", type=int, default=0, help="seed (%(default)s)")
    parser.add_argument("--configurations", nargs="+", default=CONFIGURATIONS)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--near", type=float, default=25, help="dB wanted (%(default)s)")
    parser.add_argument("--loose", type=float, default=10,
                        help="dB wanted where nothing is declared (%(default)s)")
    return parser.parse_args()


def make_onnx(out, kind, seed):
    """A folder with what the quantiser makes in the first form, from one of the seed on, that it
    can; nothing: none."""
    import onnx_zoo
    import random_kinds
    forms = list(onnx_zoo.FORMS)
    with tempfile.TemporaryDirectory() as scratch:
        settings = random_kinds.make(Path(scratch), kind, seed)
        source = Path(scratch) / f"{kind}_{seed}.onnx"
        for turn in range(len(forms)):
            child = multiprocessing.Process(target=quietly, args=(
                source, out, forms[(seed + turn) % len(forms)], settings, 1, False))
            child.start()
            child.join()
            if child.exitcode == 0:
                return


def quietly(*arguments):
    import contextlib
    import io
    import onnx_zoo
    with contextlib.redirect_stdout(io.StringIO()):
        onnx_zoo.attempt(*arguments)


def make_tflite(out, seed):
    """The same of a random chain of operators, with three runs by TFLite's interpreter."""
    import numpy
    import cut_operators
    import tflite_graphs
    rng = numpy.random.default_rng(seed)
    kind = ["int8", "uint8", "int8", "int16"][seed % 4]
    names = sorted(set(tflite_graphs.INT8) - (tflite_graphs.NOT_INT16 | tflite_graphs.NEW_INT16
                                              if kind == "int16" else set()))
    first = names[rng.integers(len(names))]
    graph = tflite_graphs.chain(seed, first, int(rng.integers(2, 9)), kind)
    if graph is None:
        return
    module = cut_operators.interpreter_module()
    interpreter = module.Interpreter(
        model_content=graph.bytes(),
        experimental_op_resolver_type=module.OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    inputs, outputs = b"", b""
    for _ in range(3):
        for detail in interpreter.get_input_details():
            value = rng.integers(0, 65536 if detail["dtype"] == numpy.int16 else 256,
                                 detail["shape"]).astype(detail["dtype"])
            interpreter.set_tensor(detail["index"], value)
            inputs += value.tobytes()
        interpreter.invoke()
        found = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
        outputs += b"".join(one.tobytes() for one in found)
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.tflite").write_bytes(graph.bytes())
    (out / "inputs.bin").write_bytes(inputs)
    (out / "outputs_ref.bin").write_bytes(outputs)
    (out / "tensors.json").write_text(json.dumps({"outputs": [
        {"shape": list(map(int, one.shape)), "type": str(one.dtype)} for one in found]}))


def decibels(got, want, types):
    """Of the output with the least."""
    import numpy
    least, at = math.inf, 0
    noise, signal = [0.0] * len(types), [0.0] * len(types)
    while at < len(want):
        for i, (kind, elements) in enumerate(types):
            a, b = (numpy.frombuffer(x, kind, elements, at).astype(float)
                    for x in (got, want))
            at += elements * numpy.dtype(kind).itemsize
            differ = (a != b) & ~(numpy.isnan(a) & numpy.isnan(b))
            noise[i] += float(((a - b)[differ] ** 2).sum())
            signal[i] += float((b[numpy.isfinite(b)] ** 2).sum())
    for n, s in zip(noise, signal):
        if n != 0:
            least = min(least, 10 * math.log10(s / n) if s > 0 and math.isfinite(n) else -math.inf)
    return least


class Checker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.passed = self.failed = self.refused = self.networks = 0
        self.ran = dict.fromkeys(WAYS, 0)
        self.before = {}  # by configuration: a network that is not refused
        self.said = ""  # by the last call

    def tell(self, network, where, way, problem):
        self.passed += not problem
        if way in self.ran:
            self.ran[way] += 1
        self.failed += bool(problem)
        if problem:
            print(f"FAILED {network.name}, {where}, {way}: {problem}", flush=True)

    def made(self, kind, count, wanted):
        """Some networks cannot be made: of no kind all."""
        print(f"{kind}: {count} networks of {wanted} seeds", flush=True)
        if count == 0:
            self.failed += 1
            print(f"FAILED {kind}: no network was made", flush=True)

    def call(self, *command):
        try:
            done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=600)
        except subprocess.TimeoutExpired:
            return -1, "more than 600 s"
        self.said = done.stdout
        return done.returncode, " | ".join(done.stdout.strip().splitlines()[-2:])

    def run(self, folder, model, machine, *more):
        """Outputs and what was declared, or status and text."""
        out, report = Path(folder) / "out.bin", Path(folder) / "report.json"
        for one in (out, report):
            one.unlink(missing_ok=True)
        status, text = self.call(self.arguments.macrame, "run", model, "--preset", *machine,
                                 "--output", out, "--json", report, *more)
        if status != 0:
            return None, (status, text)
        return out.read_bytes(), json.loads(report.read_text())["exactness"]

    def beyond(self, network, got, told, want, types):
        """What is wrong with outputs."""
        import operators
        if got == want:
            return ""
        if len(got) != len(want):
            return f"{len(got)} bytes: want {len(want)}"
        if told["declared"] and (network / "model.tflite").exists():
            found = operators.differences(got, want, types)
            beyond = operators.is_beyond(told, found, types)
            return f"{found}, declared {told['outputs']}" if beyond else ""
        least = self.arguments.near if told["exact"] else self.arguments.loose
        found = decibels(got, want, types)
        said = not told["declared"] and "dB signal to noise against" in self.said
        return "" if found >= least or said else f"{found:.1f} dB"

    def network(self, network):
        index = json.loads((network / "tensors.json").read_text())["outputs"]
        types = [(one["type"], math.prod(one["shape"])) for one in index]
        exact = {}  # outputs of all that declared so
        self.networks += 1
        with tempfile.TemporaryDirectory() as folder:
            for configuration in self.arguments.configurations:
                self.machine(network, configuration, types, folder, exact)
        self.tell(network, ", ".join(sorted(exact.values())), "exact",
                  "declared exact, and differ" if len(exact) > 1 else "")

    def machine(self, network, configuration, types, folder, exact):
        model = next(network.glob("model.*"))
        want = (network / "outputs_ref.bin").read_bytes()
        machine, inputs = shlex.split(configuration), ["--input", network / "inputs.bin"]
        got = None
        for way in ([], ["--no-host"], ["--exact"]):
            name = way[0][2:] if way else "run"
            if way and name not in self.arguments.ways:
                continue
            made, told = self.run(folder, model, machine, *inputs, *way)
            if made is None:
                refused = told[0] == 2
                self.tell(network, configuration, name, "" if refused else f"status {told}")
                if refused and not way:
                    self.refused += 1
                    print(f"refused {network.name}, {configuration}: {told[1]}", flush=True)
                    return
                continue
            self.tell(network, configuration, name, self.beyond(network, made, told, want, types))
            if told["declared"] and told["exact"]:
                exact.setdefault(made, f"{configuration} {name}")
            if got is None:
                got, told_of_run = made, told
        ways = {"alone": self.alone, "layers": self.layers, "c": self.emitted,
                "several": self.several, "state": self.state}
        for name in [name for name in ways if name in self.arguments.ways]:
            with tempfile.TemporaryDirectory() as scratch:
                problem = ways[name](network, model, machine, Path(scratch), got, told_of_run)
            if problem is not None:
                self.tell(network, configuration, name, problem)
        self.before[configuration] = network

    # Of each way: what is wrong, "" for nothing; None: it is none of this network.

    def alone(self, network, model, machine, folder, got, _):
        data, size = (network / "inputs.bin").read_bytes(), len(got) // 3
        (folder / "one.bin").write_bytes(data[len(data) // 3:2 * len(data) // 3])
        second, _ = self.run(folder, model, machine, "--input", folder / "one.bin")
        return "" if second == got[size:2 * size] else "differs"

    def layers(self, network, model, machine, _, __, told):
        status, text = self.call(self.arguments.macrame, "run", model, "--preset", *machine,
                                 "--input", network / "inputs.bin", "--count", 1,
                                 "--compare-layers")
        found = status != 0 and (status != 1 or told["declared"])
        return f"{status}: {text}" if found else ""

    def elements(self, network, made, name):
        """Inputs of some runs as the emitted C wants them: those of the file, or, where it has real
        values and the C integers, random ones."""
        import numpy
        import emitted_c
        sizes, _ = emitted_c.sizes_of(made, name)
        data = (network / "inputs.bin").read_bytes()
        if 3 * sum(sizes) == len(data):
            return data
        told = json.loads((network / "tensors.json").read_text())["inputs"]
        random, out, at = numpy.random.default_rng(1), b"", 0
        for _ in range(3):
            for tensor, size in zip(told, sizes):
                there = math.prod(tensor["shape"]) * numpy.dtype(tensor["type"]).itemsize
                out += data[at:at + size] if size == there else random.bytes(size)
                at += there
        return out

    def in_c(self, networks, machine, folder, made):
        """Runs networks, {name: folder}, by the C in `made`; the first's bytes must be run's."""
        import emitted_c
        if not all((made / f"{name}_host.c").exists() for name in networks):
            return None  # the host has an operator that there is no function in C for
        wanted = {}
        for name, network in networks.items():
            (folder / f"{name}.in").write_bytes(self.elements(network, made, name))
            wanted[name], told = self.run(
                folder, next(network.glob("model.*")), machine, "--input", folder / f"{name}.in",
                "--input-type", "elements", "--output-type", "elements")
            if wanted[name] is None:
                return f"{network.name}: {told}"
        problem = emitted_c.build(made, list(networks), folder, 3) or \
            emitted_c.run(self.arguments.macrame, machine, folder)
        return problem or ", ".join(
            f"{network.name} differs" for name, network in networks.items()
            if (folder / f"{name}.out").read_bytes() != wanted[name])

    def compiled(self, machine, made, networks, *more):
        """What went wrong."""
        status, text = self.call(
            self.arguments.macrame, "compile",
            *(f"{name}={next(one.glob('model.*'))}" for name, one in networks.items()),
            "--preset", *machine, "--out", made, *more)
        return "" if status == 0 else f"{status}: {text}"

    def emitted(self, network, _, machine, folder, __, ___):
        import emitted_c
        made, networks = folder / "made", {"one": network}
        problem = self.compiled(machine, made, networks)
        if problem:
            return problem
        if not emitted_c.has_device(made):
            return None
        return self.in_c(networks, machine, folder, made)

    def several(self, network, _, machine, folder, __, ___):
        import emitted_c
        before = self.before.get(" ".join(machine))
        if before is None:
            return None
        made, networks = folder / "made", {"newer": network, "older": before}
        problem = self.compiled(machine, made, networks)
        if problem:
            return problem
        if emitted_c.has_device(made):
            return self.in_c(networks, machine, folder, made)
        found = None
        for name, one in networks.items():
            problem = self.compiled(machine, folder / name, {name: one}, "--input",
                                    one / "inputs.bin")
            if problem:
                return problem
            for inputs in sorted((folder / name).glob("*.inputs.bin")):
                stem = inputs.name[:-len(".inputs.bin")]
                files = list((folder / name).glob(f"{stem}.*"))
                if not any(one.name in (f"{stem}.hex", f"{stem}.tmodel") for one in files):
                    continue  # a program of no instructions
                results = []
                for where in (folder / name, made):
                    program = next(one for one in where.glob(f"{stem}.*")
                                   if one.name in (f"{stem}.json", f"{stem}.tmodel"))
                    out = folder / "out.bin"
                    status, text = self.call(
                        self.arguments.macrame, "simulate", "--preset", *machine, "--model",
                        "--program", program, "--input", inputs, "--output", out)
                    if status != 0:
                        return f"{program.name}: {status}: {text}"
                    results.append(out.read_bytes())
                found = found or ""
                if results[0] != results[1]:
                    return f"{stem}: differs from the same program alone"
        return found

    def state(self, network, model, machine, folder, _, __):
        """The last input of each run is the last output of the run before, 0 in the first."""
        if not network.name.startswith("kept_"):
            return None
        import numpy
        tensors = json.loads((network / "tensors.json").read_text())

        def bytes_of(what):
            return [math.prod(one["shape"]) * numpy.dtype(one["type"]).itemsize
                    for one in tensors[what]]
        ins, outs = bytes_of("inputs"), bytes_of("outputs")
        data = (network / "inputs.bin").read_bytes()
        runs = [data[at:at + sum(ins[:-1])] for at in range(0, len(data), sum(ins))]
        last, wanted = bytes(ins[-1]), b""
        for one in runs:
            (folder / "in.bin").write_bytes(one + last)
            made, told = self.run(folder, model, machine, "--input", folder / "in.bin")
            if made is None:
                return f"{told}"
            wanted, last = wanted + made[:sum(outs[:-1])], made[sum(outs[:-1]):]
        (folder / "in.bin").write_bytes(b"".join(runs))
        names = f"{tensors['outputs'][-1]['name']}={tensors['inputs'][-1]['name']}"
        made, told = self.run(folder, model, machine, "--input", folder / "in.bin", "--state",
                              names)
        return f"{told}" if made is None else "" if made == wanted else "differs"


def main():
    arguments = options()
    import environment
    environment.enter("executors")
    checker = Checker(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or Path(scratch)
        for kind in ("attention", "mixed", "kept", "tflite"):
            count, before = getattr(arguments, kind), checker.networks
            for seed in range(arguments.first, arguments.first + count):
                network = folder / f"{kind}_{seed}"
                if not (network / "tensors.json").exists():
                    make_tflite(network, seed) if kind == "tflite" else \
                        make_onnx(network, kind, seed)
                if (network / "tensors.json").exists():
                    checker.network(network)
            if count:
                checker.made(kind, checker.networks - before, count)
    print(f"{checker.networks} networks, {checker.refused} times refused; " +
          ", ".join(f"{checker.ran[way]} {way}" for way in arguments.ways))
    for way in arguments.ways:
        if checker.networks > 1 and checker.ran[way] == 0 and (way != "state" or arguments.kept):
            checker.failed += 1
            print(f"FAILED {way}: nothing was run so")
    print(f"{checker.passed} passed, {checker.failed} failed")
    sys.exit(1 if checker.failed or not checker.passed else 0)


if __name__ == "__main__":
    main()
