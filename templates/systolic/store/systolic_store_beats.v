// Bytes of steps to beats of the bus.
//
//   lanes -> rotate -> with those that wait -> FIFO -> W
//                 \--> bytes of the next beat wait
//
// Latency: 2 cycles from a step to the bus. One step per cycle, does not stall: who hands on a
// step that sends a beat knows of a place in the FIFO, which has ${store_places}. Reset: no beat.
`default_nettype none

module systolic_store_beats (
    input  wire         clk,
    input  wire         rst_n,

    // steps
    input  wire         step_valid,
    input  wire         step_sends,   // its beat is full, or the last one of the run
    input  wire         step_last,    // that beat is the last one of its burst
    input  wire         step_tail,    // no bytes: those that wait are sent
    input  wire         step_crosses, // into the next beat
    input  wire [${clog2(axi_bytes) - 1}:0]   step_lane,    // of the first and the last byte
    input  wire [${clog2(axi_bytes) - 1}:0]   step_final,
    input  wire [${clog2(axi_bytes) - 1}:0]   step_turn,    // to the lane of the first byte from that of its bank
    input  wire [${axi_data_width - 1}:0] lanes,

    // beats
    output wire         wvalid,
    input  wire         wready,
    output wire         wlast,
    output wire [${axi_bytes - 1}:0]  wstrb,
    output wire [${axi_data_width - 1}:0] wdata
);

    localparam BYTES  = ${axi_bytes};
    localparam LANE_W = ${clog2(axi_bytes)};
    localparam PLACES = ${store_places};

    // ------------------------------------------------------------------ rotate
    reg                valid_q;
    reg                sends_q;
    reg                last_q;
    reg  [BYTES-1:0]   here_q;        // lanes with bytes of this beat
    reg  [BYTES-1:0]   next_q;        // of the next one
    reg  [8*BYTES-1:0] data_q;
    wire [8*BYTES-1:0] turned;
    integer            l, m;

    systolic_rotate #(.BYTES(BYTES)) u_rotate (.in(lanes), .by(step_turn), .out(turned));

    always @(posedge clk) begin
        sends_q <= step_sends;
        last_q  <= step_last;
        data_q  <= turned;
        for (l = 0; l < BYTES; l = l + 1) begin
            here_q[l] <= !step_tail && l[LANE_W-1:0] >= step_lane
                         && (step_crosses || l[LANE_W-1:0] <= step_final);
            next_q[l] <= !step_tail && step_crosses && l[LANE_W-1:0] <= step_final;
        end
    end

    // ------------------------------------------------------------------ beats
    reg  [BYTES-1:0]   waits_q;       // lanes with bytes that wait for the rest of their beat
    reg  [8*BYTES-1:0] waiting_q;
    reg  [8*BYTES-1:0] beat;
    wire [$clog2(PLACES + 2)-1:0] unused_count;

    always @* begin
        for (m = 0; m < BYTES; m = m + 1)
            beat[8*m +: 8] = waits_q[m] ? waiting_q[8*m +: 8] : data_q[8*m +: 8];
    end

    always @(posedge clk) begin
        if (valid_q) waiting_q <= sends_q ? data_q : beat;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            waits_q <= {BYTES{1'b0}};
        end else begin
            valid_q <= step_valid;
            if (valid_q) waits_q <= sends_q ? next_q : waits_q | here_q;
        end
    end

    fifo_reg #(.W(9*BYTES + 1), .DEPTH(PLACES)) u_beats (
        .clk(clk), .rst_n(rst_n),
        .in_valid(valid_q && sends_q), .in_data({last_q, waits_q | here_q, beat}),
        .count(unused_count),
        .out_valid(wvalid), .out_ready(wready), .out_data({wlast, wstrb, wdata})
    );

endmodule

`default_nettype wire
