// A column's bank of WBUF. Reads go on to the next column a cycle later, together with the weight.
// Reset: no reads.
`default_nettype none

module systolic_wbuf (
    input  wire        clk,
    input  wire        rst_n,
    // Loads
    input  wire        write,
    input  wire [${wbuf_entry_w - 1:2}:0] write_entry,
    input  wire [${weight_width - 1:2}:0] write_data,
    // Reads
    input  wire        read,
    input  wire [${wbuf_entry_w - 1:2}:0] entry,
    output reg         read_q,
    output reg  [${wbuf_entry_w - 1:2}:0] entry_q,
    output wire [${weight_width - 1:2}:0] weight
);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) read_q <= 1'b0;
        else        read_q <= read;
    end

    always @(posedge clk) entry_q <= entry;

    sram_1r1w #(.W(${weight_width}), .DEPTH(${wbuf_entries})) u_bank (
        .clk(clk), .we(write), .waddr(write_entry), .wdata(write_data),
        .re(read), .raddr(entry), .rdata(weight)
    );

endmodule

`default_nettype wire
