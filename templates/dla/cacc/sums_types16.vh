//# Sums and rounding with elements of 16 bits: banks of positions, which come again later.
// CACC: adds the partial sums of both CMAC halves per output position, rounds the finished results
// to ${!fp16 ? "32 bits" : mixed ? "32 bits or fp32" : "fp32"} and hands them to SDP.
//
//     mac2accu --> flop --> bank${winograd_enable ? "s" : ""} --> word --> round --> FIFO --> SDP
//
// Input: one position of ${cells} cells per cycle, cannot stall: CSC sends a last beat only with a
// credit${winograd_enable ? ", a tile with four" : ""}. A position comes again ${cacc_min_stripe} cycles after a beat, not earlier.
// Positions are numbered by places of a ring of ${cacc_depth}${winograd_enable ? ", a tile of Winograd takes four" : ""}.
// Output: ${sdp_lanes} result${sdp_lanes > 1 ? "s" : ""} per cycle, stalled by SDP: a word leaves the delivery RAM when there is a
// place for it in the FIFO. Reset: nothing on its way, no position stored.
`default_nettype none

module dla_cacc (
    input  wire          clk,
    input  wire          rst_n,
    input  wire          clk_ovr_on,         // 1: gated clocks always run  //% if clock_gating
    // Configuration bus
    input  wire          csb2cacc_valid,
    input  wire [9:0]    csb_addr,           // word offset
    input  wire [31:0]   csb_wdata,
    input  wire          csb_write,
    output wire [31:0]   cacc2csb_rdata,
    // Partial sums from CMAC, lowest cell in the low bits, cannot stall
    input  wire          mac_a2accu_valid,
    input  wire [${mac_results*cmac_cells*psum_w-1:4}:0] mac_a2accu_data,
    input  wire          mac_a2accu_swap,    // position 0 of a stripe
    input  wire          mac_a2accu_first,   // replaces the accumulator
    input  wire          mac_a2accu_last,    // result of this position is complete
    input  wire          mac_a2accu_end,     // with last: very last of the layer
    input  wire [2:0]    mac_a2accu_kind,    // CONV_MODE, PROC_PRECISION  //% if winograd_enable
    input  wire [1:0]    mac_a2accu_kind,    // PROC_PRECISION  //% if several_types && !winograd_enable
    input  wire          mac_b2accu_valid,   // as mac_a2accu_valid
    input  wire [${mac_results*cmac_cells*psum_w-1:4}:0] mac_b2accu_data,
    // Credit to CSC
    output wire          cacc2csc_credit,    // pulse: one place of the ring is free again
    // Results to SDP, lowest kernel first
    output wire          cacc2sdp_valid,
    input  wire          cacc2sdp_ready,
    output wire [${32*sdp_lanes-1:4}:0] cacc2sdp_data,
    // Interrupt events
    output wire [1:0]    cacc2glb_done       // pulse, bit = register group
);

    localparam CELLS   = ${cells};
    localparam STATE_W = ${state_w};                // of a cell
    localparam GROUP_W = CELLS * STATE_W;
    localparam PSUMS_W = ${mac_results * cmac_cells * psum_w:1};                 // of a half
    localparam PTR_W   = ${clog2(cacc_depth)};
    localparam LANES   = ${sdp_lanes};
    localparam RAW_W   = ${raw_w};                // of a result before rounding
    localparam BEAT_W  = ${beat_w};
    localparam PLACES  = 8;                 // of the FIFO: 5 are on their way at full speed
    localparam ROOM_W  = 4;
    localparam SAT_W   = ${clog2(sdp_lanes + 1)};  //% if integers

    // ---------------------------------------------------------------- registers
    wire       op_en;
    wire       op_done;
    wire       consumer;
//% let truncate = integers ? "truncate" : "unused_truncate"
    wire [4:0] ${truncate};
    wire [1:0] precision;  //% if several_types
    wire [31:0] sat_count;  //% if integers

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
        .d_misc_cfg_proc_precision  (precision),  //% if several_types
        .d_clip_cfg_clip_truncate   (${truncate}),
        .d_out_saturation_sat_count (sat_count)  //% if integers
        .d_out_saturation_sat_count (32'd0)     // fp32 never saturates  //% if !integers
    );

    // ---------------------------------------------------------------- places
    // Place of a position: those before it in the ring. A step begins where its stripe does.
    reg                in_valid_q;
    reg  [PSUMS_W-1:0] in_a_q, in_b_q;
    reg  [PTR_W-1:0]   in_place_q;
    reg                in_first_q, in_last_q, in_end_q;
    reg                in_fp_q;  //% if mixed
    reg                in_pair_q;  //% if int8 && int16
    reg  [PTR_W-1:0]   begin_q;             // of the next stripe
    reg                in_tile_q;  //% if winograd_enable
    wire [PTR_W-1:0]   size  = mac_a2accu_kind[2] ? ${clog2(cacc_depth)}'d4 : ${clog2(cacc_depth)}'d1;  //% if winograd_enable
    wire [PTR_W-1:0]   place = mac_a2accu_swap ? begin_q : in_place_q + size;  //% if winograd_enable
    wire [PTR_W-1:0]   place = mac_a2accu_swap ? begin_q : in_place_q + ${clog2(cacc_depth)}'d1;  //% if !winograd_enable
    //# All types but int8 and fp16 alone need both bits of PROC_PRECISION.
    wire unused_kind = &mac_a2accu_kind[1:0];  // one type  //% if winograd_enable && !several_types
    wire unused_kind = &mac_a2accu_kind[0];    // no int16  //% if several_types && int8 && !int16

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            in_valid_q <= 1'b0;
            begin_q    <= {PTR_W{1'b0}};
        end else begin
            in_valid_q <= mac_a2accu_valid && mac_b2accu_valid;
            if (mac_a2accu_valid && mac_a2accu_last) begin_q <= place + size;  //% if winograd_enable
            if (mac_a2accu_valid && mac_a2accu_last) begin_q <= place + ${clog2(cacc_depth)}'d1;  //% if !winograd_enable
        end
    end

    wire stored;                            // the delivery RAM holds a position
    reg  [2:0] round_valid_q;               // bit n: a word is in stage n of rounding

//% if clock_gating
    // ---------------------------------------------------------------- clock
    wire bank_busy;
    wire gclk;

    // Runs while a position is on its way to the FIFO, and during reset.
    clkgate u_clkgate (
        .clk     (clk),
        .en      (!rst_n || mac_a2accu_valid || in_valid_q || bank_busy || stored
                  || (|round_valid_q)),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
    always @(posedge ${gclk}) begin
        if (mac_a2accu_valid) begin
            in_a_q     <= mac_a2accu_data;
            in_b_q     <= mac_b2accu_data;
            in_place_q <= place;
            in_first_q <= mac_a2accu_first;
            in_last_q  <= mac_a2accu_last;
            in_end_q   <= mac_a2accu_end;
            in_tile_q  <= mac_a2accu_kind[2];  //% if winograd_enable
            in_fp_q    <= ${int8 ? "mac_a2accu_kind[1]" : "mac_a2accu_kind[1:0] != 2'd1"};  //% if mixed
            in_pair_q  <= mac_a2accu_kind[1:0] == 2'd0;  //% if int8 && int16
        end
    end

    // ---------------------------------------------------------------- bank${winograd_enable ? "s" : ""}
    reg  [PTR_W-1:0]   rptr_q;              // place of the oldest position
    wire [PTR_W-1:0]   rptr;                // in the next cycle
    wire ${winograd_enable ? "[2:0]         " : "              "}pushed;              // ${winograd_enable ? "positions that are" : "a position is"} new in the delivery RAM
    wire [GROUP_W-1:0] head;                // accumulators of the oldest position
    wire               head_end;            // it is the last one of its layer

    dla_cacc_bank${winograd_enable ? "s" : ""} u_bank${winograd_enable ? "s" : ""} (
        .clk      (${gclk}),
        .rst_n    (rst_n),
        .valid    (in_valid_q),
//% if winograd_enable
        .place    (in_place_q),
        .tile     (in_tile_q),
//% else
        .row      (in_place_q),
//% end
        .first    (in_first_q),
        .last     (in_last_q),
        .ending   (in_end_q),
        .fp       (in_fp_q),  //% if mixed
        .pair     (in_pair_q),  //% if int8 && int16
//% if winograd_enable
        .psum_a   (in_a_q),
        .psum_b   (in_b_q),
//% else
        .psum     ({in_b_q, in_a_q}),
//% end
        .pushed   (pushed),
        .busy     (bank_busy),  //% if clock_gating
        .head_at  (rptr),
        .head     (head),
        .head_end (head_end)
    );

    // ---------------------------------------------------------------- word of the position
    // Rounding belongs to the register group of its layer: behind the last word of a layer nothing
    // is taken until SDP has it and the groups have changed.
    reg  [4:0]        truncate_q;  //% if integers
    reg               open_q;               // the registers are those of the layer of the next word
    reg               ended_q;              // the last word of the layer is on its way
    reg  [PTR_W:0]    stored_q;             // positions in the delivery RAM
    reg  [BEAT_W-1:0] beat_q;               // word of the position
    reg  [ROOM_W-1:0] room_q;               // places in the FIFO without a word on its way
    reg  [2:0]        round_end_q;          // very last word of a layer, as round_valid_q
    reg               credit_q;
    reg  [1:0]        done_q;
    wire              out_take;
    reg  [1:0]        precision_q;  //% if several_types
    wire              fp_out    = ${int8 ? "precision_q[1]" : "precision_q != 2'd1"};  //% if mixed
    wire              pair_out  = precision_q == 2'd0;  //% if int8
    wire raw_take   = stored && open_q && !ended_q && (|room_q);
    wire final_beat = beat_q == (pair_out ? ${beat_w}'d${atomic_k / sdp_lanes - 1} : ${beat_w}'d${cells / sdp_lanes - 1});  //% if int8
    wire final_beat = beat_q == ${beat_w}'d${cells / sdp_lanes - 1};  //% if !int8
    wire raw_end    = head_end && final_beat;
    wire pop        = raw_take && final_beat;

    assign rptr    = rptr_q + {{(PTR_W-1){1'b0}}, pop};
    assign stored  = |stored_q;
    assign op_done = |done_q;

//% if int8
    // Selection by halves: word `beat` of the position, an accumulator of int8 per lane.
    function [LANES*${acc_w}-1:0] pick8(input [CELLS*${2 * acc_w}-1:0] all,
                                  input [BEAT_W-1:0] beat);
        reg [CELLS*${2 * acc_w}-1:0] rest;
        integer s;
        begin
            rest = all;
            for (s = BEAT_W - 1; s >= 0; s = s - 1) begin
                if (beat[s]) rest = rest >> ((LANES*${acc_w}) << s);
            end
            pick8 = rest[LANES*${acc_w}-1:0];
        end
    endfunction

//% end
    // The same with a kernel of 16 bits per lane.
    function [LANES*RAW_W-1:0] pick(input [CELLS*RAW_W-1:0] all, input [BEAT_W-1:0] beat);
        reg [CELLS*RAW_W-1:0] rest;
        integer               s;
        begin
            rest = all;
            for (s = BEAT_W - 1; s >= 0; s = s - 1) begin
                if (beat[s]) rest = rest >> ((LANES*RAW_W) << s);
            end
            pick = rest[LANES*RAW_W-1:0];
        end
    endfunction

    wire [CELLS*RAW_W-1:0] head16;
    wire [LANES*RAW_W-1:0] word16 = pick(head16, beat_q);
//% if int8
    wire [CELLS*${2 * acc_w}-1:0] head8;
    wire [LANES*${acc_w}-1:0] word8 = pick8(head8, beat_q);
//% end
    genvar c;
    generate
        for (c = 0; c < CELLS; c = c + 1) begin : gen_kernels
            assign head16[RAW_W*c +: RAW_W] = head[STATE_W*c +: RAW_W];
            assign head8[${2 * acc_w}*c +: ${2 * acc_w}] = head[STATE_W*c +: ${2 * acc_w}];  //% if int8
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rptr_q        <= {PTR_W{1'b0}};
            stored_q      <= {(PTR_W+1){1'b0}};
            beat_q        <= {BEAT_W{1'b0}};
            room_q        <= PLACES[ROOM_W-1:0];
            round_valid_q <= 3'd0;
            open_q        <= 1'b0;
            ended_q       <= 1'b0;
            credit_q      <= 1'b0;
        end else begin
            if (raw_take) beat_q <= final_beat ? {BEAT_W{1'b0}} : beat_q + 1'b1;
            if (raw_take != out_take) room_q <= room_q + {{(ROOM_W-1){raw_take}}, 1'b1};
            round_valid_q <= {round_valid_q[1:0], raw_take};
            open_q        <= op_en && !op_done;
            ended_q       <= (raw_take && raw_end) || (ended_q && !op_done);
            stored_q      <= stored_q + {${clog2(cacc_depth) - (winograd_enable ? 2 : 0)}'d0, pushed} - {{PTR_W{1'b0}}, pop};
            rptr_q        <= rptr;
            credit_q      <= pop;
        end
    end

//% if several_types
    always @(posedge clk) precision_q <= precision;

//% end
    // ---------------------------------------------------------------- rounding
    reg  [LANES*RAW_W-1:0] raw_q;           // before rounding
    wire [32*LANES-1:0] rounded;
    wire [LANES-1:0]    saturated;  //% if integers
    genvar l;
    generate
        for (l = 0; l < LANES; l = l + 1) begin : gen_lane
            always @(posedge ${gclk}) begin
                if (raw_take) begin
                    raw_q[RAW_W*l +: RAW_W] <= word16[RAW_W*l +: RAW_W];
//% if int8
                    if (pair_out) begin
                        raw_q[RAW_W*l +: RAW_W] <=
                            {{${raw_w - acc_w}{word8[${acc_w}*l + ${acc_w - 1}]}}, word8[${acc_w}*l +: ${acc_w}]};
                    end
//% end
                end
            end

//% if integers
            dla_cacc_round u_round (
                .clk      (${gclk}),
                .valid    (round_valid_q[1:0]),
                .acc      (raw_q[l*RAW_W +: RAW_W]),
                .truncate (truncate_q),
                .fp    (fp_out),  //% if mixed
                .sat      (saturated[l]),
                .out      (rounded[l*32 +: 32])
            );
//% else
            dla_cacc_fp32 u_fp32 (
                .clk   (${gclk}),
                .valid (round_valid_q[1:0]),
                .acc   (raw_q[l*RAW_W +: RAW_W]),
                .out   (rounded[l*32 +: 32])
            );
//% end
        end
    endgenerate

    always @(posedge ${gclk}) begin
        round_end_q <= {round_end_q[1:0], raw_take && raw_end};
        truncate_q  <= truncate;  //% if integers
    end
