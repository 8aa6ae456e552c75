// A port for incrementing AXI bursts of whole words of 4 bytes, for memory that answers in the next
// cycle (word_memory). Few gates: one burst at a time, a word every second cycle or slower.
//
// Writes go before reads. A word is read when r_ready is high, which has to stay high until a word
// is there: no answer waits here. All bursts have id 0 and are answered without an error.
// Reset: no burst.
`default_nettype none

module word_port (
    input  wire        clk,
    input  wire        rst_n,

    input  wire        aw_valid,
    output wire        aw_ready,
    input  wire [7:0]  aw_len,        // words - 1
    input  wire [31:0] aw_addr,
    input  wire        w_valid,
    output wire        w_ready,
    input  wire [31:0] w_data,
    input  wire [3:0]  w_strb,
    output wire        b_valid,
    input  wire        b_ready,
    input  wire        ar_valid,
    output wire        ar_ready,
    input  wire [7:0]  ar_len,        // words - 1
    input  wire [31:0] ar_addr,
    output wire        r_valid,
    input  wire        r_ready,
    output wire        r_last,

    output wire        mem_valid,
    input  wire        mem_ready,
    output wire        mem_write,
    output wire [31:0] mem_addr,
    output wire [31:0] mem_wdata,
    output wire [3:0]  mem_wstrb
);

    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] READ   = 3'd1;
    localparam [2:0] GIVE   = 3'd2;   // the word that was read is there
    localparam [2:0] WRITE  = 3'd3;
    localparam [2:0] ANSWER = 3'd4;

    reg  [2:0]  state_q;
    reg  [31:0] addr_q;
    reg  [7:0]  left_q;               // words - 1
    wire        go   = mem_valid && mem_ready;
    wire        last = left_q == 8'd0;

    assign aw_ready  = state_q == IDLE;
    assign ar_ready  = state_q == IDLE && !aw_valid;
    assign w_ready   = state_q == WRITE && mem_ready;
    assign b_valid   = state_q == ANSWER;
    assign r_valid   = state_q == GIVE;
    assign r_last    = last;
    assign mem_write = state_q == WRITE;
    assign mem_valid = (state_q == WRITE && w_valid) || (state_q == READ && r_ready);
    assign mem_addr  = addr_q;
    assign mem_wdata = w_data;
    assign mem_wstrb = w_strb;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q <= IDLE;
        end else begin
            case (state_q)
                IDLE:    state_q <= aw_valid ? WRITE : ar_valid ? READ : IDLE;
                READ:    if (go) state_q <= GIVE;
                GIVE:    state_q <= last ? IDLE : READ;
                WRITE:   if (go && last) state_q <= ANSWER;
                default: if (b_ready) state_q <= IDLE;
            endcase
        end
    end

    always @(posedge clk) begin
        if (state_q == IDLE) begin
            addr_q <= aw_valid ? aw_addr : ar_addr;
            left_q <= aw_valid ? aw_len : ar_len;
        end else if (state_q == GIVE || (state_q == WRITE && go)) begin
            addr_q <= addr_q + 32'd4;
            left_q <= left_q - 8'd1;
        end
    end

endmodule

`default_nettype wire
