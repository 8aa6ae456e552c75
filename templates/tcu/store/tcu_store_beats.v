// Beats of bursts from vectors.
//
//% if beat_vectors > 1
// Contract: bursts and vectors in order. A beat has up to ${beat_vectors} vectors, strobes are high where one
// is; one vector per cycle, 2 cycles from the last one of a beat to the bus.
//% else
// Contract: bursts and vectors in order, one beat per cycle, low scalars first; a cycle from a beat
// to the bus. All strobes are high.
//% end
// Bits of memory that a scalar does not have are 0. Reset: no beat.
`default_nettype none

module tcu_store_beats (
    input  wire        clk,
    input  wire        rst_n,

    // bursts
    input  wire        note_valid,
    output wire        note_take,     // with its last vector
    input  wire        note_bank,
    input  wire [7:0]  note_len,      // beats - 1
//% if beat_vectors > 1
    input  wire [${clog2(beat_vectors) - 1}:0] note_first, // lane of the first vector in the first beat
    input  wire [${clog2(beat_vectors) - 1}:0] note_final, // lane of the last vector in the last beat
//% end

    // vectors
    input  wire        vector_valid,
    output wire        vector_take,
    input  wire [${vector_w - 1}:0] vector,

    // beats
    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_bank,
    output wire        out_last,      // of the burst
    output wire [${axi_bytes - 1}:0] out_strb,
    output wire [${8 * axi_bytes - 1}:0] out_data
);

    localparam BYTES    = ${axi_bytes};
    localparam SCALARS  = ${axi_bytes / scalar_bytes}; // in a beat
    localparam DATA_W   = ${data_w}; // bits of a scalar here
    localparam LANE_W   = ${8 * scalar_bytes}; // in memory
    localparam PACKED_W = SCALARS * DATA_W;
    localparam VECTOR_W = ${vector_w};  //% if vector_beats > 1 || beat_vectors > 1

    // ------------------------------------------------------------------ beats of a burst
    reg  [7:0] beat_q;                // beats of the burst that are gone
    wire       beat_take;
    wire       beat_last = beat_q == note_len;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)         beat_q <= 8'd0;
        else if (beat_take) beat_q <= beat_last ? 8'd0 : beat_q + 8'd1;
    end

    assign note_take = beat_take && beat_last;

    localparam W_DEPTH = ${bus_words};
    localparam W_W     = $clog2(W_DEPTH + 2);
    localparam [W_W-1:0] W_WORDS = W_DEPTH[W_W-1:0] + 1'b1; // that wait for the bus
    wire                w_push;
    wire                w_bank;
    wire                w_last;
    wire [PACKED_W-1:0] w_packed;
    wire [PACKED_W-1:0] out_packed;
    wire [W_W-1:0]      w_count;
    wire                w_room = w_count != W_WORDS;
//% if beat_vectors > 1
    localparam VECTORS = ${beat_vectors}; // in a beat
    localparam PLACE_W = $clog2(VECTORS);

    wire [VECTORS-1:0]  w_there;
    wire [VECTORS-1:0]  out_there;

    fifo_reg #(.W(PACKED_W + VECTORS + 2), .DEPTH(W_DEPTH)) u_w (
        .clk(clk), .rst_n(rst_n),
        .in_valid(w_push), .in_data({w_bank, w_last, w_there, w_packed}), .count(w_count),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_data({out_bank, out_last, out_there, out_packed})
    );

    // ------------------------------------------------------------------ vectors of a beat
    reg  [PLACE_W-1:0]  next_q;       // place of the next vector, unless the burst begins with it
    reg                 begins_q;     // the burst
    reg                 fresh_q;      // the beat
    reg                 full_q;
    reg                 bank_q;
    reg                 last_q;
    reg  [VECTORS-1:0]  there_q;
    reg  [PACKED_W-1:0] packed_q;
    wire [PLACE_W-1:0]  place = begins_q ? note_first : next_q;
    wire                ends  = place == (beat_last ? note_final : {PLACE_W{1'b1}});
    wire                go    = note_valid && vector_valid && (!full_q || w_room);

    assign vector_take = go;
    assign beat_take   = go && ends;
    assign w_push      = full_q && w_room;
    assign {w_bank, w_last, w_there, w_packed} = {bank_q, last_q, there_q, packed_q};

    genvar p;
    generate
        for (p = 0; p < VECTORS; p = p + 1) begin : gen_place
            wire here = place == p[PLACE_W-1:0];

            always @(posedge clk) begin
                if (go) there_q[p] <= here || (there_q[p] && !fresh_q);
                if (go && here) packed_q[p*VECTOR_W +: VECTOR_W] <= vector;
            end

            assign out_strb[p*(BYTES/VECTORS) +: BYTES/VECTORS] = {(BYTES/VECTORS){out_there[p]}};
        end
    endgenerate

    always @(posedge clk) begin
        if (go) {bank_q, last_q} <= {note_bank, beat_last};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            next_q   <= {PLACE_W{1'b0}};
            begins_q <= 1'b1;
            fresh_q  <= 1'b1;
            full_q   <= 1'b0;
        end else begin
            if (go) begin
                next_q   <= ends ? {PLACE_W{1'b0}} : place + 1'b1;
                begins_q <= note_take;
                fresh_q  <= ends;
            end
            full_q <= beat_take || (full_q && !w_room);
        end
    end
//% else

    fifo_reg #(.W(PACKED_W + 2), .DEPTH(W_DEPTH)) u_w (
        .clk(clk), .rst_n(rst_n),
        .in_valid(w_push), .in_data({w_bank, w_last, w_packed}), .count(w_count),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_data({out_bank, out_last, out_packed})
    );

    assign out_strb  = {BYTES{1'b1}};
    assign w_push    = beat_take;
    assign {w_bank, w_last} = {note_bank, beat_last};
//% if vector_beats == 1
    assign beat_take   = note_valid && vector_valid && w_room;
    assign vector_take = beat_take;
    assign w_packed    = vector;
//% else

    // ------------------------------------------------------------------ beats of a vector
    localparam BEATS  = ${vector_beats};
    localparam LEFT_W = $clog2(BEATS);
    localparam [LEFT_W-1:0] LAST = BEATS[LEFT_W-1:0] - 1'b1;

    reg                valid_q;
    reg [LEFT_W-1:0]   left_q;        // beats behind this one
    reg [VECTOR_W-1:0] rest_q;

    assign beat_take   = note_valid && valid_q && w_room;
    assign vector_take = !valid_q || (beat_take && left_q == {LEFT_W{1'b0}});
    assign w_packed    = rest_q[PACKED_W-1:0];

    always @(posedge clk) begin
        if (vector_take) begin
            rest_q <= vector;
            left_q <= LAST;
        end else if (beat_take) begin
            rest_q[VECTOR_W-PACKED_W-1:0] <= rest_q[VECTOR_W-1:PACKED_W];
            left_q <= left_q - 1'b1;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)           valid_q <= 1'b0;
        else if (vector_take) valid_q <= vector_valid;
    end
//% end
//% end

    // ------------------------------------------------------------------ scalars in memory
    genvar i;
    generate
        for (i = 0; i < SCALARS; i = i + 1) begin : gen_scalar
//% if data_w < 8 * scalar_bytes
            assign out_data[i*LANE_W +: LANE_W] =
                {{(LANE_W-DATA_W){1'b0}}, out_packed[i*DATA_W +: DATA_W]};
//% else
            assign out_data[i*LANE_W +: LANE_W] = out_packed[i*DATA_W +: DATA_W];
//% end
        end
    endgenerate

endmodule

`default_nettype wire
