// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_operand.v
// with batch_enable=0 beats=8 mixed=0 sdp_lanes=1

// Operands of one stage of SDP: a ring of the records that SDP_RDMA delivers, one per element.
//
// Contract: in_ready comes from a register. `issue`: a word enters SDP that takes the next record
// at its stage later. `read`: it is there and takes alu and mul (combinational). `ok`: there is
// a record for a word of the next cycle, 1 cycle behind its coming.
// A pixel has 8 record(s). Those that came without `once` serve all pixels of a surface: the
// ring goes back to the first one until the last pixel (surf_last) has them. Reset: empty.
//
//     in -> | read last word | ... | issued | ... | free |
//                            rptr_q         iptr_q       wptr_q
`default_nettype none

module dla_sdp_operand #(
    parameter DEPTH = 16               // records, a power of two and at least two pixels
) (
    input  wire         clk,           // never stopped: records come before the layer starts
    input  wire         rst_n,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire         in_once,
    input  wire [ 15:0] in_alu,
    input  wire [ 15:0] in_mul,

    input  wire         issue,
    input  wire         surf_last,     // last pixel of a surface
    output wire         ok,
    output wire         turned,        // the record goes with this word; back at `read`

    input  wire         read,
    input  wire         read_turned,
    output wire [ 15:0] alu,
    output wire [ 15:0] mul
);

    localparam LANES = 1;
    localparam PTR_W = $clog2(DEPTH);
    localparam BEAT_W = 3;

    reg  [PTR_W-1:0] wptr_q;
    reg  [PTR_W-1:0] iptr_q;
    reg  [PTR_W-1:0] rptr_q;
    reg  [PTR_W:0]   level_q;          // records between the last one given free and wptr_q
    reg  [PTR_W:0]   ahead_q;          // records between iptr_q and wptr_q
    wire             once;
    wire             write = in_valid && in_ready;
    wire             freed = read && read_turned;
    wire [PTR_W-1:0] one   = {{(PTR_W-1){1'b0}}, 1'b1};
    wire [PTR_W-1:0] issue_back, read_back;            // first record of the pixel
    wire             issue_end, read_end;              // last record of the pixel
    wire [PTR_W:0]   again;                            // records of a pixel less 1

    assign in_ready = !level_q[PTR_W];
    assign turned   = once || surf_last;

    assign issue_back = {iptr_q[PTR_W-1:BEAT_W], {BEAT_W{1'b0}}};
    assign read_back  = {rptr_q[PTR_W-1:BEAT_W], {BEAT_W{1'b0}}};
    assign issue_end  = &iptr_q[BEAT_W-1:0];
    assign read_end   = &rptr_q[BEAT_W-1:0];
    assign again      = {{(PTR_W+1-BEAT_W){1'b0}}, {BEAT_W{1'b1}}};

    wire             rewind = issue_end && !turned;
    wire [PTR_W:0]   change = !issue ? {(PTR_W+1){1'b0}} : rewind ? again : {(PTR_W+1){1'b1}};

    assign ok = issue ? (rewind || (|ahead_q[PTR_W:1])) : (|ahead_q);

    sram_dist_1r1w #(.W(32*LANES), .DEPTH(DEPTH)) u_records (
        .clk   (clk),
        .we    (write),
        .waddr (wptr_q),
        .wdata ({in_mul, in_alu}),
        .raddr (rptr_q),
        .rdata ({mul, alu})
    );

    sram_dist_1r1w #(.W(1), .DEPTH(DEPTH)) u_once (
        .clk   (clk),
        .we    (write),
        .waddr (wptr_q),
        .wdata (in_once),
        .raddr (iptr_q),
        .rdata (once)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q  <= {PTR_W{1'b0}};
            iptr_q  <= {PTR_W{1'b0}};
            rptr_q  <= {PTR_W{1'b0}};
            level_q <= {(PTR_W+1){1'b0}};
            ahead_q <= {(PTR_W+1){1'b0}};
        end else begin
            if (write) wptr_q <= wptr_q + one;
            if (issue) iptr_q <= rewind ? issue_back : iptr_q + one;
            if (read)  rptr_q <= (read_end && !read_turned) ? read_back : rptr_q + one;
            level_q <= level_q + {{PTR_W{1'b0}}, write} - {{PTR_W{1'b0}}, freed};
            ahead_q <= ahead_q + {{PTR_W{1'b0}}, write} + change;
        end
    end

endmodule

`default_nettype wire
