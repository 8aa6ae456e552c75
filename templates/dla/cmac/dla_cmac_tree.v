// CMAC tree: adds the ${quads} sums of four lanes that a cell has. ${levels == 1 ? "One cycle." : "Two cycles."}
// Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_tree #(
    parameter W = 34,
    parameter S = W + ${clog2(quads)}         // bits of the sum
) (
    input  wire         clk,
    input  wire [${levels - 1}:0]   enable,         // of a beat: level n
    input  wire [${quads}*W-1:0] quads,
    output reg  [S-1:0] sum             // all signed
);

    function [S-1:0] quad(input [${quads}*W-1:0] all, input integer n);
        quad = {{(S-W){all[n*W+W-1]}}, all[n*W +: W]};
    endfunction

//% if levels == 2
    (* mem2reg *) reg [S-1:0] column_q [0:3];
    integer     c;

    always @(posedge clk) begin
        for (c = 0; c < 4; c = c + 1) begin
//% if rows == 4
            if (enable[0]) begin
                column_q[c] <= quad(quads, c) + quad(quads, 4 + c) + quad(quads, 8 + c)
                               + quad(quads, 12 + c);
            end
//% else
            if (enable[0]) column_q[c] <= quad(quads, c) + quad(quads, 4 + c);
//% end
        end
        if (enable[1]) sum <= column_q[0] + column_q[1] + column_q[2] + column_q[3];
    end
//% elif quads == 4
    always @(posedge clk) begin
        if (enable[0]) begin
            sum <= quad(quads, 0) + quad(quads, 1) + quad(quads, 2) + quad(quads, 3);
        end
    end
//% else
    always @(posedge clk) begin
        if (enable[0]) sum <= quad(quads, 0) + quad(quads, 1);
    end
//% end

endmodule

`default_nettype wire
