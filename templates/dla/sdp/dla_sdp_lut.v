// The tables of SDP for all lanes of EW: look-up, register access, counters.
//
//% if fp_choice
// Contract: latency ${lut_stages}, of fp32 ${fp_lut_stages}, ${sdp_ew_throughput} element(s) per cycle;
//% elif fp16
// Contract: latency ${fp_lut_stages}, ${sdp_ew_throughput} element(s) per cycle; fp32;
//% else
// Contract: latency ${lut_stages}, ${sdp_ew_throughput} element(s) per cycle; nothing waits. Tables: csb_cfg loads the
// pointer, csb_access writes or reads the entry and moves on; read data two cycles later. All
// entries are 0 after the first 129 cycles behind reset.
//% end
//% if fp16
// nothing waits. Tables: csb_cfg loads the pointer, csb_access writes or reads the entry and moves
// on; read data two cycles later. All entries are 0 after the first 129 cycles behind reset.
//% end
`default_nettype none

module dla_sdp_lut (
    input  wire         clk,
    input  wire         ram_clk,       // never stopped
    input  wire         rst_n,
    input  wire         start,         // of a layer
    input  wire [${lut_stages - 1}:0]  load,          // input of stage 0 .. ${lut_stages - 1} is valid  //% if ints
    input  wire [${fp_lut_stages - 1}:0]  fp_load,       // the same of fp32  //% if fp16

    // registers
    input  wire         fp,            // elements are fp32  //% if fp_choice
    input  wire         bypass,
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
//% if ints
    input  wire [9:0]   le_shift,
    input  wire [9:0]   lo_shift,
//% end

    // register access to the tables
    input  wire         csb_access,    // to the data
    input  wire         csb_write,
    input  wire [15:0]  csb_wdata,
    input  wire         csb_cfg,       // the pointer was written
    input  wire [9:0]   csb_addr,      // beyond the table: writes are dropped, reads give 0
    input  wire         csb_table,     // 1: LO
    input  wire         csb_store,     // 0: writes are dropped
    output reg  [15:0]  csb_rdata,     // 0 unless an entry was read two cycles ago

    // elements of the layer: result from below, above, within the table; in range of LE, of LO
    output reg  [31:0]  uflow_q,
    output reg  [31:0]  oflow_q,
    output reg  [31:0]  hybrid_q,
    output reg  [31:0]  le_hit_q,
    output reg  [31:0]  lo_hit_q,

    input  wire [${32 * sdp_ew_throughput - 1:3}:0] fp_in_data,  //% if fp_choice
    input  wire [${32 * sdp_ew_throughput - 1:3}:0] in_data,
    output wire [${32 * sdp_ew_throughput - 1:3}:0] out_data
);

    localparam LANES = ${sdp_ew_throughput};

    // ------------------------------------------------------------------ access
    reg  [9:0]          pointer_q;
    wire [9:0]          entry    = csb_cfg ? csb_addr : pointer_q;
    wire                lut_write = csb_access && csb_write && csb_store;
    wire                lut_read  = csb_access && !csb_write;

    always @(posedge ram_clk or negedge rst_n) begin
        if (!rst_n) pointer_q <= 10'd0;
        else        pointer_q <= entry + {9'd0, csb_access};
    end

    // After reset all entries are cleared, those of all four RAMs in parallel.
    reg  [7:0]          clear_q;                       // entry / 2; 129: done
    wire                clearing  = clear_q != 8'd129;
    wire                in_table  = entry <= (csb_table ? 10'd256 : 10'd64);
    wire [3:0]          ram       = 4'd1 << {csb_table, entry[0]};
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
        ram_q     <= {csb_table, entry[0]};
        csb_rdata <= rams[16*ram_q +: 16] & {16{read_q}};
    end

//% if fp16
    // ------------------------------------------------------------------ fp32
    // Where the slope below LE begins: START, of an exponential table the first entry. The
    // registers hold while a layer runs.
    wire [31:0]         power = {1'b0, le_offset + 8'd127, 23'd0};
    wire                no_power = le_linear || le_offset == 8'h80 || le_offset == 8'h81;
    wire [31:0]         le_first;
    reg  [7:0]          le_fp_shift_q;

    fp_add #(.E(8), .M(23)) u_first (
        .clk (clk), .load (5'b11111), .a (le_start), .b (power & {32{!no_power}}),
        .sum_q (le_first)
    );

    always @(posedge clk) begin
        le_fp_shift_q <= le_linear ? le_select : le_offset;
    end

//% end
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lut
//% if fp16
            wire [8:0]  ${fp_choice ? "fp_index, int_index" : "index"};
//%   if fp_choice
            wire [3:0]  fp_events, int_events;
            wire [31:0] fp_data, int_data;
            wire [8:0]  index = fp ? fp_index : int_index;
            wire        re    = fp ? fp_load[9] : load[6];

            assign {under[i], over[i], le_hit[i], lo_hit[i]} = fp ? fp_events : int_events;
            assign out_data[32*i +: 32] = fp ? fp_data : int_data;
//%   end

            dla_sdp_lut_rams u_rams (
                .clk        (ram_clk),
                .we         (we),
                .waddr      (clearing ? clear_q : entry[8:1]),
                .wdata      (clearing ? 16'd0 : csb_wdata),
                .csb_re     (lut_read),
                .csb_raddr  (entry[8:1]),
                .re         (${fp_choice ? "re" : "fp_load[9]"}),
                .index      (index),
                .rdata      (rams[64*i +: 64])
            );
            dla_sdp_lut_fp_lane u_fp (
                .clk        (clk),
                .load       (fp_load),
                .le_linear  (le_linear),
                .uflow_lo   (uflow_lo),
                .oflow_lo   (oflow_lo),
                .hybrid_lo  (hybrid_lo),
                .le_shift   (le_fp_shift_q),
                .lo_shift   (lo_select),
                .le_start   (le_start),
                .le_first   (le_first),
                .le_end     (le_end),
                .lo_start   (lo_start),
                .lo_end     (lo_end),
                .le_scale   (le_scale),
                .lo_scale   (lo_scale),
                .index_q    (${fp_choice ? "fp_index" : "index"}),
                .entries    (rams[64*i +: 64]),
                .in_data    (${fp_choice ? "fp_in_data[32*i +: 32]" : "in_data[32*i +: 32]"}),
                .out_data   (${fp_choice ? "fp_data" : "out_data[32*i +: 32]"}),
                .under_q    (${fp_choice ? "fp_events[3]" : "under[i]"}),
                .over_q     (${fp_choice ? "fp_events[2]" : "over[i]"}),
                .le_hit_q   (${fp_choice ? "fp_events[1]" : "le_hit[i]"}),
                .lo_hit_q   (${fp_choice ? "fp_events[0]" : "lo_hit[i]"})
            );
//% end
//% if fp_choice
            dla_sdp_lut_lane u_lane (
                .clk        (clk),
                .load       (load),
                .bypass     (bypass),
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
                .index_q    (int_index),
                .entries    (rams[64*i +: 64]),
                .in_data    (in_data[32*i +: 32]),
                .out_data_q (int_data),
                .under_q    (int_events[3]),
                .over_q     (int_events[2]),
                .le_hit_q   (int_events[1]),
                .lo_hit_q   (int_events[0])
            );
//% elif ints
            dla_sdp_lut_lane u_lane (
                .clk        (clk),
                .ram_clk    (ram_clk),
                .load       (load),
                .bypass     (bypass),
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
                .waddr      (clearing ? clear_q : entry[8:1]),
                .wdata      (clearing ? 16'd0 : csb_wdata),
                .csb_re     (lut_read),
                .csb_raddr  (entry[8:1]),
                .csb_rdata  (rams[64*i +: 64]),
                .in_data    (in_data[32*i +: 32]),
                .out_data_q (out_data[32*i +: 32]),
                .under_q    (under[i]),
                .over_q     (over[i]),
                .le_hit_q   (le_hit[i]),
                .lo_hit_q   (lo_hit[i])
            );
//% end
        end
    endgenerate

    // ------------------------------------------------------------------ counters
    // How many lanes first, then the sum.
    localparam ONES_W = $clog2(LANES + 1);
    wire              count = ${!fp16 ? "load[6]" : fp_choice ? "(fp ? fp_load[9] : load[6])" : "fp_load[9]"} && count_en && !bypass;
    reg  [ONES_W-1:0] uflow_ones_q, oflow_ones_q, hybrid_ones_q, le_ones_q, lo_ones_q;

    always @(posedge clk) begin
        uflow_ones_q  <= ones(under & {LANES{count}});
        oflow_ones_q  <= ones(over & {LANES{count}});
        hybrid_ones_q <= ones(~(under | over) & {LANES{count}});
        le_ones_q     <= ones(le_hit & {LANES{count}});
        lo_ones_q     <= ones(lo_hit & {LANES{count}});
        uflow_q       <= start ? 32'd0 : add(uflow_q, uflow_ones_q);
        oflow_q       <= start ? 32'd0 : add(oflow_q, oflow_ones_q);
        hybrid_q      <= start ? 32'd0 : add(hybrid_q, hybrid_ones_q);
        le_hit_q      <= start ? 32'd0 : add(le_hit_q, le_ones_q);
        lo_hit_q      <= start ? 32'd0 : add(lo_hit_q, lo_ones_q);
    end

    function [ONES_W-1:0] ones;
        input [LANES-1:0] bits;
        integer           lane;
        begin
            ones = {ONES_W{1'b0}};
            for (lane = 0; lane < LANES; lane = lane + 1) begin
                ones = ones + {{(ONES_W-1){1'b0}}, bits[lane]};
            end
        end
    endfunction

    // Stays at all ones.
    function [31:0] add;
        input [31:0]       value;
        input [ONES_W-1:0] more;
        reg   [32:0]       sum;
        begin
            sum = {1'b0, value} + {{(33-ONES_W){1'b0}}, more};
            add = sum[32] ? 32'hffffffff : sum[31:0];
        end
    endfunction

//% if sdp_ew_throughput > 1
    wire unused_rams = &{1'b0, rams[64*LANES-1:64]};

//% end
endmodule

`default_nettype wire
