// PDP: maximum, minimum or average over windows of each channel, written to memory.
//
//   SDP or PDP_RDMA -> A line windows -> B pad -> C line buffer -> E pad -> F..I scaling -> memory
//   walk -> turns ------^
//
// Throughput: ${pdp_throughput} bytes per cycle whatever kernel and stride; lines with more  //% if types16
// Throughput: ${pdp_throughput} element(s) per cycle whatever kernel and stride; lines with more  //% if !types16
// windows than columns take a turn for each window. Rows over the bottom edge come with the first
// lines of the next surface; others, and those of the last surface, take turns of their own.
// Latency: op_en to first input 2 cycles, to its use 6; last input of a window to the write of its
// atom 13 cycles. The datapath never stops: elements go in as long as there is room for the result.
// The line buffer holds the open rows of a strip: 128 atoms for windows without vertical overlap,
// 64 / 32 / 16 for overlap by 2 / 3 or 4 / more rows.
// A layer ends (op_done) when its input is taken and the memory interface has its last atom; the
// interrupt follows the answer to that write.
`default_nettype none

module dla_pdp (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2pdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  pdp2csb_rdata,                 // 0 unless a read was requested

    // elements in the order strip -> surface -> line -> column -> channel
    input  wire         sdp2pdp_valid,
    output wire         sdp2pdp_ready,
    input  wire [${lane_bits * sdp_lanes - 1:3}:0] sdp2pdp_data,
    input  wire         pdp_rdma2pdp_valid,
    output wire         pdp_rdma2pdp_ready,
    input  wire [${8 * pdp_throughput - 1:3}:0] pdp_rdma2pdp_data,

    // memory writes
//% for t in ram_types
    output wire         ${t.link}_ram_type,     // 1: primary port
//% end
    output wire         pdp2mcif_wr_req_valid,
    input  wire         pdp2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  pdp2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] pdp2mcif_wr_req_data,
    output wire         pdp2mcif_wr_req_last,          // last atom of the layer
    input  wire         mcif2pdp_wr_rsp_complete,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]   pdp2glb_done
);

    localparam BEAT   = ${8 * pdp_throughput};
    localparam LSB    = ${atom_lsb};               // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};              // of atoms

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] in_width, in_height, channel, cube_out_width, cube_out_height;     // less 1
    wire [1:0]  method;
    wire [1:0]  element_type;                          // 0 int8, 1 int16, 2 fp16  //% if types16 && mixed
    wire        offline;
    wire [7:0]  split_num;                             // strips, less 1
    wire [9:0]  in_first, in_mid, in_last, out_first, out_mid, out_last;           // less 1
    wire [3:0]  kernel_w, kernel_h;                    // less 1, below 8
    wire [3:0]  stride_w, stride_h;                    // less 1
    wire [16:0] recip_w, recip_h;
    wire [2:0]  pad_left, pad_top;
    wire [18:0] pad_1, pad_2, pad_3, pad_4, pad_5, pad_6, pad_7;
    wire [31:0] dst_low, dst_high, dst_line, dst_surf;
    wire        perf_dma_en;
    wire [31:0] stall;
//% if fp16
    wire        nan_to_zero;
    wire [31:0] inf_in, nan_in, nan_out;
//% end

    dla_pdp_regs u_regs (
        .clk                                            (clk),
        .rst_n                                          (rst_n),
        .csb_valid                                      (csb2pdp_valid),
        .csb_addr                                       (csb_addr),
        .csb_wdata                                      (csb_wdata),
        .csb_write                                      (csb_write),
        .csb_rdata                                      (pdp2csb_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                                          (op_en),
        .op_done                                        (op_done),
        .consumer                                       (unused_consumer),
        .d_data_cube_in_width                           (in_width),
        .d_data_cube_in_height                          (in_height),
        .d_data_cube_in_channel                         (channel),
        .d_data_cube_out_width                          (cube_out_width),
        .d_data_cube_out_height                         (cube_out_height),
        .d_operation_mode_cfg_pooling_method            (method),
        .d_operation_mode_cfg_flying_mode               (offline),
        .d_data_format_input_data                       (element_type),  //% if types16 && mixed
        .d_operation_mode_cfg_split_num                 (split_num),
        .d_partial_width_in_first                       (in_first),
        .d_partial_width_in_last                        (in_last),
        .d_partial_width_in_mid                         (in_mid),
        .d_partial_width_out_first                      (out_first),
        .d_partial_width_out_last                       (out_last),
        .d_partial_width_out_mid                        (out_mid),
        .d_pooling_kernel_cfg_kernel_width              (kernel_w),
        .d_pooling_kernel_cfg_kernel_height             (kernel_h),
        .d_pooling_kernel_cfg_kernel_stride_width       (stride_w),
        .d_pooling_kernel_cfg_kernel_stride_height      (stride_h),
        .d_recip_kernel_width                           (recip_w),
        .d_recip_kernel_height                          (recip_h),
        .d_pooling_padding_cfg_pad_left                 (pad_left),
        .d_pooling_padding_cfg_pad_top                  (pad_top),
//% for n in pads
        .d_pooling_padding_value_${n}_cfg_pad_value_${n}x     (pad_${n}),
//% end
        .d_dst_base_addr_low                            (dst_low),
        .d_dst_base_addr_high                           (dst_high),
        .d_dst_line_stride                              (dst_line),
        .d_dst_surface_stride                           (dst_surf),
        .d_perf_enable_dma_en                           (perf_dma_en),
//% if fp16
        .d_nan_flush_to_zero_nan_to_zero                (nan_to_zero),
        .d_inf_input_num                                (inf_in),
        .d_nan_input_num                                (nan_in),
        .d_nan_output_num                               (nan_out),
//% end
        .d_perf_write_stall                             (stall)
    );

    // The layer as the datapath uses it; the walk decodes what it needs itself.
    wire [63:0]       dst_addr  = {dst_high, dst_low};
    wire [63:0]       line_step = {32'd0, dst_line};
    wire [63:0]       surf_step = {32'd0, dst_surf};
    reg               offline_q, average_q, least_q;
    reg               compare_q;                       // not average: adders have their own  //% if !types16
    reg               narrow_q;                        // elements of 8 bits  //% if types16 && int8
    reg               real_q;                          // floating point  //% if mixed_fp
    reg               flush_q;                         // a NaN from memory counts as 0  //% if fp16
    reg  [16:0]       recip_w_q, recip_h_q;
    reg  [ADDR_W-1:0] line_step_q, surf_step_q;

//% if clock_gating
    // ------------------------------------------------------------------ clock of the datapath
    // Stops between layers, runs during reset. Registers and interrupts stay on clk.
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
    always @(posedge ${gclk}) begin
        offline_q   <= offline;
        average_q   <= method == 2'd0;
        compare_q   <= method != 2'd0;  //% if !types16
        least_q     <= method == 2'd2;
        narrow_q    <= element_type == 2'd0;  //% if types16 && int8
        real_q      <= element_type[1];  //% if mixed_fp
        flush_q     <= ${mixed_fp ? "element_type[1] && " : ""}nan_to_zero && offline;  //% if fp16
//% if fp16 && !integers
        recip_w_q   <= recip_w;
        recip_h_q   <= recip_h;
//% else
        recip_w_q   <= method == 2'd0 ? recip_w : 17'h10000;
        recip_h_q   <= method == 2'd0 ? recip_h : 17'h10000;
//% end
        line_step_q <= line_step[LSB +: ADDR_W];
        surf_step_q <= surf_step[LSB +: ADDR_W];
    end

    // ------------------------------------------------------------------ layer
    reg        running_q;
    reg  [2:0] wake_q;                                 // while the fields are decoded
    reg        run_q;                                  // turns are to come
    reg        sent_q;                                 // the last atom is written
    wire       start = wake_q[2];
    wire       layer_end;                              // the last turn
    wire       last_sent;

    wire running = (running_q || op_en) && !op_done;   // in the next cycle

    assign op_done = running_q && !run_q && sent_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            wake_q    <= 3'd0;
            run_q     <= 1'b0;
            sent_q    <= 1'b0;
        end else begin
            running_q <= running;
            wake_q    <= {wake_q[1:0], op_en && !running_q};
            run_q     <= start || (run_q && !layer_end);
            sent_q    <= (sent_q || last_sent) && !op_done;
        end
    end

//% include "pdp/input.vh"

    // ------------------------------------------------------------------ turns
//% if types16 && int8
    wire [${surf_w - 1}:0]  surfaces = element_type == 2'd0 ? {1'b0, channel[12:LSB]} : channel[12:LSB-1];
//% end
    wire       over_1, over_2, over_4;
    wire       w_valid, w_ready, w_end, w_take, w_window, w_late;
    wire       w_top, w_starts, w_ends, w_late_row, w_flush;
    wire [2:0] w_before, w_miss_w, w_miss_h, w_slot, w_row, w_tops;
    wire [6:0] w_ow;
    wire [3:0] w_last;
    wire       t_valid, t_pop, t_end, t_take, t_window, t_start, t_late, t_result;
    wire [2:0] t_before, t_sel, t_miss_w, t_miss_h, t_bank;
    wire [3:0] t_col, t_last;
    wire [7:0] t_write, t_first;

    dla_pdp_walk u_walk (
        .clk             (${gclk}),
        .rst_n           (rst_n),
        .start           (start),
        .offline         (offline),
        .in_width        (in_width),
        .in_height       (in_height),
        .cube_out_width  (cube_out_width),
        .cube_out_height (cube_out_height),
        .surfaces        (${types16 == 0 ? "channel[12:LSB]" : int8 ? "surfaces" : "channel[12:LSB-1]"}),
        .split_num       (split_num),
        .in_first        (in_first),
        .in_mid          (in_mid),
        .in_last         (in_last),
        .out_first       (out_first),
        .out_mid         (out_mid),
        .out_last        (out_last),
        .kernel_w        (kernel_w),
        .kernel_h        (kernel_h),
        .stride_w        (stride_w),
        .stride_h        (stride_h),
        .pad_left        (pad_left),
        .pad_top         (pad_top),
        .over_1_q        (over_1),
        .over_2_q        (over_2),
        .over_4_q        (over_4),
        .turn_valid      (w_valid),
        .turn_ready      (w_ready),
        .turn_end         (w_end),
        .turn_take        (w_take),
        .turn_window      (w_window),
        .turn_late        (w_late),
        .turn_before      (w_before),
        .turn_ow          (w_ow),
        .turn_miss_w      (w_miss_w),
        .turn_miss_h      (w_miss_h),
        .turn_slot        (w_slot),
        .turn_row         (w_row),
        .turn_tops        (w_tops),
        .turn_top         (w_top),
        .turn_starts      (w_starts),
        .turn_ends        (w_ends),
        .turn_late_row    (w_late_row),
        .turn_flush       (w_flush),
        .turn_last        (w_last)
    );

    dla_pdp_turn u_turn (
        .clk          (${gclk}),
        .rst_n        (rst_n),
        .kernel_w     (kernel_w[2:0]),
        .over_1       (over_1),
        .over_2       (over_2),
        .over_4       (over_4),
        .in_valid     (w_valid),
        .in_ready     (w_ready),
        .in_end       (w_end),
        .in_take      (w_take),
        .in_window    (w_window),
        .in_late      (w_late),
        .in_before    (w_before),
        .in_ow        (w_ow),
        .in_miss_w    (w_miss_w),
        .in_miss_h    (w_miss_h),
        .in_slot      (w_slot),
        .in_row       (w_row),
        .in_tops      (w_tops),
        .in_top       (w_top),
        .in_starts    (w_starts),
        .in_ends      (w_ends),
        .in_late_row  (w_late_row),
        .in_flush     (w_flush),
        .in_last      (w_last),
        .out_valid_q  (t_valid),
        .pop          (t_pop),
        .out_end_q    (t_end),
        .out_take_q   (t_take),
        .out_window_q (t_window),
        .out_before_q (t_before),
        .out_sel_q    (t_sel),
        .out_miss_w_q (t_miss_w),
        .out_miss_h_q (t_miss_h),
        .out_col_q    (t_col),
        .out_write_q  (t_write),
        .out_first_q  (t_first),
        .out_bank_q   (t_bank),
        .out_start_q  (t_start),
        .out_late_q   (t_late),
        .out_result_q (t_result),
        .out_last_q   (t_last)
    );

    // ------------------------------------------------------------------ datapath
    wire            room, reserve;
    wire            r_valid, r_group_last;
    wire [BEAT-1:0] r_data;
    wire [3:0]      r_last;

    assign layer_end = t_pop && t_end;

    dla_pdp_data u_data (
        .clk            (${gclk}),
        .rst_n          (rst_n),
        .en             (running_q),
        .split          (narrow_q),  //% if types16 && int8
        .real_type      (real_q),  //% if mixed_fp
        .average        (average_q),
        .compare        (compare_q),  //% if !types16
        .least          (least_q),
        .recip_w        (recip_w_q),
        .recip_h        (recip_h_q),
        .width          (kernel_w[2:0]),
//% for n in pads
        .pad_${n}          (pad_${n}${types16 ? "" : "[13:0]"}),
//% end
        .t_valid        (t_valid),
        .t_pop          (t_pop),
        .t_take         (t_take),
        .t_window       (t_window),
        .t_before       (t_before),
        .t_sel          (t_sel),
        .t_miss_w       (t_miss_w),
        .t_miss_h       (t_miss_h),
        .t_col          (t_col),
        .t_write        (t_write),
        .t_first        (t_first),
        .t_bank         (t_bank),
        .t_start        (t_start),
        .t_late         (t_late),
        .t_result       (t_result),
        .t_last         (t_last),
        .in_valid       (in_valid),
        .in_take        (take),
        .in_data        (in_data),
        .room           (room),
        .reserve        (reserve),
        .out_valid      (r_valid),
        .out_data       (r_data),
        .out_group_last (r_group_last),
        .out_last       (r_last)
    );

    dla_pdp_write u_write (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (start),
        .dst           (dst_addr[LSB +: ADDR_W]),
        .line_step     (line_step_q),
        .surf_step     (surf_step_q),
        .count_stalls  (perf_dma_en),
        .stall_q       (stall),
        .sent          (last_sent),
        .room_q        (room),
        .reserve       (reserve),
        .in_valid      (r_valid),
        .in_data       (r_data),
        .in_group_last (r_group_last),
        .in_last       (r_last),
        .wr_valid      (pdp2mcif_wr_req_valid),
        .wr_ready      (pdp2mcif_wr_req_ready),
        .wr_addr       (pdp2mcif_wr_req_addr),
        .wr_data       (pdp2mcif_wr_req_data),
        .wr_last       (pdp2mcif_wr_req_last)
    );

//% if fp16
    // ------------------------------------------------------------------ counters
    dla_pdp_count u_count (
        .clk     (${gclk}),
        .start   (start),
        .taken   (take${mixed_fp ? " && real_q" : ""}),
        .nans    (raw_nan),
        .infs    (raw_inf),
        .made    (r_valid${mixed_fp ? " && real_q" : ""}),
        .results (r_data),
        .inf_in  (inf_in),
        .nan_in  (nan_in),
        .nan_out (nan_out)
    );

//% end
    // ------------------------------------------------------------------ interrupts
    // Every layer ends with a write, and the groups take turns.
    reg       group_turn_q;
    reg [1:0] done_q;

    assign pdp2glb_done = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            group_turn_q <= 1'b0;
            done_q       <= 2'd0;
        end else begin
            group_turn_q <= group_turn_q ^ mcif2pdp_wr_rsp_complete;
            done_q       <= {group_turn_q, !group_turn_q} & {2{mcif2pdp_wr_rsp_complete}};
        end
    end

    // Fields are wider than this configuration needs.
//% if types16
    wire unused_bits = &{1'b0, dst_addr, line_step, surf_step, channel${mixed && !(int8 && types16) ? ", element_type" : ""}};
//% else
    wire unused_bits = &{1'b0, dst_addr, line_step, surf_step, channel,
                         pad_1, pad_2, pad_3, pad_4, pad_5, pad_6, pad_7};
//% end

endmodule

`default_nettype wire
