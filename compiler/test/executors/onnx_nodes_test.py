#!/usr/bin/env python3
"""The tests of operators that the onnx package has, of operators that ONNX Runtime has not.

    onnx_nodes_test.py GRAPH_RUN [--all]

Each is a network of one operator, with inputs and the outputs that the standard wants; the first
input stays one here, the others become constants. --all: every test of the package, and what is not
equal or refused is printed. The package comes from PyPI (scripts/executors.sh); without it, the test
is skipped (status 77).
"""
import argparse
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import environment

CHECKED = (
    "test_attention_", "test_tensorscatter", "test_deform_conv", "test_maxunpool", "test_maxpool",
    "test_lppool", "test_col2im", "test_scatter", "test_reversesequence", "test_convtranspose",
    "test_rotary", "test_rms_norm", "test_lstm", "test_gru", "test_simple_rnn", "test_rnn",
    "test_castlike_", "test_swish", "test_sequence", "test_dequantizelinear_",
    "test_resize_", "test_conv_with", "test_affine_grid", "test_causal_conv", "test_swiglu")
# What is not built yet; any other refusal of these is a fault.
REFUSED = ("storage_order 1, indices by columns", "want one or two of both", "want three or four axes",
           "scales: want one where a tensor is no constant", "scales: want a constant of integers",
           "input x: type 4: ", "keep_aspect_ratio_policy not_", "tf_crop_and_resize: want",
           "present_state has no elements")
# The function of a number that is none is not told.
LEFT_OUT = ("nan_robustness", "structural_empty")
# ONNX Runtime has another result of these, which is ours.
AS_THE_RUNTIME = {"test_maxunpool_export_with_output_shape",
                  "test_resize_downsample_scales_cubic_align_corners",
                  "test_resize_downsample_scales_linear_align_corners"}


def flat(value):
    """As our files of elements have it; None: no tensor of numbers."""
    import numpy
    if not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    value = numpy.asarray(value)
    if value.dtype.name in ("float16", "float64", "bfloat16"):
        return value.astype(numpy.float32)
    return value if value.dtype.kind in "fiub" else None


def with_constants(model, inputs):
    """All inputs but the first as constants."""
    import onnx
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for info, value in list(zip(made.graph.input, inputs))[1:]:
        made.graph.initializer.append(onnx.numpy_helper.from_array(value, info.name))
    del made.graph.input[1:]
    return made.SerializeToString()


def equal(data, outputs, relative):
    import numpy
    if len(data) != sum(value.nbytes for value in outputs):
        return False
    at = 0
    for value in outputs:
        ours = numpy.frombuffer(data[at:at + value.nbytes], value.dtype).reshape(value.shape)
        at += value.nbytes
        same = numpy.allclose(ours, value, relative, relative / 10, equal_nan=True) if value.dtype.kind == "f" \
            else (ours == value).all()
        if not same:
            return False
    return True


def run(graph_run, folder, case):
    """"" for equal outputs, "refused" with the reason, "differs", or None: not for us."""
    inputs, outputs = case.data_sets[0]
    values = [flat(value) for value in (*inputs, *outputs)]
    if not inputs or any(value is None for value in values):
        return None
    (folder / "model.onnx").write_bytes(with_constants(case.model, inputs))
    (folder / "inputs").write_bytes(values[0].tobytes())
    done = subprocess.run([graph_run, folder / "model.onnx", folder / "inputs", folder / "out"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return f"refused: {done.stdout.splitlines()[0]}"
    relative = 3e-2 if "bf16" in case.name or "bfloat16" in case.name else 1e-3
    same = equal((folder / "out/outputs.bin").read_bytes(), values[len(inputs):], relative)
    return "" if same else "differs"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("graph_run", type=Path)
    parser.add_argument("--all", action="store_true", help="every test of the package")
    arguments = parser.parse_args()
    environment.enter("onnx package")
    warnings.simplefilter("ignore")
    try:
        from onnx.backend.test.case.node import collect_testcases
    except ImportError:
        print("skipped: the onnx package has no tests of operators")
        sys.exit(environment.SKIPPED)
    counts = {"equal": 0, "refused": 0, "differs": 0}
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in collect_testcases(None):
            wanted = arguments.all or case.name.startswith(CHECKED)
            if not wanted or case.name.endswith("_expanded") or \
                    any(part in case.name for part in LEFT_OUT) or case.name in AS_THE_RUNTIME:
                continue
            result = run(arguments.graph_run, Path(folder), case)
            if result is None:
                continue
            kind = result.split(":")[0] or "equal"
            counts[kind] += 1
            fault = kind != "equal" and not any(reason in result for reason in REFUSED)
            faults += fault
            if fault or arguments.all and result:
                print(f"{case.name}: {result}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    sys.exit(1 if faults and not arguments.all or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
