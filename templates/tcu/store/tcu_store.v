// Vectors from local memory to the memory banks.
//
//   decode2store -> wait -> reads of local memory -> vectors -> tcu_store_beats -> W
//                      \--> tcu_burst -> AW, notes for W, notes for B
//
// Contract: micro-operations in order, one vector and one beat per cycle. One begins when all that
// it needs is done: what wrote its vectors, and loads of what it overwrites in memory. Requests may
// be on the bus before or after their data. Up to ${store_bursts} bursts wait for answers; one with an
// error is told with the address of its burst, before the micro-operation counts as done.
// Reset: nothing in flight, no micro-operation done.
`default_nettype none

module tcu_store (
    input  wire        clk,
    input  wire        rst_n,

    // micro-operations
    input  wire        decode2store_valid,
    output wire        decode2store_ready,
    input  wire        decode2store_bank,
    input  wire [${dram_addr_w - 1}:0] decode2store_addr, // vectors
    input  wire [${stride_code1_w - 1}:0] decode2store_stride, // steps of 2^stride vectors
    input  wire [${size_w - 1}:0] decode2store_count, // vectors - 1
    input  wire [${local_addr_w - 1}:0] decode2store_local,
    input  wire [${stride_code0_w - 1}:0] decode2store_local_stride,
    input  wire [${transfer_tag_w}:0] decode2store_need_load, // {valid, number of the other one}
    input  wire [${transfer_tag_w}:0] decode2store_need_moved,
    input  wire [${transfer_tag_w}:0] decode2store_need_loaded_dram,

    // numbers of micro-operations that are done
    input  wire [${transfer_tag_w - 1}:0] load2all_done,
    input  wire [${transfer_tag_w - 1}:0] acc2all_moved,
    output reg  [${transfer_tag_w - 1}:0] store2all_read, // from local memory
    output reg  [${transfer_tag_w - 1}:0] store2all_acked, // in the memory banks

    // registers, hold while store_busy
    input  wire [31:0] decode2all_offset0, // bytes
    input  wire [31:0] decode2all_offset1,
    input  wire [3:0]  decode2all_cache0,
    input  wire [3:0]  decode2all_cache1,

    // local memory
    output wire        store2local_read,
    output wire [${local_addr_w - 1}:0] store2local_addr,
    input  wire        local2store_grant,
    input  wire        local2store_valid, // cannot stall
    input  wire [${vector_w - 1}:0] local2store_data,

//% for i in range(2)
    // memory bank ${i}
    output wire [5:0]  m_axi_dram${i}_awid,
    output wire [31:0] m_axi_dram${i}_awaddr,
    output wire [7:0]  m_axi_dram${i}_awlen,
    output wire [2:0]  m_axi_dram${i}_awsize,
    output wire [1:0]  m_axi_dram${i}_awburst,
    output wire        m_axi_dram${i}_awlock,
    output wire [3:0]  m_axi_dram${i}_awcache,
    output wire [2:0]  m_axi_dram${i}_awprot,
    output wire [3:0]  m_axi_dram${i}_awqos,
    output wire        m_axi_dram${i}_awvalid,
    input  wire        m_axi_dram${i}_awready,
    output wire [5:0]  m_axi_dram${i}_wid,
    output wire [${8 * axi_bytes - 1}:0] m_axi_dram${i}_wdata,
    output wire [${axi_bytes - 1}:0] m_axi_dram${i}_wstrb,
    output wire        m_axi_dram${i}_wlast,
    output wire        m_axi_dram${i}_wvalid,
    input  wire        m_axi_dram${i}_wready,
    input  wire [5:0]  m_axi_dram${i}_bid,
    input  wire [1:0]  m_axi_dram${i}_bresp,
    input  wire        m_axi_dram${i}_bvalid,
    output wire        m_axi_dram${i}_bready,

//% end
    // to control
    input  wire        control2all_stop, // no new bursts
    output wire        store2control_quiet, // all bursts are answered
    output wire        store2control_fault, // pulse
    output wire        store2control_bank,
    output wire        store2control_decode, // DECERR
    output wire [31:0] store2control_addr, // of the burst
    output reg         store_busy
);

    localparam ADDR_W    = ${dram_addr_w};
    localparam STRIDE_W  = ${stride_code1_w};
    localparam COUNT_W   = ${size_w};
    localparam LOCAL_W   = ${local_addr_w};
    localparam LSTRIDE_W = ${stride_code0_w};
    localparam VECTOR_W  = ${vector_w};
    localparam BEAT_W    = ${clog2(axi_bytes)}; // a beat has 2^BEAT_W bytes
    localparam T         = ${transfer_tag_w}; // bits of the numbers of transfers
    localparam AHEAD     = ${store_ahead}; // micro-operations that wait
    localparam DEPTH     = 16;        // vectors between local memory and the beats
    localparam BURSTS    = ${store_bursts}; // in flight
    localparam NOTES     = ${store_notes};        // bursts before their data
    localparam [T-1:0] ONE = {{(T-1){1'b0}}, 1'b1};
    localparam [COUNT_W-1:0] ONE_LEFT = {{(COUNT_W-1){1'b0}}, 1'b1};

    wire                 take = decode2store_valid && decode2store_ready;

    // ------------------------------------------------------------------ what they wait for
    //   queue -> next: its numbers are looked at, what is done is remembered -> reads, bursts
    localparam NEED_W  = 3*T + 3;
    localparam FIELD_W = LSTRIDE_W + LOCAL_W + COUNT_W + STRIDE_W + ADDR_W + 1;

    wire                 q_valid;
    wire [FIELD_W-1:0]   q_fields;
    wire [NEED_W-1:0]    q_need;
    reg                  n_valid_q;
    reg  [FIELD_W-1:0]   n_fields_q;
    reg  [NEED_W-1:0]    n_need_q;
    reg  [2:0]           n_met_q;
    wire                 n_move;
    wire                 n_load = !n_valid_q || n_move;

    fifo_sync #(.W(NEED_W + FIELD_W), .DEPTH(AHEAD)) u_queue (
        .clk(clk), .rst_n(rst_n),
        .in_valid(decode2store_valid), .in_ready(decode2store_ready),
        .in_data({decode2store_need_loaded_dram, decode2store_need_moved, decode2store_need_load,
                  decode2store_local_stride, decode2store_local, decode2store_count,
                  decode2store_stride, decode2store_addr, decode2store_bank}),
        .out_valid(q_valid), .out_ready(n_load), .out_data({q_need, q_fields})
    );

    wire [NEED_W-1:0] need = n_load ? q_need : n_need_q;
    wire              need_dram, need_moved, need_load;
    wire [T-1:0]      dram, moved, load;
    assign {need_dram, dram, need_moved, moved, need_load, load} = need;
    wire [T-1:0]      dram_past  = load2all_done - dram;
    wire [T-1:0]      moved_past = acc2all_moved - moved;
    wire [T-1:0]      load_past  = load2all_done - load;
    wire [2:0]        met = {!need_dram || !dram_past[T-1], !need_moved || !moved_past[T-1],
                             !need_load || !load_past[T-1]};

    always @(posedge clk) begin
        n_met_q <= n_load ? met : n_met_q | met;
        if (n_load) begin
            n_fields_q <= q_fields;
            n_need_q   <= q_need;
        end
    end

    wire                 n_bank;
    wire [ADDR_W-1:0]    n_addr;
    wire [STRIDE_W-1:0]  n_stride;
    wire [COUNT_W-1:0]   n_count;
    wire [LOCAL_W-1:0]   n_local;
    wire [LSTRIDE_W-1:0] n_local_stride;
    assign {n_local_stride, n_local, n_count, n_stride, n_addr, n_bank} = n_fields_q;

    // ------------------------------------------------------------------ reads of local memory
    localparam FREE_W = $clog2(DEPTH + 1);
    localparam [FREE_W-1:0] ALL = DEPTH[FREE_W-1:0];

    reg                r_valid_q;
    reg  [COUNT_W-1:0] r_left_q;      // vectors - 1
    reg  [LOCAL_W-1:0] r_local_q;
    reg  [LOCAL_W-1:0] r_step_q;
    reg  [FREE_W-1:0]  free_q;        // places for vectors that are not asked for
    wire               burst_ready;
    wire               r_go    = store2local_read && local2store_grant;
    reg                r_last_q;      // r_left_q is 0
    wire               r_ends  = r_go && r_last_q;
    wire               n_can   = n_valid_q && &n_met_q && (!r_valid_q || r_ends);

    assign n_move           = n_can && burst_ready;
    assign store2local_read = r_valid_q && free_q != {FREE_W{1'b0}};
    assign store2local_addr = r_local_q;

    always @(posedge clk) begin
        if (n_move) begin
            r_left_q  <= n_count;
            r_last_q  <= n_count == {COUNT_W{1'b0}};
            r_local_q <= n_local;
            r_step_q  <= {{(LOCAL_W-1){1'b0}}, 1'b1} << n_local_stride;
        end else if (r_go) begin
            r_left_q  <= r_left_q - ONE_LEFT;
            r_last_q  <= r_left_q == ONE_LEFT;
            r_local_q <= r_local_q + r_step_q;
        end
    end

    wire                vector_valid;
    wire                vector_take;
    wire [VECTOR_W-1:0] vector;
    wire                unused_ready; // there is a place

    fifo_sync #(.W(VECTOR_W), .DEPTH(DEPTH)) u_vectors (
        .clk(clk), .rst_n(rst_n),
        .in_valid(local2store_valid), .in_ready(unused_ready), .in_data(local2store_data),
        .out_valid(vector_valid), .out_ready(vector_take), .out_data(vector)
    );

    // ------------------------------------------------------------------ bursts
    wire        burst_valid;
    wire        burst_bank;
    wire        burst_last;
    wire [7:0]  burst_len;
    wire [31:0] burst_addr;
//% if beat_vectors > 1
    wire [${clog2(beat_vectors) - 1}:0] burst_first;
    wire [${clog2(beat_vectors) - 1}:0] burst_final;
//% end
    localparam AW_DEPTH = ${bus_words};
    localparam AW_W     = $clog2(AW_DEPTH + 2);
    localparam [AW_W-1:0] AW_WORDS = AW_DEPTH[AW_W-1:0] + 1'b1; // that wait for the bus
    wire [AW_W-1:0] aw_count;
    wire        note_ready;
    wire        answer_ready;
    wire        burst_take = aw_count != AW_WORDS && note_ready && answer_ready &&
                             !control2all_stop;
    wire        push       = burst_valid && burst_take;

    tcu_burst u_burst (
        .clk(clk), .rst_n(rst_n),
        .offset0(decode2all_offset0), .offset1(decode2all_offset1),
        .in_valid(n_can), .in_ready(burst_ready),
        .in_bank(n_bank), .in_addr(n_addr), .in_stride(n_stride), .in_count(n_count),
        .out_valid(burst_valid), .out_ready(burst_take),
        .out_bank(burst_bank), .out_last(burst_last),
        .out_first(burst_first), .out_final(burst_final),  //% if beat_vectors > 1
        .out_len(burst_len), .out_addr(burst_addr)
    );

    wire        aw_valid;
    wire        aw_bank;
    wire [7:0]  aw_len;
    wire [31:0] aw_addr;

    fifo_reg #(.W(41 - BEAT_W), .DEPTH(AW_DEPTH)) u_aw (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_data({burst_bank, burst_len, burst_addr[31:BEAT_W]}),
        .count(aw_count),
        .out_valid(aw_valid), .out_ready(aw_bank ? m_axi_dram1_awready : m_axi_dram0_awready),
        .out_data({aw_bank, aw_len, aw_addr[31:BEAT_W]})
    );
    assign aw_addr[BEAT_W-1:0] = {BEAT_W{1'b0}};
    wire   unused_low = &{1'b0, burst_addr[BEAT_W-1:0]};

    // ------------------------------------------------------------------ data
    wire                    note_valid;
    wire                    note_take;
    wire                    note_bank;
    wire [7:0]              note_len;
//% if beat_vectors > 1
    wire [${clog2(beat_vectors) - 1}:0] note_first;
    wire [${clog2(beat_vectors) - 1}:0] note_final;
//% end
    wire                    w_valid;
    wire                    w_bank;
    wire                    w_last;
    wire [${axi_bytes - 1}:0] w_strb;
    wire [${8 * axi_bytes - 1}:0] w_data;

//% if beat_vectors > 1
    fifo_sync #(.W(9 + 2*${clog2(beat_vectors)}), .DEPTH(NOTES)) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(note_ready),
        .in_data({burst_bank, burst_len, burst_first, burst_final}),
        .out_valid(note_valid), .out_ready(note_take),
        .out_data({note_bank, note_len, note_first, note_final})
    );
//% else
    fifo_sync #(.W(9), .DEPTH(NOTES)) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(note_ready), .in_data({burst_bank, burst_len}),
        .out_valid(note_valid), .out_ready(note_take), .out_data({note_bank, note_len})
    );
//% end

    tcu_store_beats u_beats (
        .clk(clk), .rst_n(rst_n),
        .note_valid(note_valid), .note_take(note_take), .note_bank(note_bank), .note_len(note_len),
        .note_first(note_first), .note_final(note_final),  //% if beat_vectors > 1
        .vector_valid(vector_valid), .vector_take(vector_take), .vector(vector),
        .out_valid(w_valid), .out_ready(w_bank ? m_axi_dram1_wready : m_axi_dram0_wready),
        .out_bank(w_bank), .out_last(w_last), .out_strb(w_strb), .out_data(w_data)
    );

    // ------------------------------------------------------------------ answers
    //   a note per burst, in order; got: answers of a bank without their note
    //   failed: one of them, or an earlier one, is an error, with so many answers before it
    localparam GOT_W = $clog2(BURSTS + 1);

    wire             a_valid;
    wire             a_bank;
    wire             a_last;          // of a micro-operation
    reg  [GOT_W-1:0] got0_q;
    reg  [GOT_W-1:0] got1_q;
    wire             a_take0 = a_valid && !a_bank && got0_q != {GOT_W{1'b0}};
    wire             a_take1 = a_valid && a_bank && got1_q != {GOT_W{1'b0}};
    wire             a_take  = a_take0 || a_take1;

    assign store2control_addr[BEAT_W-1:0] = {BEAT_W{1'b0}};

    fifo_sync #(.W(34 - BEAT_W), .DEPTH(BURSTS)) u_answers (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(answer_ready),
        .in_data({burst_addr[31:BEAT_W], burst_bank, burst_last}),
        .out_valid(a_valid), .out_ready(a_take),
        .out_data({store2control_addr[31:BEAT_W], a_bank, a_last})
    );

//% for i in range(2)
    reg              failed${i}_q;
    reg              decode${i}_q;
    reg  [GOT_W-1:0] before${i}_q;
    wire             fail${i} = m_axi_dram${i}_bvalid && m_axi_dram${i}_bresp[1] && !failed${i}_q;
    wire             fault${i} = a_take${i} && failed${i}_q && before${i}_q == {GOT_W{1'b0}};

    always @(posedge clk) begin
        if (fail${i}) begin
            decode${i}_q <= m_axi_dram${i}_bresp[0];
            before${i}_q <= a_take${i} ? got${i}_q - 1'b1 : got${i}_q;
        end else if (a_take${i}) begin
            before${i}_q <= before${i}_q - 1'b1;
        end
    end

//% end
    assign store2control_quiet  = !a_valid;
    assign store2control_fault  = fault0 || fault1;
    assign store2control_bank   = a_bank;
    assign store2control_decode = a_bank ? decode1_q : decode0_q;

    // ------------------------------------------------------------------ pins
//% for i in range(2)
    reg  [3:0] cache${i}_q;

    always @(posedge clk) cache${i}_q <= decode2all_cache${i};

    assign m_axi_dram${i}_awid    = 6'd0;
    assign m_axi_dram${i}_awaddr  = aw_addr;
    assign m_axi_dram${i}_awlen   = aw_len;
    assign m_axi_dram${i}_awsize  = 3'd${clog2(axi_bytes)};
    assign m_axi_dram${i}_awburst = 2'd1;        // INCR
    assign m_axi_dram${i}_awlock  = 1'd0;
    assign m_axi_dram${i}_awcache = cache${i}_q;
    assign m_axi_dram${i}_awprot  = 3'd0;
    assign m_axi_dram${i}_awqos   = 4'd0;
    assign m_axi_dram${i}_awvalid = aw_valid && aw_bank == 1'd${i};
    assign m_axi_dram${i}_wid     = 6'd0;
    assign m_axi_dram${i}_wdata   = w_data;
    assign m_axi_dram${i}_wstrb   = w_strb;
    assign m_axi_dram${i}_wlast   = w_last;
    assign m_axi_dram${i}_wvalid  = w_valid && w_bank == 1'd${i};
    assign m_axi_dram${i}_bready  = 1'b1;
    wire   unused_answer${i} = &{1'b0, m_axi_dram${i}_bid};

//% end
    // ------------------------------------------------------------------ state
    reg  [T-1:0] taken_q;             // micro-operations

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            n_valid_q       <= 1'b0;
            r_valid_q       <= 1'b0;
            free_q          <= ALL;
            got0_q          <= {GOT_W{1'b0}};
            got1_q          <= {GOT_W{1'b0}};
            failed0_q       <= 1'b0;
            failed1_q       <= 1'b0;
            store2all_read  <= {T{1'b0}};
            store2all_acked <= {T{1'b0}};
            taken_q         <= {T{1'b0}};
            store_busy      <= 1'b0;
        end else begin
            if (n_load) n_valid_q <= q_valid;
            r_valid_q <= n_move || (r_valid_q && !r_ends);
            if (r_go != (vector_valid && vector_take))
                free_q <= r_go ? free_q - 1'b1 : free_q + 1'b1;
            if (m_axi_dram0_bvalid != a_take0) got0_q <= a_take0 ? got0_q - 1'b1 : got0_q + 1'b1;
            if (m_axi_dram1_bvalid != a_take1) got1_q <= a_take1 ? got1_q - 1'b1 : got1_q + 1'b1;
            if (fail0) failed0_q <= 1'b1;
            if (fail1) failed1_q <= 1'b1;
            if (r_ends) store2all_read <= store2all_read + ONE;
            if (a_take && a_last) store2all_acked <= store2all_acked + ONE;
            if (take) taken_q <= taken_q + ONE;
            store_busy <= take || taken_q != store2all_acked;
        end
    end

endmodule

`default_nettype wire
