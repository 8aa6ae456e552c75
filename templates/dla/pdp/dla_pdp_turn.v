// Decodes the turns of PDP for its datapath, ahead of it.
//
// Line buffer: 8 banks. A slot is 1, 2, 4 or 8 of them, the bank of an atom are its slot and the
// upper bits of its column.
// Contract: a turn per cycle; 2 cycles from a turn of the walk to `out`, which holds until `pop`.
// Reset: no turns.
`default_nettype none

module dla_pdp_turn (
    input  wire        clk,
    input  wire        rst_n,

    // layer
    input  wire [2:0]  kernel_w,                       // less 1
    input  wire        over_1,                         // rows open at a time: more than 1
    input  wire        over_2,
    input  wire        over_4,

    // from the walk
    input  wire        in_valid,
    output wire        in_ready,
    input  wire        in_end,
    input  wire        in_take,
    input  wire        in_window,
    input  wire        in_late,
    input  wire [2:0]  in_before,
    input  wire [6:0]  in_ow,
    input  wire [2:0]  in_miss_w,
    input  wire [2:0]  in_miss_h,
    input  wire [2:0]  in_slot,
    input  wire [2:0]  in_row,
    input  wire [2:0]  in_tops,
    input  wire        in_top,
    input  wire        in_starts,
    input  wire        in_ends,
    input  wire        in_late_row,
    input  wire        in_flush,
    input  wire [3:0]  in_last,

    // to the datapath
    output reg         out_valid_q,
    input  wire        pop,
    output reg         out_end_q,
    output reg         out_take_q,
    output reg         out_window_q,
    output reg  [2:0]  out_before_q,
    output reg  [2:0]  out_sel_q,                      // elements in the window, less 1
    output reg  [2:0]  out_miss_w_q,
    output reg  [2:0]  out_miss_h_q,
    output reg  [3:0]  out_col_q,                      // column in the bank
    output reg  [7:0]  out_write_q,                    // banks that the window joins
    output reg  [7:0]  out_first_q,                    // banks: starts with this line
    output reg  [2:0]  out_bank_q,                     // of the result
    output reg         out_start_q,                    // the result starts with this line
    output reg         out_late_q,                     // the result is what is there
    output reg         out_result_q,                   // there is a result
    output reg  [3:0]  out_last_q                      // strip, surface, row, column of results
);

    localparam W = 38;

    wire        valid;
    wire        last, take, window, late, top, starts, ends, late_row, flush;
    wire [2:0]  taken, miss_w, miss_h, slot_0, row_0, tops_0;
    wire [6:0]  ow;
    wire [3:0]  last_of;
    wire        load = pop || !out_valid_q;

    fifo_sync #(.W(W), .DEPTH(4)) u_turns (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (in_valid),
        .in_ready  (in_ready),
        .in_data   ({in_end, in_take, in_window, in_late, in_before, in_ow, in_miss_w, in_miss_h,
                     in_slot, in_row, in_tops, in_top, in_starts, in_ends, in_late_row, in_flush,
                     in_last}),
        .out_valid (valid),
        .out_ready (load),
        .out_data  ({last, take, window, late, taken, ow, miss_w, miss_h, slot_0, row_0, tops_0,
                     top, starts, ends, late_row, flush, last_of})
    );

    // Bits of bank numbers that mean the slot; the others are those of the column.
    wire [2:0] slot_bits = {over_1, over_2, over_4};
    wire [2:0] row  = over_4 ? row_0  : over_2 ? {row_0[1:0], 1'b0}  : {row_0[0], 2'd0};
    wire [2:0] part = over_4 ? 3'd0 : over_2 ? {2'd0, ow[4]} : over_1 ? {1'b0, ow[5:4]} : ow[6:4];
    wire [7:0] upto = 8'hff >> ~tops_0;                // k slots before the last one start
    reg  [7:0] of_8;                                   // slots of rows that start, if there are 8
    reg  [3:0] of_4;
    reg  [1:0] of_2;
    reg  [7:0] hit, first;                             // banks: of this column, of starting rows
    reg  [7:0] live_q;                                 // banks: rows of this surface
    wire [7:0] live = first | (live_q & {8{!top}});
    integer    n, k;

    // The last row that starts has slot_0, those that start with it the slots before it. Without
    // subtractions: a LUT takes the six bits of slot_0 and tops_0.
    always @* begin
        of_8 = 8'd0;
        of_4 = 4'd0;
        of_2 = 2'd0;
        for (n = 0; n < 8; n = n + 1) begin
            for (k = 0; k < 8; k = k + 1) begin
                of_8[n] = of_8[n] || (upto[k] && slot_0 == n[2:0] + k[2:0]);
            end
            for (k = 0; k < 4; k = k + 1) begin
                of_4[n%4] = of_4[n%4] || (upto[k] && slot_0[1:0] == n[1:0] + k[1:0]);
            end
            for (k = 0; k < 2; k = k + 1) begin
                of_2[n%2] = of_2[n%2] || (upto[k] && slot_0[0] == (n[0] ^ k[0]));
            end
        end
        for (n = 0; n < 8; n = n + 1) begin
            hit[n]   = ((n[2:0] ^ part) & ~slot_bits) == 3'd0;
            first[n] = starts && (over_4 ? of_8[n] : over_2 ? of_4[n/2] : !over_1 || of_2[n/4]);
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    out_valid_q <= 1'b0;
        else if (load) out_valid_q <= valid;
    end

    // A late window has moved up by the columns taken since, and this turn moves it, too.
    always @(posedge clk) begin
        if (load) begin
            out_end_q    <= last;
            out_take_q   <= take;
            out_window_q <= window;
            out_before_q <= taken;
            out_sel_q    <= kernel_w - miss_w + (late ? taken + 3'd1 : 3'd0);
            out_miss_w_q <= miss_w;
            out_miss_h_q <= miss_h;
            out_col_q    <= ow[3:0];
            out_write_q  <= hit & live & {8{!flush}};
            out_first_q  <= first;
            out_bank_q   <= (row & slot_bits) | part;
            out_start_q  <= first[row & slot_bits] && !late_row;
            out_late_q   <= late_row;
            out_result_q <= window && ends;
            out_last_q   <= last_of;
        end
        if (load && valid && window && !flush) live_q <= live;
    end

endmodule

`default_nettype wire
