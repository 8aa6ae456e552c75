// Made by macrame 0.1.0 from templates/dla/mcif/dla_mcif_rd.v
// with addr_w=32 atom_bits=64 atom_lsb=3 atoms_per_beat=1 burst_atoms=1 bus_bits=64 bus_lsb=3
// bus_pos_w=29 max_burst=1 rd_count=7 rsp_latency=1 weights_apart=0

// MCIF read side: cuts requests into AXI transactions and steers the answers by rid.
//
// Contract: one transaction per cycle, also for clients that ask for one atom at a time. Latency in
// cycles: request to AR 2, R to client 1. Each client has a place for one request.
//
//     request --> place of the client --> turn --> base + turns before --> FIFO --> AR
//
// A transaction is one atom.
// A request may get its turn in the cycle in which it arrives. Grants know that the FIFO has room,
// nothing stalls behind them.
// A transaction waits while it would bring more than rd_os_cnt + 1 beats in flight.
// Reset: nothing asked for. What AXI may have seen comes all the same: the FIFO in front of AR and
// the count of beats in flight know no reset but por_n, and until the count is 0 nothing new is
// asked for and answers go to nobody.
`default_nettype none

module dla_mcif_rd (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    input  wire [7:0]                 rd_os_cnt,              // beats in flight - 1
    output wire                       rd_idle,                // nothing in flight

    input  wire [7:0]                 rd_weight_cdma_dat,
    input  wire                       cdma_dat2mcif_rd_req_valid,
    output wire                       cdma_dat2mcif_rd_req_ready,
    input  wire [31:0]                cdma_dat2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdma_dat2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdma_dat_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdma_dat_rd_rsp_data,

    input  wire [7:0]                 rd_weight_cdma_wt,
    input  wire                       cdma_wt2mcif_rd_req_valid,
    output wire                       cdma_wt2mcif_rd_req_ready,
    input  wire [31:0]                cdma_wt2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdma_wt2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdma_wt_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdma_wt_rd_rsp_data,

    input  wire [7:0]                 rd_weight_sdp,
    input  wire                       sdp2mcif_rd_req_valid,
    output wire                       sdp2mcif_rd_req_ready,
    input  wire [31:0]                sdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_rd_rsp_data,

    input  wire [7:0]                 rd_weight_sdp_b,
    input  wire                       sdp_b2mcif_rd_req_valid,
    output wire                       sdp_b2mcif_rd_req_ready,
    input  wire [31:0]                sdp_b2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp_b2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_b_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_b_rd_rsp_data,

    input  wire [7:0]                 rd_weight_sdp_n,
    input  wire                       sdp_n2mcif_rd_req_valid,
    output wire                       sdp_n2mcif_rd_req_ready,
    input  wire [31:0]                sdp_n2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp_n2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_n_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_n_rd_rsp_data,

    input  wire [7:0]                 rd_weight_pdp,
    input  wire                       pdp2mcif_rd_req_valid,
    output wire                       pdp2mcif_rd_req_ready,
    input  wire [31:0]                pdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                pdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2pdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2pdp_rd_rsp_data,

    input  wire [7:0]                 rd_weight_cdp,
    input  wire                       cdp2mcif_rd_req_valid,
    output wire                       cdp2mcif_rd_req_ready,
    input  wire [31:0]                cdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdp_rd_rsp_data,

    output wire                       ar_arvalid,
    input  wire                       ar_arready,
    output wire [7:0]                 ar_arid,
    output wire [3:0]                 ar_arlen,               // beats - 1
    output wire [31:0]                ar_araddr,
    input  wire                       r_rvalid,
    output wire                       r_rready,
    input  wire [3:0]                 r_rid,
    input  wire [ 63:0]               r_rdata
);

    localparam N      = 7;                // clients
    localparam LSB    = 3;                // address bits inside an atom
    localparam POS_W  = 29;               // address bits of atoms
    localparam ATOM_W = 64;

    // ------------------------------------------------------------------ requests
    localparam [4*N-1:0] IDS = {4'd3, 4'd2, 4'd6, 4'd5, 4'd1, 4'd9, 4'd8};
    wire [N-1:0]       in_valid;      // all requests side by side, client 0 in the low bits
    wire [N*POS_W-1:0] in_base;       // first atom
    wire [N*15-1:0]    in_size;       // atoms - 1
    reg  [N-1:0]       full_q;        // the place of the client holds a request that wants turns
    wire [N-1:0]       taken;         // the same for the clients

    assign in_valid[0]                = cdma_dat2mcif_rd_req_valid;
    assign in_base[0*POS_W +: POS_W] = cdma_dat2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[0*15 +: 15]       = cdma_dat2mcif_rd_req_size;
    assign cdma_dat2mcif_rd_req_ready = !taken[0];
    assign in_valid[1]                = cdma_wt2mcif_rd_req_valid;
    assign in_base[1*POS_W +: POS_W] = cdma_wt2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[1*15 +: 15]       = cdma_wt2mcif_rd_req_size;
    assign cdma_wt2mcif_rd_req_ready = !taken[1];
    assign in_valid[2]                = sdp2mcif_rd_req_valid;
    assign in_base[2*POS_W +: POS_W] = sdp2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[2*15 +: 15]       = sdp2mcif_rd_req_size;
    assign sdp2mcif_rd_req_ready = !taken[2];
    assign in_valid[3]                = sdp_b2mcif_rd_req_valid;
    assign in_base[3*POS_W +: POS_W] = sdp_b2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[3*15 +: 15]       = sdp_b2mcif_rd_req_size;
    assign sdp_b2mcif_rd_req_ready = !taken[3];
    assign in_valid[4]                = sdp_n2mcif_rd_req_valid;
    assign in_base[4*POS_W +: POS_W] = sdp_n2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[4*15 +: 15]       = sdp_n2mcif_rd_req_size;
    assign sdp_n2mcif_rd_req_ready = !taken[4];
    assign in_valid[5]                = pdp2mcif_rd_req_valid;
    assign in_base[5*POS_W +: POS_W] = pdp2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[5*15 +: 15]       = pdp2mcif_rd_req_size;
    assign pdp2mcif_rd_req_ready = !taken[5];
    assign in_valid[6]                = cdp2mcif_rd_req_valid;
    assign in_base[6*POS_W +: POS_W] = cdp2mcif_rd_req_addr[LSB +: POS_W];
    assign in_size[6*15 +: 15]       = cdp2mcif_rd_req_size;
    assign cdp2mcif_rd_req_ready = !taken[6];

    wire unused_low = &{
        cdp2mcif_rd_req_addr[LSB-1:0],
        pdp2mcif_rd_req_addr[LSB-1:0],
        sdp_n2mcif_rd_req_addr[LSB-1:0],
        sdp_b2mcif_rd_req_addr[LSB-1:0],
        sdp2mcif_rd_req_addr[LSB-1:0],
        cdma_wt2mcif_rd_req_addr[LSB-1:0],
        cdma_dat2mcif_rd_req_addr[LSB-1:0]
    };

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] asks = in_valid | full_q;
    wire [N-1:0] grant;               // one turn is one transaction
    wire [N-1:0] last;                // this turn is the last one of the request
    reg          may_q;               // there is room for a transaction
    reg  [N-1:0] grant_q;             // the turn of the cycle before, 0 if there was none
    wire [N-1:0] req  = asks;
    wire [N-1:0] turn = grant & {N{may_q}};
    wire         go   = may_q && req != {N{1'b0}};

    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
            rd_weight_cdp,
            rd_weight_pdp,
            rd_weight_sdp_n,
            rd_weight_sdp_b,
            rd_weight_sdp,
            rd_weight_cdma_wt,
            rd_weight_cdma_dat
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
    genvar             c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_place
            wire [14:0] turns = in_size[c*15 +: 15];

            assign last[c] = full_q[c] ? left_q[c*15 +: 15] == {14'd0, grant_q[c]}
                                       : turns == 15'd0;

            always @(posedge clk) begin
                left_q[c*15 +: 15] <= full_q[c] ? left_q[c*15 +: 15] - {14'd0, grant_q[c]} : turns;
                if (!full_q[c]) base_q[c*POS_W +: POS_W] <= in_base[c*POS_W +: POS_W];
            end
        end
    endgenerate

    // ------------------------------------------------------------------ cut
    // One cycle behind the grant.
    reg [N*15-1:0]  had_q;            // turns that each client has had
    reg [POS_W-1:0] base;
    reg [14:0]      had;              // turns before this one
    reg [3:0]       id;               // on AXI
    integer         k;

    always @* begin
        base   = {POS_W{1'b0}};
        had    = 15'd0;
        id     = 4'd0;
        for (k = 0; k < N; k = k + 1) begin
            base   = base   | (base_q[k*POS_W +: POS_W] & {POS_W{grant_q[k]}});
            had    = had    | (had_q[k*15 +: 15] & {15{grant_q[k]}});
            id     = id     | (IDS[k*4 +: 4] & {4{grant_q[k]}});
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

    wire [POS_W-1:0] pos  = base + {{(POS_W-15){1'b0}}, had};

    // ------------------------------------------------------------------ AR
    localparam BEAT_W = 29;               // address bits of beats
    wire [3:0]        ar_id;
    wire [BEAT_W-1:0] ar_beat;
    wire [3:0]        waiting;        // transactions in the FIFO

    fifo_reg #(.W(BEAT_W + 4), .DEPTH(8)) u_ar (
        .clk(clk), .rst_n(por_n),
        .in_valid(sent), .in_data({id, pos[POS_W-1 -: BEAT_W]}), .count(waiting),
        .out_valid(ar_arvalid), .out_ready(ar_arready), .out_data({ar_id, ar_beat})
    );

    assign ar_arid   = {4'd0, ar_id};
    assign ar_araddr = {ar_beat, 3'd0};
    assign ar_arlen  = 4'd0;

    // ------------------------------------------------------------------ beats in flight
    // `claimed` counts from the grant on, `in_flight` from the FIFO on, which forgets nothing in a
    // reset.
    reg  [8:0] in_flight_q;
    reg  [8:0] claimed_q;
    reg        idle_q;
    reg        open_q;                // all answers from before the reset are in
    wire       beat = r_rvalid && r_rready;
    wire [9:0] limit = {2'd0, rd_os_cnt};
    wire [9:0] claim = {1'b0, claimed_q};
    // Room in the next cycle, without and with a grant in this one, for a longest transaction.
    wire       room      = claim <= limit;
    wire       room_more = claim < limit;
    wire [8:0] sent_beats = 9'd1;
    wire [8:0] claim_more = {8'd0, go};
    wire [8:0] unused_claim = 9'd0;
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

    wire [N-1:0]      rsp_hit  = hit;
    wire              rsp_atom = r_rvalid && open_q;
    wire [ATOM_W-1:0] atom = r_rdata;

    assign r_rready = 1'b1;

    reg [N-1:0]      rsp_valid_q;
    reg [ATOM_W-1:0] rsp_data_q;      // one for all clients

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid_q <= {N{1'b0}};
        else        rsp_valid_q <= rsp_hit & {N{rsp_atom}};
    end

    always @(posedge clk) begin
        if (rsp_atom) rsp_data_q <= atom;
    end

    assign mcif2cdma_dat_rd_rsp_valid = rsp_valid_q[0];
    assign mcif2cdma_dat_rd_rsp_data  = rsp_data_q;
    assign mcif2cdma_wt_rd_rsp_valid = rsp_valid_q[1];
    assign mcif2cdma_wt_rd_rsp_data  = rsp_data_q;
    assign mcif2sdp_rd_rsp_valid = rsp_valid_q[2];
    assign mcif2sdp_rd_rsp_data  = rsp_data_q;
    assign mcif2sdp_b_rd_rsp_valid = rsp_valid_q[3];
    assign mcif2sdp_b_rd_rsp_data  = rsp_data_q;
    assign mcif2sdp_n_rd_rsp_valid = rsp_valid_q[4];
    assign mcif2sdp_n_rd_rsp_data  = rsp_data_q;
    assign mcif2pdp_rd_rsp_valid = rsp_valid_q[5];
    assign mcif2pdp_rd_rsp_data  = rsp_data_q;
    assign mcif2cdp_rd_rsp_valid = rsp_valid_q[6];
    assign mcif2cdp_rd_rsp_data  = rsp_data_q;

endmodule

`default_nettype wire
