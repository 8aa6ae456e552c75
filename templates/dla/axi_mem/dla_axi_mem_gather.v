// Beats that were read from a narrower bus: OUT_W / IN_W of them make one, low bits first.
//
// Contract: in order, one beat of the bus per cycle, 1 cycle after the last piece. The answer is
// that of the first piece with an error, else OKAY.
// Reset: no beat.
`default_nettype none

module dla_axi_mem_gather #(
    parameter IN_W  = 32,
    parameter OUT_W = 64
) (
    input  wire             clk,
    input  wire             rst_n,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire             in_last,
    input  wire [1:0]       in_resp,
    input  wire [IN_W-1:0]  in_data,
    output wire             out_valid,
    input  wire             out_ready,
    output wire             out_last,
    output wire [1:0]       out_resp,
    output wire [OUT_W-1:0] out_data
);

    localparam PIECE_W = $clog2(OUT_W / IN_W);

    reg  [PIECE_W-1:0] piece_q;              // the next one
    reg                full_q;
    reg                last_q;
    reg  [1:0]         resp_q;
    reg  [OUT_W-1:0]   data_q;
    wire               go      = in_valid && in_ready;
    wire               earlier = piece_q != {PIECE_W{1'b0}} && resp_q[1];

    assign in_ready  = !full_q || out_ready;
    assign out_valid = full_q;
    assign out_last  = last_q;
    assign out_resp  = resp_q;
    assign out_data  = data_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            piece_q <= {PIECE_W{1'b0}};
            full_q  <= 1'b0;
        end else begin
            full_q <= go ? &piece_q : full_q && !out_ready;
            if (go) piece_q <= piece_q + 1'b1;
        end
    end

    always @(posedge clk) begin
        if (go) begin
            last_q <= in_last;
            resp_q <= earlier ? resp_q : in_resp;
            data_q <= {in_data, data_q[OUT_W-1:IN_W]};
        end
    end

endmodule

`default_nettype wire
