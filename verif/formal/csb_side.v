// The CSB behind a bridge: it takes what is offered, answers it once and in time, and nothing else.
// Asserted of the bridge: one access at a time, held until it is taken, writes non-posted.
`default_nettype none

module csb_side (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        valid,
    input  wire        ready,
    input  wire [15:0] addr,
    input  wire [31:0] wdat,
    input  wire        write,
    input  wire        nposted,
    input  wire        rd_valid,
    input  wire [31:0] rd_data,
    input  wire        wr_complete,
    output reg  [31:0] rd_data_q          // of the last read
);

    reg  asked_q, asked_write_q;
    wire answer = rd_valid || wr_complete;

    held #(.W(50)) u_request (.clk(clk), .rst_n(rst_n), .valid(valid), .ready(ready),
                              .data({addr, wdat & {32{write}}, write, nposted}));
    willing u_ready (.clk(clk), .rst_n(rst_n), .asked(valid), .yes(ready));
    willing u_answer (.clk(clk), .rst_n(rst_n), .asked(asked_q), .yes(answer));

    always @(posedge clk) begin
        if (!rst_n) asked_q <= 1'b0;
        else if (valid && ready) begin
            asked_q       <= 1'b1;
            asked_write_q <= write;
        end else if (answer) asked_q <= 1'b0;
        if (rd_valid) rd_data_q <= rd_data;
    end

    always @(posedge clk) begin
        assume (rd_valid    == (answer && !asked_write_q));
        assume (wr_complete == (answer && asked_write_q));
        if (!asked_q || !rst_n) assume (!answer);
        if (rst_n && asked_q) assert (!valid);
        if (rst_n && valid) assert (nposted == write);
    end

endmodule

`default_nettype wire
