// One lane of the table of SDP: places in both tables, choice, interpolation or slope.
//
//% if fp16
// Contract: 15 register stages, each moves with its `load` bit; no reset. For integers.
//% else
// Contract: 15 register stages, each moves with its `load` bit; no reset. Tables are in RAMs that
// hold even and odd entries, so that two neighbours are read at once; the read port also serves
// register access (`csb_re`), which software uses only while no layer runs.
//% end
//
//     in -> | place: 5 stages | choice | read, base | entries, x - base | a, b |
//           | a * b | sum | shifts, + entry | round | which | + entry | ->
//     in range: entry + (next - entry) * fraction >> 35
//     outside:  entry + ((x - base) * scale >> shift)
// bypass: the input passes, as (x - 0) * 1 >> 0 + 0.
`default_nettype none

module dla_sdp_lut_lane (
//% if fp16
    input  wire         clk,
//% else
    input  wire         clk,           // of the lane
    input  wire         ram_clk,       // of the RAMs: register access, never stopped
//% end
    input  wire [14:0]  load,          // input of stage 0 .. 14 is valid
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

//% if fp16
    // tables
    output reg  [8:0]   index_q,       // read with load[6]
    input  wire [63:0]  entries,       // in the next cycle: LO odd, LO even, LE odd, LE even
//% else
    // register access to the tables
    input  wire [3:0]   we,            // LE even, LE odd, LO even, LO odd
    input  wire [7:0]   waddr,         // entry / 2
    input  wire [15:0]  wdata,
    input  wire         csb_re,
    input  wire [7:0]   csb_raddr,     // entry / 2
    output wire [63:0]  csb_rdata,     // LO odd, LO even, LE odd, LE even; one cycle after csb_re
//% end

    input  wire [31:0]  in_data,       // signed
    output reg  [31:0]  out_data_q,    // signed

    // of the element that moves with load[6]
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
        .clk (clk), .load (load[4:0]),
        .linear (le_linear), .offset (le_offset), .select (le_select), .start (le_start),
        .in_data (in_data),
        .under_q (le_under), .over_q (le_over), .index_q (le_index), .fraction_q (le_fraction)
    );
    dla_sdp_lut_place #(.LAST_W(8)) u_lo (
        .clk (clk), .load (load[4:0]),
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
    reg  [31:0] x0_q, x1_q, x2_q, x3_q, x4_q, x5_q, x6_q;
    reg  [8:0]  index_q;  //% if !fp16
    reg  [34:0] fraction_q;
    reg         lo_q;

    // ------------------------------------------------------------------ base
    // Where the slopes begin: START of an exponential table is 2^offset below its first entry.
    // The registers hold while a layer runs.
    reg  [31:0] power_q;
    reg  [33:0] le_first_q;                            // signed
    wire [31:0] limit = lo_q ? (under_q ? lo_start : lo_end) : le_end;
    reg  [33:0] base_q;                                // signed

    always @(posedge clk) begin
        power_q    <= (le_linear || (|le_offset[7:5])) ? 32'd0 : 32'd1 << le_offset[4:0];
        le_first_q <= {{2{le_start[31]}}, le_start} + {2'd0, power_q};
    end

//% if fp16
    // ------------------------------------------------------------------ entries
    wire [15:0] le_even = entries[15:0];
    wire [15:0] le_odd  = entries[31:16];
    wire [15:0] lo_even = entries[47:32];
    wire [15:0] lo_odd  = entries[63:48];
//% else
    // ------------------------------------------------------------------ read
    wire [7:0]  even_addr = csb_re ? csb_raddr : index_q[8:1] + {7'd0, index_q[0]};
    wire [6:0]  odd_addr  = csb_re ? csb_raddr[6:0] : index_q[7:1];
    wire        re        = csb_re || load[6];
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

    // ------------------------------------------------------------------ entries
//% end
    reg         in_6_q, under_6_q, lo_6_q, odd_6_q;
    reg  [34:0] fraction_6_q;
    wire [15:0] even   = lo_6_q ? lo_even : le_even;
    wire [15:0] odd    = lo_6_q ? lo_odd : le_odd;
    wire [31:0] scales = lo_6_q ? lo_scale : le_scale;
    wire [9:0]  shifts = lo_6_q ? lo_shift : le_shift;
    reg  [15:0] entry_7_q, next_7_q, scale_7_q;
    reg  [4:0]  shift_7_q;
    reg  [33:0] delta_7_q;                             // signed
    reg  [34:0] fraction_7_q;
    reg         in_7_q;

    // ------------------------------------------------------------------ product
    wire [16:0]        step = {next_7_q[15], next_7_q} - {entry_7_q[15], entry_7_q};
    reg  signed [35:0] a_q;
    reg  signed [16:0] b_q;
    reg  [15:0]        entry_8_q, entry_9_q, entry_10_q;
    reg  [4:0]         shift_8_q, shift_9_q, shift_10_q;
    reg                in_8_q, in_9_q, in_10_q;
    wire signed [52:0] prod;

    mult_pipe #(.A_W(36), .B_W(17)) u_mult (
        .clk (clk), .load (load[10:9]), .a (a_q), .b (b_q), .p_q (prod)
    );

    // ------------------------------------------------------------------ shifts
    // In range: the whole weighted sum is rounded, its entry is not added again.
    reg  [52:0]        sum_q;
    wire               up    = sum_q[34] && (!sum_q[52] || (|sum_q[33:0]));
    wire signed [31:0] right;
    wire               unused_sat;

    round_shift_pipe #(.IN_W(50), .SHIFT_W(4), .OUT_W(32)) u_shift (
        .clk (clk), .load (load[12:11]), .in (prod[49:0]), .shift (shift_10_q[3:0]), .wrap (1'b0),
        .out_q (right), .sat_q (unused_sat)
    );

    wire [4:0]         lefts = 5'd0 - shift_10_q;       // 1 .. 16
    reg  signed [65:0] left_q;
    wire               left_fit = left_q[65:31] == {35{left_q[65]}};
    reg  [15:0]        entry_11_q, entry_12_q, entry_13_q;
    reg                in_11_q, in_12_q, left_11_q, left_12_q;
    reg  [17:0]        weighted_q;
    reg  [31:0]        lefted_q;
    reg  [31:0]        term_q;

    // ------------------------------------------------------------------ sum
    wire [32:0]        total    = {term_q[31], term_q} + {{17{entry_13_q[15]}}, entry_13_q};
    wire               overflow = total[32] != total[31];

    always @(posedge clk) begin
        if (load[0]) x0_q <= in_data;
        if (load[1]) x1_q <= x0_q;
        if (load[2]) x2_q <= x1_q;
        if (load[3]) x3_q <= x2_q;
        if (load[4]) x4_q <= x3_q;
        if (load[5]) begin
            x5_q       <= x4_q;
            index_q    <= index;
            fraction_q <= use_lo ? lo_fraction : le_fraction;
            lo_q       <= use_lo;
            under_q    <= under;
            over_q     <= over;
            le_hit_q   <= le_in;
            lo_hit_q   <= lo_in;
        end
        if (load[6]) begin
            x6_q         <= x5_q;
            base_q       <= bypass ? 34'd0 :
                            (under_q && !lo_q) ? le_first_q : {{2{limit[31]}}, limit};
            fraction_6_q <= fraction_q;
            in_6_q       <= !bypass && !under_q && !over_q;
            under_6_q    <= under_q;
            lo_6_q       <= lo_q;
            odd_6_q      <= index_q[0];
        end
        if (load[7]) begin
            delta_7_q    <= {{2{x6_q[31]}}, x6_q} - base_q;
            entry_7_q    <= odd_6_q ? odd : even;
            next_7_q     <= odd_6_q ? even : odd;
            scale_7_q    <= under_6_q ? scales[15:0] : scales[31:16];
            shift_7_q    <= under_6_q ? shifts[4:0] : shifts[9:5];
            fraction_7_q <= fraction_6_q;
            in_7_q       <= in_6_q;
        end
        if (load[8]) begin
            a_q       <= in_7_q ? {1'b0, fraction_7_q} : {{2{delta_7_q[33]}}, delta_7_q};
            b_q       <= in_7_q ? step : bypass ? 17'd1 : {scale_7_q[15], scale_7_q};
            entry_8_q <= bypass ? 16'd0 : entry_7_q;
            shift_8_q <= bypass ? 5'd0 : shift_7_q;
            in_8_q    <= in_7_q;
        end
        if (load[9])  {in_9_q, shift_9_q, entry_9_q}    <= {in_8_q, shift_8_q, entry_8_q};
        if (load[10]) {in_10_q, shift_10_q, entry_10_q} <= {in_9_q, shift_9_q, entry_9_q};
        if (load[11]) begin
            sum_q      <= prod + {{2{entry_10_q[15]}}, entry_10_q, 35'd0};
            left_q     <= {{16{prod[49]}}, prod[49:0]} << lefts;
            entry_11_q <= entry_10_q;
            in_11_q    <= in_10_q;
            left_11_q  <= shift_10_q[4];
        end
        if (load[12]) begin
            weighted_q <= sum_q[52:35] + {17'd0, up};
            lefted_q   <= left_fit ? left_q[31:0] : {left_q[65], {31{~left_q[65]}}};
            entry_12_q <= in_11_q ? 16'd0 : entry_11_q;
            in_12_q    <= in_11_q;
            left_12_q  <= left_11_q;
        end
        if (load[13]) begin
            term_q     <= in_12_q   ? {{14{weighted_q[17]}}, weighted_q} :
                          left_12_q ? lefted_q : right;
            entry_13_q <= entry_12_q;
        end
        if (load[14]) out_data_q <= overflow ? {total[32], {31{~total[32]}}} : total[31:0];
    end

endmodule

`default_nettype wire
