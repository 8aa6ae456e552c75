// Pre-addition of Winograd on integers: a tile of 4 x 4 pixels of one channel, rows, then columns
//
//     rows     m0 = d0 - d2   m1 = d1 + d2   m2 = d2 - d1   m3 = d1 - d3
//     columns  the same of m
//
// The result loses `truncate` bits, rounded half away from zero, and is limited to its type.
// Latency 3, stage i + 1 moves with load[i]. No reset.
`default_nettype none

module dla_csc_pra (
    input  wire           clk,
    input  wire [2:0]     load,
    input  wire           int8,  //% if types.mix
    input  wire [1:0]     truncate,      // 3 is 2
    input  wire [${16 * types.lane_bits - 1}:0]   in,            // row by row
    output reg  [${16 * types.lane_bits - 1}:0]   out_q
);

    localparam W = ${types.lane_bits};

    reg [W-1:0]        d0, d1, d2, d3;
    reg [W:0]          m0, m1, m2, m3;
    reg [16*(W+1)-1:0] rows, rows_q;
    reg [16*(W+2)-1:0] cols, cols_q;
    reg [16*W-1:0]     out;
    reg [W+2:0]        more, less;
    reg                sign, fits;
    integer            i, j, k;

    always @* begin
        for (i = 0; i < 4; i = i + 1) begin
            d0 = in[W*i +: W];
            d1 = in[W*(4 + i) +: W];
            d2 = in[W*(8 + i) +: W];
            d3 = in[W*(12 + i) +: W];
            rows[(W+1)*i +: W+1]        = {d0[W-1], d0} - {d2[W-1], d2};
            rows[(W+1)*(4 + i) +: W+1]  = {d1[W-1], d1} + {d2[W-1], d2};
            rows[(W+1)*(8 + i) +: W+1]  = {d2[W-1], d2} - {d1[W-1], d1};
            rows[(W+1)*(12 + i) +: W+1] = {d1[W-1], d1} - {d3[W-1], d3};
        end
    end

    always @* begin
        for (j = 0; j < 4; j = j + 1) begin
            m0 = rows_q[(W+1)*(4*j) +: W+1];
            m1 = rows_q[(W+1)*(4*j + 1) +: W+1];
            m2 = rows_q[(W+1)*(4*j + 2) +: W+1];
            m3 = rows_q[(W+1)*(4*j + 3) +: W+1];
            cols[(W+2)*(4*j) +: W+2]     = {m0[W], m0} - {m2[W], m2};
            cols[(W+2)*(4*j + 1) +: W+2] = {m1[W], m1} + {m2[W], m2};
            cols[(W+2)*(4*j + 2) +: W+2] = {m2[W], m2} - {m1[W], m1};
            cols[(W+2)*(4*j + 3) +: W+2] = {m1[W], m1} - {m3[W], m3};
        end
    end

    // A half is added, to a negative number less than that.
    always @* begin
        for (k = 0; k < 16; k = k + 1) begin
            sign = cols_q[(W+2)*k + W+1];
            more = {sign, cols_q[(W+2)*k +: W+2]}
                   + {{(W+1){1'b0}}, truncate[1] && !sign,
                      truncate[1] ? sign : truncate[0] && !sign};
            less = truncate[1] ? {{2{more[W+2]}}, more[W+2:2]} :
                   truncate[0] ? {more[W+2], more[W+2:1]} : more;
//% if types.mix
            fits = int8 ? less[W+2:7] == {(W+3-7){less[W+2]}}
                        : less[W+2:15] == {(W+3-15){less[W+2]}};
            out[W*k +: W] = fits ? less[W-1:0] :
                            int8 ? {{9{less[W+2]}}, {7{!less[W+2]}}}
                                 : {{1{less[W+2]}}, {15{!less[W+2]}}};
//% else
            fits = less[W+2:${types.lane_bits - 1}] == {(W+3-${types.lane_bits - 1}){less[W+2]}};
            out[W*k +: W] = fits ? less[W-1:0] : {{1{less[W+2]}}, {${types.lane_bits - 1}{!less[W+2]}}};
//% end
        end
    end

    always @(posedge clk) begin
        if (load[0]) rows_q <= rows;
        if (load[1]) cols_q <= cols;
        if (load[2]) out_q  <= out;
    end

endmodule

`default_nettype wire
