#!/usr/bin/env bash
# Longest paths of any generated accelerator, as tables of path families; options: --help.
#
#   scripts/timing.sh --preset nv_small                       estimate for an ECP5, whole core
#   scripts/timing.sh --unit all --preset nv_small            and every unit
#   scripts/timing.sh --target xc7 --preset nv_small          estimate for a 7-series FPGA
#   scripts/timing.sh --flow ecp5 --preset nv_small           placed and routed
#   scripts/timing.sh --flow cells --unit all --preset nv_small
#
# Gets the programs that the flow needs: place and route by ecp5_tools.sh, standard cells and their
# timing analysis from Debian.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

packages=(yosys)
case "$*" in
    *"--flow cells"* | *"--flow=cells"*) packages+=(opensta qflow-tech-osu018) ;;
    *"--flow ecp5"* | *"--flow=ecp5"*)
        PATH=$("$here/ecp5_tools.sh"):$PATH
        ;;
esac
missing=()
for package in "${packages[@]}"; do
    case $package in
        yosys) command -v yosys ;;
        opensta) command -v sta ;;
        *) dpkg -s "$package" ;;
    esac > /dev/null 2>&1 || missing+=("$package")
done
if ((${#missing[@]})); then
    sudo=$([[ $(id -u) == 0 ]] || echo sudo)
    echo "timing.sh: installing ${missing[*]}" >&2
    { $sudo apt-get update -q && $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"; } > /dev/null ||
        { echo "timing.sh: want ${missing[*]}: apt-get install ${missing[*]}" >&2; exit 1; }
fi
exec python3 -B "$here/timing/main.py" "$@"
