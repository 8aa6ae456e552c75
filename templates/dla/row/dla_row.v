// ROW: softmax, layer norm and RMS norm over all channels of a pixel, which are a row.
//
//   memory --> read --> max --> queue --> sum --> queue --> scale --> memory
//               |        |                 |                  ^
//               |        +---- maximum ----+ sums --> solve --+
//               +--------------- operand records -------------+
//
// Three passes over a row, each at work on another one: a layer takes the time of one pass.
// Contract: ${row_lanes} element(s) per cycle, as long as rows are longer than the products of `solve`.
// A layer ends (op_done) when MCIF has taken its last write, then the next one begins. The
// interrupt follows the answer to that write by one cycle. Only room and the memory stall it.
// Reset: idle; the first layer waits until a table is filled, 256 cycles.
`default_nettype none

module dla_row (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2row_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  row2csb_rdata,                 // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire         ${t.link}_ram_type,          // 1: primary port
//% end
    output wire         row2mcif_rd_req_valid,
    input  wire         row2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  row2mcif_rd_req_addr,
    output wire [14:0]  row2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2row_rd_rsp_valid,         // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2row_rd_rsp_data,

    // memory writes
    output wire         row2mcif_wr_req_valid,
    input  wire         row2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  row2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] row2mcif_wr_req_data,
    output wire         row2mcif_wr_req_last,          // of a layer
    input  wire         mcif2row_wr_rsp_complete,      // pulse

    output wire [1:0]   row2glb_done                   // pulse, bit = register group
);

    localparam BITS   = ${atom_bits};
    localparam LSB    = ${atom_lsb};                             // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};                            // of atoms
    localparam LANES  = ${row_lanes};
    localparam QUEUE  = ${row_queue_depth};                          // beats

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire [1:0]  mode;                                  // 0 softmax, 1 layer norm, RMS norm
    wire        keep;
    wire [12:0] width, height, channel;                // less 1
    wire [31:0] src_low, src_high, src_line, src_surf;
    wire [31:0] operand_low, operand_high;
    wire [31:0] dst_low, dst_high, dst_line, dst_surf;
    wire [7:0]  in_offset, out_offset;
    wire [5:0]  shift;
    wire [31:0] epsilon;
    wire        perf_en;
    reg  [31:0] rd_stall_q, wr_stall_q;

    dla_row_regs u_regs (
        .clk                   (clk),
        .rst_n                 (rst_n),
        .csb_valid             (csb2row_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        .csb_rdata             (row2csb_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                 (op_en),
        .op_done               (op_done),
        .consumer              (consumer),
        .d_misc_cfg_row_mode   (mode),
        .d_misc_cfg_operand_keep (keep),
        .d_data_cube_width     (width),
        .d_data_cube_height    (height),
        .d_data_cube_channel   (channel),
        .d_src_base_addr_low   (src_low),
        .d_src_base_addr_high  (src_high),
        .d_src_line_stride     (src_line),
        .d_src_surface_stride  (src_surf),
        .d_operand_addr_low    (operand_low),
        .d_operand_addr_high   (operand_high),
        .d_dst_base_addr_low   (dst_low),
        .d_dst_base_addr_high  (dst_high),
        .d_dst_line_stride     (dst_line),
        .d_dst_surface_stride  (dst_surf),
        .d_datin_offset        (in_offset),
        .d_datout_offset       (out_offset),
        .d_datout_shifter      (shift),
        .d_epsilon             (epsilon),
        .d_perf_enable_dma_en  (perf_en),
        .d_perf_read_stall     (rd_stall_q),
        .d_perf_write_stall    (wr_stall_q)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] src_addr      = {src_high, src_low};
    wire [63:0] operand_addr  = {operand_high, operand_low};
    wire [63:0] dst_addr      = {dst_high, dst_low};
    wire [63:0] src_line_step = {32'd0, src_line};
    wire [63:0] src_surf_step = {32'd0, src_surf};
    wire [63:0] dst_line_step = {32'd0, dst_line};
    wire [63:0] dst_surf_step = {32'd0, dst_surf};
    wire        unused_bits   = &{1'b0, src_addr, operand_addr, dst_addr, src_line_step,
                                  src_surf_step, dst_line_step, dst_surf_step};

    wire softmax = mode == 2'd0;
    wire centre  = mode == 2'd1;

    // ------------------------------------------------------------------ layers
    reg  ready_q, running_q;
    wire room;                                         // for one more answer to wait for
    wire filled;                                       // the table of squares
    wire start = op_en && ready_q && !running_q && room && filled;

//% if clock_gating
    // Stops when no layer runs, runs during reset and until the table is filled.
    wire gclk;

    clkgate u_clkgate (
        .clk(clk), .en(op_en || running_q || !filled || !rst_n), .test_en(clk_ovr_on), .gclk(gclk)
    );

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            ready_q   <= 1'b0;
            running_q <= 1'b0;
        end else begin
            ready_q   <= op_en && !op_done;
            running_q <= start || (running_q && !op_done);
        end
    end

    // ------------------------------------------------------------------ reads
    wire              record_valid;
    wire [12:0]       record_index;
    wire [63:0]       record;
    wire [23:0]       factor = record[23:0];
    wire [23:0]       term   = record[55:32];
    wire              unused_record = &{1'b0, record};
    wire [ADDR_W-1:0] rd_addr;
    wire              beat_valid, beat_ready, beat_last;
    wire [8*LANES-1:0] beat;
    wire [LANES-1:0]  beat_mask;

    assign row2mcif_rd_req_addr = {rd_addr, {LSB{1'b0}}};
    assign row2mcif_rd_req_size = 15'd0;

    dla_row_read #(.ADDR_W(ADDR_W), .DEPTH(${row_fifo_depth})) u_read (
        .clk          (${gclk}),
        .rst_n        (rst_n),
        .start        (start),
        .softmax      (softmax),
        .keep         (keep),
        .width        (width),
        .height       (height),
        .channel      (channel),
        .src_addr     (src_addr[LSB +: ADDR_W]),
        .src_line     (src_line_step[LSB +: ADDR_W]),
        .src_surf     (src_surf_step[LSB +: ADDR_W]),
        .operand_addr (operand_addr[LSB +: ADDR_W]),
        .rd_valid     (row2mcif_rd_req_valid),
        .rd_ready     (row2mcif_rd_req_ready),
        .rd_addr      (rd_addr),
        .rsp_valid    (mcif2row_rd_rsp_valid),
        .rsp_data     (mcif2row_rd_rsp_data),
        .record_valid (record_valid),
        .record_index (record_index),
        .record       (record),
        .out_valid    (beat_valid),
        .out_ready    (beat_ready),
        .out_data     (beat),
        .out_mask     (beat_mask),
        .out_last     (beat_last)
    );

    // ------------------------------------------------------------------ passes
    wire              first_valid, first_ready, second_valid, second_ready;
    wire [10*LANES:0] first, second;                   // last, mask, elements
    wire              sums_valid, sums_ready, scale_valid, scale_ready;
    wire [10*LANES:0] sums, scale;
    wire              max_valid, max_taken, sum_valid, sum_taken, solved_valid, solved_taken;
    wire [7:0]        max;
    wire [20:0]       sum;
    wire [31:0]       total;
    wire [33:0]       solved_scale;
    wire [41:0]       solved_start;
    wire [5:0]        solved_shift;
    wire              atom_valid, atom_ready;
    wire [BITS-1:0]   atom;

    dla_row_max u_max (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .offset    (in_offset),
        .in_valid  (beat_valid),
        .in_ready  (beat_ready),
        .in_data   (beat),
        .in_mask   (beat_mask),
        .in_last   (beat_last),
        .out_valid (first_valid),
        .out_ready (first_ready),
        .out_data  (first),
        .max_valid (max_valid),
        .max_taken (max_taken),
        .max       (max)
    );

    dla_row_queue #(.W(10 * LANES + 1), .DEPTH(QUEUE)) u_first (
        .clk(${gclk}), .rst_n(rst_n),
        .in_valid(first_valid), .in_ready(first_ready), .in_data(first),
        .out_valid(sums_valid), .out_ready(sums_ready), .out_data(sums)
    );

    dla_row_sum u_sum (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .softmax   (softmax),
        .centre    (centre),
        .ready     (filled),
        .exp_write (record_valid && softmax),
        .exp_index (record_index[7:0]),
        .exp_data  ({factor[16:0], term[13:11]}),
        .in_valid  (sums_valid),
        .in_ready  (sums_ready),
        .in_data   (sums),
        .max_valid (max_valid),
        .max_taken (max_taken),
        .max       (max),
        .out_valid (second_valid),
        .out_ready (second_ready),
        .out_data  (second),
        .sum_valid (sum_valid),
        .sum_taken (sum_taken),
        .sum       (sum),
        .total     (total)
    );

    dla_row_queue #(.W(10 * LANES + 1), .DEPTH(QUEUE)) u_second (
        .clk(${gclk}), .rst_n(rst_n),
        .in_valid(second_valid), .in_ready(second_ready), .in_data(second),
        .out_valid(scale_valid), .out_ready(scale_ready), .out_data(scale)
    );

    dla_row_solve u_solve (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .softmax   (softmax),
        .count     (channel + 13'd1),
        .epsilon   (epsilon),
        .shift     (shift),
        .sum_valid (sum_valid),
        .sum_taken (sum_taken),
        .sum       (sum),
        .total     (total),
        .out_valid (solved_valid),
        .out_taken (solved_taken),
        .out_scale (solved_scale),
        .out_start (solved_start),
        .out_shift (solved_shift)
    );

    dla_row_scale u_scale (
        .clk          (${gclk}),
        .rst_n        (rst_n),
        .softmax      (softmax),
        .offset       (out_offset),
        .record_valid (record_valid),
        .record_index (record_index),
        .record       ({term, factor}),
        .in_valid     (scale_valid),
        .in_ready     (scale_ready),
        .in_data      (scale),
        .solved_valid (solved_valid),
        .solved_taken (solved_taken),
        .solved_scale (solved_scale),
        .solved_start (solved_start),
        .solved_shift (solved_shift),
        .out_valid    (atom_valid),
        .out_ready    (atom_ready),
        .out_data     (atom)
    );

    // ------------------------------------------------------------------ writes
    reg               wr_valid_q, wr_last_q;
    reg  [ADDR_W-1:0] wr_addr_q;
    reg  [BITS-1:0]   wr_data_q;
    wire [ADDR_W-1:0] wr_addr;
    wire              wr_last;
    wire              move = atom_valid && atom_ready;

    assign atom_ready            = !wr_valid_q || row2mcif_wr_req_ready;
    assign op_done               = wr_valid_q && row2mcif_wr_req_ready && wr_last_q;
    assign row2mcif_wr_req_valid = wr_valid_q;
    assign row2mcif_wr_req_addr  = {wr_addr_q, {LSB{1'b0}}};
    assign row2mcif_wr_req_data  = wr_data_q;
    assign row2mcif_wr_req_last  = wr_last_q;

    dla_row_walk #(.ADDR_W(ADDR_W), .SURF_W(13 - LSB)) u_write (
        .clk       (${gclk}),
        .start     (start),
        .step      (move),
        .base      (dst_addr[LSB +: ADDR_W]),
        .line_step (dst_line_step[LSB +: ADDR_W]),
        .surf_step (dst_surf_step[LSB +: ADDR_W]),
        .width     (width),
        .height    (height),
        .surfaces  (channel[12:LSB]),
        .addr      (wr_addr),
        .last      (wr_last)
    );

    always @(posedge ${gclk}) begin
        if (move) begin
            wr_addr_q <= wr_addr;
            wr_data_q <= atom;
            wr_last_q <= wr_last;
        end
        if (start) rd_stall_q <= 32'd0;
        else if (perf_en && row2mcif_rd_req_valid && !row2mcif_rd_req_ready)
            rd_stall_q <= rd_stall_q + 32'd1;
        if (start) wr_stall_q <= 32'd0;
        else if (perf_en && wr_valid_q && !row2mcif_wr_req_ready)
            wr_stall_q <= wr_stall_q + 32'd1;
    end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) wr_valid_q <= 1'b0;
        else        wr_valid_q <= move || (wr_valid_q && !row2mcif_wr_req_ready);
    end

    dla_sdp_irq u_irq (
        .clk      (clk),
        .rst_n    (rst_n),
        .ended    (op_done),
        .written  (1'b1),
        .group    (consumer),
        .room     (room),
        .complete (mcif2row_wr_rsp_complete),
        .done_q   (row2glb_done)
    );

endmodule

`default_nettype wire
