// One lane of CDP's lookup and product in floating point.
//
//   LE: 65 entries, index log2(x - START) - OFFSET or (x - START) / 2^SELECT
//   LO: 257 entries, index (x - START) / 2^SELECT
//   in range (y[i+1] - y[i]) * fraction + y[i], outside (x - edge) * scale + y[end]
//   result that * v
//
// Contract: 33 cycles, one element per cycle, nothing stalls; `event_q` belongs to the element of 8
// cycles ago, the addresses to that of 10 cycles ago. LO entry i is word i/2 of the even or odd
// entries, LE entry i is word 192 + i/2. No reset: data only.
`default_nettype none

module dla_cdp_fp_lut (
    input  wire        clk,
    input  wire [32:0] moves,                // there is an element so many cycles behind the input

    // layer
    input  wire        mul_bypass,
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
    input  wire [31:0] lo_start,
    input  wire [31:0] le_under,             // where the slopes start
    input  wire [31:0] le_over,
    input  wire [31:0] lo_over,

    output reg  [7:0]  even_addr,
    output reg  [7:0]  odd_addr,
    input  wire [15:0] even_data,            // a cycle later
    input  wire [15:0] odd_data,

    input  wire [31:0] in_x,                 // fp32
    input  wire [16:0] in_v,                 // fp17
    output reg  [4:0]  event_q,              // {LO hit, LE hit, hybrid, overflow, underflow}
    output wire [15:0] out                   // fp16
);

    // ------------------------------------------------------------------ 0 to 5: distance to START
    wire [31:0] le_d, lo_d;

    fp_add #(.E(8), .M(23)) u_le (
        .clk(clk), .load(moves[4:0]), .a(in_x), .b({!le_start[31], le_start[30:0]}), .sum_q(le_d)
    );

    fp_add #(.E(8), .M(23)) u_lo (
        .clk(clk), .load(moves[4:0]), .a(in_x), .b({!lo_start[31], lo_start[30:0]}), .sum_q(lo_d)
    );

    // ------------------------------------------------------------------ 6: exponents
    // Relative to the distance of the entries; 10 bits with sign.
    wire [7:0]  le_step = le_linear ? le_select : le_offset;
    reg  [9:0]  le_rel_q, lo_rel_q;
    reg         le_low_q, lo_low_q;          // not above START
    reg  [22:0] le_m6_q, lo_m6_q;

    function low;
        input [31:0] d;
        low = d[31] || !(|d[30:0]) || ((&d[30:23]) && (|d[22:0]));
    endfunction

    always @(posedge clk) begin
        le_rel_q <= {2'b00, le_d[30:23]} - 10'd127 - {{2{le_step[7]}}, le_step};
        lo_rel_q <= {2'b00, lo_d[30:23]} - 10'd127 - {{2{lo_select[7]}}, lo_select};
        le_low_q <= low(le_d);
        lo_low_q <= low(lo_d);
        le_m6_q  <= le_d[22:0];
        lo_m6_q  <= lo_d[22:0];
    end

    // ------------------------------------------------------------------ 7: place in each table
    reg         le_under_q, le_over_q, lo_under_q, lo_over_q;
    reg  [5:0]  le_index_q;                  // exponential
    reg  [5:0]  le_right_q, lo_right_q;      // how far the significand is behind the top
    reg  [22:0] le_m_q, lo_m_q;

    // 1.m * 2^e with 16 bits of fraction is {1, m} * 2^8 shifted right by 15 - e, at least 7.
    function [5:0] right;
        input [8:0] e;
        reg   [8:0] by;
        begin
            by    = 9'd15 - e;
            right = (|by[8:6]) ? 6'd63 : by[5:0];
        end
    endfunction

    always @(posedge clk) begin
        le_under_q <= le_low_q || (!le_linear && le_rel_q[9]);
        le_over_q  <= !le_low_q && !le_rel_q[9]
                   && (le_linear ? le_rel_q[8:0] >= 9'd6 : le_rel_q[8:0] >= 9'd64);
        lo_under_q <= lo_low_q;
        lo_over_q  <= !lo_low_q && !lo_rel_q[9] && lo_rel_q[8:0] >= 9'd8;
        le_index_q <= le_rel_q[5:0];
        le_right_q <= le_linear ? right(le_rel_q[8:0]) : 6'd15;
        lo_right_q <= right(lo_rel_q[8:0]);
        le_m_q     <= le_m6_q;
        lo_m_q     <= lo_m6_q;
    end

    // ------------------------------------------------------------------ 8: choice of the table
    wire le_in      = !le_under_q && !le_over_q;
    wire lo_in      = !lo_under_q && !lo_over_q;
    wire under_both = le_under_q && lo_under_q;
    wire over_both  = le_over_q && lo_over_q;
    wire le_only    = le_in && !lo_in;
    wire lo_only    = lo_in && !le_in;
    wire mixed      = !under_both && !over_both && !le_only && !lo_only;
    wire take_lo    = lo_only || (under_both && uflow_lo) || (over_both && oflow_lo)
                    || (mixed && hybrid_lo);
    reg         lo8_q, in8_q, over8_q, power8_q;
    reg  [5:0]  index8_q, right_q;
    reg  [22:0] m_q;

    always @(posedge clk) begin
        event_q  <= {lo_only, le_only, mixed, over_both, under_both} & {5{moves[7]}};
        lo8_q    <= take_lo;
        in8_q    <= take_lo ? lo_in : le_in;
        over8_q  <= take_lo ? lo_over_q : le_over_q;
        power8_q <= !take_lo && !le_linear;
        index8_q <= le_index_q;
        right_q  <= take_lo ? lo_right_q : le_right_q;
        m_q      <= take_lo ? lo_m_q : le_m_q;
    end

    // ------------------------------------------------------------------ 9: index and fraction
    wire [31:0] shifted = {1'b1, m_q, 8'd0} >> right_q;
    reg         lo9_q, in9_q, over9_q, power9_q;
    reg  [5:0]  index9_q;
    reg  [24:0] shifted_q;

    always @(posedge clk) begin
        {lo9_q, in9_q, over9_q, power9_q} <= {lo8_q, in8_q, over8_q, power8_q};
        index9_q  <= index8_q;
        shifted_q <= shifted[24:0];
    end

    // ------------------------------------------------------------------ 10: entries, edge
    wire [8:0]  end_index = lo9_q ? 9'd256 : 9'd64;
    wire [8:0]  index     = !in9_q ? (over9_q ? end_index : 9'd0)
                          : power9_q ? {3'd0, index9_q} : shifted_q[24:16];
    wire [7:0]  odd_half  = index[8:1];
    wire [7:0]  even_half = odd_half + {7'd0, index[0]};
    reg         in10_q, odd10_q;
    reg  [15:0] fraction10_q, scale10_q;
    reg  [31:0] edge10_q;

    always @(posedge clk) begin
        odd_addr     <= lo9_q ? odd_half : {2'b11, odd_half[5:0]};
        even_addr    <= lo9_q ? even_half : {2'b11, even_half[5:0]};
        in10_q       <= in9_q;
        odd10_q      <= index[0];
        fraction10_q <= shifted_q[15:0];
        scale10_q    <= lo9_q ? (over9_q ? lo_scale[31:16] : lo_scale[15:0])
                              : (over9_q ? le_scale[31:16] : le_scale[15:0]);
        edge10_q     <= lo9_q ? (over9_q ? lo_over : lo_start) : (over9_q ? le_over : le_under);
    end

    // ------------------------------------------------------------------ 11 to 13: entries as fp32
    reg         in11_q, odd11_q, in12_q, in13_q;
    reg  [31:0] edge11_q, edge12_q, edge13_q;
    reg  [15:0] y0_q, y1_q;                  // 12
    wire [31:0] y0_wide, y1_wide;            // 13

    always @(posedge clk) begin
        {in11_q, in12_q, in13_q} <= {in10_q, in11_q, in12_q};
        odd11_q  <= odd10_q;
        edge11_q <= edge10_q;
        edge12_q <= edge11_q;
        edge13_q <= edge12_q;
        y0_q     <= odd11_q ? odd_data : even_data;
        y1_q     <= odd11_q ? even_data : odd_data;
    end

    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_y0 (
        .clk(clk), .load(moves[12]), .in(y0_q), .out_q(y0_wide)
    );

    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_y1 (
        .clk(clk), .load(moves[12]), .in(y1_q), .out_q(y1_wide)
    );

    // ------------------------------------------------------------------ 13 to 20: difference
    reg  [32*13-1:0] x_q;                    // beside the stages 1 to 13
    wire [31:0] x13   = x_q[32*13-1 -: 32];
    wire [31:0] minus = in13_q ? y0_wide : edge13_q;
    wire [31:0] difference;
    wire [16:0] distance;

    always @(posedge clk) x_q <= {x_q[32*12-1:0], in_x};

    fp_add #(.E(8), .M(23)) u_difference (
        .clk(clk), .load(moves[17:13]), .a(in13_q ? y1_wide : x13),
        .b({!minus[31], minus[30:0]}), .sum_q(difference)
    );

    fp_narrow #(.EI(8), .MI(23), .EO(6), .MO(10), .DENORMAL(0)) u_distance (
        .clk(clk), .load(moves[19:18]), .in(difference), .out_q(distance)
    );

    // ------------------------------------------------------------------ 20 to 23: times the factor
    reg  [16*8-1:0] fractions_q;             // 11 to 18
    reg  [16*8-1:0] scales_q;
    reg  [8:0]  in_q;                        // 12 to 20
    wire [16:0] fraction, scale, term;
    reg  [16:0] scale20_q;

    always @(posedge clk) begin
        fractions_q <= {fractions_q[16*7-1:0], fraction10_q};
        scales_q    <= {scales_q[16*7-1:0], scale10_q};
        in_q        <= {in_q[7:0], in11_q};
        scale20_q   <= scale;
    end

    fp_from_fixed #(.W(16), .F(16), .E(6), .M(10)) u_fraction (
        .clk(clk), .load(moves[19:18]), .sign(1'b0), .in(fractions_q[16*8-1 -: 16]),
        .out_q(fraction)
    );

    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_scale (
        .clk(clk), .load(moves[18]), .in(scales_q[16*8-1 -: 16]), .out_q(scale)
    );

    fp_mul #(.E(6), .M(10)) u_term (
        .clk(clk), .load(moves[22:20]), .a(distance), .b(in_q[8] ? fraction : scale20_q),
        .p_q(term)
    );

    // ------------------------------------------------------------------ 23 to 28: plus the entry
    reg  [16*10-1:0] y0s_q;                  // 13 to 22
    wire [16:0] entry, total;
    reg  [11*28-1:0] nans_q;                 // a NaN as the sum of squares passes
    wire        x_nan = (&in_x[30:23]) && (|in_x[22:0]);
    reg  [27:0] x_nans_q;
    wire [10:0] nan   = nans_q[11*28-1 -: 11];
    wire [16:0] y     = x_nans_q[27] ? {nan[10], 6'h3f, nan[9:0]} : total;

    always @(posedge clk) begin
        y0s_q    <= {y0s_q[16*9-1:0], y0_q};
        nans_q   <= {nans_q[11*27-1:0], in_x[31], in_x[9:0]};
        x_nans_q <= {x_nans_q[26:0], x_nan};
    end

    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_entry (
        .clk(clk), .load(moves[22]), .in(y0s_q[16*10-1 -: 16]), .out_q(entry)
    );

    fp_add #(.E(6), .M(10)) u_total (
        .clk(clk), .load(moves[27:23]), .a(term), .b(entry), .sum_q(total)
    );

    // ------------------------------------------------------------------ 28 to 33: times v
    reg  [17*28-1:0] v_q;
    wire [16:0] v     = v_q[17*28-1 -: 17];
    wire        v_nan = (&v[15:10]) && (|v[9:0]);
    reg  [17*3-1:0] past_q;                  // what passes without the product
    wire [16:0] product;

    always @(posedge clk) begin
        v_q    <= {v_q[17*27-1:0], in_v};
        past_q <= {past_q[17*2-1:0], v_nan ? v : y};
    end

    fp_mul #(.E(6), .M(10)) u_product (
        .clk(clk), .load(moves[30:28]), .a(v), .b(y), .p_q(product)
    );

    fp_narrow #(.EI(6), .MI(10), .EO(5), .MO(10)) u_out (
        .clk(clk), .load(moves[32:31]), .in(mul_bypass ? past_q[17*3-1 -: 17] : product),
        .out_q(out)
    );

    wire unused_bits = &{1'b0, shifted[31:25], moves};

endmodule

`default_nettype wire
