// One lane of the table of SDP: places in both tables, choice, interpolation or slope.
//
// Contract: nine register stages, each moves with its `load` bit; no reset. Tables are in RAMs that
// hold even and odd entries, so that two neighbours are read at once; the read port also serves
// register access (`csb_re`), which software uses only while no layer runs.
//
//     in -> | place: 3 stages | choice | read, x - base | a, b | a * b | >> shift | + entry | ->
//     in range: entry + (next - entry) * fraction >> 35
//     outside:  entry + ((x - base) * scale >> shift)
// bypass: the input passes, as (x - 0) * 1 >> 0 + 0.
`default_nettype none

module dla_sdp_lut_lane (
    input  wire         clk,           // of the lane
    input  wire         ram_clk,       // of the RAMs: register access, never stopped
    input  wire [8:0]   load,          // input of stage 1 .. 9 is valid and moves
    input  wire         busy,          // 0: all stages are empty
    input  wire         bypass,

    // registers
    input  wire         le_linear,
    input  wire         uflow_lo,      // priorities: 1 LO, 0 LE
    input  wire         oflow_lo,
    input  wire         hybrid_lo,
    input  wire [7:0]   le_offset,
    input  wire [7:0]   le_select,
    input  wire [7:0]   lo_select,
    input  wire [31:0]  le_start,
    input  wire [31:0]  le_end,
    input  wire [31:0]  lo_start,
    input  wire [31:0]  lo_end,
    input  wire [31:0]  le_scale,      // of overflow, of underflow
    input  wire [31:0]  lo_scale,
    input  wire [9:0]   le_shift,      // of overflow, of underflow; signed, positive is right
    input  wire [9:0]   lo_shift,

    // register access to the tables
    input  wire [3:0]   we,            // LE even, LE odd, LO even, LO odd
    input  wire [7:0]   waddr,         // entry / 2
    input  wire [15:0]  wdata,
    input  wire         csb_re,
    input  wire [7:0]   csb_raddr,     // entry / 2
    output wire [63:0]  csb_rdata,     // LO odd, LO even, LE odd, LE even; one cycle after csb_re

    input  wire [31:0]  in_data,       // signed
    output reg  [31:0]  out_data_q,    // signed

    // of the element that moves with load[4]
    output reg          under_q,       // result from below the table
    output reg          over_q,        // result from above the table
    output reg          le_hit_q,      // in range of LE
    output reg          lo_hit_q       // in range of LO
);

    // ------------------------------------------------------------------ places
    wire        le_under, le_over, lo_under, lo_over;
    wire [5:0]  le_index;
    wire [7:0]  lo_index;
    wire [34:0] le_fraction, lo_fraction;

    dla_sdp_lut_place #(.LAST_W(6)) u_le (
        .clk (clk), .load (load[2:0]), .busy (busy),
        .linear (le_linear), .offset (le_offset), .select (le_select), .start (le_start),
        .in_data (in_data),
        .under_q (le_under), .over_q (le_over), .index_q (le_index), .fraction_q (le_fraction)
    );
    dla_sdp_lut_place #(.LAST_W(8)) u_lo (
        .clk (clk), .load (load[2:0]), .busy (busy),
        .linear (1'b1), .offset (8'd0), .select (lo_select), .start (lo_start),
        .in_data (in_data),
        .under_q (lo_under), .over_q (lo_over), .index_q (lo_index), .fraction_q (lo_fraction)
    );

    // ------------------------------------------------------------------ choice
    wire        le_in   = !le_under && !le_over;
    wire        lo_in   = !lo_under && !lo_over;
    wire        use_lo  = (le_in != lo_in)       ? lo_in
                        : (le_under && lo_under) ? uflow_lo
                        : (le_over && lo_over)   ? oflow_lo : hybrid_lo;
    wire        under   = use_lo ? lo_under : le_under;
    wire        over    = use_lo ? lo_over : le_over;
    wire [8:0]  index   = under   ? 9'd0
                        : use_lo  ? (lo_over ? 9'd256 : {1'b0, lo_index})
                        : le_over ? 9'd64 : {3'd0, le_index};
    wire        has_pow = !use_lo && !le_linear && under && (le_offset[7:5] == 3'd0);
    wire [31:0] power   = has_pow ? 32'd1 << le_offset[4:0] : 32'd0;
    wire [31:0] from    = under ? (use_lo ? lo_start : le_start) : (use_lo ? lo_end : le_end);
    wire [33:0] base    = {{2{from[31]}}, from} + {2'd0, power};
    reg  [31:0] x0_q, x1_q, x2_q, x3_q;
    reg  [33:0] base_q;                                // signed
    reg  [8:0]  index_q;
    reg  [34:0] fraction_q;
    reg         lo_q;

    // ------------------------------------------------------------------ read
    wire [7:0]  even_addr = csb_re ? csb_raddr : index_q[8:1] + {7'd0, index_q[0]};
    wire [6:0]  odd_addr  = csb_re ? csb_raddr[6:0] : index_q[7:1];
    wire        re        = csb_re || load[4];
    wire [15:0] le_even, le_odd, lo_even, lo_odd;

    sram_1r1w #(.W(16), .DEPTH(33)) u_le_even (
        .clk (ram_clk), .we (we[0]), .waddr (waddr[5:0]), .wdata (wdata),
        .re (re), .raddr (even_addr[5:0]), .rdata (le_even)
    );
    sram_1r1w #(.W(16), .DEPTH(32)) u_le_odd (
        .clk (ram_clk), .we (we[1]), .waddr (waddr[4:0]), .wdata (wdata),
        .re (re), .raddr (odd_addr[4:0]), .rdata (le_odd)
    );
    sram_1r1w #(.W(16), .DEPTH(129)) u_lo_even (
        .clk (ram_clk), .we (we[2]), .waddr (waddr), .wdata (wdata),
        .re (re), .raddr (even_addr), .rdata (lo_even)
    );
    sram_1r1w #(.W(16), .DEPTH(128)) u_lo_odd (
        .clk (ram_clk), .we (we[3]), .waddr (waddr[6:0]), .wdata (wdata),
        .re (re), .raddr (odd_addr), .rdata (lo_odd)
    );

    assign csb_rdata = {lo_odd, lo_even, le_odd, le_even};

    reg  [33:0] delta_q;                               // signed
    reg  [34:0] fraction_4_q;
    reg         in_4_q, under_4_q, lo_4_q, odd_4_q;
    wire [15:0] even   = lo_4_q ? lo_even : le_even;
    wire [15:0] odd    = lo_4_q ? lo_odd : le_odd;
    wire [15:0] entry  = odd_4_q ? odd : even;
    wire [15:0] next   = odd_4_q ? even : odd;
    wire [31:0] scales = lo_4_q ? lo_scale : le_scale;
    wire [9:0]  shifts = lo_4_q ? lo_shift : le_shift;
    wire [15:0] scale  = under_4_q ? scales[15:0] : scales[31:16];
    wire [4:0]  slope_shift = under_4_q ? shifts[4:0] : shifts[9:5];
    wire [16:0] step   = {next[15], next} - {entry[15], entry};

    // ------------------------------------------------------------------ product
    reg  signed [35:0] a_q;
    reg  signed [16:0] b_q;
    reg  [15:0]        entry_5_q, entry_6_q, entry_7_q;
    reg  [4:0]         shift_5_q, shift_6_q;
    reg                in_5_q, in_6_q;
    reg  signed [52:0] prod_q;

    // ------------------------------------------------------------------ shift
    // In range: the whole weighted sum is rounded, its entry is not added again.
    wire [52:0]        sum      = prod_q + {{2{entry_6_q[15]}}, entry_6_q, 35'd0};
    wire               up       = sum[34] && (!sum[52] || (|sum[33:0]));
    wire [17:0]        weighted = sum[52:35] + {17'd0, up};
    wire signed [31:0] right;
    wire               unused_sat;

    round_shift #(.IN_W(50), .SHIFT_W(4), .OUT_W(32)) u_shift (
        .en (busy), .in (prod_q[49:0]), .shift (shift_6_q[3:0]), .out (right), .sat (unused_sat)
    );

    wire [4:0]         lefts    = 5'd0 - shift_6_q;     // 1 .. 16
    wire signed [65:0] left     = {{16{prod_q[49]}}, prod_q[49:0]} << lefts;
    wire               left_fit = left[65:31] == {35{left[65]}};
    wire [31:0]        lefted   = left_fit ? left[31:0] : {left[65], {31{~left[65]}}};
    reg  [31:0]        term_q;

    // ------------------------------------------------------------------ sum
    wire [32:0]        total    = {term_q[31], term_q} + {{17{entry_7_q[15]}}, entry_7_q};
    wire               overflow = total[32] != total[31];

    always @(posedge clk) begin
        if (load[0]) x0_q <= in_data;
        if (load[1]) x1_q <= x0_q;
        if (load[2]) x2_q <= x1_q;
        if (load[3]) begin
            x3_q       <= x2_q;
            base_q     <= bypass ? 34'd0 : base;
            index_q    <= index;
            fraction_q <= use_lo ? lo_fraction : le_fraction;
            lo_q       <= use_lo;
            under_q    <= under;
            over_q     <= over;
            le_hit_q   <= le_in;
            lo_hit_q   <= lo_in;
        end
        if (load[4]) begin
            delta_q      <= {{2{x3_q[31]}}, x3_q} - base_q;
            fraction_4_q <= fraction_q;
            in_4_q       <= !bypass && !under_q && !over_q;
            under_4_q    <= under_q;
            lo_4_q       <= lo_q;
            odd_4_q      <= index_q[0];
        end
        if (load[5]) begin
            a_q       <= in_4_q ? {1'b0, fraction_4_q} : {{2{delta_q[33]}}, delta_q};
            b_q       <= in_4_q ? step : bypass ? 17'd1 : {scale[15], scale};
            entry_5_q <= bypass ? 16'd0 : entry;
            shift_5_q <= bypass ? 5'd0 : slope_shift;
            in_5_q    <= in_4_q;
        end
        if (load[6]) begin
            prod_q    <= a_q * b_q;
            entry_6_q <= entry_5_q;
            shift_6_q <= shift_5_q;
            in_6_q    <= in_5_q;
        end
        if (load[7]) begin
            term_q    <= in_6_q ? {{14{weighted[17]}}, weighted} : shift_6_q[4] ? lefted : right;
            entry_7_q <= in_6_q ? 16'd0 : entry_6_q;
        end
        if (load[8]) out_data_q <= overflow ? {total[32], {31{~total[32]}}} : total[31:0];
    end

endmodule

`default_nettype wire
