"""Inputs of a network from a folder."""
import glob
import os

import numpy as np
import onnx

from network import UserError


def read(folder, network):
    """The inputs in a folder, by name: a list of {input: array}. A network with one input takes
    `*.npy`, others `KEY.INPUT.npy`."""
    if not os.path.isdir(folder):
        raise UserError(f"{folder}: want a folder of .npy files")
    names = [value.name for value in network.inputs]
    if len(names) == 1:
        keys = [os.path.basename(path)[:-4] for path in sorted(glob.glob(f"{folder}/*.npy"))]
        paths = {key: {names[0]: f"{folder}/{key}.npy"} for key in keys}
    else:
        ending = f".{names[0]}.npy"
        keys = [os.path.basename(path)[:-len(ending)]
                for path in sorted(glob.glob(f"{folder}/*{glob.escape(ending)}"))]
        paths = {key: {name: f"{folder}/{key}.{name}.npy" for name in names} for key in keys}
    if not keys:
        want = "*.npy" if len(names) == 1 else ", ".join(f"KEY.{name}.npy" for name in names)
        raise UserError(f"{folder}: has no inputs: want {want}")
    return [{value.name: one(paths[key][value.name], value) for value in network.inputs}
            for key in keys]


def one(path, value):
    """The array of a file, which has to have type and shape of the input."""
    try:
        array = np.load(path, allow_pickle=False)
    except Exception as error:
        raise UserError(f"{path}: is no .npy file: {error}") from error
    shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
    kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
    if array.dtype != kind:
        raise UserError(f"{path}: found {array.dtype}, want {kind} for input {value.name}")
    if list(array.shape) != shape and [1] + list(array.shape) == shape:
        array = array[None]
    if list(array.shape) != shape:
        raise UserError(f"{path}: found shape {list(array.shape)}, want {shape} for input "
                        f"{value.name}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise UserError(f"{path}: has values that are no finite numbers")
    return array
