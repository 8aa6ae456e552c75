#!/usr/bin/env python3
"""Makes quantised networks of float ones, as ONNX Runtime's quantiser does in its many forms.

    onnx_zoo.py FLOATS OUT [--form FORM ... | --form all] [--only WORD ...] [--as-written]
    zoo.py MACRAME OUT

FLOATS is a folder of float networks, NAME.onnx. OUT gets a folder NAME__FORM for each that ONNX
Runtime quantises, with what zoo.py reads: model.onnx, inputs.bin, outputs_ref.bin (ONNX Runtime as
it is by default, three runs), outputs_other.bin (the same without its optimisations, where that is
something else: it rounds elsewhere), tensors.json. Without --form each network gets one form, in
turn.

Open axes: 1 for a batch, --size for others. FLOATS/settings.json tells what suits better:
{"NAME": {"shapes": {"INPUT": [1, 3, 48, 192]}, "values": {"INPUT": [16000]},
"below": {"INPUT": 256}}}; an input with values becomes a constant, integers are drawn from 0 up to
below. Real values are smooth noise, -1 to 1. What ONNX Runtime itself cannot quantise or run is
named and left out.

Forms are FORMAT_ACTIVATIONS_WEIGHTS. Wants numpy, onnx and onnxruntime (scripts/executors.sh).
"""
import argparse
import json
import multiprocessing
import sys
import tempfile
from pathlib import Path

# Format, type of activations and weights, a scale for each channel, zero points of 0.
FORMS = {
    "qdq_s8_s8_channel": ("QDQ", "QInt8", "QInt8", True, False),
    "qdq_u8_s8": ("QDQ", "QUInt8", "QInt8", False, False),
    "qoperator_u8_u8": ("QOperator", "QUInt8", "QUInt8", False, False),
    "qdq_u8_u8": ("QDQ", "QUInt8", "QUInt8", False, False),
    "qdq_s8_s8_symmetric": ("QDQ", "QInt8", "QInt8", True, True),
    "qoperator_s8_s8_channel": ("QOperator", "QInt8", "QInt8", True, False),
    "dynamic_u8": ("dynamic", "", "QUInt8", False, False),
    "qoperator_u8_s8": ("QOperator", "QUInt8", "QInt8", False, False),
    "dynamic_s8_channel": ("dynamic", "", "QInt8", True, False),
    "qdq_u8_s8_channel": ("QDQ", "QUInt8", "QInt8", True, False),
}
TYPES = {1: "float32", 2: "uint8", 3: "int8", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
         11: "float64"}
RUNS, CALIBRATION = 3, 8
OPERATOR_SET = 13
BATCHES = ("batch", "n", "b", "batch_size")


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("floats", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--form", nargs="+", choices=[*FORMS, "all"], metavar="FORM",
                        help=", ".join(FORMS))
    parser.add_argument("--only", nargs="+", default=[""], help="in the name of the network")
    parser.add_argument("--as-written", action="store_true",
                        help="the first reference without ONNX Runtime's optimisations")
    parser.add_argument("--size", type=int, default=96, help="of open axes (%(default)s)")
    return parser.parse_args()


def fixed(model, settings, size):
    """Its inputs, {name: (type, shape)}: shapes are fixed, settings become constants."""
    import numpy as np
    from onnx import numpy_helper
    constants = {one.name for one in model.graph.initializer}
    inputs = {}
    for one in list(model.graph.input):
        kind = one.type.tensor_type
        if one.name in constants or one.name in settings.get("values", {}):
            model.graph.input.remove(one)
        if one.name in constants:
            continue
        dims = kind.shape.dim
        shape = settings.get("shapes", {}).get(one.name)
        if shape is None:
            shape = [dim.dim_value if dim.dim_value > 0 else
                     1 if i == 0 or dim.dim_param.lower() in BATCHES else size
                     for i, dim in enumerate(dims)]
        if one.name in settings.get("values", {}):
            value = np.array(settings["values"][one.name], TYPES[kind.elem_type])
            model.graph.initializer.append(numpy_helper.from_array(
                value.reshape([dim.dim_value for dim in dims]), one.name))
            continue
        for dim, length in zip(dims, shape):
            dim.Clear()
            dim.dim_value = length
        inputs[one.name] = TYPES[kind.elem_type], shape
    for one in model.graph.output:  # are computed anew
        one.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    return inputs


def drawn(inputs, settings, random):
    """A value for each input."""
    import numpy as np
    values = {}
    for name, (kind, shape) in inputs.items():
        if kind == "bool":
            values[name] = np.ones(shape, bool)
        elif kind.startswith("float"):
            value = random.uniform(-1, 1, shape)
            for axis in [i for i, length in enumerate(shape) if length > 8]:
                for _ in range(3):  # neighbours are like each other
                    value = (value + np.roll(value, 1, axis)) / 1.6
            values[name] = np.clip(value, -1, 1).astype(kind)
        else:
            below = settings.get("below", {}).get(name, 128)
            values[name] = random.integers(0, below, shape).astype(kind)
    return values


def newer(model):
    """With an operator set that has scales of channels; as it is where that cannot be."""
    from onnx import version_converter
    sets = {one.domain: one.version for one in model.opset_import}
    if sets.get("", OPERATOR_SET) >= OPERATOR_SET:
        return model
    try:
        return version_converter.convert_version(model, OPERATOR_SET)
    except Exception:  # whatever the converter throws
        return model


def session_of(path, as_written=False):
    import onnxruntime
    wanted = onnxruntime.SessionOptions()
    if as_written:
        wanted.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    wanted.intra_op_num_threads = 1
    wanted.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), wanted, providers=["CPUExecutionProvider"])


def quantised(source, target, form, inputs, settings):
    """Calls the quantiser; the network is fixed in shape and prepared as its manual says."""
    import numpy as np
    from onnxruntime import quantization
    how, activations, weights, per_channel, symmetric = FORMS[form]
    if how == "dynamic":
        quantization.quantize_dynamic(source, target, per_channel=per_channel,
                                      weight_type=quantization.QuantType[weights])
        return

    class Reader(quantization.CalibrationDataReader):
        def __init__(self):
            random = np.random.default_rng(1)
            self.values = iter([drawn(inputs, settings, random) for _ in range(CALIBRATION)])

        def get_next(self):
            return next(self.values, None)

    quantization.quantize_static(
        source, target, Reader(), quant_format=quantization.QuantFormat[how],
        activation_type=quantization.QuantType[activations], per_channel=per_channel,
        weight_type=quantization.QuantType[weights],
        extra_options={"ActivationSymmetric": symmetric})


def make(source, out, form, settings, size, as_written):
    """A folder for one network in one form."""
    import numpy as np
    import onnx
    from onnxruntime.quantization.shape_inference import quant_pre_process
    with tempfile.TemporaryDirectory() as scratch:
        plain, prepared = (str(Path(scratch) / name) for name in ("plain.onnx", "prepared.onnx"))
        model = newer(onnx.load(source))
        inputs = fixed(model, settings, size)
        onnx.save(model, plain)
        try:
            quant_pre_process(plain, prepared, skip_symbolic_shape=True)
        except Exception:  # as it tells to do then
            quant_pre_process(plain, prepared, skip_symbolic_shape=True, skip_optimization=True)
        made = Path(scratch) / "model.onnx"
        quantised(prepared, str(made), form, inputs, settings)
        session = session_of(made, as_written)
        random = np.random.default_rng(2)
        runs = [drawn(inputs, settings, random) for _ in range(RUNS)]
        outputs = [session.run(None, values) for values in runs]
        other = session_of(made, not as_written)
        others = [other.run(None, values) for values in runs]
        out.mkdir(parents=True, exist_ok=True)
        (out / "model.onnx").write_bytes(made.read_bytes())
    names = [one.name for one in session.get_inputs()]
    (out / "inputs.bin").write_bytes(b"".join(
        values[name].tobytes() for values in runs for name in names))
    reference, second = (b"".join(one.tobytes() for run in each for one in run)
                         for each in (outputs, others))
    (out / "outputs_ref.bin").write_bytes(reference)
    if second != reference:
        (out / "outputs_other.bin").write_bytes(second)
    (out / "tensors.json").write_text(json.dumps({
        "inputs": [{"name": name, "shape": list(runs[0][name].shape),
                    "type": str(runs[0][name].dtype)} for name in names],
        "outputs": [{"name": one.name, "shape": list(value.shape), "type": str(value.dtype)}
                    for one, value in zip(session.get_outputs(), outputs[0])]}))


def attempt(*arguments):
    """In a process of its own."""
    import logging
    import onnxruntime
    logging.disable(logging.CRITICAL)
    onnxruntime.set_default_logger_severity(4)
    try:
        make(*arguments)
    except Exception as error:  # whatever the quantiser throws
        print(f"{arguments[1].name}: {' '.join(str(error).split())[:300]}", flush=True)
        sys.exit(1)


def main():
    arguments = options()
    told = arguments.floats / "settings.json"
    settings = json.loads(told.read_text()) if told.exists() else {}
    sources = sorted(arguments.floats.glob("*.onnx"))
    forms = list(FORMS) if arguments.form == ["all"] else arguments.form
    made = left = 0
    for place, source in enumerate(sources):
        if not any(word in source.name for word in arguments.only):
            continue
        for form in forms or [list(FORMS)[place % len(FORMS)]]:
            out = arguments.out / f"{source.stem}__{form}"
            if (out / "tensors.json").exists():
                made += 1
                continue
            child = multiprocessing.Process(target=attempt, args=(
                source, out, form, settings.get(source.stem, {}), arguments.size,
                arguments.as_written))
            child.start()
            child.join()
            made, left = (made, left + 1) if child.exitcode else (made + 1, left)
            if child.exitcode < 0:
                print(f"{out.name}: ONNX Runtime ends by signal {-child.exitcode}", flush=True)
    print(f"{made} networks, {left} that ONNX Runtime does not quantise or run")
    sys.exit(made == 0)


if __name__ == "__main__":
    main()
