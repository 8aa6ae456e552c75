// Last pass of a row: scales its elements with what its sums gave, and packs them into atoms.
//
// Records are in a RAM per lane: those of a softmax in all of them, by difference, those of a norm
// by channel.
// Contract: ${row_lanes} element(s) per cycle from row to row; ${row_stages} cycles from a beat to its atom, and one
// more to the FIFO. Beats go in as long as the FIFO has room for their atom, the lanes never stop.
// Reset: no row, FIFO empty.
`default_nettype none

module dla_row_scale (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        softmax,
    input  wire [7:0]  offset,                         // of the result of a softmax

    // operand records
    input  wire        record_valid,
    input  wire [12:0] record_index,
    input  wire [47:0] record,                         // term, factor

    // beats of a row: last, mask, differences or elements
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [${10 * row_lanes:3}:0] in_data,

    // what is found of a row
    input  wire        solved_valid,
    output wire        solved_taken,
    input  wire [33:0] solved_scale,
    input  wire [41:0] solved_start,
    input  wire [5:0]  solved_shift,

    // atoms
    output wire        out_valid,
    input  wire        out_ready,
    output wire [${atom_bits - 1:3}:0] out_data
);

    localparam LANES  = ${row_lanes};
    localparam BITS   = ${atom_bits};
    localparam DEPTH  = ${row_table_depth};                          // records of a lane
    localparam IDX_W  = $clog2(DEPTH);
    localparam STAGES = ${row_stages};
    localparam ROOM   = ${row_out_depth};                            // atoms
    localparam CNT_W  = $clog2(ROOM + 1);

    wire             in_last = in_data[10*LANES];
    wire [LANES-1:0] in_mask = in_data[9*LANES +: LANES];

    // ------------------------------------------------------------------ rows
    // The values of a row wait here for its first beat, from where copies of them go beside it:
    // the next ones may come when it has passed the stage that copies last.
    reg         row_q;                                 // they are there
    reg         first_q;                               // next beat is the first of a row
    reg  [8:1]  head_q;                                // first beats in stages 1 to 8
    reg  [33:0] scale_q;
    reg  [41:0] start_q;
    reg  [5:0]  shift_q;
    reg  [CNT_W-1:0] room_q;                           // atoms that the FIFO can take
    wire        move    = in_valid && in_ready;
    wire        head    = move && first_q;
    wire        row_end = move && in_last;

    assign in_ready     = row_q && room_q != {CNT_W{1'b0}};
    assign solved_taken = solved_valid && !head && head_q == 8'd0
                       && (!row_q || row_end);

    always @(posedge clk) begin
        if (solved_taken) begin
            scale_q <= solved_scale;
            start_q <= solved_start;
            shift_q <= solved_shift;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            row_q   <= 1'b0;
            first_q <= 1'b1;
            head_q  <= 8'd0;
        end else begin
            row_q  <= solved_taken || (row_q && !row_end);
            head_q <= {head_q[7:1], head};
            if (move) first_q <= in_last;
        end
    end

    reg  [33:0] scale_2_q;
    reg  [41:0] start_4_q;
    reg  [31:0] scale_5_q;
    reg  [5:0]  shift_9_q;
    reg  [3:0]  shift_10_q;
    reg  [1:0]  shift_11_q;

    always @(posedge clk) begin
        if (head_q[1]) scale_2_q <= scale_q;
        if (head_q[3]) start_4_q <= start_q;
        if (head_q[4]) scale_5_q <= scale_q[31:0];
        if (head_q[8]) shift_9_q <= shift_q;
        shift_10_q <= shift_9_q[3:0];
        shift_11_q <= shift_10_q[1:0];
    end

    // ------------------------------------------------------------------ lanes
    reg  [IDX_W-1:0]      channel_q;                   // of the row, in beats
    wire [8*LANES-1:0]    y;
    reg  [STAGES*LANES-1:0] mask_q;                    // of all stages, the last on top
    wire [LANES-1:0]      mask = mask_q[(STAGES-1)*LANES +: LANES];
    reg  [STAGES:1]       valid_q;
    genvar                i;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            channel_q <= {IDX_W{1'b0}};
            valid_q   <= {STAGES{1'b0}};
        end else begin
            if (move) channel_q <= in_last ? {IDX_W{1'b0}} : channel_q + {{(IDX_W-1){1'b0}}, 1'b1};
            valid_q <= {valid_q[STAGES-1:1], move};
        end
    end

    always @(posedge clk) mask_q <= {mask_q[(STAGES-1)*LANES-1:0], in_mask};

    // Where a record goes.
    wire             unused_index = &{1'b0, record_index};
    wire [IDX_W-1:0] record_row = softmax ? {{(IDX_W-8){1'b0}}, record_index[7:0]}
                                          : record_index[${row_lane_w} +: IDX_W];

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            localparam [${row_lane_w - 1}:0]  LANE = i;  //% if row_lane_w > 0
            wire [8:0]       x = in_data[9*i +: 9];
            wire [47:0]      found;
            wire [7:0]       result;
            reg  [8:0]       x_q;
            wire             mine = softmax || record_index[${row_lane_w - 1}:0] == LANE;  //% if row_lane_w > 0

            sram_1r1w #(.W(48), .DEPTH(DEPTH)) u_records (
                .clk(clk),
                .we(record_valid${row_lane_w > 0 ? " && mine" : ""}), .waddr(record_row), .wdata(record),
                .re(move), .raddr(softmax ? {{(IDX_W-8){1'b0}}, x[7:0]} : channel_q),
                .rdata(found)
            );

            always @(posedge clk) x_q <= x;

            dla_row_lane u_lane (
                .clk      (clk),
                .softmax  (softmax),
                .offset   (offset),
                .record   (found),
                .x        (x_q),
                .scale_2  (scale_2_q),
                .start_4  (start_4_q),
                .scale_5  (scale_5_q),
                .shift_9  (shift_9_q[5:4]),
                .shift_10 (shift_10_q[3:2]),
                .shift_11 (shift_11_q),
                .y        (result)
            );

            assign y[8*i +: 8] = result & {8{mask[i]}};
        end
    endgenerate

    // ------------------------------------------------------------------ atoms
    wire            ready = valid_q[STAGES];           // a beat of results
    wire            issued;                            // a beat is the last of its atom
    wire            atom_valid;
    wire [BITS-1:0] atom;
    wire            unused_ready;                      // room_q counts the room
    wire            taken = out_valid && out_ready;
    wire [CNT_W-1:0] one  = {{(CNT_W-1){1'b0}}, 1'b1};

//% if row_beats > 1
    reg  [${clog2(row_beats) - 1}:0]           in_beat_q, out_beat_q;
    reg  [BITS-8*LANES-1:0] before_q;                  // beats of the atom

    assign issued     = move && (&in_beat_q);
    assign atom_valid = ready && (&out_beat_q);
    assign atom       = {y, before_q};

    always @(posedge clk) begin
        if (ready) before_q <= atom[BITS-1:8*LANES];
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            in_beat_q  <= ${clog2(row_beats)}'d0;
            out_beat_q <= ${clog2(row_beats)}'d0;
        end else begin
            if (move)  in_beat_q  <= in_beat_q + ${clog2(row_beats)}'d1;
            if (ready) out_beat_q <= out_beat_q + ${clog2(row_beats)}'d1;
        end
    end
//% else
    assign issued     = move;
    assign atom_valid = ready;
    assign atom       = y;
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) room_q <= ROOM[CNT_W-1:0];
        else        room_q <= room_q - (issued ? one : {CNT_W{1'b0}})
                                     + (taken ? one : {CNT_W{1'b0}});
    end

    fifo_sync #(.W(BITS), .DEPTH(ROOM)) u_out (
        .clk(clk), .rst_n(rst_n),
        .in_valid(atom_valid), .in_ready(unused_ready), .in_data(atom),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );

endmodule

`default_nettype wire
