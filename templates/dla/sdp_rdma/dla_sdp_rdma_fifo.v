// FIFO of a channel of SDP_RDMA: LUT RAM, or block RAM if it is deep.
//
// Contract: one word per cycle in and out, first word falls through after 1 cycle (deep: 3). The
// writer has counted its room: no ready. Reset: empty.
`default_nettype none

module dla_sdp_rdma_fifo #(
    parameter W     = 64,
    parameter DEPTH = 16               // deep: a power of two
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,      // cannot stall
    input  wire [W-1:0] in_data,
    output wire         out_valid,
    input  wire         out_ready,
    output wire         stored,        // a word is in it, out_valid or on its way there  //% if clock_gating
    output wire [W-1:0] out_data
);

    generate
        if (DEPTH <= 64) begin : gen_shallow
            wire unused_ready;

            fifo_sync #(.W(W), .DEPTH(DEPTH)) u_fifo (
                .clk(clk), .rst_n(rst_n),
                .in_valid(in_valid), .in_ready(unused_ready), .in_data(in_data),
                .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
            );
//% if clock_gating

            assign stored = out_valid;
//% end
        end else begin : gen_deep
            // The output of the RAM and the register behind it are the last words of the FIFO.
            localparam PTR_W = $clog2(DEPTH);
            reg  [PTR_W:0] wptr_q;
            reg  [PTR_W:0] rptr_q;
            reg            fetched_q;
            reg            valid_q;
            reg  [W-1:0]   data_q;
            wire [W-1:0]   fetched;
            wire           move  = fetched_q && (!valid_q || out_ready);
            wire           fetch = (wptr_q != rptr_q) && (!fetched_q || move);

            assign out_valid = valid_q;
            assign out_data  = data_q;
            assign stored    = (wptr_q != rptr_q) || fetched_q || valid_q;  //% if clock_gating

            sram_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
                .clk(clk),
                .we(in_valid), .waddr(wptr_q[PTR_W-1:0]), .wdata(in_data),
                .re(fetch), .raddr(rptr_q[PTR_W-1:0]), .rdata(fetched)
            );

            always @(posedge clk) begin
                if (move) data_q <= fetched;
            end

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) begin
                    wptr_q    <= {(PTR_W+1){1'b0}};
                    rptr_q    <= {(PTR_W+1){1'b0}};
                    fetched_q <= 1'b0;
                    valid_q   <= 1'b0;
                end else begin
                    wptr_q    <= wptr_q + {{PTR_W{1'b0}}, in_valid};
                    rptr_q    <= rptr_q + {{PTR_W{1'b0}}, fetch};
                    fetched_q <= fetch || (fetched_q && !move);
                    valid_q   <= move || (valid_q && !out_ready);
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
