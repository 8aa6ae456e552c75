// Made by macrame 0.1.0 from templates/tcu/load/tcu_load_bank.v
// with axi_bytes=8 beat_vectors=1 bus_words=4 data_w=16 dram_addr_w=15 load_ahead=64
// load_depth=256 load_notes=128 scalar_bytes=2 size_w=12 stride_code1_w=3 transfer_tag_w=15
// vector_beats=1 vector_w=64

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
    input  wire [14:0] take_addr, // vectors
    input  wire [2:0] take_stride,
    input  wire [11:0] take_count, // vectors - 1
    input  wire [15:0] take_need_acked,
    input  wire [14:0] store2all_acked,

    // to tcu_burst
    output wire        request,
    input  wire        request_ready,
    output reg  [14:0] request_addr,
    output reg  [2:0] request_stride,
    output reg  [11:0] request_count,

    // bursts
    input  wire        burst_valid,
    output wire        burst_ready,
    input  wire [7:0]  burst_len,     // beats - 1
    input  wire [31:0] burst_addr,

    // vectors
    output wire        vector_valid,
    input  wire        vector_ready,
    output wire [63:0] vector_data,

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
    input  wire [63:0] rdata
);

    localparam COUNT_W  = 12;
    localparam VECTOR_W = 64;
    localparam DEPTH    = 256; // vectors that wait
    localparam ROOM_W   = $clog2(DEPTH) + 1;
    localparam SUM_W    = (COUNT_W > ROOM_W ? COUNT_W : ROOM_W) + 1;
    localparam BEAT_W   = 3; // a beat has 2^BEAT_W bytes
    localparam SCALARS  = 4; // in a beat
    localparam DATA_W   = 16; // bits of a scalar here
    localparam LANE_W   = 16; // in memory
    localparam PACKED_W = SCALARS * DATA_W;

    // ------------------------------------------------------------------ micro-operations
    localparam ADDR_W   = 15;
    localparam STRIDE_W = 3;
    localparam T        = 15; // bits of the numbers of stores

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

    fifo_sync #(.W(T + COUNT_W + STRIDE_W + ADDR_W + 1), .DEPTH(64)) u_queue (
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
    localparam AR_DEPTH = 4;
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

    fifo_sync #(.W(32 - BEAT_W), .DEPTH(128)) u_addresses (
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

    // ------------------------------------------------------------------ beats to vectors
    reg [PACKED_W-1:0] r_data_q;

    assign burst_ready = ar_room;
    assign rready      = 1'b1;

    always @(posedge clk) r_data_q <= r_packed;

    assign in_valid = r_valid_q;
    assign in_data  = r_data_q;

endmodule

`default_nettype wire
