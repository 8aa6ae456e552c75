// One memory bank of load: micro-operations, requests, vectors from beats, vectors that wait.
//
//   queue -> next: may it be asked for? -> tcu_burst of both banks -> AR
//                                           R -> vectors -> out
//
// Contract: a micro-operation is asked for when the stores that it needs are in memory and all its
// vectors have room here: data that comes never waits. One every second cycle. Vectors in the order
// of the bursts, up to one burst and one vector per cycle. An answer with an error is told with the
// address of its burst, before its data can be read anywhere. Reset: empty.
`default_nettype none

module tcu_load_bank (
    input  wire        clk,
    input  wire        rst_n,

    // micro-operations
    input  wire        take,
    output wire        take_ready,
    input  wire [${dram_addr_w - 1}:0] take_addr, // vectors
    input  wire [${stride_code1_w - 1}:0] take_stride,
    input  wire [${size_w - 1}:0] take_count, // vectors - 1
    input  wire [${transfer_tag_w}:0] take_need_acked,
    input  wire [${transfer_tag_w - 1}:0] store2all_acked,

    // to tcu_burst
    output wire        request,
    input  wire        request_ready,
    output reg  [${dram_addr_w - 1}:0] request_addr,
    output reg  [${stride_code1_w - 1}:0] request_stride,
    output reg  [${size_w - 1}:0] request_count,

    // bursts
    input  wire        burst_valid,
    output wire        burst_ready,
//% if beat_vectors > 1
    input  wire [${clog2(beat_vectors) - 1}:0] burst_first, // lanes of the first and the last vector
    input  wire [${clog2(beat_vectors) - 1}:0] burst_final,
//% end
    input  wire [7:0]  burst_len,     // beats - 1
    input  wire [31:0] burst_addr,

    // vectors
    output wire        vector_valid,
    input  wire        vector_ready,
    output wire [${vector_w - 1}:0] vector_data,

    // to control
    input  wire        stop,          // no new bursts
    output wire        quiet,         // all bursts are answered
    output wire        fault,         // pulse
    output wire        fault_decode,
    output wire [31:0] fault_addr,

    // AXI
    output wire        arvalid,
    input  wire        arready,
    output wire [31:0] araddr,
    output wire [7:0]  arlen,
    input  wire        rvalid,
    output wire        rready,
    input  wire        rlast,
    input  wire [1:0]  rresp,
    input  wire [${8 * axi_bytes - 1}:0] rdata
);

    localparam COUNT_W  = ${size_w};
    localparam VECTOR_W = ${vector_w};
    localparam DEPTH    = ${load_depth}; // vectors that wait
    localparam ROOM_W   = $clog2(DEPTH) + 1;
    localparam SUM_W    = (COUNT_W > ROOM_W ? COUNT_W : ROOM_W) + 1;
    localparam BEAT_W   = ${clog2(axi_bytes)}; // a beat has 2^BEAT_W bytes
    localparam SCALARS  = ${axi_bytes / scalar_bytes}; // in a beat
    localparam DATA_W   = ${data_w}; // bits of a scalar here
    localparam LANE_W   = ${8 * scalar_bytes}; // in memory
    localparam PACKED_W = SCALARS * DATA_W;

    // ------------------------------------------------------------------ micro-operations
    localparam ADDR_W   = ${dram_addr_w};
    localparam STRIDE_W = ${stride_code1_w};
    localparam T        = ${transfer_tag_w}; // bits of the numbers of stores

    wire                q_valid;
    wire [ADDR_W-1:0]   q_addr;
    wire [STRIDE_W-1:0] q_stride;
    wire [COUNT_W-1:0]  q_count;
    wire [T:0]          q_need;
    reg                 valid_q;
    reg  [T:0]          need_q;
    reg                 met_q;        // the stores are done
    reg                 fits_q;
    wire                move    = request && request_ready;
    wire                load    = !valid_q || move;

    assign request = valid_q && met_q && fits_q;

    fifo_sync #(.W(T + COUNT_W + STRIDE_W + ADDR_W + 1), .DEPTH(${load_ahead})) u_queue (
        .clk(clk), .rst_n(rst_n),
        .in_valid(take), .in_ready(take_ready),
        .in_data({take_need_acked, take_count, take_stride, take_addr}),
        .out_valid(q_valid), .out_ready(load), .out_data({q_need, q_count, q_stride, q_addr})
    );

    wire                need_acked;
    wire [T-1:0]        acked;
    assign {need_acked, acked} = load ? q_need : need_q;
    wire [T-1:0]        past    = store2all_acked - acked;
    wire                met     = !need_acked || !past[T-1];

    // Room, for vectors that nobody asked for yet.
    reg  [ROOM_W-1:0] room_q;
    wire [SUM_W-1:0]  room_sum  = {{(SUM_W-ROOM_W){1'b0}}, room_q};
    wire [SUM_W-1:0]  count_sum = {{(SUM_W-COUNT_W){1'b0}}, request_count};
    wire              freed     = vector_valid && vector_ready;
    wire [SUM_W-1:0]  left      = move ? room_sum + ~count_sum : room_sum;  // - count - 1

    always @(posedge clk) begin
        met_q  <= met || (met_q && !load);
        fits_q <= !load && count_sum < room_sum;
        if (load) begin
            request_addr   <= q_addr;
            request_stride <= q_stride;
            request_count  <= q_count;
            need_q         <= q_need;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            room_q  <= DEPTH[ROOM_W-1:0];
        end else begin
            if (load) valid_q <= q_valid;
            room_q <= left[ROOM_W-1:0] + {{(ROOM_W-1){1'b0}}, freed};
        end
    end
    wire unused_left = &{1'b0, left[SUM_W-1:ROOM_W]};

    // ------------------------------------------------------------------ bursts
    localparam AR_DEPTH = ${bus_words};
    localparam AR_W     = $clog2(AR_DEPTH + 2);
    localparam [AR_W-1:0] AR_WORDS = AR_DEPTH[AR_W-1:0] + 1'b1; // that wait for the bus

    wire [AR_W-1:0] ar_count;
    wire       note_room;
    wire       ar_room = ar_count != AR_WORDS && note_room && !stop;
    wire       push = burst_valid && burst_ready;

    fifo_reg #(.W(40 - BEAT_W), .DEPTH(AR_DEPTH)) u_ar (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_data({burst_len, burst_addr[31:BEAT_W]}), .count(ar_count),
        .out_valid(arvalid), .out_ready(arready), .out_data({arlen, araddr[31:BEAT_W]})
    );

    assign araddr[BEAT_W-1:0] = {BEAT_W{1'b0}};
    wire unused_low = &{1'b0, burst_addr[BEAT_W-1:0]};

    // ------------------------------------------------------------------ answers
    //   addresses of the bursts that are not answered
    reg        r_valid_q;
    reg        r_last_q;
    reg  [1:0] r_resp_q;
    wire       some;

    assign quiet        = !some;
    assign fault        = r_valid_q && r_resp_q[1];
    assign fault_decode = r_resp_q[0];
    assign fault_addr[BEAT_W-1:0] = {BEAT_W{1'b0}};

    fifo_sync #(.W(32 - BEAT_W), .DEPTH(${load_notes})) u_addresses (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(note_room), .in_data(burst_addr[31:BEAT_W]),
        .out_valid(some), .out_ready(r_valid_q && r_last_q), .out_data(fault_addr[31:BEAT_W])
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) r_valid_q <= 1'b0;
        else        r_valid_q <= rvalid && rready;
    end

    always @(posedge clk) begin
        r_last_q <= rlast;
        r_resp_q <= rresp;
    end

    // ------------------------------------------------------------------ beats, scalars only
    wire [PACKED_W-1:0] r_packed;

    genvar i;
    generate
        for (i = 0; i < SCALARS; i = i + 1) begin : gen_scalar
            assign r_packed[i*DATA_W +: DATA_W] = rdata[i*LANE_W +: DATA_W];
        end
    endgenerate
    wire unused_data = &{1'b0, rdata};

    wire                in_valid;
    wire [VECTOR_W-1:0] in_data;
    wire                unused_ready;    // there is room

    fifo_ram #(.W(VECTOR_W), .DEPTH(DEPTH)) u_vectors (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_ready(unused_ready), .in_data(in_data),
        .out_valid(vector_valid), .out_ready(vector_ready), .out_data(vector_data)
    );

//% if beat_vectors > 1
    // ------------------------------------------------------------------ several vectors per beat
    localparam PLACE_W = ${clog2(beat_vectors)}; // of a vector in a beat

    reg  [PLACE_W-1:0]  next_q;       // place of the next vector, unless the burst begins with it
    reg                 begins_q;
    wire                note_ready;
    wire                note_valid;
    wire [PLACE_W-1:0]  first;
    wire [PLACE_W-1:0]  finish;
    wire                beat_valid;
    wire                beat_last;
    wire [PACKED_W-1:0] beat;
    wire [PLACE_W-1:0]  place = begins_q ? first : next_q;
    wire                ends  = place == (beat_last ? finish : {PLACE_W{1'b1}});

    assign burst_ready = ar_room && note_ready;
    assign in_valid    = beat_valid && note_valid;
    assign in_data     = beat[place*VECTOR_W +: VECTOR_W];

    fifo_sync #(.W(2*PLACE_W), .DEPTH(${load_notes})) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(note_ready), .in_data({burst_first, burst_final}),
        .out_valid(note_valid), .out_ready(in_valid && ends && beat_last),
        .out_data({first, finish})
    );

    fifo_sync #(.W(PACKED_W + 1), .DEPTH(2)) u_beats (
        .clk(clk), .rst_n(rst_n),
        .in_valid(rvalid), .in_ready(rready), .in_data({rlast, r_packed}),
        .out_valid(beat_valid), .out_ready(in_valid && ends), .out_data({beat_last, beat})
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            next_q   <= {PLACE_W{1'b0}};
            begins_q <= 1'b1;
        end else if (in_valid) begin
            next_q   <= ends ? {PLACE_W{1'b0}} : place + 1'b1;
            begins_q <= ends && beat_last;
        end
    end
//% else
    // ------------------------------------------------------------------ beats to vectors
    reg [PACKED_W-1:0] r_data_q;

    assign burst_ready = ar_room;
    assign rready      = 1'b1;

    always @(posedge clk) r_data_q <= r_packed;
//% if vector_beats == 1

    assign in_valid = r_valid_q;
    assign in_data  = r_data_q;
//% else

    localparam BEATS = ${vector_beats}; // of a vector
    localparam LEFT_W = $clog2(BEATS);
    localparam [LEFT_W-1:0] LAST = BEATS[LEFT_W-1:0] - 1'b1;

    reg [VECTOR_W-PACKED_W-1:0] early_q; // beats before the last one
    reg [LEFT_W-1:0]            left_q;  // beats before the last one that are missing

    assign in_valid = r_valid_q && left_q == {LEFT_W{1'b0}};
    assign in_data  = {r_data_q, early_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)         left_q <= LAST;
        else if (r_valid_q) left_q <= in_valid ? LAST : left_q - 1'b1;
    end

    always @(posedge clk) begin
        if (r_valid_q) early_q <= in_data[VECTOR_W-1:PACKED_W];
    end
//% end
//% end

endmodule

`default_nettype wire
