// Operands of one stage of SDP: a ring of the records that SDP_RDMA delivers, one per element.
//
// Contract: in_ready comes from a register. `issue`: a word enters SDP that takes the next record
// at its stage later. `read`: it is there and takes alu and mul (combinational). `ok`: there is
// a record for a word of the next cycle, 1 cycle behind its coming.
//% if mixed
// A pixel has ${beats} record(s) in int8, half as many in 16 bits. Those that came without `once`
// serve all pixels of a surface: the
//% else
// A pixel has ${beats} record(s). Those that came without `once` serve all pixels of a surface: the
//% end
// ring goes back to the first one until the last pixel (surf_last) has them. Reset: empty.
//
//     in -> | read last word | ... | issued | ... | free |
//                            rptr_q         iptr_q       wptr_q
`default_nettype none

module dla_sdp_operand #(
    parameter DEPTH = ${max(2 * beats, 16)}               // records, a power of two and at least two pixels
) (
    input  wire         clk,           // never stopped: records come before the layer starts
    input  wire         rst_n,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire         in_once,
    input  wire [${16 * sdp_lanes - 1:3}:0] in_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] in_mul,

    input  wire         issue,
//% if mixed
    input  wire         wide,          // 16 bits: half as many records
    input  wire         atom_last,     // last record of a pixel
//% end
    input  wire         batch_last,    // last batch of a pixel, they share its records  //% if batch_enable
    input  wire         surf_last,     // last pixel of a surface
    output wire         ok,
    output wire         turned,        // the record goes with this word; back at `read`

    input  wire         read,
    input  wire         read_turned,
    output wire [${16 * sdp_lanes - 1:3}:0] alu,
    output wire [${16 * sdp_lanes - 1:3}:0] mul
);

    localparam LANES = ${sdp_lanes};
    localparam PTR_W = $clog2(DEPTH);
    localparam BEAT_W = ${clog2(beats)};  //% if beats > 1

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
    assign turned   = once ? batch_last : surf_last;  //% if batch_enable
    assign turned   = once || surf_last;  //% if !batch_enable

//% if mixed
    // Pixels of either kind may begin anywhere.
    reg  [BEAT_W-1:0] beat_q;                          // of the word that reads

    assign again      = {{(PTR_W+1-BEAT_W){1'b0}}, !wide, {(BEAT_W-1){1'b1}}};  //% if beats > 2
    assign again      = {{PTR_W{1'b0}}, !wide};  //% if beats <= 2
    assign issue_back = iptr_q - again[PTR_W-1:0];
    assign read_back  = rptr_q - again[PTR_W-1:0];
    assign issue_end  = atom_last;
    assign read_end   = beat_q == again[BEAT_W-1:0];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    beat_q <= {BEAT_W{1'b0}};
        else if (read) beat_q <= read_end ? {BEAT_W{1'b0}} : beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end
//% elif beats > 1
    assign issue_back = {iptr_q[PTR_W-1:BEAT_W], {BEAT_W{1'b0}}};
    assign read_back  = {rptr_q[PTR_W-1:BEAT_W], {BEAT_W{1'b0}}};
    assign issue_end  = &iptr_q[BEAT_W-1:0];
    assign read_end   = &rptr_q[BEAT_W-1:0];
    assign again      = {{(PTR_W+1-BEAT_W){1'b0}}, {BEAT_W{1'b1}}};
//% else
    assign issue_back = iptr_q;
    assign read_back  = rptr_q;
    assign issue_end  = 1'b1;
    assign read_end   = 1'b1;
    assign again      = {(PTR_W+1){1'b0}};
//% end

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
