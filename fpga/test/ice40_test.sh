#!/usr/bin/env bash
# From a configuration to the bitstream of the board with an iCE40HX8K, at its clock.
#   ice40_test.sh MACRAME CONFIG
set -eu
for program in yosys nextpnr-ice40 icepack; do
    if ! command -v "$program" > /dev/null; then
        echo "skipped: no $program: apt-get install yosys nextpnr-ice40 fpga-icestorm"
        exit 77
    fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" fpga --board ice40-hx8k-evn --config "$2" --out "$folder"
make -C "$folder"
grep -A 9 "Device utilisation" "$folder/build/seed1/nextpnr.log"
[ "$(stat -c %s "$folder/build/seed1/board.bin")" -gt 100000 ] || { echo "no bitstream"; exit 1; }
