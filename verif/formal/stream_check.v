// Checks that a stream of words comes out as it went in: nothing lost, doubled or out of order.
// The solver picks one of the words; that one is followed. A word that has gone in leaves within
// WAIT cycles if the other side is willing; `level` words are inside.
`default_nettype none

module stream_check #(
    parameter W    = 4,               // bits of a word
    parameter CNT  = 6,               // bits of the counters: more words than a proof has cycles
    parameter WAIT = 0                // 0: not checked
) (
    input  wire           clk,
    input  wire           rst_n,
    input  wire           push,
    input  wire [W-1:0]   push_data,
    input  wire           pop,
    input  wire [W-1:0]   pop_data,
    output wire [CNT-1:0] level
);

    (* anyconst *) reg [CNT-1:0] pick;
    reg  [CNT-1:0] in_q;
    reg  [CNT-1:0] out_q;
    reg  [W-1:0]   word_q;
    reg  [CNT-1:0] wait_q;            // cycles since the picked word has gone in

    wire inside = in_q > pick && out_q <= pick;

    assign level = in_q - out_q;

    always @(posedge clk) begin
        if (!rst_n) begin
            in_q   <= {CNT{1'b0}};
            out_q  <= {CNT{1'b0}};
            wait_q <= {CNT{1'b0}};
        end else begin
            in_q  <= in_q + {{(CNT-1){1'b0}}, push};
            out_q <= out_q + {{(CNT-1){1'b0}}, pop};
            if (push && in_q == pick) word_q <= push_data;
            wait_q <= inside ? wait_q + 1'b1 : {CNT{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (rst_n) begin
            // Nothing leaves that has not gone in.
            if (pop) assert (level != {CNT{1'b0}} || push);
            if (pop && out_q == pick) assert (pop_data == (in_q == pick ? push_data : word_q));
            if (WAIT != 0) assert (wait_q <= WAIT);
        end
    end

endmodule

`default_nettype wire
