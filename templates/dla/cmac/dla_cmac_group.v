// CMAC group: 4 channel lanes of all ${cmac_cells} cells, psum_out = psum_in + 4 products per cell.
// Two cells that share the data share the multipliers, too: with weights w1 and w0 of a lane,
//
//    a * (65536 * w1 + w0) = 65536 * (a * w1) + a * w0
//
// is one 25 x 8 product, as a DSP block has it. Sums of two lanes are within -32512..32768, so with
// a BIAS of 32767 both halves are unsigned numbers of 16 bits and do not borrow from each other.
// psum_in of the first group starts with what takes the biases out again.
//
// A beat is at the input in one cycle, its products are registered in the next, sums of two lanes
// in the one after that, then psum_in is added: psum_out is valid 4 cycles after the beat. Every
// register keeps its value without a beat. No reset: the flags around tell what is valid.
// Cells that get no weights between two swaps compute with weights 0.
`default_nettype none

module dla_cmac_group (
    input  wire         clk,
    input  wire         clear,      // after reset: shadow weights become 0
    input  wire [${cmac_cells-1}:0]   wt_we,      // write wt to the shadow weights of these cells
    input  wire [31:0]  wt,         // 4 lanes
    input  wire         dat_valid,  // a beat is here
    input  wire [31:0]  dat,        // 4 lanes
    input  wire         swap,       // with dat_valid: shadow weights become active, and 0
    input  wire         mul_valid,  // dat_valid one cycle later
    input  wire         add_valid,  // dat_valid two cycles later
    input  wire         sum_valid,  // dat_valid three cycles later
    input  wire [${cmac_cells*psum_w-1}:0]  psum_in,    // sums of the groups before, with sum_valid
    output wire [${cmac_cells*psum_w-1}:0]  psum_out
);

    localparam CELLS  = ${cmac_cells};
    localparam PSUM_W = ${psum_w};
    localparam [31:0] BIAS = {16'd32767, 16'd32767};

    wire take = dat_valid && swap;
    wire [CELLS-1:0] zero = {CELLS{clear}} | ({CELLS{take}} & ~wt_we);

    reg [31:0] dat_q;

    // Weights of two cells as one factor.
    function signed [24:0] both(input signed [7:0] w1, input signed [7:0] w0);
        both = {w1[7], w1, 16'd0} + {{17{w0[7]}}, w0};
    endfunction

    function signed [31:0] product(input signed [7:0] a, input signed [24:0] w);
        product = a * w;
    endfunction

    function [PSUM_W-1:0] wide(input [15:0] half);
        wide = {{(PSUM_W-16){1'b0}}, half};
    endfunction

    always @(posedge clk) begin
        if (dat_valid) dat_q <= dat;
    end

    // Small registers for each pair of cells, not long ones for all: the same hardware, but
    // simulators compute with numbers of up to 64 bits much faster than with pieces of a long
    // vector.
    genvar c;
    generate
        for (c = 0; c < CELLS; c = c + 2) begin : gen_pair
            wire [PSUM_W-1:0] start0 = psum_in[c*PSUM_W +: PSUM_W];
            wire [PSUM_W-1:0] start1 = psum_in[(c+1)*PSUM_W +: PSUM_W];
            reg  [31:0]        shadow0_q, shadow1_q;
            reg  signed [24:0] both0_q, both1_q, both2_q, both3_q;
            reg  [31:0]        prod0_q, prod1_q, prod2_q, prod3_q;
            reg  [31:0]        add01_q, add23_q;
            reg  [PSUM_W-1:0]  sum0_q, sum1_q;

            always @(posedge clk) begin
                if (zero[c])         shadow0_q <= 32'd0;
                else if (wt_we[c])   shadow0_q <= wt;

                if (zero[c+1])       shadow1_q <= 32'd0;
                else if (wt_we[c+1]) shadow1_q <= wt;

                if (take) begin
                    both0_q <= both(shadow1_q[7:0],   shadow0_q[7:0]);
                    both1_q <= both(shadow1_q[15:8],  shadow0_q[15:8]);
                    both2_q <= both(shadow1_q[23:16], shadow0_q[23:16]);
                    both3_q <= both(shadow1_q[31:24], shadow0_q[31:24]);
                end

                if (mul_valid) begin
                    prod0_q <= product(dat_q[7:0],   both0_q);
                    prod1_q <= product(dat_q[15:8],  both1_q);
                    prod2_q <= product(dat_q[23:16], both2_q);
                    prod3_q <= product(dat_q[31:24], both3_q);
                end

                if (add_valid) begin
                    add01_q <= prod0_q + BIAS + prod1_q;
                    add23_q <= prod2_q + BIAS + prod3_q;
                end

                if (sum_valid) begin
                    sum0_q <= start0 + wide(add01_q[15:0])  + wide(add23_q[15:0]);
                    sum1_q <= start1 + wide(add01_q[31:16]) + wide(add23_q[31:16]);
                end
            end

            assign psum_out[c*PSUM_W +: PSUM_W]     = sum0_q;
            assign psum_out[(c+1)*PSUM_W +: PSUM_W] = sum1_q;
        end
    endgenerate

endmodule

`default_nettype wire
