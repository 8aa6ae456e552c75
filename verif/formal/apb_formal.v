// dla_apb: every access is answered once and in time, legal ones at the CSB once, others never.
`default_nettype none

module apb_formal (
    input wire        clk,
    input wire        s_apb_psel,
    input wire        s_apb_penable,
    input wire [17:0] s_apb_paddr,
    input wire        s_apb_pwrite,
    input wire [31:0] s_apb_pwdata,
    input wire [3:0]  s_apb_pstrb,
    input wire        csb_ready,
    input wire        csb_rd_valid,
    input wire [31:0] csb_rd_data,
    input wire        csb_wr_complete
);

    localparam LONGEST = 12;          // cycles of an access

    wire        rst_n;
    wire        s_apb_pready, s_apb_pslverr;
    wire [31:0] s_apb_prdata;
    wire        csb_valid, csb_write, csb_nposted;
    wire [15:0] csb_addr;
    wire [31:0] csb_wdat, rd_data_q;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    dla_apb u_dut (
        .clk(clk), .rst_n(rst_n),
        .s_apb_psel(s_apb_psel), .s_apb_penable(s_apb_penable), .s_apb_paddr(s_apb_paddr),
        .s_apb_pwrite(s_apb_pwrite), .s_apb_pwdata(s_apb_pwdata), .s_apb_pstrb(s_apb_pstrb),
        .s_apb_pprot(3'd0), .s_apb_pready(s_apb_pready), .s_apb_prdata(s_apb_prdata),
        .s_apb_pslverr(s_apb_pslverr),
        .csb_valid(csb_valid), .csb_ready(csb_ready), .csb_addr(csb_addr), .csb_wdat(csb_wdat),
        .csb_write(csb_write), .csb_nposted(csb_nposted), .csb_rd_valid(csb_rd_valid),
        .csb_rd_data(csb_rd_data), .csb_wr_complete(csb_wr_complete)
    );
    csb_side u_csb (.clk(clk), .rst_n(rst_n), .valid(csb_valid), .ready(csb_ready),
                    .addr(csb_addr), .wdat(csb_wdat), .write(csb_write), .nposted(csb_nposted),
                    .rd_valid(csb_rd_valid), .rd_data(csb_rd_data),
                    .wr_complete(csb_wr_complete), .rd_data_q(rd_data_q));

    // The master: setup, then access until pready.
    reg        sel_q, enable_q, ready_q;
    reg [54:0] request_q;
    wire [54:0] request = {s_apb_paddr, s_apb_pwrite, s_apb_pwdata, s_apb_pstrb};
    always @(posedge clk) begin
        sel_q     <= rst_n && s_apb_psel;
        enable_q  <= rst_n && s_apb_penable;
        ready_q   <= s_apb_pready;
        request_q <= request;
    end
    wire in_access = sel_q && !(enable_q && ready_q);     // the last cycle goes on
    always @(posedge clk) begin
        if (!rst_n) assume (!s_apb_psel && !s_apb_penable);
        assume (s_apb_penable == (s_apb_psel && in_access));
        if (in_access) assume (s_apb_psel && request == request_q);
    end

    reg         seen_q;               // at the CSB in this access
    reg  [5:0]  age_q;
    wire        bad = s_apb_paddr[1:0] != 2'd0 || (s_apb_pwrite && s_apb_pstrb != 4'hf)
                      || (s_apb_paddr[17:12] >= 6'h14 && s_apb_paddr[17:12] != 6'h3f);
    wire        done = s_apb_psel && s_apb_penable && s_apb_pready;

    always @(posedge clk) begin
        if (!rst_n || done)              seen_q <= 1'b0;
        else if (csb_valid && csb_ready) seen_q <= 1'b1;
        age_q <= rst_n && s_apb_psel && !done ? age_q + 6'd1 : 6'd0;
    end

    always @(posedge clk) begin
        if (rst_n) begin
            if (s_apb_pready) assert (s_apb_psel && s_apb_penable);
            if (done) begin
                assert (s_apb_pslverr == bad);
                assert (seen_q == !bad);
                if (!s_apb_pwrite) assert (s_apb_prdata == (bad ? 32'd0 : rd_data_q));
            end
            if (csb_valid) begin
                assert (s_apb_psel && !seen_q && !bad);
                assert (csb_addr == s_apb_paddr[17:2] && csb_write == s_apb_pwrite);
                if (csb_write) assert (csb_wdat == s_apb_pwdata);
            end
            assert (age_q <= LONGEST);
            cover (done && bad);
            cover (done && seen_q && !s_apb_pwrite);
        end
    end

endmodule

`default_nettype wire
