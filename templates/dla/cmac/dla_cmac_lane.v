// CMAC lane: the product of a weight and data, shifted right. As the documents want it, the eight
// Booth digits of the weight become two rows by carry-save adders, and each row is shifted:
//
//    weight --> rows of digits 0 .. 3 --> flop --> 4 rows to 2 --> shift --> flop --> add
//               rows of digits 4 .. 7
//
// Bits that are shifted out of the rows give no carry. A row of a digit is not sign extended: the
// sum of all rows has an offset, which is taken away with the last addition.
// Two int8 weights are the digits 0 .. 3 and 4 .. 7: their rows stay apart.  //% if int8
// Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_lane (
    input  wire         clk,
    input  wire [2:0]   enable,     // of a beat: rows, shift, product
    input  wire         fp,      // with enable[0]: fp16  //% if mixed
    input  wire         pair,       // int8  //% if int8
    input  wire [${mant_w - 1}:0]  weight,     // with enable[0]
    input  wire [${mant_w - 1}:0]  dat,
    input  wire         flip,       // the product gets the other sign
    input  wire         off,        // with enable[1]: it is 0
    input  wire [2:0]   shift,      // steps of 4 bits
    input  wire         fp_shift,  //% if mixed
//% if int8
    input  wire         pair_shift,
    input  wire         pair_add,   // with enable[2]
    // 65536 * high + low; int8: the products of both kernels
    output reg  [18:0]  low,        // both signed
    output reg  [15:0]  high
//% else
    output reg  [31:0]  product     // signed
//% end
);

    // ---------------------------------------------------------------- rows of digits
    // {increment, row} of a digit: row = digit * data + the offset, less the increment.
//% if mixed
    function [18:0] digit(input [2:0] code, input [15:0] d, input is_fp);
        reg        once, twice, invert;
        reg [17:0] v;
        begin
            once   = code[1] ^ code[0];
            twice  = (code == 3'd3) || (code == 3'd4);
            invert = code[2] && (code != 3'd7);
            v      = (({18{once}} & {{2{d[15]}}, d}) | ({18{twice}} & {d[15], d, 1'b0}))
                     ^ {18{invert}};
            digit  = {invert, (v & {!is_fp, 17'h1FFFF}) ^ {!is_fp, is_fp, 16'd0}};
        end
    endfunction
//% else
    function [18:0] digit(input [2:0] code, input [13:0] d);
        reg        once, twice, invert;
        reg [15:0] v;
        begin
            once   = code[1] ^ code[0];
            twice  = (code == 3'd3) || (code == 3'd4);
            invert = code[2] && (code != 3'd7);
            v      = (({16{once}} & {2'd0, d}) | ({16{twice}} & {1'b0, d, 1'b0})) ^ {16{invert}};
            digit  = {invert, 1'b0, !invert, v};
        end
    endfunction
//% end

    // {carry, sum} of three rows.
    function [47:0] csa24(input [23:0] a, input [23:0] b, input [23:0] c);
        reg [22:0] majority;
        begin
            majority = (a[22:0] & b[22:0]) | (a[22:0] & c[22:0]) | (b[22:0] & c[22:0]);
            csa24    = {majority, 1'b0, a ^ b ^ c};
        end
    endfunction

    function [63:0] csa32(input [31:0] a, input [31:0] b, input [31:0] c);
        reg [30:0] majority;
        begin
            majority = (a[30:0] & b[30:0]) | (a[30:0] & c[30:0]) | (b[30:0] & c[30:0]);
            csa32    = {majority, 1'b0, a ^ b ^ c};
        end
    endfunction

    // Four digits of a half of the weight; the increment of a digit stands in the row of the next.
    function [47:0] rows(input [8:0] half, input [${mant_w - 1}:0] d${mixed ? ", input is_fp" : ""});
        reg [18:0] d0, d1, d2, d3;
        reg [47:0] a, b;
        begin
            d0   = digit(half[2:0], d${mixed ? ", is_fp" : ""});
            d1   = digit(half[4:2], d${mixed ? ", is_fp" : ""});
            d2   = digit(half[6:4], d${mixed ? ", is_fp" : ""});
            d3   = digit(half[8:6], d${mixed ? ", is_fp" : ""});
            a    = csa24({6'd0, d0[17:0]}, {4'd0, d1[17:0], 1'b0, d0[18]},
                         {2'd0, d2[17:0], 1'b0, d1[18], 2'd0});
            b    = csa24(a[23:0], a[47:24], {d3[17:0], 1'b0, d2[18], 4'd0});
            rows = csa24(b[23:0], b[47:24], {17'd0, d3[18], 6'd0});
        end
    endfunction

    wire [8:0]  turn = {9{flip}};
    wire [15:0] w    = ${mixed ? "weight" : "{2'd0, weight}"};
    reg  [47:0] low_q, high_q;      // {carry, sum} of the halves

    always @(posedge clk) begin
        if (enable[0]) begin
            low_q  <= rows({w[7:0], 1'b0} ^ turn, dat${mixed ? ", fp" : ""});
            high_q <= rows({w[15:8], ${int8 ? "w[7] && !pair" : "w[7]"}} ^ turn, dat${mixed ? ", fp" : ""});
        end
    end

    // ---------------------------------------------------------------- shift
    wire [63:0] three = csa32({8'd0, low_q[23:0]}, {8'd0, low_q[47:24]}, {high_q[23:0], 8'd0});
    wire [63:0] two   = csa32(three[31:0], three[63:32], {high_q[47:24], 8'd0});
    wire [4:0]  bits  = {shift, 2'd0};
    reg  [31:0] sum_q, carry_q, offset_q;

    // What is to be added for the offset that is left.
    function [31:0] correction(input [2:0] steps);
        case (steps)
            3'd0:    correction = 32'hAAAB0000;
            3'd1:    correction = 32'hFAAAB000;
            3'd2:    correction = 32'hFFAAAB00;
            3'd3:    correction = 32'hFFFAAAB0;
            3'd4:    correction = 32'hFFFFAAAB;
            3'd5:    correction = 32'hFFFFFAAB;
            3'd6:    correction = 32'hFFFFFFAB;
            default: correction = 32'hFFFFFFFB;
        endcase
    endfunction

    always @(posedge clk) begin
        if (enable[1]) begin
            sum_q    <= two[31:0] >> bits;
            carry_q  <= two[63:32] >> bits;
            offset_q <= fp_shift ? correction(shift) : 32'h55560000;  //% if mixed
            offset_q <= correction(shift);  //% if !mixed
//% if int8
            if (pair_shift) begin
                sum_q    <= {high_q[15:0], low_q[15:0]};
                carry_q  <= {high_q[39:24], low_q[39:24]};
                offset_q <= 32'd0;
            end
//% end
            if (off) begin
                sum_q    <= 32'd0;
                carry_q  <= 32'd0;
                offset_q <= 32'd0;
            end
        end
    end

    // ---------------------------------------------------------------- product
//% if int8
    wire [17:0] low_all = {2'd0, sum_q[15:0]} + {2'd0, carry_q[15:0]} + {2'd0, offset_q[15:0]};

    always @(posedge clk) begin
        if (enable[2]) begin
            low  <= pair_add ? {{3{low_all[15]}}, low_all[15:0]} : {1'b0, low_all};
            high <= sum_q[31:16] + carry_q[31:16] + offset_q[31:16];
        end
    end
//% else
    always @(posedge clk) begin
        if (enable[2]) product <= sum_q + carry_q + offset_q;
    end
//% end

endmodule

`default_nettype wire
