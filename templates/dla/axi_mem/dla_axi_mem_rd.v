// Reads of a memory port of the core over AXI.
//
// Contract: requests and answers in order, one beat per cycle; request to AXI 1 cycle, answer to
// the core 2 cycles. All requests have one AXI id, so that answers come in the order of the
// requests; up to NOTES are in flight. The client of each is remembered here.
// An error answer reads as 0; `error` follows the beat by one cycle.
// Reset: nothing in flight.
`default_nettype none

module dla_axi_mem_rd #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits},           // bits of a beat
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
    output wire [3:0]        m_axi_arlen,
    output wire [ADDR_W-1:0] m_axi_araddr,
    input  wire              m_axi_rvalid,
    output wire              m_axi_rready,
    input  wire              m_axi_rlast,
    input  wire [1:0]        m_axi_rresp,
    input  wire [DATA_W-1:0] m_axi_rdata,

    // errors
    output wire              error,          // pulse
    output wire              error_decode,   // DECERR, not SLVERR
    output wire [3:0]        error_client,
    output wire [ADDR_W-1:0] error_addr      // of the beat
);

    localparam LSB   = $clog2(DATA_W / 8);
    localparam POS_W = ADDR_W - LSB;         // bits of an address in beats

    // ------------------------------------------------------------------ requests
    wire             req_valid;
    wire             req_ready;
    wire [3:0]       req_id;
    wire [POS_W-1:0] req_pos;
    wire             note_room;
    wire             unused_low = &{1'b0, ar_addr[LSB-1:0]};

    fifo_sync #(.W(POS_W + 8), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(ar_valid), .in_ready(ar_ready),
        .in_data({ar_id, ar_len, ar_addr[ADDR_W-1:LSB]}),
        .out_valid(req_valid), .out_ready(req_ready),
        .out_data({req_id, m_axi_arlen, req_pos})
    );

    assign m_axi_arvalid = req_valid && note_room;
    assign m_axi_araddr  = {req_pos, {LSB{1'b0}}};
    assign req_ready     = m_axi_arready && note_room;

    // ------------------------------------------------------------------ answers
    wire              rsp_valid;
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
    wire              take   = rsp_valid && (!valid_q || r_ready);
    wire              failed = rsp_resp[1];

    fifo_sync #(.W(POS_W + 4), .DEPTH(NOTES)) u_notes (
        .clk(clk), .rst_n(rst_n),
        .in_valid(req_valid && m_axi_arready), .in_ready(note_room), .in_data({req_id, req_pos}),
        .out_valid(unused_note), .out_ready(take && rsp_last), .out_data({note_id, note_pos})
    );

    fifo_sync #(.W(DATA_W + 3), .DEPTH(2)) u_answer (
        .clk(clk), .rst_n(rst_n),
        .in_valid(m_axi_rvalid), .in_ready(m_axi_rready),
        .in_data({m_axi_rlast, m_axi_rresp, m_axi_rdata}),
        .out_valid(rsp_valid), .out_ready(!valid_q || r_ready),
        .out_data({rsp_last, rsp_resp, rsp_data})
    );

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
            error_pos_q <= {note_pos[POS_W-1:4], note_pos[3:0] + beat_q};
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
