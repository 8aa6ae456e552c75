"""Writes quantised networks, by onnxruntime's quantiser."""
import numpy as np
import onnx
from onnxruntime.quantization import CalibrationMethod, QDQQuantizer, QuantType, TensorData
from onnxruntime.quantization import TensorsData
from onnxruntime.quantization.registry import QDQRegistry, QLinearOpsRegistry

from recurrent import GATE

# Operators between int8 tensors; all others stay in float32 and run on the host.
QUANTISED = sorted((set(QDQRegistry) | set(QLinearOpsRegistry) | {"HardSwish"}))


def quantised(network, ranges, kept=()):
    """The network with int8 activations in these ranges and int8 weights per channel, in
    QDQ form; operators of the names `kept` and the gates of recurrent layers stay as they are."""
    kept = list(kept) + [node.name for node in network.nodes if GATE in node.name]
    data = TensorsData(CalibrationMethod.MinMax, {
        name: TensorData(lowest=np.float32(low), highest=np.float32(high))
        for name, (low, high) in ranges.items()})
    model = onnx.ModelProto()
    model.CopyFrom(network.model)
    writer = QDQQuantizer(model, True, False, QuantType.QInt8, QuantType.QInt8, data, [],
                          kept, QUANTISED, {})
    writer.quantize_model()
    return writer.model.model
