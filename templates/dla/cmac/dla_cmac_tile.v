// CMAC tile: adds the 16 sums of four lanes that a cell has. In a Winograd layer sum
// 4 * row + column is a position of the tile, and
//
//    upper = row 0 + row 1 + row 2,    lower = row 1 - row 2 - row 3    in every column,
//
// then the same with columns for left and right. A direct layer adds all there is to upper left.
// Two cycles. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_tile #(
    parameter W = 34,
    parameter S = W + 4                 // bits of a result
) (
    input  wire            clk,
    input  wire [1:0]      enable,         // of a beat: rows, columns
    input  wire [1:0]      tile,           // of a beat, as enable: it is of a Winograd layer
    input  wire [16*W-1:0] quads,
    output reg  [S-1:0]    upper_left,     // all signed
    output reg  [S-1:0]    upper_right,
    output reg  [S-1:0]    lower_left,
    output reg  [S-1:0]    lower_right
);

    function [S-1:0] quad(input [16*W-1:0] all, input integer n);
        quad = {{(S-W){all[n*W+W-1]}}, all[n*W +: W]};
    endfunction

    (* mem2reg *) reg  [S-1:0] upper_q [0:3];         // by column
    (* mem2reg *) reg  [S-1:0] lower_q [0:3];
    wire [S-1:0] row3    = {S{!tile[0]}};
    wire [S-1:0] column3 = {S{!tile[1]}};
    integer      c;

    always @(posedge clk) begin
        for (c = 0; c < 4; c = c + 1) begin
            if (enable[0]) begin
                upper_q[c] <= quad(quads, c) + quad(quads, 4 + c) + quad(quads, 8 + c)
                              + (quad(quads, 12 + c) & row3);
            end
            if (enable[0] && tile[0]) begin
                lower_q[c] <= quad(quads, 4 + c) - quad(quads, 8 + c) - quad(quads, 12 + c);
            end
        end
        if (enable[1]) begin
            upper_left <= upper_q[0] + upper_q[1] + upper_q[2] + (upper_q[3] & column3);
        end
        if (enable[1] && tile[1]) begin
            upper_right <= upper_q[1] - upper_q[2] - upper_q[3];
            lower_left  <= lower_q[0] + lower_q[1] + lower_q[2];
            lower_right <= lower_q[1] - lower_q[2] - lower_q[3];
        end
    end

endmodule

`default_nettype wire
