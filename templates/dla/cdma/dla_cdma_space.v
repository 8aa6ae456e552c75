// Free CBUF entries of one region (data or weights).
//
// Contract: take, release and reload act on `free` in the next cycle; all may happen every cycle.
// Runs on the free-running clock: CSC gives entries back whether or not CDMA has a layer.
// No reset: the count is valid from the first bank change on, which comes before the first layer.
`default_nettype none

module dla_cdma_space (
    input  wire                       clk,

    input  wire                       reload,        // bank change: everything is free
    input  wire [${cbuf_addr_w:2}:0]                reload_free,   // entries of the region
    input  wire                       take,          // space for one request is claimed
    input  wire [${cbuf_addr_w:2}:0]                take_less_1,   // its entries - 1
    input  wire                       rls_valid,     // CSC gives entries back
    input  wire [${cbuf_addr_w:2}:0]                rls_entries,

    output reg  [${cbuf_addr_w:2}:0]                free_q
);

    localparam W = ${cbuf_addr_w} + 1;

    // -(take_less_1 + 1) is the complement of take_less_1.
    wire [W-1:0] given = rls_valid ? free_q + rls_entries : free_q;

    always @(posedge clk) begin
        free_q <= reload ? reload_free : take ? given + ~take_less_1 : given;
    end

endmodule

`default_nettype wire
