// Beats to elements of the buffers.
//
//   step -> op -> merge -> rotate -> buffers
//                  ^  ^
//        beat -----+--+-- the beat before
//
// The bytes of a step are in a beat, or the last of one and the first of the next. They are
// turned once: from their lanes to those of their banks, element k of a step to the lane of bank
// + k, counted modulo the elements of a beat. A step is written in one cycle.
//
// Latency: 3 cycles from a step to its write, if its beats are there, 2 from a beat. One step per
// cycle; a run whose first step crosses into a second beat takes a cycle more. Stalls with
// load2obuf. The inputs of the transfer hold. Reset: no step.
`default_nettype none

module systolic_load_write (
    input  wire         clk,
    input  wire         rst_n,

    // transfer
    input  wire         start,
    input  wire         to_scale,  //% if scales
    input  wire         to_ibuf,
    input  wire         to_wbuf,
    input  wire         to_obuf,
    input  wire         narrow,  //% if out_width > in_width
    input  wire [1:0]   size,         // an element has 2^size bytes
    input  wire [${entry_w - 1}:0]   entry,        // of the first vector

    // steps
    input  wire         step_valid,
    output wire         step_ready,
    input  wire         step_first,   // of its run
    input  wire         step_ends,    // its vector
    input  wire         step_last,    // of the transfer
    input  wire [${clog2(axi_bytes) - 1}:0]   step_lane,    // of the first byte
    input  wire [${clog2(axi_bytes) - 1}:0]   step_final,   // of the last byte
    input  wire         step_crosses, // into the next beat
    input  wire [7:0]   step_bank,    // of the first element
    output wire         finish,       // the last element is written

    // beats
    input  wire         beat_valid,
    output wire         beat_ready,
    input  wire [${axi_data_width - 1}:0] beat,

    // buffers
//% if scales
    output wire         load2scale_write,
    output wire [3:0]   load2scale_entry,
    output wire [${cols - 1}:0]  load2scale_enable,
    output wire [${32 * cols - 1}:0] load2scale_data,
//% end
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
    output wire [${output_row_w - 1}:0] load2obuf_data
);

    localparam BYTES   = ${axi_bytes};            // of a beat
    localparam LANE_W  = ${clog2(axi_bytes)};
    localparam ENTRY_W = ${entry_w};
    localparam BANKS   = ${max(rows, cols)};

    // ------------------------------------------------------------------ op: what a cycle does
    //   pop: the next beat becomes the beat before; write: a step, from lanes of both
    reg                op_valid_q;
    reg                op_pop_q;
    reg                op_write_q;
    reg                op_last_q;
    reg  [BYTES-1:0]   op_newer_q;    // lanes that are taken from the next beat
    reg  [LANE_W-1:0]  op_turn_q;
    reg  [LANE_W-1:0]  op_lane_q;
    reg  [LANE_W-1:0]  op_final_q;
    reg  [7:0]         op_bank_q;
    reg  [ENTRY_W-1:0] op_entry_q;
    reg                half_q;        // the first beat of the step is there
    reg  [ENTRY_W-1:0] entry_q;
    wire               op_go;
    wire               op_ready = !op_valid_q || op_go;
    wire               half     = step_first && step_crosses && !half_q;
    wire               fresh    = (step_first && !half_q) || step_lane == {LANE_W{1'b0}};
    wire [LANE_W+1:0]  bank_at  = {2'd0, step_bank[LANE_W-1:0]} << size;

    assign step_ready = op_ready && !half;

    integer l, m;

    always @(posedge clk) begin
        if (op_ready) begin
            op_pop_q   <= fresh || step_crosses;
            op_write_q <= !half;
            op_last_q  <= step_last;
            op_turn_q  <= bank_at[LANE_W-1:0] - step_lane;
            op_lane_q  <= step_lane;
            op_final_q <= step_final;
            op_bank_q  <= step_bank;
            op_entry_q <= entry_q;
            for (l = 0; l < BYTES; l = l + 1)
                op_newer_q[l] <= fresh || l[LANE_W-1:0] < step_lane;
        end
        if (start)
            entry_q <= entry;
        else if (step_valid && step_ready && step_ends)
            entry_q <= entry_q + {{(ENTRY_W-1){1'b0}}, 1'b1};
    end

    // ------------------------------------------------------------------ merge
    reg                m_valid_q;
    reg                m_last_q;
    reg  [LANE_W-1:0]  m_turn_q;
    reg  [7:0]         m_bank_q;      // of the first and the last element
    reg  [7:0]         m_final_q;
    reg  [ENTRY_W-1:0] m_entry_q;
    reg  [8*BYTES-1:0] m_data_q;
    reg  [8*BYTES-1:0] before_q;
    wire               m_ready;
    wire [LANE_W-1:0]  more = op_final_q - op_lane_q;   // bytes - 1

    assign op_go      = op_valid_q && (beat_valid || !op_pop_q) && m_ready;
    assign beat_ready = op_valid_q && op_pop_q && m_ready;

    always @(posedge clk) begin
        if (beat_valid && beat_ready) before_q <= beat;
        if (m_ready) begin
            m_last_q  <= op_last_q;
            m_turn_q  <= op_turn_q;
            m_bank_q  <= op_bank_q;
            m_final_q <= op_bank_q + {{(8-LANE_W){1'b0}}, more >> size};
            m_entry_q <= op_entry_q;
            for (m = 0; m < BYTES; m = m + 1)
                m_data_q[8*m +: 8] <= op_newer_q[m] ? beat[8*m +: 8] : before_q[8*m +: 8];
        end
    end

    // ------------------------------------------------------------------ rotate
    reg                r_valid_q;
    reg                r_last_q;
    reg  [BANKS-1:0]   r_enable_q;
    reg  [ENTRY_W-1:0] r_entry_q;
    reg  [8*BYTES-1:0] r_data_q;
    wire [8*BYTES-1:0] turned;
    wire               r_go    = r_valid_q && (load2obuf_ready || !to_obuf);
    wire               r_ready = !r_valid_q || r_go;

    assign m_ready = !m_valid_q || r_ready;
    assign finish  = r_go && r_last_q;

    systolic_rotate #(.BYTES(BYTES)) u_rotate (.in(m_data_q), .by(m_turn_q), .out(turned));

    integer b;

    always @(posedge clk) begin
        if (r_ready) begin
            r_last_q  <= m_last_q;
            r_entry_q <= m_entry_q;
            r_data_q  <= turned;
            for (b = 0; b < BANKS; b = b + 1)
                r_enable_q[b] <= b[7:0] >= m_bank_q && b[7:0] <= m_final_q;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            op_valid_q <= 1'b0;
            half_q     <= 1'b0;
            m_valid_q  <= 1'b0;
            r_valid_q  <= 1'b0;
        end else begin
            if (op_ready) op_valid_q <= step_valid;
            if (op_ready && step_valid) half_q <= half;
            if (m_ready) m_valid_q <= op_go && op_write_q;
            if (r_ready) r_valid_q <= m_valid_q;
        end
    end

    // ------------------------------------------------------------------ buffers
    localparam ROWS       = ${rows};
    localparam COLS       = ${cols};
    localparam IN_W       = ${in_width};
    localparam WEIGHT_W   = ${weight_width};
    localparam OUT_W      = ${out_width};
    localparam IN_BITS    = ${8 * in_bytes};          // in memory
    localparam WEIGHT_BITS = ${8 * weight_bytes};
    localparam OUT_BITS   = ${8 * out_bytes};
    localparam INS        = 8*BYTES / IN_BITS;        // elements of a beat
    localparam WEIGHTS    = 8*BYTES / WEIGHT_BITS;
    localparam OUTS       = 8*BYTES / OUT_BITS;

    assign load2ibuf_write  = r_valid_q && to_ibuf;
    assign load2wbuf_write  = r_valid_q && to_wbuf;
    assign load2obuf_valid  = r_valid_q && to_obuf;
    assign load2ibuf_entry  = r_entry_q[${ibuf_entry_w - 1}:0];
    assign load2wbuf_entry  = r_entry_q[${wbuf_entry_w - 1}:0];
    assign load2obuf_entry  = r_entry_q[${obuf_entry_w - 1}:0];
    assign load2ibuf_enable = r_enable_q[ROWS-1:0];
    assign load2wbuf_enable = r_enable_q[COLS-1:0];
    assign load2obuf_enable = r_enable_q[COLS-1:0];
//% if scales
    assign load2scale_write  = r_valid_q && to_scale;
    assign load2scale_entry  = r_entry_q[3:0];
    assign load2scale_enable = r_enable_q[COLS-1:0];
//% end

    genvar i;
    generate
        for (i = 0; i < ROWS; i = i + 1) begin : gen_row
            assign load2ibuf_data[i*IN_W +: IN_W] = r_data_q[i % INS * IN_BITS +: IN_W];
        end
        for (i = 0; i < COLS; i = i + 1) begin : gen_col
            wire [OUT_W-1:0] wide = r_data_q[i % OUTS * OUT_BITS +: OUT_W];

            assign load2wbuf_data[i*WEIGHT_W +: WEIGHT_W] =
                r_data_q[i % WEIGHTS * WEIGHT_BITS +: WEIGHT_W];
//% if out_width > in_width
            wire [IN_W-1:0]  in = r_data_q[i % INS * IN_BITS +: IN_W];

            assign load2obuf_data[i*OUT_W +: OUT_W] =
                narrow ? {{(OUT_W-IN_W){in[IN_W-1]}}, in} : wide;
//% else
            assign load2obuf_data[i*OUT_W +: OUT_W] = wide;
//% end
            assign load2scale_data[i*OUT_W +: OUT_W] = wide;  //% if scales
        end
    endgenerate
    wire unused_bits = &{1'b0, bank_at, step_bank, r_data_q, r_entry_q, r_enable_q};

endmodule

`default_nettype wire
