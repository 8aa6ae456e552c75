// A floating point number in a wider format: widen of the documents. Latency 1, moves with `load`.
// No reset.
//   A NaN keeps its payload in the low bits; infinity becomes the largest finite number. Denormal
//   numbers are normalised, or with NORMALISE = 0 read as if they had the implied one.
`default_nettype none

module fp_widen #(
    parameter EI = 5,                  // exponent and mantissa bits of the input
    parameter MI = 10,
    parameter EO = 8,                  // of the output
    parameter MO = 23,
    parameter NORMALISE = 1
) (
    input  wire           clk,
    input  wire           load,
    input  wire [EI+MI:0] in,
    output reg  [EO+MO:0] out_q
);

    // Difference of the biases.
    localparam [EO-1:0] REBASE = {1'b0, {(EO-1){1'b1}}} - {{(EO-EI+1){1'b0}}, {(EI-1){1'b1}}};

    wire          sign = in[EI+MI];
    wire [EI-1:0] exp  = in[MI +: EI];
    wire [MI-1:0] mant = in[MI-1:0];
    wire          top  = &exp;
    reg  [EO-1:0] rebased;
    reg  [MI-1:0] shifted;
    wire [MO-1:0] wide = {{(MO-MI){1'b0}}, shifted} << (MO - MI);
    wire [MO-1:0] low  = {{(MO-MI){1'b0}}, mant};
    integer       i;

    always @* begin
        rebased = {{(EO-EI){1'b0}}, exp} + REBASE;
        shifted = mant;
        i       = 0;      // no latch where the loop does not run
        if (NORMALISE != 0 && exp == {EI{1'b0}}) begin
            for (i = 0; i < MI; i = i + 1) begin
                if (mant[i]) begin
                    rebased = REBASE + {{(EO-1){1'b0}}, 1'b1} - MI[EO-1:0] + i[EO-1:0];
                    shifted = mant << (MI - i);
                end
            end
        end
    end

    always @(posedge clk) begin
        if (load) begin
            if (top && (|mant))        out_q <= {sign, {EO{1'b1}}, low};
            else if (top)              out_q <= {sign, {(EO-1){1'b1}}, 1'b0, {MO{1'b1}}};
            else if (!(|exp || |mant)) out_q <= {sign, {(EO+MO){1'b0}}};
            else                       out_q <= {sign, rebased, wide};
        end
    end

endmodule

`default_nettype wire
