// Made by macrame 0.1.0 from templates/tcu/weights/tcu_weights.v
// with array_vectors=1 compute_tag_w=15 local_addr_w=12 size_w=12 stride_code0_w=3
// transfer_tag_w=15 vector_w=64

// Reads rows of weights from local memory, the highest address first, and shifts them into the
// array.
//
//     issue --> skid --> head: waits for its tags --> addresses --> local memory --> row --> array
//
// A micro-operation starts when what it reads has been written and all swaps before it are done.
// One row per cycle, zeros also; those of consecutive micro-operations follow each other without
// gaps. Only local memory holds rows back, while feed reads from the same bank. A row reaches the
// array 3 cycles after its grant and cannot be stalled.
// weights2all_done counts in the cycle after the grant of the last row: a swap that waits for it
// is at the array at least 2 cycles after the row, and what is written over the row is later than
// its read.
// Reset: nothing held, counter 0; the array keeps its rows.
`default_nettype none

module tcu_weights (
    input  wire         clk,
    input  wire         rst_n,
    output wire         weights_busy,
    // Micro-operations
    input  wire         issue2weights_valid,
    output wire         issue2weights_ready,
    input  wire         issue2weights_zero,         // zeros, no local memory
    input  wire [11:0]  issue2weights_local,        // highest address
    input  wire [2:0]   issue2weights_local_stride, // step of 2^stride vectors, down
    input  wire [11:0]  issue2weights_count,        // rows - 1
    input  wire [15:0]  issue2weights_need_load,    // valid, number
    input  wire [15:0]  issue2weights_need_moved,
    input  wire [14:0]  issue2weights_swap_number,  // swaps before it
    // Micro-operations finished
    input  wire [14:0]  load2all_done,
    input  wire [14:0]  acc2all_moved,
    input  wire [14:0]  feed2weights_swaps,
    output wire [14:0]  weights2all_done,
    // Local memory
    output wire         weights2local_read,
    output wire [11:0]  weights2local_addr,
    input  wire         local2weights_grant,
    input  wire         local2weights_valid,        // 2 cycles after the grant
    input  wire [63:0] local2weights_data,
    // Array
    output wire         weights2array_shift,        // cannot stall
    output wire [63:0] weights2array_row
);

    localparam VECTOR_W = 64;
    localparam ADDR_W   = 12;
    localparam STRIDE_W = 3;
    localparam SIZE_W   = 12;
    localparam TAG_W    = 15;
    localparam NUMBER_W = 15;

    // ---------------------------------------------------------------- head
    localparam OP_W = 1 + ADDR_W + STRIDE_W + SIZE_W + 2 * (TAG_W + 1) + NUMBER_W;

    wire                in_valid;
    wire [OP_W-1:0]     in_op;
    wire                in_zero;
    wire [ADDR_W-1:0]   in_local;
    wire [STRIDE_W-1:0] in_stride;
    wire [SIZE_W-1:0]   in_count;
    wire [TAG_W:0]      in_need_load;
    wire [TAG_W:0]      in_need_moved;
    wire [NUMBER_W-1:0] in_swap_number;
    wire                in_ready;

    skid_buffer #(.W(OP_W)) u_skid (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (issue2weights_valid),
        .in_ready  (issue2weights_ready),
        .in_data   ({issue2weights_zero, issue2weights_local, issue2weights_local_stride,
                     issue2weights_count, issue2weights_need_load, issue2weights_need_moved,
                     issue2weights_swap_number}),
        .out_valid (in_valid),
        .out_ready (in_ready),
        .out_data  (in_op)
    );
    assign {in_zero, in_local, in_stride, in_count, in_need_load, in_need_moved,
            in_swap_number} = in_op;

    // Whether the head may start is worked out a cycle ahead. A number is looked at until it is
    // reached: counters that run on do not matter then.
    reg                 head_valid_q;
    reg                 head_zero_q;
    reg  [ADDR_W-1:0]   head_local_q;
    reg  [ADDR_W-1:0]   head_step_q;
    reg  [SIZE_W-1:0]   head_count_q;
    reg  [TAG_W:0]      head_need_load_q;
    reg  [TAG_W:0]      head_need_moved_q;
    reg  [NUMBER_W-1:0] head_swap_number_q;
    reg                 head_ok_q;
    wire                start;
    wire                take = in_valid && in_ready;

    assign in_ready = !head_valid_q || start;

    wire [TAG_W:0]   need_load  = take ? in_need_load : head_need_load_q;
    wire [TAG_W:0]   need_moved = take ? in_need_moved : head_need_moved_q;
    wire [TAG_W-1:0] past_load  = load2all_done - need_load[TAG_W-1:0];
    wire [TAG_W-1:0] past_moved = acc2all_moved - need_moved[TAG_W-1:0];
    wire load_ok  = !need_load[TAG_W] || !past_load[TAG_W-1];
    wire moved_ok = !need_moved[TAG_W] || !past_moved[TAG_W-1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) head_valid_q <= 1'b0;
        else        head_valid_q <= in_valid || (head_valid_q && !start);
    end

    always @(posedge clk) begin
        head_ok_q         <= load_ok && moved_ok;
        head_need_load_q  <= {need_load[TAG_W] && !load_ok, need_load[TAG_W-1:0]};
        head_need_moved_q <= {need_moved[TAG_W] && !moved_ok, need_moved[TAG_W-1:0]};
        if (take) begin
            head_zero_q        <= in_zero;
            head_local_q       <= in_local;
            head_step_q        <= {{(ADDR_W-1){1'b0}}, 1'b1} << in_stride;
            head_count_q       <= in_count;
            head_swap_number_q <= in_swap_number;
        end
    end

    // ---------------------------------------------------------------- addresses
    reg                run_q;               // a row is asked for, or zeros are handed on
    reg                zero_q;
    reg                last_q;
    reg [ADDR_W-1:0]   addr_q;
    reg [ADDR_W-1:0]   step_q;
    reg [SIZE_W-1:0]   left_q;              // rows after this one
    reg                hold_q;              // waits for swaps
    reg [NUMBER_W-1:0] swap_number_q;
    reg [NUMBER_W-1:0] done_q;
    wire               zero_row = run_q && zero_q && !hold_q;
    wire               advance  = zero_row || local2weights_grant;
    wire               finish   = advance && last_q;

    assign start              = head_valid_q && head_ok_q && (!run_q || finish);
    assign weights2local_read = run_q && !zero_q && !hold_q;
    assign weights2local_addr = addr_q;
    assign weights2all_done   = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            run_q  <= 1'b0;
            done_q <= {NUMBER_W{1'b0}};
        end else begin
            run_q <= start || (run_q && !finish);
            if (finish) done_q <= done_q + 1'b1;
        end
    end

    always @(posedge clk) begin
        hold_q <= start ? feed2weights_swaps != head_swap_number_q
                        : hold_q && (feed2weights_swaps != swap_number_q);
        if (start) begin
            zero_q        <= head_zero_q;
            last_q        <= head_count_q == {SIZE_W{1'b0}};
            addr_q        <= head_local_q;
            step_q        <= head_step_q;
            left_q        <= head_count_q;
            swap_number_q <= head_swap_number_q;
        end else if (advance) begin
            last_q <= left_q == {{(SIZE_W-1){1'b0}}, 1'b1};
            addr_q <= addr_q - step_q;
            left_q <= left_q - 1'b1;
        end
    end

    // ---------------------------------------------------------------- rows
    // Zeros wait as long as rows from local memory take.
    reg  [1:0]          zero_row_q;
    reg  [1:0]          way_q;              // a row is read
    reg                 shift_q;
    reg  [VECTOR_W-1:0] row_q;

    assign weights2array_shift = shift_q;
    assign weights2array_row   = row_q;
    assign weights_busy = !issue2weights_ready || head_valid_q || run_q || (|way_q)
                          || (|zero_row_q) || shift_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            zero_row_q <= 2'd0;
            way_q      <= 2'd0;
            shift_q    <= 1'b0;
        end else begin
            zero_row_q <= {zero_row_q[0], zero_row};
            way_q      <= {way_q[0], local2weights_grant};
            shift_q    <= zero_row_q[1] || local2weights_valid;
        end
    end

    always @(posedge clk) row_q <= zero_row_q[1] ? {VECTOR_W{1'b0}} : local2weights_data;

endmodule

`default_nettype wire
