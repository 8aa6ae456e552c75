// dla_axi_mem_wr: requests and data reach AXI as they are, answers their clients in order, errors
// are told once with client, code and address; never stuck.
`default_nettype none

module axi_mem_wr_formal (
    input wire       clk,
    input wire       aw_valid,
    input wire [3:0] aw_id,
    input wire [3:0] aw_len,
    input wire [3:0] aw_addr,
    input wire       w_valid,
    input wire       w_last,
    input wire [7:0] w_data,
    input wire       w_strb,
    input wire       b_ready,
    input wire       m_axi_awready,
    input wire       m_axi_wready,
    input wire       m_axi_bvalid,
    input wire [1:0] m_axi_bresp
);

    localparam NOTES = 2;

    wire       rst_n;
    wire       aw_ready, w_ready, b_valid, error, error_decode;
    wire       m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_wstrb, m_axi_bready;
    wire [3:0] b_id, m_axi_awaddr, error_client, error_addr;
    wire [7:0] m_axi_awlen;
    wire [7:0] m_axi_wdata;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    dla_axi_mem_wr #(.ADDR_W(4), .DATA_W(8), .BUS_W(8), .NOTES(NOTES)) u_dut (
        .clk(clk), .rst_n(rst_n),
        .aw_valid(aw_valid), .aw_ready(aw_ready), .aw_id(aw_id), .aw_len(aw_len), .aw_addr(aw_addr),
        .w_valid(w_valid), .w_ready(w_ready), .w_last(w_last), .w_strb(w_strb), .w_data(w_data),
        .b_valid(b_valid), .b_ready(b_ready), .b_id(b_id),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awlen(m_axi_awlen),
        .m_axi_awaddr(m_axi_awaddr),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wlast(m_axi_wlast),
        .m_axi_wstrb(m_axi_wstrb), .m_axi_wdata(m_axi_wdata),
        .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bresp(m_axi_bresp),
        .error(error), .error_decode(error_decode), .error_client(error_client),
        .error_addr(error_addr)
    );

    wire aw_core = aw_valid && aw_ready;
    wire aw_bus  = m_axi_awvalid && m_axi_awready;
    wire b_bus   = m_axi_bvalid && m_axi_bready;
    wire b_core  = b_valid && b_ready;

    held #(.W(12), .ASSUME(1)) u_aw (.clk(clk), .rst_n(rst_n), .valid(aw_valid),
                                     .ready(aw_ready), .data({aw_id, aw_len, aw_addr}));
    held #(.W(10), .ASSUME(1)) u_w (.clk(clk), .rst_n(rst_n), .valid(w_valid), .ready(w_ready),
                                    .data({w_last, w_strb, w_data}));
    held #(.W(12)) u_m_aw (.clk(clk), .rst_n(rst_n), .valid(m_axi_awvalid),
                          .ready(m_axi_awready), .data({m_axi_awlen, m_axi_awaddr}));
    held #(.W(10)) u_m_w (.clk(clk), .rst_n(rst_n), .valid(m_axi_wvalid), .ready(m_axi_wready),
                          .data({m_axi_wlast, m_axi_wstrb, m_axi_wdata}));
    held #(.W(2), .ASSUME(1)) u_m_b (.clk(clk), .rst_n(rst_n), .valid(m_axi_bvalid),
                                     .ready(m_axi_bready), .data(m_axi_bresp));
    held #(.W(4)) u_b (.clk(clk), .rst_n(rst_n), .valid(b_valid), .ready(b_ready), .data(b_id));
    willing #(.LIMIT(1)) u_awready (.clk(clk), .rst_n(rst_n), .asked(m_axi_awvalid),
                                    .yes(m_axi_awready));
    willing #(.LIMIT(1)) u_wready (.clk(clk), .rst_n(rst_n), .asked(m_axi_wvalid),
                                   .yes(m_axi_wready));
    willing #(.LIMIT(1)) u_bready (.clk(clk), .rst_n(rst_n), .asked(b_valid), .yes(b_ready));

    // An error is told while its answer is offered, in the first cycle of that.
    reg  told_q;
    wire told = error || told_q;
    always @(posedge clk) told_q <= rst_n && told && !b_core;

    wire [5:0] requests, data, flight, answers, clients;
    stream_check #(.W(12)) u_requests (
        .clk(clk), .rst_n(rst_n), .push(aw_core), .push_data({4'd0, aw_len, aw_addr}),
        .pop(aw_bus), .pop_data({m_axi_awlen, m_axi_awaddr}), .level(requests));
    stream_check #(.W(10), .WAIT(8)) u_data (
        .clk(clk), .rst_n(rst_n), .push(w_valid && w_ready), .push_data({w_last, w_strb, w_data}),
        .pop(m_axi_wvalid && m_axi_wready), .pop_data({m_axi_wlast, m_axi_wstrb, m_axi_wdata}),
        .level(data));
    stream_check #(.W(8)) u_clients (
        .clk(clk), .rst_n(rst_n), .push(aw_core), .push_data({aw_id, aw_addr}),
        .pop(b_core), .pop_data({b_id, error_addr}), .level(clients));
    stream_check #(.W(1)) u_flight (
        .clk(clk), .rst_n(rst_n), .push(aw_bus), .push_data(1'b0), .pop(b_bus), .pop_data(1'b0),
        .level(flight));
    stream_check #(.W(2), .WAIT(8)) u_answers (
        .clk(clk), .rst_n(rst_n), .push(b_bus), .push_data({m_axi_bresp[1], &m_axi_bresp}),
        .pop(b_core), .pop_data({told, told && error_decode}), .level(answers));

    wire [5:0] noted = clients - requests;        // on the bus and not answered
    always @(posedge clk) begin
        if (!rst_n || flight == 6'd0) assume (!m_axi_bvalid);
        if (rst_n) begin
            assert (flight <= NOTES + 6'd2);
            if (error) assert (b_valid && !told_q && error_client == b_id);
            // Nobody waits without a reason.
            if (requests < 6'd2) assert (aw_ready);
            if (requests != 6'd0 && noted < NOTES) assert (m_axi_awvalid);
            if (data < 6'd2) assert (w_ready);
            if (answers < 6'd2) assert (m_axi_bready);
            cover (error && error_decode && b_core);
            cover (b_core && noted == 6'd1 && requests == 6'd2);
        end
    end

endmodule

`default_nettype wire
