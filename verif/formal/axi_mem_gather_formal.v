// dla_axi_mem_gather: two beats make one, in order, with the answer of the first error.
`default_nettype none

module axi_mem_gather_formal (
    input wire       clk,
    input wire       in_valid,
    input wire       in_last,
    input wire [1:0] in_resp,
    input wire [7:0] in_data,
    input wire       out_ready
);

    wire        rst_n, in_ready, out_valid, out_last;
    wire [1:0]  out_resp;
    wire [15:0] out_data;
    wire [5:0]  level;
    wire        picked;
    wire [18:0] word;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    dla_axi_mem_gather #(.IN_W(8), .OUT_W(16)) u_dut (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_ready(in_ready), .in_last(in_last), .in_resp(in_resp),
        .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_last(out_last), .out_resp(out_resp),
        .out_data(out_data)
    );
    held #(.W(11), .ASSUME(1)) u_in (.clk(clk), .rst_n(rst_n), .valid(in_valid), .ready(in_ready),
                                     .data({in_last, in_resp, in_data}));
    held #(.W(19)) u_out (.clk(clk), .rst_n(rst_n), .valid(out_valid), .ready(out_ready),
                          .data({out_last, out_resp, out_data}));

    reg        second_q;
    reg  [7:0] low_q;
    reg  [1:0] resp_q;
    wire       go = in_valid && in_ready;

    always @(posedge clk) begin
        if (!rst_n)  second_q <= 1'b0;
        else if (go) second_q <= !second_q;
        if (go) begin
            low_q  <= in_data;
            resp_q <= in_resp;
        end
    end

    stream_follow #(.W(19)) u_check (
        .clk(clk), .rst_n(rst_n), .push(go && second_q),
        .push_data({in_last, resp_q[1] ? resp_q : in_resp, in_data, low_q}),
        .pop(out_valid && out_ready), .pop_data({out_last, out_resp, out_data}), .level(level),
        .picked(picked), .word(word));

    // For induction: registers that formal.sh connects.
    wire        dut_piece_q;
    wire [1:0]  dut_resp_q;
    wire [15:0] dut_data_q;

    always @(posedge clk) begin
        if (rst_n) begin
            assert (level <= 6'd1);
            assert (out_valid == (level == 6'd1));
            assert (dut_piece_q == second_q);
            if (second_q) assert (!out_valid && dut_data_q[15:8] == low_q && dut_resp_q == resp_q);
            if (picked) assert ({out_last, out_resp, out_data} == word);
            if (!out_valid || out_ready) assert (in_ready);
            cover (picked && out_last && out_resp == 2'b11);
        end
    end

endmodule

`default_nettype wire
