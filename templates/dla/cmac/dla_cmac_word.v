// CMAC word: a sum of all lanes as it goes to CACC. ${word_doc}
// Keeps its value without an enable. No reset.
`default_nettype none

module dla_cmac_word (
    input  wire         clk,
    input  wire         enable,
    ${word_ports}
//# With int8 a sum comes in two parts, of which each is a sum of int8 by itself.
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

//% end
    always @(posedge clk) begin
        if (enable) begin
            psum <= ${word};
            ${pair_word}
            ${fp_word}
        end
    end

endmodule

`default_nettype wire
