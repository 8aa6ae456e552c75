// CRC-32 of IEEE 802.3 and zlib (reflected 0xedb88320), one bit per cycle.
// clear sets the register to all ones; a byte with `valid` takes 8 cycles, during which busy is
// high and valid must be low. crc is the register itself: a checksum is its complement, and it is
// RESIDUE (0xdebb20e3) behind a message with its own checksum, low byte first. No reset.
`default_nettype none

module crc32_serial (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        clear,
    input  wire        valid,
    input  wire [7:0]  data,
    output wire        busy,
    output reg  [31:0] crc
);

    localparam [31:0] POLYNOMIAL = 32'hedb8_8320;

    reg  [3:0]  left_q;               // bits to go
    reg  [7:0]  data_q;
    wire        feed = crc[0] ^ data_q[0];

    assign busy = left_q != 4'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     left_q <= 4'd0;
        else if (valid) left_q <= 4'd8;
        else if (busy)  left_q <= left_q - 4'd1;
    end

    always @(posedge clk) begin
        if (clear)     crc <= 32'hffff_ffff;
        else if (busy) crc <= {1'b0, crc[31:1]} ^ (feed ? POLYNOMIAL : 32'd0);
        data_q <= valid ? data : {1'b0, data_q[7:1]};
    end

endmodule

`default_nettype wire
