// Made by macrame 0.1.0 from templates/tcu/decode/tcu_room.v

// Room: counts the places of a FIFO that are taken, from the moment that something is bound for it.
// room is a register: false while all places are taken. Reset: all are free.
`default_nettype none

module tcu_room #(
    parameter DEPTH = 2               // places
) (
    input  wire clk,
    input  wire rst_n,
    input  wire take,                 // only while there is room
    input  wire give,
    output reg  room
);

    localparam COUNT_W = $clog2(DEPTH + 1);

    reg  [COUNT_W-1:0] count_q;
    wire [COUNT_W-1:0] count = count_q + {{(COUNT_W-1){1'b0}}, take} - {{(COUNT_W-1){1'b0}}, give};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            count_q <= {COUNT_W{1'b0}};
            room    <= 1'b1;
        end else begin
            count_q <= count;
            room    <= count != DEPTH[COUNT_W-1:0];
        end
    end

endmodule

`default_nettype wire
