// Made by macrame 0.1.0 from templates/tcu/issue/tcu_issue.v
// with acc_addr_w=12 array_vectors=1 compute_tag_w=15 issue_ahead=16 local_addr_w=12 lut_tables=0
// order_blocks=256 queue_depth=2048 simd_code_w=1 simd_op_w=4 size_w=12 stride_code0_w=3
// stride_code1_w=3 transfer_tag_w=15

// Queue of the micro-operations for array and accumulators: decode runs ahead of them by up to
// 2048.
//
//                                  +--> FIFO --> weights    WEIGHTS
//     decode --> FIFO, block RAM --+--> FIFO --> feed       MATMUL, TO_ACC
//                                  +--> FIFO --> acc        all but WEIGHTS
//
// One per cycle, in order; one that goes to both feed and acc leaves when both have room, so each
// of the three gets its own in program order. Latency 4 cycles.
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
    input  wire [11:0] decode2issue_local,             // vectors
    input  wire [2:0]  decode2issue_local_stride,      // step of 2^stride vectors
    input  wire [11:0] decode2issue_acc,               // SIMD: what is read
    input  wire [2:0]  decode2issue_acc_stride,
    input  wire [11:0] decode2issue_count,             // vectors - 1
    input  wire [11:0] decode2issue_simd_write,        // SIMD: where the output goes
    input  wire [3:0]  decode2issue_simd_op,
    input  wire [0:0]  decode2issue_simd_left,         // 0: what is read, else a register
    input  wire [0:0]  decode2issue_simd_right,
    input  wire [0:0]  decode2issue_simd_dest,         // 0: no register
    input  wire        decode2issue_simd_read,
    input  wire        decode2issue_simd_write_en,
    input  wire [15:0] decode2issue_need_load,         // valid, number
    input  wire [15:0] decode2issue_need_b,            // TO_LOCAL: of store, else of moves
    input  wire [15:0] decode2issue_need_feed,         // WEIGHTS: the swaps before
    input  wire [15:0] decode2issue_need_weights,
    // To weights
    output wire        issue2weights_valid,
    input  wire        issue2weights_ready,
    output wire        issue2weights_zero,
    output wire [11:0] issue2weights_local,
    output wire [2:0]  issue2weights_local_stride,
    output wire [11:0] issue2weights_count,
    output wire [15:0] issue2weights_need_load,
    output wire [15:0] issue2weights_need_moved,
    output wire [14:0] issue2weights_swap_number,
    // To feed
    output wire        issue2feed_valid,
    input  wire        issue2feed_ready,
    output wire        issue2feed_matmul,              // else to the accumulators
    output wire        issue2feed_zero,
    output wire        issue2feed_swap,
    output wire [11:0] issue2feed_local,
    output wire [2:0]  issue2feed_local_stride,
    output wire [11:0] issue2feed_count,
    output wire [15:0] issue2feed_need_load,
    output wire [15:0] issue2feed_need_moved,
    output wire [15:0] issue2feed_need_weights,
    // To acc
    output wire        issue2acc_valid,
    input  wire        issue2acc_ready,
    output wire [2:0]  issue2acc_kind,
    output wire        issue2acc_accumulate,
    output wire [11:0] issue2acc_local,
    output wire [2:0]  issue2acc_local_stride,
    output wire [11:0] issue2acc_acc,
    output wire [2:0]  issue2acc_acc_stride,
    output wire [11:0] issue2acc_count,
    output wire [11:0] issue2acc_simd_write,
    output wire [3:0]  issue2acc_simd_op,
    output wire [0:0]  issue2acc_simd_left,
    output wire [0:0]  issue2acc_simd_right,
    output wire [0:0]  issue2acc_simd_dest,
    output wire        issue2acc_simd_read,
    output wire        issue2acc_simd_write_en,
    output wire [15:0] issue2acc_need_load,
    output wire [15:0] issue2acc_need_read,
    output wire [15:0] issue2acc_need_feed,
    output wire [15:0] issue2acc_need_weights
);

    // Kinds
    localparam [2:0] WEIGHTS = 3'd0;        // local memory to the rows of the array
    localparam [2:0] MATMUL  = 3'd1;        // local memory through the array to the accumulators
    localparam [2:0] TO_ACC  = 3'd2;        // local memory to the accumulators
    //            TO_LOCAL     3            // accumulators to local memory
    //            SIMD         4            // accumulators to accumulators

    localparam DEPTH    = 2048;
    localparam HELD_W   = $clog2(DEPTH + 3);
    localparam LOCAL_W  = 15;                // address, stride
    localparam ACC_W    = 15;
    localparam SIZE_W   = 12;
    localparam SIMD_W   = 21;
    localparam TAG_W    = 16;                 // with its valid bit
    localparam NUMBER_W = 16;

    // ---------------------------------------------------------------- queue
    localparam NEEDS_W = 2 * TAG_W + 2 * NUMBER_W;
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

    assign in_needs = {decode2issue_need_load, decode2issue_need_b, decode2issue_need_feed,
                       decode2issue_need_weights};
    assign {q_need_load, q_need_b, q_need_feed, q_need_weights} = q_needs;

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
    wire to_feed    = (q_kind == MATMUL) || (q_kind == TO_ACC);
    wire to_acc     = !to_weights;

    assign q_ready = (!to_weights || weights_room) && (!to_feed || feed_room)
                     && (!to_acc || acc_room);

    fifo_sync #(.W(1 + LOCAL_W + SIZE_W + 2 * TAG_W + NUMBER_W - 1), .DEPTH(16)) u_weights (
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

    fifo_sync #(.W(3 + LOCAL_W + SIZE_W + 2 * TAG_W + NUMBER_W), .DEPTH(16)) u_feed (
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

    fifo_sync #(.W(OP_W + SIZE_W), .DEPTH(16)) u_acc (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (q_valid && q_ready && to_acc),
        .in_ready  (acc_room),
        .in_data   ({q_op, q_count}),
        .out_valid (issue2acc_valid),
        .out_ready (issue2acc_ready),
        .out_data  ({issue2acc_kind, issue2acc_accumulate, issue2acc_local,
                     issue2acc_local_stride, issue2acc_acc, issue2acc_acc_stride,
                     issue2acc_simd_write, issue2acc_simd_op, issue2acc_simd_left,
                     issue2acc_simd_right, issue2acc_simd_dest, issue2acc_simd_read,
                     issue2acc_simd_write_en, issue2acc_need_load, issue2acc_need_read,
                     issue2acc_need_feed, issue2acc_need_weights, issue2acc_count})
    );

    // ---------------------------------------------------------------- busy
    reg  [HELD_W-1:0] held_q;               // micro-operations in the queue
    wire              push = decode2issue_valid && decode2issue_ready;
    wire              pop  = q_valid && q_ready;

    assign issue_busy = (|held_q) || issue2weights_valid || issue2feed_valid || issue2acc_valid;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) held_q <= {HELD_W{1'b0}};
        else        held_q <= held_q + {{(HELD_W-1){1'b0}}, push} - {{(HELD_W-1){1'b0}}, pop};
    end

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(75)) a_issue2weights (
        .clk(clk), .rst_n(rst_n), .valid(issue2weights_valid), .ready(issue2weights_ready),
        .payload({issue2weights_zero, issue2weights_local, issue2weights_local_stride,
                  issue2weights_count, issue2weights_need_load, issue2weights_need_moved,
                  issue2weights_swap_number})
    );
    assert_link #(.W(78)) a_issue2feed (
        .clk(clk), .rst_n(rst_n), .valid(issue2feed_valid), .ready(issue2feed_ready),
        .payload({issue2feed_matmul, issue2feed_zero, issue2feed_swap, issue2feed_local,
                  issue2feed_local_stride, issue2feed_count, issue2feed_need_load,
                  issue2feed_need_moved, issue2feed_need_weights})
    );
    assert_link #(.W(131)) a_issue2acc (
        .clk(clk), .rst_n(rst_n), .valid(issue2acc_valid), .ready(issue2acc_ready),
        .payload({issue2acc_kind, issue2acc_accumulate, issue2acc_local,
                  issue2acc_local_stride, issue2acc_acc, issue2acc_acc_stride,
                  issue2acc_count, issue2acc_simd_write, issue2acc_simd_op,
                  issue2acc_simd_left, issue2acc_simd_right, issue2acc_simd_dest,
                  issue2acc_simd_read, issue2acc_simd_write_en, issue2acc_need_load,
                  issue2acc_need_read, issue2acc_need_feed, issue2acc_need_weights})
    );
`endif

endmodule

`default_nettype wire
