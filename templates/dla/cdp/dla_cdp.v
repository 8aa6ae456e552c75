// CDP: local response normalisation across channels, and the write to memory.
//
//   v = icvt(in)   sum = squares of v in a window of 3, 5, 7 or 9 channels   y = table(sum)
//   out = ocvt(y * v)
//
// Channels outside the cube count as v = 0; the padding channels of the last atom are written.
//% if types16
// Contract: ${cdp_throughput} bytes per cycle; input to write ${cdp_cycles + 5} cycles. The datapath never stops:
//% else
// Contract: ${cdp_throughput} element(s) per cycle; input to write ${cdp_stages + cdp_prefix + cdp_ahead + 10} cycles. The datapath never stops:
//% end
// elements go in as long as there is room for the result. Cube sizes come with the elements:
// CDP_RDMA knows them.
// The tables are shared by both register groups and accessible while no layer runs. They are
// cleared in the ${cdp_clear} cycles after reset: no access before that (dla_csb_master waits).
`default_nettype none

module dla_cdp (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2cdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cdp2csb_rdata,                 // 0 unless a read was requested

    // elements, channel after channel
    input  wire         cdp_rdma2cdp_valid,
    output wire         cdp_rdma2cdp_ready,
    input  wire [${8 * cdp_throughput - 1:3}:0] cdp_rdma2cdp_data,
    input  wire [${cdp_throughput - 1:3}:0] cdp_rdma2cdp_mask,             // channels of the cube, not padding
    input  wire         cdp_rdma2cdp_first,            // first beat of a pixel
    input  wire         cdp_rdma2cdp_last,             // last beat of a pixel
    input  wire         cdp_rdma2cdp_line,             // pixel is the last of its line
    input  wire         cdp_rdma2cdp_end,              // pixel is the last of the layer

    // memory writes
//% for t in ram_types
    output wire         ${t.link}_ram_type,     // 1: primary port
//% end
    output wire         cdp2mcif_wr_req_valid,
    input  wire         cdp2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  cdp2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] cdp2mcif_wr_req_data,
    output wire         cdp2mcif_wr_req_last,
    input  wire         mcif2cdp_wr_rsp_complete,      // pulse: the `last` write is done

    output wire [1:0]   cdp2glb_done                   // pulse, bit = register group
);

    localparam LSB    = ${atom_lsb};                   // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};                  // of atoms
//% if types16
    localparam LANES  = ${cdp_lanes};
//% else
    localparam LANES  = ${cdp_throughput};
    localparam STAGES = ${cdp_stages};                  // from the sum to the result
//% end

    // ------------------------------------------------------------------ registers
    wire [31:0] regs_rdata;
    wire        op_en, op_done, unused_consumer;
    wire        access_lo, access_writes;
    wire        le_linear, uflow_lo, oflow_lo, hybrid_lo;
    wire [7:0]  le_offset, le_select, lo_select;
    wire [31:0] le_start_low, le_end_low, lo_start_low, lo_end_low;
    wire [5:0]  le_start_high, le_end_high, lo_start_high, lo_end_high;
    wire [31:0] le_scale, lo_scale;
    wire [9:0]  le_shift, lo_shift;
    wire        sqsum_bypass, mul_bypass;
    wire [31:0] dst_low, dst_high, dst_line, dst_surf;
    wire [1:0]  normalz_len;
    wire [15:0] datin_offset, datin_scale, datout_scale;
    wire [4:0]  datin_shifter;
    wire [31:0] datout_offset;
    wire [5:0]  datout_shifter;
    wire        dma_en;
    wire [1:0]  element_type;                 // 0 int8, 1 int16, 2 fp16  //% if mixed
    wire [31:0] saturated;  //% if types16
//% if fp16
    wire        nan_to_zero;
    wire [31:0] inf_in, nan_in, nan_out;
//% end
    reg  [9:0]  pointer_q;                    // table entry of the next access
    wire [31:0] stall;
    wire [31:0] uflow, oflow, hybrid, le_hit, lo_hit;

    dla_cdp_regs u_regs (
        .clk                                   (clk),
        .rst_n                                 (rst_n),
        .csb_valid                             (csb2cdp_valid),
        .csb_addr                              (csb_addr),
        .csb_wdata                             (csb_wdata),
        .csb_write                             (csb_write),
        .csb_rdata                             (regs_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                                 (op_en),
        .op_done                               (op_done),
        .consumer                              (unused_consumer),
        .s_lut_access_cfg_lut_addr_rd          (pointer_q),
        .s_lut_access_cfg_lut_table_id         (access_lo),
        .s_lut_access_cfg_lut_access_type      (access_writes),
        .s_lut_cfg_lut_le_function             (le_linear),
        .s_lut_cfg_lut_uflow_priority          (uflow_lo),
        .s_lut_cfg_lut_oflow_priority          (oflow_lo),
        .s_lut_cfg_lut_hybrid_priority         (hybrid_lo),
        .s_lut_info_lut_le_index_offset        (le_offset),
        .s_lut_info_lut_le_index_select        (le_select),
        .s_lut_info_lut_lo_index_select        (lo_select),
//% for t in tables
        .s_lut_${t}_start_low                    (${t}_start_low),
        .s_lut_${t}_start_high                   (${t}_start_high),
        .s_lut_${t}_end_low                      (${t}_end_low),
        .s_lut_${t}_end_high                     (${t}_end_high),
        .s_lut_${t}_slope_scale_lut_${t}_slope_uflow_scale (${t}_scale[15:0]),
        .s_lut_${t}_slope_scale_lut_${t}_slope_oflow_scale (${t}_scale[31:16]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_uflow_shift (${t}_shift[4:0]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_oflow_shift (${t}_shift[9:5]),
//% end
        .d_func_bypass_sqsum_bypass            (sqsum_bypass),
        .d_func_bypass_mul_bypass              (mul_bypass),
        .d_dst_base_addr_low                   (dst_low),
        .d_dst_base_addr_high                  (dst_high),
        .d_dst_line_stride                     (dst_line),
        .d_dst_surface_stride                  (dst_surf),
        .d_lrn_cfg_normalz_len                 (normalz_len),
        .d_datin_offset                        (datin_offset),
        .d_datin_scale                         (datin_scale),
        .d_datin_shifter                       (datin_shifter),
        .d_datout_offset                       (datout_offset),
        .d_datout_scale                        (datout_scale),
        .d_datout_shifter                      (datout_shifter),
        .d_perf_enable_dma_en                  (dma_en),
        .d_data_format_input_data_type         (element_type),  //% if mixed
        .d_out_saturation                      (saturated),  //% if types16
//% if fp16
        .d_nan_flush_to_zero_nan_to_zero       (nan_to_zero),
        .d_inf_input_num                       (inf_in),
        .d_nan_input_num                       (nan_in),
        .d_nan_output_num                      (nan_out),
//% end
        .d_perf_lut_uflow                      (uflow),
        .d_perf_lut_oflow                      (oflow),
        .d_perf_lut_hybrid                     (hybrid),
        .d_perf_lut_le_hit                     (le_hit),
        .d_perf_lut_lo_hit                     (lo_hit),
        .d_perf_write_stall                    (stall)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] dst_addr  = {dst_high, dst_low};
    wire [63:0] line_step = {32'd0, dst_line};
    wire [63:0] surf_step = {32'd0, dst_surf};
//% if types16
    wire        unused_bits = &{1'b0, dst_addr, line_step, surf_step${mixed && !(int8 && types16) ? ", element_type" : ""}};
//% else
    wire        unused_bits = &{1'b0, dst_addr, line_step, surf_step, datin_offset[15:8],
                                datout_offset[31:25], le_select[7:6], lo_select[7:6]};
//% end

//% if clock_gating
    // ------------------------------------------------------------------ clock and layer
    // The clock stops when no layer runs, and runs during reset.
    wire gclk;

    clkgate u_clkgate (
        .clk(clk), .en(op_en || !rst_n), .test_en(clk_ovr_on), .gclk(gclk)
    );

//% else
    // ------------------------------------------------------------------ layer
//% end
    reg  running_q;
    reg  ended_q;                             // the last beat of the layer is in
    wire start = op_en && !running_q;
    wire running = (running_q || op_en) && !op_done;   // in the next cycle

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) running_q <= 1'b0;
        else        running_q <= running;
    end

    // ------------------------------------------------------------------ table access
    // Clears the tables after reset. Then one entry per access, which is held for a cycle as in the
    // register file; an idle unit always reads the entry of the next access, so that a read is
    // answered with it.
    reg  [8:0] clear_q;
    reg        cfg_q, write_q, read_q;        // the pointer, an entry
    reg [15:0] data_q;
    wire       clear    = !clear_q[8];
    wire       data_wr  = write_q && access_writes;
    wire       data_rd  = read_q && !access_writes;
    wire       at_end   = access_lo ? pointer_q[9:8] != 2'd0 : pointer_q[9:6] != 4'd0;
    wire       in_table = !at_end || pointer_q == (access_lo ? 10'd256 : 10'd64);
    wire       advance  = (data_wr || data_rd) && !at_end;
    wire [9:0] pointer_1 = pointer_q + 10'd1;
    wire [9:0] pointer_d = cfg_q ? data_q[9:0] : advance ? pointer_1 : pointer_q;
    wire       peek     = !running_q;
    wire [7:0] peek_addr = access_lo ? pointer_d[8:1] : {2'b11, pointer_d[6:1]};
    wire       store    = data_wr && in_table;
    wire [7:0] slot     = access_lo ? pointer_q[8:1] : {2'b11, pointer_q[6:1]};
    wire [7:0] waddr    = clear ? clear_q[7:0] : slot;
    wire [15:0] wdata   = clear ? 16'd0 : data_q;
    wire       even_we  = clear || (store && !pointer_q[0]);
    wire       odd_we   = clear || (store && pointer_q[0]);
    wire [16*${lanes16}-1:0] even_data, odd_data;  //% if types16
    wire [16*LANES-1:0] even_data, odd_data;  //% if !types16

    // The last entry is read while it is written: its new value passes the RAM.
    reg        new_q;
    reg [15:0] new_data_q;

    reg [15:0] entry_q;                       // 0 unless an entry was read two cycles ago

    assign cdp2csb_rdata = regs_rdata | {16'd0, entry_q};

    always @(posedge clk) begin
        entry_q <= !read_q || !in_table ? 16'd0 : new_q ? new_data_q
                 : pointer_q[0] ? odd_data[15:0] : even_data[15:0];
        data_q  <= csb_wdata[15:0];
        new_q   <= store && at_end;
        if (store) new_data_q <= data_q;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            clear_q   <= 9'd0;
            pointer_q <= 10'd0;
            cfg_q     <= 1'b0;
            write_q   <= 1'b0;
            read_q    <= 1'b0;
        end else begin
            cfg_q     <= csb2cdp_valid && csb_write && csb_addr == 10'd2;
            write_q   <= csb2cdp_valid && csb_write && csb_addr == 10'd3;
            read_q    <= csb2cdp_valid && !csb_write && csb_addr == 10'd3;
            if (clear) clear_q <= clear_q + 9'd1;
            pointer_q <= pointer_d;
        end
    end

//% if !types16
    // Where the slopes outside the tables start; an exponential table starts 2^OFFSET later.
    wire               late     = !le_linear && (le_offset < 8'd39);
    reg  signed [38:0] power_q;
    reg  signed [38:0] le_under_q;
    wire signed [38:0] lo_under = {lo_start_high[5], lo_start_high, lo_start_low};
    wire signed [38:0] le_over  = {le_end_high[5], le_end_high, le_end_low};
    wire signed [38:0] lo_over  = {lo_end_high[5], lo_end_high, lo_end_low};

    always @(posedge ${gclk}) begin
        power_q    <= late ? 39'd1 << le_offset[5:0] : 39'd0;
        le_under_q <= $signed({le_start_high[5], le_start_high, le_start_low}) + power_q;
    end

//% end
    // ------------------------------------------------------------------ the layer, held
    reg  [1:0]        half_q;
    reg               sqsum_bypass_q, mul_bypass_q;
    reg               real_q;                 // floating point  //% if mixed_fp
//% if !types16
    reg  [7:0]        in_offset_q;
    reg  [15:0]       in_scale_q, out_scale_q;
    reg  [4:0]        in_shift_q;
    reg  [24:0]       out_offset_q;
    reg  [5:0]        out_shift_q;
//% end
    reg  [ADDR_W-1:0] line_step_q, surf_step_q;

    always @(posedge ${gclk}) begin
        half_q         <= normalz_len;
        sqsum_bypass_q <= sqsum_bypass;
        real_q         <= element_type[1];  //% if mixed_fp
        mul_bypass_q   <= mul_bypass;
//% if !types16
        in_offset_q    <= datin_offset[7:0];
        in_scale_q     <= datin_scale;
        in_shift_q     <= datin_shifter;
        out_offset_q   <= datout_offset[24:0];
        out_scale_q    <= datout_scale;
        out_shift_q    <= datout_shifter;
//% end
        line_step_q    <= line_step[LSB +: ADDR_W];
        surf_step_q    <= surf_step[LSB +: ADDR_W];
    end

    // ------------------------------------------------------------------ input
    // A beat goes in if there is room for the atom that it belongs to.
    localparam BEAT_W = ${9 * cdp_throughput} + 4;
    wire              room, reserve;
    wire              beat_valid, beat_first, beat_last, beat_line, beat_end;
//% if types16
    wire [${8 * cdp_throughput - 1}:0] beat_data;
    wire [${cdp_throughput - 1}:0]  beat_mask;
//% else
    wire [8*LANES-1:0] beat_data;
    wire [LANES-1:0]  beat_mask;
//% end
    wire              open   = running_q && !ended_q && room;
    wire              take   = open && beat_valid;
    wire              last   = beat_last && beat_end;
    wire              unused_ready;           // `ready_q` knows
//% if !types16
    reg  [4:0]        in_valid_q;
    reg  [4*5-1:0]    in_tag_q;            // first, last, line, end
    wire [9*LANES-1:0]  v;
    wire [17*LANES-1:0] square;
    genvar              i;
//% end

    skid_buffer #(.W(BEAT_W)) u_skid (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .in_valid  (cdp_rdma2cdp_valid && running_q),
        .in_ready  (unused_ready),
        .in_data   ({cdp_rdma2cdp_end, cdp_rdma2cdp_line, cdp_rdma2cdp_last, cdp_rdma2cdp_first,
                     cdp_rdma2cdp_mask, cdp_rdma2cdp_data}),
        .out_valid (beat_valid),
        .out_ready (open),
        .out_data  ({beat_end, beat_line, beat_last, beat_first, beat_mask, beat_data})
    );

    // The skid has room and a layer runs, in one flop, on the way to the source.
    reg ready_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) ready_q <= 1'b0;
        else        ready_q <= running && (open || !beat_valid);
    end

    assign cdp_rdma2cdp_ready = ready_q;

//% if cdp_beats > 1
    reg [${clog2(cdp_beats) - 1}:0] beat_q;                       // of the atom

    assign reserve = take && (&beat_q);

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)    beat_q <= ${clog2(cdp_beats)}'d0;
        else if (take) beat_q <= beat_q + 1'b1;
    end
//% else
    assign reserve = take;
//% end

//% if types16
//%   include "cdp/datapath_types16.vh"
//% else
//%   include "cdp/datapath_int8.vh"
//% end
    // ------------------------------------------------------------------ write to memory
    dla_cdp_pack u_pack (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (start),
        .base          (dst_addr[LSB +: ADDR_W]),
        .line_stride   (line_step_q),
        .surf_stride   (surf_step_q),
        .room_q        (room),
        .reserve       (reserve),
//% if types16
        .in_valid      (r_valid),
        .in_data       (r_data),
        .in_pixel_last (r_tag[2]),
        .in_line_last  (r_tag[1]),
        .in_layer_last (r_tag[0]),
//% else
        .in_valid      (valid_q[STAGES-1]),
        .in_data       (out_data),
        .in_pixel_last (tag_q[3*STAGES-1]),
        .in_line_last  (tag_q[3*STAGES-2]),
        .in_layer_last (tag_q[3*STAGES-3]),
//% end
        .done          (op_done),
        .wr_valid      (cdp2mcif_wr_req_valid),
        .wr_ready      (cdp2mcif_wr_req_ready),
        .wr_addr       (cdp2mcif_wr_req_addr),
        .wr_data       (cdp2mcif_wr_req_data),
        .wr_last       (cdp2mcif_wr_req_last)
    );

    // Every layer ends with a write, and the groups take turns.
    reg       group_turn_q;
    reg [1:0] done_q;

    assign cdp2glb_done = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            group_turn_q <= 1'b0;
            done_q       <= 2'd0;
        end else begin
            group_turn_q <= group_turn_q ^ mcif2cdp_wr_rsp_complete;
            done_q       <= {group_turn_q, !group_turn_q} & {2{mcif2cdp_wr_rsp_complete}};
        end
    end

    // ------------------------------------------------------------------ counters
    dla_cdp_count u_count (
        .clk      (${gclk}),
        .start    (start),
//% if types16
        .in_valid (1'b1),
        .in_event (events),
        .in_sat   (sats),
        .sat_q    (saturated),
//% else
        .in_valid (valid_q[3]),
        .in_event (events),
//% end
        .counts   ({lo_hit, le_hit, hybrid, oflow, uflow}),
        .stall    (dma_en && cdp2mcif_wr_req_valid && !cdp2mcif_wr_req_ready),
        .stall_q  (stall)
    );
//% if fp16

    dla_cdp_nans u_nans (
        .clk     (${gclk}),
        .start   (start),
        .taken   (take${mixed_fp ? " && real_q" : ""}),
        .mask    (beat_mask),
        .data    (beat_data),
        .made    (f_valid),
        .results (f_data),
        .nan_in  (nan_in),
        .inf_in  (inf_in),
        .nan_out (nan_out)
    );
//% end

endmodule

`default_nettype wire
