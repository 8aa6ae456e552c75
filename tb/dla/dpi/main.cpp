/// The clock of scoreboard_tb.sv, in Verilator.
#include "Vscoreboard_tb.h"
#include "verilated.h"

int main(int count, char** words) {
    VerilatedContext context;
    context.commandArgs(count, words);
    Vscoreboard_tb bench(&context);
    while (!context.gotFinish()) {
        bench.clk = !bench.clk;
        bench.eval();
        context.timeInc(5);
    }
    bench.final();
    return 0;
}
