// Beats of data to be written, for a narrower bus: IN_W / OUT_W beats for one, low bits first.
//
// Contract: in order, one beat of the bus per cycle, 1 cycle; outputs from a two-word FIFO. Beats
// without a strobe go out, too.
// Reset: no beat.
`default_nettype none

module dla_axi_mem_split #(
    parameter IN_W  = 64,
    parameter OUT_W = 32
) (
    input  wire               clk,
    input  wire               rst_n,
    input  wire               in_valid,
    output wire               in_ready,
    input  wire               in_last,
    input  wire [IN_W/8-1:0]  in_strb,
    input  wire [IN_W-1:0]    in_data,
    output wire               out_valid,
    input  wire               out_ready,
    output wire               out_last,
    output wire [OUT_W/8-1:0] out_strb,
    output wire [OUT_W-1:0]   out_data
);

    localparam PIECE_W = $clog2(IN_W / OUT_W);
    localparam LSB     = $clog2(OUT_W);

    reg  [PIECE_W-1:0] piece_q;              // the next one
    wire               ends  = &piece_q;
    wire               room;
    wire [OUT_W/8-1:0] strb = in_strb[{piece_q, {(LSB-3){1'b0}}} +: OUT_W/8];
    wire [OUT_W-1:0]   data = in_data[{piece_q, {LSB{1'b0}}} +: OUT_W];

    assign in_ready = room && ends;

    fifo_sync #(.W(OUT_W + OUT_W/8 + 1), .DEPTH(2)) u_out (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid), .in_ready(room), .in_data({in_last && ends, strb, data}),
        .out_valid(out_valid), .out_ready(out_ready), .out_data({out_last, out_strb, out_data})
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                piece_q <= {PIECE_W{1'b0}};
        else if (in_valid && room) piece_q <= piece_q + 1'b1;
    end

endmodule

`default_nettype wire
