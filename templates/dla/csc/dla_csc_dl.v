// Data loader of CSC: one input vector per position of a step.
//
//     cycle 0         1              2             3            3 + ${cbuf_rd_latency} .. ${cbuf_rd_latency + 5 + types.mix}         ${6 + types.mix} + ${cbuf_rd_latency}
//     x, y of slot -> y * entries -> + block, x -> wrap, read -> entry, align, pad -> CMAC
//     inside?                                      CBUF
//
// Contract: a beat that leaves dla_csc_pos reaches CMAC ${csc_latency} cycles later. It leaves when its line is
// in CBUF, the weights of its step are ready (first beat) and CACC has room (last beat of a
// position).
//% if image_enable
// Entries go through dla_csc_window; those that are not of images start with byte 0 of the newest.
//% end
// The multiplier is lent out while `multiply` is high. Reset: no step, empty pipeline.
`default_nettype none

module dla_csc_dl (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    // layer; sizes are minus one, steps and distances are not
    input  wire                       start,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [12:0]                out_width,
    input  wire [${15 + image_enable + types.x_more - 1:2}:0]                x_step,
    input  wire [14:0]                y_step,
    input  wire [${15 + image_enable + types.x_more - 1:2}:0]                origin_x,
    input  wire [14:0]                origin_y,
    input  wire                       int8,           // else elements of 16 bits  //% if types.mix
    input  wire ${types16 ? "[15:0]" : "[7:0] "}                pad_value,
    input  wire [14:0]                per_slice,      // entries
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that the last block does not have
    input  wire [${cbuf_bank_w:2}:0]                banks,          // of the data region, not minus one
//% if atoms_per_entry > 1
    input  wire                       by_2,           // positions in an entry of the last block
    input  wire                       by_4,
//% end
//% if image_enable
    input  wire                       image,
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block
    input  wire [1:0]                 rows_code,      // of a whole operation - 1: 0, 1, 3
    input  wire [1:0]                 step_rows,      // of this one, minus one
//% end

    input  wire                       winograd,  //% if types.winograd
    input  wire                       fp,  //% if types.fp_and_int
    input  wire [1:0]                 truncate,  //% if types.winograd && types.integers
//% if types.beats
    input  wire [4:0]                 batches,        // inputs, minus one
    input  wire [2:0]                 batch_w,        // log2, rounded up
    input  wire [14:0]                per_line,       // entries of all inputs  //% if types.batch

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
    input  wire [${clog2(cacc_depth) - 1:2}:0]                step_length,
    input  wire [9:0]                 step_x,
    input  wire [9:0]                 step_y,
    input  wire [${cbuf_addr_w:2}:0]                step_entry,
    input  wire                       step_odd,       // second block of its entry  //% if types.mix

    // multiplier on loan
    input  wire                       multiply,
    input  wire [13:0]                factor,
    output wire [${cbuf_addr_w:2}:0]                product,        // factor * per_slice, 3 cycles later

    // CBUF
    output wire                       rd_valid,
    output reg  [${cbuf_addr_w - 1:2}:0]                rd_addr_q,
    input  wire [${entry_bits - 1:3}:0]               rd_data,

    // CMAC
    output wire                       mac_a_valid,
    output wire                       mac_b_valid,
    output reg  [${entry_bits - 1:3}:0]               mac_data_q,
    output wire                       mac_a_swap,     // with a beat only
    output wire                       mac_b_swap,
    output wire                       mac_first,
    output wire                       mac_last,
    output wire                       mac_end
);

//% let byte_w = types16 ? "BYTE_W" : "LANE_W"
    localparam LANES   = ${atomic_c};
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
//% if image_enable
    localparam ${byte_w}  = ${clog2(atomic_c) + types16};
    localparam QUARTER = LANES / 4;          // lanes of one row of four
//% end
    localparam X_W     = ${15 + image_enable + types.x_more};                 // x of an input position
    localparam READ    = 3;                  // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 3};                  // cycle of its data
    localparam MAC     = ${types.dl_latency};                 // cycle of the beat to CMAC
    localparam TILE    = MAC + ${skew.shortest};           // of a tile  //% if types.winograd
    localparam FP_TILE = MAC + ${skew.longest};          // of fp16  //% if types.fp_and_int

//% let slot = types.sparsity_masks ? "slot_" : ""
    // ------------------------------------------------------------------ cycle 0: slot
//% if types.sparsity_masks
    wire            slot_read, slot_beat, slot_first, slot_last, slot_tail;
    wire [X_W-1:0]  slot_x;
    wire [14:0]     slot_y;
    wire [CBUF_W:0] slot_entry;
    wire            slot_odd;  //% if types.mix
    wire [1:0]      slot_rows, slot_row;  //% if image_enable
    wire            slot_crossing;  //% if image_enable
//% end
    wire            read, beat, first, last, tail;
    wire [X_W-1:0]  x;
    wire [14:0]     y;                 // also an input register of the multiplier
    wire [CBUF_W:0] entry;
    wire            odd;  //% if types.mix
//% if image_enable
    wire [1:0]      rows, row;
    wire            crossing;
//% end

    dla_csc_pos u_pos (
        .clk             (clk),
        .rst_n           (rst_n),
        .start           (start),
        .out_width       (out_width),
        .x_step          (x_step),
        .y_step          (y_step),
        .origin_x        (origin_x),
        .origin_y        (origin_y),
        .winograd        (winograd),  //% if types.winograd
        .batches         (batches),  //% if types.beats
        .batch_w         (batch_w),  //% if types.beats
        .per_slice       (per_slice[CBUF_W:0]),  //% if types.batch
        .step_odd        (step_odd),  //% if types.mix
        .odd_q           (${slot}odd),  //% if types.mix
        .int8            (int8),  //% if types.mix && image_enable
//% if image_enable
        .image           (image),
        .channel         (channel),
        .step_rows       (step_rows),
        .rows_q          (${slot}rows),
        .row_q           (${slot}row),
        .crossing_q      (${slot}crossing),
//% end
        .slices          (slices),
        .slices_all      (slices_all),
        .credit          (credit),
        .credit_take     (credit_take),
        .wt_ready        (wt_ready),
        .swap            (swap),
        .last_beat       (last_beat),
        .step_valid      (step_valid),
        .step_take       (step_take),
        .step_first      (step_first),
        .step_last       (step_last),
        .step_group_end  (step_group_end),
        .step_layer_end  (step_layer_end),
        .step_tail_block (step_tail_block),
        .step_length     (step_length),
        .step_x          (step_x),
        .step_y          (step_y),
        .step_entry      (step_entry),
        .multiply        (multiply),
        .factor          (factor),
        .read            (${slot}read),
        .beat            (${slot}beat),
        .first_q         (${slot}first),
        .last_q          (${slot}last),
        .tail_q          (${slot}tail),
        .x_q             (${slot}x),
        .y_q             (${slot}y),
        .entry_q         (${slot}entry)
    );

//% if types.late
    // Weights that are expanded take longer: so do data. The multiplier is lent out behind them.
    localparam LATE = ${types.late};
    localparam SLOT = ${3 + 5 * image_enable + types.mix} + X_W + CBUF_W + 1;
    reg  [LATE-1:0]        late_read_q, late_beat_q, late_swap_q, late_end_q;
    reg  [LATE-1:0]        late_multiply_q;
    reg  [LATE*SLOT-1:0]   late_slot_q;
    reg  [(LATE-1)*15-1:0] early_y_q;
    reg  [14:0]            late_y_q;
    wire                   late_swap      = late_swap_q[LATE-1];
    wire                   late_last_beat = late_end_q[LATE-1];

    assign read = late_read_q[LATE-1];
    assign beat = late_beat_q[LATE-1];
    assign y    = late_y_q;
    assign {${image_enable ? "rows, row, crossing, " : ""}${types.mix ? "odd, " : ""}first, last, tail, x, entry} =
        late_slot_q[LATE*SLOT-1 -: SLOT];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            late_read_q <= {LATE{1'b0}};
            late_beat_q <= {LATE{1'b0}};
        end else begin
            late_read_q <= {late_read_q[LATE-2:0], slot_read};
            late_beat_q <= {late_beat_q[LATE-2:0], slot_beat};
        end
    end

    always @(posedge clk) begin
        late_swap_q <= {late_swap_q[LATE-2:0], swap};
        late_end_q  <= {late_end_q[LATE-2:0], last_beat};
        late_slot_q <= {late_slot_q[(LATE-1)*SLOT-1:0],
                        slot_rows, slot_row, slot_crossing,  //% if image_enable
                        ${types.mix ? "slot_odd, " : ""}slot_first, slot_last, slot_tail, slot_x, slot_entry};
        early_y_q   <= slot_y;  //% if types.late == 2
        early_y_q   <= {early_y_q[(LATE-2)*15-1:0], slot_y};  //% if types.late != 2
        late_y_q    <= late_multiply_q[LATE-2] ? {1'b0, factor}
                                               : early_y_q[(LATE-1)*15-1 -: 15];
        late_multiply_q <= {late_multiply_q[LATE-2:0], multiply};
    end

//% end
//% if image_enable
    wire in_line = image || (!x[14] && (x[13:0] <= {1'b0, width}));
    wire in_cube = in_line && !y[14] && (y[13:0] <= {1'b0, height});
//% else
    wire in_cube = !x[14] && (x[13:0] <= {1'b0, width}) && !y[14] && (y[13:0] <= {1'b0, height});
//% end

//% if atoms_per_entry > 1
    // The last block of a line packs 2 or 4 positions into an entry if their atoms fit.
    wire [13:0] column = tail && by_4 ? {2'd0, x[13:2]} : tail && by_2 ? {1'b0, x[13:1]} : x[13:0];
    wire [1:0]  part   = tail && by_4 ? x[1:0] : {tail && by_2 ${types.mix ? "? x[0] : odd" : "&& x[0]"}, 1'b0};
//% elif types.mix
    wire [13:0] column = x[13:0];
    wire [1:0]  part   = {odd, 1'b0};
//% else
    wire [13:0] column = x[13:0];
//% end

    // ------------------------------------------------------------------ cycles 1 to 3: entry
//% let lent = types.sparsity_masks ? "late_multiply_q[LATE-1]" : "multiply"
    // One DSP block: y * entries per slice + (first entry of the block + column).
    wire [14:0]       line_entries = ${lent} ? per_slice : per_line;  //% if types.batch
    reg  [28:0]       mul_q;
    reg  [CBUF_W:0]   add_q;
    reg  [CBUF_W:0]   sum_q;
//% if image_enable
    wire [31:0]       column_w = image ? {{(${byte_w}+${16 - types.x_more}){1'b0}}, x[${15 + types.x_more}:${byte_w}]} : {18'd0, column};
//% else
    wire [31:0]       column_w = {18'd0, column};
//% end

    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    wire [BANK_W:0]   bank = sum_q[CBUF_W:ROW_W];
    wire [BANK_W:0]   over = bank - banks;
    wire [BANK_W-1:0] bank_wrapped = over[BANK_W] ? bank[BANK_W-1:0] : over[BANK_W-1:0];

    always @(posedge clk) begin
        mul_q     <= y[13:0] * ${types.batch ? "line_entries" : "per_slice"};
        if (${lent}) add_q <= {(CBUF_W+1){1'b0}};
        else          add_q <= entry + column_w[CBUF_W:0];
        sum_q     <= mul_q[CBUF_W:0] + add_q;
        rd_addr_q <= {bank_wrapped, sum_q[ROW_W-1:0]};
    end

    assign product = sum_q;

//% let out = types.fp_and_int ? "FP_TILE" : types.winograd ? "TILE" : "MAC"
    // ------------------------------------------------------------------ what goes along
    // Bit n - 1: cycle n.
    reg  [DATA-1:0]   fetch_q;
    reg               rd_valid_q;
    reg  [${out}-2:0]    valid_q, swap_q;
    reg  [${out}-${types.winograd ? 2 : 1}:0]    first_q, last_q, end_q;
    reg  [DATA:0]     tail_q;
    reg  [DATA-1:0]   inside_q;
//% if types.winograd
    // A beat that has left goes no further.
    wire [${out}-3:0] stay = {${types.fp_and_int ? "{(FP_TILE-TILE){fp}}, " : ""}{(TILE-MAC){winograd}},
                               {(MAC-2){1'b1}}};
//% end

    assign rd_valid = rd_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fetch_q    <= {DATA{1'b0}};
            rd_valid_q <= 1'b0;
            valid_q    <= {(${out}-1){1'b0}};
        end else begin
            fetch_q    <= {fetch_q[DATA-2:0], read};
            rd_valid_q <= fetch_q[READ-2] && inside_q[READ-2];
            valid_q    <= {valid_q[${out}-3:0]${types.winograd ? " & stay" : ""}, beat};
        end
    end

    always @(posedge clk) begin
        inside_q <= {inside_q[DATA-2:0], in_cube};
        swap_q   <= {swap_q[${out}-3:0], ${types.sparsity_masks ? "late_" : ""}swap};
        first_q  <= {first_q[${out}-${types.winograd ? 3 : 2}:0], first};
        last_q   <= {last_q[${out}-${types.winograd ? 3 : 2}:0], last};
        end_q    <= {end_q[${out}-${types.winograd ? 3 : 2}:0], ${types.sparsity_masks ? "late_" : ""}last_beat};
        tail_q   <= {tail_q[DATA-1:0], tail};
    end

//% if types.winograd
    // Tiles leave later.
    wire [4:0] direct  = {valid_q[MAC-2], swap_q[MAC-2],
                          first_q[MAC-2], last_q[MAC-2], end_q[MAC-2]};
    wire [4:0] tile    = {valid_q[TILE-2], swap_q[TILE-2],
                          first_q[TILE-2], last_q[TILE-2], end_q[TILE-2]};
//% if types.fp_and_int
    wire [4:0] fp_tile = {valid_q[FP_TILE-2], swap_q[FP_TILE-2],
                          first_q[FP_TILE-2], last_q[FP_TILE-2], end_q[FP_TILE-2]};
//% end
    wire [4:0] leave   = ${types.fp_and_int ? "!winograd ? direct : fp ? fp_tile : tile" : "winograd ? tile : direct"};
    reg  [2:0] flags_q;

    always @(posedge clk) flags_q <= leave[2:0];

//% end
//% let leaves = types.winograd ? "leave[4]" : "valid_q[MAC-2]"
//% let swaps = types.winograd ? "leave[3]" : "swap_q[MAC-2]"
    // What enables the registers of CMAC: each half has its own.
    reg_copy #(.W(2)) u_mac_a (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({${leaves}, ${swaps}}),
        .q     ({mac_a_valid, mac_a_swap})
    );

    reg_copy #(.W(2)) u_mac_b (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({${leaves}, ${swaps}}),
        .q     ({mac_b_valid, mac_b_swap})
    );

    assign mac_first = ${types.winograd ? "flags_q[2]" : "first_q[MAC-1]"};
    assign mac_last  = ${types.winograd ? "flags_q[1]" : "last_q[MAC-1]"};
    assign mac_end   = ${types.winograd ? "flags_q[0]" : "end_q[MAC-1]"};

    // ------------------------------------------------------------------ cycles DATA, DATA + 1
    wire [${types.lane_bits}*LANES-1:0] aligned;
    wire [LANES-1:0]   exists;         // the line is part of the input, else padding
    reg  [LANES-1:0]   off_q;          // lanes without a channel
//% if image_enable
    reg  [2*DATA-1:0]              row_q;      // of the read
    reg  [2*(DATA+1)-1:0]          part_rows_q;
    reg  [DATA*(${byte_w}+1)-1:0]     place_q;    // crossing, byte of the first entry
    wire [${byte_w}:0]                place = place_q[DATA*(${byte_w}+1)-1 -: ${byte_w}+1];
    wire [1:0]                     step_part = part_rows_q[2*(DATA+1)-1 -: 2];
//% if atoms_per_entry > 1 || types.mix
    wire [${byte_w}-1:0]  byte_now = image ? x[${byte_w}-1:0] : {part, {(${byte_w}-2){1'b0}}};
//% else
    wire [${byte_w}-1:0]  byte_now = x[${byte_w}-1:0] & {${byte_w}{image}};
//% end

    always @(posedge clk) begin
        row_q   <= {row_q[2*DATA-3:0], row};
        part_rows_q <= {part_rows_q[2*DATA-1:0], rows};
        place_q <= {place_q[(DATA-1)*(${byte_w}+1)-1:0], crossing && image, byte_now};
    end

    dla_csc_window u_window (
        .clk         (clk),
        .rows_code   (rows_code),
        .int8        (int8),  //% if types.mix
        .load        (fetch_q[DATA-1]),
        .load_row    (row_q[2*DATA-1 -: 2]),
        .load_inside (inside_q[DATA-1]),
        .load_data   (rd_data),
        .select      (valid_q[DATA]),
        .place       (place[${byte_w}-1:0]),
        .crossing    (place[${byte_w}]),
        .exists      (exists),
        .lanes       (aligned)
    );

    // Kernel rows that this step does not have.
    wire [LANES-1:0] no_row =
        rows_code[1] ? {{QUARTER{step_part != 2'd3}}, {QUARTER{~step_part[1]}},
                        {QUARTER{step_part == 2'd0}}, {QUARTER{1'b0}}} :
        rows_code[0] ? {{(2*QUARTER){~step_part[0]}}, {(2*QUARTER){1'b0}}} : {LANES{1'b0}};

    always @(posedge clk) begin
        if (valid_q[DATA]) off_q <= no_row | (tail_off & {LANES{tail_q[DATA]}});
    end
//% else
    reg  [${types.lane_bits}*LANES-1:0] entry_q, aligned_q;
    reg  [1:0]         exists_q;
//% if atoms_per_entry > 1 || types.mix
    reg  [2*(DATA+1)-1:0] part_q;
    wire [1:0]         part_now = part_q[2*(DATA+1)-1 -: 2];
    wire [${types.lane_bits}*LANES-1:0] half = part_now[1] ? entry_q >> (${types.lane_bits / 2}*LANES) : entry_q;
    wire [${types.lane_bits}*LANES-1:0] from = part_now[0] ? half >> (${types.lane_bits / 4}*LANES) : half;

    always @(posedge clk) begin
        part_q <= {part_q[2*DATA-1:0], part};
    end
//% else
    wire [${types.lane_bits}*LANES-1:0] from = entry_q;
//% end

    always @(posedge clk) begin
        if (fetch_q[DATA-1]) entry_q <= rd_data;
        if (valid_q[DATA]) begin
            aligned_q <= from;
            off_q     <= tail_off & {LANES{tail_q[DATA]}};
        end
        exists_q <= {exists_q[0], inside_q[DATA-1]};
    end

    assign aligned = aligned_q;
    assign exists  = {LANES{exists_q[1]}};
//% end

//% if types.mix
    // ------------------------------------------------------------------ cycle DATA + 3: pad, mask
    // Bytes as they lie in the entry; those of int8 are the low ones of a part.
    reg  [16*LANES-1:0] bytes_q;
    reg  [LANES-1:0]    exists_q1, off_q1;

    always @(posedge clk) begin
        if (valid_q[DATA+1]) begin
            bytes_q   <= aligned;
            exists_q1 <= exists;
            off_q1    <= off_q;
        end
    end
//% else
    // ------------------------------------------------------------------ cycle DATA + 2: pad, mask
//% end
    wire [${types.lane_bits}*LANES-1:0] lanes;
    wire [${types.lane_bits}*LANES-1:0] tile_lanes;  //% if types.winograd
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//% if types.mix
            localparam AT = (i / (LANES/4)) * (LANES/2) + i % (LANES/4);   // byte of int8  //% if image_enable
            localparam AT = i;  //% if !image_enable
            wire [15:0] element = int8 ? {{8{bytes_q[8*AT+7]}}, bytes_q[8*AT +: 8]}
                                       : bytes_q[16*i +: 16];

            assign lanes[16*i +: 16] = off_q1[i] ? 16'd0 : exists_q1[i] ? element : pad_value;
//% elif types16
            assign lanes[16*i +: 16] = off_q[i] ? 16'd0 : exists[i] ? aligned[16*i +: 16]
                                                                    : pad_value;
//% else
            assign lanes[8*i +: 8] = off_q[i] ? 8'd0 : exists[i] ? aligned[8*i +: 8] : pad_value;
//% end
        end
    endgenerate

    always @(posedge clk) begin
        if (${leaves}) mac_data_q <= ${types.winograd ? "winograd ? tile_lanes : lanes" : "lanes"};
    end
//% if types.winograd

    // ------------------------------------------------------------------ tiles
//%   if types.mix
    reg  [DATA-1:0] odd_q;

    always @(posedge clk) odd_q <= {odd_q[DATA-2:0], odd};

//%   end
    dla_csc_tile u_tile (
        .clk       (clk),
        .start     (start),
        .int8      (int8),  //% if types.mix
        .load_odd  (odd_q[DATA-1]),  //% if types.mix
        .fp        (fp),  //% if types.fp_and_int
        .truncate  (truncate),  //% if types.integers
        .load      (fetch_q[DATA-1] && winograd),
        .load_data (rd_data),
        .lanes     (tile_lanes)
    );
//% end

    wire unused_bits = &{1'b0, mul_q, column_w};

endmodule

`default_nettype wire
