// Steps of a layer for both loaders: dla_csc_sg and a queue to each of them. The data loader and
// the weight loader are not in the same step, and sg depends on neither.
//
// Contract: a step per cycle. Sizes are minus one, distances are not. Reset: no step.
`default_nettype none

module dla_csc_steps (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer, stable from start to the last step
    input  wire                       start,
    input  wire [4:0]                 kernel_width,
    input  wire [4:0]                 kernel_height,
    input  wire [${12 - clog2(atomic_c) + 4 * types.winograd:2}:0]                blocks,         // of ${atomic_c} channels
    input  wire                       int8,           // else elements of 16 bits  //% if types.mix
    input  wire [${12 - clog2(atomic_k) + types.mix:2}:0]                groups,         // of ${atomic_k} kernels${types.mix ? ", half as many of 16 bits" : ""}
    input  wire [${20 + 5 * types.batch}:0]                positions,
    input  wire                       winograd,  //% if types.winograd
    input  wire [9:0]                 column_step,    // dilation
    input  wire [9:0]                 row_step,
    input  wire [${cbuf_addr_w:2}:0]                block_step,     // entries of a block of a line
    input  wire [1:0]                 rows_code,      // kernel rows of a step - 1: 0, 1, 3  //% if image_enable
    input  wire [${cbuf_addr_w - 1:2}:0]                base,           // first entry of line 0

    // step of the data loader
    output wire                       dl_valid,
    input  wire                       dl_take,
    output wire                       dl_first,       // first of its stripe
    output wire                       dl_last,        // last of its stripe
    output wire                       dl_group_end,   // its stripe is the last of the group
    output wire                       dl_layer_end,   // its group is the last, too
    output wire                       dl_tail_block,  // last channel block
    output wire [1:0]                 dl_rows,        // minus one  //% if image_enable
    output wire [${clog2(cacc_depth) - 1:2}:0]                dl_length,      // of the stripe
    output wire [9:0]                 dl_x,           // column times dilation
    output wire [9:0]                 dl_y,           // row times dilation
    output wire                       dl_odd,         // the second block of its entry  //% if types.mix
    output wire [${cbuf_addr_w:2}:0]                dl_entry,       // of the block in line 0, not wrapped

    // step of the weight loader
    output wire                       wl_valid,
    input  wire                       wl_take,
    output wire                       wl_last,
    output wire                       wl_group_end,
    output wire [1:0]                 wl_rows,  //% if image_enable
    output wire                       wl_tail_block,
    output wire                       wl_tail_group   // last kernel group
);

    localparam CBUF_W = ${cbuf_addr_w};
    localparam DL_W = ${6 + clog2(cacc_depth) + 20 + cbuf_addr_w + 2 * image_enable + types.mix};
    localparam WL_W = ${4 + 2 * image_enable};

    wire              step_valid, step_ready, dl_ready, wl_ready;
    wire [DL_W-1:0]   dl_step, dl_next;
    wire [WL_W-1:0]   wl_step, wl_next;
    wire              step_first, step_last, step_group_end, step_layer_end;
    wire              step_tail_block, step_tail_group;
    wire [${clog2(cacc_depth) - 1:2}:0]       step_length;
    wire [9:0]        step_x, step_y;
    wire [CBUF_W:0]   step_entry;
    wire              step_odd;  //% if types.mix
    wire [1:0]        step_rows;  //% if image_enable

    assign step_ready = dl_ready && wl_ready;

    dla_csc_sg u_sg (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (start),
        .kernel_width  (kernel_width),
        .kernel_height (kernel_height),
        .blocks        (blocks),
        .int8          (int8),  //% if types.mix
        .odd_q         (step_odd),  //% if types.mix
        .groups        (groups),
        .positions     (positions),
        .winograd      (winograd),  //% if types.winograd
        .column_step   (column_step),
        .row_step      (row_step),
        .block_step    (block_step),
//% if image_enable
        .rows_code     (rows_code),
        .rows          (step_rows),
//% end
        .base          (base),
        .valid_q       (step_valid),
        .ready         (step_ready),
        .first_q       (step_first),
        .last          (step_last),
        .group_end     (step_group_end),
        .layer_end     (step_layer_end),
        .tail_block    (step_tail_block),
        .tail_group    (step_tail_group),
        .length        (step_length),
        .x_q           (step_x),
        .y_q           (step_y),
        .entry_q       (step_entry)
    );

//% if image_enable
    assign dl_step = {step_rows, step_first, step_last, step_group_end, step_layer_end,
                      step_tail_block, step_length, step_x, step_y, step_entry${types.mix ? ", step_odd" : ""}};
    assign wl_step = {step_rows, step_last, step_group_end, step_tail_block, step_tail_group};
//% else
    assign dl_step = {step_first, step_last, step_group_end, step_layer_end, step_tail_block,
                      step_length, step_x, step_y, step_entry${types.mix ? ", step_odd" : ""}};
    assign wl_step = {step_last, step_group_end, step_tail_block, step_tail_group};
//% end

    fifo_sync #(.W(DL_W), .DEPTH(2)) u_dl_steps (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (step_valid && step_ready),
        .in_ready  (dl_ready),
        .in_data   (dl_step),
        .out_valid (dl_valid),
        .out_ready (dl_take),
        .out_data  (dl_next)
    );

    fifo_sync #(.W(WL_W), .DEPTH(2)) u_wl_steps (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (step_valid && step_ready),
        .in_ready  (wl_ready),
        .in_data   (wl_step),
        .out_valid (wl_valid),
        .out_ready (wl_take),
        .out_data  (wl_next)
    );

//% if image_enable
    assign {dl_rows, dl_first, dl_last, dl_group_end, dl_layer_end, dl_tail_block, dl_length, dl_x,
            dl_y, dl_entry${types.mix ? ", dl_odd" : ""}} = dl_next;
    assign {wl_rows, wl_last, wl_group_end, wl_tail_block, wl_tail_group} = wl_next;
//% else
    assign {dl_first, dl_last, dl_group_end, dl_layer_end, dl_tail_block, dl_length, dl_x, dl_y,
            dl_entry${types.mix ? ", dl_odd" : ""}} = dl_next;
    assign {wl_last, wl_group_end, wl_tail_block, wl_tail_group} = wl_next;
//% end

endmodule

`default_nettype wire
