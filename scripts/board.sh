#!/usr/bin/env bash
# From nothing to a board: builds macrame, gets place and route for ECP5, writes the project of a
# board and makes it, as far as the tools at hand go: a bitstream for ECP5, or with Vivado.
#   scripts/board.sh BOARD [OPTIONS OF macrame fpga]
#   scripts/board.sh ulx3s-85f                 nv_small in build/boards/ulx3s-85f
#   scripts/board.sh ulx3s-85f --config my.toml --mhz 80 --out build/mine
# shellcheck disable=SC2046  # a list of names
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
board=${1:-}
if [ ! -e "$here/fpga/boards/$board/board.toml" ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    echo "board.sh: board = ${board:-nothing}: want" $(ls "$here/fpga/boards") >&2
    exit 2
fi
shift
folder=""
last=""
for argument in "$@"; do
    case $argument in --out=*) folder=${argument#--out=} ;; esac
    [ "$last" != --out ] || folder=$argument
    last=$argument
done
if [ -z "$folder" ]; then
    folder=$here/build/boards/$board
    set -- "$@" --out "$folder"
fi
"$here/scripts/build.sh"
"$here/build/macrame" fpga --board "$board" "$@"
if grep -q '^flow = "ecp5"' "$here/fpga/boards/$board/board.toml"; then
    pypi=""  # a placer that Debian's nextpnr does not have
    grep -q "placer static" "$folder/Makefile" && pypi=--pypi
    PATH=$("$here/scripts/ecp5_tools.sh" $pypi):$PATH
fi
exec make -C "$folder"
