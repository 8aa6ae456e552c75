// dla_axi_lite: rules of AXI4-Lite; every access is answered once and in time, legal ones at the
// CSB once, others never.
`default_nettype none

module axi_lite_formal (
    input wire        clk,
    input wire        s_axi_awvalid,
    input wire [17:0] s_axi_awaddr,
    input wire        s_axi_wvalid,
    input wire [31:0] s_axi_wdata,
    input wire [3:0]  s_axi_wstrb,
    input wire        s_axi_bready,
    input wire        s_axi_arvalid,
    input wire [17:0] s_axi_araddr,
    input wire        s_axi_rready,
    input wire        csb_ready,
    input wire        csb_rd_valid,
    input wire [31:0] csb_rd_data,
    input wire        csb_wr_complete
);

    localparam LONGEST = 20;          // cycles from request to answer, with another access before

    wire        rst_n;
    wire        s_axi_awready, s_axi_wready, s_axi_bvalid, s_axi_arready, s_axi_rvalid;
    wire [1:0]  s_axi_bresp, s_axi_rresp;
    wire [31:0] s_axi_rdata;
    wire        csb_valid, csb_write, csb_nposted;
    wire [15:0] csb_addr;
    wire [31:0] csb_wdat, rd_data_q;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    dla_axi_lite u_dut (
        .clk(clk), .rst_n(rst_n),
        .s_axi_awvalid(s_axi_awvalid), .s_axi_awready(s_axi_awready), .s_axi_awaddr(s_axi_awaddr),
        .s_axi_awprot(3'd0),
        .s_axi_wvalid(s_axi_wvalid), .s_axi_wready(s_axi_wready), .s_axi_wdata(s_axi_wdata),
        .s_axi_wstrb(s_axi_wstrb),
        .s_axi_bvalid(s_axi_bvalid), .s_axi_bready(s_axi_bready), .s_axi_bresp(s_axi_bresp),
        .s_axi_arvalid(s_axi_arvalid), .s_axi_arready(s_axi_arready), .s_axi_araddr(s_axi_araddr),
        .s_axi_arprot(3'd0),
        .s_axi_rvalid(s_axi_rvalid), .s_axi_rready(s_axi_rready), .s_axi_rdata(s_axi_rdata),
        .s_axi_rresp(s_axi_rresp),
        .csb_valid(csb_valid), .csb_ready(csb_ready), .csb_addr(csb_addr), .csb_wdat(csb_wdat),
        .csb_write(csb_write), .csb_nposted(csb_nposted), .csb_rd_valid(csb_rd_valid),
        .csb_rd_data(csb_rd_data), .csb_wr_complete(csb_wr_complete)
    );

    held #(.W(18), .ASSUME(1)) u_aw (.clk(clk), .rst_n(rst_n), .valid(s_axi_awvalid),
                                     .ready(s_axi_awready), .data(s_axi_awaddr));
    held #(.W(36), .ASSUME(1)) u_w (.clk(clk), .rst_n(rst_n), .valid(s_axi_wvalid),
                                    .ready(s_axi_wready), .data({s_axi_wdata, s_axi_wstrb}));
    held #(.W(18), .ASSUME(1)) u_ar (.clk(clk), .rst_n(rst_n), .valid(s_axi_arvalid),
                                     .ready(s_axi_arready), .data(s_axi_araddr));
    held #(.W(2)) u_b (.clk(clk), .rst_n(rst_n), .valid(s_axi_bvalid), .ready(s_axi_bready),
                       .data(s_axi_bresp));
    held #(.W(34)) u_r (.clk(clk), .rst_n(rst_n), .valid(s_axi_rvalid), .ready(s_axi_rready),
                        .data({s_axi_rdata, s_axi_rresp}));
    csb_side u_csb (.clk(clk), .rst_n(rst_n), .valid(csb_valid), .ready(csb_ready),
                    .addr(csb_addr), .wdat(csb_wdat), .write(csb_write), .nposted(csb_nposted),
                    .rd_valid(csb_rd_valid), .rd_data(csb_rd_data),
                    .wr_complete(csb_wr_complete), .rd_data_q(rd_data_q));
    willing u_bready (.clk(clk), .rst_n(rst_n), .asked(s_axi_bvalid), .yes(s_axi_bready));
    willing u_rready (.clk(clk), .rst_n(rst_n), .asked(s_axi_rvalid), .yes(s_axi_rready));

    // What was asked and not yet answered.
    reg         aw_q, w_q, ar_q;
    reg  [17:0] aw_addr_q, ar_addr_q;
    reg  [31:0] w_data_q;
    reg  [3:0]  w_strb_q;
    reg         wr_seen_q, rd_seen_q;             // at the CSB
    reg  [5:0]  wr_age_q, rd_age_q;
    wire        wr_done = s_axi_bvalid && s_axi_bready;
    wire        rd_done = s_axi_rvalid && s_axi_rready;
    wire        wr_bad  = aw_addr_q[1:0] != 2'd0 || w_strb_q != 4'hf;
    wire        wr_out  = aw_addr_q[17:12] >= 6'h14 && aw_addr_q[17:12] != 6'h3f;
    wire        rd_bad  = ar_addr_q[1:0] != 2'd0;
    wire        rd_out  = ar_addr_q[17:12] >= 6'h14 && ar_addr_q[17:12] != 6'h3f;

    always @(posedge clk) begin
        if (!rst_n) begin
            {aw_q, w_q, ar_q, wr_seen_q, rd_seen_q} <= 5'd0;
            wr_age_q <= 6'd0;
            rd_age_q <= 6'd0;
        end else begin
            if (s_axi_awvalid && s_axi_awready) aw_q <= 1'b1;
            else if (wr_done)                   aw_q <= 1'b0;
            if (s_axi_wvalid && s_axi_wready)   w_q <= 1'b1;
            else if (wr_done)                   w_q <= 1'b0;
            if (s_axi_arvalid && s_axi_arready) ar_q <= 1'b1;
            else if (rd_done)                   ar_q <= 1'b0;
            if (wr_done)                                  wr_seen_q <= 1'b0;
            else if (csb_valid && csb_ready && csb_write) wr_seen_q <= 1'b1;
            if (rd_done)                                   rd_seen_q <= 1'b0;
            else if (csb_valid && csb_ready && !csb_write) rd_seen_q <= 1'b1;
            wr_age_q <= (s_axi_awvalid || aw_q) && (s_axi_wvalid || w_q) && !wr_done ?
                        wr_age_q + 6'd1 : 6'd0;
            rd_age_q <= (s_axi_arvalid || ar_q) && !rd_done ? rd_age_q + 6'd1 : 6'd0;
        end
        if (s_axi_awvalid && s_axi_awready) aw_addr_q <= s_axi_awaddr;
        if (s_axi_arvalid && s_axi_arready) ar_addr_q <= s_axi_araddr;
        if (s_axi_wvalid && s_axi_wready)   {w_data_q, w_strb_q} <= {s_axi_wdata, s_axi_wstrb};
    end

    always @(posedge clk) begin
        if (rst_n) begin
            // An answer has a request, the right code, and went to the CSB once if it is legal.
            if (s_axi_bvalid) begin
                assert (aw_q && w_q);
                assert (s_axi_bresp == (wr_out ? 2'b11 : wr_bad ? 2'b10 : 2'b00));
                assert (wr_seen_q == !(wr_out || wr_bad));
            end
            if (s_axi_rvalid) begin
                assert (ar_q);
                assert (s_axi_rresp == (rd_out ? 2'b11 : rd_bad ? 2'b10 : 2'b00));
                assert (rd_seen_q == !(rd_out || rd_bad));
                assert (s_axi_rdata == (rd_seen_q ? rd_data_q : 32'd0));
            end
            if (csb_valid && csb_write) begin
                assert (aw_q && w_q && !wr_seen_q && !wr_out && !wr_bad);
                assert (csb_addr == aw_addr_q[17:2] && csb_wdat == w_data_q);
            end
            if (csb_valid && !csb_write) begin
                assert (ar_q && !rd_seen_q && !rd_out && !rd_bad);
                assert (csb_addr == ar_addr_q[17:2]);
            end
            // Nobody waits for ever.
            assert (wr_age_q <= LONGEST);
            assert (rd_age_q <= LONGEST);
            cover (wr_done && wr_seen_q && ar_q);
            cover (rd_done && rd_seen_q && aw_q && w_q);
            cover (wr_done && wr_out);
        end
    end

endmodule

`default_nettype wire
