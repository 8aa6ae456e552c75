// CMAC shadow: weights of a cell for its next step, or a part of them. Without a write since the
// swap before they are 0. A write in the cycle of a swap belongs to the step after it. Reset: 0.
`default_nettype none

module dla_cmac_shadow #(
    parameter W = 8
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         write,
    input  wire [W-1:0] d,
    input  wire         take,       // swap: who uses the weights takes them in this cycle
    output wire [W-1:0] q
);

    reg [W-1:0] shadow_q;
    reg         fresh_q;            // written since the last swap

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     fresh_q <= 1'b0;
        else if (write) fresh_q <= 1'b1;
        else if (take)  fresh_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (write) shadow_q <= d;
    end

    assign q = shadow_q & {W{fresh_q}};

endmodule

`default_nettype wire
