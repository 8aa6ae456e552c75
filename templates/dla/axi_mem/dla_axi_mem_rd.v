// Reads of a memory port of the core over AXI.
//
// Contract: requests and answers in order, one beat per cycle; request to AXI 1 cycle, answer to
// the core 2 cycles. All requests have one AXI id, so that answers come in the order of the
// requests; up to NOTES are in flight. The client of each is remembered here.
// A narrower bus: a beat of the core is a few of the bus. A wider one: beats as they are, each in
// its lane.
// An error answer reads as 0; `error` follows the beat by one cycle.
// Reset: nothing in flight.
`default_nettype none

module dla_axi_mem_rd #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits},           // bits of a beat of the core
    parameter BUS_W  = ${axi_bits},           // bits of the data bus
    parameter NOTES  = ${bus_notes}           // transactions in flight
) (
    input  wire              clk,
    input  wire              rst_n,

    // core
    input  wire              ar_valid,
    output wire              ar_ready,
    input  wire [3:0]        ar_id,          // client
    input  wire [3:0]        ar_len,         // beats - 1; a burst stays within 16 aligned beats
    input  wire [ADDR_W-1:0] ar_addr,        // beat aligned
    output wire              r_valid,
    input  wire              r_ready,
    output wire [3:0]        r_id,
    output wire              r_last,
    output wire [DATA_W-1:0] r_data,

    // AXI
    output wire              m_axi_arvalid,
    input  wire              m_axi_arready,
    output wire [7:0]        m_axi_arlen,
    output wire [ADDR_W-1:0] m_axi_araddr,
    input  wire              m_axi_rvalid,
    output wire              m_axi_rready,
    input  wire              m_axi_rlast,
    input  wire [1:0]        m_axi_rresp,
    input  wire [BUS_W-1:0]  m_axi_rdata,

    // errors
    output wire              error,          // pulse
    output wire              error_decode,   // DECERR, not SLVERR
    output wire [3:0]        error_client,
    output wire [ADDR_W-1:0] error_addr      // of the beat
);

    localparam LSB   = $clog2(DATA_W / 8);
    localparam POS_W = ADDR_W - LSB;         // bits of an address in beats
    localparam PIECES = BUS_W < DATA_W ? DATA_W / BUS_W : 1;  // beats of the bus

    // ------------------------------------------------------------------ requests
    wire             req_valid;
    wire             req_ready;
    wire [3:0]       req_id;
    wire [3:0]       req_len;
    wire [POS_W-1:0] req_pos;
    wire             note_room;
    wire             unused_low = &{1'b0, ar_addr[LSB-1:0]};

    fifo_sync #(.W(POS_W + 8), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(ar_valid), .in_ready(ar_ready),
        .in_data({ar_id, ar_len, ar_addr[ADDR_W-1:LSB]}),
        .out_valid(req_valid), .out_ready(req_ready),
        .out_data({req_id, req_len, req_pos})
    );

    assign m_axi_arvalid = req_valid && note_room;
    assign m_axi_araddr  = {req_pos, {LSB{1'b0}}};
    assign m_axi_arlen   = {4'd0, req_len} * PIECES[7:0] + PIECES[7:0] - 8'd1;
    assign req_ready     = m_axi_arready && note_room;

    // ------------------------------------------------------------------ answers
    wire              bus_valid;
    wire              bus_ready;
    wire              bus_last;
    wire [1:0]        bus_resp;
    wire [BUS_W-1:0]  bus_data;
    wire              rsp_valid;
    wire              rsp_ready;
    wire              rsp_last;
    wire [1:0]        rsp_resp;
    wire [DATA_W-1:0] rsp_data;
    wire              unused_note;           // an answer without a request cannot be
    wire [3:0]        note_id;
    wire [POS_W-1:0]  note_pos;
    reg               valid_q;
    reg               last_q;
    reg  [3:0]        id_q;
    reg  [DATA_W-1:0] data_q;
    reg  [3:0]        beat_q;                // in its transaction
    reg               error_q;
    reg               decode_q;
    reg  [POS_W-1:0]  error_pos_q;
    wire              take   = rsp_valid && rsp_ready;
    wire              failed = rsp_resp[1];
    wire [3:0]        pos    = note_pos[3:0] + beat_q;

    assign rsp_ready = !valid_q || r_ready;

    fifo_sync #(.W(POS_W + 4), .DEPTH(NOTES)) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(req_valid && m_axi_arready), .in_ready(note_room), .in_data({req_id, req_pos}),
        .out_valid(unused_note), .out_ready(take && rsp_last), .out_data({note_id, note_pos})
    );

    fifo_sync #(.W(BUS_W + 3), .DEPTH(2)) u_answer (
        .clk(clk), .rst_n(rst_n),
        .in_valid(m_axi_rvalid), .in_ready(m_axi_rready),
        .in_data({m_axi_rlast, m_axi_rresp, m_axi_rdata}),
        .out_valid(bus_valid), .out_ready(bus_ready),
        .out_data({bus_last, bus_resp, bus_data})
    );

    generate
        if (BUS_W < DATA_W) begin : gen_gather
            dla_axi_mem_gather #(.IN_W(BUS_W), .OUT_W(DATA_W)) u_gather (
                .clk(clk), .rst_n(rst_n),
                .in_valid(bus_valid), .in_ready(bus_ready), .in_last(bus_last),
                .in_resp(bus_resp), .in_data(bus_data),
                .out_valid(rsp_valid), .out_ready(rsp_ready), .out_last(rsp_last),
                .out_resp(rsp_resp), .out_data(rsp_data)
            );
        end else begin : gen_lane
            assign rsp_valid = bus_valid;
            assign bus_ready = rsp_ready;
            assign rsp_last  = bus_last;
            assign rsp_resp  = bus_resp;
            if (BUS_W > DATA_W) begin : gen_select
                localparam LANE_W = $clog2(BUS_W / DATA_W);
                assign rsp_data = bus_data[{pos[LANE_W-1:0], {(LSB+3){1'b0}}} +: DATA_W];
            end else begin : gen_all
                assign rsp_data = bus_data;
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            error_q <= 1'b0;
            beat_q  <= 4'd0;
        end else begin
            valid_q <= take || (valid_q && !r_ready);
            error_q <= take && failed;
            if (take) beat_q <= rsp_last ? 4'd0 : beat_q + 4'd1;
        end
    end

    always @(posedge clk) begin
        if (take) begin
            id_q        <= note_id;
            last_q      <= rsp_last;
            data_q      <= rsp_data & {DATA_W{!failed}};
            decode_q    <= rsp_resp[0];
            error_pos_q <= {note_pos[POS_W-1:4], pos};
        end
    end

    assign r_valid      = valid_q;
    assign r_id         = id_q;
    assign r_last       = last_q;
    assign r_data       = data_q;
    assign error        = error_q;
    assign error_decode = decode_q;
    assign error_client = id_q;
    assign error_addr   = {error_pos_q, {LSB{1'b0}}};

endmodule

`default_nettype wire
