// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac_group.v
// with cmac_cells=4 psum_w=19

// CMAC group: 4 channel lanes of all 4 cells, psum_out = psum_in + 4 products per cell.
// A beat is at the input in one cycle, its products are registered in the next, and psum_in is
// added in the one after that: psum_out is valid 3 cycles after the beat. Every register keeps its
// value without a beat. No reset: the flags around this module tell what is valid.
`default_nettype none

module dla_cmac_group (
    input  wire         clk,
    input  wire [3:0]   wt_we,      // write wt to the shadow weights of these cells
    input  wire [31:0]  wt,         // 4 lanes
    input  wire         dat_valid,  // a beat is here
    input  wire [31:0]  dat,        // 4 lanes
    input  wire         swap,       // with dat_valid: shadow weights become active
    input  wire [3:0]   mask,       // with swap: enabled cells, the others get weights 0
    input  wire         mul_valid,  // dat_valid one cycle later
    input  wire         sum_valid,  // dat_valid two cycles later
    input  wire [75:0]  psum_in,    // sums of the groups before, with sum_valid
    output wire [75:0]  psum_out
);

    localparam CELLS  = 4;
    localparam PSUM_W = 19;

    reg [CELLS*32-1:0]     shadow_q;
    reg [CELLS*32-1:0]     active_q;
    reg [31:0]             dat_q;
    reg [CELLS*64-1:0]     prod_q;    // 16 bits per lane
    reg [CELLS*PSUM_W-1:0] psum_q;
    integer                c;
    integer                l;

    function signed [15:0] product(input signed [7:0] a, input signed [7:0] b);
        product = a * b;
    endfunction

    function signed [PSUM_W-1:0] wide(input signed [15:0] p);
        wide = {{(PSUM_W-16){p[15]}}, p};
    endfunction

    // A chain, not a tree: each addition is the one inside a DSP block.
    function signed [PSUM_W-1:0] chain(input signed [PSUM_W-1:0] start, input [63:0] p);
        chain = start + wide(p[15:0]) + wide(p[31:16]) + wide(p[47:32]) + wide(p[63:48]);
    endfunction

    always @(posedge clk) begin
        for (c = 0; c < CELLS; c = c + 1) begin
            if (wt_we[c]) shadow_q[c*32 +: 32] <= wt;
        end

        if (dat_valid) dat_q <= dat;
        // Written as reset and enable: both exist in a DSP block, an AND in front does not.
        for (c = 0; c < CELLS; c = c + 1) begin
            if (dat_valid && swap && !mask[c])     active_q[c*32 +: 32] <= 32'd0;
            else if (dat_valid && swap)            active_q[c*32 +: 32] <= shadow_q[c*32 +: 32];
        end

        if (mul_valid) begin
            for (c = 0; c < CELLS; c = c + 1) begin
                for (l = 0; l < 4; l = l + 1) begin
                    prod_q[c*64 + l*16 +: 16] <=
                        product(dat_q[l*8 +: 8], active_q[c*32 + l*8 +: 8]);
                end
            end
        end

        if (sum_valid) begin
            for (c = 0; c < CELLS; c = c + 1) begin
                psum_q[c*PSUM_W +: PSUM_W] <= chain(psum_in[c*PSUM_W +: PSUM_W],
                                                    prod_q[c*64 +: 64]);
            end
        end
    end

    assign psum_out = psum_q;

endmodule

`default_nettype wire
