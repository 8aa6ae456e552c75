#!/usr/bin/env bash
# Gets what a folder of `macrame soc` is built with into a folder of its own, and prints its bin/:
# LiteX from PyPI (fpga/soc/requirements.txt), and the compiler for RISC-V of Debian where there is
# none. What is there already is kept. Exit status 77: one of them cannot be reached.
#   scripts/soc.sh [FOLDER]
#   PATH=$(scripts/soc.sh):$PATH make -C DIR run
set -u
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/macrame/soc}
list=$(dirname "$0")/../fpga/soc/requirements.txt
debs=(gcc-riscv64-unknown-elf binutils-riscv64-unknown-elf)
prefix=riscv64-unknown-elf-

python_there() {
    "$folder/bin/python" -c 'import litex, migen, pythondata_cpu_vexriscv' 2> /dev/null
}

get_python() {
    "${PYTHON:-python3}" -m venv "$folder" &&
        "$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 1 \
            --timeout 15 -r "$list"
}

compiler_works() {
    echo '#include <stdint.h>' |
        "$1gcc" -march=rv32i2p0_m -mabi=ilp32 -ffreestanding -x c -c -o /dev/null - 2> /dev/null
}

# Debian's packages, without being root; the compiler finds its parts from where it is.
get_compiler() {
    mkdir -p "$folder/debian" && cd "$folder/debian" && apt-get -q download "${debs[@]}" || return
    for deb in ./*.deb; do dpkg -x "$deb" . && rm "$deb" || return; done
    ln -sf "$folder/debian/usr/bin/$prefix"* "$folder/bin/"
}

mkdir -p "$folder" && folder=$(cd "$folder" && pwd) && exec 9> "$folder/lock" && flock 9
python_there || get_python > "$folder/log" 2>&1 || {
    echo "soc.sh: skipped: no LiteX from PyPI: $(tail -n 1 "$folder/log")" >&2
    exit 77
}
compiler_works "$prefix" || compiler_works "$folder/bin/$prefix" ||
    { get_compiler >> "$folder/log" 2>&1 && compiler_works "$folder/bin/$prefix"; } || {
    echo "soc.sh: skipped: no compiler for RISC-V: want gcc-riscv64-unknown-elf of Debian:" \
        "$(tail -n 1 "$folder/log")" >&2
    exit 77
}
echo "$folder/bin"
