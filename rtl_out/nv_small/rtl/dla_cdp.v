// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp.v
// with addr_w=32 atom_bits=64 atom_lsb=3 cdp_ahead=4 cdp_clear=256 cdp_stages=13 cdp_throughput=1
// clock_gating=0

// CDP: local response normalisation across channels, and the write to memory.
//
//   v = icvt(in)   sum = squares of v in a window of 3, 5, 7 or 9 channels   y = table(sum)
//   out = ocvt(y * v)
//
// Channels outside the cube count as v = 0; the padding channels of the last atom are written.
// Contract: 1 element(s) per cycle; input to write 23 cycles. The write port stalls
// all stages. Cube sizes come with the elements: CDP_RDMA knows them.
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
    localparam STAGES = 13;                  // from the sum to the result

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
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
    wire [15:0] entry;
    reg  [31:0] stall_q;
    reg  [31:0] uflow_q;
    reg  [31:0] oflow_q;
    reg  [31:0] hybrid_q;
    reg  [31:0] le_hit_q;
    reg  [31:0] lo_hit_q;

    dla_cdp_regs u_regs (
        .clk                                   (clk),
        .rst_n                                 (rst_n),
        .csb_valid                             (csb2cdp_valid),
        .csb_addr                              (csb_addr),
        .csb_wdata                             (csb_wdata),
        .csb_write                             (csb_write),
        .csb_rdata                             (cdp2csb_rdata),
        .op_en                                 (op_en),
        .op_done                               (op_done),
        .consumer                              (consumer),
        .s_lut_access_cfg_lut_addr_rd          (pointer_q),
        .s_lut_access_cfg_lut_table_id         (access_lo),
        .s_lut_access_cfg_lut_access_type      (access_writes),
        .s_lut_access_data_lut_data_rd         (entry),
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
        .d_perf_lut_uflow                     (uflow_q),
        .d_perf_lut_oflow                     (oflow_q),
        .d_perf_lut_hybrid                     (hybrid_q),
        .d_perf_lut_le_hit                     (le_hit_q),
        .d_perf_lut_lo_hit                     (lo_hit_q),
        .d_perf_write_stall                    (stall_q)
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
    wire blocked;
    wire start = op_en && !running_q;
    wire move  = running_q && !blocked;
    wire take  = cdp_rdma2cdp_valid && cdp_rdma2cdp_ready;
    wire last  = cdp_rdma2cdp_last && cdp_rdma2cdp_end;

    assign cdp_rdma2cdp_ready = move && !ended_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            ended_q   <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !op_done;
            ended_q   <= !op_done && (ended_q || (take && last));
        end
    end

    // ------------------------------------------------------------------ table access
    // Clears the tables after reset. Then one entry per access; an idle unit always reads the entry
    // of the next access, so that a read is answered at once.
    reg  [8:0] clear_q;
    wire       clear    = !clear_q[8];
    wire       cfg_wr   = csb2cdp_valid && csb_write && (csb_addr == 10'd2);
    wire       data_wr  = csb2cdp_valid && csb_write && (csb_addr == 10'd3) && access_writes;
    wire       data_rd  = csb2cdp_valid && !csb_write && (csb_addr == 10'd3) && !access_writes;
    wire [9:0] end_entry = access_lo ? 10'd256 : 10'd64;
    wire       in_table   = pointer_q <= end_entry;
    wire       at_end   = pointer_q >= end_entry;
    wire       advance  = (data_wr || data_rd) && !at_end;
    wire [9:0] pointer_d = cfg_wr ? csb_wdata[9:0] : pointer_q + {9'd0, advance};
    wire       peek_lo  = cfg_wr ? csb_wdata[16] : access_lo;
    wire       peek     = !running_q;
    wire [7:0] peek_addr = peek_lo ? pointer_d[8:1] : {2'b11, pointer_d[6:1]};
    wire       store    = data_wr && in_table;
    wire [7:0] slot     = access_lo ? pointer_q[8:1] : {2'b11, pointer_q[6:1]};
    wire [7:0] waddr    = clear ? clear_q[7:0] : slot;
    wire [15:0] wdata   = clear ? 16'd0 : csb_wdata[15:0];
    wire       even_we  = clear || (store && !pointer_q[0]);
    wire       odd_we   = clear || (store && pointer_q[0]);
    wire [16*LANES-1:0] even_data, odd_data;

    // The last entry is read while it is written: its new value passes the RAM.
    reg        new_q;
    reg [15:0] new_data_q;

    assign entry = !in_table ? 16'd0 : new_q ? new_data_q
                 : pointer_q[0] ? odd_data[15:0] : even_data[15:0];

    always @(posedge clk) begin
        new_q <= store && at_end;
        if (store) new_data_q <= csb_wdata[15:0];
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            clear_q   <= 9'd0;
            pointer_q <= 10'd0;
        end else begin
            if (clear) clear_q <= clear_q + 9'd1;
            pointer_q <= pointer_d;
        end
    end

    // Where the slopes outside the tables start; an exponential table starts 2^OFFSET later.
    wire               late     = !le_linear && (le_offset < 8'd39);
    wire signed [38:0] power    = late ? 39'd1 << le_offset[5:0] : 39'd0;
    wire signed [38:0] le_under = $signed({le_start_high[5], le_start_high, le_start_low}) + power;
    wire signed [38:0] lo_under = {lo_start_high[5], lo_start_high, lo_start_low};
    wire signed [38:0] le_over  = {le_end_high[5], le_end_high, le_end_low};
    wire signed [38:0] lo_over  = {lo_end_high[5], lo_end_high, lo_end_low};

    // ------------------------------------------------------------------ input
    reg  [3:0]           in_valid_q;
    reg  [4*4-1:0]       in_tag_q;            // first, last, line, end
    wire [9*LANES-1:0]   v;
    wire [17*LANES-1:0]  square;
    genvar               i;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    in_valid_q <= 4'd0;
        else if (move) in_valid_q <= {in_valid_q[2:0], take};
    end

    always @(posedge clk) begin
        if (move) begin
            in_tag_q <= {in_tag_q[11:0], cdp_rdma2cdp_first, cdp_rdma2cdp_last,
                         cdp_rdma2cdp_last && cdp_rdma2cdp_line, last};
        end
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_in
            dla_cdp_in_lane u_lane (
                .clk          (clk),
                .move         (move),
                .running      (running_q),
                .offset       (datin_offset[7:0]),
                .scale        (datin_scale),
                .shift        (datin_shifter),
                .in_data      (cdp_rdma2cdp_data[8*i +: 8]),
                .in_real      (cdp_rdma2cdp_mask[i]),
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
        .move        (move),
        .half        (normalz_len),
        .bypass      (sqsum_bypass),
        .in_valid    (in_valid_q[3]),
        .in_v        (v),
        .in_square   (square),
        .in_first    (in_tag_q[15]),
        .in_tag      (in_tag_q[14:12]),
        .out_valid_q (x_valid),
        .out_x_q     (x),
        .out_v_q     (x_v),
        .out_tag_q   (x_tag)
    );

    // ------------------------------------------------------------------ table and output
    localparam LUT = 9;                       // stages of the lookup
    wire [5*LANES-1:0]   events;
    wire [8*LANES-1:0]   out_data;
    reg  [STAGES-1:0]    valid_q;
    reg  [3*STAGES-1:0]  tag_q;
    reg  [9*LANES*LUT-1:0] v_q;               // v beside the lookup

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    valid_q <= {STAGES{1'b0}};
        else if (move) valid_q <= {valid_q[STAGES-2:0], x_valid};
    end

    always @(posedge clk) begin
        if (move) begin
            tag_q <= {tag_q[3*STAGES-4:0], x_tag};
            v_q   <= {v_q[9*LANES*(LUT-1)-1:0], x_v};
        end
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_out
            wire [15:0] y;

            dla_cdp_lut_lane u_lut (
                .clk       (clk),
                .move      (move),
                .running   (running_q),
                .le_linear (le_linear),
                .le_offset (le_offset),
                .le_select (le_select[5:0]),
                .lo_select (lo_select[5:0]),
                .uflow_lo  (uflow_lo),
                .oflow_lo  (oflow_lo),
                .hybrid_lo (hybrid_lo),
                .le_start  (le_start_low[21:0]),
                .lo_start  (lo_start_low[21:0]),
                .le_under  (le_under),
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
                .move       (move),
                .running    (running_q),
                .mul_bypass (mul_bypass),
                .offset     (datout_offset[24:0]),
                .scale      (datout_scale),
                .shift      (datout_shifter),
                .in_y       (y),
                .in_v       (v_q[9*(LANES*(LUT-1)+i) +: 9]),
                .out_data_q (out_data[8*i +: 8])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ write to memory
    wire irq_room;

    dla_cdp_pack u_pack (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (start),
        .base          (dst_addr[LSB +: ADDR_W]),
        .line_stride   (line_step[LSB +: ADDR_W]),
        .surf_stride   (surf_step[LSB +: ADDR_W]),
        .last_blocked  (!irq_room),
        .in_valid      (move && valid_q[STAGES-1]),
        .in_data       (out_data),
        .in_pixel_last (tag_q[3*STAGES-1]),
        .in_line_last  (tag_q[3*STAGES-2]),
        .in_layer_last (tag_q[3*STAGES-3]),
        .blocked       (blocked),
        .done          (op_done),
        .wr_valid      (cdp2mcif_wr_req_valid),
        .wr_ready      (cdp2mcif_wr_req_ready),
        .wr_addr       (cdp2mcif_wr_req_addr),
        .wr_data       (cdp2mcif_wr_req_data),
        .wr_last       (cdp2mcif_wr_req_last)
    );

    // Groups of the layers whose last write is not yet answered.
    wire ack_valid, ack_group;
    wire ack = ack_valid && mcif2cdp_wr_rsp_complete;

    fifo_sync #(.W(1), .DEPTH(4)) u_acks (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (op_done),
        .in_ready  (irq_room),
        .in_data   (consumer),
        .out_valid (ack_valid),
        .out_ready (mcif2cdp_wr_rsp_complete),
        .out_data  (ack_group)
    );

    assign cdp2glb_done = {ack && ack_group, ack && !ack_group};

    // ------------------------------------------------------------------ counters
    // Every element counts in one of the table counters. They stick at all ones.
    wire    count = move && valid_q[2];
    integer lane;
    reg  [3:0]  uflow_sum;
    reg  [3:0]  oflow_sum;
    reg  [3:0]  hybrid_sum;
    reg  [3:0]  le_hit_sum;
    reg  [3:0]  lo_hit_sum;

    always @* begin
        uflow_sum = 4'd0;
        oflow_sum = 4'd0;
        hybrid_sum = 4'd0;
        le_hit_sum = 4'd0;
        lo_hit_sum = 4'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            uflow_sum = uflow_sum + {3'd0, events[5*lane + 0]};
            oflow_sum = oflow_sum + {3'd0, events[5*lane + 1]};
            hybrid_sum = hybrid_sum + {3'd0, events[5*lane + 2]};
            le_hit_sum = le_hit_sum + {3'd0, events[5*lane + 3]};
            lo_hit_sum = lo_hit_sum + {3'd0, events[5*lane + 4]};
        end
    end

    function [31:0] plus;
        input [31:0] total;
        input [3:0]  step;
        reg   [32:0] next;
    begin
        next = {1'b0, total} + {29'd0, step};
        plus = next[32] ? 32'hffffffff : next[31:0];
    end
    endfunction

    always @(posedge clk) begin
        if (start) begin
            uflow_q <= 32'd0;
            oflow_q <= 32'd0;
            hybrid_q <= 32'd0;
            le_hit_q <= 32'd0;
            lo_hit_q <= 32'd0;
            stall_q <= 32'd0;
        end else begin
            if (count) begin
                uflow_q <= plus(uflow_q, uflow_sum);
                oflow_q <= plus(oflow_q, oflow_sum);
                hybrid_q <= plus(hybrid_q, hybrid_sum);
                le_hit_q <= plus(le_hit_q, le_hit_sum);
                lo_hit_q <= plus(lo_hit_q, lo_hit_sum);
            end
            if (dma_en && cdp2mcif_wr_req_valid && !cdp2mcif_wr_req_ready) begin
                stall_q <= stall_q + 32'd1;
            end
        end
    end

endmodule

`default_nettype wire
