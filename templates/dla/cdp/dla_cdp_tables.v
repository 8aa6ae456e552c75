// The tables of CDP for elements of 16 bits: in each lane a RAM of even and one of odd entries.
//
// Contract: data one cycle after the address. No reset: dla_cdp clears them.
`default_nettype none

module dla_cdp_tables (
    input  wire        clk,

    // access while no layer runs
    input  wire        even_we,
    input  wire        odd_we,
    input  wire [7:0]  waddr,
    input  wire [15:0] wdata,
    input  wire        peek,                 // read `peek_addr` everywhere
    input  wire [7:0]  peek_addr,

    input  wire        look,
    input  wire [${8 * lanes16 - 1}:0] even_addr,
    input  wire [${8 * lanes16 - 1}:0] odd_addr,
    output wire [${16 * lanes16 - 1}:0] even_data,
    output wire [${16 * lanes16 - 1}:0] odd_data
);

    genvar i;

    generate
        for (i = 0; i < ${lanes16}; i = i + 1) begin : gen_lane
            sram_1r1w #(.W(16), .DEPTH(256)) u_even (
                .clk(clk), .we(even_we), .waddr(waddr), .wdata(wdata), .re(peek || look),
                .raddr(peek ? peek_addr : even_addr[8*i +: 8]), .rdata(even_data[16*i +: 16])
            );

            sram_1r1w #(.W(16), .DEPTH(256)) u_odd (
                .clk(clk), .we(odd_we), .waddr(waddr), .wdata(wdata), .re(peek || look),
                .raddr(peek ? peek_addr : odd_addr[8*i +: 8]), .rdata(odd_data[16*i +: 16])
            );
        end
    endgenerate

endmodule

`default_nettype wire
