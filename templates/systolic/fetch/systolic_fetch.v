// Fetch: reads a program from memory and hands on its instructions in order.
//
// Memory is read in pieces of 256 bytes, from one multiple of that to the next: a burst each, so
// none goes over 4 KiB. The FIFO has room for two pieces; a burst is asked for when there is room
// for a whole one that is not promised yet, so beats never wait.
//
//% if axi_bytes < 16
//   control -> pieces -> ar      r -> ${16 / axi_bytes} beats -> FIFO -> word -> resolver
//% elif axi_bytes == 16
//   control -> pieces -> ar      r -> FIFO -> word -> resolver
//% else
//   control -> pieces -> ar      r -> FIFO -> one of ${axi_bytes / 16} lanes -> word -> resolver
//% end
//
// Latency: 3 cycles from a program to its first burst, 2 from a beat to its instruction.
// Throughput: an instruction per cycle, if the beats suffice. Stalls with resolver and memory.
// After an answer that is not OKAY, or without control2fetch_run, no further instruction is handed
// on; idle when all beats that were asked for have come. Reset: idle.
`default_nettype none

module systolic_fetch (
    input  wire         clk,
    input  wire         rst_n,

    // memory
//% for p in pins
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end

    // programs
    input  wire         control2fetch_valid,
    output wire         control2fetch_ready,
    input  wire [${address_width - 1}:0]  control2fetch_address,    // bytes, a multiple of 16
    input  wire [15:0]  control2fetch_count,      // instructions, from 1
    input  wire         control2fetch_run,        // 0: no further ones
    output wire         fetch2control_idle,       // all of them are handed on
    output wire         fetch2control_error,      // pulse: first answer that is not OKAY
    output wire [${address_width - 1}:0]  fetch2control_address,    // with it: of the beat

    // instructions
    output wire         fetch2resolver_valid,
    input  wire         fetch2resolver_ready,
    output wire [127:0] fetch2resolver_word
);

    localparam ADDR_W  = ${address_width};
    localparam ENTRY_W = ${8 * max(16, axi_bytes)};                // bits of an entry of the FIFO
    localparam BYTE_W  = ${clog2(max(16, axi_bytes))};                  // an entry has 2^BYTE_W bytes
    localparam PIECE_W = 8 - BYTE_W;         // a piece has 2^PIECE_W entries
    localparam [PIECE_W:0]   PIECE = {1'b1, {PIECE_W{1'b0}}};
    localparam [PIECE_W+1:0] ROOM  = {1'b1, {(PIECE_W+1){1'b0}}};

    // ------------------------------------------------------------------ pieces
    //   piece_q, first_q: where the next burst begins; left_q: entries from there to the end
    reg                 run_q;
    reg                 stop_q;       // no further instructions
    reg                 fail_q;       // an answer was not OKAY
    reg                 more_q;       // left_q is not 0
    reg                 sized_q;      // len_q and last_q are those of the next burst
    reg  [ADDR_W-9:0]   piece_q;
    reg  [PIECE_W-1:0]  first_q;
    reg  [15:0]         left_q;
    reg  [PIECE_W:0]    len_q;
    reg                 last_q;
    reg  [PIECE_W+1:0]  free_q;       // entries that are not promised
    reg  [1:0]          bursts_q;     // on their way

    reg                 arvalid_q;
    reg  [ADDR_W-1:0]   araddr_q;
    reg  [PIECE_W-1:0]  arlen_q;      // entries - 1

    wire                start  = control2fetch_valid && !run_q;
    wire                room   = free_q[PIECE_W+1] || free_q[PIECE_W];
    wire                ask    = sized_q && room && !arvalid_q && !stop_q;
    wire [PIECE_W:0]    to_end = PIECE - {1'b0, first_q};
    wire                ends   = left_q <= {{(15-PIECE_W){1'b0}}, to_end};
//% if axi_bytes > 16

    localparam LANE_W = BYTE_W - 4;          // an entry has 2^LANE_W instructions
    wire [LANE_W-1:0]   lane   = control2fetch_address[4 +: LANE_W];
    wire [16:0]         lanes  = {1'b0, control2fetch_count} + {{(17-LANE_W){1'b0}}, lane}
                                 + {{(17-LANE_W){1'b0}}, {LANE_W{1'b1}}};
//% end

    assign control2fetch_ready = !run_q;
    assign fetch2control_idle  = !run_q;

    always @(posedge clk) begin
        len_q  <= ends ? left_q[PIECE_W:0] : to_end;
        last_q <= ends;
        if (start) begin
            piece_q <= control2fetch_address[ADDR_W-1:8];
            first_q <= control2fetch_address[7:BYTE_W];
            left_q  <= {{(LANE_W-1){1'b0}}, lanes[16:LANE_W]};  //% if axi_bytes > 16
            left_q  <= control2fetch_count;  //% if axi_bytes <= 16
        end else if (ask) begin
            piece_q <= piece_q + 1'b1;
            first_q <= {PIECE_W{1'b0}};
            left_q  <= left_q - {{(15-PIECE_W){1'b0}}, len_q};
        end
        if (ask) begin
            araddr_q <= {piece_q, first_q, {BYTE_W{1'b0}}};
            arlen_q  <= len_q[PIECE_W-1:0] - 1'b1;
        end
    end

    // ------------------------------------------------------------------ beats
    localparam AXI_W = ${clog2(axi_bytes)};                  // a beat has 2^AXI_W bytes

    wire                beat   = m_axi_fetch_rvalid;
    wire                bad    = beat && m_axi_fetch_rresp != 2'd0;
    reg  [ADDR_W-1:AXI_W] beat_q;     // the next one, or the first one that was not OKAY
    wire                push;
    wire                pop;
    wire                entry_valid;
    wire [ENTRY_W-1:0]  pushed;
    wire [ENTRY_W-1:0]  entry;
    wire                unused_ready;

    fifo_sync #(.W(ENTRY_W), .DEPTH(2 << PIECE_W)) u_fifo (
        .clk(clk), .rst_n(rst_n),
        .in_valid(push), .in_ready(unused_ready), .in_data(pushed),
        .out_valid(entry_valid), .out_ready(pop), .out_data(entry)
    );

//% if axi_bytes < 16
    // The first beats of an entry wait for the last one.
    localparam BEAT_W = ${axi_data_width};
    localparam PART_W = ${clog2(16 / axi_bytes)};                  // an entry has 2^PART_W beats

    reg  [PART_W-1:0]         part_q;
    reg  [ENTRY_W-BEAT_W-1:0] parts_q;

    assign push   = beat && part_q == {PART_W{1'b1}};
    assign pushed = {m_axi_fetch_rdata, parts_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    part_q <= {PART_W{1'b0}};
        else if (beat) part_q <= part_q + 1'b1;
    end

    always @(posedge clk) begin
        if (beat) parts_q <= pushed[ENTRY_W-1:BEAT_W];
    end
//% else
    assign push   = beat;
    assign pushed = m_axi_fetch_rdata;
//% end

    always @(posedge clk) begin
        if (start)                          beat_q <= control2fetch_address[ADDR_W-1:AXI_W];
        else if (beat && !bad && !fail_q)   beat_q <= beat_q + 1'b1;
    end

    // ------------------------------------------------------------------ words
    // What is in the FIFO after an error is dropped.
    reg                 valid_q;
    reg  [127:0]        word_q;
    reg                 error_q;
    wire                move = entry_valid && !stop_q && (!valid_q || fetch2resolver_ready);

    assign fetch2resolver_valid = valid_q;
    assign fetch2resolver_word  = word_q;
    assign fetch2control_error  = error_q;
    assign fetch2control_address = {beat_q, {AXI_W{1'b0}}};
//% if axi_bytes > 16

    reg  [LANE_W-1:0]   lane_q;
    reg  [15:0]         words_q;      // that are not handed on
    reg                 final_q;      // one is left

    assign pop = stop_q ? entry_valid : move && (lane_q == {LANE_W{1'b1}} || final_q);

    always @(posedge clk) begin
        if (move) word_q <= entry[{lane_q, 7'd0} +: 128];
        if (start) begin
            lane_q  <= lane;
            words_q <= control2fetch_count;
            final_q <= control2fetch_count == 16'd1;
        end else if (move) begin
            lane_q  <= lane_q + 1'b1;
            words_q <= words_q - 16'd1;
            final_q <= words_q == 16'd2;
        end
    end
//% else

    assign pop = stop_q ? entry_valid : move;

    always @(posedge clk) begin
        if (move) word_q <= entry;
    end
//% end

    // ------------------------------------------------------------------ control
    wire                   arrived = beat && m_axi_fetch_rlast;
    wire [PIECE_W+1:0]     taken   = ask ? {1'b0, len_q} : {(PIECE_W+2){1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            run_q     <= 1'b0;
            stop_q    <= 1'b0;
            fail_q    <= 1'b0;
            more_q    <= 1'b0;
            sized_q   <= 1'b0;
            free_q    <= ROOM;
            bursts_q  <= 2'd0;
            arvalid_q <= 1'b0;
            valid_q   <= 1'b0;
            error_q   <= 1'b0;
        end else begin
            if (start)
                run_q <= 1'b1;
            else if (!more_q && bursts_q == 2'd0 && !entry_valid && !valid_q)
                run_q <= 1'b0;
            stop_q    <= (stop_q || bad || !control2fetch_run) && !start;
            fail_q    <= (fail_q || bad) && !start;
            more_q    <= start || (more_q && !stop_q && !(ask && last_q));
            sized_q   <= more_q && !ask;
            free_q    <= free_q - taken + {{(PIECE_W+1){1'b0}}, pop};
            bursts_q  <= bursts_q + {1'b0, ask} - {1'b0, arrived};
            arvalid_q <= ask || (arvalid_q && !m_axi_fetch_arready);
            valid_q   <= move || (valid_q && !fetch2resolver_ready);
            error_q   <= bad && !fail_q;
        end
    end

    assign m_axi_fetch_arvalid = arvalid_q;
    assign m_axi_fetch_araddr  = araddr_q;
    assign m_axi_fetch_arlen   = {{(8-PIECE_W-PART_W){1'b0}}, arlen_q, {PART_W{1'b1}}};  //% if axi_bytes < 16
    assign m_axi_fetch_arlen   = {{(8-PIECE_W){1'b0}}, arlen_q};  //% if axi_bytes >= 16
    assign m_axi_fetch_rready  = 1'b1;
//% for p in pins
    assign ${p.name} = ${p.bits}'d${p.value};  //% if p.constant
//% end

//% if axi_bytes > 16
    wire unused_bits = &{1'b0, m_axi_fetch_rid, control2fetch_address[3:0], lanes, unused_ready};
//% else
    wire unused_bits = &{1'b0, m_axi_fetch_rid, control2fetch_address[3:0], unused_ready};
//% end

endmodule

`default_nettype wire
