// Sequence generator of CSC: the steps of a layer, outermost first
//
//     kernel group > stripe of positions > channel block > kernel row > kernel column
//
// A stripe has as many positions as the assembly buffer of CACC holds (${cacc_depth}), but no stripe of a
// group is shorter than ${atomic_k} if it has more than one: a step takes at least as many cycles as it has
// kernels.
//
// Several inputs per layer: positions count as many times, as a power of two.  //% if types.batch
//  //% if types.batch
// Winograd: a position is a quarter of a tile, a short stripe twice as long.  //% if types.winograd
//  //% if types.winograd
//% if image_enable
// Image: a channel block is the next entry of a line, a step may have 2 or 4 kernel rows.
//
//% end
// Contract: a step per cycle while `ready`. Sizes are minus one, as in the registers, distances are
// not. Reset: no step.
`default_nettype none

module dla_csc_sg (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer, stable from start to the last step
    input  wire                       start,
    input  wire [4:0]                 kernel_width,
    input  wire [4:0]                 kernel_height,
    input  wire [${12 - clog2(atomic_c) + 4 * types.winograd:2}:0]                blocks,         // of ${atomic_c} channels
//% if types.mix
    input  wire                       int8,           // two blocks in an entry
    input  wire [${13 - clog2(atomic_k) + types.mix - 1:2}:0]                groups,         // of ${atomic_k} kernels, ${atomic_k / 2} of 16 bits
//% else
    input  wire [${12 - clog2(atomic_k):2}:0]                groups,         // of ${atomic_k} kernels
//% end
    input  wire [${20 + 5 * types.batch}:0]                positions,
    input  wire                       winograd,  //% if types.winograd
    input  wire [9:0]                 column_step,    // dilation
    input  wire [9:0]                 row_step,
    input  wire [${cbuf_addr_w:2}:0]                block_step,     // entries of a block of a line
    input  wire [1:0]                 rows_code,      // kernel rows of a step - 1: 0, 1, 3  //% if image_enable
    input  wire [${cbuf_addr_w - 1:2}:0]                base,           // first entry of line 0

    // step
    output reg                        valid_q,
    input  wire                       ready,
    output reg                        first_q,        // first step of its stripe
    output wire                       last,           // last step of its stripe
    output wire                       group_end,      // its stripe is the last of the group
    output wire                       layer_end,      // its group is the last, too
    output wire                       tail_block,     // last channel block
    output wire                       tail_group,     // last kernel group
    output wire [1:0]                 rows,           // of this step, minus one  //% if image_enable
    output wire [${clog2(cacc_depth) - 1:2}:0]                length,         // of the stripe
    output reg  [9:0]                 x_q,            // column times dilation
    output reg  [9:0]                 y_q,            // row times dilation
    output reg                        odd_q,          // the second block of its entry  //% if types.mix
    output reg  [${cbuf_addr_w:2}:0]                entry_q         // of the block in line 0, not wrapped
);

    localparam BLOCK_W = ${13 - clog2(atomic_c) + 4 * types.winograd};
    localparam GROUP_W = ${13 - clog2(atomic_k) + types.mix};
    localparam LEN_W   = ${clog2(cacc_depth)};             // 2**LEN_W positions are a full stripe
    localparam SHORT_W = ${clog2(atomic_k)};             // 2**SHORT_W a short one

    reg  [4:0]         cols_q;         // left after this one, as the others
    reg  [4:0]         rows_q;
    reg  [BLOCK_W-1:0] blocks_q;
    reg  [${20 + 5 * types.batch}:0]        left_q;         // positions of this and later stripes, minus one
    reg  [GROUP_W-1:0] groups_q;

    wire col_end   = cols_q == 5'd0;
    wire row_end   = (rows_q & ~{3'd0, rows_code}) == 5'd0;  //% if image_enable
    wire row_end   = rows_q == 5'd0;  //% if !image_enable

    assign tail_block = blocks_q == {BLOCK_W{1'b0}};
    assign tail_group = groups_q == {GROUP_W{1'b0}};
    assign last       = col_end && row_end && tail_block;
    assign layer_end  = group_end && tail_group;

    // Full stripes as long as a short one or more remains; else one short stripe, then the rest.
    wire            one_more = left_q[${20 + 5 * types.batch}:LEN_W] == {{(${20 + 5 * types.batch}-LEN_W){1'b0}}, 1'b1};
//% if types.winograd
    wire            short_now = one_more
                    && ({left_q[LEN_W-1:SHORT_W+1], left_q[SHORT_W] && !winograd}
                        == {(LEN_W-SHORT_W){1'b0}});
//% else
    wire            short_now = one_more && (left_q[LEN_W-1:SHORT_W] == {(LEN_W-SHORT_W){1'b0}});
//% end

    assign group_end = left_q[${20 + 5 * types.batch}:LEN_W] == {(${21 + 5 * types.batch}-LEN_W){1'b0}};
    assign length    = group_end ? left_q[LEN_W-1:0]
//% if types.winograd
                                 : {{(LEN_W-SHORT_W-1){!short_now}}, !short_now || winograd,
                                                                     {SHORT_W{1'b1}}};
//% else
                                 : {{(LEN_W-SHORT_W){!short_now}}, {SHORT_W{1'b1}}};
//% end

    wire [${20 + 5 * types.batch}:SHORT_W] stripe = short_now ? {{(${20 + 5 * types.batch}-SHORT_W-1){1'b0}}, winograd, !winograd}  //% if types.winograd
    wire [${20 + 5 * types.batch}:SHORT_W] stripe = short_now ? {{(${20 + 5 * types.batch}-SHORT_W){1'b0}}, 1'b1}  //% if !types.winograd
                                         : {{(${20 + 5 * types.batch}-SHORT_W){1'b0}}, 1'b1} << (LEN_W - SHORT_W);
//% if image_enable

    assign rows = row_end ? rows_q[1:0] : rows_code;

//% end
    wire advance  = valid_q && ready;
    wire next_row = advance && col_end;
    wire next_blk = next_row && row_end;
    wire next_str = next_blk && tail_block;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
        end else begin
            valid_q <= start || (valid_q && !(advance && last && layer_end));
        end
    end

    always @(posedge clk) begin
        if (start || advance) begin
            first_q <= start || last;
        end
        if (start || next_row) begin
            cols_q <= kernel_width;
            x_q    <= 10'd0;
        end else if (advance) begin
            cols_q <= cols_q - 5'd1;
            x_q    <= x_q + column_step;
        end
        if (start || next_blk) begin
            rows_q <= kernel_height;
            y_q    <= 10'd0;
        end else if (next_row) begin
            rows_q <= rows_q + ~{3'd0, rows_code};         // - rows_code - 1  //% if image_enable
            rows_q <= rows_q - 5'd1;  //% if !image_enable
            y_q    <= y_q + row_step;
        end
        if (start || next_str) begin
            blocks_q <= blocks;
            odd_q    <= 1'b0;  //% if types.mix
            entry_q  <= {1'b0, base};
        end else if (next_blk) begin
            blocks_q <= blocks_q - {{(BLOCK_W-1){1'b0}}, 1'b1};
//% if types.mix
            odd_q    <= int8 && !odd_q;
            if (!int8 || odd_q) entry_q <= entry_q + block_step;
//% else
            entry_q  <= entry_q + block_step;
//% end
        end
        if (start || (next_str && group_end)) begin
            left_q <= positions;
        end else if (next_str) begin
            left_q[${20 + 5 * types.batch}:SHORT_W] <= left_q[${20 + 5 * types.batch}:SHORT_W] - stripe;
        end
        if (start) begin
            groups_q <= groups;
        end else if (next_str && group_end) begin
            groups_q <= groups_q - {{(GROUP_W-1){1'b0}}, 1'b1};
        end
    end

endmodule

`default_nettype wire
