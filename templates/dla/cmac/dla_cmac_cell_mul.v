// CMAC cell by multipliers: weights of a kernel${int8 ? " (int8: of two)" : ""}, products with all lanes, their sum.
//
//    data --> quads of 4 lanes, 3 cycles --> tree, ${levels == 1 ? "One cycle." : "Two cycles."} --> word
//
// Weights are kept in the multipliers. Registers keep their values without a beat.
`default_nettype none

module dla_cmac_cell_mul (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         wt_write,       // into the shadow weights
    input  wire [${16 * atomic_c - 1:4}:0] wt,
    input  wire         take,           // shadow weights become active
    input  wire         take_pair,      // with take: int8  //% if int8
    input  wire [0:0]   pair_in,       // of the beats that came ${nan_stage} cycles ago  //% if int8
    input  wire [1:0]   tile_in,       // of the beats that came 3, 4 cycles ago  //% if winograd_enable
    input  wire [${cmac_latency - 2:4}:0] beat,           // bit n: a beat came n cycles ago
    input  wire [${16 * atomic_c - 1:4}:0] dat,            // the cycle after it came
    output wire [${results * psum_w - 1:4}:0] psum
);
    /* verilator no_inline_module */        // one piece of code for all cells

    wire [${16 * atomic_c - 1}:0] next;
    wire [${cmac_latency - 1}:1] valid;              // copies of the cell
    wire [0:0] pair;  //% if int8
    wire [1:0] tile;  //% if winograd_enable

    reg_copy #(.W(${cmac_latency - 1 + int8 + 2 * winograd_enable})) u_valid (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({${int8 ? "pair_in, " : ""}${winograd_enable ? "tile_in, " : ""}beat}),
        .q     ({${int8 ? "pair, " : ""}${winograd_enable ? "tile, " : ""}valid})
    );

    dla_cmac_shadow #(.W(${16 * atomic_c})) u_shadow (
        .clk   (clk),
        .rst_n (rst_n),
        .write (wt_write),
        .d     (wt),
        .take  (take),
        .q     (next)
    );

    // ---------------------------------------------------------------- quads
//% for f in fields
    wire [${quads * f.w - 1}:0] ${f.name};
//% end
    genvar g;
    generate
        for (g = 0; g < ${quads}; g = g + 1) begin : gen_quad
            dla_cmac_quad_mul u_quad (
                .clk     (clk),
                .load    (take),
                .pair    (take_pair),  //% if int8
                .weights (next[64*g +: 64]),
                .dat     (dat[64*g +: 64]),
//% for f in fields
                .${f.name} (${f.name}[${f.w}*g +: ${f.w}]),
//% end
                .enable  (valid[3:1])
            );
        end
    endgenerate

    dla_cmac_sum u_sum (
        .clk    (clk),
        .enable (valid[${cmac_latency - 1}:4]),
        .tile   (tile),  //% if winograd_enable
        .pair   (pair),  //% if int8
//% for f in fields
        .${f.name} (${f.name}),
//% end
        .psum   (psum)
    );

endmodule

`default_nettype wire
