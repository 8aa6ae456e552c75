// Made by macrame 0.1.0 from templates/tcu/store/tcu_store_beats.v
// with axi_bytes=8 beat_vectors=1 bus_words=4 data_w=16 scalar_bytes=2 vector_beats=1 vector_w=64

// Beats of bursts from vectors.
//
// Contract: bursts and vectors in order, one beat per cycle, low scalars first; a cycle from a beat
// to the bus. All strobes are high.
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

    // vectors
    input  wire        vector_valid,
    output wire        vector_take,
    input  wire [63:0] vector,

    // beats
    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_bank,
    output wire        out_last,      // of the burst
    output wire [7:0] out_strb,
    output wire [63:0] out_data
);

    localparam BYTES    = 8;
    localparam SCALARS  = 4; // in a beat
    localparam DATA_W   = 16; // bits of a scalar here
    localparam LANE_W   = 16; // in memory
    localparam PACKED_W = SCALARS * DATA_W;

    // ------------------------------------------------------------------ beats of a burst
    reg  [7:0] beat_q;                // beats of the burst that are gone
    wire       beat_take;
    wire       beat_last = beat_q == note_len;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)         beat_q <= 8'd0;
        else if (beat_take) beat_q <= beat_last ? 8'd0 : beat_q + 8'd1;
    end

    assign note_take = beat_take && beat_last;

    localparam W_DEPTH = 4;
    localparam W_W     = $clog2(W_DEPTH + 2);
    localparam [W_W-1:0] W_WORDS = W_DEPTH[W_W-1:0] + 1'b1; // that wait for the bus
    wire                w_push;
    wire                w_bank;
    wire                w_last;
    wire [PACKED_W-1:0] w_packed;
    wire [PACKED_W-1:0] out_packed;
    wire [W_W-1:0]      w_count;
    wire                w_room = w_count != W_WORDS;

    fifo_reg #(.W(PACKED_W + 2), .DEPTH(W_DEPTH)) u_w (
        .clk(clk), .rst_n(rst_n),
        .in_valid(w_push), .in_data({w_bank, w_last, w_packed}), .count(w_count),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_data({out_bank, out_last, out_packed})
    );

    assign out_strb  = {BYTES{1'b1}};
    assign w_push    = beat_take;
    assign {w_bank, w_last} = {note_bank, beat_last};
    assign beat_take   = note_valid && vector_valid && w_room;
    assign vector_take = beat_take;
    assign w_packed    = vector;

    // ------------------------------------------------------------------ scalars in memory
    genvar i;
    generate
        for (i = 0; i < SCALARS; i = i + 1) begin : gen_scalar
            assign out_data[i*LANE_W +: LANE_W] = out_packed[i*DATA_W +: DATA_W];
        end
    endgenerate

endmodule

`default_nettype wire
