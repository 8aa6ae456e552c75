// Queue of the micro-operations for array and accumulators: decode runs ahead of them by up to
// ${queue_depth}.
//
//                                  +--> FIFO --> weights    WEIGHTS
//     decode --> FIFO, block RAM --+--> FIFO --> feed       MATMUL, TO_ACC
//                                  +--> FIFO --> join --> acc        all but WEIGHTS  //% if array_vectors == 2
//                                  +--> FIFO --> acc        all but WEIGHTS  //% if array_vectors != 2
//
// One per cycle, in order; one that goes to both feed and acc leaves when both have room, so each
// of the three gets its own in program order. Latency 4 cycles.
//% if array_vectors == 2
// On the way to acc, one cycle longer, MATMULs join whose accumulators follow each other: acc can
// take the last result of one piece and the first of the next together.
//% end
// Reset: empty.
`default_nettype none

module tcu_issue (
    input  wire        clk,
    input  wire        rst_n,
    output wire        issue_busy,
    // Micro-operations from decode
    input  wire        decode2issue_valid,
    output wire        decode2issue_ready,
    input  wire [2:0]  decode2issue_kind,              // see below
    input  wire        decode2issue_zero,              // WEIGHTS, MATMUL: zeros, no local memory
    input  wire        decode2issue_accumulate,        // adds to the accumulators
    input  wire        decode2issue_swap,              // MATMUL: with the weights shifted in last
    input  wire [${local_addr_w-1}:0] decode2issue_local,             // vectors
    input  wire [${stride_code0_w-1}:0]  decode2issue_local_stride,      // step of 2^stride vectors
    input  wire [${acc_addr_w-1}:0] decode2issue_acc,               // SIMD: what is read
    input  wire [${stride_code1_w-1}:0]  decode2issue_acc_stride,
    input  wire [${size_w-1}:0] decode2issue_count,             // vectors - 1
    input  wire [${acc_addr_w-1}:0] decode2issue_simd_write,        // SIMD: where the output goes
    input  wire [${simd_op_w-1}:0]  decode2issue_simd_op,
    input  wire [${simd_code_w-1}:0]  decode2issue_simd_left,         // 0: what is read, else a register
    input  wire [${simd_code_w-1}:0]  decode2issue_simd_right,
    input  wire [${simd_code_w-1}:0]  decode2issue_simd_dest,         // 0: no register
    input  wire        decode2issue_simd_read,
    input  wire        decode2issue_simd_write_en,
    input  wire [${transfer_tag_w}:0] decode2issue_need_load,         // valid, number
    input  wire [${transfer_tag_w}:0] decode2issue_need_b,            // TO_LOCAL: of store, else of moves
    input  wire [${compute_tag_w}:0] decode2issue_need_feed,         // WEIGHTS: the swaps before
    input  wire [${compute_tag_w}:0] decode2issue_need_weights,
    // To weights
    output wire        issue2weights_valid,
    input  wire        issue2weights_ready,
    output wire        issue2weights_zero,
    output wire [${local_addr_w-1}:0] issue2weights_local,
    output wire [${stride_code0_w-1}:0]  issue2weights_local_stride,
    output wire [${size_w-1}:0] issue2weights_count,
    output wire [${transfer_tag_w}:0] issue2weights_need_load,
    output wire [${transfer_tag_w}:0] issue2weights_need_moved,
    output wire [${compute_tag_w-1}:0] issue2weights_swap_number,
    // To feed
    output wire        issue2feed_valid,
    input  wire        issue2feed_ready,
    output wire        issue2feed_matmul,              // else to the accumulators
    output wire        issue2feed_zero,
    output wire        issue2feed_swap,
    output wire [${local_addr_w-1}:0] issue2feed_local,
    output wire [${stride_code0_w-1}:0]  issue2feed_local_stride,
    output wire [${size_w-1}:0] issue2feed_count,
    output wire [${transfer_tag_w}:0] issue2feed_need_load,
    output wire [${transfer_tag_w}:0] issue2feed_need_moved,
    output wire [${compute_tag_w}:0] issue2feed_need_weights,
    // To acc
    output wire        issue2acc_valid,
    input  wire        issue2acc_ready,
    output wire [2:0]  issue2acc_kind,
    output wire        issue2acc_accumulate,
    output wire [${local_addr_w-1}:0] issue2acc_local,
    output wire [${stride_code0_w-1}:0]  issue2acc_local_stride,
    output wire [${acc_addr_w-1}:0] issue2acc_acc,
    output wire [${stride_code1_w-1}:0]  issue2acc_acc_stride,
    output wire [${size_w-1}:0] issue2acc_count,
    output wire [${acc_addr_w-1}:0] issue2acc_simd_write,
    output wire [${simd_op_w-1}:0]  issue2acc_simd_op,
    output wire [${simd_code_w-1}:0]  issue2acc_simd_left,
    output wire [${simd_code_w-1}:0]  issue2acc_simd_right,
    output wire [${simd_code_w-1}:0]  issue2acc_simd_dest,
    output wire        issue2acc_simd_read,
    output wire        issue2acc_simd_write_en,
    output wire [${transfer_tag_w}:0] issue2acc_need_load,
    output wire [${transfer_tag_w}:0] issue2acc_need_read,
    output wire [${compute_tag_w}:0] issue2acc_need_feed,
    output wire [${compute_tag_w}:0] issue2acc_need_weights
);

    // Kinds
    localparam [2:0] WEIGHTS = 3'd0;        // local memory to the rows of the array
    localparam [2:0] MATMUL  = 3'd1;        // local memory through the array to the accumulators
    localparam [2:0] TO_ACC  = 3'd2;        // local memory to the accumulators
    //            TO_LOCAL     3            // accumulators to local memory
    //            SIMD         4            // accumulators to accumulators
    localparam [2:0] TO_LUT  = 3'd7;        // local memory to a lookup table  //% if lut_tables > 0

    localparam DEPTH    = ${queue_depth};
    localparam HELD_W   = $clog2(DEPTH + 3);
    localparam LOCAL_W  = ${local_addr_w + stride_code0_w};                // address, stride
    localparam ACC_W    = ${acc_addr_w + stride_code1_w};
    localparam SIZE_W   = ${size_w};
    localparam SIMD_W   = ${acc_addr_w + simd_op_w + 3 * simd_code_w + 2};
    localparam TAG_W    = ${transfer_tag_w + 1};                 // with its valid bit
    localparam NUMBER_W = ${compute_tag_w + 1};

    // ---------------------------------------------------------------- queue
    localparam NEEDS_W = 2 * TAG_W + 2 * NUMBER_W;  //% if order_blocks > 0
    localparam NEEDS_W = NUMBER_W - 1;      // the number of swaps; no tag is valid  //% if order_blocks <= 0
    localparam QUEUE_W = 6 + LOCAL_W + ACC_W + SIZE_W + SIMD_W + NEEDS_W;

    wire                q_valid;
    wire                q_ready;
    wire [2:0]          q_kind;
    wire                q_zero;
    wire                q_accumulate;
    wire                q_swap;
    wire [LOCAL_W-1:0]  q_local;
    wire [ACC_W-1:0]    q_acc;
    wire [SIZE_W-1:0]   q_count;
    wire [SIMD_W-1:0]   q_simd;
    wire [TAG_W-1:0]    q_need_load;
    wire [TAG_W-1:0]    q_need_b;
    wire [NUMBER_W-1:0] q_need_feed;
    wire [NUMBER_W-1:0] q_need_weights;
    wire [NEEDS_W-1:0]  in_needs;
    wire [NEEDS_W-1:0]  q_needs;

//% if order_blocks > 0
    assign in_needs = {decode2issue_need_load, decode2issue_need_b, decode2issue_need_feed,
                       decode2issue_need_weights};
    assign {q_need_load, q_need_b, q_need_feed, q_need_weights} = q_needs;
//% else
    wire unused_needs = &{decode2issue_need_load, decode2issue_need_b, decode2issue_need_feed,
                          decode2issue_need_weights};

    assign in_needs = decode2issue_need_feed[NUMBER_W-2:0];
    assign {q_need_load, q_need_b, q_need_weights} = {(2*TAG_W+NUMBER_W){1'b0}};
    assign q_need_feed = {1'b0, q_needs};
//% end

    fifo_ram #(.W(QUEUE_W), .DEPTH(DEPTH)) u_queue (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (decode2issue_valid),
        .in_ready  (decode2issue_ready),
        .in_data   ({decode2issue_kind, decode2issue_zero, decode2issue_accumulate,
                     decode2issue_swap, decode2issue_local, decode2issue_local_stride,
                     decode2issue_acc, decode2issue_acc_stride, decode2issue_count,
                     decode2issue_simd_write, decode2issue_simd_op, decode2issue_simd_left,
                     decode2issue_simd_right, decode2issue_simd_dest, decode2issue_simd_read,
                     decode2issue_simd_write_en, in_needs}),
        .out_valid (q_valid),
        .out_ready (q_ready),
        .out_data  ({q_kind, q_zero, q_accumulate, q_swap, q_local, q_acc, q_count, q_simd,
                     q_needs})
    );

    // ---------------------------------------------------------------- distribution
    wire weights_room;
    wire feed_room;
    wire acc_room;
    wire to_weights = q_kind == WEIGHTS;
    wire to_feed    = (q_kind == MATMUL) || (q_kind == TO_ACC) || (q_kind == TO_LUT);  //% if lut_tables > 0
    wire to_feed    = (q_kind == MATMUL) || (q_kind == TO_ACC);  //% if lut_tables <= 0
    wire to_acc     = !to_weights;

    assign q_ready = (!to_weights || weights_room) && (!to_feed || feed_room)
                     && (!to_acc || acc_room);

    fifo_sync #(.W(1 + LOCAL_W + SIZE_W + 2 * TAG_W + NUMBER_W - 1), .DEPTH(${issue_ahead})) u_weights (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (q_valid && q_ready && to_weights),
        .in_ready  (weights_room),
        .in_data   ({q_zero, q_local, q_count, q_need_load, q_need_b,
                     q_need_feed[NUMBER_W-2:0]}),
        .out_valid (issue2weights_valid),
        .out_ready (issue2weights_ready),
        .out_data  ({issue2weights_zero, issue2weights_local, issue2weights_local_stride,
                     issue2weights_count, issue2weights_need_load, issue2weights_need_moved,
                     issue2weights_swap_number})
    );

    fifo_sync #(.W(3 + LOCAL_W + SIZE_W + 2 * TAG_W + NUMBER_W), .DEPTH(${issue_ahead})) u_feed (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (q_valid && q_ready && to_feed),
        .in_ready  (feed_room),
        .in_data   ({q_kind == MATMUL, q_zero, q_swap, q_local, q_count, q_need_load, q_need_b,
                     q_need_weights}),
        .out_valid (issue2feed_valid),
        .out_ready (issue2feed_ready),
        .out_data  ({issue2feed_matmul, issue2feed_zero, issue2feed_swap, issue2feed_local,
                     issue2feed_local_stride, issue2feed_count, issue2feed_need_load,
                     issue2feed_need_moved, issue2feed_need_weights})
    );

    localparam OP_W = 4 + LOCAL_W + ACC_W + SIMD_W + 2 * TAG_W + 2 * NUMBER_W;  // without the count
    wire [OP_W-1:0] q_op = {q_kind, q_accumulate, q_local, q_acc, q_simd, q_need_load, q_need_b,
                            q_need_feed, q_need_weights};
//% if array_vectors == 2
    wire              f_valid;              // the FIFO has one
    wire              f_ready;
    wire [OP_W-1:0]   f_op;
    wire [SIZE_W-1:0] f_count;
//% end

    fifo_sync #(.W(OP_W + SIZE_W), .DEPTH(${issue_ahead})) u_acc (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (q_valid && q_ready && to_acc),
        .in_ready  (acc_room),
        .in_data   ({q_op, q_count}),
//% if array_vectors == 2
        .out_valid (f_valid),
        .out_ready (f_ready),
        .out_data  ({f_op, f_count})
    );

    // While acc has others to do, a MATMUL is not yet offered, and grows by those that continue it.
    localparam A = ${acc_addr_w};
    localparam S = ${stride_code1_w};
    localparam [SIZE_W-1:0] ONE = 1;

    reg               op_valid_q;
    reg               offer_q;
    reg  [OP_W-1:0]   op_q;
    reg  [SIZE_W-1:0] count_q;
    reg  [ACC_W-1:0]  next_q;               // address, stride of the one that would continue it
    wire [2:0]        f_kind       = f_op[OP_W-1 -: 3];
    wire [3:0]        f_how        = f_op[OP_W-1 -: 4];         // and whether it accumulates
    wire [ACC_W-1:0]  f_acc        = f_op[OP_W-5-LOCAL_W -: ACC_W];
    wire [A-1:0]      f_steps      = f_count[A-1:0] + 1'b1;
    wire [A-1:0]      f_next       = f_acc[ACC_W-1:S] + (f_steps << f_acc[S-1:0]);
    wire              matmul       = op_q[OP_W-1 -: 3] == MATMUL;
    wire              joins        = op_valid_q && !offer_q && matmul && f_how == op_q[OP_W-1 -: 4]
                                     && f_acc == next_q && !count_q[SIZE_W-1]
                                     && !f_count[SIZE_W-1];

    assign f_ready = !op_valid_q || (offer_q && issue2acc_ready) || joins;
    assign issue2acc_valid = offer_q;
    assign issue2acc_count = count_q;
    assign {issue2acc_kind, issue2acc_accumulate, issue2acc_local, issue2acc_local_stride,
            issue2acc_acc, issue2acc_acc_stride, issue2acc_simd_write, issue2acc_simd_op,
            issue2acc_simd_left, issue2acc_simd_right, issue2acc_simd_dest, issue2acc_simd_read,
            issue2acc_simd_write_en, issue2acc_need_load, issue2acc_need_read,
            issue2acc_need_feed, issue2acc_need_weights} = op_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            op_valid_q <= 1'b0;
            offer_q    <= 1'b0;
        end else begin
            op_valid_q <= f_valid || (op_valid_q && !(offer_q && issue2acc_ready));
            if (f_ready) offer_q <= f_valid && (f_kind != MATMUL || (issue2acc_ready && !offer_q));
            else         offer_q <= offer_q || f_valid || issue2acc_ready;
        end
    end

    always @(posedge clk) begin
        if (f_ready && f_valid) begin
            next_q  <= {f_next, f_acc[S-1:0]};
            count_q <= joins ? count_q + f_count + ONE : f_count;
            if (!joins) op_q <= f_op;
        end
    end
//% else
        .out_valid (issue2acc_valid),
        .out_ready (issue2acc_ready),
        .out_data  ({issue2acc_kind, issue2acc_accumulate, issue2acc_local,
                     issue2acc_local_stride, issue2acc_acc, issue2acc_acc_stride,
                     issue2acc_simd_write, issue2acc_simd_op, issue2acc_simd_left,
                     issue2acc_simd_right, issue2acc_simd_dest, issue2acc_simd_read,
                     issue2acc_simd_write_en, issue2acc_need_load, issue2acc_need_read,
                     issue2acc_need_feed, issue2acc_need_weights, issue2acc_count})
    );
//% end

    // ---------------------------------------------------------------- busy
    reg  [HELD_W-1:0] held_q;               // micro-operations in the queue
    wire              push = decode2issue_valid && decode2issue_ready;
    wire              pop  = q_valid && q_ready;

//% if array_vectors == 2
    assign issue_busy = (|held_q) || issue2weights_valid || issue2feed_valid || f_valid
                        || op_valid_q;
//% else
    assign issue_busy = (|held_q) || issue2weights_valid || issue2feed_valid || issue2acc_valid;
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) held_q <= {HELD_W{1'b0}};
        else        held_q <= held_q + {{(HELD_W-1){1'b0}}, push} - {{(HELD_W-1){1'b0}}, pop};
    end

endmodule

`default_nettype wire
