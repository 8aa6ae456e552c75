// fifo_reg: a stream, if nothing comes without room; a word that goes in can leave one cycle later.
`default_nettype none

module fifo_reg_formal #(
    parameter DEPTH = 4
) (
    input wire       clk,
    input wire       in_valid,
    input wire [3:0] in_data,
    input wire       out_ready
);

    localparam PTR_W = $clog2(DEPTH);
    localparam CNT_W = $clog2(DEPTH + 2);

    wire             rst_n, out_valid, picked;
    wire [3:0]       out_data, word;
    wire [CNT_W-1:0] count;
    wire [5:0]       level, ahead;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    fifo_reg #(.W(4), .DEPTH(DEPTH)) u_dut (
        .clk(clk), .rst_n(rst_n), .in_valid(in_valid), .in_data(in_data), .count(count),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    held #(.W(4)) u_out (.clk(clk), .rst_n(rst_n), .valid(out_valid), .ready(out_ready),
                         .data(out_data));
    stream_follow u_check (.clk(clk), .rst_n(rst_n), .push(in_valid), .push_data(in_data),
                          .pop(out_valid && out_ready), .pop_data(out_data), .level(level),
                          .picked(picked), .ahead(ahead), .word(word));

    always @(posedge clk) begin
        assume (!in_valid || count <= DEPTH);
        if (rst_n) begin
            assert (count == level);
            assert (out_valid == (level != 6'd0));
            cover (level == DEPTH + 1 && picked && ahead == DEPTH);
        end
    end

    // For induction: registers of the FIFO, which formal.sh connects.
    wire             dut_some_q;
    wire [PTR_W-1:0] dut_rptr_q, dut_wptr_q;
    wire [3:0]       dut_mem0, dut_mem1, dut_mem2, dut_mem3;
    wire [15:0]      mem   = {DEPTH > 2 ? {dut_mem3, dut_mem2} : 8'd0, dut_mem1, dut_mem0};
    wire [5:0]       waits = level == 6'd0 ? 6'd0 : level - 6'd1;
    wire [5:0]       wptr  = {{(6-PTR_W){1'b0}}, dut_rptr_q} + waits;
    wire [5:0]       place = {{(6-PTR_W){1'b0}}, dut_rptr_q} + ahead - 6'd1;

    always @(posedge clk) begin
        if (rst_n) begin
            assert (level <= DEPTH + 1);
            assert (dut_some_q == (level > 6'd1));
            assert (dut_wptr_q == wptr[PTR_W-1:0]);
            if (picked && ahead == 6'd0) assert (out_data == word);
            if (picked && ahead != 6'd0) assert (mem[4*place[PTR_W-1:0] +: 4] == word);
        end
    end

endmodule

`default_nettype wire
