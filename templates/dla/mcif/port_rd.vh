// ${MIF} read side: cuts requests into AXI transactions and steers the answers by rid.
//
// Contract: one transaction per cycle, also for clients that ask for one atom at a time. Latency in
// cycles: request to AR 2, R to client ${rsp_latency}. Each client has a place for one request.
//
//     request --> place of the client --> turn --> base + turns before --> FIFO --> AR
//
//% if burst_atoms > 1
// A transaction ends at an aligned block of ${burst_atoms} atoms or with the request, so the first is cut
// to a block border and a client's turns are blocks in a row.
//% else
// A transaction is one atom.
//% end
// A request may get its turn in the cycle in which it arrives. Grants know that the FIFO has room,
// nothing stalls behind them.
//% if max_burst > 1
// A transaction waits while it could bring more than rd_os_cnt + 1 beats in flight, unless nothing
// is in flight.
//% else
// A transaction waits while it would bring more than rd_os_cnt + 1 beats in flight.
//% end
// Reset: nothing asked for. What AXI may have seen comes all the same: the FIFO in front of AR and
// the count of beats in flight know no reset but por_n, and until the count is 0 nothing new is
// asked for and answers go to nobody.
`default_nettype none

module dla_${mif}_rd (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    input  wire [7:0]                 rd_os_cnt,              // beats in flight - 1
    output wire                       rd_idle,                // nothing in flight
//% for c in rd_clients

    input  wire [7:0]                 rd_weight_${c.name},
    input  wire                       ${c.name}2${mif}_rd_req_valid,
    output wire                       ${c.name}2${mif}_rd_req_ready,
    input  wire [${addr_w - 1:2}:0]                ${c.name}2${mif}_rd_req_addr,   // atom aligned
    input  wire [14:0]                ${c.name}2${mif}_rd_req_size,   // atoms - 1
    output wire ${c.atoms > 1 ? "[  1:0]" : "       "}               ${mif}2${c.name}_rd_rsp_valid,  // cannot stall
    output wire [${c.atoms * atom_bits - 1:3}:0]               ${mif}2${c.name}_rd_rsp_data,
//% end

    output wire                       ar_arvalid,
    input  wire                       ar_arready,
    output wire [7:0]                 ar_arid,
    output wire [3:0]                 ar_arlen,               // beats - 1
    output wire [${addr_w - 1:2}:0]                ar_araddr,
    input  wire                       r_rvalid,
    output wire                       r_rready,
    input  wire [3:0]                 r_rid,
    input  wire                       r_rlast,  //% if atoms_per_beat > 1
    input  wire [${bus_bits - 1:3}:0]               r_rdata
);

    localparam N      = ${rd_count};                // clients
    localparam LSB    = ${atom_lsb};                // address bits inside an atom
    localparam POS_W  = ${addr_w - atom_lsb:2};               // address bits of atoms
    localparam ATOM_W = ${atom_bits};
    localparam BLK_W  = ${clog2(burst_atoms)};                // a block has 2^BLK_W atoms  //% if burst_atoms > 1
    localparam LEN_W  = ${clog2(max_burst)};                // a transaction up to 2^LEN_W beats  //% if max_burst > 1
//% if atoms_per_beat > 1
    localparam LANE_W = ${clog2(atoms_per_beat)};                // a beat has 2^LANE_W atoms
//% end

    // ------------------------------------------------------------------ requests
    localparam [4*N-1:0] IDS = {4'd${join(rd_ids, ", 4'd")}};
    wire [N-1:0]       in_valid;      // all requests side by side, client 0 in the low bits
    wire [N*POS_W-1:0] in_base;       // first atom
    wire [N*15-1:0]    in_size;       // atoms - 1
    reg  [N-1:0]       full_q;        // the place of the client holds a request that wants turns
    wire [N-1:0]       taken;         // the same for the clients

//% for c in rd_clients
    assign in_valid[${c.index}]                = ${c.name}2${mif}_rd_req_valid;
    assign in_base[${c.index}*POS_W +: POS_W] = ${c.name}2${mif}_rd_req_addr[LSB +: POS_W];
    assign in_size[${c.index}*15 +: 15]       = ${c.name}2${mif}_rd_req_size;
    assign ${c.name}2${mif}_rd_req_ready = !taken[${c.index}];
//% end

    wire unused_low = &{
//% for c in rd_clients_down
        ${c.name}2${mif}_rd_req_addr[LSB-1:0]${c.index > 0 ? "," : ""}
//% end
    };

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] asks = in_valid | full_q;
    wire [N-1:0] grant;               // one turn is one transaction
    wire [N-1:0] last;                // this turn is the last one of the request
    reg          may_q;               // there is room for a transaction
    reg  [N-1:0] grant_q;             // the turn of the cycle before, 0 if there was none
//% if atoms_per_beat > 1
    reg  [N-1:0] lanes_ready_q;       // room for one more note which atoms are wanted
    wire [N-1:0] req  = asks & lanes_ready_q;
//% else
    wire [N-1:0] req  = asks;
//% end
    wire [N-1:0] turn = grant & {N{may_q}};
    wire         go   = may_q && req != {N{1'b0}};

    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
//% for c in rd_clients_down
            rd_weight_${c.name}${c.index > 0 ? "," : ""}
//% end
        }),
        .advance (may_q),
        .grant   (grant)
    );

    wire [N-1:0] full = asks & ~(turn & last);     // in the next cycle

    reg_copy #(.W(N)) u_taken (.clk(clk), .rst_n(rst_n), .d(full), .q(taken));

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            full_q  <= {N{1'b0}};
            grant_q <= {N{1'b0}};
        end else begin
            full_q  <= full;
            grant_q <= turn;
        end
    end

    // The place of a client. It is looked at one cycle behind the grant and may be filled anew in
    // that cycle. left_q does not know of that grant either.
    reg  [N*POS_W-1:0] base_q;
    reg  [N*15-1:0]    left_q;        // turns behind the next one
//% if burst_atoms > 1
    reg  [N*BLK_W-1:0] end_q;         // last atom in its block
    reg  [N-1:0]       last_q;        // of grant_q
//% end
    genvar             c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_place
//% if burst_atoms > 1
            wire [15:0] reach = {1'b0, in_size[c*15 +: 15]}
                              + {{(16-BLK_W){1'b0}}, in_base[c*POS_W +: BLK_W]};
            wire [14:0] turns = {{(BLK_W-1){1'b0}}, reach[15:BLK_W]};
//% else
            wire [14:0] turns = in_size[c*15 +: 15];
//% end

            assign last[c] = full_q[c] ? left_q[c*15 +: 15] == {14'd0, grant_q[c]}
                                       : turns == 15'd0;

            always @(posedge clk) begin
                left_q[c*15 +: 15] <= full_q[c] ? left_q[c*15 +: 15] - {14'd0, grant_q[c]} : turns;
                if (!full_q[c]) base_q[c*POS_W +: POS_W] <= in_base[c*POS_W +: POS_W];
//% if burst_atoms > 1
                if (!full_q[c]) end_q[c*BLK_W +: BLK_W] <= reach[BLK_W-1:0];
                last_q[c] <= last[c];
//% end
            end
        end
    endgenerate

    // ------------------------------------------------------------------ cut
    // One cycle behind the grant.
    reg [N*15-1:0]  had_q;            // turns that each client has had
    reg [POS_W-1:0] base;
    reg [14:0]      had;              // turns before this one
    reg [3:0]       id;               // on AXI
    reg [BLK_W-1:0] end_at;  //% if burst_atoms > 1
    integer         k;

    always @* begin
        base   = {POS_W{1'b0}};
        had    = 15'd0;
        id     = 4'd0;
        end_at = {BLK_W{1'b0}};  //% if burst_atoms > 1
        for (k = 0; k < N; k = k + 1) begin
            base   = base   | (base_q[k*POS_W +: POS_W] & {POS_W{grant_q[k]}});
            had    = had    | (had_q[k*15 +: 15] & {15{grant_q[k]}});
            id     = id     | (IDS[k*4 +: 4] & {4{grant_q[k]}});
            end_at = end_at | (end_q[k*BLK_W +: BLK_W] & {BLK_W{grant_q[k]}});  //% if burst_atoms > 1
        end
    end

    wire             sent = grant_q != {N{1'b0}};
    wire [14:0]      more = had + 15'd1;

    // A client that has had all its turns has left its place.
    generate
        for (c = 0; c < N; c = c + 1) begin : gen_had
            always @(posedge clk) begin
                if (!full_q[c])      had_q[c*15 +: 15] <= 15'd0;
                else if (grant_q[c]) had_q[c*15 +: 15] <= more;
            end
        end
    endgenerate

//% if burst_atoms > 1
    reg  [N-1:0]     begun_q;         // had turns
    wire             part = (grant_q & begun_q) != {N{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begun_q <= {N{1'b0}};
        else        begun_q <= (begun_q | grant_q) & full_q;
    end

    // Block, and first and last atom in it.
    wire             ends = (grant_q & last_q) != {N{1'b0}};
    wire [POS_W-BLK_W-1:0] block = base[POS_W-1:BLK_W]
                                 + {{(POS_W-BLK_W-15){1'b0}}, had};
    wire [BLK_W-1:0] at   = base[BLK_W-1:0] & ~{BLK_W{part}};
    wire [BLK_W-1:0] upto = end_at | {BLK_W{!ends}};
    wire [POS_W-1:0] pos  = {block, at};
    wire             unused_lane = &{1'b0, pos[LANE_W-1:0]};  //% if atoms_per_beat > 1
//% else
    wire [POS_W-1:0] pos  = base + {{(POS_W-15){1'b0}}, had};
//% end
    wire [LEN_W-1:0] len  = upto[BLK_W-1 -: LEN_W] - at[BLK_W-1 -: LEN_W];  //% if max_burst > 1

    // ------------------------------------------------------------------ AR
    localparam BEAT_W = ${bus_pos_w};               // address bits of beats
    wire [3:0]        ar_id;
    wire [BEAT_W-1:0] ar_beat;
    wire [3:0]        waiting;        // transactions in the FIFO
//% if max_burst > 1
    wire [LEN_W-1:0]  ar_len;

    fifo_reg #(.W(BEAT_W + 4 + LEN_W), .DEPTH(8)) u_ar (
        .clk(clk), .rst_n(por_n),
        .in_valid(sent), .in_data({len, id, pos[POS_W-1 -: BEAT_W]}), .count(waiting),
        .out_valid(ar_arvalid), .out_ready(ar_arready), .out_data({ar_len, ar_id, ar_beat})
    );
//% else

    fifo_reg #(.W(BEAT_W + 4), .DEPTH(8)) u_ar (
        .clk(clk), .rst_n(por_n),
        .in_valid(sent), .in_data({id, pos[POS_W-1 -: BEAT_W]}), .count(waiting),
        .out_valid(ar_arvalid), .out_ready(ar_arready), .out_data({ar_id, ar_beat})
    );
//% end

    assign ar_arid   = {4'd0, ar_id};
    assign ar_araddr = {ar_beat, ${bus_lsb}'d0};
//% if max_burst == 16
    assign ar_arlen  = ar_len;
//% elif max_burst > 1
    assign ar_arlen  = {{(4-LEN_W){1'b0}}, ar_len};
//% else
    assign ar_arlen  = 4'd0;
//% end

    // ------------------------------------------------------------------ beats in flight
    // `claimed` counts from the grant on, `in_flight` from the FIFO on, which forgets nothing in a
    // reset.
    // A grant claims a longest transaction and gives back what it does not need.  //% if max_burst > 1
    reg  [8:0] in_flight_q;
    reg  [8:0] claimed_q;
    reg        idle_q;
    reg        open_q;                // all answers from before the reset are in
    wire       beat = r_rvalid && r_rready;
    wire [9:0] limit = {2'd0, rd_os_cnt};
    wire [9:0] claim = {1'b0, claimed_q};
    // Room in the next cycle, without and with a grant in this one, for a longest transaction.
//% if max_burst > 1
    // A limit below that means one transaction at a time.
    wire       room      = claim + 10'd${max_burst - 1} <= limit || claimed_q == 9'd0;
    wire       room_more = claim + 10'd${2 * max_burst - 1} <= limit;
    wire [8:0] sent_beats = {{(9-LEN_W){1'b0}}, len} + 9'd1;
    wire [8:0] claim_more = {9{go}} & 9'd${max_burst};
    wire [8:0] unused_claim = {9{sent}} & (9'd${max_burst} - sent_beats);
//% else
    wire       room      = claim <= limit;
    wire       room_more = claim < limit;
    wire [8:0] sent_beats = 9'd1;
    wire [8:0] claim_more = {8'd0, go};
    wire [8:0] unused_claim = 9'd0;
//% end
    reg  [8:0] back_q;                // beats that came, claims that were not used

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) back_q <= 9'd0;
        else        back_q <= unused_claim + {8'd0, beat && open_q};
    end

    assign rd_idle = idle_q;

    always @(posedge clk or negedge por_n) begin
        if (!por_n) begin
            in_flight_q <= 9'd0;
            idle_q      <= 1'b0;
        end else begin
            in_flight_q <= in_flight_q + ({9{sent}} & sent_beats) - {8'd0, beat};
            idle_q      <= in_flight_q == 9'd0 && claimed_q == 9'd0;
        end
    end

    // Three more may be on their way into the FIFO: of this cycle, the one before and the next.
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            open_q    <= 1'b0;
            may_q     <= 1'b0;
            claimed_q <= 9'd0;
        end else begin
            open_q    <= open_q || idle_q;
            may_q     <= open_q && waiting <= 4'd5 && (go ? room_more : room);
            claimed_q <= claimed_q + claim_more - back_q;
        end
    end

    // ------------------------------------------------------------------ answers
    wire [N-1:0] hit;                 // client of this beat

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_hit
            assign hit[c] = r_rid == IDS[c*4 +: 4];
        end
    endgenerate

//% if atoms_per_beat > 1
    // Which atoms of a transaction are wanted: all from the lane noted for its first beat to the
    // lane noted for its last one. Beats of different clients may interleave. A note is taken
    // behind the grant.
    localparam NOTES  = ${lane_notes};
    localparam NOTE_W = $clog2(NOTES + 1);
    wire [2*N*LANE_W-1:0] notes;      // {first, last} lane per client
    wire                  in_ready;
    wire                  in_beat = r_rvalid && in_ready && open_q;
    wire [N-1:0]          pop     = hit & {N{in_beat && r_rlast}};
    reg  [N-1:0]          mid_q;      // client is between two beats of a transaction

    assign r_rready = in_ready || !open_q;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_lanes
            wire              unused_ready;
            wire              unused_note; // an answer without a request cannot be
            reg  [NOTE_W-1:0] notes_q;

            fifo_sync #(.W(2*LANE_W), .DEPTH(NOTES)) u_notes (
                .clk       (clk),
                .rst_n     (rst_n),
                .in_valid  (grant_q[c]),
                .in_ready  (unused_ready),
                .in_data   ({at[LANE_W-1:0], upto[LANE_W-1:0]}),
                .out_valid (unused_note),
                .out_ready (pop[c]),
                .out_data  (notes[2*c*LANE_W +: 2*LANE_W])
            );

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    notes_q          <= {NOTE_W{1'b0}};
                    lanes_ready_q[c] <= 1'b0;
                end else begin
                    notes_q          <= notes_q + {{(NOTE_W-1){1'b0}}, grant_q[c]}
                                                - {{(NOTE_W-1){1'b0}}, pop[c]};
                    // Up to three more may be on their way.
                    lanes_ready_q[c] <= {1'b0, notes_q} + {{(NOTE_W-1){1'b0}}, 2'd3}
                                        <= {1'b0, NOTES[NOTE_W-1:0]};
                end
            end
        end
    endgenerate

    reg  [LANE_W-1:0] note_first;
    reg  [LANE_W-1:0] note_last;
    integer           i;

    always @* begin
        note_first = {LANE_W{1'b0}};
        note_last  = {LANE_W{1'b0}};
        for (i = 0; i < N; i = i + 1) begin
            note_first = note_first
                       | (notes[(2*i+1)*LANE_W +: LANE_W] & {LANE_W{hit[i] && !mid_q[i]}});
            note_last  = note_last | (notes[2*i*LANE_W +: LANE_W] & {LANE_W{hit[i]}});
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       mid_q <= {N{1'b0}};
        else if (in_beat) mid_q <= r_rlast ? mid_q & ~hit : mid_q | hit;
    end

//%   if weights_apart
    // Weights have a way of their own: the atoms of data come beside them. Beats from before the
    // reset are dropped.
//%     if wt.atoms > 1
    wire              ready, wt_ready;
    wire [1:0]        wt_valid;
    wire [2*ATOM_W-1:0] wt_data;
//%     else
    wire              ready, wt_ready;
    wire              wt_valid;
    wire [ATOM_W-1:0] wt_data;
//%     end
    wire [N-1:0]      rsp_valid;
    wire [ATOM_W-1:0] rsp_data;       // one for all other clients
    wire              unused_wt = rsp_valid[1];

    assign in_ready = ready && wt_ready;

    dla_${mif}_atoms #(.N(N)) u_atoms (
        .clk        (clk),
        .rst_n      (rst_n),
        .in_valid   (in_beat && !hit[1]),
        .in_ready   (ready),
        .hit        (hit),
        .note_first (note_first),
        .note_last  (note_last),
        .r_rlast    (r_rlast),
        .r_rdata    (r_rdata),
        .rsp_valid  (rsp_valid),
        .rsp_data   (rsp_data)
    );

//%     if wt.atoms > 1
    dla_${mif}_pairs u_wt_pairs (
        .clk        (clk),
        .rst_n      (rst_n),
        .in_valid   (in_beat && hit[1]),
        .in_ready   (wt_ready),
        .note_first (note_first),
        .note_last  (note_last),
        .r_rlast    (r_rlast),
        .r_rdata    (r_rdata),
        .rsp_valid  (wt_valid),
        .rsp_data   (wt_data)
    );
//%     else
    dla_${mif}_atoms #(.N(1)) u_wt_atoms (
        .clk        (clk),
        .rst_n      (rst_n),
        .in_valid   (in_beat && hit[1]),
        .in_ready   (wt_ready),
        .hit        (1'b1),
        .note_first (note_first),
        .note_last  (note_last),
        .r_rlast    (r_rlast),
        .r_rdata    (r_rdata),
        .rsp_valid  (wt_valid),
        .rsp_data   (wt_data)
    );
//%     end
//%   else
    // A beat waits here until its atoms are out; beats from before the reset are dropped.
//%     include "mcif/lanes.vh"
//%     include "mcif/answer.vh"
//%   end
//% else
    wire [N-1:0]      rsp_hit  = hit;
    wire              rsp_atom = r_rvalid && open_q;
    wire [ATOM_W-1:0] atom = r_rdata;

    assign r_rready = 1'b1;
//%   include "mcif/answer.vh"
//% end

//% for c in rd_clients
//%   let own = weights_apart && c.name == "cdma_wt"
//%   let q = weights_apart ? "" : "_q"
    assign ${mif}2${c.name}_rd_rsp_valid = wt_valid;  //% if own
    assign ${mif}2${c.name}_rd_rsp_data  = wt_data;  //% if own
    assign ${mif}2${c.name}_rd_rsp_valid = rsp_valid${q}[${c.index}];  //% if !own
    assign ${mif}2${c.name}_rd_rsp_data  = rsp_data${q};  //% if !own
//% end

endmodule

`default_nettype wire
