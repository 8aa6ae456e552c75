// Made by macrame 0.1.0 from templates/tcu/load/tcu_load.v
// with array_vectors=1 axi_bytes=8 beat_vectors=1 compute_tag_w=15 dram_addr_w=15 local_addr_w=12
// local_block_w=5 size_w=12 stride_code0_w=3 stride_code1_w=3 transfer_tag_w=15 vector_w=64

// Vectors from the memory banks to local memory.
//
//   decode2load --> bank 0, bank 1: requests --> tcu_burst --> bank: AR, R, vectors that wait
//               \-> writes ------------------------------------> in order into local memory
//
// Contract: micro-operations of at most 2^5 vectors, requests in the order of each bank.
// Requests run ahead of the writes, as long as all vectors of a micro-operation
// have room in their bank: no bank makes the other one wait at a bus. A request waits for the
// stores that it needs in memory, the writes wait for what must have left local memory before.
// Writes in the order of all, one vector per cycle.
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
    output wire        load2local_write,
    output wire [11:0] load2local_addr,
    output wire [63:0] load2local_data,
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

    // to control
    input  wire        control2all_stop, // no new bursts
    output wire        load2control_quiet, // all bursts are answered
    output wire        load2control_fault0, // pulse
    output wire        load2control_decode0, // DECERR
    output wire [31:0] load2control_addr0, // of the burst
    output wire        load2control_fault1, // pulse
    output wire        load2control_decode1, // DECERR
    output wire [31:0] load2control_addr1, // of the burst
    output reg         load_busy
);

    localparam ADDR_W    = 15;
    localparam STRIDE_W  = 3;
    localparam COUNT_W   = 12;
    localparam VECTOR_W  = 64;
    localparam T         = 15; // bits of the numbers of transfers
    localparam [T-1:0] ONE = {{(T-1){1'b0}}, 1'b1};

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
    wire [1:0]            quiet;

    assign load2control_quiet = &quiet;

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
        .rlast(m_axi_dram0_rlast), .rresp(m_axi_dram0_rresp), .rdata(m_axi_dram0_rdata),
        .stop(control2all_stop), .quiet(quiet[0]), .fault(load2control_fault0),
        .fault_decode(load2control_decode0), .fault_addr(load2control_addr0)
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
    wire   unused_answer0 = &{1'b0, m_axi_dram0_rid};

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
        .rlast(m_axi_dram1_rlast), .rresp(m_axi_dram1_rresp), .rdata(m_axi_dram1_rdata),
        .stop(control2all_stop), .quiet(quiet[1]), .fault(load2control_fault1),
        .fault_decode(load2control_decode1), .fault_addr(load2control_addr1)
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
    wire   unused_answer1 = &{1'b0, m_axi_dram1_rid};

    // ------------------------------------------------------------------ writes
    wire bank_now;
    wire now_ready;
    wire done;

    assign vector_ready = {now_ready && bank_now, now_ready && !bank_now};

    tcu_load_write u_write (
        .clk(clk), .rst_n(rst_n),
        .take(take), .take_ready(write_room), .take_bank(decode2load_bank),
        .take_count(decode2load_count), .take_local(decode2load_local),
        .take_local_stride(decode2load_local_stride),
        .take_need_moved(decode2load_need_moved), .take_need_read(decode2load_need_read),
        .take_need_feed(decode2load_need_feed), .take_need_weights(decode2load_need_weights),
        .acc2all_moved(acc2all_moved), .store2all_read(store2all_read),
        .feed2all_done(feed2all_done), .weights2all_done(weights2all_done),
        .vector_bank(bank_now), .vector_valid(bank_now ? vector_valid[1] : vector_valid[0]),
        .vector_ready(now_ready),
        .vector_data(bank_now ? vector[VECTOR_W +: VECTOR_W] : vector[0 +: VECTOR_W]),
        .write(load2local_write), .addr(load2local_addr), .data(load2local_data),
        .grant(local2load_wgrant), .finish(done)
    );

    reg  [T-1:0] taken_q;             // micro-operations

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            load2all_done <= {T{1'b0}};
            taken_q       <= {T{1'b0}};
            load_busy     <= 1'b0;
        end else begin
            if (done) load2all_done <= load2all_done + ONE;
            if (take) taken_q <= taken_q + ONE;
            load_busy <= take || taken_q != load2all_done;
        end
    end

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(63)) a_m_axi_dram0_ar (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram0_arvalid), .ready(m_axi_dram0_arready),
        .payload({m_axi_dram0_arid, m_axi_dram0_araddr, m_axi_dram0_arlen,
                  m_axi_dram0_arsize, m_axi_dram0_arburst, m_axi_dram0_arlock,
                  m_axi_dram0_arcache, m_axi_dram0_arprot, m_axi_dram0_arqos})
    );
    assert_axi_burst #(.BUS_W(64), .LEN_W(8)) a_m_axi_dram0_ar_burst (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram0_arvalid), .addr(m_axi_dram0_araddr[11:0]),
        .len(m_axi_dram0_arlen), .size(m_axi_dram0_arsize), .burst(m_axi_dram0_arburst)
    );
    assert_link #(.W(73)) a_m_axi_dram0_r (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram0_rvalid), .ready(m_axi_dram0_rready),
        .payload({m_axi_dram0_rid, m_axi_dram0_rdata, m_axi_dram0_rresp, m_axi_dram0_rlast})
    );
    assert_link #(.W(63)) a_m_axi_dram1_ar (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram1_arvalid), .ready(m_axi_dram1_arready),
        .payload({m_axi_dram1_arid, m_axi_dram1_araddr, m_axi_dram1_arlen,
                  m_axi_dram1_arsize, m_axi_dram1_arburst, m_axi_dram1_arlock,
                  m_axi_dram1_arcache, m_axi_dram1_arprot, m_axi_dram1_arqos})
    );
    assert_axi_burst #(.BUS_W(64), .LEN_W(8)) a_m_axi_dram1_ar_burst (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram1_arvalid), .addr(m_axi_dram1_araddr[11:0]),
        .len(m_axi_dram1_arlen), .size(m_axi_dram1_arsize), .burst(m_axi_dram1_arburst)
    );
    assert_link #(.W(73)) a_m_axi_dram1_r (
        .clk(clk), .rst_n(rst_n), .valid(m_axi_dram1_rvalid), .ready(m_axi_dram1_rready),
        .payload({m_axi_dram1_rid, m_axi_dram1_rdata, m_axi_dram1_rresp, m_axi_dram1_rlast})
    );
`endif

endmodule

`default_nettype wire
