// Writes of load: a micro-operation waits for what must have left local memory, then it is written.
//
//   queue -> next: its numbers are looked at, what is done is remembered -> now -> local memory
//
// Contract: micro-operations of one bank of memory in order, one vector per cycle.  //% if array_vectors == 2
// Contract: micro-operations of both banks in order, one vector per cycle.  //% if array_vectors != 2
// Reset: empty.
`default_nettype none

module tcu_load_write (
    input  wire        clk,
    input  wire        rst_n,

    // micro-operations
    input  wire        take,
    output wire        take_ready,
    input  wire        take_bank,  //% if array_vectors == 1
    input  wire [${size_w - 1}:0] take_count, // vectors - 1
    input  wire [${local_addr_w - 1}:0] take_local,
    input  wire [${stride_code0_w - 1}:0] take_local_stride,
    input  wire [${transfer_tag_w}:0] take_need_moved, // {valid, number of the other one}
    input  wire [${transfer_tag_w}:0] take_need_read,
    input  wire [${compute_tag_w}:0] take_need_feed,
    input  wire [${compute_tag_w}:0] take_need_weights,
    input  wire [${transfer_tag_w - 1}:0] acc2all_moved,
    input  wire [${transfer_tag_w - 1}:0] store2all_read,
    input  wire [${compute_tag_w - 1}:0] feed2all_done,
    input  wire [${compute_tag_w - 1}:0] weights2all_done,

    // vectors
    output wire        vector_bank,   // that is asked for one  //% if array_vectors == 1
    input  wire        vector_valid,
    output wire        vector_ready,
    input  wire [${vector_w - 1}:0] vector_data,

    // local memory
    output reg         write,
    output reg  [${local_addr_w - 1}:0] addr,
    output reg  [${vector_w - 1}:0] data,
    input  wire        grant,
    output wire        finish         // with the grant of the last vector of a micro-operation
);

    localparam COUNT_W   = ${size_w};
    localparam LOCAL_W   = ${local_addr_w};
    localparam LSTRIDE_W = ${stride_code0_w};
    localparam T         = ${transfer_tag_w}; // bits of the numbers of transfers
    localparam C         = ${compute_tag_w}; // bits of those of feed and weights
    localparam [COUNT_W-1:0] ONE_LEFT = {{(COUNT_W-1){1'b0}}, 1'b1};

    // ------------------------------------------------------------------ what they wait for
    localparam NEED_W = 2*T + 2*C + 4;

    wire                 q_valid;
    wire                 q_bank;  //% if array_vectors == 1
    wire [COUNT_W-1:0]   q_count;
    wire [LOCAL_W-1:0]   q_local;
    wire [LSTRIDE_W-1:0] q_local_stride;
    wire [NEED_W-1:0]    q_need;

    reg                  n_valid_q;
    reg                  n_bank_q;  //% if array_vectors == 1
    reg  [COUNT_W-1:0]   n_count_q;
    reg  [LOCAL_W-1:0]   n_local_q;
    reg  [LSTRIDE_W-1:0] n_local_stride_q;
    reg  [NEED_W-1:0]    n_need_q;
    reg  [3:0]           n_met_q;
    wire                 n_move;
    wire                 n_load = !n_valid_q || n_move;

//% if array_vectors == 1
    fifo_sync #(.W(NEED_W + LSTRIDE_W + LOCAL_W + COUNT_W + 1), .DEPTH(${load_ahead})) u_queue (
        .clk(clk), .rst_n(rst_n),
        .in_valid(take), .in_ready(take_ready),
        .in_data({take_need_weights, take_need_feed, take_need_read, take_need_moved,
                  take_local_stride, take_local, take_count, take_bank}),
        .out_valid(q_valid), .out_ready(n_load),
        .out_data({q_need, q_local_stride, q_local, q_count, q_bank})
    );
//% else
    fifo_sync #(.W(NEED_W + LSTRIDE_W + LOCAL_W + COUNT_W), .DEPTH(${load_ahead})) u_queue (
        .clk(clk), .rst_n(rst_n),
        .in_valid(take), .in_ready(take_ready),
        .in_data({take_need_weights, take_need_feed, take_need_read, take_need_moved,
                  take_local_stride, take_local, take_count}),
        .out_valid(q_valid), .out_ready(n_load),
        .out_data({q_need, q_local_stride, q_local, q_count})
    );
//% end

    wire [NEED_W-1:0] need = n_load ? q_need : n_need_q;
    wire              need_weights, need_feed, need_read, need_moved;
    wire [C-1:0]      weights, feed;
    wire [T-1:0]      read, moved;
    assign {need_weights, weights, need_feed, feed, need_read, read, need_moved, moved} = need;
    wire [C-1:0]      weights_past = weights2all_done - weights;
    wire [C-1:0]      feed_past    = feed2all_done - feed;
    wire [T-1:0]      read_past    = store2all_read - read;
    wire [T-1:0]      moved_past   = acc2all_moved - moved;
    wire [3:0]        met = {!need_weights || !weights_past[C-1], !need_feed || !feed_past[C-1],
                             !need_read || !read_past[T-1], !need_moved || !moved_past[T-1]};

    always @(posedge clk) begin
        n_met_q <= n_load ? met : n_met_q | met;
        if (n_load) begin
            n_bank_q         <= q_bank;  //% if array_vectors == 1
            n_count_q        <= q_count;
            n_local_q        <= q_local;
            n_local_stride_q <= q_local_stride;
            n_need_q         <= q_need;
        end
    end

    // ------------------------------------------------------------------ vectors
    reg                w_valid_q;
    reg                w_bank_q;  //% if array_vectors == 1
    reg  [COUNT_W-1:0] w_left_q;      // vectors - 1
    reg  [LOCAL_W-1:0] w_local_q;
    reg  [LOCAL_W-1:0] w_step_q;
    reg                last_q;        // of its micro-operation, beside write
    wire               room = !write || grant;
    reg                w_last_q;      // w_left_q is 0
    wire               w_go = w_valid_q && vector_valid && room;

    assign n_move       = n_valid_q && &n_met_q && (!w_valid_q || (w_go && w_last_q));
    assign vector_ready = w_valid_q && room;
    assign finish       = write && grant && last_q;
    assign vector_bank  = w_bank_q;  //% if array_vectors == 1

    always @(posedge clk) begin
        if (n_move) begin
            w_bank_q  <= n_bank_q;  //% if array_vectors == 1
            w_left_q  <= n_count_q;
            w_last_q  <= n_count_q == {COUNT_W{1'b0}};
            w_local_q <= n_local_q;
            w_step_q  <= {{(LOCAL_W-1){1'b0}}, 1'b1} << n_local_stride_q;
        end else if (w_go) begin
            w_left_q  <= w_left_q - ONE_LEFT;
            w_last_q  <= w_left_q == ONE_LEFT;
            w_local_q <= w_local_q + w_step_q;
        end
        if (room) begin
            addr   <= w_local_q;
            data   <= vector_data;
            last_q <= w_last_q;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            n_valid_q <= 1'b0;
            w_valid_q <= 1'b0;
            write     <= 1'b0;
        end else begin
            if (n_load) n_valid_q <= q_valid;
            w_valid_q <= n_move || (w_valid_q && !(w_go && w_last_q));
            if (room) write <= w_go;
        end
    end

endmodule

`default_nettype wire
