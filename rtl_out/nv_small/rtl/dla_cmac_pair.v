// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac_pair.v
// with atomic_c=8 cmac_latency=5 psum_w=19

// CMAC pair: two cells, which share the data and so the multipliers, too. With weights w1 and w0
//
//    a * (65536 * w1 + w0) = 65536 * (a * w1) + a * w0
//
// is one 25 x 8 product, as a DSP block has it. Sums of two lanes are within -32512..32768, so with
// a BIAS of 32767 both halves are unsigned numbers of 16 bits and do not borrow from each other.
// The partial sums start with what takes the biases out again.
//
// Group g of 4 lanes: a beat is registered in cycle g, its products in cycle g + 1, sums of two
// lanes in cycle g + 2, and in cycle g + 3 they are added to the partial sums of the groups before.
// Data registers keep their values without a beat. A cell that gets no weights between two swaps
// computes with weights 0.
`default_nettype none

module dla_cmac_pair (
    input  wire         clk,
    input  wire         clear,      // reset: shadow weights become 0
    input  wire [1:0]   wt_sel,     // of a write: it is for cell 1, cell 0
    input  wire [  1:0] wt_valid,   // bit g: a write is at group g
    input  wire [ 63:0] wt,         // group g: g cycles later than group 0
    input  wire [  1:0] take,       // bit g: shadow weights of group g become active, and 0
    input  wire [  4:1] valid,      // bit n: a beat came n cycles ago
    input  wire [ 63:0] dat,        // group g: g + 1 cycles after the beat
    output wire [ 18:0] psum0,
    output wire [ 18:0] psum1
);

    localparam PSUM_W = 19;
    localparam GROUPS = 2;
    localparam [31:0]       BIAS    = {16'd32767, 16'd32767};
    localparam [PSUM_W-1:0] NO_BIAS = -19'd131068;

    // Weights of both cells as one factor.
    function signed [24:0] both(input signed [7:0] w1, input signed [7:0] w0);
        both = {w1[7], w1, 16'd0} + {{17{w0[7]}}, w0};
    endfunction

    function signed [31:0] product(input signed [7:0] a, input signed [24:0] w);
        product = a * w;
    endfunction

    function [PSUM_W-1:0] wide(input [15:0] half);
        wide = {{(PSUM_W-16){1'b0}}, half};
    endfunction

    reg  [GROUPS-1:1] sel0_q, sel1_q;   // walk with the weights
    wire [GROUPS-1:0] sel0  = {sel0_q, wt_sel[0]};
    wire [GROUPS-1:0] sel1  = {sel1_q, wt_sel[1]};
    wire [GROUPS-1:0] we0   = sel0 & wt_valid;
    wire [GROUPS-1:0] we1   = sel1 & wt_valid;
    wire [GROUPS-1:0] zero0 = {GROUPS{clear}} | (take & ~we0);
    wire [GROUPS-1:0] zero1 = {GROUPS{clear}} | (take & ~we1);

    always @(posedge clk) begin
        sel0_q <= sel0[GROUPS-2:0];
        sel1_q <= sel1[GROUPS-2:0];
    end

    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_group
            wire [PSUM_W-1:0]  start0, start1;
            wire [31:0]        lanes = dat[32*g +: 32];
            reg  [31:0]        shadow0_q, shadow1_q;
            reg  signed [24:0] both0_q, both1_q, both2_q, both3_q;
            reg  [31:0]        prod0_q, prod1_q, prod2_q, prod3_q;
            reg  [31:0]        add01_q, add23_q;
            reg  [PSUM_W-1:0]  sum0_q, sum1_q;

            if (g == 0) begin : gen_first
                assign start0 = NO_BIAS;
                assign start1 = NO_BIAS;
            end else begin : gen_next
                assign start0 = gen_group[g-1].sum0_q;
                assign start1 = gen_group[g-1].sum1_q;
            end

            always @(posedge clk) begin
                if (zero0[g])    shadow0_q <= 32'd0;
                else if (we0[g]) shadow0_q <= wt[32*g +: 32];

                if (zero1[g])    shadow1_q <= 32'd0;
                else if (we1[g]) shadow1_q <= wt[32*g +: 32];

                if (take[g]) begin
                    both0_q <= both(shadow1_q[7:0],   shadow0_q[7:0]);
                    both1_q <= both(shadow1_q[15:8],  shadow0_q[15:8]);
                    both2_q <= both(shadow1_q[23:16], shadow0_q[23:16]);
                    both3_q <= both(shadow1_q[31:24], shadow0_q[31:24]);
                end

                if (valid[g+1]) begin
                    prod0_q <= product(lanes[7:0],   both0_q);
                    prod1_q <= product(lanes[15:8],  both1_q);
                    prod2_q <= product(lanes[23:16], both2_q);
                    prod3_q <= product(lanes[31:24], both3_q);
                end

                if (valid[g+2]) begin
                    add01_q <= prod0_q + BIAS + prod1_q;
                    add23_q <= prod2_q + BIAS + prod3_q;
                end

                if (valid[g+3]) begin
                    sum0_q <= start0 + wide(add01_q[15:0])  + wide(add23_q[15:0]);
                    sum1_q <= start1 + wide(add01_q[31:16]) + wide(add23_q[31:16]);
                end
            end
        end
    endgenerate

    assign psum0 = gen_group[GROUPS-1].sum0_q;
    assign psum1 = gen_group[GROUPS-1].sum1_q;

endmodule

`default_nettype wire
