// Made by macrame 0.1.0 from templates/systolic/load/systolic_rotate.v

// Bytes turned to higher lanes, those of the highest lanes to the lowest. Combinational.
`default_nettype none

module systolic_rotate #(
    parameter BYTES = 16              // a power of two from 2
) (
    input  wire [8*BYTES-1:0]         in,
    input  wire [$clog2(BYTES)-1:0]   by,         // lanes
    output reg  [8*BYTES-1:0]         out
);

    integer s;

    always @* begin
        out = in;
        for (s = 0; s < $clog2(BYTES); s = s + 1)
            if (by[s]) out = (out << (8 << s)) | (out >> (8*BYTES - (8 << s)));
    end

endmodule

`default_nettype wire
