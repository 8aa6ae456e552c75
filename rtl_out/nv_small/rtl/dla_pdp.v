// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp.v
// with addr_w=32 atom_bits=64 atom_lsb=3 clock_gating=0 group_msb=2 groups=8 pdp_throughput=1
// sdp_lanes=1

// PDP: maximum, minimum or average over windows of each channel, written to memory.
//
//   SDP or PDP_RDMA -> A line windows -> B pad -> C line buffer -> D pad -> E..H scaling -> memory
//
// Throughput: 1 element(s) per cycle whatever kernel and stride; lines with more
// windows than columns take a turn for each window. Rows over the bottom edge come with the first
// lines of the next surface; others, and those of the last surface, take turns of their own.
// Latency: op_en to first input 1 cycle, last input of a window to the write of its atom 8 cycles.
// The line buffer holds the open rows of a strip: 128 atoms for windows without vertical overlap,
// 64 / 32 / 16 for overlap by 2 / 3 or 4 / more rows.
// A layer ends (op_done) when its input is taken and the memory interface has its last atom; the
// interrupt follows with the answer to that write. All stages stop while an atom waits for memory.
`default_nettype none

module dla_pdp (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2pdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  pdp2csb_rdata,                 // 0 unless a read was requested

    // elements in the order strip -> surface -> line -> column -> channel
    input  wire         sdp2pdp_valid,
    output wire         sdp2pdp_ready,
    input  wire [  7:0] sdp2pdp_data,
    input  wire         pdp_rdma2pdp_valid,
    output wire         pdp_rdma2pdp_ready,
    input  wire [  7:0] pdp_rdma2pdp_data,

    // memory writes
    output wire         pdp2mcif_wr_req_valid,
    input  wire         pdp2mcif_wr_req_ready,
    output wire [31:0]  pdp2mcif_wr_req_addr,
    output wire [ 63:0] pdp2mcif_wr_req_data,
    output wire         pdp2mcif_wr_req_last,          // last atom of the layer
    input  wire         mcif2pdp_wr_rsp_complete,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]   pdp2glb_done
);

    localparam LANES   = 1;
    localparam BEAT    = 8;
    localparam BITS    = 64;
    localparam LSB     = 3;               // address bits inside an atom
    localparam ADDR_W  = 29;              // of atoms
    localparam SURF_W  = 10;
    localparam GROUPS  = 8;               // beats of an atom
    localparam GROUP_W = 3;
    localparam ROW_W   = 7;               // address bits of a bank

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] in_width, in_height, channel, cube_out_width, cube_out_height;     // less 1
    wire [1:0]  method;
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
    reg  [31:0] stall_q;

    dla_pdp_regs u_regs (
        .clk                                            (clk),
        .rst_n                                          (rst_n),
        .csb_valid                                      (csb2pdp_valid),
        .csb_addr                                       (csb_addr),
        .csb_wdata                                      (csb_wdata),
        .csb_write                                      (csb_write),
        .csb_rdata                                      (pdp2csb_rdata),
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
        .d_pooling_padding_value_1_cfg_pad_value_1x     (pad_1),
        .d_pooling_padding_value_2_cfg_pad_value_2x     (pad_2),
        .d_pooling_padding_value_3_cfg_pad_value_3x     (pad_3),
        .d_pooling_padding_value_4_cfg_pad_value_4x     (pad_4),
        .d_pooling_padding_value_5_cfg_pad_value_5x     (pad_5),
        .d_pooling_padding_value_6_cfg_pad_value_6x     (pad_6),
        .d_pooling_padding_value_7_cfg_pad_value_7x     (pad_7),
        .d_dst_base_addr_low                            (dst_low),
        .d_dst_base_addr_high                           (dst_high),
        .d_dst_line_stride                              (dst_line),
        .d_dst_surface_stride                           (dst_surf),
        .d_perf_enable_dma_en                           (perf_dma_en),
        .d_perf_write_stall                             (stall_q)
    );

    wire        average   = method == 2'd0;
    wire        least     = method == 2'd2;
    wire        split     = offline && (split_num != 8'd0);
    wire [7:0]  strips    = split ? split_num : 8'd0;  // less 1
    wire [4:0]  step_w    = {1'b0, stride_w} + 5'd1;
    wire [4:0]  step_h    = {1'b0, stride_h} + 5'd1;
    wire [63:0] dst_addr  = {dst_high, dst_low};
    wire [63:0] line_step = {32'd0, dst_line};
    wire [63:0] surf_step = {32'd0, dst_surf};

    // ------------------------------------------------------------------ input
    wire            move;                              // all stages move
    wire            taking;                            // stage A wants an element group
    wire            fly_valid;
    wire [BEAT-1:0] fly_data;
    wire            in_valid = offline ? pdp_rdma2pdp_valid : fly_valid;
    wire [BEAT-1:0] in_data  = offline ? pdp_rdma2pdp_data : fly_data;

    assign pdp_rdma2pdp_ready = taking && offline;

    assign fly_valid     = sdp2pdp_valid;
    assign fly_data      = sdp2pdp_data;
    assign sdp2pdp_ready = taking && !offline;

    // ------------------------------------------------------------------ layer
    reg  running_q;
    reg  run_q;                                        // stage A has work
    reg  sent_q;                                       // the last atom is written
    wire start = op_en && !running_q;
    wire layer_end;                                    // stage A is through
    wire last_accepted;

    assign op_done = running_q && !run_q && sent_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            run_q     <= 1'b0;
            sent_q    <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !op_done;
            run_q     <= start || (run_q && !layer_end);
            sent_q    <= (sent_q || last_accepted) && !op_done;
        end
    end

    // ------------------------------------------------------------------ A: position
    // Two positions. The front is where elements are taken: a column of a line. The back is the
    // next window of a row of results. The back falls behind when windows reach over the right edge
    // (late: it works on the line before the one of the front) or rows over the bottom edge:
    //
    //   late windows   take a turn each, in which the front takes the next columns as long as these
    //                  complete no window; the partial windows of the old line are still there.
    //   late rows      come out of the line buffer, one with each of the first lines of the next
    //                  surface, as long as these complete no row and need no slot of a late row.
    //                  Others, and those of the last surface of a strip, take turns (flush).
    reg  [GROUP_W-1:0] group_q;
    reg  [12:0]        col_q;                          // front
    reg  [4:0]         col_need_q;                     // columns to the end of its window
    reg                cols_open_q;                    // windows of its line are to come
    reg  [6:0]         deep_q;                         // [j]: more than j columns before it
    reg  [12:0]        ow_q;                           // back: window of its row
    reg                late_q;                         // its columns are all taken
    reg  [2:0]         miss_left_q, miss_right_q;      // columns outside; right: if late
    reg  [12:0]        line_q;                         // of the back
    reg  [4:0]         row_need_q;                     // lines to the end of the row
    reg                rows_open_q;                    // rows of the surface are to come
    reg  [12:0]        oh_q;                           // row that ends next
    reg                late_row_q;                     // all its lines have been
    reg                flush_q;                        // turns for it, without a line
    reg  [2:0]         miss_top_q, miss_bottom_q;      // lines outside; bottom: if late
    reg  [SURF_W-1:0]  surf_q;
    reg  [7:0]         strip_q;
    reg  [2:0]         row_slot_q;                     // of row oh_q
    reg  [2:0]         base_q;                         // slot of the first row of the surface
    reg  [2:0]         slot_q;                         // of the row that started last
    reg  [3:0]         age_q;                          // lines since then
    reg                starts_q;                       // a row starts with this line

    wire        first_strip = strip_q == 8'd0;
    wire        last_strip  = strip_q == strips;
    wire [12:0] overlap     = {9'd0, kernel_w} - {9'd0, stride_w};
    wire [12:0] width       = !split      ? in_width
                            : first_strip ? {3'd0, in_first}
                            : {3'd0, last_strip ? in_last : in_mid} + overlap;
    wire [12:0] out_width   = !split      ? cube_out_width
                            : {3'd0, first_strip ? out_first : last_strip ? out_last : out_mid};

    wire line_last  = line_q == in_height;
    wire surf_last  = surf_q == channel[12:LSB];
    wire col_last   = col_q == width;
    wire col_fits   = col_need_q == 5'd1;              // a window ends here
    wire behind     = late_q || flush_q;
    wire waits      = behind && (col_fits || col_last || (line_last && surf_last)); // the front
    wire own_window = !behind && cols_open_q && (col_fits || col_last);
    wire window     = behind || own_window;            // the beat completes a window
    wire collides;                                     // too close to the beat before
    wire free       = run_q && move && !(window && collides);
    wire step       = free && (waits || in_valid);
    wire group_end  = &group_q;
    wire next       = step && group_end;

    assign taking = free && !waits;

    // Columns and windows.
    wire ow_last   = ow_q == out_width;
    wire cols_done = !cols_open_q || (own_window && ow_last);
    wire wraps     = next && !waits && col_last;       // the front, to the next line
    wire line_end  = next && (behind ? ow_last : col_last && cols_done);

    // Lines and rows.
    wire row_fits  = row_need_q == 5'd1;
    wire row_ends  = rows_open_q && (late_row_q || row_fits || line_last);
    wire row_end   = line_end && row_ends;
    wire oh_last   = oh_q == cube_out_height;
    wire rows_done = !rows_open_q || (row_ends && oh_last);
    wire flush;                                        // after the last line
    wire surf_end  = line_end && line_last && !flush;
    wire strip_end = surf_end && surf_last;

    assign layer_end = strip_end && last_strip;

    wire       new_front   = start || wraps || strip_end;
    wire       padded_left = start || (first_strip && !strip_end);
    wire [2:0] left        = padded_left ? pad_left : 3'd0;
    wire [4:0] col_need_0  = {1'b0, kernel_w} - {2'd0, left} + 5'd1;
    wire [4:0] lines_free  = {1'b0, kernel_h} - {2'd0, pad_top};    // before the end of a row
    wire [4:0] row_need_0  = lines_free + 5'd1;
    wire [4:0] step_top    = {2'd0, miss_top_q} - step_h;
    wire [4:0] step_left   = {2'd0, miss_left_q} - step_w;
    wire [2:0] miss_right  = late_q ? miss_right_q : col_need_q[2:0] - 3'd1;
    wire [2:0] miss_bottom = late_row_q ? miss_bottom_q : row_need_q[2:0] - 3'd1;
    wire       row_new     = age_q == stride_h;        // with the next line

    // How many rows are open at a time: 1, 2, 4 or 8 slots of the line buffer.
    wire [6:0] height_1 = {3'd0, kernel_h} + 7'd1;
    wire       over_1   = height_1 > {2'd0, step_h};
    wire       over_2   = height_1 > {1'b0, step_h, 1'b0};
    wire       over_4   = height_1 > {step_h, 2'b0};
    wire [3:0] slots    = over_4 ? 4'd8 : over_2 ? 4'd4 : over_1 ? 4'd2 : 4'd1;

    // With the first line all rows start that begin in the padding: the last of them, and how many
    // lines ago (stride <= padding <= 7 for more than one).
    reg [2:0] top_rows;
    reg [3:0] top_age;

    always @* begin
        case (stride_h)
            4'd0:    begin top_rows = pad_top; top_age = 4'd0; end
            4'd1:    begin top_rows = {1'b0, pad_top[2:1]}; top_age = {3'd0, pad_top[0]}; end
            4'd2:
                if (pad_top >= 3'd6) begin
                    top_rows = 3'd2;
                    top_age  = {1'b0, pad_top} - 4'd6;
                end else begin
                    top_rows = {2'd0, pad_top >= 3'd3};
                    top_age  = {1'b0, pad_top} - (pad_top >= 3'd3 ? 4'd3 : 4'd0);
                end
            4'd3:    begin top_rows = {2'd0, pad_top[2]}; top_age = {2'd0, pad_top[1:0]}; end
            default: begin
                top_rows = {2'd0, {1'b0, pad_top} > stride_h};
                top_age  = {1'b0, pad_top} - ({1'b0, pad_top} > stride_h ? step_h[3:0] : 4'd0);
            end
        endcase
    end

    // Rows behind this one: more than the first lines of a surface can take along? Each of these
    // lines takes one and may start one; with the first one top_rows + 1 start.
    wire [2:0] rest  = cube_out_height[2:0] - oh_q[2:0];
    wire       much  = ({2'd0, rest} > lines_free) || ({10'd0, rest} > in_height)
                     || ({1'b0, rest} + {1'b0, top_rows} > slots);
    wire [2:0] base  = start ? 3'd0 : base_q + cube_out_height[2:0] + 3'd1;

    assign flush = !rows_done && (surf_last || much);

    always @(posedge clk) begin
        if (start)     group_q <= {GROUP_W{1'b0}};
        else if (step) group_q <= group_q + {{(GROUP_W-1){1'b0}}, 1'b1};

        // ---- front
        if (new_front) begin
            col_q       <= 13'd0;
            col_need_q  <= col_need_0;
            cols_open_q <= 1'b1;
            deep_q      <= 7'd0;
        end else if (next && !waits) begin
            col_q       <= col_q + 13'd1;
            col_need_q  <= own_window ? step_w : col_need_q - 5'd1;
            cols_open_q <= !cols_done;
            deep_q      <= {deep_q[5:0], 1'b1};
        end

        // ---- back, along the row
        if (start || line_end) begin
            late_q      <= 1'b0;
            ow_q        <= 13'd0;
            miss_left_q <= left;
        end else begin
            if (wraps) late_q <= 1'b1;
            if (next && window) begin
                ow_q        <= ow_q + 13'd1;
                miss_left_q <= step_left[4] ? 3'd0 : step_left[2:0];
            end
        end
        if (next && window) miss_right_q <= miss_right + step_w[2:0];

        // ---- back, along the column
        if (start || surf_end) begin
            line_q      <= 13'd0;
            row_need_q  <= row_need_0;
            rows_open_q <= 1'b1;
            base_q      <= base;
            slot_q      <= base + top_rows;
            age_q       <= top_age;
            starts_q    <= 1'b1;
        end else if (line_end && !line_last) begin
            line_q      <= line_q + 13'd1;
            row_need_q  <= row_ends && !late_row_q ? step_h : row_need_q - 5'd1;
            rows_open_q <= late_row_q || !rows_done;
            slot_q      <= slot_q + {2'd0, row_new};
            age_q       <= row_new ? 4'd0 : age_q + 4'd1;
            starts_q    <= row_new;
        end

        if (start) begin
            late_row_q <= 1'b0;
            flush_q    <= 1'b0;
        end else if (line_end) begin
            late_row_q <= (late_row_q || line_last) && !rows_done;
            flush_q    <= line_last && flush;
        end

        if (start || (row_end && oh_last)) begin
            oh_q       <= 13'd0;
            miss_top_q <= pad_top;
        end else if (row_end) begin
            oh_q       <= oh_q + 13'd1;
            miss_top_q <= step_top[4] ? 3'd0 : step_top[2:0];
        end
        if (start)        row_slot_q    <= 3'd0;
        else if (row_end) row_slot_q    <= row_slot_q + 3'd1;
        if (row_end)      miss_bottom_q <= miss_bottom + step_h[2:0];

        if (start || strip_end)        surf_q <= {SURF_W{1'b0}};
        else if (surf_end)             surf_q <= surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
        if (start)                     strip_q <= 8'd0;
        else if (strip_end)            strip_q <= strip_q + 8'd1;
    end

    // A late window has moved up by the columns taken since, and this turn moves it, too.
    wire [2:0] a_miss_w = miss_left_q + miss_right;
    wire [2:0] a_miss_h = miss_top_q + miss_bottom;
    wire [2:0] a_sel    = kernel_w[2:0] - a_miss_w + (late_q ? col_q[2:0] + 3'd1 : 3'd0);
    wire       a_valid  = step && window;

    // ------------------------------------------------------------------ B, C: along the column
    // Line buffer: 8 banks. A slot is 1, 2, 4 or 8 of them, the bank of an atom are its slot and
    // the upper bits of its column.
    localparam TAG_W = 5;              // group, column, row, surface, strip: the last one
    reg               b_valid_q, c_valid_q, d_valid_q, e_valid_q, f_valid_q, g_valid_q, h_valid_q;
    reg [6:0]         b_ow_q;
    reg [GROUP_W-1:0] b_group_q;
    reg [2:0]         b_miss_w_q, b_miss_h_q, b_slot_q, b_row_q, b_tops_q;
    reg               b_top_q, b_starts_q, b_ends_q, b_late_q, b_flush_q;
    reg [TAG_W-1:0]   b_tag_q, c_tag_q, d_tag_q, e_tag_q, f_tag_q, g_tag_q, h_tag_q;

    assign collides = 1'b0;

    always @(posedge clk) begin
        if (move && a_valid) begin
            b_ow_q     <= ow_q[6:0];
            b_group_q  <= group_q;
            b_miss_w_q <= a_miss_w;
            b_miss_h_q <= a_miss_h;
            b_slot_q   <= slot_q;
            b_row_q    <= row_slot_q;
            b_top_q    <= line_q == 13'd0;
            b_tops_q   <= line_q == 13'd0 ? top_rows : 3'd0;
            b_starts_q <= starts_q;
            b_ends_q   <= row_ends;
            b_late_q   <= late_row_q;
            b_flush_q  <= flush_q;
            b_tag_q    <= {last_strip, surf_last && (flush_q || !late_row_q), oh_last, ow_last,
                           group_end};
        end
    end

    // Bits of bank numbers that mean the slot; the others are those of the column.
    wire [2:0] slot_bits = {over_1, over_2, over_4};
    wire [2:0] b_slot    = over_4 ? b_slot_q : over_2 ? {b_slot_q[1:0], 1'b0} : {b_slot_q[0], 2'd0};
    wire [2:0] b_row     = over_4 ? b_row_q  : over_2 ? {b_row_q[1:0], 1'b0}  : {b_row_q[0], 2'd0};
    wire [2:0] b_part    = over_4 ? 3'd0 : over_2 ? {2'd0, b_ow_q[4]}
                         : over_1 ? {1'b0, b_ow_q[5:4]} : b_ow_q[6:4];
    wire [2:0] b_tops = over_4 ? b_tops_q : over_2 ? {b_tops_q[1:0], 1'b0} : {b_tops_q[0], 2'd0};
    wire [2:0] b_bank = (b_row & slot_bits) | b_part;  // of the result
    reg  [7:0] b_hit, b_first;                         // banks: of this column, of starting rows
    reg  [7:0] live_q;                                 // banks: rows of this surface
    wire [7:0] b_live = b_first | (live_q & {8{!b_top_q}});
    integer    n;

    always @* begin
        for (n = 0; n < 8; n = n + 1) begin
            b_hit[n]   = ((n[2:0] ^ b_part) & ~slot_bits) == 3'd0;
            b_first[n] = b_starts_q && (((b_slot - (n[2:0] & slot_bits)) & slot_bits) <= b_tops);
        end
    end

    function [13:0] pad_of;            // what missing columns add, low bits
        input [2:0] missing;
        case (missing)
            3'd0:    pad_of = 14'd0;
            3'd1:    pad_of = pad_1[13:0];
            3'd2:    pad_of = pad_2[13:0];
            3'd3:    pad_of = pad_3[13:0];
            3'd4:    pad_of = pad_4[13:0];
            3'd5:    pad_of = pad_5[13:0];
            3'd6:    pad_of = pad_6[13:0];
            3'd7:    pad_of = pad_7[13:0];
        endcase
    endfunction

    wire [ROW_W-1:0]      b_addr = {b_ow_q[3:0], b_group_q};
    reg  [ROW_W-1:0]      c_addr_q;
    reg  [7:0]            c_write_q, c_first_q;
    reg  [2:0]            c_bank_q;
    reg                   c_ends_q, c_start_q, c_late_q;
    reg  signed [13:0]    c_pad_q;                     // for missing rows, once per column
    reg  [13:0]           d_pad_q;
    wire [13:0]           b_pad = pad_of(b_miss_w_q) & {14{average}};
    wire signed [4:0]     kernel_s = {1'b0, kernel_w} + 5'd1;

    always @(posedge clk) begin
        if (move) begin
            c_addr_q  <= b_addr;
            c_write_q <= b_hit & b_live & {8{b_valid_q && !b_flush_q}};
            c_first_q <= b_first;
            c_bank_q  <= b_bank;
            c_ends_q  <= b_ends_q;
            c_start_q <= b_first[b_bank] && !b_late_q;
            c_late_q  <= b_late_q;
            c_pad_q   <= average ? pad_of(b_miss_h_q) : 14'd0;
            d_pad_q   <= c_pad_q * kernel_s;
            c_tag_q   <= b_tag_q;
            d_tag_q   <= c_tag_q;
            e_tag_q   <= d_tag_q;
            f_tag_q   <= e_tag_q;
            g_tag_q   <= f_tag_q;
            h_tag_q   <= g_tag_q;
        end
        if (move && b_valid_q && !b_flush_q) live_q <= b_live;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            {b_valid_q, c_valid_q, d_valid_q, e_valid_q, f_valid_q, g_valid_q, h_valid_q} <= 7'd0;
        end else if (move) begin
            b_valid_q <= a_valid;
            c_valid_q <= b_valid_q;
            d_valid_q <= c_valid_q && c_ends_q;
            e_valid_q <= d_valid_q;
            f_valid_q <= e_valid_q;
            g_valid_q <= f_valid_q;
            h_valid_q <= g_valid_q;
        end
    end

    // Word of a bank: 14 bits of each lane.
    wire [112*LANES-1:0] old_rows, new_rows;
    genvar bank, lane;

    generate
        for (bank = 0; bank < 8; bank = bank + 1) begin : gen_bank
            sram_1r1w #(.W(14*LANES), .DEPTH(16*GROUPS)) u_rows (
                .clk   (clk),
                .we    (c_write_q[bank] && move),
                .waddr (c_addr_q),
                .wdata (new_rows[14*LANES*bank +: 14*LANES]),
                .re    (b_valid_q && move),
                .raddr (b_addr),
                .rdata (old_rows[14*LANES*bank +: 14*LANES])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ lanes
    wire [BEAT-1:0] h_data;

    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : gen_lane
            wire [111:0] lane_old, lane_new;

            for (bank = 0; bank < 8; bank = bank + 1) begin : gen_word
                assign lane_old[14*bank +: 14] = old_rows[14*(LANES*bank + lane) +: 14];
                assign new_rows[14*(LANES*bank + lane) +: 14] = lane_new[14*bank +: 14];
            end

            dla_pdp_lane u_lane (
                .clk     (clk),
                .en      (running_q),
                .move    (move),
                .average (average),
                .least   (least),
                .recip_w (average ? recip_w : 17'h10000),
                .recip_h (average ? recip_h : 17'h10000),
                .a_take  (step && !waits),
                .a_group (group_q),
                .a_x     (in_data[8*lane +: 8]),
                .a_deep  (deep_q),
                .a_sel   (a_sel),
                .b_pad   (b_pad[10:0]),
                .c_first (c_first_q),
                .c_start (c_start_q),
                .c_late  (c_late_q),
                .c_bank  (c_bank_q),
                .c_old   (lane_old),
                .c_new   (lane_new),
                .d_pad   (d_pad_q),
                .out     (h_data[8*lane +: 8])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ atoms to memory
    reg              full_q;
    reg [BITS-1:0]   data_q;
    reg              col_last_q, row_last_q, surf_last_q, strip_last_q;
    reg              top_q;                            // first row of the strip
    reg [ADDR_W-1:0] addr_q;                           // this atom
    reg [ADDR_W-1:0] line_addr_q, surf_addr_q;         // first atom of line, surface
    reg [ADDR_W-1:0] strip_addr_q;                     // first atom of the next strip

    wire accept     = full_q && pdp2mcif_wr_req_ready;
    wire surf_done  = col_last_q && row_last_q;
    wire strip_done = surf_done && surf_last_q;

    assign move                  = !full_q || pdp2mcif_wr_req_ready;
    assign last_accepted         = accept && strip_done && strip_last_q;
    assign pdp2mcif_wr_req_valid = full_q;
    assign pdp2mcif_wr_req_addr  = {addr_q, {LSB{1'b0}}};
    assign pdp2mcif_wr_req_data  = data_q;
    assign pdp2mcif_wr_req_last  = strip_done && strip_last_q;

    // ---- address of the next atom: one adder for all kinds of step
    wire [ADDR_W-1:0] one     = {{(ADDR_W-1){1'b0}}, 1'b1};
    wire [ADDR_W-1:0] from    = surf_done  ? surf_addr_q : col_last_q ? line_addr_q : addr_q;
    wire [ADDR_W-1:0] by      = surf_done  ? surf_step[LSB +: ADDR_W]
                              : col_last_q ? line_step[LSB +: ADDR_W] : one;
    // The strip after this one begins behind the first row of this one, which may be the last, too.
    wire [ADDR_W-1:0] strip_next = top_q && col_last_q ? addr_q + one : strip_addr_q;
    wire [ADDR_W-1:0] next_addr = start      ? dst_addr[LSB +: ADDR_W]
                                : strip_done ? strip_next : from + by;

    always @(posedge clk) begin
        if (start || accept)                  addr_q       <= next_addr;
        if (start || (accept && col_last_q))  line_addr_q  <= next_addr;
        if (start || (accept && surf_done))   surf_addr_q  <= next_addr;
        if (accept && col_last_q)             strip_addr_q <= strip_next;
        if (start || (accept && strip_done))  top_q        <= 1'b1;
        else if (accept && col_last_q)        top_q        <= 1'b0;
        if (h_valid_q && move) begin
            data_q       <= {h_data, data_q[BITS-1:BEAT]};
            {strip_last_q, surf_last_q, row_last_q, col_last_q} <= h_tag_q[4:1];
        end
        if (start) stall_q <= 32'd0;
        else if (perf_dma_en && full_q && !pdp2mcif_wr_req_ready) stall_q <= stall_q + 32'd1;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    full_q <= 1'b0;
        else if (move) full_q <= h_valid_q && h_tag_q[0];
    end

    // ------------------------------------------------------------------ interrupts
    // Every layer ends with a write, and the groups take turns.
    reg group_turn_q;

    assign pdp2glb_done = {group_turn_q, !group_turn_q} & {2{mcif2pdp_wr_rsp_complete}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) group_turn_q <= 1'b0;
        else        group_turn_q <= group_turn_q ^ mcif2pdp_wr_rsp_complete;
    end

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, dst_addr, line_step, surf_step, channel, step_top[3], step_left[3],
                         b_pad[13:11],
                                                 pad_1, pad_2, pad_3, pad_4, pad_5, pad_6, pad_7};

endmodule

`default_nettype wire
