// CMAC sum: the quads of a cell to its words for CACC. ${levels == 1 ? "Two" : "Three"} cycles.
`default_nettype none

module dla_cmac_sum (
    input  wire         clk,
    input  wire [${levels}:0]   enable,         // of a beat: levels of the tree, word
    input  wire [1:0]   tile,           // of a beat: Winograd; levels of the tree  //% if winograd_enable
    input  wire         pair,           // of a beat: int8; word  //% if int8
    input  wire         fp,          // of a beat: fp16; word  //% if mixed
    input  wire [3:0]   largest,        // as in dla_cmac_word  //% if fp16
    input  wire [10:0]  nan,  //% if fp16
    input  wire         is_nan,  //% if fp16
    input  wire [${quads * low_w - 1}:0] low,  //% if int8
    input  wire [${quads * 18 - 1}:0] high,  //% if int8
    input  wire [${quads * 34 - 1}:0] sum,  //% if !int8
    output wire [${results * psum_w - 1:3}:0] psum
);

//% for f in fields
    wire [${f.w + clog2(quads) - 1}:0] ${f.name}_sum [0:${results - 1}];

//% if winograd_enable
    dla_cmac_tile #(.W(${f.w})) u_${f.name} (
        .clk         (clk),
        .enable      (enable[1:0]),
        .tile        (tile),
        .quads       (${f.name}),
        .upper_left  (${f.name}_sum[0]),
        .upper_right (${f.name}_sum[1]),
        .lower_left  (${f.name}_sum[2]),
        .lower_right (${f.name}_sum[3])
    );
//% else
    dla_cmac_tree #(.W(${f.w})) u_${f.name} (
        .clk    (clk),
        .enable (enable[${levels - 1}:0]),
        .quads  (${f.name}),
        .sum    (${f.name}_sum[0])
    );
//% end

//% end
//% if winograd_enable
    // Only the first result exists in a direct layer.
    reg tile_word_q;

    always @(posedge clk) begin
        if (enable[1]) tile_word_q <= tile[1];
    end

    wire [3:0] word = {{3{enable[2] && tile_word_q}}, enable[2]};
//% else
    wire [0:0] word = enable[${levels}];
//% end

    genvar r;
    generate
        for (r = 0; r < ${results}; r = r + 1) begin : gen_word
            dla_cmac_word u_word (
                .clk     (clk),
                .enable  (word[r]),
                .fp   (fp),  //% if mixed
                .largest (largest),  //% if fp16
                .nan     (nan),  //% if fp16
                .is_nan  (is_nan),  //% if fp16
                .pair    (pair),  //% if int8
                .low (low_sum[r]),  //% if int8
                .high (high_sum[r]),  //% if int8
                .sum (sum_sum[r]),  //% if !int8
                .psum    (psum[${psum_w}*r +: ${psum_w}])
            );
        end
    endgenerate

endmodule

`default_nettype wire
