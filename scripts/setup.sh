#!/usr/bin/env bash
# Installs the Debian packages that macrame needs, if they are missing.
set -u
packages=(
    cmake ninja-build g++ make ccache python3               # build
    libcli11-dev libfmt-dev libssl-dev libtomlplusplus-dev nlohmann-json3-dev
    libflatbuffers-dev flatbuffers-compiler                 # network files
    libprotobuf-dev protobuf-compiler
    libpng-dev libturbojpeg0-dev                            # pictures
    verilator zlib1g-dev                                    # simulation; its waves
    python3-dev                                             # Python module
    libgtest-dev iverilog yosys z3 tcl python3-venv         # tests, lint
    nextpnr-ice40 fpga-icestorm                             # a bitstream
    device-tree-compiler                                    # device trees of boards
    dpkg-dev file                                           # Debian package
)
missing=()
for package in "${packages[@]}"; do
    dpkg -s "$package" > /dev/null 2>&1 || missing+=("$package")
done
[ "${#missing[@]}" = 0 ] && exit 0
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
echo "installing ${missing[*]}"
$sudo apt-get update -q &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        "${missing[@]}"
