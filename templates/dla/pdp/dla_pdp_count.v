// Special numbers of an fp16 layer of PDP: what came in, before the flush, and what went out.
//
// Contract: counts up to two cycles later; sticks at all ones. `start` clears. No reset.
`default_nettype none

module dla_pdp_count (
    input  wire        clk,
    input  wire        start,
    input  wire        taken,
    input  wire [${pdp_lanes - 1}:0]  nans,                 // elements
    input  wire [${pdp_lanes - 1}:0]  infs,
    input  wire        made,
    input  wire [${16 * pdp_lanes - 1}:0] results,
    output wire [31:0] inf_in,
    output wire [31:0] nan_in,
    output wire [31:0] nan_out
);

    localparam LANES = ${pdp_lanes};

    reg  [3*LANES-1:0] marks_q;              // NaN out, NaN in, Inf in
    wire [LANES-1:0]   result_nans;
    genvar             i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_result
            assign result_nans[i] = (&results[16*i+10 +: 5]) && (|results[16*i +: 10]);
        end
    endgenerate

    always @(posedge clk) begin
        marks_q <= {result_nans & {LANES{made}}, nans & {LANES{taken}}, infs & {LANES{taken}}};
    end

    generate
        for (i = 0; i < 3; i = i + 1) begin : gen_count
            reg  [4:0]  sum;
            reg  [31:0] count_q;
            wire [32:0] next = {1'b0, count_q} + {28'd0, sum};
            integer     n;

            always @* begin
                sum = 5'd0;
                for (n = 0; n < LANES; n = n + 1) sum = sum + {4'd0, marks_q[LANES*i + n]};
            end

            always @(posedge clk) begin
                count_q <= start ? 32'd0 : next[32] ? 32'hffffffff : next[31:0];
            end
        end
    endgenerate

    wire unused_signs = &{1'b0, results};

    assign inf_in  = gen_count[0].count_q;
    assign nan_in  = gen_count[1].count_q;
    assign nan_out = gen_count[2].count_q;

endmodule

`default_nettype wire
