// Elements on their way into SDP: fp16 of memory becomes fp32; NaN become 0 if asked for.
//
// Contract: latency 1, ${sdp_lanes} element(s) per cycle; nothing waits. A tag goes along. Reset: no word;
// data has none.
`default_nettype none

module dla_sdp_in (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         fp,            // computes in fp32  //% if ints
    input  wire         flying,        // elements of CACC
    input  wire         flush,         // NaN become 0

    input  wire         in_valid,
    input  wire [1:0]   in_tag,
    input  wire [${32 * sdp_lanes - 1:3}:0] in_data,       // from memory: fp16 in the low bits
    output reg          out_valid_q,
    output reg  [1:0]   out_tag_q,
    output wire [${32 * sdp_lanes - 1:3}:0] out_data
);

    localparam LANES = ${sdp_lanes};

    // The registers hold while a layer runs.
    reg widen_q, flush_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= in_valid;
    end

    always @(posedge clk) begin
        out_tag_q <= in_tag;
        widen_q   <= ${ints ? "fp && " : ""}!flying;
        flush_q   <= ${ints ? "fp && " : ""}flush;
    end

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [31:0] word   = in_data[32*i +: 32];
            wire [15:0] half   = word[15:0];
            wire        flush16 = flush_q && (&half[14:10]) && (|half[9:0]);
            wire        flush32 = flush_q && (&word[30:23]) && (|word[22:0]);
            wire [31:0] widened;
            reg  [31:0] word_q;

            fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen (
                .clk (clk), .load (in_valid), .in (half & ~{16{flush16}}), .out_q (widened)
            );

            assign out_data[32*i +: 32] = widen_q ? widened : word_q;

            always @(posedge clk) begin
                if (in_valid) word_q <= word & ~{32{flush32}};
            end
        end
    endgenerate

endmodule

`default_nettype wire
