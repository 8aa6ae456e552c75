// Block RAM with one write and one read port on one clock. Technology files replace this module.
// rdata is valid one cycle after re and holds until the next re.
// Reading the address written in the same cycle gives an undefined word. No reset.
`default_nettype none

module sram_1r1w #(
    parameter W     = 64,             // bits of a word
    parameter DEPTH = 512             // words, at least 2
) (
    input  wire                     clk,
    input  wire                     we,
    input  wire [$clog2(DEPTH)-1:0] waddr,
    input  wire [W-1:0]             wdata,
    input  wire                     re,
    input  wire [$clog2(DEPTH)-1:0] raddr,
    output wire [W-1:0]             rdata
);

    (* no_rw_check, ram_style = "block" *)
    reg [W-1:0] mem [0:DEPTH-1];
    reg [W-1:0] rdata_q;

    assign rdata = rdata_q;

    // Two blocks: tools then infer independent ports without collision logic.
    always @(posedge clk) begin
        if (we) mem[waddr] <= wdata;
    end

    always @(posedge clk) begin
        if (re) rdata_q <= mem[raddr];
    end

endmodule

`default_nettype wire
