// Writes of a memory port of the core over AXI.
//
// Contract: requests, data and answers in order, one beat per cycle; request and data to AXI 1
// cycle, answer to the core 2 cycles. All requests have one AXI id; up to NOTES are in flight.
// The client of each is remembered here. Data may be on the bus before its request.
// An error answer is one for the core, too: the write is dropped; `error` follows by one cycle.
// Reset: nothing in flight.
`default_nettype none

module dla_axi_mem_wr #(
    parameter ADDR_W = ${addr_w},           // bits of an address
    parameter DATA_W = ${bus_bits},           // bits of a beat
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
    output wire [3:0]          m_axi_awlen,
    output wire [ADDR_W-1:0]   m_axi_awaddr,
    output wire                m_axi_wvalid,
    input  wire                m_axi_wready,
    output wire                m_axi_wlast,
    output wire [DATA_W/8-1:0] m_axi_wstrb,
    output wire [DATA_W-1:0]   m_axi_wdata,
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
    wire [3:0]        req_id;
    wire              note_room;

    fifo_sync #(.W(ADDR_W + 8), .DEPTH(2)) u_request (
        .clk(clk), .rst_n(rst_n),
        .in_valid(aw_valid), .in_ready(aw_ready), .in_data({aw_id, aw_len, aw_addr}),
        .out_valid(req_valid), .out_ready(req_ready),
        .out_data({req_id, m_axi_awlen, m_axi_awaddr})
    );

    assign m_axi_awvalid = req_valid && note_room;
    assign req_ready     = m_axi_awready && note_room;

    fifo_sync #(.W(DATA_W + DATA_W/8 + 1), .DEPTH(2)) u_data (
        .clk(clk), .rst_n(rst_n),
        .in_valid(w_valid), .in_ready(w_ready), .in_data({w_last, w_strb, w_data}),
        .out_valid(m_axi_wvalid), .out_ready(m_axi_wready),
        .out_data({m_axi_wlast, m_axi_wstrb, m_axi_wdata})
    );

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
        .in_data({req_id, m_axi_awaddr}),
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
