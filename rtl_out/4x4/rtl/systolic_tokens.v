// Made by macrame 0.1.0 from templates/systolic/resolver/systolic_tokens.v
// with token_depth=4

// Tokens from a module to a neighbour: up to 4.
// A token can be popped in the cycle after its push. Reset: none. Without run: the same.
`default_nettype none

module systolic_tokens (
    input  wire clk,
    input  wire rst_n,
    input  wire run,
    input  wire push,                 // only while there is room
    input  wire pop,                  // only while there are some
    output wire some,
    output wire room
);

    localparam COUNT_W = 3;
    localparam [COUNT_W-1:0] ONE         = 3'd1;
    localparam [COUNT_W-1:0] ALL_BUT_ONE = 3'd3;

    reg [COUNT_W-1:0] count_q;
    reg               some_q;
    reg               room_q;

    assign some = some_q;
    assign room = room_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            count_q <= {COUNT_W{1'b0}};
            some_q  <= 1'b0;
            room_q  <= 1'b1;
        end else if (!run) begin
            count_q <= {COUNT_W{1'b0}};
            some_q  <= 1'b0;
            room_q  <= 1'b1;
        end else if (push != pop) begin
            count_q <= push ? count_q + ONE : count_q - ONE;
            some_q  <= push || count_q != ONE;
            room_q  <= pop || count_q != ALL_BUT_ONE;
        end
    end

endmodule

`default_nettype wire
