// Distributed RAM (LUT RAM) with one write and one read port, for ECP5: its smallest has 16 words.
// Address bits that fewer words leave over repeat the lowest one, for writes and reads alike: as
// constants they would all hang on one net with thousands of pins that blocks the router.
// rdata follows raddr combinationally; a word written in one cycle is read in the next. No reset.
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

    localparam ADDR_W = $clog2(DEPTH);
    localparam LEFT   = ADDR_W < 4 ? 4 - ADDR_W : 0;
    localparam WORDS  = DEPTH < 16 ? 16 : DEPTH;

    wire [ADDR_W+LEFT-1:0] write_addr;
    wire [ADDR_W+LEFT-1:0] read_addr;

    generate
        if (LEFT > 0) begin : gen_few
            assign write_addr = {{LEFT{waddr[0]}}, waddr};
            assign read_addr  = {{LEFT{raddr[0]}}, raddr};
        end else begin : gen_many
            assign write_addr = waddr;
            assign read_addr  = raddr;
        end
    endgenerate

    reg [W-1:0] mem [0:WORDS-1];

    assign rdata = mem[read_addr];

    always @(posedge clk) begin
        if (we) mem[write_addr] <= wdata;
    end

endmodule

`default_nettype wire
