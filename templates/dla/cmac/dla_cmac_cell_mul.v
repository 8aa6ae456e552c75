// CMAC cell by multipliers: weights of a kernel${pair_doc}, products with all lanes, their sum.
//
//    data --> quads of 4 lanes, 3 cycles --> tree, ${levels_doc} --> word
//
// Weights are kept in the multipliers. Registers keep their values without a beat.
`default_nettype none

module dla_cmac_cell_mul (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         wt_write,       // into the shadow weights
    input  wire [${16 * atomic_c - 1:4}:0] wt,
    input  wire         take,           // shadow weights become active
    ${take_pair_port}
//% for k in kinds
    input  wire [${k.w - 1}:0]   ${k.name}_in,       // of the beats that came ${k.ages} cycles ago
//% end
    input  wire [${cmac_latency - 2:4}:0] beat,           // bit n: a beat came n cycles ago
    input  wire [${16 * atomic_c - 1:4}:0] dat,            // the cycle after it came
    output wire [${results * psum_w - 1:4}:0] psum
);
    /* verilator no_inline_module */        // one piece of code for all cells

    wire [${16 * atomic_c - 1}:0] next;
    wire [${cmac_latency - 1}:1] valid;              // copies of the cell
//% for k in kinds
    wire [${k.w - 1}:0] ${k.name};
//% end

    reg_copy #(.W(${cmac_latency - 1 + copies})) u_valid (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({${kind_inputs}beat}),
        .q     ({${kind_copies}valid})
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
                ${take_pair_pin}
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
        ${sum_kind_pins}
//% for f in fields
        .${f.name} (${f.name}),
//% end
        .psum   (psum)
    );

endmodule

`default_nettype wire
