// Runs a program of one word per module on memory that answers at once, waits, and dumps all signals
// of the idle machine: nothing but the clock may change. Plain Verilog-2005.
`default_nettype none

module idle_tb;

    localparam BUS = 128;
    localparam WORDS = 4;
    localparam SETTLE = 200;          // cycles from the interrupt to the dump
    localparam DUMPED = 64;
    localparam LIMIT = 20000;

    reg           clk = 1'b0;
    reg           rst_n = 1'b1;
    wire          irq;
    reg  [127:0]  program [0:WORDS-1];
    integer       i;

    always #5 clk = !clk;

    // ------------------------------------------------------------------ memory
    wire [31:0]   f_addr, l_addr;
    wire [7:0]    f_len, l_len;
    wire          f_valid, l_valid, s_awvalid, s_wvalid, s_wlast;
    reg           f_busy = 1'b0, l_busy = 1'b0, s_answer = 1'b0;
    reg  [31:0]   f_at;
    reg  [7:0]    f_left, l_left;

    always @(posedge clk) begin
        if (!f_busy && f_valid) begin
            f_busy <= 1'b1;
            f_at   <= f_addr;
            f_left <= f_len;
        end else if (f_busy) begin
            f_busy <= f_left != 8'd0;
            f_at   <= f_at + BUS / 8;
            f_left <= f_left - 8'd1;
        end
        if (!l_busy && l_valid) begin
            l_busy <= 1'b1;
            l_left <= l_len;
        end else if (l_busy) begin
            l_busy <= l_left != 8'd0;
            l_left <= l_left - 8'd1;
        end
        s_answer <= s_wvalid && s_wlast;
    end

    // ------------------------------------------------------------------ registers
    reg           awvalid = 1'b0, wvalid = 1'b0;
    reg  [31:0]   awaddr;
    reg  [127:0]  wdata;
    wire          awready, wready, bvalid;

    systolic_top u_top (
        .clk(clk), .rst_n(rst_n), .irq(irq),
        .s_axi_awid(4'd0), .s_axi_awaddr(awaddr), .s_axi_awlen(8'd0), .s_axi_awsize(3'd4),
        .s_axi_awburst(2'd1), .s_axi_awlock(1'b0), .s_axi_awcache(4'd0), .s_axi_awprot(3'd0),
        .s_axi_awqos(4'd0), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
        .s_axi_wdata(wdata), .s_axi_wstrb(16'h00ff), .s_axi_wlast(1'b1), .s_axi_wvalid(wvalid),
        .s_axi_wready(wready), .s_axi_bvalid(bvalid), .s_axi_bready(1'b1),
        .s_axi_arid(4'd0), .s_axi_araddr(32'd0), .s_axi_arlen(8'd0), .s_axi_arsize(3'd4),
        .s_axi_arburst(2'd1), .s_axi_arlock(1'b0), .s_axi_arcache(4'd0), .s_axi_arprot(3'd0),
        .s_axi_arqos(4'd0), .s_axi_arvalid(1'b0), .s_axi_rready(1'b1),
        .m_axi_fetch_araddr(f_addr), .m_axi_fetch_arlen(f_len), .m_axi_fetch_arvalid(f_valid),
        .m_axi_fetch_arready(!f_busy), .m_axi_fetch_rid(4'd1),
        .m_axi_fetch_rdata(program[f_at[5:4]]), .m_axi_fetch_rresp(2'd0),
        .m_axi_fetch_rlast(f_left == 8'd0), .m_axi_fetch_rvalid(f_busy),
        .m_axi_load_araddr(l_addr), .m_axi_load_arlen(l_len), .m_axi_load_arvalid(l_valid),
        .m_axi_load_arready(!l_busy), .m_axi_load_rid(4'd2), .m_axi_load_rdata({BUS{1'b0}}),
        .m_axi_load_rresp(2'd0), .m_axi_load_rlast(l_left == 8'd0), .m_axi_load_rvalid(l_busy),
        .m_axi_store_awvalid(s_awvalid), .m_axi_store_awready(1'b1),
        .m_axi_store_wvalid(s_wvalid), .m_axi_store_wready(1'b1), .m_axi_store_wlast(s_wlast),
        .m_axi_store_bid(4'd3), .m_axi_store_bresp(2'd0), .m_axi_store_bvalid(s_answer)
    );

    // ------------------------------------------------------------------ the run
    task cycles(input integer count);
        for (i = 0; i < count; i = i + 1) @(negedge clk);
    endtask

    initial begin
        $readmemh("program.hex", program);
        #1 rst_n = 1'b0;
        cycles(4);
        rst_n = 1'b1;
        cycles(4);
        awaddr  = `CONFIG_ADDRESS;
        wdata   = {64'd0, 16'd0, 16'd4, 32'd0};   // count, address
        awvalid = 1'b1;
        wvalid  = 1'b1;
        while (!awready) cycles(1);
        cycles(1);
        awvalid = 1'b0;
        while (!wready) cycles(1);
        cycles(1);
        wvalid = 1'b0;
        for (i = 0; i < LIMIT && !irq; i = i + 1) @(negedge clk);
        if (irq !== 1'b1) $display("no interrupt");
        cycles(SETTLE);
        $dumpfile("idle.vcd");
        $dumpvars(0, u_top);
        cycles(DUMPED);
        $display("done");
        $finish;
    end

endmodule

`default_nettype wire
