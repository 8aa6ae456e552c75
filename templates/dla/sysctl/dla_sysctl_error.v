// First error answer of the memory bus, and how many there were.
//
// Contract: an error shows in the next cycle. Of errors in the same cycle the first is the one
// of the first port, then the read. An error in the cycle of `clear` counts as one after it.
// Reset: no error.
`default_nettype none

module dla_sysctl_error (
    input  wire        clk,
    input  wire        rst_n,
    input  wire [${error_sources - 1}:0]  error,                // pulses: {port, write} is the index
    input  wire [${error_sources - 1}:0]  error_decode,
    input  wire [${4 * error_sources - 1}:0] error_client,
    input  wire [${error_sources * addr_w - 1}:0] error_addr,
    input  wire        clear,
    output wire        first_valid,
    output wire        first_write,
    output wire        first_decode,
    output wire        first_port,
    output wire [3:0]  first_client,
    output wire [63:0] first_addr,
    output wire [15:0] count                 // saturates
);

    localparam N      = ${error_sources};
    localparam ADDR_W = ${addr_w};

    reg               valid_q;
    reg  [15:0]       count_q;
    reg  [ADDR_W+6:0] first_q;        // {port, write, decode, client, addr}

    wire              any = error != {N{1'b0}};
    reg  [ADDR_W+6:0] first;          // of this cycle
    reg  [2:0]        more;           // errors in this cycle
    wire [16:0]       sum = {1'b0, count_q & {16{!clear}}} + {14'd0, more};
    integer           i;

    always @* begin
        first = {(ADDR_W+7){1'b0}};
        more  = 3'd0;
        for (i = N - 1; i >= 0; i = i - 1) begin
            more = more + {2'd0, error[i]};
            if (error[i]) first = {i[1:0], error_decode[i], error_client[4*i +: 4],
                                   error_addr[ADDR_W*i +: ADDR_W]};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 1'b0;
            count_q <= 16'd0;
        end else begin
            valid_q <= any || (valid_q && !clear);
            count_q <= sum[16] ? 16'hffff : sum[15:0];
        end
    end

    always @(posedge clk) begin
        if (any && (!valid_q || clear)) first_q <= first;
    end

    // Nothing but zeros where there is no error.
    wire [ADDR_W+6:0] shown = first_q & {(ADDR_W+7){valid_q}};

    assign first_valid  = valid_q;
    assign first_port   = shown[ADDR_W+6];
    assign first_write  = shown[ADDR_W+5];
    assign first_decode = shown[ADDR_W+4];
    assign first_client = shown[ADDR_W +: 4];
    assign first_addr   = {${64 - addr_w}'d0, shown[${addr_w - 1}:0]};  //% if addr_w < 64
    assign first_addr   = shown[${addr_w - 1}:0];  //% if addr_w == 64
    assign count        = count_q;

endmodule

`default_nettype wire
