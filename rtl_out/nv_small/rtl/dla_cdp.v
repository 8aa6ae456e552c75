// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp.v
// with addr_w=32 atom_bits=64 atom_lsb=3 cdp_ahead=4 cdp_beats=8 cdp_clear=256 cdp_prefix=0
// cdp_stages=19 cdp_throughput=1 clock_gating=0 fp16=0 mixed=0 mixed_fp=0 types16=0

// CDP: local response normalisation across channels, and the write to memory.
//
//   v = icvt(in)   sum = squares of v in a window of 3, 5, 7 or 9 channels   y = table(sum)
//   out = ocvt(y * v)
//
// Channels outside the cube count as v = 0; the padding channels of the last atom are written.
// Contract: 1 element(s) per cycle; input to write 33 cycles. The datapath never stops:
// elements go in as long as there is room for the result. Cube sizes come with the elements:
// CDP_RDMA knows them.
// The tables are shared by both register groups and accessible while no layer runs. They are
// cleared in the 256 cycles after reset: no access before that (dla_csb_master waits).
`default_nettype none

module dla_cdp (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2cdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cdp2csb_rdata,                 // 0 unless a read was requested

    // elements, channel after channel
    input  wire         cdp_rdma2cdp_valid,
    output wire         cdp_rdma2cdp_ready,
    input  wire [  7:0] cdp_rdma2cdp_data,
    input  wire [  0:0] cdp_rdma2cdp_mask,             // channels of the cube, not padding
    input  wire         cdp_rdma2cdp_first,            // first beat of a pixel
    input  wire         cdp_rdma2cdp_last,             // last beat of a pixel
    input  wire         cdp_rdma2cdp_line,             // pixel is the last of its line
    input  wire         cdp_rdma2cdp_end,              // pixel is the last of the layer

    // memory writes
    output wire         cdp2mcif_wr_req_valid,
    input  wire         cdp2mcif_wr_req_ready,
    output wire [31:0]  cdp2mcif_wr_req_addr,
    output wire [ 63:0] cdp2mcif_wr_req_data,
    output wire         cdp2mcif_wr_req_last,
    input  wire         mcif2cdp_wr_rsp_complete,      // pulse: the `last` write is done

    output wire [1:0]   cdp2glb_done                   // pulse, bit = register group
);

    localparam LSB    = 3;                   // address bits inside an atom
    localparam ADDR_W = 29;                  // of atoms
    localparam LANES  = 1;
    localparam STAGES = 19;                  // from the sum to the result

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
        .s_lut_le_start_low                    (le_start_low),
        .s_lut_le_start_high                   (le_start_high),
        .s_lut_le_end_low                      (le_end_low),
        .s_lut_le_end_high                     (le_end_high),
        .s_lut_le_slope_scale_lut_le_slope_uflow_scale (le_scale[15:0]),
        .s_lut_le_slope_scale_lut_le_slope_oflow_scale (le_scale[31:16]),
        .s_lut_le_slope_shift_lut_le_slope_uflow_shift (le_shift[4:0]),
        .s_lut_le_slope_shift_lut_le_slope_oflow_shift (le_shift[9:5]),
        .s_lut_lo_start_low                    (lo_start_low),
        .s_lut_lo_start_high                   (lo_start_high),
        .s_lut_lo_end_low                      (lo_end_low),
        .s_lut_lo_end_high                     (lo_end_high),
        .s_lut_lo_slope_scale_lut_lo_slope_uflow_scale (lo_scale[15:0]),
        .s_lut_lo_slope_scale_lut_lo_slope_oflow_scale (lo_scale[31:16]),
        .s_lut_lo_slope_shift_lut_lo_slope_uflow_shift (lo_shift[4:0]),
        .s_lut_lo_slope_shift_lut_lo_slope_oflow_shift (lo_shift[9:5]),
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
    wire        unused_bits = &{1'b0, dst_addr, line_step, surf_step, datin_offset[15:8],
                                datout_offset[31:25], le_select[7:6], lo_select[7:6]};

    // ------------------------------------------------------------------ layer
    reg  running_q;
    reg  ended_q;                             // the last beat of the layer is in
    wire start = op_en && !running_q;
    wire running = (running_q || op_en) && !op_done;   // in the next cycle

    always @(posedge clk or negedge rst_n) begin
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
    wire [16*LANES-1:0] even_data, odd_data;

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

    // Where the slopes outside the tables start; an exponential table starts 2^OFFSET later.
    wire               late     = !le_linear && (le_offset < 8'd39);
    reg  signed [38:0] power_q;
    reg  signed [38:0] le_under_q;
    wire signed [38:0] lo_under = {lo_start_high[5], lo_start_high, lo_start_low};
    wire signed [38:0] le_over  = {le_end_high[5], le_end_high, le_end_low};
    wire signed [38:0] lo_over  = {lo_end_high[5], lo_end_high, lo_end_low};

    always @(posedge clk) begin
        power_q    <= late ? 39'd1 << le_offset[5:0] : 39'd0;
        le_under_q <= $signed({le_start_high[5], le_start_high, le_start_low}) + power_q;
    end

    // ------------------------------------------------------------------ the layer, held
    reg  [1:0]        half_q;
    reg               sqsum_bypass_q, mul_bypass_q;
    reg  [7:0]        in_offset_q;
    reg  [15:0]       in_scale_q, out_scale_q;
    reg  [4:0]        in_shift_q;
    reg  [24:0]       out_offset_q;
    reg  [5:0]        out_shift_q;
    reg  [ADDR_W-1:0] line_step_q, surf_step_q;

    always @(posedge clk) begin
        half_q         <= normalz_len;
        sqsum_bypass_q <= sqsum_bypass;
        mul_bypass_q   <= mul_bypass;
        in_offset_q    <= datin_offset[7:0];
        in_scale_q     <= datin_scale;
        in_shift_q     <= datin_shifter;
        out_offset_q   <= datout_offset[24:0];
        out_scale_q    <= datout_scale;
        out_shift_q    <= datout_shifter;
        line_step_q    <= line_step[LSB +: ADDR_W];
        surf_step_q    <= surf_step[LSB +: ADDR_W];
    end

    // ------------------------------------------------------------------ input
    // A beat goes in if there is room for the atom that it belongs to.
    localparam BEAT_W = 9 + 4;
    wire              room, reserve;
    wire              beat_valid, beat_first, beat_last, beat_line, beat_end;
    wire [8*LANES-1:0] beat_data;
    wire [LANES-1:0]  beat_mask;
    wire              open   = running_q && !ended_q && room;
    wire              take   = open && beat_valid;
    wire              last   = beat_last && beat_end;
    wire              unused_ready;           // `ready_q` knows
    reg  [4:0]        in_valid_q;
    reg  [4*5-1:0]    in_tag_q;            // first, last, line, end
    wire [9*LANES-1:0]  v;
    wire [17*LANES-1:0] square;
    genvar              i;

    skid_buffer #(.W(BEAT_W)) u_skid (
        .clk       (clk),
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

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) ready_q <= 1'b0;
        else        ready_q <= running && (open || !beat_valid);
    end

    assign cdp_rdma2cdp_ready = ready_q;

    reg [2:0] beat_q;                       // of the atom

    assign reserve = take && (&beat_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    beat_q <= 3'd0;
        else if (take) beat_q <= beat_q + 1'b1;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ended_q    <= 1'b0;
            in_valid_q <= 5'd0;
        end else begin
            ended_q    <= !op_done && (ended_q || (take && last));
            in_valid_q <= {in_valid_q[3:0], take};
        end
    end

    always @(posedge clk) begin
        in_tag_q <= {in_tag_q[15:0], beat_first, beat_last, beat_last && beat_line, last};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_in
            dla_cdp_in_lane u_lane (
                .clk          (clk),
                .offset       (in_offset_q),
                .scale        (in_scale_q),
                .shift        (in_shift_q),
                .in_data      (beat_data[8*i +: 8]),
                .in_real      (beat_mask[i]),
                .round_load   (in_valid_q[2:1]),
                .out_v_q      (v[9*i +: 9]),
                .out_square_q (square[17*i +: 17])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ window
    wire                x_valid;
    wire [22*LANES-1:0] x;
    wire [9*LANES-1:0]  x_v;
    wire [2:0]          x_tag;

    dla_cdp_window u_window (
        .clk         (clk),
        .rst_n       (rst_n),
        .half        (half_q),
        .bypass      (sqsum_bypass_q),
        .in_valid    (in_valid_q[4]),
        .in_v        (v),
        .in_square   (square),
        .in_first    (in_tag_q[19]),
        .in_tag      (in_tag_q[18:16]),
        .out_valid_q (x_valid),
        .out_x       (x),
        .out_v_q     (x_v),
        .out_tag_q   (x_tag)
    );

    // ------------------------------------------------------------------ table and output
    localparam LUT = 13;                      // stages of the lookup but one
    wire [5*LANES-1:0]   events;
    wire [8*LANES-1:0]   out_data;
    reg  [STAGES-1:0]    valid_q;
    reg  [3*STAGES-1:0]  tag_q;
    reg  [9*LANES*LUT-1:0] v_q;               // v beside the lookup

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], x_valid};
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[3*STAGES-4:0], x_tag};
        v_q   <= {v_q[9*LANES*(LUT-1)-1:0], x_v};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_out
            wire [15:0] y;

            dla_cdp_lut_lane u_lut (
                .clk       (clk),
                .look      (valid_q[5]),
                .mul_load  (valid_q[9:8]),
                .round_load (valid_q[11:10]),
                .le_linear (le_linear),
                .le_offset (le_offset),
                .le_select (le_select[5:0]),
                .lo_select (lo_select[5:0]),
                .uflow_lo  (uflow_lo),
                .oflow_lo  (oflow_lo),
                .hybrid_lo (hybrid_lo),
                .le_start  (le_start_low[21:0]),
                .lo_start  (lo_start_low[21:0]),
                .le_under  (le_under_q),
                .le_over   (le_over),
                .lo_under  (lo_under),
                .lo_over   (lo_over),
                .le_scale  (le_scale),
                .lo_scale  (lo_scale),
                .le_shift  (le_shift),
                .lo_shift  (lo_shift),
                .even_we   (even_we),
                .odd_we    (odd_we),
                .waddr     (waddr),
                .wdata     (wdata),
                .peek      (peek),
                .peek_addr (peek_addr),
                .even_data (even_data[16*i +: 16]),
                .odd_data  (odd_data[16*i +: 16]),
                .in_x      (x[22*i +: 22]),
                .event_q   (events[5*i +: 5]),
                .out_y_q   (y)
            );

            dla_cdp_out_lane u_out (
                .clk        (clk),
                .mul_bypass (mul_bypass_q),
                .offset     (out_offset_q),
                .scale      (out_scale_q),
                .shift      (out_shift_q),
                .in_v       (v_q[9*(LANES*(LUT-1)+i) +: 9]),
                .in_y       (y),
                .round_load (valid_q[17:16]),
                .out_data   (out_data[8*i +: 8])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ write to memory
    dla_cdp_pack u_pack (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (start),
        .base          (dst_addr[LSB +: ADDR_W]),
        .line_stride   (line_step_q),
        .surf_stride   (surf_step_q),
        .room_q        (room),
        .reserve       (reserve),
        .in_valid      (valid_q[STAGES-1]),
        .in_data       (out_data),
        .in_pixel_last (tag_q[3*STAGES-1]),
        .in_line_last  (tag_q[3*STAGES-2]),
        .in_layer_last (tag_q[3*STAGES-3]),
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
        .clk      (clk),
        .start    (start),
        .in_valid (valid_q[3]),
        .in_event (events),
        .counts   ({lo_hit, le_hit, hybrid, oflow, uflow}),
        .stall    (dma_en && cdp2mcif_wr_req_valid && !cdp2mcif_wr_req_ready),
        .stall_q  (stall)
    );

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(97)) a_cdp2mcif_wr_req (
        .clk(clk), .rst_n(rst_n), .valid(cdp2mcif_wr_req_valid), .ready(cdp2mcif_wr_req_ready),
        .payload({cdp2mcif_wr_req_addr, cdp2mcif_wr_req_data, cdp2mcif_wr_req_last})
    );
`endif

endmodule

`default_nettype wire
