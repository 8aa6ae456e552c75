// CMAC word: a sum of all lanes as it goes to CACC. ${fp16 ? "fp16: exponent and 38 bits." : ""}${fp16 && int8 ? " " : ""}${int8 ? "int8: two kernels." : ""}${fp16 || int8 ? "" : "Sign extended."}
// Keeps its value without an enable. No reset.
`default_nettype none

module dla_cmac_word (
    input  wire         clk,
    input  wire         enable,
    input  wire         fp,      // fp16  //% if mixed
    input  wire [3:0]   largest,    // exponent of the sum in steps of 4  //% if fp16
    input  wire [10:0]  nan,        // sign, fraction of the first NaN  //% if fp16
    input  wire         is_nan,     // there is one  //% if fp16
//# With int8 a sum comes in two parts, of which each is a sum of int8 by itself.
    input  wire         pair,       // int8  //% if int8
    input  wire [${low_w + clog2(quads) - 1}:0]  low,  //% if int8
    input  wire [${18 + clog2(quads) - 1}:0]  high,  //% if int8
    input  wire [${sum_w - 1}:0]  sum,  //% if !int8
    output reg  [${psum_w - 1}:0]  psum
);

//% if int8
    wire [${sum_w - 1}:0] sum = {{${sum_w - low_w - clog2(quads)}{low[${low_w + clog2(quads) - 1}]}}, low} + {high, 16'd0};

//% end
    always @(posedge clk) begin
        if (enable) begin
            psum <= sum;  //% if psum_w == sum_w
            psum <= {{${psum_w - sum_w}{sum[${sum_w - 1}]}}, sum};  //% if psum_w != sum_w
            //# Sums of int8 have sum_w - 16 bits, places for them half a word.
            if (pair) psum <= {high, low[${sum_w - 17}:0]};  //% if int8 && pair_more == 0
            if (pair) psum <= {{${pair_more}{high[${sum_w - 17}]}}, high, {${pair_more}{low[${sum_w - 17}]}}, low[${sum_w - 17}:0]};  //% if int8 && pair_more > 0
//% if mixed
            if (fp) begin
                psum[43:38] <= {largest, 2'd0};
                if (is_nan) psum <= {6'd63, nan, 27'd0};
            end
//% elif fp16
            psum[43:38] <= {largest, 2'd0};
            if (is_nan) psum <= {6'd63, nan, 27'd0};
//% end
        end
    end

endmodule

`default_nettype wire
