// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_window.v
// with cdp_ahead=4 cdp_behind=5 cdp_lanes=1 cdp_prefix=0 int8=1 p_w=20 square_w=17 types16=0
// v_w=9 x_w=22

// Sum of the squares in the window of channels around each element.
//
//   P[i] = square[0] + ... + square[i]  of the pixel,  sum[c] = P[c + half] - P[c - half - 1]
//
// modulo 2^20; the largest sum, 9 * 2^16, is smaller. Beyond the last channel of the pixel counts
// the last P, before the first one 0.
//
//     in --> ahead beat(s) --> centre --> behind beat(s)
//
// Contract: one beat of 1 element(s) per cycle, nothing stalls. A beat comes out
// 2 cycles behind the 5 beat(s) after it, `out_x` after a subtraction. The end of a layer
// pushes itself out. Reset: empty.
`default_nettype none

module dla_cdp_window (
    input  wire        clk,
    input  wire        rst_n,

    input  wire [1:0]  half,                 // channels on each side - 1
    input  wire        bypass,               // the element itself instead of the sum

    input  wire        in_valid,
    input  wire [  8:0] in_v,
    input  wire [ 16:0] in_square,
    input  wire        in_first,             // first beat of a pixel
    input  wire [2:0]  in_tag,               // any; bit 0: last beat of the layer

    output reg         out_valid_q,
    output reg  [ 21:0] out_x,       // signed
    output reg  [  8:0] out_v_q,
    output reg  [2:0]  out_tag_q
);

    localparam LANES  = 1;
    localparam AHEAD  = 4;                    // beats
    localparam BEHIND = 5;                    // beats
    localparam BEATS  = AHEAD + 1 + BEHIND;
    localparam P_W    = 20;
    localparam ROW    = P_W * LANES;          // P of a beat

    reg  [BEATS*ROW-1:0]          p_q;        // newest beat in the low bits
    reg  [BEATS-1:0]              first_q;
    reg  [AHEAD:0]                valid_q;
    reg  [(AHEAD+1)*9*LANES-1:0]  v_q;
    reg  [(AHEAD+1)*3-1:0]        tag_q;
    reg                           drain_q;    // the last beat of the layer is in the window

    wire           b_valid = in_valid;
    wire           b_first = in_first;
    wire [2:0]     b_tag   = in_tag;
    wire [8:0]     b_v     = in_v;
    wire [ROW-1:0] b_sums  = {3'd0, in_square};

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
            v_q     <= {v_q[AHEAD*9*LANES-1:0], b_v};
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
    wire [9*LANES-1:0] v = v_q[9*LANES*AHEAD +: 9*LANES];

    // For each lane the last P of its window and the one before its first. All that it reads is an
    // argument, as a wire follows only those.
    function [2*ROW-1:0] around;
        input [1:0] reach;                       // half
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
            around[2*P_W*n +: 2*P_W] = {last_p, first_p};
        end
    end
    endfunction

    wire [2*ROW-1:0] ends = around(half, p_q, valid_q, first_q);
    reg  [2*ROW-1:0] ends_q;
    integer          m;

    always @* begin
        for (m = 0; m < LANES; m = m + 1) begin
            out_x[22*m +: 22] = bypass ? {{13{out_v_q[9*m+8]}}, out_v_q[9*m +: 9]}
                              : {2'd0, ends_q[2*P_W*m+P_W +: P_W] - ends_q[2*P_W*m +: P_W]};
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
