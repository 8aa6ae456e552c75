#!/usr/bin/env bash
# From nothing to a board: builds macrame, gets place and route for ECP5, writes the project of a
# board and makes it, as far as the tools at hand go: a bitstream for ECP5, or with Vivado.
#   scripts/board.sh BOARD [PRESET [FOLDER]]
#   scripts/board.sh ulx3s-85f                 nv_small in build/boards/ulx3s-85f
# shellcheck disable=SC2046  # a list of names
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
board=${1:-}
if [ $# -gt 3 ] || [ ! -e "$here/fpga/boards/$board/board.toml" ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    echo "board.sh: board = ${board:-nothing}: want" $(ls "$here/fpga/boards") >&2
    exit 2
fi
folder=$(realpath -m "${3:-$here/build/boards/$board}")
"$here/scripts/build.sh"
"$here/build/macrame" fpga --board "$board" --preset "${2:-nv_small}" --out "$folder"
if grep -q '^flow = "ecp5"' "$here/fpga/boards/$board/board.toml"; then
    PATH=$("$here/scripts/ecp5_tools.sh"):$PATH
fi
exec make -C "$folder"
