// Made by macrame 0.1.0 from templates/dla/cacc/dla_cacc.v
// with acc_w=32 atomic_k=8 cacc_depth=16 clock_gating=0 cmac_cells=4 psum_w=19 sdp_lanes=1
// types16=0

// CACC: adds the partial sums of both CMAC halves per output position, rounds the finished results
// to 32 bits and hands them to SDP.
//
//     mac2accu --> flop --> [ + ]--last--> delivery RAM --> word --> round --> FIFO --> SDP
//                            ^ |           16 positions   1 per cycle
//                            | v
//                        assembly RAM, 16 positions of a stripe
//
// Input: one position of 8 kernels per cycle, cannot stall: CSC sends a last beat only
// with a credit, and every position that leaves the delivery RAM returns one. Output: one position
// in 8 cycles without gaps, 8 cycles from the last beat to the first result, stalled by SDP:
// a word leaves the delivery RAM when there is a place for it in the FIFO.
// The accumulators cannot overflow: no kernel that fits CBUF has a sum of more than 32 bits.
// Reset: both RAMs and the FIFO empty.
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
    localparam PLACES  = 8;                 // of the FIFO: 5 are on their way at full speed
    localparam ROOM_W  = 4;

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

    // ---------------------------------------------------------------- stages
    reg  in_valid_q;                        // a beat, registered
    reg  add_valid_q;                       // a beat at the adder
    wire stored;                            // the delivery RAM holds a position
    reg  [2:0] round_valid_q;               // bit n: a word is in stage n of rounding

    // ---------------------------------------------------------------- accumulation
    // Reads come a cycle before the sum of the same position is written: a beat for the position of
    // the beat before takes its sum from sum_q.
    reg  [KERNELS*PSUM_W-1:0] in_psum_q, add_psum_q;
    reg  [PTR_W-1:0] in_pos_q, add_pos_q;
    reg              in_first_q;            // replaces the accumulator
    reg              in_last_q, add_last_q;
    reg              in_end_q, add_end_q;
    reg  [SUM_W-1:0] acc_q;                 // accumulators of the position
    reg  [SUM_W-1:0] sum_q;                 // of the beat before
    wire [SUM_W-1:0] acc;
    reg  [SUM_W-1:0] sum;
    integer          k, n;

    // Enables and select of wide registers: every SHARE kernels have their own.
    localparam SHARE  = 2;
    localparam COPIES = KERNELS / SHARE;
    wire again_d = add_valid_q && !in_first_q && (in_pos_q == add_pos_q);
    wire [COPIES-1:0] in_load, add_load;
    wire [COPIES-1:0] again;                // same position as the beat before
    genvar c;

    generate
        for (c = 0; c < COPIES; c = c + 1) begin : gen_copy
            reg_copy #(.W(3)) u_enable (
                .clk   (clk),
                .rst_n (rst_n),
                .d     ({mac_a2accu_valid && mac_b2accu_valid, in_valid_q, again_d}),
                .q     ({in_load[c], add_load[c], again[c]})
            );
        end
    endgenerate

    function signed [ACC_W-1:0] wide(input signed [PSUM_W-1:0] p);
        wide = {{(ACC_W-PSUM_W){p[PSUM_W-1]}}, p};
    endfunction

    function signed [ACC_W-1:0] add(input signed [ACC_W-1:0] a, input signed [ACC_W-1:0] b);
        add = a + b;
    endfunction

    always @* begin
        for (k = 0; k < KERNELS; k = k + 1) begin
            sum[k*ACC_W +: ACC_W] = add(wide(add_psum_q[k*PSUM_W +: PSUM_W]),
                                        again[k/SHARE] ? sum_q[k*ACC_W +: ACC_W]
                                                       : acc_q[k*ACC_W +: ACC_W]);
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            in_valid_q  <= 1'b0;
            add_valid_q <= 1'b0;
        end else begin
            in_valid_q  <= mac_a2accu_valid && mac_b2accu_valid;
            add_valid_q <= in_valid_q;
        end
    end

    always @(posedge clk) begin
        if (mac_a2accu_valid) begin
            in_psum_q  <= {mac_b2accu_data, mac_a2accu_data};
            in_pos_q   <= mac_a2accu_swap ? {PTR_W{1'b0}} : in_pos_q + 1'b1;
            in_first_q <= mac_a2accu_first;
            in_last_q  <= mac_a2accu_last;
            in_end_q   <= mac_a2accu_end;
        end
        for (n = 0; n < KERNELS; n = n + 1) begin
            if (in_load[n/SHARE]) begin
                acc_q[n*ACC_W +: ACC_W]        <= in_first_q ? {ACC_W{1'b0}}
                                                             : acc[n*ACC_W +: ACC_W];
                add_psum_q[n*PSUM_W +: PSUM_W] <= in_psum_q[n*PSUM_W +: PSUM_W];
            end
            if (add_load[n/SHARE]) sum_q[n*ACC_W +: ACC_W] <= sum[n*ACC_W +: ACC_W];
        end
        if (in_valid_q) begin
            add_pos_q  <= in_pos_q;
            add_last_q <= in_last_q;
            add_end_q  <= in_end_q;
        end
    end

    sram_dist_1r1w #(.W(SUM_W), .DEPTH(DEPTH)) u_assembly (
        .clk   (clk),
        .we    (add_valid_q && !add_last_q),
        .waddr (add_pos_q),
        .wdata (sum),
        .raddr (in_pos_q),
        .rdata (acc)
    );

    // ---------------------------------------------------------------- delivery RAM
    reg  [PTR_W:0]   wptr_q;                // one bit more than an address
    reg  [PTR_W:0]   rptr_q;
    wire [SUM_W-1:0] head;                  // oldest position
    wire             head_end;              // it is the last one of its layer
    wire             push = add_valid_q && add_last_q;
    wire             pop;

    assign stored = wptr_q != rptr_q;

    sram_dist_1r1w #(.W(SUM_W + 1), .DEPTH(DEPTH)) u_delivery (
        .clk   (clk),
        .we    (push),
        .waddr (wptr_q[PTR_W-1:0]),
        .wdata ({add_end_q, sum}),
        .raddr (rptr_q[PTR_W-1:0]),
        .rdata ({head_end, head})
    );

    // ---------------------------------------------------------------- word of the position
    // Rounding belongs to the register group of its layer: behind the last word of a layer nothing
    // is taken until SDP has it and the groups have changed.
    reg  [4:0]        truncate_q;
    reg               open_q;               // truncate_q is that of the layer of the next word
    reg               ended_q;              // the last word of the layer is on its way
    reg  [BEAT_W-1:0] beat_q;               // word of the position
    reg  [ROOM_W-1:0] room_q;               // places in the FIFO without a word on its way
    reg  [RAW_W-1:0]  raw_q;                // before rounding
    reg  [2:0]        round_end_q;          // very last word of a layer, as round_valid_q
    reg               credit_q;
    reg  [1:0]        done_q;
    wire              out_take;

    wire raw_take   = stored && open_q && !ended_q && (|room_q);
    wire final_beat = beat_q == (BEATS[BEAT_W-1:0] - 1'b1);
    wire raw_end    = head_end && final_beat;

    assign pop     = raw_take && final_beat;
    assign op_done = |done_q;

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

    wire [RAW_W-1:0] word = pick(head, beat_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q        <= {(PTR_W+1){1'b0}};
            rptr_q        <= {(PTR_W+1){1'b0}};
            beat_q        <= {BEAT_W{1'b0}};
            room_q        <= PLACES[ROOM_W-1:0];
            round_valid_q <= 3'd0;
            open_q        <= 1'b0;
            ended_q       <= 1'b0;
            credit_q      <= 1'b0;
        end else begin
            if (push) wptr_q <= wptr_q + 1'b1;
            if (pop)  rptr_q <= rptr_q + 1'b1;
            if (raw_take) beat_q <= final_beat ? {BEAT_W{1'b0}} : beat_q + 1'b1;
            if (raw_take != out_take) room_q <= room_q + {{(ROOM_W-1){raw_take}}, 1'b1};
            round_valid_q <= {round_valid_q[1:0], raw_take};
            open_q        <= op_en && !op_done;
            ended_q       <= (raw_take && raw_end) || (ended_q && !op_done);
            credit_q      <= pop;
        end
    end

    always @(posedge clk) begin
        if (raw_take) raw_q <= word;
        round_end_q <= {round_end_q[1:0], raw_take && raw_end};
        truncate_q  <= truncate;
    end

    // ---------------------------------------------------------------- rounding
    wire [32*LANES-1:0] rounded;
    genvar l;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            dla_cacc_round u_round (
                .clk      (clk),
                .valid    (round_valid_q[1:0]),
                .acc      (raw_q[l*ACC_W +: ACC_W]),
                .truncate (truncate_q),
                .out      (rounded[l*32 +: 32])
            );
        end
    endgenerate

    // ---------------------------------------------------------------- way out
    wire                fifo_valid;
    wire [32*LANES-1:0] fifo_data;
    wire                fifo_end;
    wire                unused_ready;       // room_q has counted
    reg                 out_valid_q;
    reg  [32*LANES-1:0] out_q;
    reg                 out_end_q;

    assign out_take = fifo_valid && (!out_valid_q || cacc2sdp_ready);

    fifo_sync #(.W(32*LANES + 1), .DEPTH(PLACES)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (round_valid_q[2]),
        .in_ready  (unused_ready),
        .in_data   ({round_end_q[2], rounded}),
        .out_valid (fifo_valid),
        .out_ready (out_take),
        .out_data  ({fifo_end, fifo_data})
    );

    wire last_taken = out_valid_q && cacc2sdp_ready && out_end_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            out_valid_q <= 1'b0;
            done_q      <= 2'd0;
        end else begin
            out_valid_q <= fifo_valid || (out_valid_q && !cacc2sdp_ready);
            done_q      <= {last_taken && consumer, last_taken && !consumer};
        end
    end

    always @(posedge clk) begin
        if (out_take) begin
            out_q     <= fifo_data;
            out_end_q <= fifo_end;
        end
    end

    assign cacc2sdp_valid  = out_valid_q;
    assign cacc2sdp_data   = out_q;
    assign cacc2csc_credit = credit_q;
    assign cacc2glb_done   = done_q;

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(32)) a_cacc2sdp (
        .clk(clk), .rst_n(rst_n), .valid(cacc2sdp_valid), .ready(cacc2sdp_ready),
        .payload({cacc2sdp_data})
    );
`endif

endmodule

`default_nettype wire
