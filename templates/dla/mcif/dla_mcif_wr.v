// ${MIF} write side: one AXI transaction of one beat per atom.
//
// Contract: one atom per cycle; AW and W one cycle after the transfer, AXI takes them in any order.
// An answer (B) belongs to the oldest write with its id; ids may be answered in any order.
// `complete` follows the answer to a write with `last` by one cycle.
// A second `last` of a client waits until the first is complete. At most wr_os_cnt + 1 writes are
// in flight.
// Reset: no write but what AXI was given before, which goes on: AW, W and the count of writes in
// flight know no reset but por_n. Until the count is 0 no write is taken.
`default_nettype none

module dla_${mif}_wr (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    input  wire [7:0]                 wr_os_cnt,              // writes in flight - 1
    output wire                       wr_idle,                // nothing in flight
//% for c in wr_clients

//% if wr_count > 1
    input  wire [7:0]                 wr_weight_${c.name},
//% end
    input  wire                       ${c.name}2${mif}_wr_req_valid,
    output wire                       ${c.name}2${mif}_wr_req_ready,
    input  wire [${addr_w - 1:2}:0]                ${c.name}2${mif}_wr_req_addr,   // atom aligned
    input  wire [${atom_bits - 1:3}:0]               ${c.name}2${mif}_wr_req_data,
    input  wire                       ${c.name}2${mif}_wr_req_last,
    output wire                       ${mif}2${c.name}_wr_rsp_complete, // pulse
//% end

    output wire                       aw_awvalid,
    input  wire                       aw_awready,
    output wire [7:0]                 aw_awid,
    output wire [3:0]                 aw_awlen,
    output wire [${addr_w - 1:2}:0]                aw_awaddr,
    output wire                       w_wvalid,
    input  wire                       w_wready,
    output wire [${bus_bits - 1:3}:0]               w_wdata,
    output wire [${bus_bytes - 1:2}:0]                w_wstrb,
    output wire                       w_wlast,
    input  wire                       b_bvalid,
//% if wr_count > 1
    input  wire [3:0]                 b_bid,
//% end
    output wire                       b_bready
);

    localparam N      = ${wr_count};                // clients
    localparam LSB    = ${atom_lsb};                // address bits inside an atom
    localparam ADDR_W = ${addr_w};
    localparam ATOM_W = ${atom_bits};
//% if atoms_per_beat > 1
    localparam LANES  = ${atoms_per_beat};                // atoms in a beat
    localparam LANE_W = ${clog2(atoms_per_beat)};
//% end

    // ------------------------------------------------------------------ whose turn
    wire [N-1:0] req;
    wire [N-1:0] is_last;
    wire [N-1:0] grant;
    wire         go;                  // a write enters the AW and W registers
    reg          open_q;              // all answers from before the reset are in
    reg  [N-1:0] ack_wait_q;          // a `last` of this client is in flight

//% if wr_count > 1
    // All writes side by side, client 0 in the low bits.
    localparam [4*N-1:0] IDS = {${wr_ids}};
    wire [N*ADDR_W-1:0] req_addr;
    wire [N*ATOM_W-1:0] req_data;

//%   for c in wr_clients
    assign req_addr[${c.index}*ADDR_W +: ADDR_W] = ${c.name}2${mif}_wr_req_addr;
    assign req_data[${c.index}*ATOM_W +: ATOM_W] = ${c.name}2${mif}_wr_req_data;
//%   end

//% end
//% for c in wr_clients
    assign is_last[${c.index}] = ${c.name}2${mif}_wr_req_last;
    assign req[${c.index}]     = ${c.name}2${mif}_wr_req_valid && !(is_last[${c.index}] && ack_wait_q[${c.index}]);
    assign ${c.name}2${mif}_wr_req_ready = go && grant[${c.index}];
//% end

//% if wr_count > 1
    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
            ${wr_weights}
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
//% else
//% for c in wr_clients
    wire [ADDR_W-1:0] addr = ${c.name}2${mif}_wr_req_addr;
    wire [ATOM_W-1:0] data = ${c.name}2${mif}_wr_req_data;

    assign grant = req;
//% end
//% end

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
//% if wr_count > 1

    reg [3:0] id_q;

    assign aw_awid = {4'd0, id_q};

    always @(posedge clk) begin
        if (go) id_q <= id;
    end
//% else
//% for c in wr_clients
    assign aw_awid    = 8'd${c.id};
//% end
//% end
//% if atoms_per_beat > 1

    // The atom appears in all lanes, the strobes choose one.
    wire [LANES-1:0] lane = {{(LANES-1){1'b0}}, 1'b1} << pos_q[LANE_W-1:0];
    genvar i;

    assign w_wdata = {LANES{data_q}};
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_strobe
            assign w_wstrb[i*ATOM_W/8 +: ATOM_W/8] = {(ATOM_W/8){lane[i]}};
        end
    endgenerate
//% else
    assign w_wdata    = data_q;
    assign w_wstrb    = {(ATOM_W/8){1'b1}};
//% end

    // ------------------------------------------------------------------ answers
    // Answers to a client come in the order of its writes: the one to a `last` is as many of them
    // away as writes of the client were in flight when it was sent.
    wire [N-1:0] mark = req & grant & is_last & {N{go}};
    reg  [N-1:0] complete_q;
    genvar       c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_complete
//% if wr_count > 1
            wire       answer = b_bvalid && open_q && b_bid == IDS[c*4 +: 4];
            reg  [8:0] own_q;         // writes in flight
            wire [8:0] own_d = own_q + {8'd0, go && grant[c]} - {8'd0, answer};
//% else
            wire       answer = b_bvalid && open_q;
            wire [8:0] own_d  = in_flight_d;
//% end
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
//% if wr_count > 1
                    own_q         <= 9'd0;
//% end
                end else begin
                    ack_wait_q[c] <= mark[c] || (ack_wait_q[c] && !acked);
                    complete_q[c] <= acked;
//% if wr_count > 1
                    own_q         <= own_d;
//% end
                end
            end
        end
    endgenerate

//% for c in wr_clients
    assign ${mif}2${c.name}_wr_rsp_complete = complete_q[${c.index}];
//% end

endmodule

`default_nettype wire
