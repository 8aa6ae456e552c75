// One lane of CDP's lookup: place in both tables, choice, entries, interpolation or slope.
//
//   LE: 65 entries, index log2(x - START) - OFFSET or (x - START) >> SELECT
//   LO: 257 entries, index (x - START) >> SELECT
//   in range y[i] + (y[i+1] - y[i]) * fraction, outside y[end] + (x - edge) * scale >> shift
//
// Contract: 9 cycles in which `move` is high; one element per such cycle; `event_q` belongs to the
// element of 3 such cycles ago. Entries i and i+1 come from two RAMs, one for even entries and one
// for odd ones: LO entry i is word i/2, LE entry i is word 192 + i/2. No reset: data only.
`default_nettype none

module dla_cdp_lut_lane (
//% if clock_gating
    input  wire               clk,           // of the RAMs
    input  wire               gclk,
//% else
    input  wire               clk,
//% end
    input  wire               move,          // all stages advance
    input  wire               running,       // a layer is under way

    // S_LUT_ registers
    input  wire               le_linear,
    input  wire signed [7:0]  le_offset,
    input  wire signed [5:0]  le_select,
    input  wire signed [5:0]  lo_select,
    input  wire               uflow_lo,      // the table that counts: 1 LO
    input  wire               oflow_lo,
    input  wire               hybrid_lo,
    input  wire signed [21:0] le_start,
    input  wire signed [21:0] lo_start,
    input  wire signed [38:0] le_under,      // where the slopes start
    input  wire signed [38:0] le_over,
    input  wire signed [38:0] lo_under,
    input  wire signed [38:0] lo_over,
    input  wire        [31:0] le_scale,      // overflow, underflow
    input  wire        [31:0] lo_scale,
    input  wire        [9:0]  le_shift,
    input  wire        [9:0]  lo_shift,

    // table access while no layer runs
    input  wire               even_we,
    input  wire               odd_we,
    input  wire        [7:0]  waddr,
    input  wire        [15:0] wdata,
    input  wire               peek,          // read `peek_addr` in both RAMs
    input  wire        [7:0]  peek_addr,
    output wire        [15:0] even_data,     // one cycle later
    output wire        [15:0] odd_data,

    input  wire signed [21:0] in_x,
    output reg         [4:0]  event_q,       // {LO hit, LE hit, hybrid, overflow, underflow}
    output reg  signed [15:0] out_y_q
);

    localparam integer LE_LAST = 64;
    localparam integer LO_LAST = 256;

    // ------------------------------------------------------------------ distance to START
    reg signed [22:0] le_dist_q, lo_dist_q;

    always @(posedge ${gclk}) begin
        if (move) begin
            le_dist_q <= {in_x[21], in_x} - {le_start[21], le_start};
            lo_dist_q <= {in_x[21], in_x} - {lo_start[21], lo_start};
        end
    end

    // ------------------------------------------------------------------ its logarithm
    function [4:0] log2;
        input [21:0] value;
        reg   [31:0] rest;
        begin
            rest    = {10'd0, value};
            log2[4] = |rest[31:16];
            rest    = log2[4] ? {16'd0, rest[31:16]} : rest;
            log2[3] = |rest[15:8];
            rest    = log2[3] ? {24'd0, rest[15:8]} : rest;
            log2[2] = |rest[7:4];
            rest    = log2[2] ? {28'd0, rest[7:4]} : rest;
            log2[1] = |rest[3:2];
            log2[0] = log2[1] ? rest[3] : rest[1];
        end
    endfunction

    reg         le_pos_q, lo_pos_q;          // above START
    reg  [4:0]  le_log_q, lo_log_q;
    reg  [21:0] le_d_q, lo_d_q;

    always @(posedge ${gclk}) begin
        if (move) begin
            le_pos_q <= !le_dist_q[22] && (|le_dist_q[21:0]);
            lo_pos_q <= !lo_dist_q[22] && (|lo_dist_q[21:0]);
            le_log_q <= log2(le_dist_q[21:0]);
            lo_log_q <= log2(lo_dist_q[21:0]);
            le_d_q   <= le_dist_q[21:0];
            lo_d_q   <= lo_dist_q[21:0];
        end
    end

    // ------------------------------------------------------------------ choice of the table
    // Distances against table sizes are compared as powers of two.
    wire signed [8:0] le_key = le_linear ? {{3{le_select[5]}}, le_select}
                                         : {le_offset[7], le_offset};
    wire signed [8:0] lo_key = {{3{lo_select[5]}}, lo_select};
    wire signed [8:0] le_rel = $signed({4'd0, le_log_q}) - le_key;
    wire signed [8:0] lo_rel = $signed({4'd0, lo_log_q}) - lo_key;
    wire le_under_now = !le_pos_q || (!le_linear && le_rel[8]);
    wire le_over_now  = !le_under_now && !le_rel[8] && (le_linear ? le_rel >= 9'sd6
                                                                  : le_rel >= 9'sd64);
    wire le_in_now    = !le_under_now && !le_over_now;
    wire lo_over_now  = lo_pos_q && (lo_rel >= 9'sd8);
    wire lo_in_now    = lo_pos_q && !lo_over_now;
    wire under_both   = le_under_now && !lo_pos_q;
    wire over_both    = le_over_now && lo_over_now;
    wire le_only      = le_in_now && !lo_in_now;
    wire lo_only      = lo_in_now && !le_in_now;
    wire mixed        = !under_both && !over_both && !le_only && !lo_only;
    wire take_lo      = lo_only || (under_both && uflow_lo) || (over_both && oflow_lo)
                      || (mixed && hybrid_lo);

    reg               lo_q;
    reg               in_q, over_q;
    reg               power_q;               // exponential index
    reg        [5:0]  power_index_q;
    reg        [21:0] d_q;
    reg        [5:0]  right_q;               // distance of the entries: 2^(right_q - 8)

    always @(posedge ${gclk}) begin
        if (move) begin
            event_q       <= {lo_only, le_only, mixed, over_both, under_both};
            lo_q          <= take_lo;
            in_q          <= take_lo ? lo_in_now : le_in_now;
            over_q        <= take_lo ? lo_over_now : le_over_now;
            power_q       <= !take_lo && !le_linear;
            power_index_q <= le_rel[5:0];
            d_q           <= take_lo ? lo_d_q : le_d_q;
            right_q       <= 6'd8 + (take_lo ? lo_select : le_linear ? le_select
                                                                     : {1'b0, le_log_q});
        end
    end

    // ------------------------------------------------------------------ index and fraction
    wire [45:0] shifted = {d_q, 24'd0} >> right_q;
    wire [8:0]  end_index = lo_q ? LO_LAST[8:0] : LE_LAST[8:0];
    wire [8:0]  in_index  = power_q ? {3'd0, power_index_q} : shifted[24:16];
    wire        unused_high = &{1'b0, shifted[45:25]};

    reg         lo2_q, in2_q, over2_q;
    reg  [8:0]  index_q;
    reg  [15:0] fraction_q;
    reg  signed [38:0] edge_q;
    reg  [87:0] x_q;                         // x beside the four stages above, newest low

    always @(posedge ${gclk}) begin
        if (move) begin
            lo2_q      <= lo_q;
            in2_q      <= in_q;
            over2_q    <= over_q;
            index_q    <= in_q ? in_index : over_q ? end_index : 9'd0;
            fraction_q <= shifted[15:0];
            edge_q     <= lo_q ? (over_q ? lo_over : lo_under) : (over_q ? le_over : le_under);
            x_q        <= {x_q[65:0], in_x};
        end
    end

    // ------------------------------------------------------------------ entries
    wire [7:0] odd_half  = index_q[8:1];
    wire [7:0] even_half = odd_half + {7'd0, index_q[0]};
    wire [7:0] odd_addr  = lo2_q ? odd_half : {2'b11, odd_half[5:0]};
    wire [7:0] even_addr = lo2_q ? even_half : {2'b11, even_half[5:0]};

    sram_1r1w #(.W(16), .DEPTH(256)) u_even (
        .clk(clk), .we(even_we), .waddr(waddr), .wdata(wdata),
        .re(peek || move), .raddr(peek ? peek_addr : even_addr), .rdata(even_data)
    );

    sram_1r1w #(.W(16), .DEPTH(256)) u_odd (
        .clk(clk), .we(odd_we), .waddr(waddr), .wdata(wdata),
        .re(peek || move), .raddr(peek ? peek_addr : odd_addr), .rdata(odd_data)
    );

    reg               in3_q, odd3_q;
    reg        [15:0] fraction3_q;
    reg        [15:0] scale3_q;
    reg        [4:0]  shift3_q;
    reg signed [39:0] beyond_q;              // distance to the edge

    always @(posedge ${gclk}) begin
        if (move) begin
            in3_q       <= in2_q;
            odd3_q      <= index_q[0];
            fraction3_q <= fraction_q;
            scale3_q    <= lo2_q ? (over2_q ? lo_scale[31:16] : lo_scale[15:0])
                                 : (over2_q ? le_scale[31:16] : le_scale[15:0]);
            shift3_q    <= lo2_q ? (over2_q ? lo_shift[9:5] : lo_shift[4:0])
                                 : (over2_q ? le_shift[9:5] : le_shift[4:0]);
            beyond_q    <= {{18{x_q[87]}}, x_q[87:66]} - {edge_q[38], edge_q};
        end
    end

    // ------------------------------------------------------------------ one multiplier for both
    wire signed [15:0] y0    = odd3_q ? odd_data : even_data;
    wire signed [15:0] y1    = odd3_q ? even_data : odd_data;
    wire signed [16:0] delta = {y1[15], y1} - {y0[15], y0};

    reg signed [39:0] a_q;
    reg signed [16:0] b_q;
    reg signed [56:0] product_q;
    reg        [5:0]  down4_q, down5_q;      // right shift of product * 2^16
    reg signed [15:0] y4_q, y5_q, y6_q;
    reg signed [16:0] term_q;

    wire signed [56:0] product = a_q * b_q;
    wire signed [16:0] term;
    wire               unused_sat;
    wire signed [17:0] sum = {{2{y6_q[15]}}, y6_q} + {term_q[16], term_q};
    wire               fits = sum[17:15] == 3'b000 || sum[17:15] == 3'b111;

    round_shift #(.IN_W(73), .SHIFT_W(6), .OUT_W(17)) u_round (
        .en(running), .in({product_q, 16'd0}), .shift(down5_q), .out(term),
        .sat(unused_sat)
    );

    always @(posedge ${gclk}) begin
        if (move) begin
            a_q       <= in3_q ? {{23{delta[16]}}, delta} : beyond_q;
            b_q       <= in3_q ? {1'b0, fraction3_q} : {scale3_q[15], scale3_q};
            down4_q   <= in3_q ? 6'd32 : {1'b0, ~shift3_q[4], shift3_q[3:0]};
            y4_q      <= y0;
            product_q <= product;
            down5_q   <= down4_q;
            y5_q      <= y4_q;
            term_q    <= term;
            y6_q      <= y5_q;
            out_y_q   <= fits ? sum[15:0] : {sum[17], {15{~sum[17]}}};
        end
    end

endmodule

`default_nettype wire
