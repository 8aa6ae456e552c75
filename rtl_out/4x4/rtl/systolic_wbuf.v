// Made by macrame 0.1.0 from templates/systolic/array/systolic_wbuf.v
// with wbuf_entries=128 wbuf_entry_w=7 weight_width=8

// A column's bank of WBUF. Reads go on to the next column a cycle later, together with the weight.
// Reset: no reads.
`default_nettype none

module systolic_wbuf (
    input  wire        clk,
    input  wire        rst_n,
    // Loads
    input  wire        write,
    input  wire [ 6:0] write_entry,
    input  wire [ 7:0] write_data,
    // Reads
    input  wire        read,
    input  wire [ 6:0] entry,
    output reg         read_q,
    output reg  [ 6:0] entry_q,
    output wire [ 7:0] weight
);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) read_q <= 1'b0;
        else        read_q <= read;
    end

    always @(posedge clk) entry_q <= entry;

    sram_1r1w #(.W(8), .DEPTH(128)) u_bank (
        .clk(clk), .we(write), .waddr(write_entry), .wdata(write_data),
        .re(read), .raddr(entry), .rdata(weight)
    );

endmodule

`default_nettype wire
