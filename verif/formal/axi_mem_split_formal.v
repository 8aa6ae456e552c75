// dla_axi_mem_split: one beat makes two, in order, none too many.
`default_nettype none

module axi_mem_split_formal (
    input wire        clk,
    input wire        in_valid,
    input wire        in_last,
    input wire [1:0]  in_strb,
    input wire [15:0] in_data,
    input wire        out_ready
);

    wire       rst_n, in_ready, out_valid, out_last, out_strb;
    wire [7:0] out_data;
    wire [5:0] level;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    dla_axi_mem_split #(.IN_W(16), .OUT_W(8)) u_dut (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_ready(in_ready), .in_last(in_last), .in_strb(in_strb),
        .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_last(out_last), .out_strb(out_strb),
        .out_data(out_data)
    );
    held #(.W(19), .ASSUME(1)) u_in (.clk(clk), .rst_n(rst_n), .valid(in_valid), .ready(in_ready),
                                     .data({in_last, in_strb, in_data}));
    held #(.W(10)) u_out (.clk(clk), .rst_n(rst_n), .valid(out_valid), .ready(out_ready),
                          .data({out_last, out_strb, out_data}));
    willing u_willing (.clk(clk), .rst_n(rst_n), .asked(out_valid), .yes(out_ready));

    // The first half goes in when a beat is offered, the second when it is taken.
    reg  started_q;
    wire start = in_valid && !started_q;

    always @(posedge clk) begin
        if (!rst_n) started_q <= 1'b0;
        else        started_q <= in_valid && !in_ready;
    end

    reg        second_q;
    reg  [8:0] low_q;
    wire       go = out_valid && out_ready;

    always @(posedge clk) begin
        if (!rst_n)  second_q <= 1'b0;
        else if (go) second_q <= !second_q;
        if (go) low_q <= {out_strb, out_data};
    end

    stream_check #(.W(19), .WAIT(16)) u_check (
        .clk(clk), .rst_n(rst_n), .push(start), .push_data({in_last, in_strb, in_data}),
        .pop(go && second_q),
        .pop_data({out_last, out_strb, low_q[8], out_data, low_q[7:0]}), .level(level));

    always @(posedge clk) begin
        if (rst_n && out_valid && !second_q) assert (!out_last);
        cover (rst_n && go && out_last && level == 6'd2);
    end

endmodule

`default_nettype wire
