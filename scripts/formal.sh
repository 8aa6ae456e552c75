#!/usr/bin/env bash
# Proves properties of cells and bridges with Yosys and an SMT solver: verif/formal/*_formal.v. Bounded
# proofs: they hold for so many cycles from reset on, whatever the inputs do.
#   scripts/formal.sh [--quick] [MACRAME]      --quick: fewer cycles; JOBS: parallel proofs
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
quick=0
if [ "${1:-}" = --quick ]; then
    quick=1
    shift
fi
macrame=${1:-build/macrame}
jobs=${JOBS:-$(nproc)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The bridges as they are emitted.
"$macrame" generate --control-bus axi4-lite --memory-bus axi4 --out "$scratch/axi" \
    >"$scratch/axi.log" 2>&1 &&
    "$macrame" generate --control-bus apb4 --out "$scratch/apb" >"$scratch/apb.log" 2>&1 || {
    cat "$scratch"/*.log
    echo "0 passed, 1 failed"
    exit 1
}

# name, cycles, cycles with --quick, clocks: one or several; parameters of the top
proofs() {
    cat <<'END'
fifo_sync       20 14 one     -set DEPTH 2
fifo_sync       20 14 one     -set DEPTH 3
fifo_sync       20 14 one     -set DEPTH 4
skid_buffer     30 16 one
arb_wrr         20 12 one
axi_lite        34 28 one
apb             30 20 one
axi_mem_rd      16 13 one
axi_mem_wr      18 13 one
axi_mem_gather  20 12 one
axi_mem_split   26 20 one
fifo_async      30 16 several
END
}

# prove NAME CYCLES CLOCKS [PARAMETERS]: result in $scratch/NAME...result
prove() {
    local name=$1 cycles=$2 clocks=$3 base
    shift 3
    base=$scratch/$name$(tr -d ' -' <<<"$*")
    local flops=async2sync
    [ "$clocks" = several ] && flops=clk2fflogic
    if yosys -q -p "
        read_verilog -formal verif/formal/*.v
        read_verilog templates/lib/*.v $scratch/apb/rtl/*_apb.v
        read_verilog $scratch/axi/rtl/*_axi_lite.v $scratch/axi/rtl/*_axi_mem_rd.v
        read_verilog $scratch/axi/rtl/*_axi_mem_wr.v $scratch/axi/rtl/*_axi_mem_gather.v
        read_verilog $scratch/axi/rtl/*_axi_mem_split.v
        $([ $# = 0 ] || echo "chparam $* ${name}_formal;")
        prep -flatten -nordff -top ${name}_formal
        memory_map; opt -fast; $flops; opt -fast; dffunmap; opt_clean
        write_smt2 -wires $base.smt2" >"$base.log" 2>&1 &&
        yosys-smtbmc -s z3 --unroll --noincr -t "$cycles" "$base.smt2" >>"$base.log" 2>&1; then
        echo "$name $*: holds for $cycles cycles" >"$base.result"
    else
        { echo "FAILED $name $*"; grep -v Checking "$base.log" | tail -n 25; } >"$base.result"
    fi
}

while read -r name cycles fewer clocks parameters; do
    [ "$quick" = 1 ] && cycles=$fewer
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    # shellcheck disable=SC2086  # a list of arguments
    prove "$name" "$cycles" "$clocks" $parameters &
done < <(proofs)
wait
cat "$scratch"/*.result
failed=$(cat "$scratch"/*.result | grep -c ^FAILED)
passed=$(cat "$scratch"/*.result | grep -c ': holds')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = "$(proofs | wc -l)" ]
