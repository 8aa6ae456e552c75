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

    // Both sides are in reset for the first two edges of either clock.
    reg  [1:0] wr_up_q = 2'd0, rd_up_q = 2'd0;
    wire       rst_n = wr_up_q == 2'd2 && rd_up_q == 2'd2;
    wire       in_ready, out_valid;
    wire [2:0] out_data;

    always @(posedge wr_clk) if (wr_up_q != 2'd2) wr_up_q <= wr_up_q + 2'd1;
    always @(posedge rd_clk) if (rd_up_q != 2'd2) rd_up_q <= rd_up_q + 2'd1;

    fifo_async #(.W(3), .DEPTH(4)) u_dut (
        .wr_clk(wr_clk), .wr_rst_n(rst_n), .in_valid(in_valid), .in_ready(in_ready),
        .in_data(in_data),
        .rd_clk(rd_clk), .rd_rst_n(rst_n), .out_valid(out_valid), .out_ready(out_ready),
        .out_data(out_data)
    );

    // The solver picks a word; each side counts for itself.
    (* anyconst *) reg [3:0] pick;
    reg  [3:0] in_q, out_q;
    reg  [2:0] word_q;
    wire       push = in_valid && in_ready;
    wire       pop  = out_valid && out_ready;

    always @(posedge wr_clk or negedge rst_n) begin
        if (!rst_n) in_q <= 4'd0;
        else        in_q <= in_q + {3'd0, push};
    end

    always @(posedge wr_clk) if (push && in_q == pick) word_q <= in_data;

    always @(posedge rd_clk or negedge rst_n) begin
        if (!rst_n) out_q <= 4'd0;
        else        out_q <= out_q + {3'd0, pop};
    end

    wire [3:0] level = in_q - out_q;

    // Cycles in which there are words, or room, and the side that waits for them does not see it.
    reg  [2:0] blind_rd_q = 3'd0, blind_wr_q = 3'd0;

    always @(posedge rd_clk) blind_rd_q <= level != 4'd0 && !out_valid ? blind_rd_q + 3'd1 : 3'd0;
    always @(posedge wr_clk) blind_wr_q <= rst_n && level != 4'd4 && !in_ready ? blind_wr_q + 3'd1
                                                                              : 3'd0;

    always @* begin
        if (rst_n) begin
            assert (level <= 4'd4);
            if (out_valid) assert (level != 4'd0);
            if (level == 4'd4) assert (!in_ready);
            if (out_valid && out_q == pick) assert (out_data == word_q);
            assert (blind_rd_q <= SEEN && blind_wr_q <= SEEN);
            cover (out_q == 4'd1);
        end
    end

endmodule

`default_nettype wire
