// Bursts of a transfer: a run of vectors, or vectors at any power of two from each other.
//
// A contiguous transfer (of at most 2^${dram_block_w} vectors) is one piece of memory, a strided one a piece per
// vector; each is cut at the multiples of 2^CHUNK_W bytes, so that no burst has more than 256 beats
// or crosses 4 KiB.
//
//   micro-op -> byte address -> offset -> pieces -> cut -> burst
//
// Contract: transfers and bursts in order; 4 cycles, one burst per cycle, a transfer every second
// cycle. Addresses wrap at 32 bits. offset0 and offset1 hold while a transfer is here.
// Reset: no transfer.
`default_nettype none

module tcu_burst (
    input  wire        clk,
    input  wire        rst_n,
    input  wire [31:0] offset0,       // of the banks, bytes
    input  wire [31:0] offset1,

    // transfers
    input  wire        in_valid,
    output wire        in_ready,
    input  wire        in_bank,
    input  wire [${dram_addr_w - 1}:0] in_addr, // vectors
    input  wire [${stride_code1_w - 1}:0] in_stride, // steps of 2^in_stride vectors
    input  wire [${size_w - 1}:0] in_count, // vectors - 1

    // bursts
    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_bank,
//% if beat_vectors > 1
    output wire [${clog2(beat_vectors) - 1}:0] out_first, // lane of the first vector in the first beat
    output wire [${clog2(beat_vectors) - 1}:0] out_final, // lane of the last vector in the last beat
//% end
    output wire        out_last,      // of its transfer
    output wire [7:0]  out_len,       // beats - 1
    output wire [31:0] out_addr       // of the first beat, bytes
);

    localparam ADDR_W   = ${dram_addr_w};
    localparam STRIDE_W = ${stride_code1_w};
    localparam COUNT_W  = ${size_w};
    localparam [31:0] VECTOR = 32'd${vector_bytes}; // bytes
    localparam BEAT_W   = ${clog2(axi_bytes)};      // a beat has 2^BEAT_W bytes
    localparam CHUNK_W  = BEAT_W + 8 < 12 ? BEAT_W + 8 : 12;
    localparam LEN_W    = CHUNK_W - BEAT_W;
    localparam PIECE_W  = ${dram_block_w + clog2(vector_bytes)}; // a piece has at most 2^PIECE_W bytes
    localparam MORE_W   = (PIECE_W > CHUNK_W ? PIECE_W - CHUNK_W : 0) + 1;
    localparam [COUNT_W-1:0] ONE = {{(COUNT_W-1){1'b0}}, 1'b1};

    // ------------------------------------------------------------------ byte address
    wire               strided = in_stride != {STRIDE_W{1'b0}};
    wire [31:0]        vectors = {{(32-COUNT_W){1'b0}}, in_count};

    reg                a_valid_q;
    wire               a_ready;
    reg                a_bank_q;
    reg  [31:0]        a_base_q;
    reg  [31:0]        a_span_q;      // bytes of a piece - 1
    reg  [31:0]        a_step_q;      // from piece to piece
    reg  [COUNT_W-1:0] a_left_q;      // pieces - 1

    assign in_ready = !a_valid_q || a_ready;

    always @(posedge clk) begin
        if (in_ready) begin
            a_bank_q <= in_bank;
            a_base_q <= {{(32-ADDR_W){1'b0}}, in_addr} * VECTOR;
            a_span_q <= (strided ? 32'd0 : vectors * VECTOR) + (VECTOR - 32'd1);
            a_step_q <= VECTOR << in_stride;
            a_left_q <= strided ? in_count : {COUNT_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------ offset
    reg                o_valid_q;
    wire               o_ready;
    reg                o_bank_q;
    reg  [31:0]        o_start_q;
    reg  [31:0]        o_span_q;
    reg  [31:0]        o_step_q;
    reg  [COUNT_W-1:0] o_left_q;

    assign a_ready = !o_valid_q;      // not from the bursts: short

    always @(posedge clk) begin
        if (a_ready) begin
            o_bank_q  <= a_bank_q;
            o_start_q <= a_base_q + (a_bank_q ? offset1 : offset0);
            o_span_q  <= a_span_q;
            o_step_q  <= a_step_q;
            o_left_q  <= a_left_q;
        end
    end

    // ------------------------------------------------------------------ pieces
    reg                p_valid_q;
    wire               p_ready;
    reg                p_bank_q;
    reg  [31:0]        p_start_q;     // first and last byte
    reg  [31:0]        p_end_q;
    reg  [31:0]        p_step_q;
    reg  [COUNT_W-1:0] p_left_q;
    reg                p_last_q;      // p_left_q is 0
    wire               p_load = !p_valid_q || (p_ready && p_last_q);

    assign o_ready = p_load;

    always @(posedge clk) begin
        if (p_load) begin
            p_bank_q <= o_bank_q;
            p_step_q <= o_step_q;
            p_left_q <= o_left_q;
            p_last_q <= o_left_q == {COUNT_W{1'b0}};
        end else if (p_ready) begin
            p_left_q <= p_left_q - ONE;
            p_last_q <= p_left_q == ONE;
        end
        if (p_load || p_ready) begin
            p_start_q <= p_load ? o_start_q : p_start_q + p_step_q;
            p_end_q   <= (p_load ? o_start_q : p_end_q) + (p_load ? o_span_q : p_step_q);
        end
    end

    // ------------------------------------------------------------------ cut
    //   c_chunk, c_first: where the burst begins; c_more: chunks behind this one; c_end: last beat
    reg                  c_valid_q;
    reg                  c_bank_q;
    reg                  c_last_q;    // piece of its transfer
    reg  [31-CHUNK_W:0]  c_chunk_q;
    reg  [LEN_W-1:0]     c_first_q;
    reg  [MORE_W-1:0]    c_more_q;
    reg  [LEN_W-1:0]     c_end_q;
    wire                 c_ends = c_more_q == {MORE_W{1'b0}};
    wire [LEN_W-1:0]     c_len  = (c_ends ? c_end_q : {LEN_W{1'b1}}) - c_first_q;

    assign p_ready   = !c_valid_q || (out_ready && c_ends);
    assign out_valid = c_valid_q;
    assign out_bank  = c_bank_q;
    assign out_last  = c_last_q && c_ends;
    assign out_addr  = {c_chunk_q, c_first_q, {BEAT_W{1'b0}}};
    assign out_len   = {{(8-LEN_W){1'b0}}, c_len};  //% if axi_bytes > 16
    assign out_len   = c_len;  //% if axi_bytes <= 16

    always @(posedge clk) begin
        if (p_ready) begin
            c_bank_q <= p_bank_q;
            c_last_q <= p_last_q;
            {c_chunk_q, c_first_q} <= p_start_q[31:BEAT_W];
            c_more_q <= p_end_q[CHUNK_W +: MORE_W] - p_start_q[CHUNK_W +: MORE_W];
            c_end_q  <= p_end_q[BEAT_W +: LEN_W];
        end else if (out_ready) begin
            c_chunk_q <= c_chunk_q + 1'b1;
            c_more_q  <= c_more_q - 1'b1;
            c_first_q <= {LEN_W{1'b0}};
        end
    end
//% if beat_vectors > 1

    // ------------------------------------------------------------------ lanes
    localparam LANE_W  = ${clog2(beat_vectors)};
    localparam LANE_AT = BEAT_W - LANE_W;

    reg  [LANE_W-1:0] c_lane_q;       // of the first vector
    reg  [LANE_W-1:0] c_end_lane_q;

    assign out_first = c_lane_q;
    assign out_final = c_ends ? c_end_lane_q : {LANE_W{1'b1}};

    always @(posedge clk) begin
        if (p_ready) begin
            c_lane_q     <= p_start_q[LANE_AT +: LANE_W];
            c_end_lane_q <= p_end_q[LANE_AT +: LANE_W];
        end else if (out_ready) begin
            c_lane_q <= {LANE_W{1'b0}};
        end
    end
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            a_valid_q <= 1'b0;
            o_valid_q <= 1'b0;
            p_valid_q <= 1'b0;
            c_valid_q <= 1'b0;
        end else begin
            if (in_ready) a_valid_q <= in_valid;
            if (a_ready || o_ready) o_valid_q <= a_ready && a_valid_q;
            if (p_load)   p_valid_q <= o_valid_q;
            if (p_ready)  c_valid_q <= p_valid_q;
        end
    end

    // The low bits of a piece are those of whole beats, or of lanes.
    wire unused_bits = &{1'b0, p_start_q[BEAT_W-1:0], p_end_q};

endmodule

`default_nettype wire
