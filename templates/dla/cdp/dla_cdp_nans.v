// Special numbers of an fp16 layer of CDP: in the cube, before the flush, and in what is written.
//
// Contract: counts up to two cycles later; sticks at all ones. `start` clears. No reset.
`default_nettype none

module dla_cdp_nans (
    input  wire        clk,
    input  wire        start,
    input  wire        taken,
    input  wire [${cdp_throughput - 1}:0]  mask,                 // bytes of the cube, not padding
    input  wire [${8 * cdp_throughput - 1}:0] data,
    input  wire        made,
    input  wire [${8 * cdp_throughput - 1}:0] results,
    output wire [31:0] nan_in,
    output wire [31:0] inf_in,
    output wire [31:0] nan_out
);

    localparam LANES = ${lanes16};

    reg  [3*LANES-1:0] marks_q;              // NaN out, Inf in, NaN in
    wire [3*LANES-1:0] marks;
    genvar             i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_mark
            wire in_top = taken && mask[2*i] && (&data[16*i+10 +: 5]);

            assign marks[i]           = in_top && (|data[16*i +: 10]);
            assign marks[LANES+i]     = in_top && !(|data[16*i +: 10]);
            assign marks[2*LANES+i]   = made && (&results[16*i+10 +: 5]) && (|results[16*i +: 10]);
        end
    endgenerate

    always @(posedge clk) marks_q <= marks;

    wire [95:0] counts;

    generate
        for (i = 0; i < 3; i = i + 1) begin : gen_count
            reg  [3:0]  sum;
            reg  [31:0] count_q;
            wire [32:0] next = {1'b0, count_q} + {29'd0, sum};
            integer     n;

            assign counts[32*i +: 32] = count_q;

            always @* begin
                sum = 4'd0;
                for (n = 0; n < LANES; n = n + 1) sum = sum + {3'd0, marks_q[LANES*i + n]};
            end

            always @(posedge clk) begin
                count_q <= start ? 32'd0 : next[32] ? 32'hffffffff : next[31:0];
            end
        end
    endgenerate

    assign {nan_out, inf_in, nan_in} = counts;

    wire unused_bits = &{1'b0, mask, data, results};

endmodule

`default_nettype wire
