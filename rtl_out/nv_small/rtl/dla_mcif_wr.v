// Made by macrame 0.1.0 from templates/dla/mcif/dla_mcif_wr.v
// with addr_w=32 atom_bits=64 atom_lsb=3 atoms_per_beat=1 bus_bits=64 bus_bytes=8 wr_count=3

// MCIF write side: one AXI transaction of one beat per atom.
//
// Contract: one atom per cycle; AW and W one cycle after the transfer, AXI takes them in any order.
// `ready` belongs to one client in turn and comes one cycle behind the choice, as it stays with a
// client that is alone: then a write waits for nothing.
// An answer (B) belongs to the oldest write with its id; ids may be answered in any order.
// `complete` follows the answer to a write with `last` by one cycle.
// While two writes with `last` wait for their answer, more writes of that client wait. At most
// wr_os_cnt + 1 writes are in flight.
// Reset: no write but those taken before, which go on: the FIFOs in front of AW and W and the
// count of writes in flight know no reset but por_n. Until the count is 0 no write is taken.
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
    wire [N-1:0] valid;
    wire [N-1:0] is_last;
    reg  [N-1:0] ready_q;             // at most one
    wire [N-1:0] hold;                // two writes with `last` wait for their answer
    wire [N-1:0] take = valid & ready_q;
    wire         go   = take != {N{1'b0}};
    wire         may;                 // there is room for a write in the next cycle

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

    assign valid[0]   = sdp2mcif_wr_req_valid;
    assign is_last[0] = sdp2mcif_wr_req_last;
    assign sdp2mcif_wr_req_ready = ready_q[0];
    assign valid[1]   = pdp2mcif_wr_req_valid;
    assign is_last[1] = pdp2mcif_wr_req_last;
    assign pdp2mcif_wr_req_ready = ready_q[1];
    assign valid[2]   = cdp2mcif_wr_req_valid;
    assign is_last[2] = cdp2mcif_wr_req_last;
    assign cdp2mcif_wr_req_ready = ready_q[2];

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
            wr_weight_cdp,
            wr_weight_pdp,
            wr_weight_sdp
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

    // ------------------------------------------------------------------ AW and W
    localparam POS_W = ADDR_W - LSB;
    wire [POS_W-1:0] pos = addr[ADDR_W-1:LSB];   // address in atoms
    wire [POS_W-1:0] aw_pos;
    wire [3:0]       aw_waiting;      // in the FIFOs
    wire [3:0]       w_waiting;
    wire             unused_low  = &{1'b0, addr[LSB-1:0]};

    wire [3:0]       aw_id;

    fifo_reg #(.W(4 + POS_W), .DEPTH(8)) u_aw (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data({id, pos}), .count(aw_waiting),
        .out_valid(aw_awvalid), .out_ready(aw_awready), .out_data({aw_id, aw_pos})
    );

    assign aw_awid   = {4'd0, aw_id};
    assign aw_awlen  = 4'd0;
    assign aw_awaddr = {aw_pos, {LSB{1'b0}}};
    assign w_wlast   = 1'b1;

    fifo_reg #(.W(ATOM_W), .DEPTH(8)) u_w (
        .clk(clk), .rst_n(por_n),
        .in_valid(go), .in_data(data), .count(w_waiting),
        .out_valid(w_wvalid), .out_ready(w_wready), .out_data(w_wdata)
    );

    assign w_wstrb = {(ATOM_W/8){1'b1}};

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
            wire       answer = b_bvalid && open_q && b_bid == IDS[c*4 +: 4];
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

    assign mcif2sdp_wr_rsp_complete = complete_q[0];
    assign mcif2pdp_wr_rsp_complete = complete_q[1];
    assign mcif2cdp_wr_rsp_complete = complete_q[2];

endmodule

`default_nettype wire
