// STORE: rows of OBUF to memory, one transfer after the other.
//
//   resolver -> transfer -> bursts -> aw      b -> count of bursts
//            |          \-> steps ------------v
//             \-> reads -> OBUF -> rows -> lanes -> beats -> w
//
// Rows are asked for when there is room for them. Bursts and beats are independent of each other;
// up to ${store_bursts} bursts wait for their answers. A row per cycle if the bus is as wide.
//% if scales
// Latency: 1 cycle from a transfer to its first read, 6 to its first burst, 4 from a row to the bus
// (${scale_cycles + 3} if it is requantised), 2 from the last answer to done. Stalls with OBUF and
// memory. A transfer goes on after an answer that is not OKAY. Reset: idle.
//% else
// Latency: 1 cycle from a transfer to its first read, 6 to its first burst, 4 from a row to the
// bus, 2 from the last answer to done. Stalls with OBUF and memory. A transfer goes on after an
// answer that is not OKAY. Reset: idle.
//% end
`default_nettype none

module systolic_store (
    input  wire         clk,
    input  wire         rst_n,

    // memory
//% for p in pins
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end

//% if scales
    // scale memory, cannot stall
    input  wire         load2scale_write,
    input  wire [3:0]   load2scale_entry,
    input  wire [${cols - 1}:0]  load2scale_enable,
    input  wire [${32 * cols - 1}:0] load2scale_data,

//% end
    // OBUF
    output wire         store2obuf_valid,
    input  wire         store2obuf_ready,
    output wire [${obuf_entry_w - 1}:0]   store2obuf_entry,
    input  wire         obuf2store_valid,         // in order, cannot stall
    input  wire [${output_row_w - 1}:0] obuf2store_data,

    // transfers
    input  wire         resolver2store_valid,
    output wire         resolver2store_ready,
    input  wire [119:0] resolver2store_parameters,
    output wire         store2resolver_done,      // pulse
    output wire         store2control_error,      // pulse: an answer that is not OKAY
    output wire [${address_width - 1}:0]  store2control_address     // with it: where the transfer begins
);

    localparam ADDR_W  = ${address_width};
    localparam BEAT_W  = ${clog2(axi_bytes)};           // a beat has 2^BEAT_W bytes
    localparam CHUNK_W = BEAT_W + 8 < 12 ? BEAT_W + 8 : 12; // a burst ends where 2^CHUNK_W bytes do

    // ------------------------------------------------------------------ transfer
    reg                busy_q;
    reg                done_q;
    reg                asking_q;      // bursts are left
    wire               finish;
    wire               ask;
    wire               take  = resolver2store_valid && !busy_q;
    wire               empty = resolver2store_parameters[61:54] == 8'd0
                               || resolver2store_parameters[53:46] == 8'd0
                               || resolver2store_parameters[45:38] == 8'd0;
    wire               start = take && !empty;

    assign resolver2store_ready = !busy_q;
    assign store2resolver_done  = done_q;

    wire [25:0]        place;
    wire               narrow;
    wire [1:0]         size;
    wire               burst_valid;
    wire               burst_ready;
    wire               burst_last;
    wire [ADDR_W-1:0]  burst_addr;
    wire [7:0]         burst_len;
    wire               step_valid;
    wire               step_ready;
    wire               unused_first;
    wire               step_ends;
    wire               step_closes;
    wire               unused_last;
    wire [CHUNK_W-1:0] step_addr;
    wire [BEAT_W-1:0]  step_final;
    wire               step_crosses;
    wire [7:0]         step_bank;

    systolic_transfer #(.STEP_W(CHUNK_W)) u_transfer (
        .clk(clk), .rst_n(rst_n), .start(start), .parameters(resolver2store_parameters),
        .address(store2control_address),
        .place(place), .narrow(narrow), .size(size), .bank(${col_w == 0 ? "8'd0" : field("place", 0, col_w, 8)}),
        .burst_valid(burst_valid), .burst_ready(burst_ready), .burst_last(burst_last),
        .burst_addr(burst_addr), .burst_len(burst_len),
        .step_valid(step_valid), .step_ready(step_ready),
        .step_first(unused_first), .step_ends(step_ends), .step_closes(step_closes),
        .step_last(unused_last), .step_addr(step_addr), .step_final(step_final),
        .step_crosses(step_crosses), .step_bank(step_bank)
    );

    // ------------------------------------------------------------------ requests and answers
    reg                awvalid_q;
    reg  [ADDR_W-1:0]  awaddr_q;
    reg  [7:0]         awlen_q;
    reg  [${clog2(store_bursts)}:0]         open_q;        // bursts without an answer, up to ${store_bursts}
    reg                error_q;
    wire               answer = m_axi_store_bvalid;

    assign burst_ready = !open_q[${clog2(store_bursts)}] && (!awvalid_q || m_axi_store_awready);
    assign ask         = burst_valid && burst_ready;
    assign finish      = busy_q && !asking_q && open_q == ${clog2(store_bursts) + 1}'d0;
    assign m_axi_store_awvalid = awvalid_q;
    assign m_axi_store_awaddr  = awaddr_q;
    assign m_axi_store_awlen   = awlen_q;
    assign m_axi_store_bready  = 1'b1;
    assign store2control_error = error_q;

    always @(posedge clk) begin
        if (ask) begin
            awaddr_q <= burst_addr;
            awlen_q  <= burst_len;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q    <= 1'b0;
            done_q    <= 1'b0;
            asking_q  <= 1'b0;
            awvalid_q <= 1'b0;
            open_q    <= ${clog2(store_bursts) + 1}'d0;
            error_q   <= 1'b0;
        end else begin
            busy_q    <= start || (busy_q && !finish);
            done_q    <= (take && empty) || finish;
            asking_q  <= start || (asking_q && !(ask && burst_last));
            awvalid_q <= ask || (awvalid_q && !m_axi_store_awready);
            if (ask != answer) open_q <= ask ? open_q + 1'b1 : open_q - 1'b1;
            error_q   <= answer && m_axi_store_bresp != 2'd0;
        end
    end

    // ------------------------------------------------------------------ rows
    localparam ENTRY_W = ${obuf_entry_w};
    localparam ROWS    = 8;           // that wait
    localparam [ENTRY_W-1:0] NEXT = ${obuf_entry_w}'d1;

    reg                reading_q;
    reg  [3:0]         room_q;        // places for rows that are not asked for
    reg  [ENTRY_W-1:0] entry_q;
    reg  [7:0]         vectors_q;     // of a slice - 1
    reg  [7:0]         read_vectors_q; // of the slice, behind this one
    reg  [7:0]         read_slices_q;
    wire               read      = store2obuf_valid && store2obuf_ready;
    wire               row_ends  = read_vectors_q == 8'd0;
    wire               read_last = row_ends && read_slices_q == 8'd0;
    wire               row_valid;
    wire               row_take;
    wire [${output_row_w - 1}:0] row;
    wire               unused_ready;  // there is room

    assign store2obuf_valid = reading_q && room_q != 4'd0;
    assign store2obuf_entry = entry_q;

    always @(posedge clk) begin
        if (start) begin
            entry_q        <= resolver2store_parameters[${62 + col_w} +: ENTRY_W];
            vectors_q      <= resolver2store_parameters[53:46] - 8'd1;
            read_vectors_q <= resolver2store_parameters[53:46] - 8'd1;
            read_slices_q  <= resolver2store_parameters[61:54] - 8'd1;
        end else if (read) begin
            entry_q        <= entry_q + NEXT;
            read_vectors_q <= row_ends ? vectors_q : read_vectors_q - 8'd1;
            read_slices_q  <= row_ends ? read_slices_q - 8'd1 : read_slices_q;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            reading_q <= 1'b0;
            room_q    <= 4'd8;
        end else begin
            reading_q <= start || (reading_q && !(read && read_last));
            if (read != row_take) room_q <= read ? room_q - 4'd1 : room_q + 4'd1;
        end
    end

    fifo_sync #(.W(${output_row_w}), .DEPTH(ROWS)) u_rows (
        .clk(clk), .rst_n(rst_n),
        .in_valid(obuf2store_valid), .in_ready(unused_ready), .in_data(obuf2store_data),
        .out_valid(row_valid), .out_ready(row_take), .out_data(row)
    );

    // ------------------------------------------------------------------ steps
    // A step that crosses into the next beat at the end of a run sends that, too: its tail.
    localparam [4:0] PLACES = 5'd${store_places};       // of beats
    localparam WORD_W = 4 + 3*BEAT_W;

    reg  [4:0]         places_q;      // that are free
    reg                tail_q;
    wire [BEAT_W-1:0]  lane    = step_addr[BEAT_W-1:0];
    wire               border  = step_addr[CHUNK_W-1:BEAT_W] == {(CHUNK_W-BEAT_W){1'b1}};
    wire               go      = step_valid && (row_valid || tail_q) && places_q != 5'd0;
    wire               closes  = step_closes && (tail_q || !step_crosses);
    wire               sends   = step_closes || step_crosses || step_final == {BEAT_W{1'b1}};
    wire               last    = closes || border;
    wire [BEAT_W+1:0]  bank_at = {2'd0, step_bank[BEAT_W-1:0]} << size;
    wire [BEAT_W-1:0]  turn    = lane - bank_at[BEAT_W-1:0];
    wire               sent    = m_axi_store_wvalid && m_axi_store_wready;

    assign step_ready = go && (closes || !step_closes);
    assign row_take   = go && !tail_q && step_ends;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            tail_q   <= 1'b0;
            places_q <= PLACES;
        end else begin
            if (go) tail_q <= step_closes && !closes;
            if ((go && sends) != sent) places_q <= sent ? places_q + 5'd1 : places_q - 5'd1;
        end
    end

//% if scales
    // Words of the steps beside their elements: one cycle, ${scale_cycles} if these are requantised.
    reg                scaled_q;
    reg  [1:0]         set_q;
    reg  [${scale_cycles - 1}:0]         valid_q;
    reg  [${scale_cycles}*WORD_W-1:0] words_q;
    wire               word_valid = scaled_q ? valid_q[${scale_cycles - 1}] : valid_q[0];
    wire [WORD_W-1:0]  word = scaled_q ? words_q[${scale_cycles - 1}*WORD_W +: WORD_W]
                                       : words_q[0 +: WORD_W];

    always @(posedge clk) begin
        words_q <= {words_q[${scale_cycles - 1}*WORD_W-1:0],
                    sends, last, tail_q, step_crosses, lane, step_final, turn};
        if (start) begin
            scaled_q <= resolver2store_parameters[2] && resolver2store_parameters[20];
            set_q    <= resolver2store_parameters[1:0];
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= ${scale_cycles}'d0;
        else valid_q <= {valid_q[${scale_cycles - 2}:0] & {${scale_cycles - 1}{scaled_q}}, go};
    end
//% else
    // Words of the steps beside their elements.
    reg                word_valid;
    reg  [WORD_W-1:0]  word;

    always @(posedge clk)
        word <= {sends, last, tail_q, step_crosses, lane, step_final, turn};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) word_valid <= 1'b0;
        else        word_valid <= go;
    end
//% end

    wire               word_sends;
    wire               word_last;
    wire               word_tail;
    wire               word_crosses;
    wire [BEAT_W-1:0]  word_lane;
    wire [BEAT_W-1:0]  word_final;
    wire [BEAT_W-1:0]  word_turn;
    wire [${axi_data_width - 1}:0] lanes;

    assign {word_sends, word_last, word_tail, word_crosses,
            word_lane, word_final, word_turn} = word;

    systolic_store_lanes u_lanes (
        .clk(clk), .narrow(narrow),
//% if scales
        .scaled(scaled_q), .set(set_q), .load(valid_q[1:0]),
        .load2scale_write(load2scale_write), .load2scale_entry(load2scale_entry),
        .load2scale_enable(load2scale_enable), .load2scale_data(load2scale_data),
//% end
        .row(row), .bank(step_bank), .lanes(lanes)
    );

    systolic_store_beats u_beats (
        .clk(clk), .rst_n(rst_n),
        .step_valid(word_valid), .step_sends(word_sends), .step_last(word_last),
        .step_tail(word_tail), .step_crosses(word_crosses),
        .step_lane(word_lane), .step_final(word_final), .step_turn(word_turn), .lanes(lanes),
        .wvalid(m_axi_store_wvalid), .wready(m_axi_store_wready), .wlast(m_axi_store_wlast),
        .wstrb(m_axi_store_wstrb), .wdata(m_axi_store_wdata)
    );

//% for p in pins
    assign ${p.name} = ${p.bits}'d${p.value};  //% if p.constant
//% end

    wire unused_bits = &{1'b0, m_axi_store_bid, place, bank_at, step_bank};

endmodule

`default_nettype wire
