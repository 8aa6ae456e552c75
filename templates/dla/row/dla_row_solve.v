// Solves a row: from its sums to the scale of its elements, one product at a time.
//
//   softmax   1 / total: three steps of Newton and Raphson, bit by bit those of TFLite's reference
//   norms     1 / sqrt(variance), in the same way;
//             variance = count * total - sum * sum + epsilon, 8 fraction bits
//
// x, the seed and the results of steps have 29 fraction bits; m is the total or the variance, moved
// left until its first bits are not 0, with 31.
// Contract: a product takes 6 cycles, a softmax up to 77 and a norm up to 112 from the sums to the
// result. The sums stay until that is taken. Reset: idle.
`default_nettype none

module dla_row_solve (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         softmax,
    input  wire [12:0]  count,                         // channels
    input  wire [31:0]  epsilon,
    input  wire [5:0]   shift,                         // of norms

    // sums of a row
    input  wire         sum_valid,
    output wire         sum_taken,
    input  wire [20:0]  sum,                           // signed
    input  wire [31:0]  total,

    // v = x * scale + start * 2^8, then >> shift_out
    output wire         out_valid,
    input  wire         out_taken,
    output wire [33:0]  out_scale,                     // signed
    output wire [41:0]  out_start,                     // signed
    output wire [5:0]   out_shift
);

    localparam [3:0] IDLE = 4'd0, TOTAL = 4'd1, CENTRE = 4'd2, MOVE = 4'd3, SEED = 4'd4,
                     SQUARE = 4'd5, ERROR = 4'd6, STEP = 4'd7, SCALE = 4'd8, START = 4'd9,
                     DONE = 4'd10;

    // 48/17 - 32/17 m of the reference; the line through 1/sqrt(m), m from 1/4 to 1, that is
    // nowhere farther from it than 1/11.
    localparam signed [31:0] RECIPROCAL_SEED = 32'd1515870810, RECIPROCAL_SLOPE = -32'd1010580540;
    localparam signed [31:0] ROOT_SEED       = 32'd1145023540, ROOT_SLOPE       = -32'd654299166;

    reg  [3:0]  state_q;
    reg  [5:0]  time_q;                                // of a product: one bit, cycle 0 to 5
    reg  [1:0]  round_q;                               // steps done
    reg  [49:0] v_q;                                   // total or variance
    reg  [4:0]  moved_q;
    reg  [31:0] x_q, e_q;
    reg  [33:0] scale_q;
    reg  [41:0] mean_q;

    // ------------------------------------------------------------------ product
    wire [31:0] m    = {1'b0, v_q[49:19]};
    wire [31:0] n    = {19'd0, count};
    wire [31:0] wide = {{11{sum[20]}}, sum};
    reg  [31:0] a, b;

    always @* begin
        case (state_q)
            TOTAL, SCALE:  a = n;
            CENTRE, START: a = wide;
            SQUARE, STEP:  a = x_q;
            default:       a = m;
        endcase
        case (state_q)
            TOTAL:         b = total;
            CENTRE:        b = wide;
            SEED:          b = softmax ? RECIPROCAL_SLOPE : ROOT_SLOPE;
            STEP:          b = e_q;
            ERROR:         b = softmax ? x_q : e_q;
            default:       b = x_q;
        endcase
    end

    // The low digit of b in cycle 0, the high one in cycle 1; their products 3 cycles later.
    reg  [31:0]        a_q;
    reg  [17:0]        digit_q;
    wire [17:0]        digit = time_q[0] ? {1'b0, b[16:0]} : {{3{b[31]}}, b[31:17]};
    wire signed [49:0] partial;
    reg  signed [49:0] low_q;
    reg  signed [62:0] product_q;
    wire               exact = state_q == TOTAL || state_q == CENTRE || state_q == SCALE
                            || state_q == START;
    wire signed [62:0] high  = {partial[45:0], 17'd0};
    wire [31:0]        p     = product_q[62:31];       // of numbers with 31 fraction bits

    mult_pipe #(.A_W(32), .B_W(18)) u_product (
        .clk(clk), .load(2'b11), .a(a_q), .b(digit_q), .p_q(partial)
    );

    always @(posedge clk) begin
        a_q     <= a;
        digit_q <= digit;
        if (time_q[3]) low_q     <= exact ? partial : partial + 50'sd1073741824;
        if (time_q[4]) product_q <= high + {{13{low_q[49]}}, low_q};
    end

    // ------------------------------------------------------------------ states
    wire       moved   = v_q[49] || (!softmax && v_q[48]) || moved_q == (softmax ? 5'd31 : 5'd24);
    wire       ended   = time_q[5];                    // of a product
    wire       last    = round_q == 2'd2;
    wire       product = state_q != IDLE && state_q != MOVE && state_q != DONE;
    reg  [3:0] next;

    always @* begin
        next = state_q;
        case (state_q)
            IDLE:    if (sum_valid) next = softmax ? MOVE : TOTAL;
            TOTAL:   if (ended) next = CENTRE;
            CENTRE:  if (ended) next = MOVE;
            MOVE:    if (moved) next = SEED;
            SEED:    if (ended) next = softmax ? ERROR : SQUARE;
            SQUARE:  if (ended) next = ERROR;
            ERROR:   if (ended) next = STEP;
            STEP:    if (ended) next = softmax ? (last ? DONE : ERROR) : last ? SCALE : SQUARE;
            SCALE:   if (ended) next = START;
            START:   if (ended) next = DONE;
            default: if (out_taken) next = IDLE;
        endcase
    end

    always @(posedge clk) begin
        if (state_q == IDLE) begin
            v_q     <= {total, 18'd0};
            moved_q <= 5'd0;
            round_q <= 2'd0;
        end
        if (state_q == MOVE && !moved) begin
            v_q     <= softmax ? {v_q[48:0], 1'b0} : {v_q[47:0], 2'b00};
            moved_q <= moved_q + 5'd1;
        end
        if (ended) begin
            case (state_q)
                TOTAL:   v_q     <= {product_q[41:0], 8'd0} + {18'd0, epsilon};
                CENTRE:  v_q     <= v_q - {product_q[41:0], 8'd0};
                SEED:    x_q     <= p + (softmax ? RECIPROCAL_SEED : ROOT_SEED);
                SQUARE:  e_q     <= p;
                ERROR:   e_q     <= {2'd0, softmax, 1'b0, !softmax, 27'd0} - p;   // 1 - p
                STEP:    x_q     <= x_q + (softmax ? {p[29:0], 2'd0} : {p[28:0], 3'd0});
                SCALE:   scale_q <= product_q[44:11];
                default: mean_q  <= product_q[52:11];
            endcase
            if (state_q == STEP) round_q <= round_q + 2'd1;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q <= IDLE;
            time_q  <= 6'd1;
        end else begin
            state_q <= next;
            time_q  <= product ? {time_q[4:0], time_q[5]} : 6'd1;
        end
    end

    // ------------------------------------------------------------------ result
    // The reciprocal of exactly one half is 2, which has no bit.
    wire        most     = x_q[31:30] == 2'b01;
    wire [31:0] inverse  = most ? 32'h7fffffff : {x_q[30:0], 1'b0};
    wire [6:0]  exponent = softmax ? 7'd37 - {2'd0, moved_q} : {1'b0, shift} - {2'd0, moved_q};

    assign sum_taken = state_q == DONE && out_taken;
    assign out_valid = state_q == DONE;
    assign out_scale = softmax ? {{2{inverse[31]}}, inverse} : scale_q;
    assign out_start = softmax ? 42'd4194304 : -mean_q;
    assign out_shift = exponent[6] ? 6'd0 : exponent[5:0];

endmodule

`default_nettype wire
