// CMAC group: 4 channel lanes of all ${cmac_cells} cells, psum_out = psum_in + 4 products per cell.
// A beat is at the input in one cycle, its products are registered in the next, and psum_in is
// added in the one after that: psum_out is valid 3 cycles after the beat. Every register keeps its
// value without a beat. No reset: the flags around this module tell what is valid.
`default_nettype none

module dla_cmac_group (
    input  wire         clk,
    input  wire [${cmac_cells-1}:0]   wt_we,      // write wt to the shadow weights of these cells
    input  wire [31:0]  wt,         // 4 lanes
    input  wire         dat_valid,  // a beat is here
    input  wire [31:0]  dat,        // 4 lanes
    input  wire         swap,       // with dat_valid: shadow weights become active
    input  wire [${cmac_cells-1}:0]   mask,       // with swap: enabled cells, the others get weights 0
    input  wire         mul_valid,  // dat_valid one cycle later
    input  wire         sum_valid,  // dat_valid two cycles later
    input  wire [${cmac_cells*psum_w-1}:0]  psum_in,    // sums of the groups before, with sum_valid
    output wire [${cmac_cells*psum_w-1}:0]  psum_out
);

    localparam CELLS  = ${cmac_cells};
    localparam PSUM_W = ${psum_w};

    reg [31:0] dat_q;

    function signed [15:0] product(input signed [7:0] a, input signed [7:0] b);
        product = a * b;
    endfunction

    function signed [PSUM_W-1:0] wide(input signed [15:0] p);
        wide = {{(PSUM_W-16){p[15]}}, p};
    endfunction

    always @(posedge clk) begin
        if (dat_valid) dat_q <= dat;
    end

    // Small registers for each cell, not long ones for all: the same hardware, but simulators
    // compute with numbers of up to 64 bits much faster than with pieces of a long vector.
    genvar c;
    generate
        for (c = 0; c < CELLS; c = c + 1) begin : gen_cell
            wire signed [PSUM_W-1:0] start = psum_in[c*PSUM_W +: PSUM_W];
            reg  [31:0]              shadow_q;
            reg  [31:0]              active_q;
            reg  signed [15:0]       prod0_q, prod1_q, prod2_q, prod3_q;
            reg  signed [PSUM_W-1:0] sum_q;

            always @(posedge clk) begin
                if (wt_we[c]) shadow_q <= wt;

                // Written as reset and enable: both exist in a DSP block, an AND in front does not.
                if (dat_valid && swap && !mask[c]) active_q <= 32'd0;
                else if (dat_valid && swap)        active_q <= shadow_q;

                if (mul_valid) begin
                    prod0_q <= product(dat_q[7:0],   active_q[7:0]);
                    prod1_q <= product(dat_q[15:8],  active_q[15:8]);
                    prod2_q <= product(dat_q[23:16], active_q[23:16]);
                    prod3_q <= product(dat_q[31:24], active_q[31:24]);
                end

                // A chain, not a tree: each addition is the one inside a DSP block.
                if (sum_valid)
                    sum_q <= start + wide(prod0_q) + wide(prod1_q) + wide(prod2_q) + wide(prod3_q);
            end

            assign psum_out[c*PSUM_W +: PSUM_W] = sum_q;
        end
    endgenerate

endmodule

`default_nettype wire
