// CMAC cell by carry-save rows: weights of a kernel${int8 ? " (int8: of two)" : ""}, products with all lanes,
// their sum.
//
//    signs, exponents --> alignment --------+
//                                           v
//    mantissas${int8 || int16 ? ", integers" : ""}, 5 cycles later --> quads of 4 lanes --> tree --> word
//    first NaN -------------------------------------------------------->
//
// Each of the three parts of the weights has shadow registers of its own. A cell without weights
// gives 0, also for a NaN in the data. Registers keep their values without a beat.
`default_nettype none

module dla_cmac_cell_csa (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         wt_write,       // a write came a cycle ago: into the shadow weights
    // Of the write: not zero, sign, exponent; 5 cycles later the mantissa, ${nan_stage - 1} later the NaN
    input  wire [${atomic_c - 1:4}:0] wt_on, wt_neg, wt_q2, wt_q1, wt_q0,
    input  wire [${mant_w * atomic_c - 1:4}:0] wt_mant,
    input  wire [11:0]  wt_nan,
    // A swap came 1, 6, ${nan_stage} cycles ago
    input  wire [2:0]   take,
    input  wire [2:0]   fp_in,       // of the beats that came 6, 7, ${nan_stage} cycles ago  //% if mixed
    input  wire [3:0]   pair_in,       // of the beats that came 6, 7, 8, ${nan_stage} cycles ago  //% if int8
    input  wire [1:0]   tile_in,       // of the beats that came 10, 11 cycles ago  //% if winograd_enable
    input  wire [${cmac_latency - 2}:1]  beat,           // bit n: a beat came n cycles ago
    input  wire [${atomic_c - 1:4}:0] dat_on, dat_neg, dat_q2, dat_q1, dat_q0,  // 2 cycles after it
    input  wire [${mant_w * atomic_c - 1:4}:0] dat_mant,       // 7 cycles
    input  wire [11:0]  dat_nan,        // ${nan_stage + 1} cycles
    output wire [${results * psum_w - 1:4}:0] psum
);
    /* verilator no_inline_module */        // one piece of code for all cells

    wire [${cmac_latency - 1}:2] valid;              // copies of the cell
    wire [2:0] fp;  //% if mixed
    wire [3:0] pair;  //% if int8
    wire [1:0] tile;  //% if winograd_enable

    reg_copy #(.W(${cmac_latency - 2 + 3 * mixed + 4 * int8 + 2 * winograd_enable})) u_valid (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({${mixed ? "fp_in, " : ""}${int8 ? "pair_in, " : ""}${winograd_enable ? "tile_in, " : ""}beat}),
        .q     ({${mixed ? "fp, " : ""}${int8 ? "pair, " : ""}${winograd_enable ? "tile, " : ""}valid})
    );

    // ---------------------------------------------------------------- weights
    // Bit n: a write came n cycles ago.
    reg  [${nan_stage}:2] write_q;
    wire [${atomic_c - 1}:0] next_on, next_neg, next_q2, next_q1, next_q0;
    wire [${mant_w * atomic_c - 1}:0] next_mant;
    wire [12:0] next_nan;
    reg  [${atomic_c - 1}:0] on_q, neg_q, q2_q, q1_q, q0_q;
    reg  [${mant_w * atomic_c - 1}:0] mant_q;
    reg  [12:0] nan_q;          // there are weights; the NaN among them

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) write_q <= ${nan_stage - 1}'d0;
        else        write_q <= {write_q[${nan_stage - 1}:2], wt_write};
    end

    dla_cmac_shadow #(.W(${5 * atomic_c})) u_exponents (
        .clk   (clk),
        .rst_n (rst_n),
        .write (wt_write),
        .d     ({wt_on, wt_neg, wt_q2, wt_q1, wt_q0}),
        .take  (take[0]),
        .q     ({next_on, next_neg, next_q2, next_q1, next_q0})
    );

    dla_cmac_shadow #(.W(${mant_w * atomic_c})) u_mantissas (
        .clk   (clk),
        .rst_n (rst_n),
        .write (write_q[6]),
        .d     (wt_mant),
        .take  (take[1]),
        .q     (next_mant)
    );

    dla_cmac_shadow #(.W(13)) u_nan (
        .clk   (clk),
        .rst_n (rst_n),
        .write (write_q[${nan_stage}]),
        .d     ({1'b1, wt_nan}),
        .take  (take[2]),
        .q     (next_nan)
    );

    always @(posedge clk) begin
        if (take[0]) begin
            on_q  <= next_on;
            neg_q <= next_neg;
            q2_q  <= next_q2;
            q1_q  <= next_q1;
            q0_q  <= next_q0;
        end
        if (take[1]) mant_q <= next_mant;
        if (take[2]) nan_q  <= next_nan;
    end

    // ---------------------------------------------------------------- alignment
    wire [${atomic_c - 1}:0] flip, off, shift2, shift1, shift0;
    wire [3:0] largest;
    (* mem2reg *) reg  [3:0] largest_q [9:${nan_stage + 1}];
    integer    s;

    dla_cmac_align u_align (
        .clk     (clk),
        .enable  (valid[7:2]),
        .dat_on  (dat_on),
        .dat_neg (dat_neg),
        .dat_q2  (dat_q2),
        .dat_q1  (dat_q1),
        .dat_q0  (dat_q0),
        .wt_on   (on_q),
        .wt_neg  (neg_q),
        .wt_q2   (q2_q),
        .wt_q1   (q1_q),
        .wt_q0   (q0_q),
        .flip    (flip),
        .off     (off),
        .shift2  (shift2),
        .shift1  (shift1),
        .shift0  (shift0),
        .largest (largest)
    );

    always @(posedge clk) begin
        if (valid[8]) largest_q[9] <= largest;
        for (s = 10; s <= ${nan_stage + 1}; s = s + 1) begin
            if (valid[s-1]) largest_q[s] <= largest_q[s-1];
        end
    end

    // ---------------------------------------------------------------- products and their sum
//% for f in fields
    wire [${quads * f.w - 1}:0] ${f.name};
//% end
    genvar g;
    generate
        for (g = 0; g < ${quads}; g = g + 1) begin : gen_quad
            dla_cmac_quad_csa u_quad (
                .clk     (clk),
                .enable  (valid[10:7]),
                .fp   (fp[1:0]),  //% if mixed
                .pair    (pair[2:0]),  //% if int8
                .weights (mant_q[${4 * mant_w}*g +: ${4 * mant_w}]),
                .dat     (dat_mant[${4 * mant_w}*g +: ${4 * mant_w}]),
                .flip    (flip[4*g +: 4]),
                .off     (off[4*g +: 4]),
                .shift2  (shift2[4*g +: 4]),
                .shift1  (shift1[4*g +: 4]),
//% for f in fields
                .${f.name} (${f.name}[${f.w}*g +: ${f.w}]),
//% end
                .shift0  (shift0[4*g +: 4])
            );
        end
    endgenerate

    dla_cmac_sum u_sum (
        .clk     (clk),
        .enable  (valid[${cmac_latency - 1}:11]),
        .tile    (tile),  //% if winograd_enable
        .pair    (pair[3]),  //% if int8
        .fp   (fp[2]),  //% if mixed
        .largest (largest_q[${nan_stage + 1}]),
        .nan     (nan_q[11] ? nan_q[10:0] : dat_nan[10:0]),
        .is_nan  (nan_q[11] || (nan_q[12] && dat_nan[11])),
//% for f in fields
        .${f.name} (${f.name}),
//% end
        .psum    (psum)
    );

endmodule

`default_nettype wire
