// dla_axi_mem_rd: requests reach AXI in order, answers their clients in order and with their data,
// 0 for an error, which is told once with its client, code and address; as many in flight as there
// are notes, never more; never stuck.
`default_nettype none

module axi_mem_rd_formal (
    input wire       clk,
    input wire       ar_valid,
    input wire [3:0] ar_id,
    input wire [3:0] ar_len,
    input wire [9:0] ar_addr,
    input wire       r_ready,
    input wire       m_axi_arready,
    input wire       m_axi_rvalid,
    input wire       m_axi_rlast,
    input wire [1:0] m_axi_rresp,
    input wire [7:0] m_axi_rdata
);

    localparam NOTES = 2;

    wire       rst_n;
    wire       ar_ready, r_valid, r_last, m_axi_arvalid, m_axi_rready, error, error_decode;
    wire [3:0] r_id, error_client;
    wire [7:0] m_axi_arlen;
    wire [7:0] r_data;
    wire [9:0] m_axi_araddr, error_addr;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    // A beat of 16 bits, half of which is followed.
    wire [15:0] r_data_16;
    assign r_data = r_data_16[7:0];
    dla_axi_mem_rd #(.ADDR_W(10), .DATA_W(16), .BUS_W(16), .NOTES(NOTES)) u_dut (
        .clk(clk), .rst_n(rst_n),
        .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_id(ar_id), .ar_len(ar_len),
        .ar_addr({ar_addr[9:1], 1'b0}),
        .r_valid(r_valid), .r_ready(r_ready), .r_id(r_id), .r_last(r_last), .r_data(r_data_16),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_arlen(m_axi_arlen),
        .m_axi_araddr(m_axi_araddr),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready), .m_axi_rlast(m_axi_rlast),
        .m_axi_rresp(m_axi_rresp), .m_axi_rdata({8'h5a, m_axi_rdata}),
        .error(error), .error_decode(error_decode), .error_client(error_client),
        .error_addr(error_addr)
    );

    wire ar_core = ar_valid && ar_ready;
    wire ar_bus  = m_axi_arvalid && m_axi_arready;
    wire r_bus   = m_axi_rvalid && m_axi_rready;
    wire r_core  = r_valid && r_ready;

    held #(.W(17), .ASSUME(1)) u_ar (.clk(clk), .rst_n(rst_n), .valid(ar_valid), .ready(ar_ready),
                                     .data({ar_id, ar_len, ar_addr[9:1]}));
    held #(.W(18)) u_m_ar (.clk(clk), .rst_n(rst_n), .valid(m_axi_arvalid),
                           .ready(m_axi_arready), .data({m_axi_arlen, m_axi_araddr}));
    held #(.W(11), .ASSUME(1)) u_m_r (.clk(clk), .rst_n(rst_n), .valid(m_axi_rvalid),
                                      .ready(m_axi_rready),
                                      .data({m_axi_rlast, m_axi_rresp, m_axi_rdata}));
    held #(.W(13)) u_r (.clk(clk), .rst_n(rst_n), .valid(r_valid), .ready(r_ready),
                        .data({r_last, r_id, r_data}));
    willing #(.LIMIT(1)) u_arready (.clk(clk), .rst_n(rst_n), .asked(m_axi_arvalid),
                                    .yes(m_axi_arready));
    willing #(.LIMIT(1)) u_rready (.clk(clk), .rst_n(rst_n), .asked(r_valid), .yes(r_ready));

    // An error is told while its beat is offered, in the first cycle of that.
    reg        told_q;
    wire       told = error || told_q;
    reg  [3:0] beat_q;                // of the transaction
    reg        bus_first_q;
    always @(posedge clk) begin
        told_q <= rst_n && told && !r_core;
        if (!rst_n) begin
            beat_q      <= 4'd0;
            bus_first_q <= 1'b1;
        end else begin
            if (r_core) beat_q <= r_last ? 4'd0 : beat_q + 4'd1;
            if (r_bus) bus_first_q <= m_axi_rlast;
        end
    end

    // Requests as they are, clients and first addresses at the ends of their transactions, beats
    // with their data and errors.
    wire [5:0] held_back, flight, beats, clients;
    wire [3:0] first_beat = error_addr[4:1] - beat_q;
    stream_check #(.W(18)) u_requests (
        .clk(clk), .rst_n(rst_n), .push(ar_core), .push_data({4'd0, ar_len, ar_addr[9:1], 1'b0}),
        .pop(ar_bus), .pop_data({m_axi_arlen, m_axi_araddr}), .level(held_back));
    stream_check #(.W(13)) u_clients (
        .clk(clk), .rst_n(rst_n), .push(ar_core), .push_data({ar_id, ar_addr[9:1]}),
        .pop(r_core && r_last), .pop_data({r_id, error_addr[9:5], first_beat}),
        .level(clients));
    stream_check #(.W(11), .WAIT(8)) u_beats (
        .clk(clk), .rst_n(rst_n), .push(r_bus),
        .push_data({m_axi_rresp[1], &m_axi_rresp, m_axi_rlast,
                    m_axi_rdata & {8{!m_axi_rresp[1]}}}),
        .pop(r_core), .pop_data({told, told && error_decode, r_last, r_data}), .level(beats));
    stream_check #(.W(1)) u_flight (
        .clk(clk), .rst_n(rst_n), .push(ar_bus), .push_data(1'b0),
        .pop(r_bus && m_axi_rlast), .pop_data(1'b0), .level(flight));

    // Memory answers what it was asked; bursts here have up to 2 beats.
    wire [5:0] noted = clients - held_back;       // on the bus and not answered
    always @(posedge clk) begin
        if (!rst_n || flight == 6'd0) assume (!m_axi_rvalid);
        if (!bus_first_q && m_axi_rvalid) assume (m_axi_rlast);
        if (rst_n) begin
            assert (flight <= NOTES + 6'd2);
            if (error) assert (r_valid && !told_q && error_client == r_id && !error_addr[0]);
            // Nobody waits without a reason.
            if (held_back < 6'd2) assert (ar_ready);
            if (held_back != 6'd0 && noted < NOTES) assert (m_axi_arvalid);
            if (beats < 6'd2) assert (m_axi_rready);
            cover (error && beat_q == 4'd1 && error_decode);
            cover (r_core && noted == 6'd1 && held_back == 6'd2);
        end
    end

endmodule

`default_nettype wire
