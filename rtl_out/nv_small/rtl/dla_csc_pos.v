// Made by macrame 0.1.0 from templates/dla/csc/dla_csc_pos.v
// with atomic_c=8 cacc_depth=16 cacc_min_stripe=1 cbuf_addr_w=14 image_enable=1 types16=0

// Positions of CSC: the input positions of each step, one per cycle, and when they may be sent.
//
//     step --> position --> x, y of a tap --> line in CBUF? --> weights ready? --> slot
//              of a stripe                    room in CACC?
//
// A slot reads an entry, sends a beat, or both.
// Image: a position may need several slots; its beat goes with the last one.
// Contract: one slot per cycle. What is approved stays approved, so `swap` depends on registers
// only. The register y_q is lent out while `multiply` is high. Reset: no step, no position.
`default_nettype none

module dla_csc_pos (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer
    input  wire                       start,
    input  wire [12:0]                out_width,      // minus one
    input  wire [15:0]                x_step,
    input  wire [14:0]                y_step,
    input  wire [15:0]                origin_x,       // of the first position
    input  wire [14:0]                origin_y,
    input  wire                       image,
    input  wire [ 2:0]                channel,        // of the last block, minus one

    // flow control
    input  wire [14:0]                slices,         // input lines that can be read
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
    input  wire [1:0]                 step_rows,      // minus one
    input  wire [ 3:0]                step_length,    // minus one
    input  wire [9:0]                 step_x,
    input  wire [9:0]                 step_y,
    input  wire [14:0]                step_entry,

    // y_q on loan
    input  wire                       multiply,
    input  wire [13:0]                factor,

    // slot
    output wire                       read,           // this slot reads
    output wire                       beat,           // this slot sends
    output reg                        first_q,        // beat of the first step of a stripe
    output reg                        last_q,         // of the last step
    output reg                        tail_q,         // of the last channel block
    output reg  [1:0]                 rows_q,         // of its operation, minus one
    output reg  [1:0]                 row_q,          // that is read
    output reg                        crossing_q,     // the position ends in the entry behind x
    output reg  [15:0]                x_q,            // two's complement
    output reg  [14:0]                y_q,
    output reg  [14:0]                entry_q         // of the block in line 0
);

    localparam CBUF_W  = 14;
    localparam LEN_W   = 4;
    localparam LANE_W  = 3;
    localparam X_W     = 16;                 // x of an input position

    // ------------------------------------------------------------------ step
    reg               active_q;        // there is a position to send
    reg               step_head_q;     // it is the first of its step
    reg  [LEN_W-1:0]  left_q;          // after it
    reg               step_first_q, step_last_q, group_end_q, layer_end_q, step_tail_q;
    reg  [9:0]        step_x_q, step_y_q;
    reg  [CBUF_W:0]   step_entry_q;
    reg  [1:0]        step_rows_q;
    reg  [LANE_W-1:0] step_bytes_q;    // minus one
    wire              tap_ready;       // x, y go to the next stage
    wire              complete;        // last slot of a position
    wire              go       = active_q && tap_ready;
    wire              send     = go && complete;
    reg               none_left_q;     // left_q is 0
    wire              step_end = none_left_q;
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
            step_rows_q  <= step_rows;
            step_bytes_q <= step_tail_block ? channel : {LANE_W{1'b1}};
            step_x_q     <= step_x;
            step_y_q     <= step_y;
            step_entry_q <= step_entry;
        end
        if (step_take || send) begin
            step_head_q <= step_take;
            left_q      <= step_take ? step_length : left_q - {{(LEN_W-1){1'b0}}, 1'b1};
            none_left_q <= step_take ? step_length == {LEN_W{1'b0}}
                                     : left_q == {{(LEN_W-1){1'b0}}, 1'b1};
        end
    end

    // ------------------------------------------------------------------ position
    // Input coordinates of the first tap; a stripe starts again for every step.
    reg  [12:0]    cols_q, stripe_cols_q;    // outputs left in this row after this one
    // Of an image x is the byte of the stored line.
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
        if (start || send) begin
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

    // An image has no columns of the kernel: the place of step_x says which entry, that of the low
    // bits of step_y which row.
    wire        slot_read, second, crossing;
    wire [1:0]  row;

    dla_csc_img u_img (
        .clk      (clk),
        .rst_n    (rst_n),
        .image    (image),
        .rows     (step_rows_q),
        .bytes    (step_bytes_q),
        .x        (pos_x_q[LANE_W+2:0]),
        .go       (go),
        .restart  (step_end || row_end),
        .complete (complete),
        .read     (slot_read),
        .row_q    (row),
        .second   (second),
        .crossing (crossing)
    );

    wire [15:0] x = pos_x_q + {6'd0, step_x_q[9:LANE_W+1], step_x_q[LANE_W] || second,
                               step_x_q[LANE_W-1:0]};
    wire [14:0] y = pos_y_q + {5'd0, step_y_q[9:2], step_y_q[1:0] | row};

    // ------------------------------------------------------------------ tap: line and room
    reg               tap_valid_q;
    reg               tap_head_q, tap_first_q, tap_last_q, tap_end_q, tap_tail_q;
    reg  [X_W-1:0]    tap_x_q;
    reg  [14:0]       tap_y_q;
    reg  [CBUF_W:0]   tap_entry_q;
    wire              slot_ready;
    reg               tap_read_q, tap_beat_q, tap_crossing_q;
    reg  [1:0]        tap_rows_q, tap_row_q;
    wire              counts = tap_last_q && tap_beat_q;
    wire              load   = go;
    wire [31:0]       lines  = {{(31-CBUF_W){1'b0}}, slices};

    // Lines above the input are at hand, those below it only count when all others are. Looked at
    // one cycle ahead: while a layer runs, slices only come.
    wire many        = |lines[15:14];
    wire y_ready     = y[14] || ((many || (y[13:0] < lines[13:0])));
    wire tap_y_ready = tap_y_q[14] || ((many || (tap_y_q[13:0] < lines[13:0])));
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
            tap_x_q        <= x;
            tap_y_q        <= y;
            tap_entry_q    <= step_entry_q;
            tap_read_q     <= slot_read;
            tap_beat_q     <= complete;
            tap_crossing_q <= crossing;
            tap_rows_q     <= step_rows_q;
            tap_row_q      <= row;
        end
    end

    // ------------------------------------------------------------------ slot: weights
    reg               valid_q;
    reg               head_q;          // the first beat of a step
    reg               end_q;           // the last beat of the layer
    reg               read_q, beat_q;
    wire              leading = head_q && beat_q;
    wire              pass    = valid_q && (!leading || wt_ready);

    assign slot_ready = !valid_q || pass;
    assign swap       = valid_q && leading && wt_ready;
    assign read       = pass && read_q;
    assign beat       = pass && beat_q;
    assign last_beat  = beat && end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else        valid_q <= tap_leave || (valid_q && !pass);
    end

    always @(posedge clk) begin
        if (tap_leave) begin
            head_q     <= tap_head_q;
            first_q    <= tap_first_q;
            last_q     <= tap_last_q;
            end_q      <= tap_end_q;
            tail_q     <= tap_tail_q;
            x_q        <= tap_x_q;
            entry_q    <= tap_entry_q;
            read_q     <= tap_read_q;
            beat_q     <= tap_beat_q;
            crossing_q <= tap_crossing_q;
            rows_q     <= tap_rows_q;
            row_q      <= tap_row_q;
        end
        if (tap_leave || multiply) begin
            y_q        <= multiply ? {1'b0, factor} : tap_y_q;
        end
    end

    wire unused_bits = &{1'b0, lines[31:16]};

endmodule

`default_nettype wire
