#!/usr/bin/env bash
# Proves properties of cells and bridges with Yosys and an SMT solver: verif/formal/*_formal.v. They
# hold for so many cycles from reset on, whatever the inputs do; with induction, for ever. And what
# the proofs are about does happen: `cover` is reached, so that assumptions leave it possible.
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
if [ $# -gt 1 ] || ! command -v "$macrame" >/dev/null; then
    echo "formal.sh: ${*:-$macrame}: want [--quick] [MACRAME], the program;" \
        "scripts/build.sh makes build/macrame" >&2
    echo "0 passed, 1 failed"
    exit 2
fi
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

# name, cycles, cycles with --quick, clocks: one or several, steps of induction or 0, registers of
# the module that the induction looks at; parameters of the top. Induction needs cycles for its
# first steps and for `cover` only
proofs() {
    cat <<'END'
fifo_sync        8  8 one 3 rptr_q,wptr_q,mem[0],mem[1]               -set DEPTH 2
fifo_sync        8  8 one 3 rptr_q,wptr_q,mem[0],mem[1],mem[2]        -set DEPTH 3
fifo_sync        8  8 one 3 rptr_q,wptr_q,mem[0],mem[1],mem[2],mem[3] -set DEPTH 4
fifo_reg         8  8 one 3 some_q,rptr_q,wptr_q,mem[0],mem[1]               -set DEPTH 2
fifo_reg         8  8 one 3 some_q,rptr_q,wptr_q,mem[0],mem[1],mem[2],mem[3] -set DEPTH 4
skid_buffer      8  8 one 3 -
arb_wrr          8  8 one 3 cur_q,stay_q -set FAIR 0
arb_wrr         20 12 one 0 cur_q,stay_q
axi_lite        34 28 one 0 -
apb             30 20 one 0 -
axi_mem_rd      16 13 one 0 -
axi_mem_wr      18 13 one 0 -
axi_mem_gather   8  8 one 3 piece_q,resp_q,data_q
axi_mem_split   26 20 one 0 -
fifo_async      16 16 several 4 wbin_q,wgray_q,rbin_q,rgray_q,mem[0],mem[1],mem[2],mem[3],SYNCS
END
}

syncs=u_wr[0],u_wr[1],u_wr[2],u_rd[0],u_rd[1],u_rd[2]

# prove NAME CYCLES CLOCKS STEPS REGISTERS [PARAMETERS]: result in $scratch/NAME...result
prove() {
    local name=$1 cycles=$2 clocks=$3 steps=$4 registers=${5/SYNCS/$syncs} base register path
    registers=${registers//,/ }
    shift 5
    base=$scratch/$name$(tr -d ' -' <<<"$*")
    local flops=async2sync connect=
    [ "$clocks" = several ] && flops=clk2fflogic
    # Wires dut_... of the top are the registers of the module that it is about. u_wr[0] and the
    # like are the flops of sync_bit.
    for register in ${registers#-}; do
        path=${register/mem/u_mem.mem}
        [[ $register =~ ^(u_..)(\[.\])$ ]] &&
            path="gen_cross${BASH_REMATCH[2]}.${BASH_REMATCH[1]}.sync_q"
        connect+="connect -set dut_${register//[\[\]]/} u_dut.$path; "
    done
    if yosys -q -p "
        read_verilog -formal verif/formal/*.v
        read_verilog templates/lib/*.v $scratch/apb/rtl/*_apb.v
        read_verilog $scratch/axi/rtl/*_axi_lite.v $scratch/axi/rtl/*_axi_mem_rd.v
        read_verilog $scratch/axi/rtl/*_axi_mem_wr.v $scratch/axi/rtl/*_axi_mem_gather.v
        read_verilog $scratch/axi/rtl/*_axi_mem_split.v
        $([ $# = 0 ] || echo "chparam $* ${name}_formal;")
        hierarchy -top ${name}_formal; proc; flatten; memory -nomap -nordff; memory_map; $connect
        prep -top ${name}_formal
        opt -fast; $flops; opt -fast; dffunmap; opt_clean
        write_smt2 -wires $base.smt2" >"$base.log" 2>&1 &&
        { grep -q '^; yosys-smt2-cover ' "$base.smt2" ||
            { echo "want a cover in ${name}_formal" >>"$base.log"; false; }; } &&
        yosys-smtbmc -s z3 --unroll --noincr -t "$cycles" "$base.smt2" >>"$base.log" 2>&1 &&
        yosys-smtbmc -s z3 --unroll --noincr -c -t "$cycles" "$base.smt2" >>"$base.log" 2>&1 &&
        { [ "$steps" = 0 ] ||
            yosys-smtbmc -s z3 --unroll -i -t "$steps" "$base.smt2" >>"$base.log" 2>&1; }; then
        if [ "$steps" = 0 ]; then
            echo "$name $*: holds for $cycles cycles" >"$base.result"
        else
            echo "$name $*: holds" >"$base.result"
        fi
    else
        { echo "FAILED $name $*"; grep -v Checking "$base.log" | tail -n 25; } >"$base.result"
    fi
}

while read -r name cycles fewer clocks steps registers parameters; do
    [ "$quick" = 1 ] && cycles=$fewer
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    # shellcheck disable=SC2086  # a list of arguments
    prove "$name" "$cycles" "$clocks" "$steps" "$registers" $parameters &
done < <(proofs)
wait
cat "$scratch"/*.result
passed=$(cat "$scratch"/*.result | grep -c ': holds')
failed=$(($(proofs | wc -l) - passed))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
