// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac_pair.v
// with atomic_c=8 cmac_latency=5 psum_w=19

// CMAC pair: two cells, which share the data and so the multipliers, too. Sums of two lanes come
// from dla_cmac_dot with a bias that makes them unsigned; the partial sums start with what takes
// the biases out again.
//
// Group g of 4 lanes: a beat is registered in cycle g, its products in cycle g + 1, sums of two
// lanes in cycle g + 2, and in cycle g + 3 they are added to the partial sums of the groups before.
// Data registers keep their values without a beat. A cell that gets no weights between two swaps
// computes with weights 0.
`default_nettype none

module dla_cmac_pair (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clear,      // reset: shadow weights become 0
    input  wire [1:0]   wt_sel,     // of a write: it is for cell 1, cell 0
    input  wire [  1:0] wt_valid,   // bit g: a write is at group g
    input  wire [ 63:0] wt,         // group g: g cycles later than group 0
    input  wire [  1:0] take,       // bit g: shadow weights of group g become active, and 0
    input  wire [  3:0] beat,       // bit n: a beat came n cycles ago
    input  wire [ 63:0] dat,        // group g: g + 1 cycles after the beat
    output wire [ 18:0] psum0,
    output wire [ 18:0] psum1
);

    localparam PSUM_W = 19;
    localparam GROUPS = 2;
    localparam [PSUM_W-1:0] NO_BIAS = -19'd131068;

    function [PSUM_W-1:0] wide(input [15:0] half);
        wide = {{(PSUM_W-16){1'b0}}, half};
    endfunction

    // Enables of all products and sums: each pair has its own.
    wire [4:1] valid;

    reg_copy #(.W(4)) u_valid (
        .clk   (clk),
        .rst_n (rst_n),
        .d     (beat),
        .q     (valid)
    );

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
            wire [15:0]        low0, low1, high0, high1;   // sums of lanes 0 and 1, 2 and 3
            reg  [PSUM_W-1:0]  sum0_q, sum1_q;

            if (g == 0) begin : gen_first
                assign start0 = NO_BIAS;
                assign start1 = NO_BIAS;
            end else begin : gen_next
                assign start0 = gen_group[g-1].sum0_q;
                assign start1 = gen_group[g-1].sum1_q;
            end

            dla_cmac_dot u_low (
                .clk      (clk),
                .load     (take[g]),
                .weights0 (shadow0_q[15:0]),
                .weights1 (shadow1_q[15:0]),
                .multiply (valid[g+1]),
                .dat      (lanes[15:0]),
                .add      (valid[g+2]),
                .sum0     (low0),
                .sum1     (low1)
            );

            dla_cmac_dot u_high (
                .clk      (clk),
                .load     (take[g]),
                .weights0 (shadow0_q[31:16]),
                .weights1 (shadow1_q[31:16]),
                .multiply (valid[g+1]),
                .dat      (lanes[31:16]),
                .add      (valid[g+2]),
                .sum0     (high0),
                .sum1     (high1)
            );

            always @(posedge clk) begin
                if (zero0[g])    shadow0_q <= 32'd0;
                else if (we0[g]) shadow0_q <= wt[32*g +: 32];

                if (zero1[g])    shadow1_q <= 32'd0;
                else if (we1[g]) shadow1_q <= wt[32*g +: 32];

                if (valid[g+3]) begin
                    sum0_q <= start0 + wide(low0) + wide(high0);
                    sum1_q <= start1 + wide(low1) + wide(high1);
                end
            end
        end
    endgenerate

    assign psum0 = gen_group[GROUPS-1].sum0_q;
    assign psum1 = gen_group[GROUPS-1].sum1_q;

endmodule

`default_nettype wire
