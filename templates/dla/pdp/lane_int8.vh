//# A lane of PDP for elements of 8 bits.
// One element of each group of PDP: windows along the line, windows along the column, scaling.
//
//     x -> 8 partial windows -> row -> + pad -> 8 partial windows -> + pad -> * 1/w -> * 1/h -> out
//             (RAM, per group)                  (line buffer)
//
// Contract: 9 cycles from x to out, one element per cycle. The controls of a stage come with the
// data of that stage. No reset: the unit knows what is valid.
`default_nettype none

module dla_pdp_lane (
    input  wire         clk,
    input  wire         en,            // 0: all stages are empty

    // layer
    input  wire         average,       // else maximum or minimum
    input  wire         compare,       // maximum or minimum, a register of its own
    input  wire         least,         // minimum
    input  wire [16:0]  recip_w,       // 1.0 = 0x10000
    input  wire [16:0]  recip_h,

    // stage A: an element joins all windows it belongs to
    input  wire         a_take,        // x counts; else the windows stay as they are
    input  wire [${group_msb}:0]   a_group,
    input  wire [7:0]   a_x,
    input  wire [7:0]   a_add,         // x for sums, else its complement
    input  wire [2:0]   a_before,      // elements of its line before x, 7: or more
    input  wire [2:0]   a_sel,         // window that is complete: elements in it, less 1

    // stage B: missing columns
    input  wire [10:0]  b_pad,

    // stage C: the row joins the windows of the line buffer, D: result
    input  wire [7:0]   c_first,       // bank: starts with this row
    input  wire [2:0]   c_bank,        // of the result
    input  wire [111:0] b_old,         // 14 bits of each bank
    output wire [111:0] c_new,
    input  wire         d_start,       // the result starts with this row
    input  wire         d_late,        // the result is what is there

    // stage E: missing rows
    input  wire [13:0]  e_pad,

    output wire [7:0]   out            // I
);

    // ------------------------------------------------------------------ A: along the line
    // part[j]: j + 1 elements, the last of them the newest; behind the elements of this line the
    // windows of the line before move up.
    wire [10:0] x = {{3{a_x[7]}}, a_x};
    wire [10:0] x_add = {{3{a_add[7]}}, a_add};
    wire [76:0] old;
    wire [76:0] part;
    genvar      j;

    sram_dist_1r1w #(.W(77), .DEPTH(${max(groups, 2)})) u_part (
        .clk(clk), .we(a_take), .waddr(a_group), .wdata(part), .raddr(a_group), .rdata(old)
    );

    assign part[10:0] = x;
    generate
        for (j = 0; j < 6; j = j + 1) begin : gen_part
            localparam [2:0] BEHIND = j;

            dla_pdp_op #(.W(11)) u_op (
                .en      (en),
                .sum     (average),
                .compare (compare),
                .least   (least),
                .first   (1'b0),
                .hold    (a_before <= BEHIND),
                .a       (old[11*j +: 11]),
                .b_add   (x_add),
                .y       (part[11*(j+1) +: 11])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ S: the complete window
    wire [2:0]  grows = a_sel - 3'd1;  // which of the old ones
    wire [127:0] olds;                 // 16 bits each
    reg  [10:0] s_old_q, s_add_q;
    reg         s_first_q, s_hold_q;
    wire [10:0] row;
    reg  [10:0] row_q;                 // B

    assign olds[127:112] = 16'd0;
    generate
        for (j = 0; j < 7; j = j + 1) begin : gen_old
            assign olds[16*j +: 16] = {5'd0, old[11*j +: 11]};
        end
    endgenerate

    dla_pdp_op #(.W(11)) u_row (
        .en      (en),
        .sum     (average),
        .compare (compare),
        .least   (least),
        .first   (s_first_q),
        .hold    (s_hold_q),
        .a       (s_old_q),
        .b_add   (s_add_q),
        .y       (row)
    );

    always @(posedge clk) begin
        s_old_q   <= olds[16*grows +: 11];
        s_add_q   <= x_add;
        s_first_q <= a_sel == 3'd0;
        s_hold_q  <= a_before < a_sel;
        row_q     <= row;
    end

    // ------------------------------------------------------------------ B
    reg  [10:0]  padded_add_q;         // C, its complement for maximum and minimum
    reg  [111:0] c_old_q;

    always @(posedge clk) begin
        padded_add_q <= (row_q + b_pad) ^ {11{~average}};
        c_old_q      <= b_old;
    end

    // ------------------------------------------------------------------ C, D: along the column
    wire [13:0]  padded_add = {{3{padded_add_q[10]}}, padded_add_q};
    wire [127:0] c_olds;               // 16 bits each
    reg  [13:0] d_old_q, d_add_q;
    wire [13:0] result;
    reg  [13:0] acc_q;                 // E

    generate
        for (j = 0; j < 8; j = j + 1) begin : gen_bank
            assign c_olds[16*j +: 16] = {2'd0, c_old_q[14*j +: 14]};

            dla_pdp_op #(.W(14)) u_op (
                .en      (en),
                .sum     (average),
                .compare (compare),
                .least   (least),
                .first   (c_first[j]),
                .hold    (1'b0),
                .a       (c_old_q[14*j +: 14]),
                .b_add   (padded_add),
                .y       (c_new[14*j +: 14])
            );
        end
    endgenerate

    dla_pdp_op #(.W(14)) u_result (
        .en      (en),
        .sum     (average),
        .compare (compare),
        .least   (least),
        .first   (d_start),
        .hold    (d_late),
        .a       (d_old_q),
        .b_add   (d_add_q),
        .y       (result)
    );

    always @(posedge clk) begin
        d_old_q    <= c_olds[16*c_bank +: 14];
        d_add_q    <= padded_add;
        acc_q      <= result;
    end

    // ------------------------------------------------------------------ E to I: scaling
    // The reference hardware takes bit 30 of the first product for its sign.
    reg  signed [14:0] sum_q;          // F
    wire signed [17:0] factor_w = {1'b0, recip_w};
    wire signed [17:0] factor_h = {1'b0, recip_h};
    reg  signed [31:0] product_w_q;    // G
    wire               minus_w = product_w_q[30];
    wire               up_w    = product_w_q[15] && (!minus_w || (|product_w_q[14:0]));
    reg  signed [10:0] half_q;         // H
    reg  signed [27:0] product_h_q;    // I
    wire               minus_h = product_h_q[27];
    wire               up_h    = product_h_q[15] && (!minus_h || (|product_h_q[14:0]));

    wire unused_bits = &{1'b0, product_w_q[31:27], product_h_q[26:24]};

    always @(posedge clk) begin
        sum_q       <= {acc_q[13], acc_q} + {e_pad[13], e_pad};
        product_w_q <= sum_q * factor_w;
        half_q      <= {product_w_q[26] && minus_w, product_w_q[25:16]} + {10'd0, up_w};
        product_h_q <= half_q * factor_h;
    end

    assign out = {product_h_q[23] && minus_h, product_h_q[22:16]} + {7'd0, up_h};

endmodule

`default_nettype wire
