// An fp16 number as integer, half away from zero, saturated. Two register stages: shift | round.
// Latency 2; stage i moves with load[i]. No reset. A NaN becomes -32768.
`default_nettype none

module fp16_to_int16 (
    input  wire        clk,
    input  wire [1:0]  load,           // input of stage 1, 2 is valid and moves
    input  wire [15:0] in,
    output reg  [15:0] out_q
);

    // 1.mantissa << exponent, 25 bits behind the point; only half of a unit counts of those.
    wire [41:0] shifted = {31'd0, 1'b1, in[9:0]} << in[14:10];
    reg         sign_q, nan_q, half_q;
    reg  [16:0] whole_q;
    wire [17:0] size    = {1'b0, whole_q} + {17'd0, half_q};

    always @(posedge clk) begin
        if (load[0]) begin
            sign_q  <= in[15];
            nan_q   <= (&in[14:10]) && (|in[9:0]);
            whole_q <= shifted[41:25];
            half_q  <= shifted[24];
        end
        if (load[1]) begin
            if (nan_q)              out_q <= 16'h8000;
            else if (|size[17:15])  out_q <= {sign_q, {15{!sign_q}}};
            else                    out_q <= sign_q ? -size[15:0] : size[15:0];
        end
    end

    wire unused_bits = &{1'b0, shifted[23:0]};

endmodule

`default_nettype wire
