// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_irq.v

// Interrupts of SDP: a layer that writes is done with the answer to its last write, others when
// they end.
//
// Contract: up to 4 layers wait for their answer (room); one pulse per layer, bit = register group,
// in the cycle behind its cause. Reset: nothing waits.
`default_nettype none

module dla_sdp_irq (
    input  wire         clk,           // never stopped
    input  wire         rst_n,
    input  wire         ended,         // a layer
    input  wire         written,       // it has written its results
    input  wire         group,         // its register group
    output wire         room,
    input  wire         complete,      // answer to the last write of the oldest layer
    output reg  [1:0]   done_q
);

    wire ack_valid, ack_group;
    wire ack     = ack_valid && complete;
    wire dropped = ended && !written;

    fifo_sync #(.W(1), .DEPTH(4)) u_acks (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (ended && written),
        .in_ready  (room),
        .in_data   (group),
        .out_valid (ack_valid),
        .out_ready (complete),
        .out_data  (ack_group)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) done_q <= 2'd0;
        else        done_q <= {(ack && ack_group) || (dropped && group),
                               (ack && !ack_group) || (dropped && !group)};
    end

endmodule

`default_nettype wire
