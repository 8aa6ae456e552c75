// skid_buffer: a stream of latency 0; never stuck.
`default_nettype none

module skid_buffer_formal (
    input wire       clk,
    input wire       in_valid,
    input wire [3:0] in_data,
    input wire       out_ready
);

    wire       rst_n, in_ready, out_valid;
    wire [3:0] out_data;
    wire [5:0] level;
    wire       picked;
    wire [3:0] word;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    skid_buffer #(.W(4)) u_dut (
        .clk(clk), .rst_n(rst_n), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    held #(.W(4), .ASSUME(1)) u_in (.clk(clk), .rst_n(rst_n), .valid(in_valid), .ready(in_ready),
                                    .data(in_data));
    held #(.W(4)) u_out (.clk(clk), .rst_n(rst_n), .valid(out_valid), .ready(out_ready),
                         .data(out_data));
    stream_follow u_check (.clk(clk), .rst_n(rst_n), .push(in_valid && in_ready),
                          .push_data(in_data), .pop(out_valid && out_ready), .pop_data(out_data),
                          .level(level), .picked(picked), .word(word));

    always @(posedge clk) begin
        if (rst_n) begin
            assert (in_ready == (level == 6'd0));
            assert (out_valid == (level != 6'd0 || in_valid));
            assert (level <= 6'd1);
            if (picked) assert (out_data == word);
            cover (picked && out_ready && in_valid);
        end
    end

endmodule

`default_nettype wire
