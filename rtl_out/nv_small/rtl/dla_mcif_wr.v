// Made by macrame 0.1.0 from templates/dla/mcif/dla_mcif_wr.v
// with addr_w=32 atom_bits=64 atom_lsb=3 atoms_per_beat=1 bus_bits=64 bus_bytes=8 wr_count=3

// MCIF write side: one AXI transaction of one beat per atom.
//
// Contract: one atom per cycle; AW and W one cycle after the transfer, AXI takes them in any order.
// An answer (B) belongs to the oldest write with its id; ids may be answered in any order.
// `complete` follows the answer to a write with `last` by one cycle.
// A second `last` of a client waits until the first is complete. At most wr_os_cnt + 1 writes are
// in flight.
// Reset: no write but what AXI was given before, which goes on: AW, W and the count of writes in
// flight know no reset but por_n. Until the count is 0 no write is taken.
`default_nettype none

module dla_mcif_wr (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    input  wire [7:0]                 wr_os_cnt,              // writes in flight - 1
    output wire                       wr_idle,                // nothing in flight

    input  wire [7:0]                 wr_weight_sdp,
    input  wire                       sdp2mcif_wr_req_valid,
    output wire                       sdp2mcif_wr_req_ready,
    input  wire [31:0]                sdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               sdp2mcif_wr_req_data,
    input  wire                       sdp2mcif_wr_req_last,
    output wire                       mcif2sdp_wr_rsp_complete, // pulse

    input  wire [7:0]                 wr_weight_pdp,
    input  wire                       pdp2mcif_wr_req_valid,
    output wire                       pdp2mcif_wr_req_ready,
    input  wire [31:0]                pdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               pdp2mcif_wr_req_data,
    input  wire                       pdp2mcif_wr_req_last,
    output wire                       mcif2pdp_wr_rsp_complete, // pulse

    input  wire [7:0]                 wr_weight_cdp,
    input  wire                       cdp2mcif_wr_req_valid,
    output wire                       cdp2mcif_wr_req_ready,
    input  wire [31:0]                cdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               cdp2mcif_wr_req_data,
    input  wire                       cdp2mcif_wr_req_last,
    output wire                       mcif2cdp_wr_rsp_complete, // pulse

    output wire                       aw_awvalid,
    input  wire                       aw_awready,
    output wire [7:0]                 aw_awid,
    output wire [3:0]                 aw_awlen,
    output wire [31:0]                aw_awaddr,
    output wire                       w_wvalid,
    input  wire                       w_wready,
    output wire [ 63:0]               w_wdata,
    output wire [ 7:0]                w_wstrb,
    output wire                       w_wlast,
    input  wire                       b_bvalid,
    input  wire [3:0]                 b_bid,
    output wire                       b_bready
);

    localparam N      = 3;                // clients
    localparam LSB    = 3;                // address bits inside an atom
    localparam ADDR_W = 32;
    localparam ATOM_W = 64;

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] req;
    wire [N-1:0] is_last;
    wire [N-1:0] grant;
    wire         go;                  // a write enters the AW and W registers
    reg          open_q;              // all answers from before the reset are in
    reg  [N-1:0] ack_wait_q;          // a `last` of this client is in flight

    // All writes side by side, client 0 in the low bits.
    localparam [4*N-1:0] IDS = {4'd3, 4'd2, 4'd1};
    wire [N*ADDR_W-1:0] req_addr;
    wire [N*ATOM_W-1:0] req_data;

    assign req_addr[0*ADDR_W +: ADDR_W] = sdp2mcif_wr_req_addr;
    assign req_data[0*ATOM_W +: ATOM_W] = sdp2mcif_wr_req_data;
    assign req_addr[1*ADDR_W +: ADDR_W] = pdp2mcif_wr_req_addr;
    assign req_data[1*ATOM_W +: ATOM_W] = pdp2mcif_wr_req_data;
    assign req_addr[2*ADDR_W +: ADDR_W] = cdp2mcif_wr_req_addr;
    assign req_data[2*ATOM_W +: ATOM_W] = cdp2mcif_wr_req_data;

    assign is_last[0] = sdp2mcif_wr_req_last;
    assign req[0]     = sdp2mcif_wr_req_valid && !(is_last[0] && ack_wait_q[0]);
    assign sdp2mcif_wr_req_ready = go && grant[0];
    assign is_last[1] = pdp2mcif_wr_req_last;
    assign req[1]     = pdp2mcif_wr_req_valid && !(is_last[1] && ack_wait_q[1]);
    assign pdp2mcif_wr_req_ready = go && grant[1];
    assign is_last[2] = cdp2mcif_wr_req_last;
    assign req[2]     = cdp2mcif_wr_req_valid && !(is_last[2] && ack_wait_q[2]);
    assign cdp2mcif_wr_req_ready = go && grant[2];

    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
            wr_weight_cdp,
            wr_weight_pdp,
            wr_weight_sdp
        }),
        .advance (go),
        .grant   (grant)
    );

    // The granted write.
    reg [ADDR_W-1:0] addr;
    reg [ATOM_W-1:0] data;
    reg [3:0]        id;
    integer          k;

    always @* begin
        addr = {ADDR_W{1'b0}};
        data = {ATOM_W{1'b0}};
        id   = 4'd0;
        for (k = 0; k < N; k = k + 1) begin
            addr = addr | (req_addr[k*ADDR_W +: ADDR_W] & {ADDR_W{grant[k]}});
            data = data | (req_data[k*ATOM_W +: ATOM_W] & {ATOM_W{grant[k]}});
            id   = id   | (IDS[k*4 +: 4] & {4{grant[k]}});
        end
    end

    // ------------------------------------------------------------------ AW and W
    reg                  aw_valid_q;
    reg                  w_valid_q;
    reg [ADDR_W-LSB-1:0] pos_q;       // address in atoms
    reg [ATOM_W-1:0]     data_q;
    reg [8:0]            in_flight_q;
    wire                 unused_low = &{1'b0, addr[LSB-1:0]};

    wire [8:0] in_flight_d = in_flight_q + {8'd0, go} - {8'd0, b_bvalid};

    assign go = req != {N{1'b0}} && open_q && in_flight_q <= {1'b0, wr_os_cnt}
              && (!aw_valid_q || aw_awready) && (!w_valid_q || w_wready);

    always @(posedge clk or negedge por_n) begin
        if (!por_n) begin
            aw_valid_q  <= 1'b0;
            w_valid_q   <= 1'b0;
            in_flight_q <= 9'd0;
        end else begin
            aw_valid_q  <= go || (aw_valid_q && !aw_awready);
            w_valid_q   <= go || (w_valid_q && !w_wready);
            in_flight_q <= in_flight_d;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)       open_q <= 1'b0;
        else if (wr_idle) open_q <= 1'b1;
    end

    always @(posedge clk) begin
        if (go) begin
            pos_q  <= addr[ADDR_W-1:LSB];
            data_q <= data;
        end
    end

    assign wr_idle    = in_flight_q == 9'd0;
    assign aw_awvalid = aw_valid_q;
    assign aw_awlen   = 4'd0;
    assign aw_awaddr  = {pos_q, {LSB{1'b0}}};
    assign w_wvalid   = w_valid_q;
    assign w_wlast    = 1'b1;
    assign b_bready   = 1'b1;

    reg [3:0] id_q;

    assign aw_awid = {4'd0, id_q};

    always @(posedge clk) begin
        if (go) id_q <= id;
    end
    assign w_wdata    = data_q;
    assign w_wstrb    = {(ATOM_W/8){1'b1}};

    // ------------------------------------------------------------------ answers
    // Answers to a client come in the order of its writes: the one to a `last` is as many of them
    // away as writes of the client were in flight when it was sent.
    wire [N-1:0] mark = req & grant & is_last & {N{go}};
    reg  [N-1:0] complete_q;
    genvar       c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_complete
            wire       answer = b_bvalid && open_q && b_bid == IDS[c*4 +: 4];
            reg  [8:0] own_q;         // writes in flight
            wire [8:0] own_d = own_q + {8'd0, go && grant[c]} - {8'd0, answer};
            reg  [8:0] left_q;        // answers up to and with the one to `last`
            wire       acked = ack_wait_q[c] && answer && left_q == 9'd1;

            always @(posedge clk) begin
                if (mark[c])     left_q <= own_d;
                else if (answer) left_q <= left_q - 9'd1;
            end

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    ack_wait_q[c] <= 1'b0;
                    complete_q[c] <= 1'b0;
                    own_q         <= 9'd0;
                end else begin
                    ack_wait_q[c] <= mark[c] || (ack_wait_q[c] && !acked);
                    complete_q[c] <= acked;
                    own_q         <= own_d;
                end
            end
        end
    endgenerate

    assign mcif2sdp_wr_rsp_complete = complete_q[0];
    assign mcif2pdp_wr_rsp_complete = complete_q[1];
    assign mcif2cdp_wr_rsp_complete = complete_q[2];

endmodule

`default_nettype wire
