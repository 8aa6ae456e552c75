// dla_axi_mem_rd: requests reach AXI in order, answers their clients in order and with their data, 0
// for an error, which is told once with its client; never more than NOTES in flight; never stuck.
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
    willing #(.LIMIT(1)) u_arready (.clk(clk), .rst_n(rst_n), .asked(m_axi_arvalid), .yes(m_axi_arready));
    willing #(.LIMIT(1)) u_rready (.clk(clk), .rst_n(rst_n), .asked(r_valid), .yes(r_ready));

    // Requests as they are, clients at the ends of their transactions, beats with their data.
    wire [5:0] held_back, flight, beats, clients;
    stream_check #(.W(13)) u_requests (
        .clk(clk), .rst_n(rst_n), .push(ar_core), .push_data({ar_len, ar_addr[9:1]}),
        .pop(ar_bus), .pop_data({m_axi_arlen[3:0], m_axi_araddr[9:1]}), .level(held_back));
    stream_check #(.W(4)) u_clients (
        .clk(clk), .rst_n(rst_n), .push(ar_core), .push_data(ar_id),
        .pop(r_core && r_last), .pop_data(r_id), .level(clients));
    stream_check #(.W(9), .WAIT(8)) u_beats (
        .clk(clk), .rst_n(rst_n), .push(r_bus),
        .push_data({m_axi_rlast, m_axi_rdata & {8{!m_axi_rresp[1]}}}),
        .pop(r_core), .pop_data({r_last, r_data}), .level(beats));
    stream_check #(.W(1)) u_flight (
        .clk(clk), .rst_n(rst_n), .push(ar_bus), .push_data(1'b0),
        .pop(r_bus && m_axi_rlast), .pop_data(1'b0), .level(flight));

    // Memory answers what it was asked; bursts here have up to 2 beats. Errors are counted.
    reg  [5:0] told_q, errors_q;
    reg        first_q;               // beat
    always @(posedge clk) begin
        if (!rst_n) begin
            told_q   <= 6'd0;
            errors_q <= 6'd0;
            first_q  <= 1'b1;
        end else begin
            told_q   <= told_q + {5'd0, error};
            errors_q <= errors_q + {5'd0, r_bus && m_axi_rresp[1]};
            if (r_bus) first_q <= m_axi_rlast;
        end
    end
    always @(posedge clk) begin
        if (!rst_n || flight == 6'd0) assume (!m_axi_rvalid);
        if (!first_q && m_axi_rvalid) assume (m_axi_rlast);
        if (rst_n) begin
            assert (flight <= NOTES + 6'd2);
            assert (told_q <= errors_q);
            if (beats == 6'd0 && !r_valid) assert (told_q + {5'd0, error} == errors_q);
            if (error) assert (error_client == r_id);
        end
    end

endmodule

`default_nettype wire
