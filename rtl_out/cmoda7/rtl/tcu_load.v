// Made by macrame 0.1.0 from templates/tcu/load/tcu_load.v
// with axi_bytes=8 beat_vectors=1 compute_tag_w=15 dram_addr_w=15 load_ahead=64 local_addr_w=12
// local_block_w=5 size_w=12 stride_code0_w=3 stride_code1_w=3 transfer_tag_w=15 vector_w=64

// Vectors from the memory banks to local memory.
//
//   decode2load --> bank 0, bank 1: requests --> tcu_burst --> bank: AR, R, vectors that wait
//               \-> writes ------------------------------------> in order into local memory
//
// Contract: micro-operations of at most 2^5 vectors; writes in their order, requests in the order
// of each bank. Requests run ahead of the writes, as long as all vectors of a micro-operation
// have room in their bank: no bank makes the other one wait at a bus. A request waits for the
// stores that it needs in memory, the writes wait for what must have left local memory before.
// One vector per cycle.
// Reset: nothing in flight, no micro-operation done.
`default_nettype none

module tcu_load (
    input  wire        clk,
    input  wire        rst_n,

    // micro-operations
    input  wire        decode2load_valid,
    output wire        decode2load_ready,
    input  wire        decode2load_bank,
    input  wire [14:0] decode2load_addr, // vectors
    input  wire [2:0] decode2load_stride, // steps of 2^stride vectors
    input  wire [11:0] decode2load_count, // vectors - 1
    input  wire [11:0] decode2load_local,
    input  wire [2:0] decode2load_local_stride,
    input  wire [15:0] decode2load_need_moved, // {valid, number of the other one}
    input  wire [15:0] decode2load_need_read,
    input  wire [15:0] decode2load_need_feed,
    input  wire [15:0] decode2load_need_weights,
    input  wire [15:0] decode2load_need_acked,

    // numbers of micro-operations that are done
    input  wire [14:0] acc2all_moved,
    input  wire [14:0] store2all_read,
    input  wire [14:0] store2all_acked,
    input  wire [14:0] feed2all_done,
    input  wire [14:0] weights2all_done,
    output reg  [14:0] load2all_done, // the vectors can be read

    // registers, hold while load_busy
    input  wire [31:0] decode2all_offset0, // bytes
    input  wire [31:0] decode2all_offset1,
    input  wire [3:0]  decode2all_cache0,
    input  wire [3:0]  decode2all_cache1,

    // local memory
    output reg         load2local_write,
    output reg  [11:0] load2local_addr,
    output reg  [63:0] load2local_data,
    input  wire        local2load_wgrant,

    // memory bank 0
    output wire [5:0]  m_axi_dram0_arid,
    output wire [31:0] m_axi_dram0_araddr,
    output wire [7:0]  m_axi_dram0_arlen,
    output wire [2:0]  m_axi_dram0_arsize,
    output wire [1:0]  m_axi_dram0_arburst,
    output wire        m_axi_dram0_arlock,
    output wire [3:0]  m_axi_dram0_arcache,
    output wire [2:0]  m_axi_dram0_arprot,
    output wire [3:0]  m_axi_dram0_arqos,
    output wire        m_axi_dram0_arvalid,
    input  wire        m_axi_dram0_arready,
    input  wire [5:0]  m_axi_dram0_rid,
    input  wire [63:0] m_axi_dram0_rdata,
    input  wire [1:0]  m_axi_dram0_rresp,
    input  wire        m_axi_dram0_rlast,
    input  wire        m_axi_dram0_rvalid,
    output wire        m_axi_dram0_rready,

    // memory bank 1
    output wire [5:0]  m_axi_dram1_arid,
    output wire [31:0] m_axi_dram1_araddr,
    output wire [7:0]  m_axi_dram1_arlen,
    output wire [2:0]  m_axi_dram1_arsize,
    output wire [1:0]  m_axi_dram1_arburst,
    output wire        m_axi_dram1_arlock,
    output wire [3:0]  m_axi_dram1_arcache,
    output wire [2:0]  m_axi_dram1_arprot,
    output wire [3:0]  m_axi_dram1_arqos,
    output wire        m_axi_dram1_arvalid,
    input  wire        m_axi_dram1_arready,
    input  wire [5:0]  m_axi_dram1_rid,
    input  wire [63:0] m_axi_dram1_rdata,
    input  wire [1:0]  m_axi_dram1_rresp,
    input  wire        m_axi_dram1_rlast,
    input  wire        m_axi_dram1_rvalid,
    output wire        m_axi_dram1_rready,

    output reg         load_busy
);

    localparam ADDR_W    = 15;
    localparam STRIDE_W  = 3;
    localparam COUNT_W   = 12;
    localparam LOCAL_W   = 12;
    localparam LSTRIDE_W = 3;
    localparam VECTOR_W  = 64;
    localparam T         = 15; // bits of the numbers of transfers
    localparam C         = 15; // bits of those of feed and weights
    localparam AHEAD     = 64; // micro-operations
    localparam [T-1:0] ONE = {{(T-1){1'b0}}, 1'b1};
    localparam [COUNT_W-1:0] ONE_LEFT = {{(COUNT_W-1){1'b0}}, 1'b1};

    wire                 take = decode2load_valid && decode2load_ready;
    wire [1:0]           bank_room;
    wire                 write_room;

    assign decode2load_ready = &bank_room && write_room;

    // ------------------------------------------------------------------ requests, banks in turn
    wire [1:0]            request;
    wire [2*ADDR_W-1:0]   request_addr;
    wire [2*STRIDE_W-1:0] request_stride;
    wire [2*COUNT_W-1:0]  request_count;
    wire                  burst_ready;
    reg                   bank_q;     // of the last one
    wire                  bank = request[1] && !(request[0] && bank_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                       bank_q <= 1'b0;
        else if (|request && burst_ready) bank_q <= bank;
    end

    wire        burst_valid;
    wire        burst_bank;
    wire        unused_last;
    wire [7:0]  burst_len;
    wire [31:0] burst_addr;
    wire [1:0]  bank_ready;

    tcu_burst u_burst (
        .clk(clk), .rst_n(rst_n),
        .offset0(decode2all_offset0), .offset1(decode2all_offset1),
        .in_valid(|request), .in_ready(burst_ready), .in_bank(bank),
        .in_addr(bank ? request_addr[ADDR_W +: ADDR_W] : request_addr[0 +: ADDR_W]),
        .in_stride(bank ? request_stride[STRIDE_W +: STRIDE_W] : request_stride[0 +: STRIDE_W]),
        .in_count(bank ? request_count[COUNT_W +: COUNT_W] : request_count[0 +: COUNT_W]),
        .out_valid(burst_valid), .out_ready(burst_bank ? bank_ready[1] : bank_ready[0]),
        .out_bank(burst_bank), .out_last(unused_last),
        .out_len(burst_len), .out_addr(burst_addr)
    );

    // ------------------------------------------------------------------ banks
    wire [1:0]            vector_valid;
    wire [1:0]            vector_ready;
    wire [2*VECTOR_W-1:0] vector;

    tcu_load_bank u_bank0 (
        .clk(clk), .rst_n(rst_n),
        .take(take && decode2load_bank == 1'd0), .take_ready(bank_room[0]),
        .take_addr(decode2load_addr), .take_stride(decode2load_stride),
        .take_count(decode2load_count), .take_need_acked(decode2load_need_acked),
        .store2all_acked(store2all_acked),
        .request(request[0]), .request_ready(burst_ready && bank == 1'd0),
        .request_addr(request_addr[0*ADDR_W +: ADDR_W]),
        .request_stride(request_stride[0*STRIDE_W +: STRIDE_W]),
        .request_count(request_count[0*COUNT_W +: COUNT_W]),
        .burst_valid(burst_valid && burst_bank == 1'd0), .burst_ready(bank_ready[0]),
        .burst_len(burst_len), .burst_addr(burst_addr),
        .vector_valid(vector_valid[0]), .vector_ready(vector_ready[0]),
        .vector_data(vector[0*VECTOR_W +: VECTOR_W]),
        .arvalid(m_axi_dram0_arvalid), .arready(m_axi_dram0_arready),
        .araddr(m_axi_dram0_araddr), .arlen(m_axi_dram0_arlen),
        .rvalid(m_axi_dram0_rvalid), .rready(m_axi_dram0_rready),
        .rlast(m_axi_dram0_rlast), .rdata(m_axi_dram0_rdata)
    );

    reg  [3:0] cache0_q;

    always @(posedge clk) cache0_q <= decode2all_cache0;

    assign m_axi_dram0_arid    = 6'd0;
    assign m_axi_dram0_arsize  = 3'd3;
    assign m_axi_dram0_arburst = 2'd1;        // INCR
    assign m_axi_dram0_arlock  = 1'd0;
    assign m_axi_dram0_arcache = cache0_q;
    assign m_axi_dram0_arprot  = 3'd0;
    assign m_axi_dram0_arqos   = 4'd0;
    wire   unused_answer0 = &{m_axi_dram0_rid, m_axi_dram0_rresp};

    tcu_load_bank u_bank1 (
        .clk(clk), .rst_n(rst_n),
        .take(take && decode2load_bank == 1'd1), .take_ready(bank_room[1]),
        .take_addr(decode2load_addr), .take_stride(decode2load_stride),
        .take_count(decode2load_count), .take_need_acked(decode2load_need_acked),
        .store2all_acked(store2all_acked),
        .request(request[1]), .request_ready(burst_ready && bank == 1'd1),
        .request_addr(request_addr[1*ADDR_W +: ADDR_W]),
        .request_stride(request_stride[1*STRIDE_W +: STRIDE_W]),
        .request_count(request_count[1*COUNT_W +: COUNT_W]),
        .burst_valid(burst_valid && burst_bank == 1'd1), .burst_ready(bank_ready[1]),
        .burst_len(burst_len), .burst_addr(burst_addr),
        .vector_valid(vector_valid[1]), .vector_ready(vector_ready[1]),
        .vector_data(vector[1*VECTOR_W +: VECTOR_W]),
        .arvalid(m_axi_dram1_arvalid), .arready(m_axi_dram1_arready),
        .araddr(m_axi_dram1_araddr), .arlen(m_axi_dram1_arlen),
        .rvalid(m_axi_dram1_rvalid), .rready(m_axi_dram1_rready),
        .rlast(m_axi_dram1_rlast), .rdata(m_axi_dram1_rdata)
    );

    reg  [3:0] cache1_q;

    always @(posedge clk) cache1_q <= decode2all_cache1;

    assign m_axi_dram1_arid    = 6'd0;
    assign m_axi_dram1_arsize  = 3'd3;
    assign m_axi_dram1_arburst = 2'd1;        // INCR
    assign m_axi_dram1_arlock  = 1'd0;
    assign m_axi_dram1_arcache = cache1_q;
    assign m_axi_dram1_arprot  = 3'd0;
    assign m_axi_dram1_arqos   = 4'd0;
    wire   unused_answer1 = &{m_axi_dram1_rid, m_axi_dram1_rresp};

    // ------------------------------------------------------------------ writes: what they wait for
    //   queue -> next: its numbers are looked at, what is done is remembered -> now
    localparam NEED_W = 2*T + 2*C + 4;

    wire                 q_valid;
    wire                 q_bank;
    wire [COUNT_W-1:0]   q_count;
    wire [LOCAL_W-1:0]   q_local;
    wire [LSTRIDE_W-1:0] q_local_stride;
    wire [NEED_W-1:0]    q_need;

    reg                  n_valid_q;
    reg                  n_bank_q;
    reg  [COUNT_W-1:0]   n_count_q;
    reg  [LOCAL_W-1:0]   n_local_q;
    reg  [LSTRIDE_W-1:0] n_local_stride_q;
    reg  [NEED_W-1:0]    n_need_q;
    reg  [3:0]           n_met_q;
    wire                 n_move;
    wire                 n_load = !n_valid_q || n_move;

    fifo_sync #(.W(NEED_W + LSTRIDE_W + LOCAL_W + COUNT_W + 1), .DEPTH(AHEAD)) u_writes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(take), .in_ready(write_room),
        .in_data({decode2load_need_weights, decode2load_need_feed, decode2load_need_read,
                  decode2load_need_moved, decode2load_local_stride, decode2load_local,
                  decode2load_count, decode2load_bank}),
        .out_valid(q_valid), .out_ready(n_load),
        .out_data({q_need, q_local_stride, q_local, q_count, q_bank})
    );

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
            n_bank_q         <= q_bank;
            n_count_q        <= q_count;
            n_local_q        <= q_local;
            n_local_stride_q <= q_local_stride;
            n_need_q         <= q_need;
        end
    end

    // ------------------------------------------------------------------ writes
    reg                w_valid_q;
    reg                w_bank_q;
    reg  [COUNT_W-1:0] w_left_q;      // vectors - 1
    reg  [LOCAL_W-1:0] w_local_q;
    reg  [LOCAL_W-1:0] w_step_q;
    reg                last_q;        // of its micro-operation, beside load2local_write
    wire               granted = load2local_write && local2load_wgrant;
    wire               room    = !load2local_write || local2load_wgrant;
    reg                w_last_q;      // w_left_q is 0
    wire               w_there = w_bank_q ? vector_valid[1] : vector_valid[0];
    wire               w_go    = w_valid_q && w_there && room;

    assign n_move       = n_valid_q && &n_met_q && (!w_valid_q || (w_go && w_last_q));
    assign vector_ready = {w_valid_q && w_bank_q && room, w_valid_q && !w_bank_q && room};

    always @(posedge clk) begin
        if (n_move) begin
            w_bank_q  <= n_bank_q;
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
            load2local_addr <= w_local_q;
            load2local_data <= w_bank_q ? vector[VECTOR_W +: VECTOR_W] : vector[0 +: VECTOR_W];
            last_q          <= w_last_q;
        end
    end

    reg  [T-1:0] taken_q;             // micro-operations

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            n_valid_q        <= 1'b0;
            w_valid_q        <= 1'b0;
            load2local_write <= 1'b0;
            load2all_done    <= {T{1'b0}};
            taken_q          <= {T{1'b0}};
            load_busy        <= 1'b0;
        end else begin
            if (n_load) n_valid_q <= q_valid;
            w_valid_q <= n_move || (w_valid_q && !(w_go && w_last_q));
            if (room) load2local_write <= w_go;
            if (granted && last_q) load2all_done <= load2all_done + ONE;
            if (take) taken_q <= taken_q + ONE;
            load_busy <= take || taken_q != load2all_done;
        end
    end

endmodule

`default_nettype wire
