// fifo_async: a stream between two clocks of any ratio and phase; words and room are seen on the
// other side after SEEN cycles of its clock.
`default_nettype none

module fifo_async_formal (
    input wire       wr_clk,
    input wire       rd_clk,
    input wire       in_valid,
    input wire [2:0] in_data,
    input wire       out_ready
);

    localparam SEEN = 3;

    // Each side is in reset for the first two edges of its clock.
    reg  [1:0] wr_up_q = 2'd0, rd_up_q = 2'd0;
    wire       wr_rst_n = wr_up_q == 2'd2, rd_rst_n = rd_up_q == 2'd2;
    wire       in_ready, out_valid;
    wire [2:0] out_data;

    always @(posedge wr_clk) if (wr_up_q != 2'd2) wr_up_q <= wr_up_q + 2'd1;
    always @(posedge rd_clk) if (rd_up_q != 2'd2) rd_up_q <= rd_up_q + 2'd1;

    fifo_async #(.W(3), .DEPTH(4)) u_dut (
        .wr_clk(wr_clk), .wr_rst_n(wr_rst_n), .in_valid(in_valid), .in_ready(in_ready),
        .in_data(in_data),
        .rd_clk(rd_clk), .rd_rst_n(rd_rst_n), .out_valid(out_valid), .out_ready(out_ready),
        .out_data(out_data)
    );

    // The solver picks a word; each side counts for itself.
    (* anyconst *) reg [3:0] pick;
    reg  [3:0] in_q, out_q;
    reg  [2:0] word_q;
    wire       push = in_valid && in_ready && wr_rst_n;
    wire       pop  = out_valid && out_ready && rd_rst_n;

    always @(posedge wr_clk or negedge wr_rst_n) begin
        if (!wr_rst_n) in_q <= 4'd0;
        else           in_q <= in_q + {3'd0, push};
    end

    always @(posedge wr_clk) if (push && in_q == pick) word_q <= in_data;

    always @(posedge rd_clk or negedge rd_rst_n) begin
        if (!rd_rst_n) out_q <= 4'd0;
        else           out_q <= out_q + {3'd0, pop};
    end

    wire [3:0] level = in_q - out_q;

    // Cycles in which there are words, or room, and the side that waits for them does not see it.
    reg  [2:0] blind_rd_q = 3'd0, blind_wr_q = 3'd0;

    always @(posedge rd_clk)
        blind_rd_q <= rd_rst_n && level != 4'd0 && !out_valid ? blind_rd_q + 3'd1 : 3'd0;
    always @(posedge wr_clk)
        blind_wr_q <= wr_rst_n && level != 4'd4 && !in_ready ? blind_wr_q + 3'd1 : 3'd0;

    always @* begin
        assert (wr_up_q <= 2'd2 && rd_up_q <= 2'd2);
        assert (level <= 4'd4);
        if (out_valid) assert (level != 4'd0);
        if (level == 4'd4) assert (!in_ready);
        if (out_valid && out_q == pick) assert (out_data == word_q);
        assert (blind_rd_q <= SEEN && blind_wr_q <= SEEN);
        if (!rd_rst_n) assert (blind_rd_q == 3'd0);
        if (!wr_rst_n) assert (blind_wr_q == 3'd0);
        cover (out_q == 4'd1);
    end

    // For induction: pointers and synchronizers of the FIFO, which formal.sh connects. In binary
    // what one side sees of the other's pointer lies between this one and its own, by stages.
    wire [2:0] dut_wbin_q, dut_wgray_q, dut_rbin_q, dut_rgray_q;
    wire [2:0] dut_mem0, dut_mem1, dut_mem2, dut_mem3;
    wire [1:0] dut_u_wr0, dut_u_wr1, dut_u_wr2, dut_u_rd0, dut_u_rd1, dut_u_rd2;
    wire [2:0] r_near, r_far, w_near, w_far;
    binary u_r_near (.gray({dut_u_wr2[0], dut_u_wr1[0], dut_u_wr0[0]}), .bin(r_near));
    binary u_r_far  (.gray({dut_u_wr2[1], dut_u_wr1[1], dut_u_wr0[1]}), .bin(r_far));
    binary u_w_near (.gray({dut_u_rd2[0], dut_u_rd1[0], dut_u_rd0[0]}), .bin(w_near));
    binary u_w_far  (.gray({dut_u_rd2[1], dut_u_rd1[1], dut_u_rd0[1]}), .bin(w_far));

    // Words between two pointers.
    wire [2:0]  used    = dut_wbin_q - dut_rbin_q;
    wire [2:0]  seen_w1 = dut_wbin_q - w_near, seen_w2 = w_near - w_far;
    wire [2:0]  seen_w3 = w_far - dut_rbin_q;
    wire [2:0]  seen_r1 = dut_rbin_q - r_near, seen_r2 = r_near - r_far;
    wire [2:0]  seen_r3 = dut_wbin_q - r_far;
    wire [11:0] mem     = {dut_mem3, dut_mem2, dut_mem1, dut_mem0};
    wire [3:0]  ahead   = pick - out_q;

    always @* begin
        assert (dut_wgray_q == (dut_wbin_q ^ dut_wbin_q >> 1));
        assert (dut_rgray_q == (dut_rbin_q ^ dut_rbin_q >> 1));
        assert (dut_wbin_q == in_q[2:0] && dut_rbin_q == out_q[2:0]);
        assert (level == {1'b0, used});
        assert ({2'd0, seen_w1} + {2'd0, seen_w2} + {2'd0, seen_w3} == {2'd0, used});
        assert ({2'd0, used} + {2'd0, seen_r1} + {2'd0, seen_r2} == {2'd0, seen_r3});
        assert (seen_r3 <= 3'd4);
        if (blind_rd_q != 3'd0) assert (w_near != dut_rbin_q);
        if (blind_rd_q > 3'd1) assert (out_valid);
        if (blind_wr_q != 3'd0) assert (dut_wbin_q - r_near != 3'd4);
        if (blind_wr_q > 3'd1) assert (seen_r3 != 3'd4);
        if (blind_wr_q > 3'd2) assert (in_ready);
        if (in_ready) assert (seen_r3 != 3'd4);
        if (ahead < level) assert (mem[3*pick[1:0] +: 3] == word_q);
    end

endmodule

`default_nettype wire
