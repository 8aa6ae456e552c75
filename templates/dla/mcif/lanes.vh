    wire [N-1:0]      rsp_hit;
    wire              rsp_atom;
    wire              whole;          // the last atom of the beat leaves
    wire [LANE_W-1:0] first_lane;
    wire [LANE_W-1:0] last_lane;
    wire [${bus_bits - 1:3}:0]      beat_data;
    reg               busy_q;         // this beat has given an atom
    reg  [LANE_W-1:0] lane_q;         // next atom if busy

    fifo_sync #(.W(N + 2*LANE_W + ${bus_bits}), .DEPTH(4)) u_beats (
        .clk(clk), .rst_n(rst_n),
        .in_valid(${weights_apart ? "in_valid" : "r_rvalid && open_q"}), .in_ready(in_ready),
        .in_data({hit, note_first, note_last | {LANE_W{!r_rlast}}, r_rdata}),
        .out_valid(rsp_atom), .out_ready(whole),
        .out_data({rsp_hit, first_lane, last_lane, beat_data})
    );

    wire [LANE_W-1:0] lane = busy_q ? lane_q : first_lane;
    wire [ATOM_W-1:0] atom = beat_data[lane*ATOM_W +: ATOM_W];

    assign whole = lane == last_lane;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)        busy_q <= 1'b0;
        else if (rsp_atom) busy_q <= !whole;
    end

    always @(posedge clk) begin
        if (rsp_atom) lane_q <= lane + {{(LANE_W-1){1'b0}}, 1'b1};
    end
