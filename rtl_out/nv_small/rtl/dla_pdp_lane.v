// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp_lane.v
// with group_msb=2 groups=8

// One element of each group of PDP: windows along the line, windows along the column, scaling.
//
//     x -> 8 partial windows -> row -> + pad -> 8 partial windows -> + pad -> * 1/w -> * 1/h -> out
//             (RAM, per group)                  (line buffer)
//
// Contract: 7 cycles from x to out; every stage moves if `move` is 1 and holds otherwise. The
// controls of a stage come with the data of that stage. No reset: the unit knows what is valid.
`default_nettype none

module dla_pdp_lane (
    input  wire         clk,
    input  wire         en,            // 0: all stages are empty
    input  wire         move,

    // layer
    input  wire         average,       // else maximum or minimum
    input  wire         least,         // minimum
    input  wire [16:0]  recip_w,       // 1.0 = 0x10000
    input  wire [16:0]  recip_h,

    // stage A: an element joins all windows it belongs to
    input  wire         a_take,        // x counts; else the windows stay as they are
    input  wire [2:0]   a_group,
    input  wire [7:0]   a_x,
    input  wire [6:0]   a_deep,        // [j]: x has more than j elements of its line before it
    input  wire [2:0]   a_sel,         // window that is complete: elements in it, less 1

    // stage B: missing columns
    input  wire [10:0]  b_pad,

    // stage C: the row joins the windows of the line buffer
    input  wire [7:0]   c_first,       // bank: starts with this row
    input  wire         c_start,       // the result starts with this row
    input  wire         c_late,        // the result is what is there
    input  wire [2:0]   c_bank,        // of the result
    input  wire [111:0] c_old,         // 14 bits of each bank
    output wire [111:0] c_new,

    // stage D: missing rows
    input  wire [13:0]  d_pad,

    output wire [7:0]   out
);

    // ------------------------------------------------------------------ A: along the line
    // part[j]: j + 1 elements, the last of them the newest; behind the elements of this line the
    // windows of the line before move up.
    wire [10:0] x = {{3{a_x[7]}}, a_x};
    wire [76:0] old;
    wire [87:0] part;
    genvar      j;

    sram_dist_1r1w #(.W(77), .DEPTH(8)) u_part (
        .clk(clk), .we(a_take && move), .waddr(a_group), .wdata(part[76:0]),
        .raddr(a_group), .rdata(old)
    );

    assign part[10:0] = x;
    generate
        for (j = 0; j < 7; j = j + 1) begin : gen_part
            dla_pdp_op #(.W(11)) u_op (
                .en    (en),
                .sum   (average),
                .least (least),
                .first (1'b0),
                .hold  (!a_deep[j]),
                .a     (old[11*j +: 11]),
                .b     (x),
                .y     (part[11*(j+1) +: 11])
            );
        end
    endgenerate

    reg [10:0] row_q;                  // B

    always @(posedge clk) begin
        if (move) row_q <= part[11*a_sel +: 11];
    end

    // ------------------------------------------------------------------ B
    reg [10:0] padded_q;               // C

    always @(posedge clk) begin
        if (move) padded_q <= row_q + b_pad;
    end

    // ------------------------------------------------------------------ C: along the column
    wire [13:0] padded = {{3{padded_q[10]}}, padded_q};

    generate
        for (j = 0; j < 8; j = j + 1) begin : gen_bank
            dla_pdp_op #(.W(14)) u_op (
                .en    (en),
                .sum   (average),
                .least (least),
                .first (c_first[j]),
                .hold  (1'b0),
                .a     (c_old[14*j +: 14]),
                .b     (padded),
                .y     (c_new[14*j +: 14])
            );
        end
    endgenerate

    wire [13:0] result;
    reg  [13:0] acc_q;                 // D

    dla_pdp_op #(.W(14)) u_result (
        .en    (en),
        .sum   (average),
        .least (least),
        .first (c_start),
        .hold  (c_late),
        .a     (c_old[14*c_bank +: 14]),
        .b     (padded),
        .y     (result)
    );

    always @(posedge clk) begin
        if (move) acc_q <= result;
    end

    // ------------------------------------------------------------------ D to G: scaling
    // The reference hardware takes bit 30 of the first product for its sign.
    reg  signed [14:0] sum_q;          // E
    wire signed [17:0] factor_w = {1'b0, recip_w};
    wire signed [17:0] factor_h = {1'b0, recip_h};
    reg  signed [31:0] product_w_q;    // F
    wire               minus_w = product_w_q[30];
    wire               up_w    = product_w_q[15] && (!minus_w || (|product_w_q[14:0]));
    reg  signed [10:0] half_q;         // G
    reg  signed [27:0] product_h_q;    // H
    wire               minus_h = product_h_q[27];
    wire               up_h    = product_h_q[15] && (!minus_h || (|product_h_q[14:0]));

    wire unused_bits = &{1'b0, product_w_q[31:27], product_h_q[26:24]};

    always @(posedge clk) begin
        if (move) begin
            sum_q       <= {acc_q[13], acc_q} + {d_pad[13], d_pad};
            product_w_q <= sum_q * factor_w;
            half_q      <= {product_w_q[26] && minus_w, product_w_q[25:16]} + {10'd0, up_w};
            product_h_q <= half_q * factor_h;
        end
    end

    assign out = {product_h_q[23] && minus_h, product_h_q[22:16]} + {7'd0, up_h};

endmodule

`default_nettype wire
