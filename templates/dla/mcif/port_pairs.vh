//% if atoms_per_beat > 2
// ${MIF} pairs: beats of memory become aligned pairs of atoms for weights. A beat waits here until
// its pairs are out.
//
// Contract: one pair per cycle, of which both atoms or one are wanted. Latency in cycles: 2.
// Reset: no beat.
//% else
// ${MIF} pairs: beats of memory are pairs of atoms for weights.
//
// Contract: one pair per cycle, of which both atoms or one are wanted. Latency in cycles: 1.
// Nothing waits. Reset: no beat.
//% end
`default_nettype none

module dla_${mif}_pairs (
    input  wire                       clk,
    input  wire                       rst_n,

    // beats
    input  wire                       in_valid,
    output wire                       in_ready,
    input  wire [${clog2(atoms_per_beat) - 1}:0]                 note_first,             // atoms that are wanted, if this is
    input  wire [${clog2(atoms_per_beat) - 1}:0]                 note_last,              // the first, the last beat
    input  wire                       r_rlast,
    input  wire [${bus_bits - 1:3}:0]               r_rdata,

    // pairs
    output reg  [1:0]                 rsp_valid,              // which atoms are there
    output reg  [${2 * atom_bits - 1:3}:0]               rsp_data
);

//% if atoms_per_beat > 2
    localparam PAIR_W = ${2 * atom_bits};
    localparam LANE_W = ${clog2(atoms_per_beat)};                // a beat has 2^LANE_W atoms
    wire              valid;
    wire              whole;          // the last pair of the beat leaves
    wire [LANE_W-1:0] first_lane;
    wire [LANE_W-1:0] last_lane;
    wire [${bus_bits - 1:3}:0]      beat_data;
    reg               busy_q;         // this beat has given a pair
    reg  [LANE_W-2:0] pair_q;         // next pair if busy

    fifo_sync #(.W(2*LANE_W + ${bus_bits}), .DEPTH(4)) u_beats (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_ready(in_ready),
        .in_data({note_first, note_last | {LANE_W{!r_rlast}}, r_rdata}),
        .out_valid(valid), .out_ready(whole),
        .out_data({first_lane, last_lane, beat_data})
    );

    wire [LANE_W-2:0] pair = busy_q ? pair_q : first_lane[LANE_W-1:1];
    wire              low  = busy_q || !first_lane[0];
    wire              high = !whole || last_lane[0];

    assign whole = pair == last_lane[LANE_W-1:1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     busy_q <= 1'b0;
        else if (valid) busy_q <= !whole;
    end

    always @(posedge clk) begin
        if (valid) pair_q <= pair + {{(LANE_W-2){1'b0}}, 1'b1};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid <= 2'b00;
        else        rsp_valid <= {high, low} & {2{valid}};
    end

    always @(posedge clk) begin
        if (valid) rsp_data <= beat_data[pair*PAIR_W +: PAIR_W];
    end
//% else
    assign in_ready = 1'b1;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid <= 2'b00;
        else        rsp_valid <= {note_last || !r_rlast, !note_first} & {2{in_valid}};
    end

    always @(posedge clk) begin
        if (in_valid) rsp_data <= r_rdata;
    end
//% end

endmodule

`default_nettype wire
