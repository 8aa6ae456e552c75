// Reads vectors from local memory and hands them to the array (MatMul) or to the accumulators
// (moves), in order.
//
//     issue --> skid --> head: waits for its tags --> addresses --> local memory --+--> array
//                                      places at the accumulators                  +--> acc
//
// A micro-operation starts when what it reads has been written and, with a swap, its weights are
//% if array_vectors == 2
// in the array. Two vectors of a MatMul per cycle, zeros also, when the second lies in the other
// bank of local memory and nobody else reads from there; else one. Micro-operations follow each
// other without gaps.
//% else
// in the array. One vector per cycle, zeros also; micro-operations follow each other without gaps.
//% end
// A vector leaves 3 cycles after its grant and cannot be stalled: one is only asked for when a
// place is free where it or its result ends up.
// Swaps are at least ${swap_cycles} cycles apart.
// feed2all_done counts in the cycle after the grant of the last vector.
// Reset: nothing held, counters 0, all places free.
`default_nettype none

module tcu_feed (
    input  wire         clk,
    input  wire         rst_n,
    output wire         feed_busy,
    // Micro-operations
    input  wire         issue2feed_valid,
    output wire         issue2feed_ready,
    input  wire         issue2feed_matmul,       // to the array, else to the accumulators
    input  wire         issue2feed_zero,         // zeros, no local memory; only to the array
    input  wire         issue2feed_swap,         // first vector with the weights shifted in last
    input  wire [${local_addr_w-1}:0]  issue2feed_local,
    input  wire [${stride_code0_w-1}:0]   issue2feed_local_stride, // step of 2^stride vectors
    input  wire [${size_w-1}:0]  issue2feed_count,        // vectors - 1
    input  wire [${transfer_tag_w}:0]  issue2feed_need_load,    // valid, number
    input  wire [${transfer_tag_w}:0]  issue2feed_need_moved,
    input  wire [${compute_tag_w}:0]  issue2feed_need_weights,
    // Micro-operations finished
    input  wire [${transfer_tag_w-1}:0]  load2all_done,
    input  wire [${transfer_tag_w-1}:0]  acc2all_moved,
    input  wire [${compute_tag_w-1}:0]  weights2all_done,
    output wire [${compute_tag_w-1}:0]  feed2all_done,
    output wire [${compute_tag_w-1}:0]  feed2weights_swaps,      // swaps after which rows may be shifted
    // Local memory
    output wire         feed2local_read,
    output wire [${local_addr_w-1}:0]  feed2local_addr,
    input  wire         local2feed_grant,
    input  wire         local2feed_valid,        // 2 cycles after the grant
    input  wire [${vector_w-1}:0] local2feed_data,
//% if array_vectors == 2
    output wire         feed2local_read1,        // with feed2local_read: the vector after it
    output wire [${local_addr_w-1}:0]  feed2local_addr1,
    input  wire         local2feed_grant1,
    input  wire         local2feed_valid1,
    input  wire [${vector_w-1}:0] local2feed_data1,
//% end
    // Array
    output wire         feed2array_valid,        // cannot stall
    output wire         feed2array_swap,
    output wire [${vector_w-1}:0] feed2array_x,
//% if array_vectors == 2
    output wire         feed2array_valid1,       // with feed2array_valid: the vector after it
    output wire [${vector_w-1}:0] feed2array_x1,
//% end
    // Accumulators
    output wire         feed2acc_valid,          // cannot stall
    output wire [${vector_w-1}:0] feed2acc_data,
    input  wire         acc2feed_taken,          // pulse: a result left its FIFO
    input  wire         acc2feed_taken1,         // with acc2feed_taken: another one  //% if array_vectors == 2
    input  wire         acc2feed_moved           // pulse: a moved vector left its FIFO
);

    localparam VECTOR_W = ${vector_w};
    localparam ADDR_W   = ${local_addr_w};
    localparam STRIDE_W = ${stride_code0_w};
    localparam SIZE_W   = ${size_w};
    localparam TAG_W    = ${transfer_tag_w};
    localparam NUMBER_W = ${compute_tag_w};
//% if array_vectors == 2
    localparam [SIZE_W-1:0] ONE = 1;
    localparam [SIZE_W-1:0] TWO = 2;
//% end

    // ---------------------------------------------------------------- head
    localparam OP_W = 3 + ADDR_W + STRIDE_W + SIZE_W + 2 * (TAG_W + 1) + NUMBER_W + 1;

    wire                in_valid;
    wire [OP_W-1:0]     in_op;
    wire                in_matmul;
    wire                in_zero;
    wire                in_swap;
    wire [ADDR_W-1:0]   in_local;
    wire [STRIDE_W-1:0] in_stride;
    wire [SIZE_W-1:0]   in_count;
    wire [TAG_W:0]      in_need_load;
    wire [TAG_W:0]      in_need_moved;
    wire [NUMBER_W:0]   in_need_weights;
    wire                in_ready;

    skid_buffer #(.W(OP_W)) u_skid (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (issue2feed_valid),
        .in_ready  (issue2feed_ready),
        .in_data   ({issue2feed_matmul, issue2feed_zero, issue2feed_swap, issue2feed_local,
                     issue2feed_local_stride, issue2feed_count, issue2feed_need_load,
                     issue2feed_need_moved, issue2feed_need_weights}),
        .out_valid (in_valid),
        .out_ready (in_ready),
        .out_data  (in_op)
    );
    assign {in_matmul, in_zero, in_swap, in_local, in_stride, in_count, in_need_load,
            in_need_moved, in_need_weights} = in_op;

    // Whether the head may start is worked out a cycle ahead. A number is looked at until it is
    // reached: counters that run on do not matter then.
    reg               head_valid_q;
    reg               head_matmul_q;
    reg               head_zero_q;
    reg               head_swap_q;
    reg  [ADDR_W-1:0] head_local_q;
    reg  [ADDR_W-1:0] head_step_q;
    reg  [SIZE_W-1:0] head_count_q;
    reg  [TAG_W:0]    head_need_load_q;
    reg  [TAG_W:0]    head_need_moved_q;
    reg  [NUMBER_W:0] head_need_weights_q;
    reg               head_ok_q;
    wire              start;
    wire              take = in_valid && in_ready;

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
            head_matmul_q       <= in_matmul;
            head_zero_q         <= in_zero;
            head_swap_q         <= in_swap;
            head_local_q        <= in_local;
            head_step_q         <= {{(ADDR_W-1){1'b0}}, 1'b1} << in_stride;
            head_count_q        <= in_count;
            head_need_weights_q <= in_need_weights;
        end
    end

    // ---------------------------------------------------------------- addresses
    reg                run_q;               // a vector waits for a place and its grant
    reg                matmul_q;
    reg                zero_q;
    reg                swap_q;              // first vector of a micro-operation with a swap
    reg                hold_q;              // it waits for weights or the swap before, see below
    reg                last_q;
    reg [ADDR_W-1:0]   addr_q;
    reg [ADDR_W-1:0]   step_q;
    reg [SIZE_W-1:0]   left_q;              // vectors after this one
    reg [NUMBER_W-1:0] done_q;
    reg                result_place_q;      // free places, see below
    reg                move_place_q;
    wire               place     = matmul_q ? result_place_q : move_place_q;
    wire               zero_go   = run_q && zero_q && result_place_q && !hold_q;
    wire               go        = zero_go || local2feed_grant;
//% if array_vectors == 2
    reg                last1_q;             // the vector after this one is the last
    reg [ADDR_W-1:0]   addr1_q;             // of the vector after this one
    reg                result_place1_q;     // two places
    wire               pair      = matmul_q && !last_q && result_place1_q;
    wire               zero_go1  = zero_go && pair;
    wire               go1       = zero_go1 || local2feed_grant1;
    wire               finish    = go && (last_q || (go1 && last1_q));
//% else
    wire               finish    = go && last_q;
//% end
    wire               swap      = go && swap_q;

    assign start = head_valid_q && head_ok_q && (!run_q || finish);
    assign feed2local_read = run_q && !zero_q && place && !hold_q;
    assign feed2local_addr = addr_q;
//% if array_vectors == 2
    assign feed2local_read1 = feed2local_read && pair;
    assign feed2local_addr1 = addr1_q;
//% end
    assign feed2all_done   = done_q;

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
        if (start) begin
            matmul_q <= head_matmul_q;
            zero_q   <= head_zero_q;
            swap_q   <= head_swap_q;
            last_q   <= head_count_q == {SIZE_W{1'b0}};
            addr_q   <= head_local_q;
            step_q   <= head_step_q;
            left_q   <= head_count_q;
//% if array_vectors == 2
            last1_q  <= head_count_q == ONE;
            addr1_q  <= head_local_q + head_step_q;
        end else if (go1) begin
            swap_q  <= 1'b0;
            last_q  <= left_q == TWO;
            last1_q <= left_q == TWO + ONE;
            addr_q  <= addr1_q + step_q;
            addr1_q <= addr1_q + (step_q << 1);
            left_q  <= left_q - TWO;
        end else if (go) begin
            swap_q  <= 1'b0;
            last_q  <= last1_q;
            last1_q <= left_q == TWO;
            addr_q  <= addr1_q;
            addr1_q <= addr1_q + step_q;
            left_q  <= left_q - ONE;
//% else
        end else if (go) begin
            swap_q <= 1'b0;
            last_q <= left_q == {{(SIZE_W-1){1'b0}}, 1'b1};
            addr_q <= addr_q + step_q;
            left_q <= left_q - 1'b1;
//% end
        end
    end

    // ---------------------------------------------------------------- places
    localparam RESULTS  = ${result_depth};
    localparam RESULT_W = $clog2(RESULTS + 1);
    localparam MOVES    = ${move_depth};
    localparam MOVE_W   = $clog2(MOVES + 1);

    reg  [RESULT_W-1:0] results_q;          // free ones
    reg  [MOVE_W-1:0]   moves_q;
    wire       move_go   = go && !matmul_q;
//% if array_vectors == 2
    wire [1:0] taken     = {acc2feed_taken1, acc2feed_taken && !acc2feed_taken1};
    wire [1:0] result_go = {go1, go && matmul_q && !go1};
    wire [RESULT_W-1:0] results_d = results_q + {{(RESULT_W-2){1'b0}}, taken}
                                    - {{(RESULT_W-2){1'b0}}, result_go};
//% else
    wire       result_go = go && matmul_q;
    wire [RESULT_W-1:0] results_d = results_q + {{(RESULT_W-1){1'b0}}, acc2feed_taken}
                                    - {{(RESULT_W-1){1'b0}}, result_go};
//% end
    wire [MOVE_W-1:0]   moves_d   = moves_q + {{(MOVE_W-1){1'b0}}, acc2feed_moved}
                                    - {{(MOVE_W-1){1'b0}}, move_go};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            results_q      <= RESULTS[RESULT_W-1:0];
            moves_q        <= MOVES[MOVE_W-1:0];
            result_place_q <= 1'b1;
            move_place_q   <= 1'b1;
            result_place1_q <= 1'b1;  //% if array_vectors == 2
        end else begin
            results_q      <= results_d;
            moves_q        <= moves_d;
            result_place_q <= results_d != {RESULT_W{1'b0}};
            move_place_q   <= moves_d != {MOVE_W{1'b0}};
            result_place1_q <= |results_d[RESULT_W-1:1];  //% if array_vectors == 2
        end
    end

    // ---------------------------------------------------------------- swaps
    // The weights of a swap are there when weights2all_done is their last number: it stays at that,
    // as what follows them waits for this swap.
//% if weight_buffers == 3
    // The array keeps what a swap copies: rows may be shifted at once.
//% else
    // The array takes the rows at a swap one per cycle: others may be shifted when it has all.
//% end
    localparam GAP   = ${swap_cycles - 1};                  // from a swap to the one after it, less 1
    localparam GAP_W = $clog2(GAP + 1);
    localparam [GAP_W-1:0] GAP_LAST = 1;

    reg  [NUMBER_W:0]   need_weights_q;
    reg  [GAP_W-1:0]    gap_q;
    reg  [NUMBER_W-1:0] swaps_q;
    wire                gap_end = gap_q == GAP_LAST;
    wire                spaced  = !swap && (gap_end || (gap_q == {GAP_W{1'b0}}));
    wire head_there = !head_need_weights_q[NUMBER_W]
                      || (weights2all_done == head_need_weights_q[NUMBER_W-1:0]);
    wire there      = !need_weights_q[NUMBER_W]
                      || (weights2all_done == need_weights_q[NUMBER_W-1:0]);

    assign feed2weights_swaps = swaps_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            gap_q   <= {GAP_W{1'b0}};
            swaps_q <= {NUMBER_W{1'b0}};
        end else begin
            if (swap)        gap_q <= GAP[GAP_W-1:0];
            else if (|gap_q) gap_q <= gap_q - 1'b1;
            if (swap)        swaps_q <= swaps_q + 1'b1;  //% if weight_buffers == 3
            if (gap_end)     swaps_q <= swaps_q + 1'b1;  //% if weight_buffers != 3
        end
    end

    always @(posedge clk) begin
        hold_q <= start ? head_swap_q && !(head_there && spaced) : hold_q && !(there && spaced);
        if (start) need_weights_q <= head_need_weights_q;
    end

    // ---------------------------------------------------------------- vectors
    // Zeros wait as long as vectors from local memory take.
    reg  [1:0]          zero_way_q;
    reg  [1:0]          swap_way_q;
    reg  [1:0]          matmul_way_q;
    reg  [1:0]          way_q;              // a vector is read
    reg                 array_valid_q;
    reg                 array_swap_q;
    reg                 acc_valid_q;
    reg  [VECTOR_W-1:0] array_x_q;
    reg  [VECTOR_W-1:0] acc_data_q;
//% if array_vectors == 2
    reg  [1:0]          zero_way1_q;
    reg                 array_valid1_q;
    reg  [VECTOR_W-1:0] array_x1_q;
//% end

    assign feed2array_valid = array_valid_q;
    assign feed2array_swap  = array_swap_q;
    assign feed2array_x     = array_x_q;
//% if array_vectors == 2
    assign feed2array_valid1 = array_valid1_q;
    assign feed2array_x1     = array_x1_q;
//% end
    assign feed2acc_valid   = acc_valid_q;
    assign feed2acc_data    = acc_data_q;
    assign feed_busy = !issue2feed_ready || head_valid_q || run_q || (|way_q)
                       || (|zero_way_q) || array_valid_q || acc_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            zero_way_q    <= 2'd0;
            swap_way_q    <= 2'd0;
            way_q         <= 2'd0;
            array_valid_q <= 1'b0;
            array_swap_q  <= 1'b0;
            acc_valid_q   <= 1'b0;
//% if array_vectors == 2
            zero_way1_q    <= 2'd0;
            array_valid1_q <= 1'b0;
//% end
        end else begin
            zero_way_q    <= {zero_way_q[0], zero_go};
            swap_way_q    <= {swap_way_q[0], swap};
            way_q         <= {way_q[0], local2feed_grant};
            array_valid_q <= zero_way_q[1] || (local2feed_valid && matmul_way_q[1]);
            array_swap_q  <= swap_way_q[1];
            acc_valid_q   <= local2feed_valid && !matmul_way_q[1];
//% if array_vectors == 2
            zero_way1_q    <= {zero_way1_q[0], zero_go1};
            array_valid1_q <= zero_way1_q[1] || local2feed_valid1;
//% end
        end
    end

    always @(posedge clk) begin
        matmul_way_q <= {matmul_way_q[0], matmul_q};
        array_x_q    <= zero_way_q[1] ? {VECTOR_W{1'b0}} : local2feed_data;
        acc_data_q   <= local2feed_data;
        array_x1_q   <= zero_way1_q[1] ? {VECTOR_W{1'b0}} : local2feed_data1;  //% if array_vectors == 2
    end

endmodule

`default_nettype wire
