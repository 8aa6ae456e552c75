// Sum of the squares in the window of channels around each element.
//
//   P[i] = square[0] + ... + square[i]  of the pixel,  sum[c] = P[c + half] - P[c - half - 1]
//
//% if types16
// modulo 2^36; the largest sum, 9 * 2^32, is smaller. Beyond the last channel of the pixel counts
// the last P, before the first one 0.
// Elements of 16 bits are in every other lane; the lanes between them have squares of 0.  //% if int8
//% else
// modulo 2^20; the largest sum, 9 * 2^16, is smaller. Beyond the last channel of the pixel counts
// the last P, before the first one 0.
//% end
//
//     in --> ahead beat(s) --> centre --> behind beat(s)
//
// Contract: one beat of ${cdp_lanes} element(s) per cycle, nothing stalls. A beat comes out
// ${cdp_prefix + 2} cycles behind the ${cdp_ahead + 1} beat(s) after it, `out_x` after a subtraction. The end of a layer
// pushes itself out. Reset: empty.
`default_nettype none

module dla_cdp_window (
    input  wire        clk,
    input  wire        rst_n,

    input  wire [1:0]  half,                 // channels on each side - 1
    input  wire        bypass,               // the element itself instead of the sum
    input  wire        narrow,               // elements of 8 bits  //% if types16 && int8

    input  wire        in_valid,
    input  wire [${v_w * cdp_lanes - 1:3}:0] in_v,
    input  wire [${square_w * cdp_lanes - 1:3}:0] in_square,
    input  wire        in_first,             // first beat of a pixel
    input  wire [2:0]  in_tag,               // any; bit 0: last beat of the layer

    output reg         out_valid_q,
    output reg  [${x_w * cdp_lanes - 1:3}:0] out_x,       // signed
    output reg  [${v_w * cdp_lanes - 1:3}:0] out_v_q,
    output reg  [2:0]  out_tag_q
);

    localparam LANES  = ${cdp_lanes};
    localparam AHEAD  = ${cdp_ahead};                    // beats
    localparam BEHIND = ${cdp_behind};                    // beats
    localparam BEATS  = AHEAD + 1 + BEHIND;
    localparam P_W    = ${p_w};
    localparam ROW    = P_W * LANES;          // P of a beat

    reg  [BEATS*ROW-1:0]          p_q;        // newest beat in the low bits
    reg  [BEATS-1:0]              first_q;
    reg  [AHEAD:0]                valid_q;
    reg  [(AHEAD+1)*${v_w}*LANES-1:0]  v_q;
    reg  [(AHEAD+1)*3-1:0]        tag_q;
    reg                           drain_q;    // the last beat of the layer is in the window

//% if cdp_lanes > 1
    // ------------------------------------------------------------------ sums inside the beat
    // A step adds the sums that end 1, 2, 4 lanes before.
    localparam STEPS = ${cdp_prefix};
    localparam ALL_W = ROW + ${v_w}*LANES + 4;
    reg  [STEPS-1:0]        pre_valid_q;
    reg  [STEPS*ALL_W-1:0]  pre_q;
    wire [(STEPS+1)*ALL_W-1:0] pre;
    wire                    b_valid = pre_valid_q[STEPS-1];
    wire                    b_first;
    wire [2:0]              b_tag;
    wire [${v_w}*LANES-1:0]      b_v;
    wire [ROW-1:0]          b_sums;
    genvar                  s, i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_square
            assign pre[P_W*i +: P_W] = {3'd0, in_square[${square_w}*i +: ${square_w}]};
        end
    endgenerate
    assign pre[ROW +: ${v_w}*LANES + 4] = {in_v, in_first, in_tag};
    assign pre[ALL_W +: STEPS*ALL_W] = pre_q;
    assign {b_v, b_first, b_tag, b_sums} = pre[STEPS*ALL_W +: ALL_W];

    generate
        for (s = 0; s < STEPS; s = s + 1) begin : gen_step
            localparam AT   = ALL_W*s;
            localparam REST = AT + ROW;

            always @(posedge clk) pre_q[REST +: ALL_W-ROW] <= pre[REST +: ALL_W-ROW];
            for (i = 0; i < LANES; i = i + 1) begin : gen_sum
                localparam LANE = AT + P_W*i;
                if (i < (1 << s)) begin : gen_keep
                    always @(posedge clk) pre_q[LANE +: P_W] <= pre[LANE +: P_W];
                end else begin : gen_add
                    always @(posedge clk) begin
                        pre_q[LANE +: P_W] <= pre[LANE +: P_W] + pre[LANE - P_W*(1 << s) +: P_W];
                    end
                end
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) pre_valid_q <= {STEPS{1'b0}};
        else        pre_valid_q <= {pre_valid_q[STEPS-2:0], in_valid};  //% if cdp_lanes > 2
        else        pre_valid_q <= in_valid;  //% if cdp_lanes <= 2
    end

//% else
    wire           b_valid = in_valid;
    wire           b_first = in_first;
    wire [2:0]     b_tag   = in_tag;
    wire [${v_w - 1}:0]     b_v     = in_v;
    wire [ROW-1:0] b_sums  = {3'd0, in_square};

//% end
    // ------------------------------------------------------------------ P of the new beat
    wire           shift   = b_valid || drain_q;
    wire           out     = shift && valid_q[AHEAD];
    wire [2:0]     tag     = tag_q[3*AHEAD +: 3];
    wire [P_W-1:0] earlier = b_first ? {P_W{1'b0}} : p_q[ROW-1 -: P_W];
    reg  [ROW-1:0] p;
    integer        k;

    always @* begin
        for (k = 0; k < LANES; k = k + 1) p[P_W*k +: P_W] = b_sums[P_W*k +: P_W] + earlier;
    end

    always @(posedge clk) begin
        if (shift) begin
            p_q     <= {p_q[(BEATS-1)*ROW-1:0], p};
            first_q <= {first_q[BEATS-2:0], b_first};
            v_q     <= {v_q[AHEAD*${v_w}*LANES-1:0], b_v};
            tag_q   <= {tag_q[AHEAD*3-1:0], b_tag};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= {(AHEAD+1){1'b0}};
            drain_q <= 1'b0;
        end else if (shift) begin
            valid_q <= {valid_q[AHEAD-1:0], b_valid};
            drain_q <= (b_valid && b_tag[0]) || (drain_q && !(out && tag[0]));
        end
    end

    // ------------------------------------------------------------------ ends around the centre
    wire [${v_w}*LANES-1:0] v = v_q[${v_w}*LANES*AHEAD +: ${v_w}*LANES];

    // For each lane the last P of its window and the one before its first. All that it reads is an
    // argument, as a wire follows only those.
    function [2*ROW-1:0] around;
        input [1:0] reach;                       // half
        input       near;                        // narrow  //% if types16 && int8
        input [BEATS*ROW-1:0] sums;              // p_q
        input [AHEAD:0]   filled;                // valid_q
        input [BEATS-1:0] starts;                // first_q
        // P of the centre and the beats ahead, nearest first; of the beats behind and the centre,
        // farthest first.
        reg [(AHEAD+1)*ROW-1:0]  upper;
        reg [(BEHIND+1)*ROW-1:0] lower;
        reg                      same;           // still the same pixel
        reg [P_W-1:0]            last_p;
        reg [P_W-1:0]            first_p;
        integer                  n;
    begin
        upper          = {((AHEAD+1)*ROW){1'b0}};
        upper[0 +: ROW] = sums[ROW*AHEAD +: ROW];
        same           = 1'b1;
        for (n = 1; n <= AHEAD; n = n + 1) begin
            same = same && filled[AHEAD-n] && !starts[AHEAD-n];
            upper[ROW*n +: ROW] = same ? sums[ROW*(AHEAD-n) +: ROW]
                                       : {LANES{upper[ROW*n-1 -: P_W]}};
        end
        lower = {((BEHIND+1)*ROW){1'b0}};
        lower[ROW*BEHIND +: ROW] = sums[ROW*AHEAD +: ROW];
        same  = 1'b1;
        for (n = 1; n <= BEHIND; n = n + 1) begin
            same = same && !starts[AHEAD+n-1];
            lower[ROW*(BEHIND-n) +: ROW] = sums[ROW*(AHEAD+n) +: ROW] & {ROW{same}};
        end
        for (n = 0; n < LANES; n = n + 1) begin
//% if types16 && int8
            case ({near, reach})
                {1'b1, 2'd0}: last_p = upper[P_W*(n+1) +: P_W];
                {1'b1, 2'd1}: last_p = upper[P_W*(n+2) +: P_W];
                {1'b1, 2'd2}: last_p = upper[P_W*(n+3) +: P_W];
                {1'b1, 2'd3}: last_p = upper[P_W*(n+4) +: P_W];
                {1'b0, 2'd0}: last_p = upper[P_W*(n+2) +: P_W];
                {1'b0, 2'd1}: last_p = upper[P_W*(n+4) +: P_W];
                {1'b0, 2'd2}: last_p = upper[P_W*(n+6) +: P_W];
                default: last_p = upper[P_W*(n+8) +: P_W];
            endcase
            case ({near, reach})
                {1'b1, 2'd0}: first_p = lower[P_W*(LANES*BEHIND+n-2) +: P_W];
                {1'b1, 2'd1}: first_p = lower[P_W*(LANES*BEHIND+n-3) +: P_W];
                {1'b1, 2'd2}: first_p = lower[P_W*(LANES*BEHIND+n-4) +: P_W];
                {1'b1, 2'd3}: first_p = lower[P_W*(LANES*BEHIND+n-5) +: P_W];
                {1'b0, 2'd0}: first_p = lower[P_W*(LANES*BEHIND+n-4) +: P_W];
                {1'b0, 2'd1}: first_p = lower[P_W*(LANES*BEHIND+n-6) +: P_W];
                {1'b0, 2'd2}: first_p = lower[P_W*(LANES*BEHIND+n-8) +: P_W];
                default: first_p = lower[P_W*(LANES*BEHIND+n-10) +: P_W];
            endcase
//% else
            case (reach)
                2'd0: last_p = upper[P_W*(n+1) +: P_W];
                2'd1: last_p = upper[P_W*(n+2) +: P_W];
                2'd2: last_p = upper[P_W*(n+3) +: P_W];
                default: last_p = upper[P_W*(n+4) +: P_W];
            endcase
            case (reach)
                2'd0: first_p = lower[P_W*(LANES*BEHIND+n-2) +: P_W];
                2'd1: first_p = lower[P_W*(LANES*BEHIND+n-3) +: P_W];
                2'd2: first_p = lower[P_W*(LANES*BEHIND+n-4) +: P_W];
                default: first_p = lower[P_W*(LANES*BEHIND+n-5) +: P_W];
            endcase
//% end
            around[2*P_W*n +: 2*P_W] = {last_p, first_p};
        end
    end
    endfunction

    wire [2*ROW-1:0] ends = around(half${int8 && types16 ? ", narrow" : ""}, p_q, valid_q, first_q);
    reg  [2*ROW-1:0] ends_q;
    integer          m;
    reg  [P_W-1:0]   sum;  //% if types16

    always @* begin
        sum = {P_W{1'b0}};  //% if types16
        for (m = 0; m < LANES; m = m + 1) begin
//% if types16
            sum = ends_q[2*P_W*m+P_W +: P_W] - ends_q[2*P_W*m +: P_W];
            if (narrow) sum = {16'd0, sum[19:0]};  //% if int8
            out_x[38*m +: 38] = bypass ? {{21{out_v_q[17*m+16]}}, out_v_q[17*m +: 17]}
                                       : {2'd0, sum};
//% else
            out_x[22*m +: 22] = bypass ? {{13{out_v_q[9*m+8]}}, out_v_q[9*m +: 9]}
                              : {2'd0, ends_q[2*P_W*m+P_W +: P_W] - ends_q[2*P_W*m +: P_W]};
//% end
        end
    end

    always @(posedge clk) begin
        ends_q    <= ends;
        out_v_q   <= v;
        out_tag_q <= tag;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= out;
    end

endmodule

`default_nettype wire
