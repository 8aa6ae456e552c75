// CMAC alignment: by how much the products of a cell are shifted to have the exponent of the
// largest. A quarter exponent of a product is the sum of those of its factors,
//
//    factor = mantissa * 2^(4 * quarter - 25),   quarter 0 .. 7,
//
// and the largest of all lanes that are not zero is found bit by bit, from the highest one on:
// lanes without a bit that others have are out. All vectors have a bit per lane.
//
// Cycles behind the operands: 1 sums, 2 to 5 largest, 6 shifts. Registers keep their values
// without an enable. No reset.
`default_nettype none

module dla_cmac_align (
    input  wire         clk,
    input  wire [5:0]   enable,         // bit n: operands came n cycles ago
    // Operands of lanes: not zero, sign, quarter exponent
    input  wire [${atomic_c - 1:3}:0] dat_on, dat_neg, dat_q2, dat_q1, dat_q0,
    input  wire [${atomic_c - 1:3}:0] wt_on,  wt_neg,  wt_q2,  wt_q1,  wt_q0,
    output wire [${atomic_c - 1:3}:0] flip,            // 5 cycles behind: the product is negative
    // 6 cycles behind: the shift in steps of 4 bits, or nothing is left
    output reg  [${atomic_c - 1:3}:0] off, shift2, shift1, shift0,
    output reg  [3:0]   largest
);

    localparam LANES = ${atomic_c};

    // ---------------------------------------------------------------- sums
    wire [LANES-1:0] on     = dat_on & wt_on;
    wire [LANES-1:0] carry0 = dat_q0 & wt_q0;
    wire [LANES-1:0] carry1 = (dat_q1 & wt_q1) | (carry0 & (dat_q1 ^ wt_q1));
    wire [LANES-1:0] carry2 = (dat_q2 & wt_q2) | (carry1 & (dat_q2 ^ wt_q2));

    // Stage n of the search, or of what only waits for its end.
    (* mem2reg *) reg [LANES-1:0] on_q   [1:5];
    (* mem2reg *) reg [LANES-1:0] flip_q [1:5];
    (* mem2reg *) reg [LANES-1:0] x3_q   [1:5];
    (* mem2reg *) reg [LANES-1:0] x2_q   [1:5];
    (* mem2reg *) reg [LANES-1:0] x1_q   [1:5];
    (* mem2reg *) reg [LANES-1:0] x0_q   [1:5];
    reg [LANES-1:0] in2_q, in1_q, in0_q;    // have all higher bits of the largest
    (* mem2reg *) reg [3:0]       max_q  [2:5];
    integer         s;

    assign flip = flip_q[5];

    // ---------------------------------------------------------------- largest
    wire max3 = |x3_q[1];
    wire max2 = |(x2_q[2] & in2_q);
    wire max1 = |(x1_q[3] & in1_q);
    wire max0 = |(x0_q[4] & in0_q);

    always @(posedge clk) begin
        if (enable[0]) begin
            on_q[1]   <= on;
            flip_q[1] <= dat_neg ^ wt_neg;
            x3_q[1]   <= on & carry2;
            x2_q[1]   <= on & (dat_q2 ^ wt_q2 ^ carry1);
            x1_q[1]   <= on & (dat_q1 ^ wt_q1 ^ carry0);
            x0_q[1]   <= on & (dat_q0 ^ wt_q0);
        end
        for (s = 2; s <= 5; s = s + 1) begin
            if (enable[s-1]) begin
                on_q[s]   <= on_q[s-1];
                flip_q[s] <= flip_q[s-1];
                x3_q[s]   <= x3_q[s-1];
                x2_q[s]   <= x2_q[s-1];
                x1_q[s]   <= x1_q[s-1];
                x0_q[s]   <= x0_q[s-1];
            end
        end
        if (enable[1]) begin
            in2_q    <= x3_q[1] | {LANES{!max3}};
            max_q[2] <= {max3, 3'd0};
        end
        if (enable[2]) begin
            in1_q    <= in2_q & (x2_q[2] | {LANES{!max2}});
            max_q[3] <= max_q[2] | {1'b0, max2, 2'd0};
        end
        if (enable[3]) begin
            in0_q    <= in1_q & (x1_q[3] | {LANES{!max1}});
            max_q[4] <= max_q[3] | {2'd0, max1, 1'b0};
        end
        if (enable[4]) max_q[5] <= max_q[4] | {3'd0, max0};
    end

    // ---------------------------------------------------------------- shifts
    // largest - x, never negative in a lane that is on.
    wire [LANES-1:0] m3 = {LANES{max_q[5][3]}};
    wire [LANES-1:0] m2 = {LANES{max_q[5][2]}};
    wire [LANES-1:0] m1 = {LANES{max_q[5][1]}};
    wire [LANES-1:0] m0 = {LANES{max_q[5][0]}};
    wire [LANES-1:0] borrow0 = x0_q[5] & ~m0;
    wire [LANES-1:0] borrow1 = (x1_q[5] & ~m1) | (borrow0 & ~(x1_q[5] ^ m1));
    wire [LANES-1:0] borrow2 = (x2_q[5] & ~m2) | (borrow1 & ~(x2_q[5] ^ m2));

    always @(posedge clk) begin
        if (enable[5]) begin
            off     <= ~on_q[5] | (x3_q[5] ^ m3 ^ borrow2);
            shift2  <= x2_q[5] ^ m2 ^ borrow1;
            shift1  <= x1_q[5] ^ m1 ^ borrow0;
            shift0  <= x0_q[5] ^ m0;
            largest <= max_q[5];
        end
    end

endmodule

`default_nettype wire
