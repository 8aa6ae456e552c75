// NaN and infinite numbers among fp16 elements on their way into CBUF: counted, and NaN made 0 if
// the layer says so.
//
//% if wt.atoms > 1
// Contract: LANES elements per cycle, combinational. They are in the counts 3 cycles later, when
// `busy` is low again; the counts saturate. Reset: none on their way.
//% else
// Contract: an atom per cycle, combinational. Its elements are in the counts 3 cycles later, when
// `busy` is low again; the counts saturate. Reset: no atom on its way.
//% end
`default_nettype none

//% if wt.atoms > 1
module dla_cdma_nan #(
    parameter LANES = ${atom_bytes / 2}             // elements
) (
//% else
module dla_cdma_nan (
//% end
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       clear,          // start of a layer
    input  wire                       active,         // elements of fp16
    input  wire                       flush,          // NaN becomes 0

    input  wire                       in_valid,
//% if wt.atoms > 1
    input  wire [LANES-1:0]           in_lanes,       // elements that count
    input  wire [16*LANES-1:0]        in_data,
    output wire [16*LANES-1:0]        out_data,
//% else
    input  wire [${atom_bytes / 2 - 1:2}:0]                in_lanes,       // elements that count
    input  wire [${atom_bits - 1:3}:0]               in_data,
    output wire [${atom_bits - 1:3}:0]               out_data,
//% end

    output wire                       busy,
    output reg  [31:0]                nan_q,
    output reg  [31:0]                inf_q
);

//% if wt.atoms > 1
    localparam COUNT_W = $clog2(LANES) + 1;
//% else
    localparam LANES   = ${atom_bytes / 2};
    localparam COUNT_W = ${clog2(atom_bytes / 2) + 1};
//% end

    function [COUNT_W-1:0] ones(input [LANES-1:0] bits);
        integer n;
        begin
            ones = {COUNT_W{1'b0}};
            for (n = 0; n < LANES; n = n + 1) ones = ones + {{(COUNT_W-1){1'b0}}, bits[n]};
        end
    endfunction

    wire [LANES-1:0]   is_nan, is_inf;
    genvar i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [15:0] element = in_data[16*i +: 16];
            wire        special = active && (&element[14:10]);

            assign is_nan[i] = special && (|element[9:0]);
            assign is_inf[i] = special && !(|element[9:0]);
            assign out_data[16*i +: 16] = is_nan[i] && flush ? 16'd0 : element;
        end
    endgenerate

    // ------------------------------------------------------------------ counts
    reg                found_q, summed_q;
    reg  [LANES-1:0]   nan_bits_q, inf_bits_q;
    reg  [COUNT_W-1:0] nan_sum_q, inf_sum_q;

    wire [32:0] nan_next = {1'b0, nan_q} + {{(33-COUNT_W){1'b0}}, nan_sum_q};
    wire [32:0] inf_next = {1'b0, inf_q} + {{(33-COUNT_W){1'b0}}, inf_sum_q};

    assign busy = found_q || summed_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            found_q  <= 1'b0;
            summed_q <= 1'b0;
        end else begin
            found_q  <= in_valid && active;
            summed_q <= found_q;
        end
    end

    always @(posedge clk) begin
        if (in_valid && active) begin
            nan_bits_q <= is_nan & in_lanes;
            inf_bits_q <= is_inf & in_lanes;
        end
        if (found_q) begin
            nan_sum_q <= ones(nan_bits_q);
            inf_sum_q <= ones(inf_bits_q);
        end
        if (clear) begin
            nan_q <= 32'd0;
            inf_q <= 32'd0;
        end else if (summed_q) begin
            nan_q <= nan_next[31:0] | {32{nan_next[32]}};
            inf_q <= inf_next[31:0] | {32{inf_next[32]}};
        end
    end

endmodule

`default_nettype wire
