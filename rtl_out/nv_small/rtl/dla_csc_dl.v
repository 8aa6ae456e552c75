// Made by macrame 0.1.0 from templates/dla/csc/dla_csc_dl.v
// with atomic_c=8 atoms_per_entry=1 cacc_depth=16 cbuf_addr_w=14 cbuf_bank_w=5 cbuf_rd_latency=4
// cbuf_row_w=9 csc_latency=10 entry_bits=64 image_enable=1 types16=0

// Data loader of CSC: one input vector per position of a step.
//
//     cycle 0         1              2             3            3 + 4 .. 9         6 + 4
//     x, y of slot -> y * entries -> + block, x -> wrap, read -> entry, align, pad -> CMAC
//     inside?                                      CBUF
//
// Contract: a beat that leaves dla_csc_pos reaches CMAC 10 cycles later. It leaves when its line is
// in CBUF, the weights of its step are ready (first beat) and CACC has room (last beat of a
// position).
// Entries go through dla_csc_window; those that are not of images start with byte 0 of the newest.
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
    input  wire [15:0]                x_step,
    input  wire [14:0]                y_step,
    input  wire [15:0]                origin_x,
    input  wire [14:0]                origin_y,
    input  wire [7:0]                 pad_value,
    input  wire [14:0]                per_slice,      // entries
    input  wire [ 7:0]                tail_off,       // lanes that the last block does not have
    input  wire [ 5:0]                banks,          // of the data region, not minus one
    input  wire                       image,
    input  wire [ 2:0]                channel,        // of the last block
    input  wire [1:0]                 rows_code,      // of a whole operation - 1: 0, 1, 3
    input  wire [1:0]                 step_rows,      // of this one, minus one

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
    input  wire [ 3:0]                step_length,
    input  wire [9:0]                 step_x,
    input  wire [9:0]                 step_y,
    input  wire [14:0]                step_entry,

    // multiplier on loan
    input  wire                       multiply,
    input  wire [13:0]                factor,
    output wire [14:0]                product,        // factor * per_slice, 3 cycles later

    // CBUF
    output wire                       rd_valid,
    output reg  [13:0]                rd_addr_q,
    input  wire [ 63:0]               rd_data,

    // CMAC
    output wire                       mac_a_valid,
    output wire                       mac_b_valid,
    output reg  [ 63:0]               mac_data_q,
    output wire                       mac_a_swap,     // with a beat only
    output wire                       mac_b_swap,
    output wire                       mac_first,
    output wire                       mac_last,
    output wire                       mac_end
);

    localparam LANES   = 8;
    localparam CBUF_W  = 14;
    localparam ROW_W   = 9;
    localparam BANK_W  = 5;
    localparam LANE_W  = 3;
    localparam QUARTER = LANES / 4;          // lanes of one row of four
    localparam X_W     = 16;                 // x of an input position
    localparam READ    = 3;                  // cycle of the CBUF read
    localparam DATA    = 7;                  // cycle of its data
    localparam MAC     = 10;                 // cycle of the beat to CMAC

    // ------------------------------------------------------------------ cycle 0: slot
    wire            read, beat, first, last, tail;
    wire [X_W-1:0]  x;
    wire [14:0]     y;                 // also an input register of the multiplier
    wire [CBUF_W:0] entry;
    wire [1:0]      rows, row;
    wire            crossing;

    dla_csc_pos u_pos (
        .clk             (clk),
        .rst_n           (rst_n),
        .start           (start),
        .out_width       (out_width),
        .x_step          (x_step),
        .y_step          (y_step),
        .origin_x        (origin_x),
        .origin_y        (origin_y),
        .image           (image),
        .channel         (channel),
        .step_rows       (step_rows),
        .rows_q          (rows),
        .row_q           (row),
        .crossing_q      (crossing),
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
        .read            (read),
        .beat            (beat),
        .first_q         (first),
        .last_q          (last),
        .tail_q          (tail),
        .x_q             (x),
        .y_q             (y),
        .entry_q         (entry)
    );

    wire in_line = image || (!x[14] && (x[13:0] <= {1'b0, width}));
    wire in_cube = in_line && !y[14] && (y[13:0] <= {1'b0, height});

    wire [13:0] column = x[13:0];

    // ------------------------------------------------------------------ cycles 1 to 3: entry
    // One DSP block: y * entries per slice + (first entry of the block + column).
    reg  [28:0]       mul_q;
    reg  [CBUF_W:0]   add_q;
    reg  [CBUF_W:0]   sum_q;
    wire [31:0]       column_w = image ? {{(LANE_W+16){1'b0}}, x[15:LANE_W]} : {18'd0, column};

    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    wire [BANK_W:0]   bank = sum_q[CBUF_W:ROW_W];
    wire [BANK_W:0]   over = bank - banks;
    wire [BANK_W-1:0] bank_wrapped = over[BANK_W] ? bank[BANK_W-1:0] : over[BANK_W-1:0];

    always @(posedge clk) begin
        mul_q     <= y[13:0] * per_slice;
        if (multiply) add_q <= {(CBUF_W+1){1'b0}};
        else          add_q <= entry + column_w[CBUF_W:0];
        sum_q     <= mul_q[CBUF_W:0] + add_q;
        rd_addr_q <= {bank_wrapped, sum_q[ROW_W-1:0]};
    end

    assign product = sum_q;

    // ------------------------------------------------------------------ what goes along
    // Bit n - 1: cycle n.
    reg  [DATA-1:0]   fetch_q;
    reg               rd_valid_q;
    reg  [MAC-2:0]    valid_q, swap_q;
    reg  [MAC-1:0]    first_q, last_q, end_q;
    reg  [DATA:0]     tail_q;
    reg  [DATA-1:0]   inside_q;

    assign rd_valid = rd_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fetch_q    <= {DATA{1'b0}};
            rd_valid_q <= 1'b0;
            valid_q    <= {(MAC-1){1'b0}};
        end else begin
            fetch_q    <= {fetch_q[DATA-2:0], read};
            rd_valid_q <= fetch_q[READ-2] && inside_q[READ-2];
            valid_q    <= {valid_q[MAC-3:0], beat};
        end
    end

    always @(posedge clk) begin
        inside_q <= {inside_q[DATA-2:0], in_cube};
        swap_q   <= {swap_q[MAC-3:0], swap};
        first_q  <= {first_q[MAC-2:0], first};
        last_q   <= {last_q[MAC-2:0], last};
        end_q    <= {end_q[MAC-2:0], last_beat};
        tail_q   <= {tail_q[DATA-1:0], tail};
    end

    // What enables the registers of CMAC: each half has its own.
    reg_copy #(.W(2)) u_mac_a (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({valid_q[MAC-2], swap_q[MAC-2]}),
        .q     ({mac_a_valid, mac_a_swap})
    );

    reg_copy #(.W(2)) u_mac_b (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({valid_q[MAC-2], swap_q[MAC-2]}),
        .q     ({mac_b_valid, mac_b_swap})
    );

    assign mac_first = first_q[MAC-1];
    assign mac_last  = last_q[MAC-1];
    assign mac_end   = end_q[MAC-1];

    // ------------------------------------------------------------------ cycles DATA, DATA + 1
    wire [8*LANES-1:0] aligned;
    wire [LANES-1:0]   exists;         // the line is part of the input, else padding
    reg  [LANES-1:0]   off_q;          // lanes without a channel
    reg  [2*DATA-1:0]              row_q;      // of the read
    reg  [2*(DATA+1)-1:0]          part_rows_q;
    reg  [DATA*(LANE_W+1)-1:0]     place_q;    // crossing, byte of the first entry
    wire [LANE_W:0]                place = place_q[DATA*(LANE_W+1)-1 -: LANE_W+1];
    wire [1:0]                     step_part = part_rows_q[2*(DATA+1)-1 -: 2];
    wire [LANE_W-1:0]  byte_now = x[LANE_W-1:0] & {LANE_W{image}};

    always @(posedge clk) begin
        row_q   <= {row_q[2*DATA-3:0], row};
        part_rows_q <= {part_rows_q[2*DATA-1:0], rows};
        place_q <= {place_q[(DATA-1)*(LANE_W+1)-1:0], crossing && image, byte_now};
    end

    dla_csc_window u_window (
        .clk         (clk),
        .rows_code   (rows_code),
        .load        (fetch_q[DATA-1]),
        .load_row    (row_q[2*DATA-1 -: 2]),
        .load_inside (inside_q[DATA-1]),
        .load_data   (rd_data),
        .select      (valid_q[DATA]),
        .place       (place[LANE_W-1:0]),
        .crossing    (place[LANE_W]),
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

    // ------------------------------------------------------------------ cycle DATA + 2: pad, mask
    wire [8*LANES-1:0] lanes;
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            assign lanes[8*i +: 8] = off_q[i] ? 8'd0 : exists[i] ? aligned[8*i +: 8] : pad_value;
        end
    endgenerate

    always @(posedge clk) begin
        if (valid_q[MAC-2]) mac_data_q <= lanes;
    end

    wire unused_bits = &{1'b0, mul_q, column_w};

endmodule

`default_nettype wire
