// Vectors from the memory banks to local memory.
//
//   decode2load --> bank 0, bank 1: requests --> tcu_burst --> bank: AR, R, vectors that wait
//               \-> writes ------------------------------------> in order into local memory
//
// Contract: micro-operations of at most 2^${local_block_w} vectors, requests in the order of each bank.
// Requests run ahead of the writes, as long as all vectors of a micro-operation
// have room in their bank: no bank makes the other one wait at a bus. A request waits for the
// stores that it needs in memory, the writes wait for what must have left local memory before.
//% if array_vectors == 2
// A vector per cycle from each bank, in the order of the bank; who writes what an older one of
// the other bank writes waits for it. load2all_done counts in the order of all.
//% else
// Writes in the order of all, one vector per cycle.
//% end
// Reset: nothing in flight, no micro-operation done.
`default_nettype none

module tcu_load (
    input  wire        clk,
    input  wire        rst_n,

    // micro-operations
    input  wire        decode2load_valid,
    output wire        decode2load_ready,
    input  wire        decode2load_bank,
    input  wire [${dram_addr_w - 1}:0] decode2load_addr, // vectors
    input  wire [${stride_code1_w - 1}:0] decode2load_stride, // steps of 2^stride vectors
    input  wire [${size_w - 1}:0] decode2load_count, // vectors - 1
    input  wire [${local_addr_w - 1}:0] decode2load_local,
    input  wire [${stride_code0_w - 1}:0] decode2load_local_stride,
    input  wire [${transfer_tag_w}:0] decode2load_need_moved, // {valid, number of the other one}
    input  wire [${transfer_tag_w}:0] decode2load_need_read,
    input  wire [${compute_tag_w}:0] decode2load_need_feed,
    input  wire [${compute_tag_w}:0] decode2load_need_weights,
    input  wire [${transfer_tag_w}:0] decode2load_need_acked,

    // numbers of micro-operations that are done
    input  wire [${transfer_tag_w - 1}:0] acc2all_moved,
    input  wire [${transfer_tag_w - 1}:0] store2all_read,
    input  wire [${transfer_tag_w - 1}:0] store2all_acked,
    input  wire [${compute_tag_w - 1}:0] feed2all_done,
    input  wire [${compute_tag_w - 1}:0] weights2all_done,
    output reg  [${transfer_tag_w - 1}:0] load2all_done, // the vectors can be read

    // registers, hold while load_busy
    input  wire [31:0] decode2all_offset0, // bytes
    input  wire [31:0] decode2all_offset1,
    input  wire [3:0]  decode2all_cache0,
    input  wire [3:0]  decode2all_cache1,

    // local memory
//% if array_vectors == 2
//% for i in range(2)
    output wire        load2local_write${i}, // of bank ${i}
    output wire [${local_addr_w - 1}:0] load2local_addr${i},
    output wire [${vector_w - 1}:0] load2local_data${i},
    input  wire        local2load_wgrant${i},
//% end
//% else
    output wire        load2local_write,
    output wire [${local_addr_w - 1}:0] load2local_addr,
    output wire [${vector_w - 1}:0] load2local_data,
    input  wire        local2load_wgrant,
//% end

//% for i in range(2)
    // memory bank ${i}
    output wire [5:0]  m_axi_dram${i}_arid,
    output wire [31:0] m_axi_dram${i}_araddr,
    output wire [7:0]  m_axi_dram${i}_arlen,
    output wire [2:0]  m_axi_dram${i}_arsize,
    output wire [1:0]  m_axi_dram${i}_arburst,
    output wire        m_axi_dram${i}_arlock,
    output wire [3:0]  m_axi_dram${i}_arcache,
    output wire [2:0]  m_axi_dram${i}_arprot,
    output wire [3:0]  m_axi_dram${i}_arqos,
    output wire        m_axi_dram${i}_arvalid,
    input  wire        m_axi_dram${i}_arready,
    input  wire [5:0]  m_axi_dram${i}_rid,
    input  wire [${8 * axi_bytes - 1}:0] m_axi_dram${i}_rdata,
    input  wire [1:0]  m_axi_dram${i}_rresp,
    input  wire        m_axi_dram${i}_rlast,
    input  wire        m_axi_dram${i}_rvalid,
    output wire        m_axi_dram${i}_rready,

//% end
    // to control
    input  wire        control2all_stop, // no new bursts
    output wire        load2control_quiet, // all bursts are answered
//% for i in range(2)
    output wire        load2control_fault${i}, // pulse
    output wire        load2control_decode${i}, // DECERR
    output wire [31:0] load2control_addr${i}, // of the burst
//% end
    output reg         load_busy
);

    localparam ADDR_W    = ${dram_addr_w};
    localparam STRIDE_W  = ${stride_code1_w};
    localparam COUNT_W   = ${size_w};
//% if array_vectors == 2
    localparam LOCAL_W   = ${local_addr_w};
    localparam LSTRIDE_W = ${stride_code0_w};
//% end
    localparam VECTOR_W  = ${vector_w};
    localparam T         = ${transfer_tag_w}; // bits of the numbers of transfers
//% if array_vectors == 2
    localparam C         = ${compute_tag_w}; // bits of those of feed and weights
    localparam AHEAD     = ${load_ahead}; // micro-operations
//% end
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
//% if beat_vectors > 1
    wire [${clog2(beat_vectors) - 1}:0] burst_first;
    wire [${clog2(beat_vectors) - 1}:0] burst_final;
//% end
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
        .out_first(burst_first), .out_final(burst_final),  //% if beat_vectors > 1
        .out_len(burst_len), .out_addr(burst_addr)
    );

    // ------------------------------------------------------------------ banks
    wire [1:0]            vector_valid;
    wire [1:0]            vector_ready;
    wire [2*VECTOR_W-1:0] vector;
    wire [1:0]            quiet;

    assign load2control_quiet = &quiet;

//% for i in range(2)
    tcu_load_bank u_bank${i} (
        .clk(clk), .rst_n(rst_n),
        .take(take && decode2load_bank == 1'd${i}), .take_ready(bank_room[${i}]),
        .take_addr(decode2load_addr), .take_stride(decode2load_stride),
        .take_count(decode2load_count), .take_need_acked(decode2load_need_acked),
        .store2all_acked(store2all_acked),
        .request(request[${i}]), .request_ready(burst_ready && bank == 1'd${i}),
        .request_addr(request_addr[${i}*ADDR_W +: ADDR_W]),
        .request_stride(request_stride[${i}*STRIDE_W +: STRIDE_W]),
        .request_count(request_count[${i}*COUNT_W +: COUNT_W]),
        .burst_valid(burst_valid && burst_bank == 1'd${i}), .burst_ready(bank_ready[${i}]),
        .burst_first(burst_first), .burst_final(burst_final),  //% if beat_vectors > 1
        .burst_len(burst_len), .burst_addr(burst_addr),
        .vector_valid(vector_valid[${i}]), .vector_ready(vector_ready[${i}]),
        .vector_data(vector[${i}*VECTOR_W +: VECTOR_W]),
        .arvalid(m_axi_dram${i}_arvalid), .arready(m_axi_dram${i}_arready),
        .araddr(m_axi_dram${i}_araddr), .arlen(m_axi_dram${i}_arlen),
        .rvalid(m_axi_dram${i}_rvalid), .rready(m_axi_dram${i}_rready),
        .rlast(m_axi_dram${i}_rlast), .rresp(m_axi_dram${i}_rresp), .rdata(m_axi_dram${i}_rdata),
        .stop(control2all_stop), .quiet(quiet[${i}]), .fault(load2control_fault${i}),
        .fault_decode(load2control_decode${i}), .fault_addr(load2control_addr${i})
    );

    reg  [3:0] cache${i}_q;

    always @(posedge clk) cache${i}_q <= decode2all_cache${i};

    assign m_axi_dram${i}_arid    = 6'd0;
    assign m_axi_dram${i}_arsize  = 3'd${clog2(axi_bytes)};
    assign m_axi_dram${i}_arburst = 2'd1;        // INCR
    assign m_axi_dram${i}_arlock  = 1'd0;
    assign m_axi_dram${i}_arcache = cache${i}_q;
    assign m_axi_dram${i}_arprot  = 3'd0;
    assign m_axi_dram${i}_arqos   = 4'd0;
    wire   unused_answer${i} = &{1'b0, m_axi_dram${i}_rid};

//% end
//% if array_vectors == 2
    // ------------------------------------------------------------------ writes, both banks at once
    //   What older micro-operations of a bank still write lies between low and high: one of the
    //   other bank that writes there, too, waits here until they are finished.
    localparam PENDING_W = $clog2(2 * AHEAD);

    reg                  x_valid_q;
    reg                  x_bank_q;
    reg  [COUNT_W-1:0]   x_count_q;
    reg  [LOCAL_W-1:0]   x_local_q;
    reg  [LOCAL_W-1:0]   x_high_q;    // its last vector
    reg  [LSTRIDE_W-1:0] x_local_stride_q;
    reg  [2*T+2*C+3:0]   x_need_q;
    wire [T:0]           x_moved, x_read;
    wire [C:0]           x_feed, x_weights;
    wire [LOCAL_W-1:0]   last = ${size_w == local_addr_w ? "decode2load_count" : field("decode2load_count", 0, size_w, local_addr_w)};
    wire [1:0]           x_ready;
    wire                 order_ready;
    wire [1:0]           x_free;      // a micro-operation of this bank may go
    wire                 x_go = x_valid_q && order_ready &&
                                (x_bank_q ? x_ready[1] && x_free[1] : x_ready[0] && x_free[0]);
    wire [1:0]           finish;

    assign write_room = !x_valid_q;
    assign {x_weights, x_feed, x_read, x_moved} = x_need_q;

    always @(posedge clk) begin
        if (write_room) begin
            x_bank_q         <= decode2load_bank;
            x_count_q        <= decode2load_count;
            x_local_q        <= decode2load_local;
            x_local_stride_q <= decode2load_local_stride;
            x_high_q         <= decode2load_local + (last << decode2load_local_stride);
            x_need_q         <= {decode2load_need_weights, decode2load_need_feed,
                                 decode2load_need_read, decode2load_need_moved};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)          x_valid_q <= 1'b0;
        else if (write_room) x_valid_q <= take;
        else                 x_valid_q <= !x_go;
    end

//% for i in range(2)
    reg  [PENDING_W-1:0] pending${i}_q;
    reg  [LOCAL_W-1:0]   low${i}_q;
    reg  [LOCAL_W-1:0]   high${i}_q;
    reg  [PENDING_W-1:0] got${i}_q;   // finished before older ones of the other bank
    wire                 x_go${i} = x_go && x_bank_q == 1'd${i};
    wire                 first${i} = pending${i}_q == {PENDING_W{1'b0}};

    assign x_free[${1 - i}] = first${i} || x_high_q < low${i}_q || x_local_q > high${i}_q;

    always @(posedge clk) begin
        if (x_go${i} && (first${i} || x_local_q < low${i}_q)) low${i}_q  <= x_local_q;
        if (x_go${i} && (first${i} || x_high_q > high${i}_q)) high${i}_q <= x_high_q;
    end

    tcu_load_write u_write${i} (
        .clk(clk), .rst_n(rst_n),
        .take(x_go${i}), .take_ready(x_ready[${i}]),
        .take_count(x_count_q), .take_local(x_local_q), .take_local_stride(x_local_stride_q),
        .take_need_moved(x_moved), .take_need_read(x_read),
        .take_need_feed(x_feed), .take_need_weights(x_weights),
        .acc2all_moved(acc2all_moved), .store2all_read(store2all_read),
        .feed2all_done(feed2all_done), .weights2all_done(weights2all_done),
        .vector_valid(vector_valid[${i}]), .vector_ready(vector_ready[${i}]),
        .vector_data(vector[${i}*VECTOR_W +: VECTOR_W]),
        .write(load2local_write${i}), .addr(load2local_addr${i}), .data(load2local_data${i}),
        .grant(local2load_wgrant${i}), .finish(finish[${i}])
    );

//% end
    // Those that are finished, counted in order.
    wire order_valid;
    wire order_bank;
    wire done0 = order_valid && !order_bank && (finish[0] || got0_q != {PENDING_W{1'b0}});
    wire done1 = order_valid && order_bank && (finish[1] || got1_q != {PENDING_W{1'b0}});
    wire done  = done0 || done1;

    fifo_sync #(.W(1), .DEPTH(2 * AHEAD)) u_order (
        .clk(clk), .rst_n(rst_n),
        .in_valid(x_go), .in_ready(order_ready), .in_data(x_bank_q),
        .out_valid(order_valid), .out_ready(done), .out_data(order_bank)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
//% for i in range(2)
            pending${i}_q <= {PENDING_W{1'b0}};
            got${i}_q     <= {PENDING_W{1'b0}};
//% end
        end else begin
//% for i in range(2)
            if (x_go${i} != finish[${i}])
                pending${i}_q <= finish[${i}] ? pending${i}_q - 1'b1 : pending${i}_q + 1'b1;
            if (finish[${i}] != done${i})
                got${i}_q <= done${i} ? got${i}_q - 1'b1 : got${i}_q + 1'b1;
//% end
        end
    end
//% else
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
//% end

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

endmodule

`default_nettype wire
