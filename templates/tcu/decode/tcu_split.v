// Split: divides instructions into pieces that stay within one block of memory.
//
// A piece touches one block of ${1 << local_block_w} vectors of local memory and, if its vectors in DRAM follow each
// other, one block of ${1 << dram_block_w} vectors there. Instructions with `whole` do not touch local memory and are
// one piece. Vectors are numbered in their order; those of LoadWeights (`down`) go from the last
// address down.
// Latency: 5 cycles to the first piece. Throughput: a piece per cycle. Reset: empty.
`default_nettype none

module tcu_split (
    input  wire        clk,
    input  wire        rst_n,

    // instructions
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [${info_w - 1}:0] in_info,      // goes with all pieces
    input  wire        in_whole,
    input  wire        in_down,
    input  wire        in_follow,    // vectors follow each other in DRAM
    input  wire [${local_w - 1}:0] in_local,     // the lowest address
    input  wire [${stride_code0_w - 1}:0] in_stride0,
    input  wire [${other_w - 1}:0] in_other,     // of accumulators or DRAM
    input  wire [${stride_code1_w - 1}:0] in_stride1,
    input  wire [${size_w - 1}:0] in_count,     // vectors - 1

    // pieces
    output wire        piece_valid,
    input  wire        piece_ready,
    output wire [${info_w - 1}:0] piece_info,
    output wire        piece_follow,
    output wire [${local_w - 1}:0] piece_local,  // of the first vector
    output wire [${stride_code0_w - 1}:0] piece_stride0,
    output wire [${other_w - 1}:0] piece_other,
    output wire [${stride_code1_w - 1}:0] piece_stride1,
    output wire [${size_w - 1}:0] piece_count,  // vectors - 1
    output wire        piece_first,  // of an instruction
    output wire [${other_w - dram_block_w - 1}:0] piece_high, // block of DRAM: none is above

    output wire        split_busy
);

    localparam INFO_W    = ${info_w};
    localparam LOCAL_W   = ${local_w};
    localparam OTHER_W   = ${other_w};
    localparam COUNT_W   = ${size_w};
    localparam STRIDE0_W = ${stride_code0_w};
    localparam STRIDE1_W = ${stride_code1_w};
    localparam BLOCK_W   = ${local_block_w};
    localparam DRAM_W    = ${dram_block_w};
    localparam GIVEN_W   = INFO_W + STRIDE0_W + STRIDE1_W + 1;

    // Steps within a block of local memory: the number of the first one, and of the last one.
    reg                 p_valid_q;
    reg  [GIVEN_W-1:0]  p_given_q;    // what does not change
    reg                 p_whole_q;
    reg                 p_down_q;
    reg  [LOCAL_W-1:0]  p_local_q;
    reg  [OTHER_W-1:0]  p_other_q;
    reg  [COUNT_W-1:0]  p_count_q;
    reg  [BLOCK_W-1:0]  p_first_q;
    reg  [BLOCK_W-1:0]  p_last_q;
    wire                p_ready;

    assign in_ready = !p_valid_q || p_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)        p_valid_q <= 1'b0;
        else if (in_ready) p_valid_q <= in_valid;
    end

    always @(posedge clk) begin
        if (in_ready) begin
            p_given_q <= {in_info, in_stride0, in_stride1, in_follow};
            p_whole_q <= in_whole;
            p_down_q  <= in_down;
            p_local_q <= in_local;
            p_other_q <= in_other;
            p_count_q <= in_count;
            p_first_q <= in_local[BLOCK_W-1:0] >> in_stride0;
            p_last_q  <= {BLOCK_W{1'b1}} >> in_stride0;
        end
    end

    // Pieces within blocks of local memory: as many vectors as there are, or as fit (`room`).
    reg                 l_valid_q;
    reg  [GIVEN_W-1:0]  l_given_q;
    reg                 l_down_q;
    reg  [LOCAL_W-1:0]  l_local_q;
    reg  [OTHER_W-1:0]  l_other_q;
    reg  [BLOCK_W-1:0]  l_steps_q;    // of a whole block, - 1
    reg  [COUNT_W-1:0]  l_index_q;    // vectors before this piece
    reg  [COUNT_W-1:0]  l_rest_q;     // vectors from it on, - 1
    reg  [COUNT_W-1:0]  l_room_q;     // vectors that fit, - 1
    wire                l_ready;
    wire [BLOCK_W-1:0]  p_room = (p_down_q ? p_first_q + p_count_q[BLOCK_W-1:0] : ~p_first_q) &
                                 p_last_q;
    wire [COUNT_W:0]    l_behind = {1'b0, l_rest_q} - {1'b0, l_room_q} - 1'b1;
    wire                l_end  = l_behind[COUNT_W];
    wire                l_move = l_valid_q && l_ready;

    assign p_ready = !l_valid_q || (l_move && l_end);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       l_valid_q <= 1'b0;
        else if (p_ready) l_valid_q <= p_valid_q;
    end

    always @(posedge clk) begin
        if (p_ready) begin
            l_given_q <= p_given_q;
            l_down_q  <= p_down_q;
            l_local_q <= p_local_q;
            l_other_q <= p_other_q;
            l_steps_q <= p_last_q;
            l_index_q <= {COUNT_W{1'b0}};
            l_rest_q  <= p_count_q;
            l_room_q  <= p_whole_q ? {COUNT_W{1'b1}} : ${fit("p_room", local_block_w, size_w)};
        end else if (l_move) begin
            l_index_q <= l_index_q + l_room_q + 1'b1;
            l_rest_q  <= l_behind[COUNT_W-1:0];
            l_room_q  <= ${fit("l_steps_q", local_block_w, size_w)};
        end
    end

    // Their addresses, in two steps.
    reg                 a_valid_q;
    reg  [GIVEN_W-1:0]  a_given_q;
    reg  [LOCAL_W-1:0]  a_local_q;
    reg  [LOCAL_W-1:0]  a_ahead0_q;
    reg  [OTHER_W-1:0]  a_other_q;
    reg  [OTHER_W-1:0]  a_ahead1_q;
    reg  [COUNT_W-1:0]  a_count_q;
    reg                 a_first_q;
    wire                a_ready;
    wire [INFO_W-1:0]   l_info;
    wire [STRIDE0_W-1:0] l_stride0;
    wire [STRIDE1_W-1:0] l_stride1;
    wire                l_follow;
    wire [COUNT_W-1:0]  l_index0 = l_down_q ? l_rest_q : l_index_q;

    assign {l_info, l_stride0, l_stride1, l_follow} = l_given_q;
    assign l_ready = !a_valid_q || a_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       a_valid_q <= 1'b0;
        else if (l_ready) a_valid_q <= l_valid_q;
    end

    always @(posedge clk) begin
        if (l_ready) begin
            a_given_q  <= {l_info, l_stride0, l_stride1, l_follow};
            a_local_q  <= l_local_q;
            a_ahead0_q <= ${fit("l_index0", size_w, local_w)} << l_stride0;
            a_other_q  <= l_other_q;
            a_ahead1_q <= ${fit("l_index_q", size_w, other_w)} << l_stride1;
            a_count_q  <= l_end ? l_rest_q : l_room_q;
            a_first_q  <= l_index_q == {COUNT_W{1'b0}};
        end
    end

    wire                b_valid;
    wire                b_ready;
    wire [GIVEN_W-1:0]  b_given;
    wire [LOCAL_W-1:0]  b_local;
    wire [OTHER_W-1:0]  b_other;
    wire [COUNT_W-1:0]  b_count;
    wire                b_first;
    wire [LOCAL_W-1:0]  a_local = a_local_q + a_ahead0_q;
    wire [OTHER_W-1:0]  a_other = a_other_q + a_ahead1_q;
    wire [OTHER_W-1:0]  b_last = b_other + (${fit("b_count", size_w, other_w)} << b_given[STRIDE1_W:1]);
    wire unused_last = &{1'b0, b_last[DRAM_W-1:0]};

    fifo_sync #(.W(GIVEN_W + LOCAL_W + OTHER_W + COUNT_W + 1), .DEPTH(2)) u_piece (
        .clk(clk), .rst_n(rst_n),
        .in_valid(a_valid_q), .in_ready(a_ready),
        .in_data({a_given_q, a_local, a_other, a_count_q, a_first_q}),
        .out_valid(b_valid), .out_ready(b_ready),
        .out_data({b_given, b_local, b_other, b_count, b_first})
    );

    // Pieces of these within blocks of DRAM.
    reg                 d_valid_q;
    reg  [GIVEN_W-1:0]  d_given_q;
    reg  [LOCAL_W-1:0]  d_local_q;
    reg  [OTHER_W-1:0]  d_other_q;
    reg  [COUNT_W-1:0]  d_count_q;
    reg                 d_first_q;
    reg  [OTHER_W-DRAM_W-1:0] d_high_q; // before this cut
    wire [DRAM_W-1:0]   d_room = ~d_other_q[DRAM_W-1:0];
    wire                d_end  = !piece_follow || ${fit("d_count_q", size_w, max(size_w, dram_block_w))} <= ${fit("d_room", dram_block_w, max(size_w, dram_block_w))};
    wire                d_move = d_valid_q && piece_ready;
    wire [BLOCK_W-1:0]  d_ahead = (${fit("d_room", dram_block_w, local_block_w)} + 1'b1) << piece_stride0;

    assign b_ready = !d_valid_q || (d_move && d_end);
    assign {piece_info, piece_stride0, piece_stride1, piece_follow} = d_given_q;
    assign piece_valid = d_valid_q;
    assign piece_local = d_local_q;
    assign piece_other = d_other_q;
    assign piece_high  = d_high_q;
    assign piece_first = d_first_q;
    assign piece_count = d_end ? d_count_q : ${fit("d_room", dram_block_w, size_w)};
    assign split_busy  = p_valid_q || l_valid_q || a_valid_q || b_valid || d_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       d_valid_q <= 1'b0;
        else if (b_ready) d_valid_q <= b_valid;
    end

    always @(posedge clk) begin
        if (b_ready) begin
            d_given_q <= b_given;
            d_local_q <= b_local;
            d_other_q <= b_other;
            d_count_q <= b_count;
            d_first_q <= b_first;
            d_high_q  <= b_last[OTHER_W-1:DRAM_W];
        end else if (d_move) begin
            d_local_q[BLOCK_W-1:0] <= d_local_q[BLOCK_W-1:0] + d_ahead;
            d_other_q <= {d_other_q[OTHER_W-1:DRAM_W] + 1'b1, {DRAM_W{1'b0}}};
            d_count_q <= d_count_q - ${fit("d_room", dram_block_w, size_w)} - 1'b1;
            d_first_q <= 1'b0;
        end
    end

endmodule

`default_nettype wire
