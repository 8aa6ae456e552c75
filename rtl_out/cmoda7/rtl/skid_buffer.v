// One-word buffer that cuts the ready path of a valid / ready link.
// Latency 0: an empty buffer passes the word through. Throughput 1 word per cycle.
// in_ready comes from a register; out_valid and out_data are combinational from the input.
// A word refused by the receiver is kept here, so out_data holds while stalled. Reset: empty.
`default_nettype none

module skid_buffer #(
    parameter W = 8                   // bits of a word
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,
    output wire         in_ready,     // registered
    input  wire [W-1:0] in_data,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);

    reg         full_q;
    reg [W-1:0] data_q;

    assign in_ready  = !full_q;
    assign out_valid = full_q || in_valid;
    assign out_data  = full_q ? data_q : in_data;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) full_q <= 1'b0;
        else        full_q <= out_valid && !out_ready;
    end

    always @(posedge clk) begin
        if (in_valid && !full_q && !out_ready) data_q <= in_data;
    end

endmodule

`default_nettype wire
