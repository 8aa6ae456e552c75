// Scaling of PDP's integers: the sum of a window and what missing rows add, times the reciprocals
// of its width and height, rounded half away from zero. Nothing saturates.
//
// Contract: 4 cycles. One number of 16 bits, or two of 8 (`split`): acc is {14 bits, 14 bits} then.  //% if int8
// Contract: 4 cycles.  //% if !int8
`default_nettype none

module dla_pdp_scale (
    input  wire         clk,
    input  wire         split,  //% if int8
    input  wire [16:0]  recip_w,       // 1.0 = 0x10000
    input  wire [16:0]  recip_h,
    input  wire [${col_w - 1}:0]  acc,
    input  wire [21:0]  pad,           // of 8 bits: the low 14
    output wire [15:0]  out
);

    wire signed [17:0] factor_w = {1'b0, recip_w};
    wire signed [17:0] factor_h = {1'b0, recip_h};

//% if int8
    // ------------------------------------------------------------------ the number, or the low one
    reg  [21:0]        total_q;
    wire signed [21:0] total = split ? {{8{total_q[13]}}, total_q[13:0]} : total_q;
    reg  signed [39:0] product_w_q;
    wire               minus_w = product_w_q[39];
    wire               up_w    = product_w_q[15] && (!minus_w || (|product_w_q[14:0]));
    reg  [18:0]        half_q;
    wire signed [18:0] half = split ? {{8{half_q[10]}}, half_q[10:0]} : half_q;
    reg  signed [36:0] product_h_q;
    wire               minus_h = product_h_q[36];
    wire               up_h    = product_h_q[15] && (!minus_h || (|product_h_q[14:0]));
    wire [15:0]        floor_h = split ? {8'd0, product_h_q[23] && minus_h, product_h_q[22:16]}
                                       : {product_h_q[31] && minus_h, product_h_q[30:16]};
    wire [15:0]        low     = floor_h + {15'd0, up_h};

    always @(posedge clk) begin
        total_q     <= acc[21:0] + pad;
        product_w_q <= total * factor_w;
        half_q      <= {split ? {8'd0, product_w_q[26] && minus_w, product_w_q[25:16]}
                              : {product_w_q[34] && minus_w, product_w_q[33:16]}} + {18'd0, up_w};
        product_h_q <= half * factor_h;
    end

    // ------------------------------------------------------------------ the high one
    reg  signed [13:0] high_q;
    reg  signed [31:0] high_w_q;
    wire               minus_high_w = high_w_q[31];
    wire               up_high_w    = high_w_q[15] && (!minus_high_w || (|high_w_q[14:0]));
    reg  signed [10:0] high_half_q;
    reg  signed [28:0] high_h_q;
    wire               minus_high_h = high_h_q[28];
    wire               up_high_h    = high_h_q[15] && (!minus_high_h || (|high_h_q[14:0]));
    wire [7:0]         high = {high_h_q[23] && minus_high_h, high_h_q[22:16]} + {7'd0, up_high_h};

    always @(posedge clk) begin
        high_q      <= acc[27:14] + pad[13:0];
        high_w_q    <= high_q * factor_w;
        high_half_q <= {high_w_q[26] && minus_high_w, high_w_q[25:16]} + {10'd0, up_high_w};
        high_h_q    <= high_half_q * factor_h;
    end

    assign out = {split ? high : low[15:8], low[7:0]};

    wire unused_bits = &{1'b0, product_w_q[38:35], product_h_q[35:32], high_w_q[30:27],
                         high_h_q[27:24]};
//% else
    reg  signed [21:0] total_q;
    reg  signed [39:0] product_w_q;
    wire               minus_w = product_w_q[39];
    wire               up_w    = product_w_q[15] && (!minus_w || (|product_w_q[14:0]));
    reg  signed [18:0] half_q;
    reg  signed [36:0] product_h_q;
    wire               minus_h = product_h_q[36];
    wire               up_h    = product_h_q[15] && (!minus_h || (|product_h_q[14:0]));

    always @(posedge clk) begin
        total_q     <= acc + pad;
        product_w_q <= total_q * factor_w;
        half_q      <= {product_w_q[34] && minus_w, product_w_q[33:16]} + {18'd0, up_w};
        product_h_q <= half_q * factor_h;
    end

    assign out = {product_h_q[31] && minus_h, product_h_q[30:16]} + {15'd0, up_h};

    wire unused_bits = &{1'b0, product_w_q[38:35], product_h_q[35:32]};
//% end

endmodule

`default_nettype wire
