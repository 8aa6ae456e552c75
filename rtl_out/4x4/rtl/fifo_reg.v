// First-word fall-through FIFO on one clock whose output is a register, for the way to a pin.
// Words wait in LUT RAM; one that comes while none waits goes right into the output register.
// Latency 1 cycle from in to out. Throughput 1 word per cycle, also when full.
// Room for DEPTH + 1 words: there is no in_ready, who fills it looks at count. Reset: empty.
`default_nettype none

module fifo_reg #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 8               // words that wait, a power of two from 2
) (
    input  wire                         clk,
    input  wire                         rst_n,
    input  wire                         in_valid,
    input  wire [W-1:0]                 in_data,
    output reg  [$clog2(DEPTH + 2)-1:0] count,      // words in it
    output reg                          out_valid,
    input  wire                         out_ready,
    output reg  [W-1:0]                 out_data
);

    localparam PTR_W = $clog2(DEPTH);
    localparam CNT_W = $clog2(DEPTH + 2);
    localparam [PTR_W-1:0] ONE = {{(PTR_W-1){1'b0}}, 1'b1};
    localparam [CNT_W-1:0] TWO = {{(CNT_W-2){1'b0}}, 2'd2};

    reg  [PTR_W-1:0] wptr_q;
    reg  [PTR_W-1:0] rptr_q;
    reg              some_q;          // words wait
    wire [W-1:0]     oldest;
    wire             load = !out_valid || out_ready;
    wire             pop  = out_valid && out_ready;
    wire             push = in_valid && (some_q || !load);

    sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(clk), .we(push), .waddr(wptr_q), .wdata(in_data), .raddr(rptr_q), .rdata(oldest)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q    <= {PTR_W{1'b0}};
            rptr_q    <= {PTR_W{1'b0}};
            count     <= {CNT_W{1'b0}};
            some_q    <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            if (push)          wptr_q <= wptr_q + ONE;
            if (pop && some_q) rptr_q <= rptr_q + ONE;
            if (in_valid != pop) begin
                count     <= count + {{(CNT_W-1){pop}}, 1'b1};   // + 1 or - 1
                some_q    <= in_valid ? out_valid : count > TWO;
                out_valid <= in_valid || some_q;
            end
        end
    end

    always @(posedge clk) begin
        if (load) out_data <= some_q ? oldest : in_data;
    end

endmodule

`default_nettype wire
