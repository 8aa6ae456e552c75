// Signed product of a wide and a narrow number in two register stages: products of the halves of a
// (a DSP block each) | their sum. Latency 2; stage i moves with load[i]. No reset.
`default_nettype none

module mult_pipe #(
    parameter A_W = 33,               // from 19; up to 35 each half is one DSP block
    parameter B_W = 16                // up to 18
) (
    input  wire                       clk,
    input  wire        [1:0]          load,  // input of stage 1, 2 is valid and moves
    input  wire signed [A_W-1:0]      a,
    input  wire signed [B_W-1:0]      b,
    output reg  signed [A_W+B_W-1:0]  p_q
);

    localparam LOW_W  = 17;           // without a sign: 18 bits with a zero in front
    localparam HIGH_W = A_W - LOW_W;

    wire signed [LOW_W:0]        low  = {1'b0, a[LOW_W-1:0]};
    wire signed [HIGH_W-1:0]     high = a[A_W-1:LOW_W];
    reg  signed [LOW_W+B_W:0]    low_q;
    reg  signed [HIGH_W+B_W-1:0] high_q;

    // |low * b| < 2^(LOW_W + B_W - 1): what is above LOW_W bits has B_W bits.
    wire [HIGH_W+B_W-1:0]        carry = {{HIGH_W{low_q[LOW_W+B_W]}}, low_q[LOW_W +: B_W]};
    wire [HIGH_W+B_W-1:0]        top   = high_q + carry;

    always @(posedge clk) begin
        if (load[0]) begin
            low_q  <= low * b;
            high_q <= high * b;
        end
        if (load[1]) p_q <= {top, low_q[LOW_W-1:0]};
    end

endmodule

`default_nettype wire
