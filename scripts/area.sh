#!/bin/bash
# Area of any generated accelerator on a Xilinx 7-series FPGA or a Lattice ECP5, unit by unit, by
# Yosys.
#
#   scripts/area.sh [--target xc7|ecp5] OUT [UNIT...]
#   scripts/area.sh [--target xc7|ecp5] --macrame build/macrame --preset nv_small [OPTION...]
#
# OUT is a folder written by `macrame generate`, OPTION one of that. xc7 is the default; ecp5 takes
# the cells that projects for its boards have in place of those in OUT. Results are kept by contents
# of the unit's files in ${XDG_CACHE_HOME:-~/.cache}/macrame/area, so only units that changed are
# synthesised again. scripts/FAMILY/area.json: parts of units with a line of their own; cells,
# modules that are synthesised once and counted as often as they occur in units, so that an array of
# a thousand takes no longer than one of ten; and what others need.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/macrame/area
mkdir -p "$cache"

target=xc7
if [[ ${1-} == --target ]]; then
    target=$2
    shift 2
fi
[[ $target == xc7 || $target == ecp5 ]] ||
    { echo "--target $target: want xc7 or ecp5" >&2; exit 2; }
if [[ ${1-} == --macrame ]]; then
    macrame=$2
    shift 2
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
    "$macrame" generate "$@" --out "$out" > /dev/null
    set --
else
    out=${1:?folder of a generated accelerator}
    shift
fi

# Family, top and what the names of its units start with; parts of units, "unit part" each.
read -r family top start < <(python3 -c '
import json, sys
m = json.load(open(sys.argv[1]))
print(m["family"], m["top"], m.get("prefix", "") + m["family"] + "_")' "$out/manifest.json")
technologies=$here/../templates/$family/fpga
facts=$here/$family/area.json
parts=$(python3 -c '
import json, sys
for unit, parts in json.load(open(sys.argv[1])).get("parts", {}).items():
    for part in parts:
        print(unit, part)' "$facts")
cells=$(python3 -c '
import json, sys
for cell in json.load(open(sys.argv[1])).get("cells", []):
    print(sys.argv[2] + cell)' "$facts" "$start")

# Files of module $1 and of everything that it instantiates.
files_of() {
    local pending=("$1") name file seen=" "
    while ((${#pending[@]})); do
        name=${pending[0]}
        pending=("${pending[@]:1}")
        [[ $seen == *" $name "* ]] && continue
        seen+="$name "
        file=$technologies/$target/$name.v
        [[ -f $file ]] || file=$out/rtl/$name.v
        echo "$file"
        while read -r name; do
            [[ -f $out/rtl/$name.v ]] && pending+=("$name")
        done < <(sed 's://.*::' "$file" | grep -oE '^ *[a-z][a-z0-9_]* *(#|u_)' |
                 grep -oE '[a-z][a-z0-9_]*' | grep -v '^u_' | sort -u)
    done
}

# Commands of Yosys for module $1. ECP5 as in projects for boards, with one inverter per reset.
synthesis() {
    if [[ $target == xc7 ]]; then
        echo "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top $1"
    else
        echo "synth_ecp5 -top $1 -run begin:map_luts; opt_merge;"
        echo "synth_ecp5 -top $1 -run map_luts:check"
    fi
}

# Cell counts of module $1 as JSON, in the cache under a name made of its contents; prints the line
# of the table: module, file, number of copies $2 or "cell".
synthesise() {
    local files key result boxes
    files=$(files_of "$1")
    # Those of the cells that it instantiates.
    boxes=$(comm -12 <(sort <<< "$cells") <(grep -oE '[a-z_0-9]+\.v$' <<< "$files" |
                                           sed 's/\.v$//' | grep -vx "$1" | sort) | tr '\n' ' ')
    key=$( (yosys -V; printf %s "$boxes"; grep -hv '^// Made by' $files) | sha256sum | cut -c1-24)
    result=$cache/$1-${target/xc7/}$key.json
    if [[ ! -f $result ]]; then
        echo "synthesising $1" >&2
        yosys -q -p "read_verilog $(tr '\n' ' ' <<< "$files");
                     ${boxes:+blackbox $boxes;}
                     $(synthesis "$1");
                     flatten;
                     tee -q -o $result.tmp stat -json" > "$result.log" 2>&1 ||
            { tail -5 "$result.log" >&2; return 1; }
        mv "$result.tmp" "$result"
    fi
    echo "$1 $result $2"
}

# Units of the design in the order of the top, each with its parts.
if (($#)); then
    modules=("${@/#/$start}")
else
    mapfile -t modules < <(grep -oE "^ {4}$start[a-z_0-9]+ +(u_|#)" "$out/rtl/$top.v" |
                           grep -oE "$start[a-z_0-9]+" | awk '!seen[$0]++' |
                           while read -r module; do
                               echo "$module"
                               awk -v unit="${module#"$start"}" -v start="$start" \
                                   '$1 == unit { print start $2 }' <<< "$parts"
                           done)
fi
{
    for cell in $cells; do
        [[ -f $out/rtl/$cell.v ]] || continue
        synthesise "$cell" cell
    done
    for module in "${modules[@]}"; do
        [[ -f $out/rtl/$module.v ]] || continue
        copies=$(grep -cE "^ {4}$module +(u_|#)" "$out/rtl/$top.v" || true)
        synthesise "$module" "$copies"
    done
} | python3 "$here/area_table.py" $target "$out/manifest.json" "$facts"
