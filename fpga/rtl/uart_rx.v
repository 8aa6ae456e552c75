// Receiver of an asynchronous serial line: 8 data bits, low first, no parity, one stop bit.
// out_valid is high for one cycle per byte and cannot stall. A start bit that is too short and a
// byte without stop bit are dropped. Reset: waits for a start bit.
`default_nettype none

module uart_rx #(
    parameter DIV = 60                // cycles of clk per bit, at least 4
) (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       rx,             // asynchronous, high at rest
    output reg        out_valid,
    output reg  [7:0] out_data
);

    localparam W = $clog2(DIV);
    localparam [31:0] LAST32 = DIV - 1;
    localparam [31:0] HALF32 = DIV / 2 - 1;
    localparam [3:0]  STOP   = 4'd9;  // bits are numbered from the start bit

    wire low;

    sync_bit u_sync (.clk(clk), .rst_n(rst_n), .d(!rx), .q(low));

    // Each bit is looked at once, in its middle.
    reg         busy_q;
    reg [W-1:0] wait_q;
    reg [3:0]   bit_q;
    wire        look = busy_q && wait_q == {W{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q    <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            out_valid <= look && bit_q == STOP && !low;
            if (!busy_q)                              busy_q <= low;
            else if (look && bit_q == 4'd0)           busy_q <= low;
            else if (look && bit_q == STOP)           busy_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (!busy_q)   wait_q <= HALF32[W-1:0];
        else if (look) wait_q <= LAST32[W-1:0];
        else           wait_q <= wait_q - 1'b1;
        if (!busy_q)   bit_q <= 4'd0;
        else if (look) bit_q <= bit_q + 4'd1;
        if (look && bit_q != STOP) out_data <= {!low, out_data[7:1]};
    end

endmodule

`default_nettype wire
