// Sum of the squares in the window of channels around each element, in floating point: the nearest
// pair first, then the element itself, then pair by pair.
//
//     in --> ${fp_near} beat(s) --> centre --> ${fp_near} beat(s)
//
// Contract: one beat of ${lanes16} element(s) per cycle, nothing stalls. A beat comes out ${2 + 25} cycles behind
// the ${fp_near} beat(s) after it. The end of a layer pushes itself out. Reset: empty.
`default_nettype none

module dla_cdp_fp_window (
    input  wire        clk,
    input  wire        rst_n,

    input  wire [1:0]  half,                 // channels on each side - 1

    input  wire        in_valid,
    input  wire [${17 * lanes16 - 1}:0] in_v,                 // fp17
    input  wire [${32 * lanes16 - 1}:0] in_square,            // fp32
    input  wire        in_first,             // first beat of a pixel
    input  wire [2:0]  in_tag,               // any; bit 0: last beat of the layer

    output wire        out_valid,
    output wire [${32 * lanes16 - 1}:0] out_sum,
    output wire [${17 * lanes16 - 1}:0] out_v,
    output wire [2:0]  out_tag
);

    localparam LANES = ${lanes16};
    localparam NEAR  = ${fp_near};                    // beats on each side
    localparam BEATS = 2 * NEAR + 1;
    localparam ROW   = 32 * LANES;

    // ------------------------------------------------------------------ beats around the centre
    reg  [BEATS*ROW-1:0]        q_q;         // newest beat in the low bits
    reg  [BEATS-1:0]            first_q;
    reg  [NEAR:0]               valid_q;
    reg  [(NEAR+1)*17*LANES-1:0] v_q;
    reg  [(NEAR+1)*3-1:0]       tag_q;
    reg                         drain_q;     // the last beat of the layer is in the window
    wire                        shift = in_valid || drain_q;
    wire                        out   = shift && valid_q[NEAR];
    wire [2:0]                  tag   = tag_q[3*NEAR +: 3];

    always @(posedge clk) begin
        if (shift) begin
            q_q     <= {q_q[(BEATS-1)*ROW-1:0], in_square};
            first_q <= {first_q[BEATS-2:0], in_first};
            v_q     <= {v_q[NEAR*17*LANES-1:0], in_v};
            tag_q   <= {tag_q[NEAR*3-1:0], in_tag};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= {(NEAR+1){1'b0}};
            drain_q <= 1'b0;
        end else if (shift) begin
            valid_q <= {valid_q[NEAR-1:0], in_valid};
            drain_q <= (in_valid && in_tag[0]) || (drain_q && !(out && tag[0]));
        end
    end

    // Beats of the centre's pixel: bit NEAR + n is n beats ahead, NEAR - n behind.
    reg  [BEATS-1:0] same;
    integer          n;

    always @* begin
        same = {BEATS{1'b0}};
        same[NEAR] = 1'b1;
        for (n = 1; n <= NEAR; n = n + 1) begin
            same[NEAR+n] = same[NEAR+n-1] && valid_q[NEAR-n] && !first_q[NEAR-n];
            same[NEAR-n] = same[NEAR-n+1] && !first_q[NEAR+n-1];
        end
    end

    // Squares in the order of the channels, 0 outside the pixel.
    wire [BEATS*ROW-1:0] around;
    genvar               g, d;

    generate
        for (g = 0; g < BEATS; g = g + 1) begin : gen_beat
            assign around[ROW*g +: ROW] = q_q[ROW*(BEATS-1-g) +: ROW] & {ROW{same[g]}};
        end
    endgenerate

    // ------------------------------------------------------------------ sums
    // Stage i of the valid bits is behind the centre by i + 1 cycles; sums begin in stage 0.
    localparam STAGES = 26;
    reg  [STAGES-1:0]          on_q;
    reg  [3*STAGES-1:0]        tags_q;
    reg  [17*LANES*STAGES-1:0] vs_q;

    assign out_valid = on_q[STAGES-1];
    assign out_tag   = tags_q[3*STAGES-1 -: 3];
    assign out_v     = vs_q[17*LANES*STAGES-1 -: 17*LANES];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) on_q <= {STAGES{1'b0}};
        else        on_q <= {on_q[STAGES-2:0], out};
    end

    always @(posedge clk) begin
        tags_q <= {tags_q[3*STAGES-4:0], tag};
        vs_q   <= {vs_q[17*LANES*(STAGES-1)-1:0], v_q[17*LANES*NEAR +: 17*LANES]};
    end

    generate
        for (g = 0; g < LANES; g = g + 1) begin : gen_lane
            localparam OWN = 32 * (LANES*NEAR + g);
            reg  [5*32-1:0]  own_q;
            reg  [31:0]      centre_q;
            wire [4*32-1:0]  pair;                   // of the neighbours at distance 1 .. 4
            wire [4*32-1:0]  sum;

            always @(posedge clk) begin
                centre_q <= around[OWN +: 32];
                own_q    <= {own_q[4*32-1:0], centre_q};
            end

            for (d = 0; d < 4; d = d + 1) begin : gen_pair
                wire             on = {1'b0, half} + 3'd1 > d;
                reg [31:0]       below_q, above_q;
                wire [31:0]      both;

                always @(posedge clk) begin
                    below_q <= around[OWN-32*(d+1) +: 32] & {32{on}};
                    above_q <= around[OWN+32*(d+1) +: 32] & {32{on}};
                end

                fp_add #(.E(8), .M(23)) u_pair (
                    .clk(clk), .load(on_q[4:0]), .a(below_q), .b(above_q), .sum_q(both)
                );

                // A pair waits until the sum of the nearer ones is there.
                if (d == 0) begin : gen_wait
                    assign pair[31:0] = both;
                end else begin : gen_wait
                    reg [5*d*32-1:0] wait_q;

                    assign pair[32*d +: 32] = wait_q[5*d*32-1 -: 32];

                    always @(posedge clk) wait_q <= {wait_q[5*d*32-33:0], both};
                end

                if (d == 0) begin : gen_sum
                    fp_add #(.E(8), .M(23)) u_sum (
                        .clk(clk), .load(on_q[9:5]), .a(pair[31:0]), .b(own_q[5*32-1 -: 32]),
                        .sum_q(sum[31:0])
                    );
                end else begin : gen_sum
                    fp_add #(.E(8), .M(23)) u_sum (
                        .clk(clk), .load(on_q[5*d+5 +: 5]), .a(sum[32*(d-1) +: 32]),
                        .b(pair[32*d +: 32]), .sum_q(sum[32*d +: 32])
                    );
                end
            end

            assign out_sum[32*g +: 32] = sum[127:96];
        end
    endgenerate

endmodule

`default_nettype wire
