// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp_walk.v
// with surf_w=10

// The turns of a PDP layer in their order, one per atom taken, per window, or for both at once.
//
// There are two positions. The front is where atoms are taken: a column of a line. The back is the
// next window of a row of results. The back falls behind when windows reach over the right edge
// (late: it works on the line before the one of the front) or rows over the bottom edge:
//
//   late windows   take a turn each, in which the front takes the next columns as long as these
//                  complete no window; the partial windows of the old line are still there.
//   late rows      come out of the line buffer, one with each of the first lines of the next
//                  surface, as long as these complete no row and need no slot of a late row.
//                  Others, and those of the last surface of a strip, take turns (flush).
//
// Contract: a turn per cycle while `turn_ready`, from the cycle after `start`, which comes 3 cycles
// after the fields of the layer have come; they stay until the last turn is out. Counters count
// down beside flags for their last values, so that a turn is decided by flags. Reset: no turns.
`default_nettype none

module dla_pdp_walk (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         start,

    // fields of the layer: sizes less 1
    input  wire         offline,
    input  wire [12:0]  in_width,
    input  wire [12:0]  in_height,
    input  wire [12:0]  cube_out_width,
    input  wire [12:0]  cube_out_height,
    input  wire [9:0]   surfaces,
    input  wire [7:0]   split_num,                     // strips
    input  wire [9:0]   in_first,
    input  wire [9:0]   in_mid,
    input  wire [9:0]   in_last,
    input  wire [9:0]   out_first,
    input  wire [9:0]   out_mid,
    input  wire [9:0]   out_last,
    input  wire [3:0]   kernel_w,                      // below 8
    input  wire [3:0]   kernel_h,
    input  wire [3:0]   stride_w,
    input  wire [3:0]   stride_h,
    input  wire [2:0]   pad_left,
    input  wire [2:0]   pad_top,

    // how many rows are open at a time
    output reg          over_1_q,                      // more than 1
    output reg          over_2_q,
    output reg          over_4_q,

    output wire         turn_valid,
    input  wire         turn_ready,
    output wire         turn_end,                      // of the layer
    output wire         turn_take,                     // an atom is taken
    output wire         turn_window,                   // a window is complete
    output wire         turn_late,                     // of the line before
    output wire [2:0]   turn_before,                   // columns before this one, 7: or more
    output wire [6:0]   turn_ow,                       // window of its row
    output wire [2:0]   turn_miss_w,                   // columns outside
    output wire [2:0]   turn_miss_h,                   // lines outside
    output wire [2:0]   turn_slot,                     // of the row that started last
    output wire [2:0]   turn_row,                      // slot of the row that ends next
    output wire [2:0]   turn_tops,                     // more rows than one start: that many
    output wire         turn_top,                      // first line of the surface
    output wire         turn_starts,                   // a row starts
    output wire         turn_ends,                     // a row ends
    output wire         turn_late_row,                 // all its lines have been
    output wire         turn_flush,                    // and there is no line
    output wire [3:0]   turn_last                      // strip, surface, row, column of results
);

    localparam SURF_W = 10;

    // ------------------------------------------------------------------ the layer, decoded
    // In three steps; the fields stand still.
    reg        split_q;
    reg [4:0]  overlap_q;                              // signed
    reg [4:0]  step_w_q, step_h_q;
    reg [4:0]  need_left_q, need_q;                    // columns of the first window
    reg [3:0]  free_q;                                 // lines before the end of the first row
    reg [2:0]  rows_q;                                 // rows of a surface
    reg [2:0]  top_rows, top_rows_q;
    reg [3:0]  top_age, top_age_q;
    reg        one_line_q, one_row_q, one_surf_q, one_strip_q, two_strips_q;

    wire [6:0] height_1 = {3'd0, kernel_h} + 7'd1;
    wire [4:0] stride_1 = {1'b0, stride_h} + 5'd1;

    // With the first line all rows start that begin in the padding: the last of them, and how many
    // lines ago (stride <= padding <= 7 for more than one).
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
                top_age  = {1'b0, pad_top} - ({1'b0, pad_top} > stride_h ? stride_1[3:0] : 4'd0);
            end
        endcase
    end

    always @(posedge clk) begin
        split_q      <= offline && (split_num != 8'd0);
        overlap_q    <= {1'b0, kernel_w} - {1'b0, stride_w};
        step_w_q     <= {1'b0, stride_w} + 5'd1;
        step_h_q     <= stride_1;
        need_q       <= {1'b0, kernel_w} + 5'd1;
        need_left_q  <= {1'b0, kernel_w} - {2'd0, pad_left} + 5'd1;
        free_q       <= kernel_h - {1'b0, pad_top};
        rows_q       <= cube_out_height[2:0] + 3'd1;
        top_rows_q   <= top_rows;
        top_age_q    <= top_age;
        over_1_q     <= height_1 > {2'd0, stride_1};
        over_2_q     <= height_1 > {1'b0, stride_1, 1'b0};
        over_4_q     <= height_1 > {stride_1, 2'b0};
        one_line_q   <= in_height == 13'd0;
        one_row_q    <= cube_out_height == 13'd0;
        one_surf_q   <= surfaces == {SURF_W{1'b0}};
        one_strip_q  <= !offline || (split_num == 8'd0);
        two_strips_q <= offline && (split_num == 8'd1);
    end

    reg [12:0] width_first_q, width_mid_q, width_last_q;    // of strips
    reg [12:0] out_first_q, out_mid_q, out_last_q;
    reg [4:0]  row_need_0_q;
    reg [3:0]  few_lines_q, few_slots_q;

    wire [12:0] overlap = {{8{overlap_q[4]}}, overlap_q};
    wire [3:0]  slots   = over_4_q ? 4'd8 : over_2_q ? 4'd4 : over_1_q ? 4'd2 : 4'd1;

    always @(posedge clk) begin
        width_first_q <= split_q ? {3'd0, in_first} : in_width;
        width_mid_q   <= {3'd0, in_mid} + overlap;
        width_last_q  <= {3'd0, in_last} + overlap;
        out_first_q   <= split_q ? {3'd0, out_first} : cube_out_width;
        out_mid_q     <= {3'd0, out_mid};
        out_last_q    <= {3'd0, out_last};
        row_need_0_q  <= {1'b0, free_q} + 5'd1;
        few_lines_q   <= {9'd0, free_q} > in_height ? in_height[3:0] : free_q;
        few_slots_q   <= slots - {1'b0, top_rows_q};
    end

    // Rows over the edge that the first lines of a surface can take along: each of these lines
    // takes one and may start one; with the first one top_rows + 1 start.
    reg [3:0] few_q;
    reg       one_first_q, one_mid_q, one_last_q;           // column
    reg       one_out_first_q, one_out_mid_q, one_out_last_q;

    always @(posedge clk) begin
        few_q           <= few_lines_q > few_slots_q ? few_slots_q : few_lines_q;
        one_first_q     <= width_first_q == 13'd0;
        one_mid_q       <= width_mid_q == 13'd0;
        one_last_q      <= width_last_q == 13'd0;
        one_out_first_q <= out_first_q == 13'd0;
        one_out_mid_q   <= out_mid_q == 13'd0;
        one_out_last_q  <= out_last_q == 13'd0;
    end

    // ------------------------------------------------------------------ position
    reg              run_q;                            // there are turns
    // ---- front
    reg [12:0]       col_left_q;                       // columns behind this one
    reg              col_last_q;
    reg [2:0]        before_q;                         // columns before it, up to 7
    reg [4:0]        col_need_q;                       // columns to the end of its window
    reg              col_fits_q;                       // a window ends here
    reg              cols_open_q;                      // windows of its line are to come
    // ---- back, along the row
    reg [12:0]       ow_left_q;
    reg              ow_last_q;
    reg [6:0]        ow_q;
    reg              late_q;                           // its columns are all taken
    reg [2:0]        miss_left_q, miss_right_q;        // columns outside; right: if late
    // ---- back, along the column
    reg [12:0]       line_left_q;
    reg              line_last_q, top_q;
    reg [4:0]        row_need_q;                       // lines to the end of the row
    reg              row_fits_q;
    reg              rows_open_q;                      // rows of the surface are to come
    reg [12:0]       oh_left_q;                        // rows behind the one that ends next
    reg              oh_last_q;
    reg              late_row_q;                       // all its lines have been
    reg              flush_q;                          // turns for it, without a line
    reg [2:0]        miss_top_q, miss_bottom_q;        // lines outside; bottom: if late
    reg [2:0]        row_slot_q;                       // of the row that ends next
    reg [2:0]        base_q;                           // slot of the first row of the surface
    reg [2:0]        slot_q;                           // of the row that started last
    reg [3:0]        age_q;                            // lines since then
    reg              row_new_q;                        // a row starts with the next line
    reg              starts_q;                         // a row starts with this line
    // ---- both
    reg [SURF_W-1:0] surf_left_q;
    reg              surf_last_q;
    reg [7:0]        strip_left_q;
    reg              strip_first_q, strip_last_q, next_last_q;
    reg [12:0]       width_q, out_q;                   // of the strip
    reg              one_col_q, one_out_q;

    // ------------------------------------------------------------------ the turn
    wire step       = run_q && turn_ready;
    wire behind     = late_q || flush_q;
    wire completes  = col_fits_q || col_last_q;        // the column of the front, a window
    wire waits      = behind && (completes || (line_last_q && surf_last_q));      // the front
    wire own_window = !behind && cols_open_q && completes;
    wire window     = behind || own_window;
    wire cols_done  = !cols_open_q || (own_window && ow_last_q);
    wire wraps      = step && !waits && col_last_q;    // the front, to the next line
    wire line_ends  = behind ? ow_last_q : col_last_q && cols_done;
    wire line_end   = step && line_ends;

    wire row_ends   = rows_open_q && (late_row_q || row_fits_q || line_last_q);
    wire row_end    = line_end && row_ends;
    wire rows_done  = !rows_open_q || (row_ends && oh_last_q);
    wire much       = {1'b0, oh_left_q[2:0]} > few_q;
    wire flush      = !rows_done && (surf_last_q || much);      // after the last line
    wire surf_ends  = line_last_q && !flush;           // with the line
    wire strip_ends = surf_ends && surf_last_q;
    wire surf_end   = line_end && surf_ends;
    wire strip_end  = line_end && strip_ends;

    wire [2:0] miss_right  = late_q ? miss_right_q : col_need_q[2:0] - 3'd1;
    wire [2:0] miss_bottom = late_row_q ? miss_bottom_q : row_need_q[2:0] - 3'd1;

    assign turn_valid    = run_q;
    assign turn_end      = line_ends && strip_ends && strip_last_q;
    assign turn_take     = !waits;
    assign turn_window   = window;
    assign turn_late     = late_q;
    assign turn_before   = before_q;
    assign turn_ow       = ow_q;
    assign turn_miss_w   = miss_left_q + miss_right;
    assign turn_miss_h   = miss_top_q + miss_bottom;
    assign turn_slot     = slot_q;
    assign turn_row      = row_slot_q;
    assign turn_tops     = top_q ? top_rows_q : 3'd0;
    assign turn_top      = top_q;
    assign turn_starts   = starts_q;
    assign turn_ends     = row_ends;
    assign turn_late_row = late_row_q;
    assign turn_flush    = flush_q;
    assign turn_last     = {strip_last_q, surf_last_q && (flush_q || !late_row_q), oh_last_q,
                            ow_last_q};

    // ------------------------------------------------------------------ the next turn
    wire        fresh       = start || strip_end;      // a strip begins
    wire        new_front   = fresh || wraps;
    wire        padded_left = start || (strip_first_q && !strip_end);
    wire [12:0] next_width  = start ? width_first_q : next_last_q ? width_last_q : width_mid_q;
    wire [12:0] next_out    = start ? out_first_q   : next_last_q ? out_last_q   : out_mid_q;
    wire        next_one    = start ? one_first_q   : next_last_q ? one_last_q   : one_mid_q;
    wire        next_one_out = start ? one_out_first_q
                             : next_last_q ? one_out_last_q : one_out_mid_q;
    wire [4:0]  step_left   = {2'd0, miss_left_q} - step_w_q;
    wire [4:0]  step_top    = {2'd0, miss_top_q} - step_h_q;
    wire [2:0]  base        = start ? 3'd0 : base_q + rows_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) run_q <= 1'b0;
        else        run_q <= start || (run_q && !(strip_end && strip_last_q));
    end

    // ---- front
    always @(posedge clk) begin
        if (new_front) begin
            col_left_q  <= fresh ? next_width : width_q;
            col_last_q  <= fresh ? next_one : one_col_q;
            before_q    <= 3'd0;
            col_need_q  <= padded_left ? need_left_q : need_q;
            col_fits_q  <= padded_left ? need_left_q == 5'd1 : need_q == 5'd1;
            cols_open_q <= 1'b1;
        end else if (step && !waits) begin
            col_left_q  <= col_left_q - 13'd1;
            col_last_q  <= col_left_q == 13'd1;
            before_q    <= before_q + {2'd0, before_q != 3'd7};
            col_need_q  <= own_window ? step_w_q : col_need_q - 5'd1;
            col_fits_q  <= own_window ? step_w_q == 5'd1 : col_need_q == 5'd2;
            cols_open_q <= !cols_done;
        end
    end

    // ---- back, along the row
    always @(posedge clk) begin
        if (start || line_end) begin
            late_q      <= 1'b0;
            ow_q        <= 7'd0;
            ow_left_q   <= fresh ? next_out : out_q;
            ow_last_q   <= fresh ? next_one_out : one_out_q;
            miss_left_q <= padded_left ? pad_left : 3'd0;
        end else begin
            if (wraps) late_q <= 1'b1;
            if (step && window) begin
                ow_q        <= ow_q + 7'd1;
                ow_left_q   <= ow_left_q - 13'd1;
                ow_last_q   <= ow_left_q == 13'd1;
                miss_left_q <= step_left[4] ? 3'd0 : step_left[2:0];
            end
        end
        if (step && window) miss_right_q <= miss_right + step_w_q[2:0];
    end

    // ---- back, along the column
    always @(posedge clk) begin
        if (start || surf_end) begin
            line_left_q <= in_height;
            line_last_q <= one_line_q;
            top_q       <= 1'b1;
            row_need_q  <= row_need_0_q;
            row_fits_q  <= free_q == 4'd0;
            rows_open_q <= 1'b1;
            base_q      <= base;
            slot_q      <= base + top_rows_q;
            age_q       <= top_age_q;
            row_new_q   <= top_age_q == stride_h;
            starts_q    <= 1'b1;
        end else if (line_end && !line_last_q) begin
            line_left_q <= line_left_q - 13'd1;
            line_last_q <= line_left_q == 13'd1;
            top_q       <= 1'b0;
            row_need_q  <= row_ends && !late_row_q ? step_h_q : row_need_q - 5'd1;
            row_fits_q  <= row_ends && !late_row_q ? step_h_q == 5'd1 : row_need_q == 5'd2;
            rows_open_q <= late_row_q || !rows_done;
            slot_q      <= slot_q + {2'd0, row_new_q};
            age_q       <= row_new_q ? 4'd0 : age_q + 4'd1;
            row_new_q   <= row_new_q ? step_h_q == 5'd1 : {1'b0, age_q} + 5'd2 == step_h_q;
            starts_q    <= row_new_q;
        end

        if (start) begin
            late_row_q <= 1'b0;
            flush_q    <= 1'b0;
        end else if (line_end) begin
            late_row_q <= (late_row_q || line_last_q) && !rows_done;
            flush_q    <= line_last_q && flush;
        end

        if (start || (row_end && oh_last_q)) begin
            oh_left_q  <= cube_out_height;
            oh_last_q  <= one_row_q;
            miss_top_q <= pad_top;
        end else if (row_end) begin
            oh_left_q  <= oh_left_q - 13'd1;
            oh_last_q  <= oh_left_q == 13'd1;
            miss_top_q <= step_top[4] ? 3'd0 : step_top[2:0];
        end
        if (start)        row_slot_q    <= 3'd0;
        else if (row_end) row_slot_q    <= row_slot_q + 3'd1;
        if (row_end)      miss_bottom_q <= miss_bottom + step_h_q[2:0];
    end

    // ---- surfaces and strips
    always @(posedge clk) begin
        if (fresh) begin
            surf_left_q   <= surfaces;
            surf_last_q   <= one_surf_q;
            width_q       <= next_width;
            one_col_q     <= next_one;
            out_q         <= next_out;
            one_out_q     <= next_one_out;
            strip_left_q  <= start ? split_num : strip_left_q - 8'd1;
            strip_first_q <= start;
            strip_last_q  <= start ? one_strip_q : next_last_q;
            next_last_q   <= start ? two_strips_q : strip_left_q == 8'd2;
        end else if (surf_end) begin
            surf_left_q   <= surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            surf_last_q   <= surf_left_q == {{(SURF_W-1){1'b0}}, 1'b1};
        end
    end

    // Windows are small.
    wire unused_bits = &{1'b0, step_left[3], step_top[3]};

endmodule

`default_nettype wire
