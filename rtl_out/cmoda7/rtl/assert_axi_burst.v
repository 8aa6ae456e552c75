// Rules of an address of an AXI master, checked in simulation: the burst counts upwards, its beats
// are no wider than the bus, and it stays within a block of 4 KiB. A broken rule ends the
// simulation and names this instance, the time and the rule. Without MACRAME_ASSERT there is no
// such module.
`default_nettype none

`ifdef MACRAME_ASSERT
module assert_axi_burst #(
    parameter BUS_W = 64,             // bits of the data bus
    parameter LEN_W = 8               // bits of len
) (
    input wire             clk,
    input wire             rst_n,
    input wire             valid,
    input wire [11:0]      addr,      // within the block
    input wire [LEN_W-1:0] len,       // beats - 1
    input wire [2:0]       size,      // log2 of the bytes of a beat
    input wire [1:0]       burst
);

    localparam [1:0] INCR = 2'b01;

    // verilator coverage_off
    reg was_reset_q;                  // what is there before the first reset counts for nothing

    initial was_reset_q = 1'b0;

    // In bytes: a beat, and the block up to the end of the burst, which may begin within a beat.
    wire [31:0] beat   = 32'd1 << size;
    wire [15:0] first  = {4'd0, addr >> size << size};
    wire [15:0] beats  = {{(16-LEN_W){1'b0}}, len} + 16'd1;
    wire [15:0] end_at = first + (beats << size);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            was_reset_q <= 1'b1;
        end else if (was_reset_q && valid) begin
            if (burst != INCR) begin
                $display("%m at %0t: want a burst of type INCR", $realtime);
                $stop;
            end
            if (beat > BUS_W / 8) begin
                $display("%m at %0t: a beat is no wider than the bus", $realtime);
                $stop;
            end
            if (end_at > 16'd4096) begin
                $display("%m at %0t: a burst stays within a block of 4 KiB", $realtime);
                $stop;
            end
        end
    end

endmodule
`endif

`default_nettype wire
