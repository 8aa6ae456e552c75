// Made by macrame 0.1.0 from templates/dla/mcif/dla_mcif_rd.v
// with addr_w=32 atom_bits=64 atom_lsb=3 atoms_per_beat=1 burst_atoms=1 bus_bits=64 bus_lsb=3
// bus_pos_w=29 max_burst=1 rd_count=7

// MCIF read side: cuts requests into AXI transactions and steers the answers by rid.
//
// Contract: one transaction per cycle, also for clients that ask for one atom at a time; AR one
// cycle after the request, answer one cycle after R. A request stays at its port until its last
// transaction is on the way; in between only the number of atoms already asked for is kept.
//
//     request  addr ------- + ----> araddr       a transaction ends at an aligned block of
//              size ------- == ---> ready        1 atoms or with the request
//     offset_ram[client] ---'-- +n --> offset_ram[client]
//
// A transaction waits while it could bring more than rd_os_cnt + 1 beats in flight.
// Reset: nothing asked for. What AXI was asked for before comes all the same: AR and the count of
// beats in flight know no reset but por_n, and until the count is 0 nothing new is asked for and
// answers go to nobody.
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
    localparam ID_W   = 3;
    localparam LSB    = 3;                // address bits inside an atom
    localparam POS_W  = 29;               // address bits of atoms
    localparam ATOM_W = 64;

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] req;
    wire [N-1:0] grant;
    wire         go;                  // a transaction enters the AR register
    reg          open_q;              // all answers from before the reset are in

    // All requests side by side, client 0 in the low bits.
    localparam [4*N-1:0] IDS = {4'd3, 4'd2, 4'd6, 4'd5, 4'd1, 4'd9, 4'd8};
    wire [N*POS_W-1:0] req_base;      // first atom
    wire [N*15-1:0]    req_size;      // atoms - 1

    assign req[0]                      = cdma_dat2mcif_rd_req_valid;
    assign req_base[0*POS_W +: POS_W] = cdma_dat2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[0*15 +: 15]       = cdma_dat2mcif_rd_req_size;
    assign req[1]                      = cdma_wt2mcif_rd_req_valid;
    assign req_base[1*POS_W +: POS_W] = cdma_wt2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[1*15 +: 15]       = cdma_wt2mcif_rd_req_size;
    assign req[2]                      = sdp2mcif_rd_req_valid;
    assign req_base[2*POS_W +: POS_W] = sdp2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[2*15 +: 15]       = sdp2mcif_rd_req_size;
    assign req[3]                      = sdp_b2mcif_rd_req_valid;
    assign req_base[3*POS_W +: POS_W] = sdp_b2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[3*15 +: 15]       = sdp_b2mcif_rd_req_size;
    assign req[4]                      = sdp_n2mcif_rd_req_valid;
    assign req_base[4*POS_W +: POS_W] = sdp_n2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[4*15 +: 15]       = sdp_n2mcif_rd_req_size;
    assign req[5]                      = pdp2mcif_rd_req_valid;
    assign req_base[5*POS_W +: POS_W] = pdp2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[5*15 +: 15]       = pdp2mcif_rd_req_size;
    assign req[6]                      = cdp2mcif_rd_req_valid;
    assign req_base[6*POS_W +: POS_W] = cdp2mcif_rd_req_addr[LSB +: POS_W];
    assign req_size[6*15 +: 15]       = cdp2mcif_rd_req_size;

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
        cdp2mcif_rd_req_addr[LSB-1:0],
        pdp2mcif_rd_req_addr[LSB-1:0],
        sdp_n2mcif_rd_req_addr[LSB-1:0],
        sdp_b2mcif_rd_req_addr[LSB-1:0],
        sdp2mcif_rd_req_addr[LSB-1:0],
        cdma_wt2mcif_rd_req_addr[LSB-1:0],
        cdma_dat2mcif_rd_req_addr[LSB-1:0]
    };

    // ------------------------------------------------------------------ cut
    reg  [N-1:0]     part_q;          // begun: the RAM holds the atoms already asked for
    wire             part = (grant & part_q) != {N{1'b0}};
    wire [14:0]      offset_ram;
    wire [14:0]      offset = offset_ram & {15{part}};
    wire [POS_W-1:0] pos    = base + {{(POS_W-15){1'b0}}, offset};
    wire             ends   = offset == size;
    wire [14:0]      next   = offset + 15'd1;

    sram_dist_1r1w #(.W(15), .DEPTH(N)) u_offset (
        .clk(clk), .we(go), .waddr(client), .wdata(next), .raddr(client), .rdata(offset_ram)
    );

    wire [N-1:0] done = grant & {N{go && ends}};

    assign cdma_dat2mcif_rd_req_ready = done[0];
    assign cdma_wt2mcif_rd_req_ready = done[1];
    assign sdp2mcif_rd_req_ready = done[2];
    assign sdp_b2mcif_rd_req_ready = done[3];
    assign sdp_n2mcif_rd_req_ready = done[4];
    assign pdp2mcif_rd_req_ready = done[5];
    assign cdp2mcif_rd_req_ready = done[6];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)  part_q <= {N{1'b0}};
        else if (go) part_q <= (part_q | grant) & ~done;
    end

    // ------------------------------------------------------------------ AR, beats in flight
    reg        ar_valid_q;
    reg [3:0]  ar_id_q;
    reg [28:0] ar_beat_q;          // address in beats
    reg [8:0]  in_flight_q;
    wire       beat = r_rvalid && r_rready;
    wire [8:0]       plus = {8'd0, go};
    wire             room = in_flight_q <= {1'b0, rd_os_cnt};

    assign go         = req != {N{1'b0}} && room && open_q && (!ar_valid_q || ar_arready);
    assign rd_idle    = in_flight_q == 9'd0;
    assign ar_arvalid = ar_valid_q;
    assign ar_arid    = {4'd0, ar_id_q};
    assign ar_araddr  = {ar_beat_q, 3'd0};
    assign ar_arlen   = 4'd0;

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
            ar_beat_q <= pos[POS_W-1 -: 29];
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

    wire [ATOM_W-1:0] atom = r_rdata;

    assign r_rready = 1'b1;

    reg [N-1:0]      rsp_valid_q;
    reg [ATOM_W-1:0] rsp_data_q;      // one for all clients

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rsp_valid_q <= {N{1'b0}};
        else        rsp_valid_q <= hit & {N{r_rvalid && open_q}};
    end

    always @(posedge clk) begin
        if (r_rvalid) rsp_data_q <= atom;
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
