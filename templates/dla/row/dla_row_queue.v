// Beats that wait for what is computed from their row: a FIFO in block RAM.
//
// Contract: one beat per cycle in and out; 3 cycles from in to out. in_ready is a register.
// Reset: empty.
`default_nettype none

module dla_row_queue #(
    parameter W     = 11,
    parameter DEPTH = 1024             // a power of two
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_data,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);

    localparam PTR_W = $clog2(DEPTH);

    // The output of the RAM and the register behind it are the last words of the FIFO.
    reg  [PTR_W:0] wptr_q, rptr_q;
    reg            in_ready_q, fetched_q, valid_q;
    reg  [W-1:0]   data_q;
    wire [W-1:0]   fetched;
    wire           push  = in_valid && in_ready_q;
    wire           move  = fetched_q && (!valid_q || out_ready);
    wire           fetch = wptr_q != rptr_q && (!fetched_q || move);
    wire [PTR_W:0] wnext = wptr_q + {{PTR_W{1'b0}}, push};
    wire [PTR_W:0] rnext = rptr_q + {{PTR_W{1'b0}}, fetch};

    assign in_ready  = in_ready_q;
    assign out_valid = valid_q;
    assign out_data  = data_q;

    sram_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(clk),
        .we(push), .waddr(wptr_q[PTR_W-1:0]), .wdata(in_data),
        .re(fetch), .raddr(rptr_q[PTR_W-1:0]), .rdata(fetched)
    );

    always @(posedge clk) begin
        if (move) data_q <= fetched;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q     <= {(PTR_W+1){1'b0}};
            rptr_q     <= {(PTR_W+1){1'b0}};
            in_ready_q <= 1'b1;
            fetched_q  <= 1'b0;
            valid_q    <= 1'b0;
        end else begin
            wptr_q     <= wnext;
            rptr_q     <= rnext;
            in_ready_q <= wnext != {!rptr_q[PTR_W], rptr_q[PTR_W-1:0]};
            fetched_q  <= fetch || (fetched_q && !move);
            valid_q    <= move || (valid_q && !out_ready);
        end
    end

endmodule

`default_nettype wire
