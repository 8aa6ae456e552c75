// LOAD: vectors from memory to the buffers, one transfer after the other.
//
//   resolver -> transfer -> bursts -> ar      r -> FIFO -> merge -> rotate -> buffers
//                       \-> steps --------------------------^
//
// A burst is asked for when there is room for all its beats: none waits at the bus. A beat per
// cycle if vectors fill beats, else a vector per cycle (systolic_load_write). Latency: 6 cycles
// from a transfer to its first request, 5 from a beat to the buffers, one from the last write to
// done. Stalls with load2obuf and memory. A transfer goes on after an answer that is not OKAY.
// Reset: idle.
`default_nettype none

module systolic_load (
    input  wire         clk,
    input  wire         rst_n,

    // memory
//% for p in pins
    ${p.is_output ? "output" : "input "} wire [${p.bits - 1:1}:0]    ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits > 1
    ${p.is_output ? "output" : "input "} wire          ${p.name},${p.doc != "" ? " // " : ""}${p.doc}  //% if p.bits == 1
//% end

    // buffers; those without ready cannot stall
    output wire         load2ibuf_write,
    output wire [${ibuf_entry_w - 1}:0]   load2ibuf_entry,
    output wire [${rows - 1}:0]  load2ibuf_enable,
    output wire [${input_row_w - 1}:0] load2ibuf_data,
    output wire         load2wbuf_write,
    output wire [${wbuf_entry_w - 1}:0]   load2wbuf_entry,
    output wire [${cols - 1}:0]  load2wbuf_enable,
    output wire [${weight_row_w - 1}:0] load2wbuf_data,
    output wire         load2obuf_valid,
    input  wire         load2obuf_ready,
    output wire [${obuf_entry_w - 1}:0]   load2obuf_entry,
    output wire [${cols - 1}:0]  load2obuf_enable,
    output wire [${output_row_w - 1}:0] load2obuf_data,
//% if scales
    output wire         load2scale_write,
    output wire [3:0]   load2scale_entry,
    output wire [${cols - 1}:0]  load2scale_enable,
    output wire [${32 * cols - 1}:0] load2scale_data,
//% end

    // transfers
    input  wire         resolver2load_valid,
    output wire         resolver2load_ready,
    input  wire [119:0] resolver2load_parameters,
    output wire         load2resolver_done,       // pulse
    output wire         load2control_error,       // pulse: an answer that is not OKAY
    output wire [${address_width - 1}:0]  load2control_address      // with it: where the transfer begins
);

    localparam ADDR_W = ${address_width};
    localparam BEAT_W = ${clog2(axi_bytes)};            // a beat has 2^BEAT_W bytes
    localparam DEPTH  = ${depth};          // beats that wait: two of the longest bursts

    // ------------------------------------------------------------------ transfer
    reg                busy_q;
    reg                done_q;
    wire               finish;
    wire               take  = resolver2load_valid && !busy_q;
    wire               empty = resolver2load_parameters[61:54] == 8'd0
                               || resolver2load_parameters[53:46] == 8'd0
                               || resolver2load_parameters[45:38] == 8'd0;
    wire               start = take && !empty;

    assign resolver2load_ready = !busy_q;
    assign load2resolver_done  = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q <= 1'b0;
            done_q <= 1'b0;
        end else begin
            busy_q <= start || (busy_q && !finish);
            done_q <= (take && empty) || finish;
        end
    end

    wire [25:0]        place;
    wire               narrow;
    wire [1:0]         size;
    wire               burst_valid;
    wire               burst_ready;
    wire               unused_last;
    wire [ADDR_W-1:0]  burst_addr;
    wire [7:0]         burst_len;
    wire               step_valid;
    wire               step_ready;
    wire               step_first;
    wire               step_ends;
    wire               unused_closes;
    wire               step_last;
    wire [BEAT_W-1:0]  step_lane;
    wire [BEAT_W-1:0]  step_final;
    wire               step_crosses;
    wire [7:0]         step_bank;

    // ------------------------------------------------------------------ place in the buffers
    localparam ENTRY_W = ${entry_w};
    wire               to_scale = place[25:24] == 2'd0;  //% if scales
    wire               to_ibuf  = place[25:24] == 2'd1;
    wire               to_wbuf  = place[25:24] == 2'd2;
    wire               to_obuf  = place[25:24] == 2'd3;
    wire [7:0]         bank     = ${col_w == 0 ? "8'd0" : field("place", 0, col_w, 8)};  //% if row_w == col_w
    wire [7:0]         bank     = to_ibuf ? ${row_w == 0 ? "8'd0" : field("place", 0, row_w, 8)} : ${col_w == 0 ? "8'd0" : field("place", 0, col_w, 8)};  //% if row_w != col_w
//% if row_w == col_w
    wire [ENTRY_W-1:0] entry    = place[${col_w} +: ENTRY_W];
//% else
    wire [ENTRY_W-1:0] entry    = to_ibuf ? place[${row_w} +: ENTRY_W] : place[${col_w} +: ENTRY_W];
//% end
    wire               unused_place = &{1'b0, place};

    systolic_transfer #(.STEP_W(BEAT_W)) u_transfer (
        .clk(clk), .rst_n(rst_n), .start(start), .parameters(resolver2load_parameters),
        .address(load2control_address),
        .place(place), .narrow(narrow), .size(size), .bank(bank),
        .burst_valid(burst_valid), .burst_ready(burst_ready), .burst_last(unused_last),
        .burst_addr(burst_addr), .burst_len(burst_len),
        .step_valid(step_valid), .step_ready(step_ready),
        .step_first(step_first), .step_ends(step_ends), .step_closes(unused_closes),
        .step_last(step_last), .step_addr(step_lane), .step_final(step_final),
        .step_crosses(step_crosses), .step_bank(step_bank)
    );

    // ------------------------------------------------------------------ requests
    reg                arvalid_q;
    reg  [ADDR_W-1:0]  araddr_q;
    reg  [7:0]         arlen_q;
    reg  [9:0]         room_q;        // beats
    wire               beat_take;
    wire               fits = room_q > {2'd0, burst_len};
    wire               ask  = burst_valid && burst_ready;
    // The room that is left, if no beat is taken and if one is.
    wire [9:0]         kept = ask ? room_q + ~{2'd0, burst_len} : room_q;
    wire [9:0]         more = ask ? room_q - {2'd0, burst_len} : room_q + 10'd1;

    assign burst_ready = fits && (!arvalid_q || m_axi_load_arready);
    assign m_axi_load_arvalid = arvalid_q;
    assign m_axi_load_araddr  = araddr_q;
    assign m_axi_load_arlen   = arlen_q;

    always @(posedge clk) begin
        if (ask) begin
            araddr_q <= burst_addr;
            arlen_q  <= burst_len;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            arvalid_q <= 1'b0;
            room_q    <= 10'd${depth};
        end else begin
            arvalid_q <= ask || (arvalid_q && !m_axi_load_arready);
            room_q    <= beat_take ? more : kept;
        end
    end

    // ------------------------------------------------------------------ beats
    reg                error_q;
    wire               beat_valid;
    wire               beat_ready;
    wire [${axi_data_width - 1}:0] beat;
    wire               unused_ready;  // there is room

    assign m_axi_load_rready  = 1'b1;
    assign load2control_error = error_q;
    assign beat_take          = beat_valid && beat_ready;

    fifo_ram #(.W(${axi_data_width}), .DEPTH(DEPTH)) u_beats (
        .clk(clk), .rst_n(rst_n),
        .in_valid(m_axi_load_rvalid), .in_ready(unused_ready), .in_data(m_axi_load_rdata),
        .out_valid(beat_valid), .out_ready(beat_ready), .out_data(beat)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) error_q <= 1'b0;
        else        error_q <= m_axi_load_rvalid && m_axi_load_rresp != 2'd0;
    end

    reg                begin_q;       // place is known

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin_q <= 1'b0;
        else        begin_q <= start;
    end

    systolic_load_write u_write (
        .clk(clk), .rst_n(rst_n),
        .start(begin_q), .to_scale(to_scale),  //% if scales
        .start(begin_q),  //% if !scales
        .to_ibuf(to_ibuf), .to_wbuf(to_wbuf), .to_obuf(to_obuf),
        .narrow(narrow),  //% if out_width > in_width
        .size(size), .entry(entry),
        .step_valid(step_valid), .step_ready(step_ready),
        .step_first(step_first), .step_ends(step_ends), .step_last(step_last),
        .step_lane(step_lane), .step_final(step_final), .step_crosses(step_crosses),
        .step_bank(step_bank), .finish(finish),
        .beat_valid(beat_valid), .beat_ready(beat_ready), .beat(beat),
//% if scales
        .load2scale_write(load2scale_write), .load2scale_entry(load2scale_entry),
        .load2scale_enable(load2scale_enable), .load2scale_data(load2scale_data),
//% end
        .load2ibuf_write(load2ibuf_write), .load2ibuf_entry(load2ibuf_entry),
        .load2ibuf_enable(load2ibuf_enable), .load2ibuf_data(load2ibuf_data),
        .load2wbuf_write(load2wbuf_write), .load2wbuf_entry(load2wbuf_entry),
        .load2wbuf_enable(load2wbuf_enable), .load2wbuf_data(load2wbuf_data),
        .load2obuf_valid(load2obuf_valid), .load2obuf_ready(load2obuf_ready),
        .load2obuf_entry(load2obuf_entry), .load2obuf_enable(load2obuf_enable),
        .load2obuf_data(load2obuf_data)
    );

//% for p in pins
    assign ${p.name} = ${p.bits}'d${p.value};  //% if p.constant
//% end

    wire unused_bits = &{1'b0, narrow, m_axi_load_rid, m_axi_load_rlast};

endmodule

`default_nettype wire
