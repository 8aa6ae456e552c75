// Writes of a memory port of the core over AXI.
//
// Contract: requests, data and answers in order, one beat per cycle; request and data to AXI 1
// cycle, answer to the core 2 cycles. All requests have one AXI id; up to NOTES are in flight.
// The client of each is remembered here. Data may be on the bus before its request.
// A narrower bus: a beat of the core is a few of the bus. A wider one: beats as they are, each in
// its lane; data waits for its request.
// An error answer is one for the core, too: the write is dropped; `error` follows by one cycle.
// Reset: nothing in flight.
`default_nettype none

module dla_axi_mem_wr #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits},           // bits of a beat of the core
    parameter BUS_W  = ${axi_bits},           // bits of the data bus
    parameter NOTES  = ${bus_notes}           // transactions in flight
) (
    input  wire                clk,
    input  wire                rst_n,

    // core
    input  wire                aw_valid,
    output wire                aw_ready,
    input  wire [3:0]          aw_id,        // client
    input  wire [3:0]          aw_len,       // beats - 1
    input  wire [ADDR_W-1:0]   aw_addr,
    input  wire                w_valid,
    output wire                w_ready,
    input  wire                w_last,
    input  wire [DATA_W/8-1:0] w_strb,
    input  wire [DATA_W-1:0]   w_data,
    output wire                b_valid,
    input  wire                b_ready,
    output wire [3:0]          b_id,

    // AXI
    output wire                m_axi_awvalid,
    input  wire                m_axi_awready,
    output wire [7:0]          m_axi_awlen,
    output wire [ADDR_W-1:0]   m_axi_awaddr,
    output wire                m_axi_wvalid,
    input  wire                m_axi_wready,
    output wire                m_axi_wlast,
    output wire [BUS_W/8-1:0]  m_axi_wstrb,
    output wire [BUS_W-1:0]    m_axi_wdata,
    input  wire                m_axi_bvalid,
    output wire                m_axi_bready,
    input  wire [1:0]          m_axi_bresp,

    // errors
    output wire                error,        // pulse
    output wire                error_decode, // DECERR, not SLVERR
    output wire [3:0]          error_client,
    output wire [ADDR_W-1:0]   error_addr    // of the transaction
);

    // ------------------------------------------------------------------ requests and data
    wire              req_valid;
    wire              req_ready;
    localparam LSB    = $clog2(DATA_W / 8);
    localparam PIECES = BUS_W < DATA_W ? DATA_W / BUS_W : 1;  // beats of the bus

    wire [3:0]        req_id;
    wire [3:0]        req_len;
    wire [ADDR_W-1:0] req_addr;
    wire              req_room;
    wire              lane_room;
    wire              note_room;

    assign aw_ready = req_room && lane_room;

    fifo_sync #(.W(ADDR_W + 8), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(aw_valid && lane_room), .in_ready(req_room), .in_data({aw_id, aw_len, aw_addr}),
        .out_valid(req_valid), .out_ready(req_ready),
        .out_data({req_id, req_len, req_addr})
    );

    assign m_axi_awvalid = req_valid && note_room;
    assign m_axi_awlen   = {4'd0, req_len} * PIECES[7:0] + PIECES[7:0] - 8'd1;
    assign req_ready     = m_axi_awready && note_room;

    generate
        if (BUS_W < DATA_W) begin : gen_split
            wire                valid;
            wire                ready;
            wire                last;
            wire [DATA_W/8-1:0] strb;
            wire [DATA_W-1:0]   data;

            assign lane_room    = 1'b1;
            assign m_axi_awaddr = {req_addr[ADDR_W-1:LSB], {LSB{1'b0}}};

            fifo_sync #(.W(DATA_W + DATA_W/8 + 1), .DEPTH(2)) u_data (
                .clk(clk), .rst_n(rst_n),
                .in_valid(w_valid), .in_ready(w_ready), .in_data({w_last, w_strb, w_data}),
                .out_valid(valid), .out_ready(ready), .out_data({last, strb, data})
            );
            dla_axi_mem_split #(.IN_W(DATA_W), .OUT_W(BUS_W)) u_split (
                .clk(clk), .rst_n(rst_n),
                .in_valid(valid), .in_ready(ready), .in_last(last), .in_strb(strb), .in_data(data),
                .out_valid(m_axi_wvalid), .out_ready(m_axi_wready), .out_last(m_axi_wlast),
                .out_strb(m_axi_wstrb), .out_data(m_axi_wdata)
            );
        end else begin : gen_lane
            localparam LANES = BUS_W / DATA_W;
            wire              lane_valid;    // the request of the data is known
            wire              data_room;
            wire [LANES-1:0]  lane;          // one-hot
            wire [DATA_W-1:0] data;
            wire [BUS_W/8-1:0] placed;
            genvar            i;

            assign m_axi_awaddr = req_addr;
            assign w_ready      = data_room && lane_valid;
            assign m_axi_wdata  = {LANES{data}};

            fifo_sync #(.W(BUS_W/8 + DATA_W + 1), .DEPTH(2)) u_data (
                .clk(clk), .rst_n(rst_n),
                .in_valid(w_valid && lane_valid), .in_ready(data_room),
                .in_data({w_last, placed, w_data}),
                .out_valid(m_axi_wvalid), .out_ready(m_axi_wready),
                .out_data({m_axi_wlast, m_axi_wstrb, data})
            );

            for (i = 0; i < LANES; i = i + 1) begin : gen_place
                assign placed[i*DATA_W/8 +: DATA_W/8] = w_strb & {(DATA_W/8){lane[i]}};
            end

            if (LANES == 1) begin : gen_one
                assign lane_room  = 1'b1;
                assign lane_valid = 1'b1;
                assign lane       = 1'b1;
            end else begin : gen_many
                localparam LANE_W = $clog2(LANES);
                reg  [LANE_W-1:0] beat_q;    // in its transaction
                wire [LANE_W-1:0] first;
                wire [LANE_W-1:0] now = first + beat_q;
                wire              go  = w_valid && w_ready;

                fifo_sync #(.W(LANE_W), .DEPTH(4)) u_lanes (
                    .clk(clk), .rst_n(rst_n),
                    .in_valid(aw_valid && req_room), .in_ready(lane_room),
                    .in_data(aw_addr[LSB +: LANE_W]),
                    .out_valid(lane_valid), .out_ready(go && w_last), .out_data(first)
                );

                always @(posedge clk or negedge rst_n) begin
                    if (!rst_n)  beat_q <= {LANE_W{1'b0}};
                    else if (go) beat_q <= w_last ? {LANE_W{1'b0}} : beat_q + 1'b1;
                end

                assign lane = {{(LANES-1){1'b0}}, 1'b1} << now;
            end
        end
    endgenerate

    // ------------------------------------------------------------------ answers
    wire              rsp_valid;
    wire [1:0]        rsp_resp;
    wire              unused_note;           // an answer without a request cannot be
    wire [3:0]        note_id;
    wire [ADDR_W-1:0] note_addr;
    reg               valid_q;
    reg  [3:0]        id_q;
    reg               error_q;
    reg               decode_q;
    reg  [ADDR_W-1:0] error_addr_q;
    wire              take = rsp_valid && (!valid_q || b_ready);

    fifo_sync #(.W(ADDR_W + 4), .DEPTH(NOTES)) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(req_valid && m_axi_awready), .in_ready(note_room),
        .in_data({req_id, req_addr}),
        .out_valid(unused_note), .out_ready(take), .out_data({note_id, note_addr})
    );

    fifo_sync #(.W(2), .DEPTH(2)) u_answer (
        .clk(clk), .rst_n(rst_n),
        .in_valid(m_axi_bvalid), .in_ready(m_axi_bready), .in_data(m_axi_bresp),
        .out_valid(rsp_valid), .out_ready(!valid_q || b_ready), .out_data(rsp_resp)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            error_q <= 1'b0;
        end else begin
            valid_q <= take || (valid_q && !b_ready);
            error_q <= take && rsp_resp[1];
        end
    end

    always @(posedge clk) begin
        if (take) begin
            id_q         <= note_id;
            decode_q     <= rsp_resp[0];
            error_addr_q <= note_addr;
        end
    end

    assign b_valid      = valid_q;
    assign b_id         = id_q;
    assign error        = error_q;
    assign error_decode = decode_q;
    assign error_client = id_q;
    assign error_addr   = error_addr_q;

endmodule

`default_nettype wire
