// One lane of the table of SDP for fp32: places in both tables, choice, interpolation or slope.
//
// Contract: ${fp_lut_stages} register stages, each moves with its `load` bit; no reset. Entries are fp16, the
// arithmetic on them fp17.
//
//     in -> | place: 8 stages | choice | read, base | x - base: 5 stages | to fp17: 2 stages |
//           | products: 3 stages | sum: 5 stages | to fp32 ->
//     in range: entry * (1 - fraction) + next * fraction
//     outside:  entry + (x - base) * scale
`default_nettype none

module dla_sdp_lut_fp_lane (
    input  wire         clk,
    input  wire [${fp_lut_stages - 1}:0]  load,          // input of stage 0 .. ${fp_lut_stages - 1} is valid

    // registers
    input  wire         le_linear,
    input  wire         uflow_lo,      // priorities: 1 LO, 0 LE
    input  wire         oflow_lo,
    input  wire         hybrid_lo,
    input  wire [7:0]   le_shift,      // exponential: exponent of entry 0; linear: of the distance
    input  wire [7:0]   lo_shift,
    input  wire [31:0]  le_start,
    input  wire [31:0]  le_first,      // where the slope below LE begins
    input  wire [31:0]  le_end,
    input  wire [31:0]  lo_start,
    input  wire [31:0]  lo_end,
    input  wire [31:0]  le_scale,      // of overflow, of underflow: fp16
    input  wire [31:0]  lo_scale,

    // tables
    output reg  [8:0]   index_q,       // read with load[9]
    input  wire [63:0]  entries,       // in the next cycle: LO odd, LO even, LE odd, LE even

    input  wire [31:0]  in_data,       // fp32
    output wire [31:0]  out_data,      // fp32

    // of the element that moves with load[9]
    output reg          under_q,       // result from below the table
    output reg          over_q,        // result from above the table
    output reg          le_hit_q,      // in range of LE
    output reg          lo_hit_q       // in range of LO
);

    wire        any = |load;

    // ------------------------------------------------------------------ places, stages 0 .. 7
    wire        le_under, le_over, lo_under, lo_over;
    wire [5:0]  le_index;
    wire [7:0]  lo_index;
    wire [34:0] le_fraction, lo_fraction;

    dla_sdp_lut_fp_place #(.LAST_W(6)) u_le (
        .clk (clk), .load (load[7:0]),
        .linear (le_linear), .shift (le_shift), .start (le_start), .in_data (in_data),
        .under_q (le_under), .over_q (le_over), .index_q (le_index), .fraction_q (le_fraction)
    );
    dla_sdp_lut_fp_place #(.LAST_W(8)) u_lo (
        .clk (clk), .load (load[7:0]),
        .linear (1'b1), .shift (lo_shift), .start (lo_start), .in_data (in_data),
        .under_q (lo_under), .over_q (lo_over), .index_q (lo_index), .fraction_q (lo_fraction)
    );

    // ------------------------------------------------------------------ choice, stage 8
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
    reg  [34:0] fraction_q;
    reg         lo_q;

    // ------------------------------------------------------------------ base, stage 9
    (* mem2reg *) reg  [31:0] x_q [0:9];             // input behind stage 0 .. 9
    reg  [31:0] base_q;
    reg         in_9_q, under_9_q, lo_9_q, odd_9_q;
    integer     i;

    // ------------------------------------------------------------------ x - base, stages 10 .. 16
    wire [31:0] delta32;
    wire [16:0] delta;

    fp_add #(.E(8), .M(23)) u_delta (
        .clk (clk), .load (load[14:10]), .a (x_q[9]), .b ({~base_q[31], base_q[30:0]}),
        .sum_q (delta32)
    );
    fp_narrow #(.EI(8), .MI(23), .EO(6), .MO(10), .DENORMAL(0)) u_narrow (
        .clk (clk), .load (load[16:15]), .in (delta32), .out_q (delta)
    );

    // ------------------------------------------------------------------ weights, stages 9 .. 11
    reg  [34:0] above_q;
    reg  [35:0] below_q;
    wire [16:0] above11, below11;

    fp_from_fixed #(.W(36), .F(35), .E(6), .M(10)) u_above (
        .clk (clk), .load (load[11:10]), .sign (1'b0), .in ({1'b0, above_q}), .out_q (above11)
    );
    fp_from_fixed #(.W(36), .F(35), .E(6), .M(10)) u_below (
        .clk (clk), .load (load[11:10]), .sign (1'b0), .in (below_q), .out_q (below11)
    );

    // ------------------------------------------------------------------ entries, stages 10 .. 16
    wire [31:0] pair   = lo_9_q ? entries[63:32] : entries[31:0];
    wire [31:0] scales = lo_9_q ? lo_scale : le_scale;
    wire [15:0] scale  = under_9_q ? scales[15:0] : scales[31:16];
    // Entry, and the next one or the scale.
    (* mem2reg *) reg  [31:0] two_q [0:5];           // behind stage 10 .. 15
    reg  [6:0]  in_q;                  // in range, behind stage 10 .. 16
    (* mem2reg *) reg  [33:0] weights_q [0:4];       // behind stage 12 .. 16
    wire [16:0] entry16, other16;

    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_entry (
        .clk (clk), .load (load[16]), .in (two_q[5][15:0]), .out_q (entry16)
    );
    fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_other (
        .clk (clk), .load (load[16]), .in (two_q[5][31:16]), .out_q (other16)
    );

    // ------------------------------------------------------------------ products, stages 17 .. 19
    wire        in_16 = in_q[6];
    wire [16:0] first, second;
    (* mem2reg *) reg  [16:0] entry_q [0:2];         // behind stage 17 .. 19
    reg  [2:0]  in_17_q;               // the same

    fp_mul #(.E(6), .M(10)) u_first (
        .clk (clk), .load (load[19:17]), .a (in_16 ? weights_q[4][16:0] : delta),
        .b (in_16 ? entry16 : other16), .p_q (first)
    );
    fp_mul #(.E(6), .M(10)) u_second (
        .clk (clk), .load (load[19:17]), .a (weights_q[4][33:17]), .b (other16), .p_q (second)
    );

    // ------------------------------------------------------------------ sum, stages 20 .. 25
    wire [16:0] sum;

    fp_add #(.E(6), .M(10)) u_sum (
        .clk (clk), .load (load[24:20]), .a (in_17_q[2] ? first : entry_q[2]),
        .b (in_17_q[2] ? second : first), .sum_q (sum)
    );
    fp_widen #(.EI(6), .MI(10), .EO(8), .MO(23), .NORMALISE(0)) u_widen (
        .clk (clk), .load (load[25]), .in (sum), .out_q (out_data)
    );

    always @(posedge clk) begin
        if (load[8]) begin
            index_q    <= index;
            fraction_q <= use_lo ? lo_fraction : le_fraction;
            lo_q       <= use_lo;
            under_q    <= under;
            over_q     <= over;
            le_hit_q   <= le_in;
            lo_hit_q   <= lo_in;
        end
        if (load[9]) begin
            base_q    <= lo_q ? (under_q ? lo_start : lo_end) : (under_q ? le_first : le_end);
            above_q   <= fraction_q;
            below_q   <= {1'b1, 35'd0} - {1'b0, fraction_q};
            in_9_q    <= !under_q && !over_q;
            under_9_q <= under_q;
            lo_9_q    <= lo_q;
            odd_9_q   <= index_q[0];
        end
        if (any) begin
            x_q[0]       <= in_data;
            two_q[0]     <= {!in_9_q ? scale : odd_9_q ? pair[15:0] : pair[31:16],
                             odd_9_q ? pair[31:16] : pair[15:0]};
            weights_q[0] <= {above11, below11};
            entry_q[0]   <= entry16;
            in_q         <= {in_q[5:0], in_9_q};
            in_17_q      <= {in_17_q[1:0], in_16};
            for (i = 1; i < 10; i = i + 1) x_q[i] <= x_q[i-1];
            for (i = 1; i < 6; i = i + 1)  two_q[i] <= two_q[i-1];
            for (i = 1; i < 5; i = i + 1)  weights_q[i] <= weights_q[i-1];
            for (i = 1; i < 3; i = i + 1)  entry_q[i] <= entry_q[i-1];
        end
    end

endmodule

`default_nettype wire
