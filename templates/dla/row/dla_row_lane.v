// One element of the last pass.
//
//   w = (digit * scale + start * 2^8) >> 14
//   v = softmax ? scale * factor + w : w * factor
//   y = (sat(v >> shift) + bias) >> 15, saturated; 2^14 is part of the bias
//
// digit: softmax the term of the record, the low digit of the exponential; norms x * 2^8.
// Contract: one element per cycle, 13 cycles, never stops. What is of a row comes in the cycle that
// its name has: scale_2 with what was registered of record and x, and so on. No reset.
`default_nettype none

module dla_row_lane (
    input  wire        clk,
    input  wire        softmax,
    input  wire [7:0]  offset,                         // of the result of a softmax

    input  wire [47:0] record,                         // term, factor
    input  wire [8:0]  x,                              // with the record

    // of the row
    input  wire [33:0] scale_2,
    input  wire [41:0] start_4,
    input  wire [31:0] scale_5,
    input  wire [1:0]  shift_9,                        // bits 5:4
    input  wire [1:0]  shift_10,                       // bits 3:2
    input  wire [1:0]  shift_11,                       // bits 1:0

    output wire [7:0]  y
);

    localparam BIAS_W = 25;

    // ---- 2: operands
    reg  signed [16:0]       digit_q;
    reg  signed [BIAS_W-1:0] bias_q;
    wire [23:0]              term = record[47:24];

    always @(posedge clk) begin
        digit_q <= softmax ? {3'd0, term[13:0]} : {x, 8'd0};
        bias_q  <= (softmax ? {{2{offset[7]}}, offset, 15'd0} : {term[23], term}) + 25'd16384;
    end

    // ---- 3, 4: first product; 5: its sum
    wire signed [50:0] product;
    reg  signed [50:0] u_q;
    wire [36:0]        w = u_q[50:14];

    mult_pipe #(.A_W(34), .B_W(17)) u_first (
        .clk(clk), .load(2'b11), .a(scale_2), .b(digit_q), .p_q(product)
    );

    always @(posedge clk) u_q <= product + {start_4[41], start_4, 8'd0};

    // What waits for a later stage: factor from 1 to 6, bias from 2 to 12, w from 5 to 8.
    reg  [5*24-1:0]      factor_q;                     // stages 2 to 6
    reg  [3*37-1:0]      w_q;                          // 6 to 8
    reg  [10*BIAS_W-1:0] wait_q;                       // 3 to 12
    wire [23:0]          factor_6 = factor_q[5*24-1:4*24];
    wire [36:0]          w_8      = w_q[3*37-1:2*37];
    wire [BIAS_W-1:0]    bias_12  = wait_q[10*BIAS_W-1:9*BIAS_W];

    always @(posedge clk) begin
        factor_q <= {factor_q[4*24-1:0], record[23:0]};
        w_q      <= {w_q[2*37-1:0], w};
        wait_q   <= {wait_q[9*BIAS_W-1:0], bias_q};
    end

    // ---- 6 to 8: second product; 9: its sum
    reg  signed [34:0] wide_q;
    wire signed [58:0] second;
    reg  signed [58:0] v_q;

    always @(posedge clk) wide_q <= softmax ? {{3{scale_5[31]}}, scale_5} : w[34:0];

    mult_pipe #(.A_W(35), .B_W(24)) u_second (
        .clk(clk), .load(2'b11), .a(wide_q), .b(factor_6), .p_q(second)
    );

    always @(posedge clk) v_q <= second + ({{22{w_8[36]}}, w_8} & {59{softmax}});

    // ---- 10 to 12: shift
    reg  signed [58:0] by16_q, by4_q, z_q;

    always @(posedge clk) begin
        by16_q <= v_q >>> {shift_9, 4'd0};
        by4_q  <= by16_q >>> {shift_10, 2'd0};
        z_q    <= by4_q >>> shift_11;
    end

    // ---- 13: saturated to 26 bits, bias; 14: rounded down and saturated
    wire        fits = &z_q[58:25] || ~|z_q[58:25];
    wire [25:0] z    = fits ? z_q[25:0] : {z_q[58], {25{!z_q[58]}}};
    reg  [26:0] sum_q;
    reg  [7:0]  y_q;
    wire        in_range = &sum_q[26:22] || ~|sum_q[26:22];
    wire        unused   = &{1'b0, u_q[13:0], sum_q[14:0]};

    assign y = y_q;

    always @(posedge clk) begin
        sum_q <= {z[25], z} + {{2{bias_12[BIAS_W-1]}}, bias_12};
        y_q   <= in_range ? sum_q[22:15] : {sum_q[26], {7{!sum_q[26]}}};
    end

endmodule

`default_nettype wire
