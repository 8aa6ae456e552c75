// ${MIF} read side: cuts requests into AXI transactions and steers the answers by rid.
//
// Contract: one transaction per cycle, also for clients that ask for one atom at a time; AR one
// cycle after the request, answer one cycle after R. A request stays at its port until its last
// transaction is on the way; in between only the number of atoms already asked for is kept.
//
//     request  addr ------- + ----> araddr       a transaction ends at an aligned block of
//              size ------- == ---> ready        ${burst_atoms} atoms or with the request
//     offset_ram[client] ---'-- +n --> offset_ram[client]
//
// A transaction waits while it could bring more than rd_os_cnt + 1 beats in flight.
// Reset: nothing asked for. What AXI was asked for before comes all the same: AR and the count of
// beats in flight know no reset but por_n, and until the count is 0 nothing new is asked for and
// answers go to nobody.
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
    output wire                       ${mif}2${c.name}_rd_rsp_valid,  // cannot stall
    output wire [${atom_bits - 1:3}:0]               ${mif}2${c.name}_rd_rsp_data,
//% end

    output wire                       ar_arvalid,
    input  wire                       ar_arready,
    output wire [7:0]                 ar_arid,
    output wire [3:0]                 ar_arlen,               // beats - 1
    output wire [${addr_w - 1:2}:0]                ar_araddr,
    input  wire                       r_rvalid,
    output wire                       r_rready,
    input  wire [3:0]                 r_rid,
//% if atoms_per_beat > 1
    input  wire                       r_rlast,
//% end
    input  wire [${bus_bits - 1:3}:0]               r_rdata
);

    localparam N      = ${rd_count};                // clients
    localparam ID_W   = ${clog2(rd_count)};
    localparam LSB    = ${atom_lsb};                // address bits inside an atom
    localparam POS_W  = ${addr_w - atom_lsb:2};               // address bits of atoms
    localparam ATOM_W = ${atom_bits};
//% if burst_atoms > 1
    localparam BLK_W  = ${clog2(burst_atoms)};                // a block has 2^BLK_W atoms
//% end
//% if max_burst > 1
    localparam LEN_W  = ${clog2(max_burst)};                // a transaction up to 2^LEN_W beats
//% end
//% if atoms_per_beat > 1
    localparam LANE_W = ${clog2(atoms_per_beat)};                // a beat has 2^LANE_W atoms
//% end

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] req;
    wire [N-1:0] grant;
    wire         go;                  // a transaction enters the AR register
    reg          open_q;              // all answers from before the reset are in
//% if atoms_per_beat > 1
    wire [N-1:0] lanes_ready;         // room for one more note which atoms are wanted
//% end

    // All requests side by side, client 0 in the low bits.
    localparam [4*N-1:0] IDS = {${rd_ids}};
    wire [N*POS_W-1:0] req_base;      // first atom
    wire [N*15-1:0]    req_size;      // atoms - 1

//% for c in rd_clients
    assign req[${c.index}]                      = ${c.name}2${mif}_rd_req_valid${c.and_ready};
    assign req_base[${c.index}*POS_W +: POS_W] = ${c.name}2${mif}_rd_req_addr[LSB +: POS_W];
    assign req_size[${c.index}*15 +: 15]       = ${c.name}2${mif}_rd_req_size;
//% end

    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
            ${rd_weights}
        }),
        .advance (go),
        .grant   (grant)
    );

    // The granted request; low address bits are 0.
    reg [POS_W-1:0] base;
    reg [14:0]      size;
    reg [ID_W-1:0]  client;
    reg [3:0]       id;               // on AXI
    integer         k;

    always @* begin
        base   = {POS_W{1'b0}};
        size   = 15'd0;
        client = {ID_W{1'b0}};
        id     = 4'd0;
        for (k = 0; k < N; k = k + 1) begin
            base   = base   | (req_base[k*POS_W +: POS_W] & {POS_W{grant[k]}});
            size   = size   | (req_size[k*15 +: 15] & {15{grant[k]}});
            client = client | (k[ID_W-1:0] & {ID_W{grant[k]}});
            id     = id     | (IDS[k*4 +: 4] & {4{grant[k]}});
        end
    end

    wire unused_low = &{
        ${rd_low_bits}
    };

    // ------------------------------------------------------------------ cut
    reg  [N-1:0]     part_q;          // begun: the RAM holds the atoms already asked for
    wire             part = (grant & part_q) != {N{1'b0}};
    wire [14:0]      offset_ram;
    wire [14:0]      offset = offset_ram & {15{part}};
    wire [POS_W-1:0] pos    = base + {{(POS_W-15){1'b0}}, offset};
//% if burst_atoms > 1
    wire [14:0]      left   = size - offset;                          // atoms - 1
    wire [BLK_W-1:0] at     = pos[BLK_W-1:0];
    wire             ends   = left <= {{(15-BLK_W){1'b0}}, ~at};
    wire [BLK_W-1:0] more   = ends ? left[BLK_W-1:0] : ~at;           // atoms - 1
    wire [BLK_W-1:0] upto   = at + more;                              // last atom
    wire [14:0]      next   = offset + {{(15-BLK_W){1'b0}}, more} + 15'd1;
//% else
    wire             ends   = offset == size;
    wire [14:0]      next   = offset + 15'd1;
//% end

    sram_dist_1r1w #(.W(15), .DEPTH(N)) u_offset (
        .clk(clk), .we(go), .waddr(client), .wdata(next), .raddr(client), .rdata(offset_ram)
    );

    wire [N-1:0] done = grant & {N{go && ends}};

//% for c in rd_clients
    assign ${c.name}2${mif}_rd_req_ready = done[${c.index}];
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)  part_q <= {N{1'b0}};
        else if (go) part_q <= (part_q | grant) & ~done;
    end

    // ------------------------------------------------------------------ AR, beats in flight
    reg        ar_valid_q;
    reg [3:0]  ar_id_q;
    reg [${bus_pos_w - 1:2}:0] ar_beat_q;          // address in beats
    reg [8:0]  in_flight_q;
    wire       beat = r_rvalid && r_rready;
//% if max_burst > 1
    reg  [LEN_W-1:0] ar_len_q;
    wire [LEN_W-1:0] len  = upto[BLK_W-1 -: LEN_W] - at[BLK_W-1 -: LEN_W];
    wire [8:0]       more_beats = {{(9-LEN_W){1'b0}}, len} + 9'd1;
    wire [8:0]       plus = more_beats & {9{go}};
    // A limit below the longest transaction means one transaction at a time.
    wire             room = in_flight_q + 9'd${max_burst - 1} <= {1'b0, rd_os_cnt} || rd_idle;
//% else
    wire [8:0]       plus = {8'd0, go};
    wire             room = in_flight_q <= {1'b0, rd_os_cnt};
//% end

    assign go         = req != {N{1'b0}} && room && open_q && (!ar_valid_q || ar_arready);
    assign rd_idle    = in_flight_q == 9'd0;
    assign ar_arvalid = ar_valid_q;
    assign ar_arid    = {4'd0, ar_id_q};
    assign ar_araddr  = {ar_beat_q, ${bus_lsb}'d0};
//% if max_burst > 1
    assign ar_arlen   = {{(4-LEN_W){1'b0}}, ar_len_q};
//% else
    assign ar_arlen   = 4'd0;
//% end

    always @(posedge clk or negedge por_n) begin
        if (!por_n) begin
            ar_valid_q  <= 1'b0;
            in_flight_q <= 9'd0;
        end else begin
            ar_valid_q  <= go || (ar_valid_q && !ar_arready);
            in_flight_q <= in_flight_q + plus - {8'd0, beat};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       open_q <= 1'b0;
        else if (rd_idle) open_q <= 1'b1;
    end

    always @(posedge clk) begin
        if (go) begin
            ar_id_q   <= id;
            ar_beat_q <= pos[POS_W-1 -: ${bus_pos_w}];
//% if max_burst > 1
            ar_len_q  <= len;
//% end
        end
    end

    // ------------------------------------------------------------------ answers
    wire [N-1:0] hit;                 // client of this beat
    genvar       c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_hit
            assign hit[c] = r_rid == IDS[c*4 +: 4];
        end
    endgenerate

//% if atoms_per_beat > 1
    // Which atoms of a transaction are wanted: all from `first` in its first beat to `last` in its
    // last one. Beats of different clients may interleave.
    wire [2*N*LANE_W-1:0] notes;      // {first, last} per client
    wire [N-1:0]          pop = hit & {N{beat && r_rlast}};

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_lanes
            wire unused_note;         // an answer without a request cannot be

            fifo_sync #(.W(2*LANE_W), .DEPTH(${lane_notes})) u_notes (
                .clk       (clk),
                .rst_n     (rst_n),
                .in_valid  (go && grant[c]),
                .in_ready  (lanes_ready[c]),
                .in_data   ({at[LANE_W-1:0], upto[LANE_W-1:0]}),
                .out_valid (unused_note),
                .out_ready (pop[c]),
                .out_data  (notes[2*c*LANE_W +: 2*LANE_W])
            );
        end
    endgenerate

    reg  [LANE_W-1:0] first;
    reg  [LANE_W-1:0] last;
    reg  [N-1:0]      mid_q;          // client is between two beats of a transaction
    reg               busy_q;         // this beat has given an atom
    reg  [LANE_W-1:0] lane_q;         // next atom if busy
    integer           i;

    always @* begin
        first = {LANE_W{1'b0}};
        last  = {LANE_W{1'b0}};
        for (i = 0; i < N; i = i + 1) begin
            first = first | (notes[(2*i+1)*LANE_W +: LANE_W] & {LANE_W{hit[i] && !mid_q[i]}});
            last  = last  | (notes[2*i*LANE_W +: LANE_W] & {LANE_W{hit[i]}});
        end
    end

    wire [LANE_W-1:0] lane = busy_q ? lane_q : first;
    wire              whole = lane == (r_rlast ? last : {LANE_W{1'b1}});
    wire [ATOM_W-1:0] atom = r_rdata[lane*ATOM_W +: ATOM_W];

    // Id and rlast are anything while there is no beat.
    assign r_rready = !r_rvalid || whole || !open_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            mid_q  <= {N{1'b0}};
            busy_q <= 1'b0;
        end else if (r_rvalid && open_q) begin
            busy_q <= !whole;
            if (whole) mid_q <= r_rlast ? mid_q & ~hit : mid_q | hit;
        end
    end

    always @(posedge clk) begin
        if (r_rvalid) lane_q <= lane + {{(LANE_W-1){1'b0}}, 1'b1};
    end
//% else
    wire [ATOM_W-1:0] atom = r_rdata;

    assign r_rready = 1'b1;
//% end

    reg [N-1:0]      rsp_valid_q;
    reg [ATOM_W-1:0] rsp_data_q;      // one for all clients

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid_q <= {N{1'b0}};
        else        rsp_valid_q <= hit & {N{r_rvalid && open_q}};
    end

    always @(posedge clk) begin
        if (r_rvalid) rsp_data_q <= atom;
    end

//% for c in rd_clients
    assign ${mif}2${c.name}_rd_rsp_valid = rsp_valid_q[${c.index}];
    assign ${mif}2${c.name}_rd_rsp_data  = rsp_data_q;
//% end

endmodule

`default_nettype wire
