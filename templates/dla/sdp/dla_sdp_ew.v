// The EW stage (Y) of SDP: cuts words of the lanes of SDP into its own, ${sdp_ew_throughput} element(s) per cycle,
// and puts them together again.
//
//% let int_end = ew_arith_stages + (sdp_lut_enable ? lut_stages : 0)
//% let fp_end = fp_arith_stages + (sdp_lut_enable ? fp_lut_stages : 0)
//% if fp16
// Contract: words come at least ${ew_beats} cycle(s) apart and hold for that time. Latency behind the
// last part: integers ${int_end}, fp32 ${fp_arith_stages}, with the table ${fp_end}.  //% if fp_choice && sdp_lut_enable
// last part: integers ${int_end}, fp32 ${fp_arith_stages}.  //% if fp_choice && !sdp_lut_enable
// last part: fp32 ${fp_arith_stages}, with the table ${fp_end}.  //% if !fp_choice && sdp_lut_enable
// last part: fp32 ${fp_arith_stages}.  //% if !fp_choice && !sdp_lut_enable
// Reset: no word, also no part of one; data has none.
//% else
// Contract: words come at least ${ew_beats} cycle(s) apart and hold for that time. Latency ${ew_stages} cycles behind
// the last part. Reset: no word, also no part of one; data has none.
//% end
`default_nettype none

module dla_sdp_ew (
    input  wire         clk,
    input  wire         ram_clk,       // never stopped  //% if sdp_lut_enable
    input  wire         rst_n,
    input  wire         start,         // of a layer

    // registers
    input  wire         fp,            // elements are fp32  //% if fp_choice
    input  wire         flush,         // operands that are NaN count as 0  //% if fp16
    input  wire         alu_on,
    input  wire [1:0]   alu_algo,
    input  wire         alu_src,       // 1: operand from memory
    input  wire [31:0]  alu_value,
//% if ints
    input  wire         alu_cvt_bypass,
    input  wire [31:0]  alu_cvt_offset,
    input  wire [15:0]  alu_cvt_scale,
    input  wire [5:0]   alu_cvt_shift,
//% end
    input  wire         mul_on,
    input  wire         mul_prelu,
    input  wire         mul_src,       // 1: operand from memory
    input  wire [31:0]  mul_value,
//% if ints
    input  wire         mul_cvt_bypass,
    input  wire [31:0]  mul_cvt_offset,
    input  wire [15:0]  mul_cvt_scale,
    input  wire [5:0]   mul_cvt_shift,
    input  wire [9:0]   truncate,
//% end
//% if sdp_lut_enable
    input  wire         lut_bypass,
    input  wire         count_en,
    input  wire         le_linear,
    input  wire         uflow_lo,
    input  wire         oflow_lo,
    input  wire         hybrid_lo,
    input  wire [7:0]   le_offset,
    input  wire [7:0]   le_select,
    input  wire [7:0]   lo_select,
    input  wire [31:0]  le_start,
    input  wire [31:0]  le_end,
    input  wire [31:0]  lo_start,
    input  wire [31:0]  lo_end,
    input  wire [31:0]  le_scale,
    input  wire [31:0]  lo_scale,
    input  wire [9:0]   le_shift,  //% if ints
    input  wire [9:0]   lo_shift,  //% if ints

    // register access to the tables, see dla_sdp_lut
    input  wire         csb_access,
    input  wire         csb_write,
    input  wire [15:0]  csb_wdata,
    input  wire         csb_cfg,
    input  wire [9:0]   csb_addr,
    input  wire         csb_table,
    input  wire         csb_store,
    output wire [15:0]  csb_rdata,

    // elements of the layer: result from below, above, within the table; in range of LE, of LO
    output wire [31:0]  uflow_q,
    output wire [31:0]  oflow_q,
    output wire [31:0]  hybrid_q,
    output wire [31:0]  le_hit_q,
    output wire [31:0]  lo_hit_q,
//% end

    // word and operands
    input  wire         in_valid,      // in the first of the ${ew_beats} cycle(s)
    input  wire         in_tag,
    output wire         in_taken,      // the last of them, with the tag
    output wire         taken_tag,
    input  wire [${32 * sdp_lanes - 1:3}:0] in_data,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_mul,
    output wire         out_valid,     // of a whole word
    output wire [${32 * sdp_lanes - 1:3}:0] out_data
);

    localparam LANES  = ${sdp_ew_throughput};
    localparam STAGES = ${ew_stages};

    // ------------------------------------------------------------------ parts of a word
    wire [32*LANES-1:0] part;
    wire [16*LANES-1:0] part_alu, part_mul;
    wire                take;                          // a part
    wire                last;                          // part of the word

//% if ew_beats > 1
    localparam PART_W = ${clog2(ew_beats)};
    reg  [PART_W-1:0]   part_q;

    reg                 tag_q;

    assign take      = in_valid || (|part_q);
    assign last      = &part_q;
    assign in_taken  = last;
    assign taken_tag = tag_q;
    assign part      = in_data[32*LANES*part_q +: 32*LANES];
    assign part_alu  = operand_alu[16*LANES*part_q +: 16*LANES];
    assign part_mul  = operand_mul[16*LANES*part_q +: 16*LANES];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    part_q <= {PART_W{1'b0}};
        else if (take) part_q <= part_q + {{(PART_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (in_valid) tag_q <= in_tag;
    end
//% else
    assign take      = in_valid;
    assign last      = 1'b1;
    assign in_taken  = in_valid;
    assign taken_tag = in_tag;
    assign part      = in_data;
    assign part_alu  = operand_alu;
    assign part_mul  = operand_mul;
//% end

    // ------------------------------------------------------------------ control
    reg  [STAGES-1:0]   valid_q;
    reg  [STAGES-1:0]   last_q;
    wire [STAGES:0]     load  = {valid_q, take};
    wire [STAGES:0]     lasts = {last_q, last};

//% if fp16
    // Where an element ends.
    wire                end_valid = !fp ? load[${int_end}] : lut_bypass ? load[${fp_arith_stages}] : load[${fp_end}];  //% if fp_choice && sdp_lut_enable
    wire                end_valid = !fp ? load[${int_end}] : load[${fp_arith_stages}];  //% if fp_choice && !sdp_lut_enable
    wire                end_valid = lut_bypass ? load[${fp_arith_stages}] : load[${fp_end}];  //% if !fp_choice && sdp_lut_enable
    wire                end_valid = load[${fp_arith_stages}];  //% if !fp_choice && !sdp_lut_enable
    wire                end_last  = !fp ? lasts[${int_end}] : lut_bypass ? lasts[${fp_arith_stages}] : lasts[${fp_end}];  //% if fp_choice && sdp_lut_enable
    wire                end_last  = !fp ? lasts[${int_end}] : lasts[${fp_arith_stages}];  //% if fp_choice && !sdp_lut_enable
    wire                end_last  = lut_bypass ? lasts[${fp_arith_stages}] : lasts[${fp_end}];  //% if !fp_choice && sdp_lut_enable
    wire                end_last  = lasts[${fp_arith_stages}];  //% if !fp_choice && !sdp_lut_enable

    // It goes no further: the next layer may end elsewhere.
    reg  [STAGES-1:0]   moving;

    assign out_valid = end_valid && end_last;

    always @* begin
        moving = load[STAGES-1:0];
        if (!fp) moving[${int_end}] = 1'b0;  //% if fp_choice && int_end < ew_stages
        if (${!sdp_lut_enable ? "fp" : fp_choice ? "fp && lut_bypass" : "lut_bypass"}) moving[${fp_arith_stages}] = 1'b0;  //% if fp_arith_stages < ew_stages
    end
//% else
    assign out_valid = load[STAGES] && lasts[STAGES];
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= ${fp16 ? "moving" : "load[STAGES-1:0]"};
    end

    always @(posedge clk) begin
        last_q <= lasts[STAGES-1:0];
    end

    // ------------------------------------------------------------------ lanes
    wire [32*LANES-1:0] fp_arithmetic;  //% if fp16
    wire [${int_end - 1}:0]         int_load = load[${int_end - 1}:0] & {${int_end}{!fp}};  //% if fp_choice
    wire [${fp_end - 1}:0]         fp_load  = load[${fp_end - 1}:0] & {${fp_end}{fp}};  //% if fp_choice
//% if ints
    // The registers hold while a layer runs.
    reg  [31:0]         alu_offset_q, mul_offset_q;
    reg  [15:0]         alu_scale_q, mul_scale_q;
    reg  [5:0]          alu_shift_q, mul_shift_q;
    wire [32*LANES-1:0] arithmetic;
//% end
    wire [32*LANES-1:0] result;

//% if ints
    always @(posedge clk) begin
        alu_offset_q <= alu_cvt_bypass ? 32'd0 : alu_cvt_offset;
        alu_scale_q  <= alu_cvt_bypass ? 16'd1 : alu_cvt_scale;
        alu_shift_q  <= alu_cvt_bypass ? 6'd0 : alu_cvt_shift;
        mul_offset_q <= mul_cvt_bypass ? 32'd0 : mul_cvt_offset;
        mul_scale_q  <= mul_cvt_bypass ? 16'd1 : mul_cvt_scale;
        mul_shift_q  <= mul_cvt_bypass ? 6'd0 : mul_cvt_shift;
    end

//% end
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//% if fp16
            dla_sdp_ew_fp_lane u_fp (
                .clk         (clk),
                .load        (${fp_choice ? "fp_load" : "load"}[${fp_arith_stages - 1}:0]),
                .flush       (flush),
                .alu_on      (alu_on),
                .alu_algo    (alu_algo),
                .alu_src     (alu_src),
                .alu_value   (alu_value),
                .mul_on      (mul_on),
                .prelu       (mul_prelu),
                .mul_src     (mul_src),
                .mul_value   (mul_value),
                .in_data     (part[32*i +: 32]),
                .alu_operand (part_alu[16*i +: 16]),
                .mul_operand (part_mul[16*i +: 16]),
                .out_data    (fp_arithmetic[32*i +: 32])
            );
//% end
//% if ints
            dla_sdp_ew_lane u_lane (
                .clk         (clk),
                .rst_n       (rst_n),
                .load        (${fp_choice ? "int_load" : "load"}[${ew_arith_stages - 1}:0]),
                .alu_on      (alu_on),
                .alu_algo    (alu_algo),
                .alu_src     (alu_src),
                .alu_value   (alu_value),
                .alu_offset  (alu_offset_q),
                .alu_scale   (alu_scale_q),
                .alu_shift   (alu_shift_q),
                .mul_on      (mul_on),
                .prelu       (mul_prelu),
                .mul_src     (mul_src),
                .mul_value   (mul_value),
                .mul_offset  (mul_offset_q),
                .mul_scale   (mul_scale_q),
                .mul_shift   (mul_shift_q),
                .truncate    (truncate),
                .in_data     (part[32*i +: 32]),
                .alu_operand (part_alu[16*i +: 16]),
                .mul_operand (part_mul[16*i +: 16]),
                .out_data_q  (arithmetic[32*i +: 32])
            );
//% end
        end
    endgenerate

//% if sdp_lut_enable
    // ------------------------------------------------------------------ tables
//%   if fp16
    wire [32*LANES-1:0] found;

    // In fp32 the table is left out if it is bypassed.
    assign result = ${fp_choice ? "(fp && lut_bypass)" : "lut_bypass"} ? fp_arithmetic : found;

//%   end
    dla_sdp_lut u_lut (
        .clk        (clk),
        .ram_clk    (ram_clk),
        .rst_n      (rst_n),
        .start      (start),
        .load       (int_load[${int_end - 1}:${ew_arith_stages}]),  //% if fp_choice
        .fp         (fp),  //% if fp_choice
        .fp_in_data (fp_arithmetic),  //% if fp_choice
        .fp_load    (${fp_choice ? "fp_load" : "load"}[${fp_arith_stages + fp_lut_stages - 1}:${fp_arith_stages}]),  //% if fp16
        .load       (load[STAGES-1:${ew_arith_stages}]),  //% if !fp16
        .bypass     (lut_bypass),
        .count_en   (count_en),
        .le_linear  (le_linear),
        .uflow_lo   (uflow_lo),
        .oflow_lo   (oflow_lo),
        .hybrid_lo  (hybrid_lo),
        .le_offset  (le_offset),
        .le_select  (le_select),
        .lo_select  (lo_select),
        .le_start   (le_start),
        .le_end     (le_end),
        .lo_start   (lo_start),
        .lo_end     (lo_end),
        .le_scale   (le_scale),
        .lo_scale   (lo_scale),
        .le_shift   (le_shift),  //% if ints
        .lo_shift   (lo_shift),  //% if ints
        .csb_access (csb_access),
        .csb_write  (csb_write),
        .csb_wdata  (csb_wdata),
        .csb_cfg    (csb_cfg),
        .csb_addr   (csb_addr),
        .csb_table  (csb_table),
        .csb_store  (csb_store),
        .csb_rdata  (csb_rdata),
        .uflow_q    (uflow_q),
        .oflow_q    (oflow_q),
        .hybrid_q   (hybrid_q),
        .le_hit_q   (le_hit_q),
        .lo_hit_q   (lo_hit_q),
        .in_data    (${ints ? "arithmetic" : "fp_arithmetic"}),
        .out_data   (${fp16 ? "found" : "result"})
    );
//% else
    wire unused_start = &{1'b0, start};

    assign result = ${fp_choice ? "fp ? fp_arithmetic : arithmetic" : fp16 ? "fp_arithmetic" : "arithmetic"};
//% end

    // ------------------------------------------------------------------ whole words
//% if ew_beats > 1
    localparam KEPT = ${32 * sdp_lanes - 32 * sdp_ew_throughput};
    reg  [KEPT-1:0]     kept_q;                        // parts before the last one

    assign out_data = {result, kept_q};

    always @(posedge clk) begin
        if (${fp16 ? "end_valid" : "load[STAGES]"}) kept_q <= ${ew_beats == 2 ? "result" : "{result, kept_q[KEPT-1:32*LANES]}"};
    end
//% else
    wire unused_load = &{1'b0, load[STAGES]};  //% if !fp16

    assign out_data = result;
//% end

endmodule

`default_nettype wire
