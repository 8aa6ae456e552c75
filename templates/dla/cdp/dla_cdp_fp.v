// The datapath of CDP in floating point: fp17 elements, fp32 squares and sums, tables.
//
// Contract: one beat per cycle, ${cdp_cycles_fp} cycles, nothing stalls. `events` are 0 without elements.
// Convertors are not used. Reset: empty.
`default_nettype none

module dla_cdp_fp (
    input  wire        clk,
    input  wire        rst_n,

    // layer
    input  wire        flush,                // a NaN counts as 0
    input  wire        mul_bypass,
    input  wire        sqsum_bypass,
    input  wire [1:0]  half,                 // channels on each side - 1
    input  wire        le_linear,
    input  wire [7:0]  le_offset,
    input  wire [7:0]  le_select,
    input  wire [7:0]  lo_select,
    input  wire        uflow_lo,             // the table that counts: 1 LO
    input  wire        oflow_lo,
    input  wire        hybrid_lo,
    input  wire [31:0] le_scale,             // overflow, underflow: fp16
    input  wire [31:0] lo_scale,
    input  wire [31:0] le_start,             // fp32
    input  wire [31:0] le_end,
    input  wire [31:0] lo_start,
    input  wire [31:0] lo_end,

    // beats
    input  wire        in_valid,
    input  wire [${8 * cdp_throughput - 1}:0] in_data,
    input  wire [${cdp_throughput - 1}:0]  in_mask,             // bytes of the cube, not padding
    input  wire [3:0]  in_tag,               // first of the pixel; last of pixel, line, layer

    // tables
    output wire        look,
    output wire [${8 * lanes16 - 1}:0] even_addr,
    output wire [${8 * lanes16 - 1}:0] odd_addr,
    input  wire [${16 * lanes16 - 1}:0] even_data,            // a cycle later
    input  wire [${16 * lanes16 - 1}:0] odd_data,

    output wire [${5 * lanes16 - 1}:0] events,
    output wire        out_valid,
    output wire [${16 * lanes16 - 1}:0] out_data,
    output wire [2:0]  out_tag               // last of pixel, line, layer
);

    localparam LANES = ${lanes16};

    // ------------------------------------------------------------------ the layer
    // Where the slope below an exponential table starts: 2^OFFSET behind START. The fields stand
    // still long before the first element arrives there.
    wire        late = !le_linear && !(le_offset[7] && le_offset[6:1] == 6'd0);
    wire [31:0] later;
    reg  [31:0] le_under_q;

    fp_add #(.E(8), .M(23)) u_under (
        .clk(clk), .load(5'b11111), .a(le_start), .b({1'b0, le_offset + 8'd127, 23'd0}),
        .sum_q(later)
    );

    always @(posedge clk) le_under_q <= late ? later : le_start;

    // ------------------------------------------------------------------ 0 to 5: elements, squares
    localparam IN = 5;
    reg  [IN-1:0]         in_q;
    reg  [4*IN-1:0]       tags_q;
    reg  [17*LANES*4-1:0] vs_q;              // 2 to 5
    wire [17*LANES-1:0]   v17;               // 1
    wire [32*LANES-1:0]   squares;
    genvar                i;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) in_q <= {IN{1'b0}};
        else        in_q <= {in_q[IN-2:0], in_valid};
    end

    always @(posedge clk) begin
        tags_q <= {tags_q[4*IN-5:0], in_tag};
        vs_q   <= {vs_q[17*LANES*3-1:0], v17};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_in
            wire [15:0] x    = in_data[16*i +: 16];
            wire        nan  = (&x[14:10]) && (|x[9:0]);
            wire        real_x = in_mask[2*i] && !(flush && nan);
            wire [31:0] v32;

            fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_v (
                .clk(clk), .load(in_valid), .in(x & {16{real_x}}), .out_q(v17[17*i +: 17])
            );

            fp_widen #(.EI(6), .MI(10), .EO(8), .MO(23), .NORMALISE(0)) u_wide (
                .clk(clk), .load(in_q[0]), .in(v17[17*i +: 17]), .out_q(v32)
            );

            fp_mul #(.E(8), .M(23)) u_square (
                .clk(clk), .load(in_q[3:1]), .a(v32), .b(v32), .p_q(squares[32*i +: 32])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ sums
    wire                s_valid;
    wire [32*LANES-1:0] sums;
    wire [17*LANES-1:0] s_v;
    wire [2:0]          s_tag;

    dla_cdp_fp_window u_window (
        .clk       (clk),
        .rst_n     (rst_n),
        .half      (half),
        .in_valid  (in_q[IN-1]),
        .in_v      (vs_q[17*LANES*4-1 -: 17*LANES]),
        .in_square (squares),
        .in_first  (tags_q[4*IN-1]),
        .in_tag    (tags_q[4*IN-2 -: 3]),
        .out_valid (s_valid),
        .out_sum   (sums),
        .out_v     (s_v),
        .out_tag   (s_tag)
    );

    // ------------------------------------------------------------------ 0 to 34: tables, products
    localparam STAGES = 34;
    reg  [STAGES-1:0]   valid_q;
    reg  [3*STAGES-1:0] tag_q;
    reg  [17*LANES-1:0] v_q;

    assign look      = valid_q[10];
    assign out_valid = valid_q[STAGES-1];
    assign out_tag   = tag_q[3*STAGES-1 -: 3];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], s_valid};
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[3*STAGES-4:0], s_tag};
        v_q   <= s_v;
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [31:0] v32;
            reg  [31:0] sum_q;

            fp_widen #(.EI(6), .MI(10), .EO(8), .MO(23), .NORMALISE(0)) u_wide (
                .clk(clk), .load(s_valid), .in(s_v[17*i +: 17]), .out_q(v32)
            );

            always @(posedge clk) sum_q <= sums[32*i +: 32];

            dla_cdp_fp_lut u_lut (
                .clk        (clk),
                .moves      (valid_q[32:0]),
                .mul_bypass (mul_bypass),
                .le_linear  (le_linear),
                .le_offset  (le_offset),
                .le_select  (le_select),
                .lo_select  (lo_select),
                .uflow_lo   (uflow_lo),
                .oflow_lo   (oflow_lo),
                .hybrid_lo  (hybrid_lo),
                .le_scale   (le_scale),
                .lo_scale   (lo_scale),
                .le_start   (le_start),
                .lo_start   (lo_start),
                .le_under   (le_under_q),
                .le_over    (le_end),
                .lo_over    (lo_end),
                .even_addr  (even_addr[8*i +: 8]),
                .odd_addr   (odd_addr[8*i +: 8]),
                .even_data  (even_data[16*i +: 16]),
                .odd_data   (odd_data[16*i +: 16]),
                .in_x       (sqsum_bypass ? v32 : sum_q),
                .in_v       (v_q[17*i +: 17]),
                .event_q    (events[5*i +: 5]),
                .out        (out_data[16*i +: 16])
            );
        end
    endgenerate

    wire unused_bits = &{1'b0, in_mask};

endmodule

`default_nettype wire
