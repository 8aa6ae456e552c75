// Memory with one write and one read port, for FPGAs without LUT RAM: flops if it has few words,
// else block RAM that is read with the falling edge: its logic has half a cycle on either side.
// rdata follows raddr within the cycle; a word written in one cycle is read in the next. No reset.
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

    localparam FEW = 4;

    generate
        if (DEPTH <= FEW) begin : gen_flops
            reg [W-1:0] mem [0:DEPTH-1];

            assign rdata = mem[raddr];

            always @(posedge clk) begin
                if (we) mem[waddr] <= wdata;
            end
        end else begin : gen_block
            (* no_rw_check, ram_style = "block" *)
            reg [W-1:0] mem [0:DEPTH-1];
            reg [W-1:0] rdata_q;

            assign rdata = rdata_q;

            always @(posedge clk) begin
                if (we) mem[waddr] <= wdata;
            end

            always @(negedge clk) rdata_q <= mem[raddr];
        end
    endgenerate

endmodule

`default_nettype wire
