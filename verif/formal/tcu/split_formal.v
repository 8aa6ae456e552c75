// tcu_split: the pieces of an instruction are its vectors, in order, each once, and each piece
// stays within a block: what tcu_scoreboard rests on. One instruction, any, bears a mark in the
// bits that go with all pieces. Bounded.
`default_nettype none

module split_formal #(
    parameter STEP = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire       in_whole,
    input wire       in_down,
    input wire       in_follow,
    input wire [2:0] in_local,
    input wire       in_stride0,
    input wire [7:0] in_other,
    input wire       in_stride1,
    input wire [2:0] in_count,
    input wire       piece_ready
);

    (* anyseq *) reg mark;
    wire        rst_n, in_ready, piece_valid, piece_follow, piece_stride0, piece_stride1, busy;
    wire [14:0] in_info = {14'd0, mark};
    wire [14:0] piece_info;
    wire [2:0]  piece_local;
    wire [7:0]  piece_other;
    wire [2:0]  piece_count;
    wire        piece_first;
    wire [1:0]  piece_high;

    reset_once u_reset (.clk(clk), .rst_n(rst_n));
    tcu_split u_dut (
        .clk(clk), .rst_n(rst_n), .in_valid(in_valid), .in_ready(in_ready), .in_info(in_info),
        .in_whole(in_whole), .in_down(in_down), .in_follow(in_follow), .in_local(in_local),
        .in_stride0(in_stride0), .in_other(in_other), .in_stride1(in_stride1), .in_count(in_count),
        .piece_valid(piece_valid), .piece_ready(piece_ready), .piece_info(piece_info),
        .piece_follow(piece_follow), .piece_local(piece_local), .piece_stride0(piece_stride0),
        .piece_other(piece_other), .piece_stride1(piece_stride1), .piece_count(piece_count),
        .piece_first(piece_first), .piece_high(piece_high), .split_busy(busy)
    );
    held #(.W(35)) u_out (
        .clk(clk), .rst_n(rst_n), .valid(piece_valid), .ready(piece_ready),
        .data({piece_info, piece_follow, piece_local, piece_stride0, piece_other, piece_stride1,
               piece_count, piece_first, piece_high}));

    // Legal addresses; only transfers follow each other in DRAM, only those of weights go down.
    wire [8:0] in_reach0 = {6'd0, in_local} + ({6'd0, in_count} << in_stride0);
    wire [9:0] in_reach1 = {2'd0, in_other} + ({7'd0, in_count} << in_stride1);

    always @(posedge clk) begin
        assume (in_whole || in_reach0 < 9'd8);
        assume (in_reach1 < 10'd256);
        assume (!in_follow || (!in_stride1 && !in_whole && !in_down));
    end

    // ------------------------------------------------------------------ the marked one
    reg        marked_q;              // it has gone in
    reg        whole_q, down_q, follow_q, stride0_q, stride1_q;
    reg  [2:0] local_q;
    reg  [7:0] other_q;
    reg  [2:0] count_q;
    reg  [3:0] given_q;               // its vectors that have come out

    wire       piece   = piece_valid && piece_info[0];
    wire [2:0] index   = down_q ? count_q - given_q[2:0] : given_q[2:0];
    wire [2:0] first   = local_q + (index << stride0_q);
    wire [7:0] other   = other_q + ({5'd0, given_q[2:0]} << stride1_q);
    wire [3:0] rest    = {1'b0, count_q} - given_q;      // vectors - 1
    wire [2:0] ahead   = piece_count << stride0_q;
    wire [7:0] highest = piece_other + ({5'd0, piece_count} << stride1_q);
    wire [2:0] final   = down_q ? piece_local - ahead : piece_local + ahead;

    always @(posedge clk) begin
        if (!rst_n) begin
            marked_q <= 1'b0;
            given_q  <= 4'd0;
        end else begin
            if (in_valid && in_ready && mark) marked_q <= 1'b1;
            if (piece && piece_ready) given_q <= given_q + {1'b0, piece_count} + 4'd1;
        end
        if (!marked_q) begin
            whole_q   <= in_whole;
            down_q    <= in_down;
            follow_q  <= in_follow;
            stride0_q <= in_stride0;
            stride1_q <= in_stride1;
            local_q   <= in_local;
            other_q   <= in_other;
            count_q   <= in_count;
        end
        assume (!mark || !marked_q);
    end

    claim #(.RANK(1), .STEP(STEP)) u_pieces (.clk(clk), .rst_n(rst_n), .holds(&{
        piece_info[14:1] == 14'd0 || !piece_valid,
        !piece || (marked_q && given_q <= {1'b0, count_q} && {1'b0, piece_count} <= rest),
        !piece || (piece_follow == follow_q && piece_stride0 == stride0_q &&
                   piece_stride1 == stride1_q),
        !piece || whole_q || piece_local == first,
        !piece || whole_q || (final[2] == piece_local[2] && piece_count < 3'd4),
        !piece || !whole_q || piece_count == count_q,
        !piece || piece_other == other,
        !piece || piece_first == (given_q == 4'd0),
        !piece || (follow_q ? piece_high >= highest[7:6] : piece_high == highest[7:6]),
        !piece || !follow_q ||
            {1'b0, piece_other[5:0]} + {4'd0, piece_count} < 7'd64,
        // All of it, before another one comes.
        given_q == 4'd0 || piece || !piece_valid || given_q == {1'b0, count_q} + 4'd1}));

    // Three pieces: both blocks of local memory, one of them in two blocks of DRAM.
    reg [1:0] pieces_q;

    always @(posedge clk) begin
        if (!rst_n)                    pieces_q <= 2'd0;
        else if (piece && piece_ready) pieces_q <= pieces_q + 2'd1;
    end

    seen #(.STEP(STEP)) u_seen (.clk(clk), .rst_n(rst_n), .happens(
        pieces_q == 2'd3 && given_q == {1'b0, count_q} + 4'd1));

endmodule

`default_nettype wire
