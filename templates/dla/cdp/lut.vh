//# Look-up of an element of x_bits bits: ports behind the clock, and what is in it. With `rams` the
//# entries are here.
//% let log_w = clog2(x_bits)
//% let rest_w = 1 << log_w
    // there is an element so many cycles behind the input
    input  wire               look,          // 6: reads its entries  //% if rams
    input  wire        [1:0]  mul_load,      // 9, 10
    input  wire        [1:0]  round_load,    // 11, 12

    // S_LUT_ registers
    input  wire               le_linear,
    input  wire signed [7:0]  le_offset,
    input  wire signed [${log_w}:0]  le_select,
    input  wire signed [${log_w}:0]  lo_select,
    input  wire               uflow_lo,      // the table that counts: 1 LO
    input  wire               oflow_lo,
    input  wire               hybrid_lo,
    input  wire signed [${x_bits - 1}:0] le_start,
    input  wire signed [${x_bits - 1}:0] lo_start,
    input  wire signed [38:0] le_under,      // where the slopes start; registers
    input  wire signed [38:0] le_over,
    input  wire signed [38:0] lo_under,
    input  wire signed [38:0] lo_over,
    input  wire        [31:0] le_scale,      // overflow, underflow
    input  wire        [31:0] lo_scale,
    input  wire        [9:0]  le_shift,
    input  wire        [9:0]  lo_shift,

//% if rams
    // table access while no layer runs
    input  wire               even_we,
    input  wire               odd_we,
    input  wire        [7:0]  waddr,
    input  wire        [15:0] wdata,
    input  wire               peek,          // read `peek_addr` in both RAMs
    input  wire        [7:0]  peek_addr,
    output wire        [15:0] even_data,     // one cycle later
    output wire        [15:0] odd_data,
//% else
    // entries, one cycle later
    output wire        [7:0]  even_addr,
    output wire        [7:0]  odd_addr,
    input  wire        [15:0] even_data,
    input  wire        [15:0] odd_data,
//% end

    input  wire signed [${x_bits - 1}:0] in_x,
    output reg         [4:0]  event_q,       // {LO hit, LE hit, hybrid, overflow, underflow}
    output reg  signed [15:0] out_y_q
);

    localparam integer LE_LAST = 64;
    localparam integer LO_LAST = 256;

    // ------------------------------------------------------------------ 1: distance to START
    reg signed [${x_bits}:0] le_dist_q, lo_dist_q;

    always @(posedge ${flops}) begin
        le_dist_q <= {in_x[${x_bits - 1}], in_x} - {le_start[${x_bits - 1}], le_start};
        lo_dist_q <= {in_x[${x_bits - 1}], in_x} - {lo_start[${x_bits - 1}], lo_start};
    end

    // ------------------------------------------------------------------ 2: its logarithm
    function [${log_w - 1}:0] log2;
        input [${x_bits - 1}:0] value;
        reg   [${rest_w - 1}:0] rest;
        begin
            rest    = {${rest_w - x_bits}'d0, value};
            log2[5] = |rest[63:32];  //% if log_w > 5
            rest    = log2[5] ? {32'd0, rest[63:32]} : rest;  //% if log_w > 5
            log2[4] = |rest[31:16];
            rest    = log2[4] ? {${rest_w - 16}'d0, rest[31:16]} : rest;
            log2[3] = |rest[15:8];
            rest    = log2[3] ? {${rest_w - 8}'d0, rest[15:8]} : rest;
            log2[2] = |rest[7:4];
            rest    = log2[2] ? {${rest_w - 4}'d0, rest[7:4]} : rest;
            log2[1] = |rest[3:2];
            log2[0] = log2[1] ? rest[3] : rest[1];
        end
    endfunction

    wire [${log_w - 1}:0]  le_log = log2(le_dist_q[${x_bits - 1}:0]);
    wire [${log_w - 1}:0]  lo_log = log2(lo_dist_q[${x_bits - 1}:0]);
    reg         le_pos_q, lo_pos_q;          // above START
    reg  [${log_w - 1}:0]  le_log_q, lo_log_q;
    reg  [${x_bits - 1}:0] le_d2_q, lo_d2_q;

    always @(posedge ${flops}) begin
        le_pos_q <= !le_dist_q[${x_bits}] && (|le_dist_q[${x_bits - 1}:0]);
        lo_pos_q <= !lo_dist_q[${x_bits}] && (|lo_dist_q[${x_bits - 1}:0]);
        le_log_q <= le_log;
        lo_log_q <= lo_log;
        le_d2_q  <= le_dist_q[${x_bits - 1}:0];
        lo_d2_q  <= lo_dist_q[${x_bits - 1}:0];
    end

    // ------------------------------------------------------------------ 3: place in each table
    // Distances against table sizes are compared as powers of two.
    wire signed [8:0] le_key = le_linear ? {{${8 - log_w}{le_select[${log_w}]}}, le_select}
                                         : {le_offset[7], le_offset};
    wire signed [8:0] lo_key = {{${8 - log_w}{lo_select[${log_w}]}}, lo_select};
    wire signed [8:0] le_rel = $signed({${9 - log_w}'d0, le_log_q}) - le_key;
    wire signed [8:0] lo_rel = $signed({${9 - log_w}'d0, lo_log_q}) - lo_key;
    wire              far    = le_linear ? le_rel >= 9'sd6 : le_rel >= 9'sd64;

    reg               le_under_q, le_over_q, lo_pos3_q, lo_over_q;
    reg        [5:0]  le_index_q;            // exponential
    reg        [${log_w}:0]  le_right_q;            // distance of the entries: 2^(le_right_q - 8)
    reg        [${x_bits - 1}:0] le_d_q, lo_d_q;

    always @(posedge ${flops}) begin
        le_under_q <= !le_pos_q || (!le_linear && le_rel[8]);
        le_over_q  <= le_pos_q && !le_rel[8] && far;
        lo_pos3_q  <= lo_pos_q;
        lo_over_q  <= lo_pos_q && (lo_rel >= 9'sd8);
        le_index_q <= le_rel[5:0];
        le_right_q <= ${log_w + 1}'d8 + (le_linear ? le_select : {1'b0, le_log_q});
        le_d_q     <= le_d2_q;
        lo_d_q     <= lo_d2_q;
    end

    // ------------------------------------------------------------------ 4: choice of the table
    wire le_in      = !le_under_q && !le_over_q;
    wire lo_in      = lo_pos3_q && !lo_over_q;
    wire under_both = le_under_q && !lo_pos3_q;
    wire over_both  = le_over_q && lo_over_q;
    wire le_only    = le_in && !lo_in;
    wire lo_only    = lo_in && !le_in;
    wire mixed      = !under_both && !over_both && !le_only && !lo_only;
    wire take_lo    = lo_only || (under_both && uflow_lo) || (over_both && oflow_lo)
                    || (mixed && hybrid_lo);

    reg               lo4_q, in4_q, over4_q;
    reg               power4_q;              // exponential index
    reg        [5:0]  index4_q;
    reg        [${x_bits - 1}:0] d_q;
    reg        [${log_w}:0]  right_q;               // distance of the entries: 2^(right_q - 8)

    always @(posedge ${flops}) begin
        event_q  <= {lo_only, le_only, mixed, over_both, under_both};
        lo4_q    <= take_lo;
        in4_q    <= take_lo ? lo_in : le_in;
        over4_q  <= take_lo ? lo_over_q : le_over_q;
        power4_q <= !take_lo && !le_linear;
        index4_q <= le_index_q;
        d_q      <= take_lo ? lo_d_q : le_d_q;
        right_q  <= take_lo ? ${log_w + 1}'d8 + lo_select : le_right_q;
    end

    // ------------------------------------------------------------------ 5: fraction
    wire [${x_bits + 23}:0] shifted = {d_q, 24'd0} >> right_q;
    wire        unused_high = &{1'b0, shifted[${x_bits + 23}:25]};

    reg         lo5_q, in5_q, over5_q, power5_q;
    reg  [5:0]  index5_q;
    reg  [24:0] shifted_q;

    always @(posedge ${flops}) begin
        lo5_q     <= lo4_q;
        in5_q     <= in4_q;
        over5_q   <= over4_q;
        power5_q  <= power4_q;
        index5_q  <= index4_q;
        shifted_q <= shifted[24:0];
    end

    // ------------------------------------------------------------------ 6: index
    wire [8:0] end_index = lo5_q ? LO_LAST[8:0] : LE_LAST[8:0];
    wire [8:0] in_index  = power5_q ? {3'd0, index5_q} : shifted_q[24:16];

    reg               lo6_q, in6_q, over6_q;
    reg        [8:0]  index_q;
    reg        [15:0] fraction6_q;
    reg signed [38:0] edge_q;
    reg       [${6 * x_bits - 1}:0] x_q;                   // x beside the six stages above, newest low

    always @(posedge ${flops}) begin
        lo6_q       <= lo5_q;
        in6_q       <= in5_q;
        over6_q     <= over5_q;
        index_q     <= in5_q ? in_index : over5_q ? end_index : 9'd0;
        fraction6_q <= shifted_q[15:0];
        edge_q      <= lo5_q ? (over5_q ? lo_over : lo_under) : (over5_q ? le_over : le_under);
        x_q         <= {x_q[${5 * x_bits - 1}:0], in_x};
    end

    // ------------------------------------------------------------------ 7: entries
    wire [7:0] odd_half  = index_q[8:1];
    wire [7:0] even_half = odd_half + {7'd0, index_q[0]};
//% if rams
    wire [7:0] odd_addr  = lo6_q ? odd_half : {2'b11, odd_half[5:0]};
    wire [7:0] even_addr = lo6_q ? even_half : {2'b11, even_half[5:0]};

    sram_1r1w #(.W(16), .DEPTH(256)) u_even (
        .clk(clk), .we(even_we), .waddr(waddr), .wdata(wdata),
        .re(peek || look), .raddr(peek ? peek_addr : even_addr), .rdata(even_data)
    );

    sram_1r1w #(.W(16), .DEPTH(256)) u_odd (
        .clk(clk), .we(odd_we), .waddr(waddr), .wdata(wdata),
        .re(peek || look), .raddr(peek ? peek_addr : odd_addr), .rdata(odd_data)
    );
//% else

    assign odd_addr  = lo6_q ? odd_half : {2'b11, odd_half[5:0]};
    assign even_addr = lo6_q ? even_half : {2'b11, even_half[5:0]};
//% end

    reg               in7_q, odd7_q;
    reg        [15:0] fraction7_q;
    reg        [15:0] scale7_q;
    reg        [4:0]  shift7_q;
    reg signed [39:0] beyond7_q;             // distance to the edge

    always @(posedge ${flops}) begin
        in7_q       <= in6_q;
        odd7_q      <= index_q[0];
        fraction7_q <= fraction6_q;
        scale7_q    <= lo6_q ? (over6_q ? lo_scale[31:16] : lo_scale[15:0])
                             : (over6_q ? le_scale[31:16] : le_scale[15:0]);
        shift7_q    <= lo6_q ? (over6_q ? lo_shift[9:5] : lo_shift[4:0])
                             : (over6_q ? le_shift[9:5] : le_shift[4:0]);
        beyond7_q   <= {{${40 - x_bits}{x_q[${6 * x_bits - 1}]}}, x_q[${6 * x_bits - 1}:${5 * x_bits}]} - {edge_q[38], edge_q};
    end

    // ------------------------------------------------------------------ 8 to 11: one multiplier
    reg               in8_q;
    reg signed [39:0] beyond8_q;
    reg signed [15:0] y0_q, y1_q;            // the two entries
    wire signed [16:0] delta = {y1_q[15], y1_q} - {y0_q[15], y0_q};

    reg signed [16:0] b8_q, b_q;
    reg signed [39:0] a_q;
    reg        [23:0] down_q;                // 8 to 11: right shift of product * 2^16
    reg        [79:0] y_q;                   // 9 to 13: y0
    wire signed [56:0] product;

    always @(posedge ${flops}) begin
        in8_q     <= in7_q;
        beyond8_q <= beyond7_q;
        y0_q      <= odd7_q ? odd_data : even_data;
        y1_q      <= odd7_q ? even_data : odd_data;
        b8_q      <= in7_q ? {1'b0, fraction7_q} : {scale7_q[15], scale7_q};
        a_q       <= in8_q ? {{23{delta[16]}}, delta} : beyond8_q;
        b_q       <= b8_q;
        down_q    <= {down_q[17:0], in7_q ? 6'd32 : {1'b0, ~shift7_q[4], shift7_q[3:0]}};
        y_q       <= {y_q[63:0], y0_q};
    end

    mult_pipe #(.A_W(40), .B_W(17)) u_product (
        .clk(${flops}), .load(mul_load), .a(a_q), .b(b_q), .p_q(product)
    );

    // ------------------------------------------------------------------ 12 to 14: sum
    wire signed [16:0] term;
    wire               unused_sat;
    wire signed [15:0] y0   = y_q[79:64];
    wire signed [17:0] sum  = {{2{y0[15]}}, y0} + {term[16], term};
    wire               fits = sum[17:15] == 3'b000 || sum[17:15] == 3'b111;

    round_shift_pipe #(.IN_W(73), .SHIFT_W(6), .OUT_W(17)) u_round (
        .clk(${flops}), .load(round_load), .in({product, 16'd0}), .shift(down_q[23:18]),
        .wrap(1'b0), .out_q(term), .sat_q(unused_sat)
    );

    always @(posedge ${flops}) begin
        out_y_q <= fits ? sum[15:0] : {sum[17], {15{~sum[17]}}};
    end

endmodule

`default_nettype wire
