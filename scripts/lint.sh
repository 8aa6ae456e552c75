#!/usr/bin/env bash
# Lints generated designs with Verilator -Wall, Icarus -Wall and Yosys, a warning is a failure: no
# latch but that of clkgate, no net with two drivers, no loop of logic; and wants registers between
# the inputs and the outputs of each unit (check_ports.py). Besides, where they can be had, with
# slang and with newer versions of the three (newer_tools.sh). Yosys, which stands for synthesis,
# reads the design as it is, the others also with the rules that simulations check
# (MACRAME_ASSERT).
#   scripts/lint.sh DIR...                             folders made by macrame generate
#   scripts/lint.sh --sweep MACRAME FILE [COUNT]       the first COUNT configurations of FILE
#                                                      (scripts/FAMILY/sweep.txt)
#   NEWER=no: not with newer tools; NEWER=slang: only slang of them
# The last line is "N passed, N failed".
set -u
scripts=$(cd "$(dirname "$0")" && pwd)
passed=0
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

newer=""
if [ "${NEWER:-}" != no ]; then
    newer=$("$scripts/newer_tools.sh") || echo "lint.sh: skipped: slang and newer tools"
    # The first run of this Yosys compiles it, for a minute.
    [ -z "$newer" ] || [ "${NEWER:-}" = slang ] || flock "$newer" "$newer/yosys" -V > /dev/null
fi

# check NAME COMMAND...: passes if the command succeeds and says nothing.
check() {
    local name=$1
    shift
    # Newer Verilators end with a report of their own.
    if "$@" >"$scratch/log" 2>&1 &&
        ! grep -qvE '^- (V e r i l a t i o n|Verilator: )' "$scratch/log"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: $*"
        head -n 20 "$scratch/log"
    fi
}

# tools NAME BIN/ TOP
tools() {
    local rules
    # shellcheck disable=SC2086  # $rules: none or one
    for rules in "" -DMACRAME_ASSERT; do
        check "$1" "$2verilator" --lint-only -Wall $rules --top-module "$3" -f filelist.f
        check "$1" "$2iverilog" -g2005 -Wall $rules -s "$3" -o "$scratch/icarus" -c filelist.f
    done
    # The latch of clkgate is meant. Yosys 0.23 tells of a latch in no warning.
    check "$1" "$2yosys" -q -e '.*' -w 'Latch inferred for signal .*clkgate.*en_q' -p \
        "read_verilog $(tr '\n' ' ' <filelist.f); hierarchy -check -top $3; proc; check;
         select -assert-none t:\$dlatch* *clkgate/* %d"
}

# lint DIR NAME
lint() {
    local here=$PWD
    cd "$1" || exit 1
    local top rules
    top=$(sed -n 's/^ *"top": "\(.*\)",$/\1/p' manifest.json)
    tools "$2" "" "$top"
    if [ -n "$newer" ]; then
        for rules in "" -DMACRAME_ASSERT; do
            # shellcheck disable=SC2086  # none or one
            check "$2" "$newer/python" "$scripts/slang.py" $rules -f filelist.f --top "$top"
        done
        [ "${NEWER:-}" = slang ] || tools "$2" "$newer/" "$top"
    fi
    # The register files of the test regs_lint are no units.
    [ "$top" = regs_dut ] || check "$2" "$scripts/check_ports.py" .
    cd "$here" || exit 1
}

if [ "${1:-}" = --sweep ]; then
    macrame=$(realpath "$2")
    while read -r line; do
        # shellcheck disable=SC2086  # the line is a list of arguments
        if "$macrame" generate $line --out "$scratch/dut" >"$scratch/log" 2>&1; then
            lint "$scratch/dut" "$line"
        else
            failed=$((failed + 1))
            echo "FAILED macrame generate $line"
            cat "$scratch/log"
        fi
        rm -rf "$scratch/dut"
    done < <(sed -e 's/^\* *//' -e '/^#/d' -e '/^$/d' "$3" | head -n "${4:-1000}")
else
    for dir in "$@"; do
        lint "$dir" "$dir"
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
