#!/usr/bin/env bash
# A family of its own folder goes through the whole program: refused, generated, read by the three
# tools, simulated and compared.
#   mini_test.sh MACRAME_WITH_MINI LINT_SCRIPT
set -eu
macrame=$1
lint=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME=$scratch/cache

# expect TEXT COMMAND...: the command says so.
expect() {
    local text=$1
    shift
    "$@" > "$scratch/said" 2>&1 || true
    grep -qF -- "$text" "$scratch/said" || {
        echo "want \"$text\" from $*, found:"
        cat "$scratch/said"
        exit 1
    }
}

expect "an accumulator" "$macrame" list families
expect "mini_small" "$macrame" list presets
expect "bits of an addend" "$macrame" explain width
expect "rtl/mini_top_regs.v" "$macrame" explain top
expect "lanes = 4: want at most 2, a word of 32 bits (--lanes)" \
    "$macrame" generate --lanes 4 --width 16 --out "$scratch/none"
[ ! -e "$scratch/none" ]
for sizes in "--lanes 2 --width 8" "--lanes 4 --width 8" "--lanes 1 --width 32"; do
    rm -rf "$scratch/out"
    # shellcheck disable=SC2086  # a list of arguments
    "$macrame" generate $sizes --out "$scratch/out"
    "$lint" "$scratch/out"
    # shellcheck disable=SC2086
    "$macrame" simulate $sizes --model --random 3
    # shellcheck disable=SC2086
    "$macrame" simulate $sizes --both --random 3 --build-dir "$scratch/out"
done
echo "3 configurations of the miniature family"
