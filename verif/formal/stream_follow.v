// stream_check for induction: no counter grows for ever, so that the state has bounds. The solver
// picks words to be followed, one after the other; the picked one and what is in front of it can be
// seen. In bounded proofs stream_check is faster.
`default_nettype none

module stream_follow #(
    parameter W    = 4,               // bits of a word
    parameter CNT  = 6                // bits of the counters: more words than are ever inside
) (
    input  wire           clk,
    input  wire           rst_n,
    input  wire           push,
    input  wire [W-1:0]   push_data,
    input  wire           pop,
    input  wire [W-1:0]   pop_data,
    output wire [CNT-1:0] level,
    output wire           picked,     // a word is followed
    output wire [CNT-1:0] ahead,      // words in front of it
    output wire [W-1:0]   word
);

    localparam [CNT-1:0] NONE = {CNT{1'b0}};

    (* anyseq *) reg pick;            // follow the word that goes in now
    reg  [CNT-1:0] level_q;
    reg            inside_q;          // the picked word
    reg  [CNT-1:0] ahead_q;           // words in front of it
    reg  [W-1:0]   word_q;

    wire through = push && pop && level_q == NONE;       // in and out in one cycle
    wire leaves  = inside_q && pop && ahead_q == NONE;
    wire follow  = pick && push && !through && !inside_q;

    assign level  = level_q;
    assign picked = inside_q;
    assign ahead  = ahead_q;
    assign word   = word_q;

    always @(posedge clk) begin
        if (!rst_n) begin
            level_q  <= NONE;
            inside_q <= 1'b0;
            ahead_q  <= NONE;
        end else begin
            level_q  <= level_q + {{(CNT-1){1'b0}}, push} - {{(CNT-1){1'b0}}, pop};
            inside_q <= follow || (inside_q && !leaves);
            ahead_q  <= (follow ? level_q : ahead_q) - {{(CNT-1){1'b0}}, pop};
            if (follow) word_q <= push_data;
        end
    end

    always @(posedge clk) begin
        if (rst_n) begin
            // Nothing leaves that has not gone in.
            if (pop) assert (level_q != NONE || push);
            if (through) assert (pop_data == push_data);
            if (leaves) assert (pop_data == word_q);
            if (inside_q) assert (ahead_q < level_q);
        end
    end

endmodule

`default_nettype wire
