// Data loader of CSC: one input vector per position of a step.
//
//     cycle 0        1               2           3            3 + ${cbuf_rd_latency}       4 + ${cbuf_rd_latency}
//     position --> x, y -----> y * entries ---> wrap ------> entry ---> CMAC
//     flow control   + offset      + block, x   read CBUF    pad, mask
//
// Contract: a beat that leaves cycle 0 reaches CMAC ${cbuf_rd_latency + 4} cycles later. It leaves when its line is in
// CBUF, the weights of its step are ready (first beat) and CACC has room (last beat of a position).
//% if image_enable
// Image: a position may need several reads; its beat leaves with the last one, from dla_csc_window
// and one cycle later.
//% end
// The multiplier is lent out while `multiply` is high. Reset: no step, empty pipeline.
`default_nettype none

module dla_csc_dl (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer; sizes are minus one
    input  wire                       start,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [12:0]                out_width,
    input  wire [2:0]                 stride_x,
    input  wire [2:0]                 stride_y,
    input  wire [4:0]                 pad_left,
    input  wire [4:0]                 pad_top,
    input  wire [7:0]                 pad_value,
    input  wire [13:0]                entries,        // per slice
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block
    input  wire [${cbuf_bank_w:2}:0]                banks,          // of the data region, not minus one

//% if image_enable
    // image; rows are kernel rows that share an operation
    input  wire                       image,
    input  wire [1:0]                 rows_code,      // of a whole operation - 1: 0, 1, 3
    input  wire [1:0]                 components,     // of a pixel, minus one
    input  wire [1:0]                 step_rows,      // of this one, minus one
//% end

    // flow control
    input  wire [${cbuf_addr_w:2}:0]                slices,         // input lines that can be read
    input  wire                       slices_all,     // nothing to wait for
    input  wire                       credit,
    output wire                       credit_take,
    input  wire                       wt_ready,
    output wire                       swap,           // first beat of a step leaves cycle 0
    output wire                       last_beat,      // of the layer

    // step
    input  wire                       step_valid,
    output wire                       step_take,
    input  wire                       step_first,
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_layer_end,
    input  wire                       step_tail_block,
    input  wire [${clog2(cacc_depth) - 1:2}:0]                step_length,
    input  wire [9:0]                 step_x,
    input  wire [9:0]                 step_y,
    input  wire [${cbuf_addr_w:2}:0]                step_entry,

    // multiplier on loan
    input  wire                       multiply,
    input  wire [13:0]                factor,
    output wire [${cbuf_addr_w:2}:0]                product,        // factor * entries, 3 cycles later

    // CBUF
    output wire                       rd_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                rd_addr,
    input  wire [${entry_bits - 1:3}:0]               rd_data,

    // CMAC
    output wire                       mac_valid,
    output reg  [${entry_bits - 1:3}:0]               mac_data_q,
    output wire                       mac_swap,
    output wire                       mac_first,
    output wire                       mac_last,
    output wire                       mac_end
);

    localparam LANES   = ${atomic_c};
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam LEN_W   = ${clog2(cacc_depth)};
//% if image_enable
    localparam LANE_W  = ${clog2(atomic_c)};
//% end
    localparam X_W     = ${15 + image_enable};                 // x of an input position
    localparam READ    = 3;                  // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 3};                  // cycle of its data
    localparam MAC     = ${cbuf_rd_latency + 4};                  // cycle of the beat to CMAC

    // ------------------------------------------------------------------ cycle 0: step
    reg               active_q;        // there is a position to send
    reg               head_q;          // it is the first of its step
    reg  [LEN_W-1:0]  left_q;          // after it
    reg               first_q, last_q, group_end_q, layer_end_q, tail_block_q;
    reg  [9:0]        step_x_q, step_y_q;
    reg  [CBUF_W:0]   entry_q;
    wire              line_ready;
//% if image_enable
    reg  [1:0]        rows_q;
    reg               swap_late_q;     // a swap of an image, on its way to the weights
    wire              complete;        // the last read of its position

    wire go   = active_q && line_ready && (!head_q || (wt_ready && !swap_late_q)) &&
                (!last_q || credit);
    wire send = go && complete;

    assign swap = image ? swap_late_q : send && head_q;
//% else
    wire send = active_q && line_ready && (!head_q || wt_ready) && (!last_q || credit);

    assign swap = send && head_q;
//% end

    wire step_end = left_q == {LEN_W{1'b0}};
    wire leave    = send && step_end;

    assign step_take   = step_valid && (!active_q || leave);
    assign credit_take = send && last_q;
    assign last_beat   = leave && last_q && layer_end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !leave);
        end
    end

    always @(posedge clk) begin
        if (step_take) begin
            first_q      <= step_first;
            last_q       <= step_last;
            group_end_q  <= step_group_end;
            layer_end_q  <= step_layer_end;
            tail_block_q <= step_tail_block;
//% if image_enable
            rows_q       <= step_rows;
//% end
            step_x_q     <= step_x;
            step_y_q     <= step_y;
            entry_q      <= step_entry;
        end
        if (step_take || send) begin
            head_q <= step_take;
            left_q <= step_take ? step_length : left_q - {{(LEN_W-1){1'b0}}, 1'b1};
        end
    end

    // ------------------------------------------------------------------ cycle 0: position
    // Input coordinates of the first tap, two's complement; a stripe starts again for every step.
    reg  [12:0] cols_q, stripe_cols_q; // outputs left in this row after this one
//% if image_enable
    // Of an image x is the byte of the stored line.
//% end
    reg  [X_W-1:0] x_q, stripe_x_q;
    reg  [14:0] y_q, stripe_y_q;

    wire [14:0] origin_y = -{10'd0, pad_top};
    wire        row_end  = cols_q == 13'd0;
    wire        restart  = start || (leave && last_q && group_end_q); // of a kernel group
    wire        again    = leave && !last_q;
    wire        new_row  = row_end || restart;

    // - ~n is + n + 1: strides are minus one.
    wire [12:0] cols_next = new_row ? out_width : cols_q - 13'd1;
//% if image_enable
    wire [15:0] origin_x  = image ? 16'd0 : -{11'd0, pad_left};
    wire [5:0]  stride    = {3'd0, stride_x} + 6'd1;
    wire [5:0]  x_step    = !image || !components[1] ? stride :
                            components[0] ? stride << 2 : stride + (stride << 1);
    wire [15:0] x_next    = new_row ? origin_x : x_q + {10'd0, x_step};
//% else
    wire [14:0] origin_x  = -{10'd0, pad_left};
    wire [14:0] x_next    = new_row ? origin_x : x_q - ~{12'd0, stride_x};
//% end
    wire [14:0] y_step    = row_end ? ~{12'd0, stride_y} : 15'd0;
    wire [14:0] y_next    = restart ? origin_y : y_q - y_step;

    always @(posedge clk) begin
        if (start || send) begin
            cols_q <= again ? stripe_cols_q : cols_next;
            x_q    <= again ? stripe_x_q : x_next;
            y_q    <= again ? stripe_y_q : y_next;
        end
        if (start || (leave && last_q)) begin
            stripe_cols_q <= cols_next;
            stripe_x_q    <= x_next;
            stripe_y_q    <= y_next;
        end
    end

//% if image_enable
    // An image has no columns of the kernel: the place of step_x says which entry, that of the low
    // bits of step_y which row.
    wire        read, second, crossing;
    wire [1:0]  row;

    dla_csc_img u_img (
        .clk      (clk),
        .rst_n    (rst_n),
        .image    (image),
        .rows     (rows_q),
        .bytes    (tail_block_q ? channel : {LANE_W{1'b1}}),
        .x        (x_q[LANE_W+2:0]),
        .go       (go),
        .restart  (step_end || row_end),
        .complete (complete),
        .read     (read),
        .row_q    (row),
        .second   (second),
        .crossing (crossing)
    );

    wire [15:0] x = x_q + {6'd0, step_x_q[9:LANE_W+1], step_x_q[LANE_W] || second,
                           step_x_q[LANE_W-1:0]};
    wire [14:0] y = y_q + {5'd0, step_y_q[9:2], step_y_q[1:0] | row};
//% else
    wire [14:0] x = x_q + {5'd0, step_x_q};
    wire [14:0] y = y_q + {5'd0, step_y_q};
//% end
    wire [31:0] lines = {{(31-CBUF_W){1'b0}}, slices};

    // Lines above the input are at hand, those below it only count when all others are.
    assign line_ready = slices_all || y[14] || (y[13:0] < lines[13:0]) || (|lines[15:14]);

    // ------------------------------------------------------------------ cycle 1: inside the input?
    reg  [X_W-1:0]  x1_q;
    reg  [14:0]     y1_q;              // also an input register of the multiplier
    reg  [CBUF_W:0] entry1_q;
    reg             inside2_q;

//% if image_enable
    wire in_line = image || (!x1_q[14] && (x1_q[13:0] <= {1'b0, width}));
    wire in_cube = in_line && !y1_q[14] && (y1_q[13:0] <= {1'b0, height});
//% else
    wire in_cube = !x1_q[14] && (x1_q[13:0] <= {1'b0, width}) &&
                   !y1_q[14] && (y1_q[13:0] <= {1'b0, height});
//% end

    always @(posedge clk) begin
        x1_q      <= x;
        y1_q      <= multiply ? {1'b0, factor} : y;
        entry1_q  <= entry_q;
        inside2_q <= in_cube;
    end

//% if atoms_per_entry > 1
    // The last block of a line packs 2 or 4 positions into an entry if their atoms fit.
//% if atoms_per_entry == 2
    wire        by_2   = !channel[${clog2(atom_bytes)}];
    wire        by_4   = 1'b0;
//% else
    wire        by_2   = channel[${clog2(atom_bytes) + 1}:${clog2(atom_bytes)}] == 2'd1;
    wire        by_4   = channel[${clog2(atom_bytes) + 1}:${clog2(atom_bytes)}] == 2'd0;
//% end
    reg         tail1_q;
    wire [13:0] column = tail1_q && by_4 ? {2'd0, x1_q[13:2]} :
                         tail1_q && by_2 ? {1'b0, x1_q[13:1]} : x1_q[13:0];
    wire [1:0]  part1  = tail1_q && by_4 ? x1_q[1:0] : {tail1_q && by_2 && x1_q[0], 1'b0};

    always @(posedge clk) begin
        tail1_q <= tail_block_q;
    end
//% else
    wire [13:0] column = x1_q[13:0];
//% end

    // ------------------------------------------------------------------ cycles 2, 3: entry
    // One DSP block: y * entries per slice + (first entry of the block + column).
    reg  [28:0]       mul_q;
    reg  [CBUF_W:0]   add_q;
    reg  [CBUF_W:0]   sum_q;
    reg               multiply_q;
    wire [14:0]       per_slice = {1'b0, entries} + 15'd1;
//% if image_enable
    wire [31:0]       column_w  = image ? {{(LANE_W+16){1'b0}}, x1_q[15:LANE_W]} : {18'd0, column};
//% else
    wire [31:0]       column_w  = {18'd0, column};
//% end

    always @(posedge clk) begin
        multiply_q <= multiply;
        mul_q      <= y1_q[13:0] * per_slice;
        if (multiply_q) add_q <= {(CBUF_W+1){1'b0}};
        else            add_q <= entry1_q + column_w[CBUF_W:0];
        sum_q      <= mul_q[CBUF_W:0] + add_q;
    end

    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    wire [BANK_W:0] bank = sum_q[CBUF_W:ROW_W];
    wire [BANK_W:0] over = bank - banks;
    wire [BANK_W-1:0] bank_wrapped = over[BANK_W] ? bank[BANK_W-1:0] : over[BANK_W-1:0];

    assign product = sum_q;
    assign rd_addr = {bank_wrapped, sum_q[ROW_W-1:0]};

    // ------------------------------------------------------------------ what goes along
    // Bit n - 1: cycle n.
    reg  [MAC-1:0]    valid_q, swap_q, first_q1, last_q1, end_q;
    reg  [DATA-1:0]   tail_q;
    reg  [DATA-1:2]   inside_q;        // from cycle 3 on
//% if atoms_per_entry > 1
    reg  [2*(DATA-1)-1:0] part_q;      // from cycle 2 on
//% end

//% if image_enable
    // Reads come at once, what belongs to the beat of an image one cycle later.
    reg  [DATA-1:0]   fetch_q;         // bit n - 1: cycle n
    reg  [2*DATA-1:0] row_q1;          // of the read
    reg  [4:0]        late_q;
    wire [4:0]        beat = {send && head_q, first_q, credit_take, last_beat, tail_block_q};
    wire [4:0]        along = image ? late_q : beat;
    reg               send_late_q;

    assign rd_valid = fetch_q[READ-1] && inside_q[READ-1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fetch_q     <= {DATA{1'b0}};
            valid_q     <= {MAC{1'b0}};
            send_late_q <= 1'b0;
            swap_late_q <= 1'b0;
        end else begin
            fetch_q     <= {fetch_q[DATA-2:0], go && read};
            valid_q     <= {valid_q[MAC-2:0], image ? send_late_q : send};
            send_late_q <= image && send;
            swap_late_q <= image && send && head_q;
        end
    end

    always @(posedge clk) begin
        late_q   <= beat;
        row_q1   <= {row_q1[2*DATA-3:0], row};
        swap_q   <= {swap_q[MAC-2:0], along[4]};
        first_q1 <= {first_q1[MAC-2:0], along[3]};
        last_q1  <= {last_q1[MAC-2:0], along[2]};
        end_q    <= {end_q[MAC-2:0], along[1]};
        tail_q   <= {tail_q[DATA-2:0], along[0]};
//% else
    assign rd_valid = valid_q[READ-1] && inside_q[READ-1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {MAC{1'b0}};
        else        valid_q <= {valid_q[MAC-2:0], send};
    end

    always @(posedge clk) begin
        swap_q   <= {swap_q[MAC-2:0], swap};
        first_q1 <= {first_q1[MAC-2:0], first_q};
        last_q1  <= {last_q1[MAC-2:0], credit_take};
        end_q    <= {end_q[MAC-2:0], last_beat};
        tail_q   <= {tail_q[DATA-2:0], tail_block_q};
//% end
        inside_q <= {inside_q[DATA-2:2], inside2_q};
//% if atoms_per_entry > 1
        part_q   <= {part_q[2*(DATA-2)-1:0], part1};
//% end
    end

    // ------------------------------------------------------------------ pad, mask
    wire [LANES-1:0]  lane_off  = {{(LANES-1){tail_q[DATA-1]}}, 1'b0} << channel;
    wire [8*LANES-1:0] data;
//% if atoms_per_entry > 1
    wire [1:0]        part = part_q[2*(DATA-1)-1:2*(DATA-2)];
    wire [8*LANES-1:0] half = part[1] ? rd_data >> (4*LANES) : rd_data;
    assign data = part[0] ? half >> (2*LANES) : half;
//% else
    assign data = rd_data;
//% end

    wire [8*LANES-1:0] lanes;
//% if image_enable

    // Image: the same for the shares of its rows.
    reg  [DATA*(LANE_W+3)-1:0] place_q;    // rows, crossing, byte of the first entry
    reg  [LANE_W+2:0]          place_late_q;
    wire [LANE_W+2:0]          place = place_q[DATA*(LANE_W+3)-1 -: LANE_W+3];
    wire [1:0]                 rows  = place[LANE_W+2 -: 2];
    wire [8*LANES-1:0]         window;
    wire [LANES-1:0]           window_inside;
    localparam QUARTER = LANES / 4;

    always @(posedge clk) begin
        place_late_q <= {rows_q, crossing, x_q[LANE_W-1:0]};
        place_q      <= {place_q[(DATA-1)*(LANE_W+3)-1:0], place_late_q};
    end

    dla_csc_window u_window (
        .clk         (clk),
        .rows_code   (rows_code),
        .load        (fetch_q[DATA-1] && image),
        .load_row    (row_q1[2*DATA-1 -: 2]),
        .load_inside (inside_q[DATA-1]),
        .load_data   (rd_data),
        .place       (place[LANE_W-1:0]),
        .crossing    (place[LANE_W]),
        .exists      (window_inside),
        .lanes       (window)
    );

    wire [LANES-1:0] off =
        rows_code[1] ? {{QUARTER{rows != 2'd3}}, {QUARTER{~rows[1]}}, {QUARTER{rows == 2'd0}},
                        {QUARTER{1'b0}}} | {4{lane_off[QUARTER-1:0]}} :
        rows_code[0] ? {{(2*QUARTER){~rows[0]}}, {(2*QUARTER){1'b0}}} |
                       {2{lane_off[2*QUARTER-1:0]}} : lane_off;
    wire [LANES-1:0] in = image ? window_inside : {LANES{inside_q[DATA-1]}};
//% end
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//% if image_enable
            assign lanes[8*i +: 8] = off[i] ? 8'd0 :
                                     !in[i] ? pad_value :
                                     image ? window[8*i +: 8] : data[8*i +: 8];
//% else
            assign lanes[8*i +: 8] = lane_off[i] ? 8'd0 :
                                     inside_q[DATA-1] ? data[8*i +: 8] : pad_value;
//% end
        end
    endgenerate

    always @(posedge clk) begin
        if (valid_q[DATA-1]) begin
            mac_data_q <= lanes;
        end
    end

    assign mac_valid = valid_q[MAC-1];
    assign mac_swap  = swap_q[MAC-1];
    assign mac_first = first_q1[MAC-1];
    assign mac_last  = last_q1[MAC-1];
    assign mac_end   = end_q[MAC-1];

    wire unused_bits = &{1'b0, lines[31:16], mul_q, column_w};

endmodule

`default_nettype wire
