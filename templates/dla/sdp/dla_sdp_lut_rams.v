// The tables of SDP for one lane: RAMs that hold even and odd entries, so that two neighbours are
// read at once. The read port also serves register access.
//
// Contract: data in the cycle after `re` or `csb_re`; it stays until the next one.
`default_nettype none

module dla_sdp_lut_rams (
    input  wire         clk,           // never stopped

    input  wire [3:0]   we,            // LE even, LE odd, LO even, LO odd
    input  wire [7:0]   waddr,         // entry / 2
    input  wire [15:0]  wdata,
    input  wire         csb_re,        // only while no layer runs
    input  wire [7:0]   csb_raddr,     // entry / 2
    input  wire         re,
    input  wire [8:0]   index,
    output wire [63:0]  rdata          // LO odd, LO even, LE odd, LE even
);

    wire [7:0]  even_addr = csb_re ? csb_raddr : index[8:1] + {7'd0, index[0]};
    wire [6:0]  odd_addr  = csb_re ? csb_raddr[6:0] : index[7:1];
    wire        read      = csb_re || re;

    sram_1r1w #(.W(16), .DEPTH(33)) u_le_even (
        .clk (clk), .we (we[0]), .waddr (waddr[5:0]), .wdata (wdata),
        .re (read), .raddr (even_addr[5:0]), .rdata (rdata[15:0])
    );
    sram_1r1w #(.W(16), .DEPTH(32)) u_le_odd (
        .clk (clk), .we (we[1]), .waddr (waddr[4:0]), .wdata (wdata),
        .re (read), .raddr (odd_addr[4:0]), .rdata (rdata[31:16])
    );
    sram_1r1w #(.W(16), .DEPTH(129)) u_lo_even (
        .clk (clk), .we (we[2]), .waddr (waddr), .wdata (wdata),
        .re (read), .raddr (even_addr), .rdata (rdata[47:32])
    );
    sram_1r1w #(.W(16), .DEPTH(128)) u_lo_odd (
        .clk (clk), .we (we[3]), .waddr (waddr[6:0]), .wdata (wdata),
        .re (read), .raddr (odd_addr), .rdata (rdata[63:48])
    );

endmodule

`default_nettype wire
