// fifo_sync: a stream; never stuck.
`default_nettype none

module fifo_sync_formal #(
    parameter DEPTH = 3
) (
    input wire       clk,
    input wire       in_valid,
    input wire [3:0] in_data,
    input wire       out_ready
);

    localparam PTR_W = $clog2(DEPTH);

    wire       rst_n, in_ready, out_valid, picked;
    wire [3:0] out_data, word;
    wire [5:0] level, ahead;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    fifo_sync #(.W(4), .DEPTH(DEPTH)) u_dut (
        .clk(clk), .rst_n(rst_n), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    held #(.W(4), .ASSUME(1)) u_in (.clk(clk), .rst_n(rst_n), .valid(in_valid), .ready(in_ready),
                                    .data(in_data));
    held #(.W(4)) u_out (.clk(clk), .rst_n(rst_n), .valid(out_valid), .ready(out_ready),
                         .data(out_data));
    stream_follow u_check (.clk(clk), .rst_n(rst_n), .push(in_valid && in_ready),
                          .push_data(in_data), .pop(out_valid && out_ready), .pop_data(out_data),
                          .level(level), .picked(picked), .ahead(ahead), .word(word));

    // Room and words as many as there are.
    always @(posedge clk) begin
        if (rst_n) begin
            assert (level <= DEPTH);
            assert (in_ready == (level < DEPTH));
            assert (out_valid == (level != 6'd0));
            cover (level == DEPTH && picked && ahead == DEPTH - 1);
        end
    end

    // For induction: registers of the FIFO, which formal.sh connects.
    wire [PTR_W-1:0] dut_rptr_q, dut_wptr_q;
    wire [3:0]       dut_mem0, dut_mem1, dut_mem2, dut_mem3;
    wire [15:0]      mem   = {DEPTH > 3 ? dut_mem3 : 4'd0, DEPTH > 2 ? dut_mem2 : 4'd0, dut_mem1,
                              dut_mem0};
    wire [5:0]       last  = {{(6-PTR_W){1'b0}}, dut_rptr_q} + level;
    wire [5:0]       place = {{(6-PTR_W){1'b0}}, dut_rptr_q} + ahead;
    wire [5:0]       wptr  = last >= DEPTH ? last - DEPTH : last;
    wire [5:0]       at    = place >= DEPTH ? place - DEPTH : place;

    always @(posedge clk) begin
        if (rst_n) begin
            assert (dut_rptr_q < DEPTH);
            assert (dut_wptr_q == wptr);
            if (picked) assert (mem[4*at[1:0] +: 4] == word);
        end
    end

endmodule

`default_nettype wire
