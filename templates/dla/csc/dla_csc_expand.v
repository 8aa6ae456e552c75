// Last but one part of the weight loader of CSC: puts the bytes of a load that are stored into
// their places, 0 into the others.
//
//     packed:   a b c d .. ..            Each byte moves up by the number of gaps below its place:
//     mask:     1 0 0 1 1 0 1            by powers of 2, the largest first. Which bytes move in a
//     bytes:    a 0 0 b c 0 d            step follows from the mask, the smallest step first.
//
// A byte moves in step s if the gaps below it have bit s set, that is, if there is an odd number of
// every 2**s-th gaps below it.
//
// Contract: the mask comes ${expand_early} cycles before its bytes, which leave a cycle after they came. A
// load per cycle. No reset: what is no load does nothing.
`default_nettype none

module dla_csc_expand (
    input  wire                       clk,            // runs while there is a layer

    input  wire [${entry_bytes - 1:3}:0]               mask,
    input  wire [${entry_bits - 1:3}:0]               packed_bytes,   // ${expand_early} cycles later
    output wire [${entry_bits - 1:3}:0]               bytes           // a cycle behind them
);

    localparam BYTES = ${entry_bytes};
    localparam STEPS = ${clog2(entry_bytes)};
    localparam LOW   = STEPS / 2;          // steps behind the register
    localparam FIRST = ${expand_early} - STEPS;    // cycle of the first step's moves
    localparam DLY   = ${expand_early} + 1;

    // Bit n: an odd number of bits 0 to n are set.
    function [BYTES-1:0] odd(input [BYTES-1:0] bits);
        integer n;
        begin
            odd = bits;
            for (n = 1; n < BYTES; n = 2 * n) odd = odd ^ (odd << n);
        end
    endfunction

    // ------------------------------------------------------------------ moves
    reg  [DLY*BYTES-1:0] mask_q;           // word n - 1: cycle n

    always @(posedge clk) begin
        mask_q <= {mask_q[(DLY-1)*BYTES-1:0], mask};
    end

    genvar g;
    generate
        for (g = 0; g < STEPS; g = g + 1) begin : gen_step
            // Until the bytes come; the lower steps come a cycle after the others.
            localparam KEEP = STEPS - g + (g < LOW ? 1 : 0);
            wire [BYTES-1:0] places, gaps;            // of bytes before this step; those to count
            wire [BYTES-1:0] set  = odd(gaps);
            wire [BYTES-1:0] here = set & places;     // places to which bytes move
            wire [BYTES-1:0] move;
            reg  [BYTES-1:0] places_q, gaps_q;
            reg  [KEEP*BYTES-1:0] move_q;

            if (g == 0) begin : gen_first
                assign places = mask_q[FIRST*BYTES-1 -: BYTES];
                assign gaps   = ~places << 1;
            end else begin : gen_next
                assign places = gen_step[g-1].places_q;
                assign gaps   = gen_step[g-1].gaps_q;
            end

            assign move = move_q[KEEP*BYTES-1 -: BYTES];

            always @(posedge clk) begin
                places_q <= (places ^ here) | (here >> (1 << g));
                gaps_q   <= gaps & ~set;
            end

            if (KEEP == 1) begin : gen_now
                always @(posedge clk) move_q <= here;
            end else begin : gen_later
                always @(posedge clk) move_q <= {move_q[(KEEP-1)*BYTES-1:0], here};
            end
        end
    endgenerate

    wire unused_bits = &{1'b0, gen_step[STEPS-1].places_q, gen_step[STEPS-1].gaps_q};

    // ------------------------------------------------------------------ bytes
    wire [STEPS*BYTES-1:0] moves;
    reg  [8*BYTES-1:0]     high, high_q, low;
    integer                s, n, t, m;

    generate
        for (g = 0; g < STEPS; g = g + 1) begin : gen_moves
            assign moves[g*BYTES +: BYTES] = gen_step[g].move;
        end
    endgenerate

    always @* begin
        high = packed_bytes;
        for (s = STEPS - 1; s >= LOW; s = s - 1) begin
            for (n = BYTES - 1; n >= (1 << s); n = n - 1) begin
                if (moves[s*BYTES + n]) high[8*n +: 8] = high[8*(n - (1 << s)) +: 8];
            end
        end
    end

    always @(posedge clk) begin
        high_q <= high;
    end

    always @* begin
        low = high_q;
        for (t = LOW - 1; t >= 0; t = t - 1) begin
            for (m = BYTES - 1; m >= (1 << t); m = m - 1) begin
                if (moves[t*BYTES + m]) low[8*m +: 8] = low[8*(m - (1 << t)) +: 8];
            end
        end
        for (m = 0; m < BYTES; m = m + 1) begin
            if (!mask_q[(DLY-1)*BYTES + m]) low[8*m +: 8] = 8'd0;
        end
    end

    assign bytes = low;

endmodule

`default_nettype wire
