// Pre-addition of Winograd on fp16: a tile of 4 x 4 pixels of one channel, rows, then columns
//
//     rows     m0 = d0 - d2   m1 = d1 + d2   m2 = d2 - d1   m3 = d1 - d3
//     columns  the same of m
//
// in fp17: widen | row sums | column sums | narrow. Latency 13, stage i + 1 moves with load[i].
// No reset.
`default_nettype none

module dla_csc_pra_fp (
    input  wire           clk,
    input  wire [12:0]    load,
    input  wire [255:0]   in,            // row by row
    output wire [255:0]   out
);

    wire [16*17-1:0] d, m, v;

    genvar i, j;
    generate
        for (i = 0; i < 16; i = i + 1) begin : gen_convert
            fp_widen #(.EI(5), .MI(10), .EO(6), .MO(10)) u_widen (
                .clk   (clk),
                .load  (load[0]),
                .in    (in[16*i +: 16]),
                .out_q (d[17*i +: 17])
            );

            fp_narrow #(.EI(6), .MI(10), .EO(5), .MO(10)) u_narrow (
                .clk   (clk),
                .load  (load[12:11]),
                .in    (v[17*i +: 17]),
                .out_q (out[16*i +: 16])
            );
        end

        // Sum number i of four: of 0 and 2, 1 and 2, 2 and 1, 1 and 3; all but 1 are differences.
        for (i = 0; i < 4; i = i + 1) begin : gen_sum
            localparam A = i == 0 ? 0 : i == 2 ? 2 : 1;
            localparam B = i == 3 ? 3 : i == 2 ? 1 : 2;
            localparam [0:0] SUB = i != 1;

            for (j = 0; j < 4; j = j + 1) begin : gen_line
                fp_add #(.E(6), .M(10)) u_rows (
                    .clk   (clk),
                    .load  (load[5:1]),
                    .a     (d[17*(4*A + j) +: 17]),
                    .b     (d[17*(4*B + j) +: 17] ^ {SUB, 16'd0}),
                    .sum_q (m[17*(4*i + j) +: 17])
                );

                fp_add #(.E(6), .M(10)) u_cols (
                    .clk   (clk),
                    .load  (load[10:6]),
                    .a     (m[17*(4*j + A) +: 17]),
                    .b     (m[17*(4*j + B) +: 17] ^ {SUB, 16'd0}),
                    .sum_q (v[17*(4*j + i) +: 17])
                );
            end
        end
    endgenerate

endmodule

`default_nettype wire
