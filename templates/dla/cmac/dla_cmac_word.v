// CMAC word: a sum of all lanes as it goes to CACC. ${word_doc}
// Keeps its value without an enable. No reset.
`default_nettype none

module dla_cmac_word (
    input  wire         clk,
    input  wire         enable,
//% if mixed
    input  wire         fp,      // fp16
//% end
//% if fp16
    input  wire [3:0]   largest,    // exponent of the sum in steps of 4
    input  wire [10:0]  nan,        // sign, fraction of the first NaN
    input  wire         is_nan,     // there is one
//% end
//% if int8
    input  wire         pair,       // int8
    input  wire [${low_w + clog2(quads) - 1}:0]  low,
    input  wire [${18 + clog2(quads) - 1}:0]  high,
//% else
    input  wire [${sum_w - 1}:0]  sum,
//% end
    output reg  [${psum_w - 1}:0]  psum
);

//% if int8
    wire [${sum_w - 1}:0] sum = {{${sum_w - low_w - clog2(quads)}{low[${low_w + clog2(quads) - 1}]}}, low} + {high, 16'd0};

    function [${psum_w / 2 - 1}:0] half(input [${sum_w - 17}:0] v);
//% if psum_w / 2 == sum_w - 16
        half = v;
//% else
        half = {{${psum_w / 2 - sum_w + 16}{v[${sum_w - 17}]}}, v};
//% end
    endfunction

//% end
    always @(posedge clk) begin
        if (enable) begin
//% if psum_w == sum_w
            psum <= sum;
//% else
            psum <= {{${psum_w - sum_w}{sum[${sum_w - 1}]}}, sum};
//% end
//% if int8
            if (pair) psum <= {half(high), half(low[${sum_w - 17}:0])};
//% end
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
