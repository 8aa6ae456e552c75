//# A lane of PDP for elements of 16 bits, or of both sizes.
//% if int8
// An element of 16 bits of each group of PDP, or two of 8 (`split`): windows along the line, along
// the column, scaling.
//% else
// One element of each group of PDP: windows along the line, windows along the column, scaling.
//% end
//
//     x -> 8 partial windows -> row -> + pad -> 8 partial windows -> + pad -> * 1/w -> * 1/h -> out
//             (RAM, per group)                  (line buffer)
//
//% if fp16
// Contract: one element per cycle. A step of a window takes ${op_delay} cycles in all types. Sums of floating
// point are of fp17; maxima and minima are of the words {key, NaN}, whose order is that of fp16.
//% else
// Contract: 9 cycles from x to out, one element per cycle.
//% end
// The controls of a stage come with the data of that stage. No reset: the unit knows what is valid.
`default_nettype none

module dla_pdp_lane (
    input  wire         clk,
    input  wire         en,            // 0: all stages are empty

    // layer
    input  wire         split,         // two elements  //% if int8
    input  wire         real_type,     // floating point  //% if mixed_fp
    input  wire         average,       // else maximum or minimum
    input  wire         least,         // minimum
    input  wire [16:0]  recip_w,       // ${!fp16 ? "1.0 = 0x10000" : mixed_fp ? "1.0 = 0x10000, or fp17" : "fp17"}
    input  wire [16:0]  recip_h,

    // stage A: an element joins all windows it belongs to
//% if fp16
    input  wire         x_load,        // a cycle before A
    input  wire [15:0]  x,
    input  wire [6:0]   p_hold,        // step j: no element joins a window of j + 1
    input  wire [${7 * (group_msb + 1) - 1:2}:0]  p_from,        // group whose windows step j reads
    input  wire [6:0]   p_take,        // windows of j + 1 elements are stored
    input  wire [${7 * (group_msb + 1) - 1:2}:0]  p_group,       // for this group
    input  wire [7:0]   p_pick,        // windows of j + 1 elements: the complete one
    input  wire [${6 * skew + 4:2}:0]  p_moves,       // a sum is so far
//% else
    input  wire [15:0]  a_x,
    input  wire [${group_msb}:0]   a_group,
    input  wire         a_take,        // x counts; else the windows stay as they are
//% end
//% if fp16

    // stage B: missing columns
    input  wire [4:0]   b_moves,
    input  wire [21:0]  b_pad,
//% else
    input  wire [2:0]   a_before,      // elements of its line before x, 7: or more
    input  wire [2:0]   a_sel,         // window that is complete: elements in it, less 1

    // stage B: missing columns
    input  wire [21:0]  b_pad,
//% end

    // stage C: the row joins the windows of the line buffer, D: result
    input  wire [5:0]   c_moves,  //% if fp16
    input  wire [7:0]   c_first,       // bank: starts with this row
    input  wire [2:0]   c_bank,        // of the result
    input  wire [${8 * col_w - 1:3}:0] b_old,         // ${col_w} bits of each bank
    output wire [${8 * col_w - 1:3}:0] c_new,
    input  wire         d_start,       // the result starts with this row
    input  wire         d_late,        // the result is what is there

    // stage E: missing rows
    input  wire [21:0]  e_pad,  //% if integers
//% if fp16
    input  wire [12:0]  e_moves,
    input  wire [16:0]  e_pad17,
//% end

    output wire [15:0]  out
);

    localparam ROW = 22;
    localparam COL = ${col_w};

    // ------------------------------------------------------------------ the element as a word
//% if fp16
    reg  [15:0]    x_q;
    wire [16:0]    x17;
    wire           nan  = x_q[14:10] == 5'd31 && x_q[9:0] != 10'd0;
    wire [ROW-1:0] key  = {{6{x_q[15]}}, x_q[14:0] ^ {15{x_q[15]}}, nan};
    wire [ROW-1:0] real_word = average ? {5'd0, x17} : key;
//% if int8
    wire [ROW-1:0] word = split ? {{3{x_q[15]}}, x_q[15:8], {3{x_q[7]}}, x_q[7:0]}
                        : !real_type ? {{6{x_q[15]}}, x_q} : real_word;  //% if integers
//% elif int16
    wire [ROW-1:0] word = real_type ? real_word : {{6{x_q[15]}}, x_q};
//% else
    wire [ROW-1:0] word = real_word;
//% end

    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_widen (
        .clk(clk), .load(x_load), .in(x), .out_q(x17)
    );

    always @(posedge clk) x_q <= x;
//% elif int8
    wire [ROW-1:0] word = split ? {{3{a_x[15]}}, a_x[15:8], {3{a_x[7]}}, a_x[7:0]}
                                : {{6{a_x[15]}}, a_x};
//% else
    wire [ROW-1:0] word = {{6{a_x[15]}}, a_x};
//% end

//% if fp16
    // ------------------------------------------------------------------ A: along the line
    // part[j]: j + 1 elements, the last of them the newest; behind the elements of this line the
    // windows of the line before move up. Step j makes part[j+1] of part[j] before this element;
    // it begins ${skew} cycle(s) after step j - 1, so that sums of the column before are there.  //% if skew > 0
    // all begin at once.  //% if skew <= 0
    localparam SKEW    = ${skew};
    localparam GROUP_W = ${group_msb + 1};
    wire [8*ROW-1:0] part;
    reg  [ROW-1:0]   row_q;                  // B
    genvar           j;

//% if skew > 0
    reg  [6*SKEW*ROW-1:0] word_q;
    wire [(6*SKEW+1)*ROW-1:0] words = {word_q, word};

    always @(posedge clk) word_q <= words[6*SKEW*ROW-1:0];

//% else
    wire [ROW-1:0] words = word;

//% end
    reg  [${op_delay}*ROW-1:0] late_q;

    assign part[ROW-1:0] = word;

    always @(posedge clk) late_q <= {late_q[${op_delay - 1}*ROW-1:0], word};

    generate
        for (j = 0; j < 7; j = j + 1) begin : gen_part
            wire [ROW-1:0] old;

            sram_dist_1r1w #(.W(ROW), .DEPTH(${max(groups, 2)})) u_part (
                .clk(clk), .we(p_take[j]), .waddr(p_group[GROUP_W*j +: GROUP_W]),
                .wdata(part[ROW*j +: ROW]), .raddr(p_from[GROUP_W*j +: GROUP_W]), .rdata(old)
            );

            dla_pdp_op #(.W(ROW)) u_op (
                .clk   (clk),
                .moves (p_moves[SKEW*j +: 5]),
                .en    (en),
                .split (split),  //% if int8
                .real_type (real_type),  //% if mixed_fp
                .sum   (average),
                .least (least),
                .first (1'b0),
                .hold  (p_hold[j]),
                .a     (old),
                .b     (words[SKEW*ROW*j +: ROW]),
                .y     (part[ROW*(j+1) +: ROW])
            );

            // The complete window, if it is not longer.
            wire [ROW-1:0] complete = part[ROW*(j+1) +: ROW] & {ROW{p_pick[j+1]}};
            wire [ROW-1:0] row;

            if (j == 0) begin : gen_row
                assign row = complete | (late_q[${op_delay}*ROW-1 -: ROW] & {ROW{p_pick[0]}});
            end else begin : gen_row
//% if skew > 0
                reg [SKEW*ROW-1:0] shorter_q;

                assign row = complete | shorter_q[SKEW*ROW-1 -: ROW];

//%   if skew > 1
                always @(posedge clk) begin
                    shorter_q <= {shorter_q[(SKEW-1)*ROW-1:0], gen_part[j-1].row};
                end
//%   else
                always @(posedge clk) shorter_q <= gen_part[j-1].row;
//%   end
//% else
                assign row = complete | gen_part[j-1].row;
//% end
            end
        end
    endgenerate

    always @(posedge clk) row_q <= gen_part[6].row;

//% else
    // ------------------------------------------------------------------ A: along the line
    // part[j]: j + 1 elements, the last of them the newest; behind the elements of this line the
    // windows of the line before move up.
    wire [7*ROW-1:0] old;
    wire [7*ROW-1:0] part;
    genvar           j;

    sram_dist_1r1w #(.W(7*ROW), .DEPTH(${max(groups, 2)})) u_part (
        .clk(clk), .we(a_take), .waddr(a_group), .wdata(part), .raddr(a_group), .rdata(old)
    );

    assign part[ROW-1:0] = word;
    generate
        for (j = 0; j < 6; j = j + 1) begin : gen_part
            localparam [2:0] BEHIND = j;

            dla_pdp_op #(.W(ROW)) u_op (
                .en    (en),
                .split (split),  //% if int8
                .sum   (average),
                .least (least),
                .first (1'b0),
                .hold  (a_before <= BEHIND),
                .a     (old[ROW*j +: ROW]),
                .b     (word),
                .y     (part[ROW*(j+1) +: ROW])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ S: the complete window
    wire [2:0]       grows = a_sel - 3'd1;   // which of the old ones
    wire [255:0]     olds;                   // 32 bits each
    reg  [ROW-1:0]   s_old_q, s_word_q;
    reg              s_first_q, s_hold_q;
    wire [ROW-1:0]   row;
    reg  [ROW-1:0]   row_q;                  // B

    assign olds[255:224] = 32'd0;
    generate
        for (j = 0; j < 7; j = j + 1) begin : gen_old
            assign olds[32*j +: 32] = {10'd0, old[ROW*j +: ROW]};
        end
    endgenerate

    dla_pdp_op #(.W(ROW)) u_row (
        .en    (en),
        .split (split),  //% if int8
        .sum   (average),
        .least (least),
        .first (s_first_q),
        .hold  (s_hold_q),
        .a     (s_old_q),
        .b     (s_word_q),
        .y     (row)
    );

    always @(posedge clk) begin
        s_old_q   <= olds[32*grows +: ROW];
        s_word_q  <= word;
        s_first_q <= a_sel == 3'd0;
        s_hold_q  <= a_before < a_sel;
        row_q     <= row;
    end

//% end
    // ------------------------------------------------------------------ B: missing columns
    reg  [COL-1:0]   padded_q;               // C
    reg  [8*COL-1:0] c_old_q;
    wire [ROW-1:0]   total = row_q + b_pad;  //% if integers
//% if int8
    wire [10:0]      total_high = row_q[21:11] + b_pad[21:11];
    wire [COL-1:0]   padded = split ? {{3{total_high[10]}}, total_high, {3{total[10]}}, total[10:0]}
                                    : {{6{total[21]}}, total};
//% elif int16
    wire [COL-1:0]   padded = total;
//% else
    wire [COL-1:0]   padded = row_q;
//% end

//% if fp16
    wire [16:0]         total17;
    reg  [${op_delay}*COL-1:0]  padded_d_q;

    fp_add #(.E(6), .M(10)) u_pad (
        .clk(clk), .load(b_moves), .a(row_q[16:0]), .b(b_pad[16:0]), .sum_q(total17)
    );

    always @(posedge clk) begin
        padded_d_q <= {padded_d_q[${op_delay - 1}*COL-1:0], padded};
        padded_q   <= ${mixed_fp ? "real_type && " : ""}average ? {{(COL-17){1'b0}}, total17}
                                         : padded_d_q[${op_delay}*COL-1 -: COL];
        c_old_q    <= b_old;
    end
//% else
    always @(posedge clk) begin
        padded_q <= padded;
        c_old_q  <= b_old;
    end
//% end

    // ------------------------------------------------------------------ C, D: along the column
    wire [255:0]   c_olds;                   // 32 bits each
    reg  [COL-1:0] d_old_q, d_padded_q;
    wire [COL-1:0] result;
    reg  [COL-1:0] acc_q;                    // E

    generate
        for (j = 0; j < 8; j = j + 1) begin : gen_bank
            assign c_olds[32*j +: 32] = {{(32-COL){1'b0}}, c_old_q[COL*j +: COL]};

            dla_pdp_op #(.W(COL)${fp16 ? ", .NEW_FIRST(1)" : ""}) u_op (
//% if fp16
                .clk   (clk),
                .moves (c_moves[4:0]),
//% end
                .en    (en),
                .split (split),  //% if int8
                .real_type (real_type),  //% if mixed_fp
                .sum   (average),
                .least (least),
                .first (c_first[j]),
                .hold  (1'b0),
                .a     (c_old_q[COL*j +: COL]),
                .b     (padded_q),
                .y     (c_new[COL*j +: COL])
            );
        end
    endgenerate

    dla_pdp_op #(.W(COL)${fp16 ? ", .NEW_FIRST(1)" : ""}) u_result (
//% if fp16
        .clk   (clk),
        .moves (c_moves[5:1]),
//% end
        .en    (en),
        .split (split),  //% if int8
        .real_type (real_type),  //% if mixed_fp
        .sum   (average),
        .least (least),
        .first (d_start),
        .hold  (d_late),
        .a     (d_old_q),
        .b     (d_padded_q),
        .y     (result)
    );

    always @(posedge clk) begin
        d_old_q    <= c_olds[32*c_bank +: COL];
        d_padded_q <= padded_q;
        acc_q      <= result;
    end

    // ------------------------------------------------------------------ E to the end: scaling
//% if integers
    wire [15:0] scaled;

    dla_pdp_scale u_scale (
        .clk     (clk),
        .split   (split),  //% if int8
        .recip_w (recip_w),
        .recip_h (recip_h),
        .acc     (acc_q),
        .pad     (e_pad),
        .out     (scaled)
    );

//% end
//% if fp16
    wire [15:0]    averaged;
    reg  [13*16-1:0] best_q;                 // the key, as long as an average takes
    wire [15:0]    best   = best_q[13*16-1 -: 16];
    wire [15:0]    number = average ? averaged : {best[15], best[14:0] ^ {15{best[15]}}};

    dla_pdp_average u_average (
        .clk     (clk),
        .moves   (e_moves),
        .recip_w (recip_w),
        .recip_h (recip_h),
        .acc     (acc_q[16:0]),
        .pad     (e_pad17),
        .out     (averaged)
    );

    always @(posedge clk) best_q <= {best_q[12*16-1:0], acc_q[16:1]};

//% if integers
    assign out = real_type ? number : scaled;
//% else
    assign out = number;

    wire unused_bits = &{1'b0, b_pad, acc_q, row_q, total17};
//% end
//% else
    assign out = scaled;
//% end

endmodule

`default_nettype wire
