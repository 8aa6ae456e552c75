// Bursts of a transfer: each run is cut at the multiples of 2^CHUNK_W bytes, so that no burst has
// more than 256 beats or goes over 4 KiB.
//
//   start -> runs -> cut -> burst
//
// Latency: 2 cycles. One burst per cycle. Addresses wrap. The inputs hold from the cycle before
// start to the last burst. Reset: no transfer.
`default_nettype none

module systolic_burst (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        start,
    input  wire [${address_width - 1}:0] address,      // bytes
    input  wire [1:0]  size,          // an element has 2^size bytes
    input  wire [23:0] run,           // elements - 1
    input  wire [7:0]  runs,          // of a slice
    input  wire [7:0]  slices,
    input  wire [12:0] run_stride,    // elements from run to run of a slice
    input  wire [20:0] slice_stride,  // from the last one of a slice to the next slice

    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_last,      // of the transfer
    output wire [${address_width - 1}:0] out_addr,     // bytes, of a beat
    output wire [7:0]  out_len        // beats - 1
);

    localparam ADDR_W  = ${address_width};
    localparam BEAT_W  = ${clog2(axi_bytes)};           // a beat has 2^BEAT_W bytes
    localparam CHUNK_W = BEAT_W + 8 < 12 ? BEAT_W + 8 : 12;
    localparam LEN_W   = CHUNK_W - BEAT_W;
    localparam MORE_W  = (ADDR_W < 27 ? ADDR_W : 27) - CHUNK_W;  // a run has up to 2^26 bytes

    wire [31:0] run_bytes = size[1] ? {6'd0, run, 2'b11}      // - 1
                          : size[0] ? {7'd0, run, 1'b1} : {8'd0, run};

    // ------------------------------------------------------------------ runs
    reg         r_valid_q;
    reg  [ADDR_W-1:0] r_start_q;      // first and last byte
    reg  [ADDR_W-1:0] r_end_q;
    reg  [7:0]  r_runs_q;             // of the slice, behind this one
    reg  [7:0]  r_slices_q;
    reg  [14:0] run_step_q;           // bytes
    reg  [22:0] slice_step_q;
    wire        r_take;
    wire        slice_ends = r_runs_q == 8'd0;
    wire        r_last     = slice_ends && r_slices_q == 8'd0;
    wire [31:0] r_step     = {9'd0, slice_ends ? slice_step_q : {8'd0, run_step_q}};

    always @(posedge clk) begin
        run_step_q   <= {2'd0, run_stride} << size;
        slice_step_q <= {2'd0, slice_stride} << size;
        if (start) begin
            r_start_q  <= address;
            r_end_q    <= address + run_bytes[ADDR_W-1:0];
            r_runs_q   <= runs - 8'd1;
            r_slices_q <= slices - 8'd1;
        end else if (r_take) begin
            r_start_q  <= r_start_q + r_step[ADDR_W-1:0];
            r_end_q    <= r_end_q + r_step[ADDR_W-1:0];
            r_runs_q   <= slice_ends ? runs - 8'd1 : r_runs_q - 8'd1;
            r_slices_q <= slice_ends ? r_slices_q - 8'd1 : r_slices_q;
        end
    end

    // ------------------------------------------------------------------ cut
    //   c_chunk, c_first: where the burst begins; c_len: beats - 1; c_more: chunks behind this one;
    //   c_end: last beat of the run
    reg                  c_valid_q;
    reg                  c_last_q;    // run of the transfer
    reg  [ADDR_W-CHUNK_W-1:0] c_chunk_q;
    reg  [LEN_W-1:0]     c_first_q;
    reg  [LEN_W-1:0]     c_len_q;
    reg  [MORE_W-1:0]    c_more_q;
    reg  [LEN_W-1:0]     c_end_q;
    reg                  c_ends_q;    // c_more_q is 0
    wire [MORE_W-1:0]    r_more  = r_end_q[CHUNK_W +: MORE_W] - r_start_q[CHUNK_W +: MORE_W];
    wire                 r_ends  = r_end_q[CHUNK_W +: MORE_W] == r_start_q[CHUNK_W +: MORE_W];
    wire [LEN_W-1:0]     r_first = r_start_q[BEAT_W +: LEN_W];
    wire [LEN_W-1:0]     r_beats = r_end_q[BEAT_W +: LEN_W] - r_first;
    wire                 c_ending = c_more_q == {{(MORE_W-1){1'b0}}, 1'b1};
    wire                 c_ready = !c_valid_q || (out_ready && c_ends_q);

    assign r_take    = r_valid_q && c_ready;
    assign out_valid = c_valid_q;
    assign out_last  = c_last_q && c_ends_q;
    assign out_addr  = {c_chunk_q, c_first_q, {BEAT_W{1'b0}}};
    assign out_len   = {{(8-LEN_W){1'b0}}, c_len_q};  //% if axi_bytes > 16
    assign out_len   = c_len_q;  //% if axi_bytes <= 16

    always @(posedge clk) begin
        if (c_ready) begin
            c_last_q <= r_last;
            {c_chunk_q, c_first_q} <= r_start_q[ADDR_W-1:BEAT_W];
            c_more_q <= r_more;
            c_ends_q <= r_ends;
            c_len_q  <= r_ends ? r_beats : ~r_first;
            c_end_q  <= r_end_q[BEAT_W +: LEN_W];
        end else if (out_ready) begin
            c_chunk_q <= c_chunk_q + 1'b1;
            c_more_q  <= c_more_q - 1'b1;
            c_ends_q  <= c_ending;
            c_len_q   <= c_ending ? c_end_q : {LEN_W{1'b1}};
            c_first_q <= {LEN_W{1'b0}};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            r_valid_q <= 1'b0;
            c_valid_q <= 1'b0;
        end else begin
            r_valid_q <= start || (r_valid_q && !(r_take && r_last));
            if (c_ready) c_valid_q <= r_valid_q;
        end
    end

    wire unused_bits = &{1'b0, run_bytes, r_step, r_end_q};

endmodule

`default_nettype wire
