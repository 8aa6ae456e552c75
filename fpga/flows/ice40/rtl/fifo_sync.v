// First-word fall-through FIFO on one clock. In place of two words there is one register, which may
// get the next word in the cycle in which its word leaves; more words are in sram_dist_1r1w.
// Latency 1 cycle from in to out. Throughput 1 word per cycle, also when full.
// out_valid is a register; in_ready is one if there are more than two words.
// Reset: empty.
`default_nettype none

module fifo_sync #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 4               // words, any number from 2
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_data,
    output reg          out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);

    generate
        if (DEPTH == 2) begin : gen_one
            reg [W-1:0] word_q;

            assign in_ready = !out_valid || out_ready;
            assign out_data = word_q;

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n)        out_valid <= 1'b0;
                else if (in_ready) out_valid <= in_valid;
            end

            always @(posedge clk) begin
                if (in_ready) word_q <= in_data;
            end
        end else begin : gen_many
            localparam PTR_W = $clog2(DEPTH);
            localparam [PTR_W-1:0] LAST = DEPTH[PTR_W-1:0] - 1'b1;

            reg             ready_q;
            reg [PTR_W-1:0] wptr_q;
            reg [PTR_W-1:0] rptr_q;

            wire             push  = in_valid && in_ready;
            wire             pop   = out_valid && out_ready;
            wire [PTR_W-1:0] wnext = (wptr_q == LAST) ? {PTR_W{1'b0}} : wptr_q + 1'b1;
            wire [PTR_W-1:0] rnext = (rptr_q == LAST) ? {PTR_W{1'b0}} : rptr_q + 1'b1;

            assign in_ready = ready_q;

            sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
                .clk(clk), .we(push), .waddr(wptr_q), .wdata(in_data),
                .raddr(rptr_q), .rdata(out_data)
            );

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    wptr_q    <= {PTR_W{1'b0}};
                    rptr_q    <= {PTR_W{1'b0}};
                    ready_q   <= 1'b1;
                    out_valid <= 1'b0;
                end else begin
                    if (push) wptr_q <= wnext;
                    if (pop)  rptr_q <= rnext;
                    if (push && !pop) begin
                        ready_q   <= wnext != rptr_q;
                        out_valid <= 1'b1;
                    end
                    if (pop && !push) begin
                        ready_q   <= 1'b1;
                        out_valid <= rnext != wptr_q;
                    end
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
