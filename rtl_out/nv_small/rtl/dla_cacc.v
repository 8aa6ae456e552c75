// Made by macrame 0.1.0 from templates/dla/cacc/dla_cacc.v
// with acc_w=32 atomic_k=8 cacc_depth=16 clock_gating=0 cmac_cells=4 psum_w=19 sdp_lanes=1

// CACC: adds the partial sums of both CMAC halves per output position, rounds the finished results
// to 32 bits and hands them to SDP.
//
//     mac2accu --> [ + ]--last--> delivery RAM --> raw word --> round --> result --> SDP
//                   ^ |           16 positions     1 per cycle
//                   | v
//               assembly RAM, 16 positions of a stripe
//
// Input: one position of 8 kernels per cycle, cannot stall: CSC sends a last beat only
// with a credit, and every position that leaves the delivery RAM returns one. Output: one position
// in 8 cycles without gaps, 3 cycles from the last beat to the first result, stalled by SDP.
// The accumulators cannot overflow: no kernel that fits CBUF has a sum of more than 32 bits.
// Reset: both RAMs empty.
`default_nettype none

module dla_cacc (
    input  wire         clk,
    input  wire         rst_n,
    // Configuration bus
    input  wire         csb2cacc_valid,
    input  wire [9:0]   csb_addr,           // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cacc2csb_rdata,
    // Partial sums from CMAC, lowest kernel in the low bits, cannot stall
    input  wire         mac_a2accu_valid,
    input  wire [75:0]  mac_a2accu_data,
    input  wire         mac_a2accu_swap,    // position 0 of a stripe
    input  wire         mac_a2accu_first,   // replaces the accumulator
    input  wire         mac_a2accu_last,    // result of this position is complete
    input  wire         mac_a2accu_end,     // with last: very last of the layer
    input  wire         mac_b2accu_valid,   // as mac_a2accu_valid
    input  wire [75:0]  mac_b2accu_data,
    // Credit to CSC
    output wire         cacc2csc_credit,    // pulse: one position left the delivery RAM
    // Results to SDP, lowest kernel first
    output wire         cacc2sdp_valid,
    input  wire         cacc2sdp_ready,
    output wire [31:0]  cacc2sdp_data,
    // Interrupt events
    output wire [1:0]   cacc2glb_done       // pulse, bit = register group
);

    localparam KERNELS = 8;
    localparam PSUM_W  = 19;
    localparam ACC_W   = 32;
    localparam SUM_W   = KERNELS * ACC_W;
    localparam DEPTH   = 16;
    localparam PTR_W   = 4;
    localparam LANES   = 1;
    localparam RAW_W   = LANES * ACC_W;
    localparam BEATS   = 8;                      // words of SDP per position
    localparam BEAT_W  = 3;

    // ---------------------------------------------------------------- registers
    wire       op_en;
    wire       op_done;
    wire       consumer;
    wire [4:0] truncate;

    dla_cacc_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2cacc_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (cacc2csb_rdata),
        .op_en     (op_en),
        .op_done   (op_done),
        .consumer  (consumer),
        .d_clip_cfg_clip_truncate   (truncate),
        .d_out_saturation_sat_count (32'd0)     // 32 bits never saturate
    );

    // ---------------------------------------------------------------- positions on their way
    wire valid = mac_a2accu_valid && mac_b2accu_valid;
    wire stored;                            // the delivery RAM holds a position
    reg  raw_valid_q;
    reg  out_valid_q;

    // ---------------------------------------------------------------- accumulation
    reg  [PTR_W-1:0] next_pos_q;            // position of the next beat, unless it swaps
    wire [PTR_W-1:0] pos = mac_a2accu_swap ? {PTR_W{1'b0}} : next_pos_q;
    wire [SUM_W-1:0] acc;
    reg  [SUM_W-1:0] sum;
    integer          k;

    wire [KERNELS*PSUM_W-1:0] psum = {mac_b2accu_data, mac_a2accu_data};

    function signed [ACC_W-1:0] wide(input signed [PSUM_W-1:0] p);
        wide = {{(ACC_W-PSUM_W){p[PSUM_W-1]}}, p};
    endfunction

    function signed [ACC_W-1:0] add(input signed [ACC_W-1:0] a, input signed [ACC_W-1:0] b);
        add = a + b;
    endfunction

    always @* begin
        for (k = 0; k < KERNELS; k = k + 1) begin
            sum[k*ACC_W +: ACC_W] = add(wide(psum[k*PSUM_W +: PSUM_W]),
                                        acc[k*ACC_W +: ACC_W] & {ACC_W{!mac_a2accu_first}});
        end
    end

    always @(posedge clk) begin
        if (valid) next_pos_q <= pos + 1'b1;
    end

    sram_dist_1r1w #(.W(SUM_W), .DEPTH(DEPTH)) u_assembly (
        .clk   (clk),
        .we    (valid && !mac_a2accu_last),
        .waddr (pos),
        .wdata (sum),
        .raddr (pos),
        .rdata (acc)
    );

    // ---------------------------------------------------------------- delivery RAM
    reg  [PTR_W:0]   wptr_q;                // one bit more than an address
    reg  [PTR_W:0]   rptr_q;
    wire [SUM_W-1:0] head;                  // oldest position
    wire             head_end;              // it is the last one of its layer
    wire             push = valid && mac_a2accu_last;
    wire             pop;

    assign stored = wptr_q != rptr_q;

    sram_dist_1r1w #(.W(SUM_W + 1), .DEPTH(DEPTH)) u_delivery (
        .clk   (clk),
        .we    (push),
        .waddr (wptr_q[PTR_W-1:0]),
        .wdata ({mac_a2accu_end, sum}),
        .raddr (rptr_q[PTR_W-1:0]),
        .rdata ({head_end, head})
    );

    // ---------------------------------------------------------------- way out
    reg  [BEAT_W-1:0] beat_q;               // word of the position
    reg  [RAW_W-1:0]  raw_q;                // before rounding
    reg               raw_end_q;            // very last word of a layer
    reg  [32*LANES-1:0] out_q;
    reg               out_end_q;
    reg               credit_q;
    reg  [1:0]        done_q;
    wire [32*LANES-1:0] rounded;

    // Rounding waits for the register group of its layer: behind the last word of a layer there
    // is one free cycle, in which the groups change.
    wire out_take = raw_valid_q && op_en && (!out_valid_q || (cacc2sdp_ready && !out_end_q));
    wire raw_take = stored && (!raw_valid_q || out_take);
    wire final_beat = beat_q == (BEATS[BEAT_W-1:0] - 1'b1);

    assign pop     = raw_take && final_beat;
    assign op_done = out_valid_q && cacc2sdp_ready && out_end_q;

    // Selection by halves: word `beat` of the position.
    function [RAW_W-1:0] pick(input [SUM_W-1:0] all, input [BEAT_W-1:0] beat);
        reg [SUM_W-1:0] rest;
        integer         s;
        begin
            rest = all;
            for (s = BEAT_W - 1; s >= 0; s = s - 1) begin
                if (beat[s]) rest = rest >> (RAW_W << s);
            end
            pick = rest[RAW_W-1:0];
        end
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q      <= {(PTR_W+1){1'b0}};
            rptr_q      <= {(PTR_W+1){1'b0}};
            beat_q      <= {BEAT_W{1'b0}};
            raw_valid_q <= 1'b0;
            out_valid_q <= 1'b0;
            credit_q    <= 1'b0;
            done_q      <= 2'd0;
        end else begin
            if (push) wptr_q <= wptr_q + 1'b1;
            if (pop)  rptr_q <= rptr_q + 1'b1;
            if (raw_take) beat_q <= final_beat ? {BEAT_W{1'b0}} : beat_q + 1'b1;
            raw_valid_q <= raw_take || (raw_valid_q && !out_take);
            out_valid_q <= out_take || (out_valid_q && !cacc2sdp_ready);
            credit_q    <= pop;
            done_q      <= {op_done && consumer, op_done && !consumer};
        end
    end

    always @(posedge clk) begin
        if (raw_take) begin
            raw_q     <= pick(head, beat_q);
            raw_end_q <= head_end && final_beat;
        end
        if (out_take) begin
            out_q     <= rounded;
            out_end_q <= raw_end_q;
        end
    end

    assign cacc2sdp_valid  = out_valid_q;
    assign cacc2sdp_data   = out_q;
    assign cacc2csc_credit = credit_q;
    assign cacc2glb_done   = done_q;

    // ---------------------------------------------------------------- rounding
    genvar l;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            dla_cacc_round u_round (
                .en       (raw_valid_q),
                .acc      (raw_q[l*ACC_W +: ACC_W]),
                .truncate (truncate),
                .out      (rounded[l*32 +: 32])
            );
        end
    endgenerate

endmodule

`default_nettype wire
