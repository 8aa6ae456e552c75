#!/usr/bin/env bash
# Makes a Python environment with the executors that our own is compared with, from PyPI, and prints
# its interpreter. What is there already is kept. Exit status 77: PyPI cannot be reached, or has
# nothing for this Python.
#   scripts/executors.sh [FOLDER]
set -u
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/macrame/executors}
packages=(
    'numpy<2'          # what tflite-runtime was compiled with
    tflite-runtime     # the reference for TFLite: Python 3.11 or older
    onnx onnxruntime
)
# Where there is no tflite-runtime for this Python.
substitutes=(numpy ai-edge-litert onnx onnxruntime)
python=$folder/bin/python
mkdir -p "$folder" && exec 9> "$folder/lock" && flock 9  # tests run side by side
wanted="${packages[*]} / ${substitutes[*]}"
if [ "$(cat "$folder/complete" 2> /dev/null)" != "$wanted" ]; then
    {
        "${PYTHON:-python3}" -m venv "$folder" || exit 77
        pip=("$python" -m pip install -q --disable-pip-version-check --retries 1 --timeout 15)
        "${pip[@]}" "${packages[@]}" || "${pip[@]}" "${substitutes[@]}" || exit 77
        echo "$wanted" > "$folder/complete"
    } >&2
fi
echo "$python"
