// Sender of an asynchronous serial line: 8 data bits, low first, no parity, one stop bit.
// in_ready is high between two bytes; throughput one byte in 10 * DIV + 1 cycles. Reset: rest.
`default_nettype none

module uart_tx #(
    parameter DIV = 60                // cycles of clk per bit, at least 4
) (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [7:0] in_data,
    output reg        tx              // high at rest
);

    localparam W = $clog2(DIV);
    localparam [31:0] LAST32 = DIV - 1;

    reg [3:0]   left_q;               // bits to go, 0 at rest
    reg [W-1:0] wait_q;
    reg [8:0]   data_q;               // data and stop bit, next bit low
    wire        next = wait_q == {W{1'b0}};

    assign in_ready = left_q == 4'd0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            left_q <= 4'd0;
            tx     <= 1'b1;
        end else if (in_ready) begin
            if (in_valid) begin
                left_q <= 4'd10;
                tx     <= 1'b0;
            end
        end else if (next) begin
            left_q <= left_q - 4'd1;
            tx     <= data_q[0];
        end
    end

    always @(posedge clk) begin
        if (in_ready || next) wait_q <= LAST32[W-1:0];
        else                  wait_q <= wait_q - 1'b1;
        if (in_ready)  data_q <= {1'b1, in_data};
        else if (next) data_q <= {1'b1, data_q[8:1]};
    end

endmodule

`default_nettype wire
