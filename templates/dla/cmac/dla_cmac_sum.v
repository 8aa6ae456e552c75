// CMAC sum: the quads of a cell to its words for CACC. ${sum_cycles} cycles.
`default_nettype none

module dla_cmac_sum (
    input  wire         clk,
    input  wire [${levels}:0]   enable,         // of a beat: levels of the tree, word
    ${sum_ports}
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
                ${word_pins}
                .psum    (psum[${psum_w}*r +: ${psum_w}])
            );
        end
    endgenerate

endmodule

`default_nettype wire
