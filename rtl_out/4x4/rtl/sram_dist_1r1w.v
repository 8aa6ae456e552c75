// Distributed RAM (LUT RAM) with one write and one read port. Technology files replace this module.
// rdata follows raddr combinationally; a word written in one cycle is read in the next. No reset.
// No ram_style: a memory that is read like this can be nothing else, and an FPGA without LUT RAM
// (iCE40), where it becomes flops, would refuse it.
`default_nettype none

module sram_dist_1r1w #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 16              // words, at least 2
) (
    input  wire                     clk,
    input  wire                     we,
    input  wire [$clog2(DEPTH)-1:0] waddr,
    input  wire [W-1:0]             wdata,
    input  wire [$clog2(DEPTH)-1:0] raddr,
    output wire [W-1:0]             rdata
);

    reg [W-1:0] mem [0:DEPTH-1];

    assign rdata = mem[raddr];

    always @(posedge clk) begin
        if (we) mem[waddr] <= wdata;
    end

endmodule

`default_nettype wire
