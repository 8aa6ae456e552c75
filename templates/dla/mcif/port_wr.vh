// ${MIF} write side: one AXI transaction of one beat per atom.
//
// Contract: one atom per cycle; AW and W one cycle after the transfer, AXI takes them in any order.
//% if wr_count > 1
// `ready` belongs to one client in turn and comes one cycle behind the choice, as it stays with a
// client that is alone: then a write waits for nothing.
//% end
// An answer (B) belongs to the oldest write with its id; ids may be answered in any order.
// `complete` follows the answer to a write with `last` by one cycle.
// While two writes with `last` wait for their answer, more writes of that client wait. At most
// wr_os_cnt + 1 writes are in flight.
// Reset: no write but those taken before, which go on: the FIFOs in front of AW and W and the
// count of writes in flight know no reset but por_n. Until the count is 0 no write is taken.
`default_nettype none

module dla_${mif}_wr (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    input  wire [7:0]                 wr_os_cnt,              // writes in flight - 1
    output wire                       wr_idle,                // nothing in flight
//% for c in wr_clients

    input  wire [7:0]                 wr_weight_${c.name},  //% if wr_count > 1
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
    input  wire [3:0]                 b_bid,  //% if wr_count > 1
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
    wire [N-1:0] valid;
    wire [N-1:0] is_last;
    reg  [N-1:0] ready_q;             // at most one
    wire [N-1:0] hold;                // two writes with `last` wait for their answer
    wire [N-1:0] take = valid & ready_q;
    wire         go   = take != {N{1'b0}};
    wire         may;                 // there is room for a write in the next cycle

//% if wr_count > 1
    // All writes side by side, client 0 in the low bits.
    localparam [4*N-1:0] IDS = {4'd${join(wr_ids, ", 4'd")}};
    wire [N*ADDR_W-1:0] req_addr;
    wire [N*ATOM_W-1:0] req_data;

//%   for c in wr_clients
    assign req_addr[${c.index}*ADDR_W +: ADDR_W] = ${c.name}2${mif}_wr_req_addr;
    assign req_data[${c.index}*ATOM_W +: ATOM_W] = ${c.name}2${mif}_wr_req_data;
//%   end

//% end
//% for c in wr_clients
    assign valid[${c.index}]   = ${c.name}2${mif}_wr_req_valid;
    assign is_last[${c.index}] = ${c.name}2${mif}_wr_req_last;
    assign ${c.name}2${mif}_wr_req_ready = ready_q[${c.index}];
//% end

//% if wr_count > 1
    // A client whose write is taken in this cycle counts as one that has another.
    wire [N-1:0] req = valid & ~hold;
    wire [N-1:0] grant;
    reg  [N-1:0] pick_q;              // the client before, next as well if none asks
    wire [N-1:0] pick = (req != {N{1'b0}}) ? grant : pick_q & ~hold;

    arb_wrr #(.N(N), .WEIGHT_W(8)) u_arb (
        .clk     (clk),
        .rst_n   (rst_n),
        .req     (req),
        .weight  ({
//% for c in wr_clients_down
            wr_weight_${c.name}${c.index > 0 ? "," : ""}
//% end
        }),
        .advance (may),
        .grant   (grant)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ready_q <= {N{1'b0}};
            pick_q  <= {{(N-1){1'b0}}, 1'b1};
        end else begin
            ready_q <= pick & {N{may}};
            if (may && req != {N{1'b0}}) pick_q <= grant;
        end
    end

    // The write of that client.
    reg [ADDR_W-1:0] addr;
    reg [ATOM_W-1:0] data;
    reg [3:0]        id;
    integer          k;

    always @* begin
        addr = {ADDR_W{1'b0}};
        data = {ATOM_W{1'b0}};
        id   = 4'd0;
        for (k = 0; k < N; k = k + 1) begin
            addr = addr | (req_addr[k*ADDR_W +: ADDR_W] & {ADDR_W{ready_q[k]}});
            data = data | (req_data[k*ATOM_W +: ATOM_W] & {ATOM_W{ready_q[k]}});
            id   = id   | (IDS[k*4 +: 4] & {4{ready_q[k]}});
        end
    end
//% else
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) ready_q <= 1'b0;
        else        ready_q <= may && !hold;
    end

//%   for c in wr_clients
    wire [ADDR_W-1:0] addr = ${c.name}2${mif}_wr_req_addr;
    wire [ATOM_W-1:0] data = ${c.name}2${mif}_wr_req_data;
//%   end
//% end

    // ------------------------------------------------------------------ AW and W
    localparam POS_W = ADDR_W - LSB;
    wire [POS_W-1:0] pos = addr[ADDR_W-1:LSB];   // address in atoms
    wire [POS_W-1:0] aw_pos;
    wire [3:0]       aw_waiting;      // in the FIFOs
    wire [3:0]       w_waiting;
    wire             unused_low  = &{1'b0, addr[LSB-1:0]};

//% if wr_count > 1
    wire [3:0]       aw_id;

    fifo_reg #(.W(4 + POS_W), .DEPTH(8)) u_aw (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data({id, pos}), .count(aw_waiting),
        .out_valid(aw_awvalid), .out_ready(aw_awready), .out_data({aw_id, aw_pos})
    );

    assign aw_awid   = {4'd0, aw_id};
//% else
    fifo_reg #(.W(POS_W), .DEPTH(8)) u_aw (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data(pos), .count(aw_waiting),
        .out_valid(aw_awvalid), .out_ready(aw_awready), .out_data(aw_pos)
    );

//%   for c in wr_clients
    assign aw_awid   = 8'd${c.id};
//%   end
//% end
    assign aw_awlen  = 4'd0;
    assign aw_awaddr = {aw_pos, {LSB{1'b0}}};
    assign w_wlast   = 1'b1;
//% if atoms_per_beat > 1

    // The atom appears in all lanes, the strobes choose one.
    wire [ATOM_W-1:0] w_atom;
    wire [LANE_W-1:0] w_pos;
    wire [LANES-1:0]  lane = {{(LANES-1){1'b0}}, 1'b1} << w_pos;
    genvar i;

    fifo_reg #(.W(LANE_W + ATOM_W), .DEPTH(8)) u_w (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data({pos[LANE_W-1:0], data}), .count(w_waiting),
        .out_valid(w_wvalid), .out_ready(w_wready), .out_data({w_pos, w_atom})
    );

    assign w_wdata = {LANES{w_atom}};
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_strobe
            assign w_wstrb[i*ATOM_W/8 +: ATOM_W/8] = {(ATOM_W/8){lane[i]}};
        end
    endgenerate
//% else

    fifo_reg #(.W(ATOM_W), .DEPTH(8)) u_w (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data(data), .count(w_waiting),
        .out_valid(w_wvalid), .out_ready(w_wready), .out_data(w_wdata)
    );

    assign w_wstrb = {(ATOM_W/8){1'b1}};
//% end

    // ------------------------------------------------------------------ writes in flight
    reg  [8:0] in_flight_q;
    reg        idle_q;
    reg        open_q;                // all answers from before the reset are in

    // One more may be taken in this cycle, before the one that this allows.
    assign may      = open_q && aw_waiting <= 4'd6 && w_waiting <= 4'd6
                    && (go ? in_flight_q < {1'b0, wr_os_cnt} : in_flight_q <= {1'b0, wr_os_cnt});
    assign wr_idle  = idle_q;
    assign b_bready = 1'b1;

    always @(posedge clk or negedge por_n) begin
        if (!por_n) begin
            in_flight_q  <= 9'd0;
            idle_q       <= 1'b0;
        end else begin
            in_flight_q  <= in_flight_q + {8'd0, go} - {8'd0, b_bvalid};
            idle_q       <= in_flight_q == 9'd0 && !go;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)      open_q <= 1'b0;
        else if (idle_q) open_q <= 1'b1;
    end

    // ------------------------------------------------------------------ answers
    // Answers to a client come in the order of its writes. Both are counted; for a write with
    // `last` its number waits until the answer with that number comes.
    reg  [N-1:0] complete_q;
    genvar       c;

    generate
        for (c = 0; c < N; c = c + 1) begin : gen_complete
            wire       answer = b_bvalid && open_q && b_bid == IDS[c*4 +: 4];  //% if wr_count > 1
            wire       answer = b_bvalid && open_q;  //% if wr_count <= 1
            reg  [7:0] taken_q;       // writes; 256 may be in flight
            reg  [7:0] answered_q;
            reg  [1:0] lasts_q;       // writes with `last` that wait, up to 3
            wire       unused_ready;
            wire       waits;
            wire [7:0] number;
            wire       mark = take[c] && is_last[c];
            wire       done = answer && waits && answered_q == number;

            fifo_sync #(.W(8), .DEPTH(4)) u_lasts (
                .clk(clk), .rst_n(rst_n),
                .in_valid(mark), .in_ready(unused_ready), .in_data(taken_q),
                .out_valid(waits), .out_ready(done), .out_data(number)
            );

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    taken_q       <= 8'd0;
                    answered_q    <= 8'd0;
                    lasts_q       <= 2'd0;
                    complete_q[c] <= 1'b0;
                end else begin
                    taken_q       <= taken_q + {7'd0, take[c]};
                    answered_q    <= answered_q + {7'd0, answer};
                    lasts_q       <= lasts_q + {1'b0, mark} - {1'b0, done};
                    complete_q[c] <= done;
                end
            end

            assign hold[c] = lasts_q[1];
        end
    endgenerate

//% for c in wr_clients
    assign ${mif}2${c.name}_wr_rsp_complete = complete_q[${c.index}];
//% end

endmodule

`default_nettype wire
