// Stands in for the output register of an ECP5 with two bits per cycle: D0 leaves while SCLK is
// high, D1 while it is low.
`default_nettype none

module ODDRX1F (
    input  wire SCLK,
    input  wire RST,
    input  wire D0,
    input  wire D1,
    output wire Q
);

    reg [1:0] data_q;

    assign Q = SCLK ? data_q[0] : data_q[1];

    always @(posedge SCLK or posedge RST) begin
        if (RST) data_q <= 2'd0;
        else     data_q <= {D1, D0};
    end

endmodule

`default_nettype wire
