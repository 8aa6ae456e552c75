// Positions of CSC: the input positions of each step, one per cycle, and when they may be sent.
//
//     step --> position --> x, y of a tap --> line in CBUF? --> weights ready? --> slot
//              of a stripe                    room in CACC?
//
// A slot reads an entry, sends a beat, or both.
// Image: a position may need several slots; its beat goes with the last one.  //% if image_enable
// Contract: one slot per cycle. What is approved stays approved, so `swap` depends on registers
// only. The register y_q is lent out while `multiply` is high. Reset: no step, no position.
`default_nettype none

module dla_csc_pos (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer
    input  wire                       start,
    input  wire [12:0]                out_width,      // minus one
    input  wire [${15 + image_enable + types.x_more - 1:2}:0]                x_step,
    input  wire [14:0]                y_step,
    input  wire [${15 + image_enable + types.x_more - 1:2}:0]                origin_x,       // of the first position
    input  wire [14:0]                origin_y,
    input  wire                       int8,  //% if types.mix && image_enable
//% if image_enable
    input  wire                       image,
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
//% end

    input  wire                       winograd,  //% if types.winograd
//% if types.beats
    input  wire [4:0]                 batches,        // inputs, minus one
    input  wire [2:0]                 batch_w,        // log2, rounded up
    input  wire [${cbuf_addr_w:2}:0]                per_slice,      // entries  //% if types.batch

//% end
    // flow control
    input  wire [${cbuf_addr_w:2}:0]                slices,         // input lines that can be read
    input  wire                       slices_all,     // nothing to wait for
    input  wire                       credit,
    output wire                       credit_take,
    input  wire                       wt_ready,
    output wire                       swap,           // first beat of a step leaves
    output wire                       last_beat,      // of the layer leaves

    // step
    input  wire                       step_valid,
    output wire                       step_take,
    input  wire                       step_first,
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_layer_end,
    input  wire                       step_tail_block,
    input  wire [1:0]                 step_rows,      // minus one  //% if image_enable
    input  wire [${clog2(cacc_depth) - 1:2}:0]                step_length,    // minus one
    input  wire [9:0]                 step_x,
    input  wire [9:0]                 step_y,
    input  wire [${cbuf_addr_w:2}:0]                step_entry,
    input  wire                       step_odd,       // second block of its entry  //% if types.mix

    // y_q on loan
    input  wire                       multiply,
    input  wire [13:0]                factor,

    // slot
    output wire                       read,           // this slot reads
    output wire                       beat,           // this slot sends
    output reg                        first_q,        // beat of the first step of a stripe
    output reg                        last_q,         // of the last step
    output reg                        tail_q,         // of the last channel block
//% if image_enable
    output reg  [1:0]                 rows_q,         // of its operation, minus one
    output reg  [1:0]                 row_q,          // that is read
    output reg                        crossing_q,     // the position ends in the entry behind x
//% end
    output reg  [${15 + image_enable + types.x_more - 1:2}:0]                x_q,            // two's complement
    output reg  [14:0]                y_q,
    output reg                        odd_q,          // second block of its entry  //% if types.mix
    output reg  [${cbuf_addr_w:2}:0]                entry_q         // of the block in line 0
);

//% let byte_w = types16 ? "BYTE_W" : "LANE_W"
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam LEN_W   = ${clog2(cacc_depth)};
//% if image_enable
    localparam LANE_W  = ${clog2(atomic_c)};
    localparam BYTE_W = ${clog2(entry_bytes)};           // a byte of an entry  //% if types16
//% end
    localparam X_W     = ${15 + image_enable + types.x_more};                 // x of an input position

//% let pause = cacc_min_stripe > 1
//% let pause_w = clog2(cacc_min_stripe)
    // ------------------------------------------------------------------ step
    reg               active_q;        // there is a position to send
    reg               step_head_q;     // it is the first of its step
    reg  [LEN_W-1:0]  left_q;          // after it
    reg               step_first_q, step_last_q, group_end_q, layer_end_q, step_tail_q;
    reg  [9:0]        step_x_q, step_y_q;
//% if pause
    // A stripe with few beats: CACC needs time for their positions.
    localparam [LEN_W-1:0] LEAST = ${cacc_min_stripe - 1};    // minus one
    wire [LEN_W-1:0]  beats = winograd ? step_length >> 2 :  //% if types.winograd
                              ${types.batch ? "(|batches) ? step_length >> 1 : " : ""}step_length;      // minus one  //% if types.winograd
    wire [LEN_W-1:0]  beats = ${types.batch ? "(|batches) ? step_length >> 1 : " : ""}step_length;      // minus one  //% if !types.winograd
    wire [${pause_w - 1}:0]        missing = LEAST[${pause_w - 1}:0] - beats[${pause_w - 1}:0];
    reg  [${pause_w - 1}:0]        step_pause_q, tap_pause_q;
//% end
    reg  [CBUF_W:0]   step_entry_q;
    reg               step_odd_q;  //% if types.mix
    reg  [1:0]        step_rows_q;  //% if image_enable
    reg  [LANE_W-1:0] step_bytes_q;    // minus one  //% if image_enable && !types16
    wire              tap_ready;       // x, y go to the next stage
//% if image_enable
    wire              complete;        // last slot of a position
    wire              go       = active_q && tap_ready;
    wire              send     = go && complete;
//% else
    wire              send     = active_q && tap_ready;
//% end
//% if types.beats
    reg  [4:0]        batch_q;         // input of this position
    reg  [CBUF_W:0]   batch_entry_q;   // of its line, behind that of input 0  //% if types.batch
    wire              lower = winograd && batch_q[0];   // tile of four  //% if types.winograd
    wire              right = winograd && batch_q[1];  //% if types.winograd
    wire              batch_end = batch_q == batches;
    wire [LEN_W-1:0]  length    = step_length >> batch_w;
//% end
    reg               none_left_q;     // left_q is 0  //% if !types.beats
    wire              step_end = none_left_q;  //% if !types.beats
    wire              step_end = batch_end && left_q == {LEN_W{1'b0}};  //% if types.beats
    wire              leave    = send && step_end;

    assign step_take = step_valid && (!active_q || leave);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !leave);
        end
    end

    always @(posedge clk) begin
        if (step_take) begin
            step_first_q <= step_first;
            step_last_q  <= step_last;
            group_end_q  <= step_group_end;
            layer_end_q  <= step_layer_end;
            step_tail_q  <= step_tail_block;
            step_rows_q  <= step_rows;  //% if image_enable
            step_bytes_q <= step_tail_block ? channel : {LANE_W{1'b1}};  //% if image_enable && !types16
            step_pause_q <= beats < LEAST ? missing : ${pause_w}'d0;  //% if pause
            step_x_q     <= step_x;
            step_y_q     <= step_y;
            step_entry_q <= step_entry;
            step_odd_q   <= step_odd;  //% if types.mix
        end
        if (step_take || send) begin
            step_head_q <= step_take;
            left_q      <= step_take ? ${types.beats ? "length" : "step_length"} : left_q - {{(LEN_W-1){1'b0}}, ${types.beats ? "batch_end" : "1'b1"}};
            none_left_q <= step_take ? step_length == {LEN_W{1'b0}}  //% if !types.beats
                                     : left_q == {{(LEN_W-1){1'b0}}, 1'b1};  //% if !types.beats
        end
    end

    // ------------------------------------------------------------------ position
    // Input coordinates of the first tap; a stripe starts again for every step.
    reg  [12:0]    cols_q, stripe_cols_q;    // outputs left in this row after this one
    // Of an image x is the byte of the stored line.  //% if image_enable
    reg  [X_W-1:0] pos_x_q, stripe_x_q;
    reg  [14:0]    pos_y_q, stripe_y_q;

    // What comes next, if this position goes now.
    wire row_end = cols_q == 13'd0;
    wire restart = start || (step_end && step_last_q && group_end_q);   // of a kernel group
    wire again   = !start && step_end && !step_last_q;
    wire new_row = row_end || restart;

    wire [X_W-1:0] x_ahead   = pos_x_q + x_step;
    wire [14:0]    y_ahead   = pos_y_q + y_step;
    wire [12:0]    cols_next = new_row ? out_width : cols_q - 13'd1;
    wire [X_W-1:0] x_next    = new_row ? origin_x : x_ahead;
    wire [14:0]    y_next    = restart ? origin_y : row_end ? y_ahead : pos_y_q;

    always @(posedge clk) begin
//% if types.beats
        if (start || send) begin
            batch_q       <= start || batch_end ? 5'd0 : batch_q + 5'd1;
//%   if types.batch
            batch_entry_q <= start || batch_end ? {(CBUF_W+1){1'b0}}
                                                : batch_entry_q + per_slice;
//%   end
        end
//% end
        if (start || ${types.beats ? "(send && batch_end)" : "send"}) begin
            cols_q  <= again ? stripe_cols_q : cols_next;
            pos_x_q <= again ? stripe_x_q : x_next;
            pos_y_q <= again ? stripe_y_q : y_next;
        end
        // Already while the last position of a stripe waits: no step after it starts again there.
        if (start || (active_q && step_end && step_last_q)) begin
            stripe_cols_q <= cols_next;
            stripe_x_q    <= x_next;
            stripe_y_q    <= y_next;
        end
    end

//% if image_enable
    // An image has no columns of the kernel: the place of step_x says which entry, that of the low
    // bits of step_y which row.
    wire        slot_read, second, crossing;
    wire [1:0]  row;
//%   if types.mix
    wire [LANE_W-1:0] lanes = step_tail_q ? channel : {LANE_W{1'b1}};   // minus one
    // Of an int8 image the second block of an entry begins in its middle.
    wire [X_W-1:0]    place = pos_x_q + {{(X_W-BYTE_W){1'b0}}, step_odd_q && image,
                                         {LANE_W{1'b0}}};
//%   end

//%   let place = types.mix ? "place" : "pos_x_q"
    dla_csc_img u_img (
        .clk      (clk),
        .rst_n    (rst_n),
        .image    (image),
        .rows     (step_rows_q),
        .bytes    (int8 ? {1'b0, lanes} : {lanes, 1'b1}),  //% if types.mix
        .bytes    ({step_tail_q ? channel : {LANE_W{1'b1}}, 1'b1}),  //% if types16 && !types.mix
        .bytes    (step_bytes_q),  //% if !types16
        .x        (${place}[${byte_w}+2:0]),
        .go       (go),
        .restart  (step_end || row_end),
        .complete (complete),
        .read     (slot_read),
        .row_q    (row),
        .second   (second),
        .crossing (crossing)
    );

    wire [${15 + types.x_more}:0] x = ${place} + {${6 + types.x_more}'d0, step_x_q[9:${byte_w}+1], step_x_q[${byte_w}] || second,
                               step_x_q[${byte_w}-1:1], step_x_q[0] || right};  //% if types.winograd
                               step_x_q[${byte_w}-1:0]};  //% if !types.winograd
    wire [14:0] y = pos_y_q + {5'd0, ${types.winograd ? "step_y_q[9:3], step_y_q[2] || lower" : "step_y_q[9:2]"}, step_y_q[1:0] | row};
//% else
    wire [14:0] x = pos_x_q + {5'd0, step_x_q};
    wire [14:0] y = pos_y_q + {5'd0, step_y_q};
//% end

    // ------------------------------------------------------------------ tap: line and room
    reg               tap_valid_q;
    reg               tap_head_q, tap_first_q, tap_last_q, tap_end_q, tap_tail_q;
    reg  [X_W-1:0]    tap_x_q;
    reg  [14:0]       tap_y_q;
    reg  [CBUF_W:0]   tap_entry_q;
    reg               tap_odd_q;  //% if types.mix
    wire              slot_ready;
//% if image_enable
    reg               tap_read_q, tap_beat_q, tap_crossing_q;
    reg  [1:0]        tap_rows_q, tap_row_q;
    wire              counts = tap_last_q && tap_beat_q;
    wire              load   = go;
//% else
    wire              counts = tap_last_q;
    wire              load   = send;
//% end
    wire [31:0]       lines  = {{(31-CBUF_W){1'b0}}, slices};

    // Lines above the input are at hand, those below it only count when all others are. Looked at
    // one cycle ahead: while a layer runs, slices only come.
    wire in_order    = winograd || (batches == 5'd0);  //% if types.batch && types.winograd
    wire in_order    = batches == 5'd0;  //% if types.batch && !types.winograd
//% let in_order = types.batch ? "in_order && " : ""
    wire many        = |lines[15:14];
    wire y_ready     = y[14] || (${in_order}(many || (y[13:0] < lines[13:0])));
    wire tap_y_ready = tap_y_q[14] || (${in_order}(many || (tap_y_q[13:0] < lines[13:0])));
    reg  line_ready_q;

    always @(posedge clk) line_ready_q <= slices_all || (load ? y_ready : tap_y_ready);

    wire tap_leave  = tap_valid_q && line_ready_q && (!counts || credit) && slot_ready;

    assign tap_ready   = !tap_valid_q || tap_leave;
    assign credit_take = tap_leave && counts;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) tap_valid_q <= 1'b0;
        else        tap_valid_q <= load || (tap_valid_q && !tap_leave);
    end

    always @(posedge clk) begin
        if (load) begin
            tap_head_q     <= step_head_q;
            tap_first_q    <= step_first_q;
            tap_last_q     <= step_last_q;
            tap_end_q      <= step_end && step_last_q && layer_end_q;
            tap_tail_q     <= step_tail_q;
            tap_pause_q    <= step_pause_q;  //% if pause
            tap_x_q        <= x;
            tap_y_q        <= y;
            tap_entry_q    <= step_entry_q;  //% if !types.batch
            tap_entry_q    <= step_entry_q + batch_entry_q;  //% if types.batch && !types.winograd
            tap_entry_q    <= step_entry_q + (winograd ? {(CBUF_W+1){1'b0}} : batch_entry_q);  //% if types.batch && types.winograd
            tap_odd_q      <= step_odd_q;  //% if types.mix
//% if image_enable
            tap_read_q     <= slot_read;
            tap_beat_q     <= complete;
            tap_crossing_q <= crossing;
            tap_rows_q     <= step_rows_q;
            tap_row_q      <= row;
//% end
        end
    end

    // ------------------------------------------------------------------ slot: weights
    reg               valid_q;
    reg               head_q;          // the first beat of a step
    reg               end_q;           // the last beat of the layer
//% if image_enable
    reg               read_q, beat_q;
    wire              leading = head_q && beat_q;
//% else
    wire              leading = head_q;
//% end
    reg  [${pause_w - 1}:0]         pause_q;         // cycles behind this beat  //% if pause
    reg  [${pause_w - 1}:0]         left_of_pause_q;  //% if pause
    wire              pause = |left_of_pause_q;  //% if pause
//% let may_swap = pause ? "wt_ready && !pause" : "wt_ready"
    wire              pass    = valid_q && (!leading || ${may_swap});

    assign slot_ready = !valid_q || pass;
    assign swap       = valid_q && leading && ${may_swap};
//% if image_enable
    assign read       = pass && read_q;
    assign beat       = pass && beat_q;
//% else
    assign read       = pass;
    assign beat       = pass;
//% end
    assign last_beat  = beat && end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else        valid_q <= tap_leave || (valid_q && !pass);
    end

//% if pause
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     left_of_pause_q <= ${pause_w}'d0;
        else if (beat)  left_of_pause_q <= pause_q;
        else if (pause) left_of_pause_q <= left_of_pause_q - ${pause_w}'d1;
    end

//% end
    always @(posedge clk) begin
        if (tap_leave) begin
            head_q     <= tap_head_q;
            first_q    <= tap_first_q;
            last_q     <= tap_last_q;
            end_q      <= tap_end_q;
            tail_q     <= tap_tail_q;
            pause_q    <= tap_pause_q;  //% if pause
            x_q        <= tap_x_q;
            entry_q    <= tap_entry_q;
            odd_q      <= tap_odd_q;  //% if types.mix
//% if image_enable
            read_q     <= tap_read_q;
            beat_q     <= tap_beat_q;
            crossing_q <= tap_crossing_q;
            rows_q     <= tap_rows_q;
            row_q      <= tap_row_q;
//% end
        end
        if (tap_leave || multiply) begin
            y_q        <= multiply ? {1'b0, factor} : tap_y_q;
        end
    end

    wire unused_bits = &{1'b0, lines[31:16]};

endmodule

`default_nettype wire
