// The EW stage (Y) of SDP: cuts words of the lanes of SDP into its own, ${sdp_ew_throughput} element(s) per cycle,
// and puts them together again.
//
// Contract: a word stays at the input for ${ew_beats} cycle(s) with `tick`, in_last marks the last one.
// Latency ${ew_stages} ticks behind that. Reset: no word, also no part of one; data has none.
//% if sdp_lut_enable
// Tables: entries are written and read through the lut_ ports on ram_clk, one access per cycle,
// read data one cycle later. All are 0 after the first 129 cycles behind reset.
//% end
`default_nettype none

module dla_sdp_ew (
    input  wire         clk,
//% if sdp_lut_enable
    input  wire         ram_clk,       // never stopped
//% end
    input  wire         rst_n,
    input  wire         start,         // of a layer
    input  wire         tick,          // all stages move

    // registers
    input  wire         alu_on,
    input  wire [1:0]   alu_algo,
    input  wire         alu_src,       // 1: operand from memory
    input  wire [31:0]  alu_value,
    input  wire         alu_cvt_bypass,
    input  wire [31:0]  alu_cvt_offset,
    input  wire [15:0]  alu_cvt_scale,
    input  wire [5:0]   alu_cvt_shift,
    input  wire         mul_on,
    input  wire         mul_prelu,
    input  wire         mul_src,       // 1: operand from memory
    input  wire [31:0]  mul_value,
    input  wire         mul_cvt_bypass,
    input  wire [31:0]  mul_cvt_offset,
    input  wire [15:0]  mul_cvt_scale,
    input  wire [5:0]   mul_cvt_shift,
    input  wire [9:0]   truncate,
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
    input  wire [9:0]   le_shift,
    input  wire [9:0]   lo_shift,

    // register access to the tables
    input  wire         lut_write,
    input  wire         lut_read,
    input  wire         lut_lo,        // table
    input  wire [9:0]   lut_entry,     // beyond the table: writes are dropped, reads give 0
    input  wire [15:0]  lut_wdata,
    output wire [15:0]  lut_rdata,     // 0 unless lut_read was high a cycle ago

    // elements of the layer: result from below, above, within the table; in range of LE, of LO
    output reg  [31:0]  uflow_q,
    output reg  [31:0]  oflow_q,
    output reg  [31:0]  hybrid_q,
    output reg  [31:0]  le_hit_q,
    output reg  [31:0]  lo_hit_q,
//% end

    // word and operands; they hold until the tick of in_last
    input  wire         in_valid,
    output wire         in_last,       // last part of the word
    input  wire         in_hold,       // the last part has to wait
    input  wire [3:0]   in_tag,
    input  wire [${32 * sdp_lanes - 1:3}:0] in_data,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_mul,
    output wire         out_valid,     // of a whole word
    output wire [3:0]   out_tag,
    output wire [${32 * sdp_lanes - 1:3}:0] out_data
);

    localparam LANES  = ${sdp_ew_throughput};
    localparam STAGES = ${ew_stages};

    // ------------------------------------------------------------------ parts of a word
    wire [32*LANES-1:0] part;
    wire [16*LANES-1:0] part_alu, part_mul;
    wire                take = tick && in_valid && !(in_last && in_hold);

//% if ew_beats > 1
    localparam PART_W = ${clog2(ew_beats)};
    reg  [PART_W-1:0]   part_q;

    assign in_last  = &part_q;
    assign part     = in_data[32*LANES*part_q +: 32*LANES];
    assign part_alu = operand_alu[16*LANES*part_q +: 16*LANES];
    assign part_mul = operand_mul[16*LANES*part_q +: 16*LANES];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    part_q <= {PART_W{1'b0}};
        else if (take) part_q <= part_q + {{(PART_W-1){1'b0}}, 1'b1};
    end
//% else
    assign in_last  = 1'b1;
    assign part     = in_data;
    assign part_alu = operand_alu;
    assign part_mul = operand_mul;
//% end

    // ------------------------------------------------------------------ control
    reg  [STAGES-1:0]   valid_q;
    reg  [5*STAGES-1:0] tag_q;                         // last part, tag; stage 0 lowest
    wire [STAGES:0]     load = {valid_q, take} & {(STAGES+1){tick}};
    wire                out_last;

    assign {out_last, out_tag} = tag_q[5*STAGES-1 -: 5];
    assign out_valid = valid_q[STAGES-1] && out_last;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    valid_q <= {STAGES{1'b0}};
        else if (tick) valid_q <= load[STAGES-1:0];
    end

    always @(posedge clk) begin
        if (tick) tag_q <= {tag_q[5*STAGES-6:0], in_last, in_tag};
    end

    // ------------------------------------------------------------------ lanes
    wire [32*LANES-1:0] arithmetic;
    wire [32*LANES-1:0] result;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_sdp_ew_lane u_lane (
                .clk         (clk),
                .load        (load[5:0]),
                .busy        (|valid_q),
                .alu_on      (alu_on),
                .alu_algo    (alu_algo),
                .alu_src     (alu_src),
                .alu_value   (alu_value),
                .alu_offset  (alu_cvt_bypass ? 32'd0 : alu_cvt_offset),
                .alu_scale   (alu_cvt_bypass ? 16'd1 : alu_cvt_scale),
                .alu_shift   (alu_cvt_bypass ? 6'd0 : alu_cvt_shift),
                .mul_on      (mul_on),
                .prelu       (mul_prelu),
                .mul_src     (mul_src),
                .mul_value   (mul_value),
                .mul_offset  (mul_cvt_bypass ? 32'd0 : mul_cvt_offset),
                .mul_scale   (mul_cvt_bypass ? 16'd1 : mul_cvt_scale),
                .mul_shift   (mul_cvt_bypass ? 6'd0 : mul_cvt_shift),
                .truncate    (truncate),
                .in_data     (part[32*i +: 32]),
                .alu_operand (part_alu[16*i +: 16]),
                .mul_operand (part_mul[16*i +: 16]),
                .out_data_q  (arithmetic[32*i +: 32])
            );
        end
    endgenerate

//% if sdp_lut_enable
    // ------------------------------------------------------------------ tables
    // After reset all entries are cleared, those of all four RAMs in parallel.
    reg  [7:0]          clear_q;                       // entry / 2; 129: done
    wire                clearing  = clear_q != 8'd129;
    wire                in_table  = lut_entry <= (lut_lo ? 10'd256 : 10'd64);
    wire [3:0]          ram       = 4'd1 << {lut_lo, lut_entry[0]};
    wire                accepted  = lut_write && in_table;
    wire [3:0]          we        = clearing ? {clear_q < 8'd128, 1'b1,
                                                clear_q < 8'd32, clear_q < 8'd33}
                                  : ram & {4{accepted}};
    wire [64*LANES-1:0] rams;
    wire [LANES-1:0]    under, over, le_hit, lo_hit;
    reg                 read_q;
    reg  [1:0]          ram_q;

    always @(posedge ram_clk or negedge rst_n) begin
        if (!rst_n) begin
            clear_q <= 8'd0;
            read_q  <= 1'b0;
        end else begin
            clear_q <= clear_q + {7'd0, clearing};
            read_q  <= lut_read && in_table;
        end
    end

    always @(posedge ram_clk) begin
        ram_q <= {lut_lo, lut_entry[0]};
    end

    assign lut_rdata = rams[16*ram_q +: 16] & {16{read_q}};

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lut
            dla_sdp_lut_lane u_lane (
                .clk        (clk),
                .ram_clk    (ram_clk),
                .load       (load[14:6]),
                .busy       (|valid_q),
                .bypass     (lut_bypass),
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
                .le_shift   (le_shift),
                .lo_shift   (lo_shift),
                .we         (we),
                .waddr      (clearing ? clear_q : lut_entry[8:1]),
                .wdata      (clearing ? 16'd0 : lut_wdata),
                .csb_re     (lut_read),
                .csb_raddr  (lut_entry[8:1]),
                .csb_rdata  (rams[64*i +: 64]),
                .in_data    (arithmetic[32*i +: 32]),
                .out_data_q (result[32*i +: 32]),
                .under_q    (under[i]),
                .over_q     (over[i]),
                .le_hit_q   (le_hit[i]),
                .lo_hit_q   (lo_hit[i])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ counters
    wire                count = load[10] && count_en && !lut_bypass;

    always @(posedge clk) begin
        if (start) begin
            uflow_q  <= 32'd0;
            oflow_q  <= 32'd0;
            hybrid_q <= 32'd0;
            le_hit_q <= 32'd0;
            lo_hit_q <= 32'd0;
        end else if (count) begin
            uflow_q  <= add(uflow_q, under);
            oflow_q  <= add(oflow_q, over);
            hybrid_q <= add(hybrid_q, ~(under | over));
            le_hit_q <= add(le_hit_q, le_hit);
            lo_hit_q <= add(lo_hit_q, lo_hit);
        end
    end

    // Adds the number of ones, stays at all ones.
    function [31:0] add;
        input [31:0]      value;
        input [LANES-1:0] ones;
        reg   [32:0]      sum;
        integer           lane;
        begin
            sum = {1'b0, value};
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                sum = sum + {32'd0, ones[lane]};
            end
            add = sum[32] ? 32'hffffffff : sum[31:0];
        end
    endfunction

//%   if sdp_ew_throughput > 1
    wire unused_rams = &{1'b0, rams[64*LANES-1:64]};

//%   end
//% else
    wire unused_start = &{1'b0, start};

    assign result = arithmetic;

//% end
    // ------------------------------------------------------------------ whole words
//% if ew_beats > 1
    localparam KEPT = ${32 * sdp_lanes - 32 * sdp_ew_throughput};
    reg  [KEPT-1:0]     kept_q;                        // parts before the last one

    assign out_data = {result, kept_q};

    always @(posedge clk) begin
//%   if ew_beats == 2
        if (load[STAGES]) kept_q <= result;
//%   else
        if (load[STAGES]) kept_q <= {result, kept_q[KEPT-1:32*LANES]};
//%   end
    end
//% else
    wire unused_load = &{1'b0, load[STAGES]};

    assign out_data = result;
//% end

endmodule

`default_nettype wire
