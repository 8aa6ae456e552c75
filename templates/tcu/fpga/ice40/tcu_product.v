//% if dsps > 0
// Signed product of two scalars in a DSP block.
//% else
// Signed product of two scalars out of LUTs: b is written with digits -1, 0, 1, 2 of base 4, the
// highest one -2 to 2, so that each bit of a digit's row is one LUT, and rows are added one by one.
//% end
//
// Latency 1. One product per cycle. No reset.
`default_nettype none

module tcu_product (
    input  wire              clk,
    input  wire [ 0:0]       load,     // the input is valid
    input  wire signed [${data_w - 1:2}:0] a,
    input  wire signed [${data_w - 1:2}:0] b,
    output reg  signed [${2 * data_w - 1:2}:0] p_q
);

//% if dsps > 0
    always @(posedge clk) begin
        if (load) p_q <= a * b;
    end
//% else
    localparam W = ${data_w};
    localparam N = W / 2;             // digits

    wire [2*W-1:0]   product;
    wire [W:0]       once  = {a[W-1], a};
    wire [W:0]       twice = {a, 1'b0};

    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : gen_digit
            wire         carry;       // the digit below is 4 less than its bits say
            wire [W-1:0] rest;        // of the rows below
            wire [1:0]   bits  = b[2*i +: 2];
            wire [1:0]   code  = bits + {1'b0, carry};
            wire         below = i == N - 1 && bits[1];         // the digit has the sign of b
            wire         minus = code == 2'd3 || (code == 2'd2 && below);
            wire [W:0]   row   = code == 2'd0 ? {(W+1){1'b0}} : code == 2'd1 ? once :
                                 code == 2'd2 ? twice ^ {(W+1){below}} : ~once;  // less minus
            wire [W+1:0] sum = {{2{rest[W-1]}}, rest} + {row[W], row} + {{(W+1){1'b0}}, minus};

            if (i == 0) begin : gen_first
                assign carry = 1'b0;
                assign rest  = {W{1'b0}};
            end else begin : gen_next
                assign carry = gen_digit[i-1].bits[1] && gen_digit[i-1].code != 2'd2;
                assign rest  = gen_digit[i-1].sum[W+1:2];
            end
            if (i < N - 1) assign product[2*i +: 2]   = sum[1:0];
            else           assign product[2*i +: W+2] = sum;
        end
    endgenerate

    always @(posedge clk) begin
        if (load) p_q <= product;
    end
//% end

endmodule

`default_nettype wire
