// CACC banks: every fourth place of the ring is in the same one, so that the four results of a tile
// of Winograd are added at once. A position has one place, in the bank whose turn it is.
//
//     place, tile, psum --> bank 0 .. 3 --> bank of the oldest position --> head
//
// Reset: nothing on its way.
`default_nettype none

module dla_cacc_banks (
    input  wire          clk,
    input  wire          rst_n,
    input  wire          valid,
    input  wire [${row_w + 1}:0]    place,      // of the beat
    input  wire          tile,       // with results for four places
    input  wire          first,      // replaces the accumulators
    input  wire          last,
    input  wire          ending,     // with last: very last of the layer
    input  wire          fp,         // fp16  //% if mixed
    input  wire          pair,       // int8  //% if int8 && int16
    input  wire [${2 * cells * psum_w - 1:4}:0] psum_a,     // results of all cells of half A, one after the other
    input  wire [${2 * cells * psum_w - 1:4}:0] psum_b,
    output wire [2:0]    pushed,     // positions that are new in the delivery RAM
    output wire          busy,  //% if clock_gating
    input  wire [${row_w + 1}:0]    head_at,    // place of the head in the next cycle
    output wire [${cells * state_w - 1:4}:0] head,
    output wire          head_end    // very last of the layer
);

//% let head_cells = 4
    localparam PLACE_W = ${row_w + 2};
    localparam PSUMS_W = ${cells / 2 * psum_w:4};      // of a result of a half
    localparam GROUP_W = ${cells * state_w:4};
    localparam SHARE_W = ${head_cells * state_w:4};      // of the head, with a selection of its own

    wire [3:0]           bank_pushed;
    wire [3:0]           bank_end;
    wire [4*GROUP_W-1:0] bank_head;
    wire [3:0]           bank_busy;  //% if clock_gating

    assign busy   = |bank_busy;  //% if clock_gating
    assign pushed = (&bank_pushed) ? 3'd4 : {2'd0, |bank_pushed};

    // Result n of the cells of a half.
    function [PSUMS_W-1:0] part(input [4*PSUMS_W-1:0] all, input [1:0] n);
        case (n)
            2'd0:    part = all[0 +: PSUMS_W];
            2'd1:    part = all[PSUMS_W +: PSUMS_W];
            2'd2:    part = all[2*PSUMS_W +: PSUMS_W];
            default: part = all[3*PSUMS_W +: PSUMS_W];
        endcase
    endfunction

    genvar r;
    generate
        for (r = 0; r < 4; r = r + 1) begin : gen_bank
            // That of a result of a tile, or of a position if it is its turn.
            localparam [2:0] BANK = r;
            wire [2:0]         turn   = BANK - {1'b0, place[1:0]};
            wire [1:0]         result = turn[1:0];
            wire [PLACE_W-3:0] next   = {{(PLACE_W-3){1'b0}}, turn[2]};   // of the next row
            wire [PLACE_W-3:0] row    = place[PLACE_W-1:2] + next;

            dla_cacc_bank u_bank (
                .clk      (clk),
                .rst_n    (rst_n),
                .valid    (valid && (tile || result == 2'd0)),
                .row      (row),
                .first    (first),
                .last     (last),
                .ending   (ending && (!tile || result == 2'd3)),
                .fp       (fp),  //% if mixed
                .pair     (pair),  //% if int8 && int16
                .psum     ({part(psum_b, result), part(psum_a, result)}),
                .pushed   (bank_pushed[r]),
                .busy     (bank_busy[r]),  //% if clock_gating
                .head_at  (head_at[PLACE_W-1:2]),
                .head     (bank_head[GROUP_W*r +: GROUP_W]),
                .head_end (bank_end[r])
            );
        end
    endgenerate

    // ---------------------------------------------------------------- oldest position
    genvar s;
    generate
        for (s = 0; s < ${cells / head_cells}; s = s + 1) begin : gen_head
            wire [SHARE_W-1:0] head0 = bank_head[SHARE_W*s +: SHARE_W];
            wire [SHARE_W-1:0] head1 = bank_head[GROUP_W + SHARE_W*s +: SHARE_W];
            wire [SHARE_W-1:0] head2 = bank_head[2*GROUP_W + SHARE_W*s +: SHARE_W];
            wire [SHARE_W-1:0] head3 = bank_head[3*GROUP_W + SHARE_W*s +: SHARE_W];
            wire [1:0]         bank;

            reg_copy #(.W(2)) u_bank (
                .clk   (clk),
                .rst_n (rst_n),
                .d     (head_at[1:0]),
                .q     (bank)
            );

            assign head[SHARE_W*s +: SHARE_W] = bank[1] ? (bank[0] ? head3 : head2)
                                                        : (bank[0] ? head1 : head0);
        end
    endgenerate

    assign head_end = bank_end[gen_head[0].bank];

endmodule

`default_nettype wire
