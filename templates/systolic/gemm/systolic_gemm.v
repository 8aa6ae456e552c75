// GEMM: reads the weights of a fold, then streams its steps through the array.
//
//     parameters --> next: weights --> now: steps --+--> array, row 0
//                                                   +--> ${rows - 1} cycles --> OBUF, column 0
//
// The weights of the next fold go in while the steps of the one before stream: a fold takes as many
// cycles as it has steps, at least one more than it has rows. A step that goes on from what one of
// the three cycles before it writes waits for that. First step n + 2 cycles after the instruction,
// n: its rows. Instructions without operation go the same way. The array never stalls.
// Reset: nothing on its way.
`default_nettype none

module systolic_gemm (
    input  wire         clk,
    input  wire         rst_n,
    // Instructions; several are in flight
    input  wire         resolver2gemm_valid,
    output wire         resolver2gemm_ready,
    input  wire [119:0] resolver2gemm_parameters,
    output reg          gemm2resolver_done,         // pulse, cannot stall
    // Weights of column 0, from the last row up, cannot stall
    output reg          gemm2array_weight_read,
    output reg  [${wbuf_entry_w - 1}:0] gemm2array_weight_entry,
    // Steps in row 0, cannot stall
    output reg          gemm2array_step,
    output reg          gemm2array_swap,            // the first one of a fold
    output reg  [${ibuf_entry_w - 1}:0] gemm2array_input_entry,
    output reg          gemm2array_padded,          // fed with pad_value
    output reg  [${pad_w - 1}:0] gemm2array_pad_value,
    // The same steps for OBUF, ${rows - 1} cycles later, cannot stall
    output wire         gemm2obuf_step,
    output wire         gemm2obuf_last,             // an instruction ends, with a step or without
    output wire         gemm2obuf_preload,          // goes on from what is there
    output wire [${obuf_entry_w - 1}:0] gemm2obuf_entry,
    output wire [${columns_w - 1}:0] gemm2obuf_columns,          // that are active
    input  wire         obuf2gemm_done              // the last step is written, cannot stall
);

    localparam IW = ${ibuf_entry_w};
    localparam WW = ${wbuf_entry_w};
    localparam OW = ${obuf_entry_w};
    localparam CW = ${columns_w};
    localparam RW = ${max(row_w, 1)};

    // ---------------------------------------------------------------- fields
    wire [14:0] input_address  = resolver2gemm_parameters[105 +: 15];
    wire [14:0] output_address = resolver2gemm_parameters[90 +: 15];
    wire [14:0] weight_address = resolver2gemm_parameters[75 +: 15];
    wire [7:0]  ofmap_height   = resolver2gemm_parameters[67 +: 8];
    wire [7:0]  ofmap_width    = resolver2gemm_parameters[59 +: 8];
    wire [14:0] active_rows    = {7'd0, resolver2gemm_parameters[51 +: 8]};
    wire [7:0]  active_cols    = resolver2gemm_parameters[43 +: 8];
    wire [14:0] stride_h       = {3'd0, resolver2gemm_parameters[10 +: 8],
                                  resolver2gemm_parameters[39 +: 4]};
    wire [14:0] stride_w       = {11'd0, resolver2gemm_parameters[35 +: 4]};
    wire [3:0]  pad_left       = resolver2gemm_parameters[31 +: 4];
    wire [3:0]  pad_right      = resolver2gemm_parameters[27 +: 4];
    wire [3:0]  pad_top        = resolver2gemm_parameters[23 +: 4];
    wire [3:0]  pad_bottom     = resolver2gemm_parameters[19 +: 4];
    wire        preload        = resolver2gemm_parameters[18];
    wire [7:0]  pad_value      = resolver2gemm_parameters[2 +: 8];
    wire        some           = ofmap_height != 8'd0;

    wire unused_high = &{1'b0, input_address, output_address, weight_address, active_rows,
                         active_cols, stride_h, stride_w, pad_value,
                         resolver2gemm_parameters[1:0]};

    // ---------------------------------------------------------------- next: its weights
    reg           next_valid_q;
    reg           next_some_q;            // has an operation
    reg  [IW-1:0] next_input_q;
    reg  [IW-1:0] next_stride_h_q;
    reg  [IW-1:0] next_stride_w_q;
    reg  [OW-1:0] next_output_q;
    reg  [7:0]    next_height_q;          // - 1
    reg  [7:0]    next_width_q;           // - 1
    reg  [15:0]   next_pads_q;
    reg  [${pad_w - 1}:0]    next_pad_value_q;
    reg           next_preload_q;
    reg  [CW-1:0] next_columns_q;
    reg  [RW-1:0] rows_left_q;            // whose weights come after those being read

    wire accept = resolver2gemm_valid && resolver2gemm_ready;
    wire loaded = !gemm2array_weight_read || rows_left_q == {RW{1'b0}};
    wire start;                           // its steps
    reg  valid_q;                         // steps of the one before are left
    reg  first_q;                         // all of them
    wire go;                              // one of them

    // Weights come in behind the swap of the fold before.
    assign resolver2gemm_ready = !next_valid_q && !(valid_q && first_q && !go);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            next_valid_q           <= 1'b0;
            gemm2array_weight_read <= 1'b0;
        end else begin
            next_valid_q           <= accept || (next_valid_q && !start);
            gemm2array_weight_read <= (accept && some) || !loaded;
        end
    end

    always @(posedge clk) begin
        if (accept) begin
            next_some_q      <= some;
            next_input_q     <= input_address[IW-1:0];
            next_stride_h_q  <= stride_h[IW-1:0];
            next_stride_w_q  <= stride_w[IW-1:0];
            next_output_q    <= output_address[OW-1:0];
            next_height_q    <= ofmap_height - 8'd1;
            next_width_q     <= ofmap_width - 8'd1;
            next_pads_q      <= {pad_left, pad_right, pad_top, pad_bottom};
            next_pad_value_q <= pad_value[${pad_w - 1}:0];
            next_preload_q   <= preload;
            next_columns_q   <= active_cols[CW-1:0];
        end
        if (accept) begin
            gemm2array_weight_entry <= weight_address[WW-1:0] + active_rows[WW-1:0] - 1'b1;
            rows_left_q             <= active_rows[RW-1:0] - 1'b1;
        end else if (gemm2array_weight_read) begin
            gemm2array_weight_entry <= gemm2array_weight_entry - 1'b1;
            rows_left_q             <= rows_left_q - 1'b1;
        end
    end

    // ---------------------------------------------------------------- now: its steps
    reg           some_q;
    reg  [IW-1:0] input_q;
    reg  [IW-1:0] input_row_q;            // where its row began
    reg  [IW-1:0] stride_h_q;
    reg  [IW-1:0] stride_w_q;
    reg  [OW-1:0] output_q;
    reg  [7:0]    rows_q;                 // that follow
    reg  [7:0]    width_q;                // - 1
    reg  [7:0]    pixels_q;               // that follow in this row
    reg  [3:0]    top_q;                  // padded rows that are left
    reg  [3:0]    left_q;                 // padded pixels that are left in this row
    reg  [3:0]    pad_left_q;
    reg  [3:0]    pad_right_q;
    reg  [3:0]    pad_bottom_q;
    reg  [${pad_w - 1}:0]    pad_value_q;
    reg           preload_q;
    reg  [CW-1:0] columns_q;

    wire          row_ends = pixels_q == 8'd0;
    wire          last     = !some_q || (row_ends && rows_q == 8'd0);
    wire          padded   = top_q != 4'd0 || left_q != 4'd0 ||
                             rows_q < {4'd0, pad_bottom_q} || pixels_q < {4'd0, pad_right_q};
    wire [IW-1:0] next_row = input_row_q + stride_h_q;

    assign start = next_valid_q && loaded && (!valid_q || (go && last));

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else        valid_q <= start || (valid_q && !(go && last));
    end

    always @(posedge clk) begin
        if (start) begin
            some_q       <= next_some_q;
            first_q      <= 1'b1;
            input_q      <= next_input_q;
            input_row_q  <= next_input_q;
            stride_h_q   <= next_stride_h_q;
            stride_w_q   <= next_stride_w_q;
            output_q     <= next_output_q;
            rows_q       <= next_height_q;
            width_q      <= next_width_q;
            pixels_q     <= next_width_q;
            left_q       <= next_pads_q[15:12];
            pad_left_q   <= next_pads_q[15:12];
            pad_right_q  <= next_pads_q[11:8];
            top_q        <= next_pads_q[7:4];
            pad_bottom_q <= next_pads_q[3:0];
            pad_value_q  <= next_pad_value_q;
            preload_q    <= next_preload_q;
            columns_q    <= next_columns_q;
        end else if (go) begin
            first_q  <= 1'b0;
            output_q <= output_q + 1'b1;
            if (row_ends) begin
                input_q     <= next_row;
                input_row_q <= next_row;
                rows_q      <= rows_q - 8'd1;
                pixels_q    <= width_q;
                left_q      <= pad_left_q;
                if (top_q != 4'd0) top_q <= top_q - 4'd1;
            end else begin
                input_q  <= input_q + stride_w_q;
                pixels_q <= pixels_q - 8'd1;
                if (left_q != 4'd0) left_q <= left_q - 4'd1;
            end
        end
    end

    // ---------------------------------------------------------------- step
    // OBUF writes a step three cycles after it has read for it.
    reg           last_q;
    reg           step_preload_q;
    reg  [OW-1:0] step_output_q;
    reg  [CW-1:0] step_columns_q;
    reg  [1:0]    before_q;               // steps one and two cycles ago
    reg  [OW-1:0] before1_output_q;
    reg  [OW-1:0] before2_output_q;

    wire pending = (gemm2array_step && step_output_q == output_q) ||
                   (before_q[0] && before1_output_q == output_q) ||
                   (before_q[1] && before2_output_q == output_q);

    assign go = valid_q && !(preload_q && pending);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            gemm2array_step    <= 1'b0;
            gemm2array_swap    <= 1'b0;
            last_q             <= 1'b0;
            before_q           <= 2'd0;
            gemm2resolver_done <= 1'b0;
        end else begin
            gemm2array_step    <= go && some_q;
            gemm2array_swap    <= go && some_q && first_q;
            last_q             <= go && last;
            before_q           <= {before_q[0], gemm2array_step};
            gemm2resolver_done <= obuf2gemm_done;
        end
    end

    always @(posedge clk) begin
        gemm2array_input_entry <= input_q;
        gemm2array_padded      <= padded;
        gemm2array_pad_value   <= pad_value_q;
        step_preload_q         <= preload_q;
        step_output_q          <= output_q;
        step_columns_q         <= columns_q;
        before1_output_q       <= step_output_q;
        before2_output_q       <= before1_output_q;
    end

    // ---------------------------------------------------------------- down the rows
    localparam DELAY = ${rows - 1};

    wire [1:0]       flags  [0:DELAY];
    wire [OW+CW:0]   fields [0:DELAY];

    assign flags[0]  = {gemm2array_step, last_q};
    assign fields[0] = {step_preload_q, step_output_q, step_columns_q};
    assign {gemm2obuf_step, gemm2obuf_last} = flags[DELAY];
    assign {gemm2obuf_preload, gemm2obuf_entry, gemm2obuf_columns} = fields[DELAY];

    genvar i;
    generate
        for (i = 0; i < DELAY; i = i + 1) begin : gen_delay
            reg [1:0]     flags_q;
            reg [OW+CW:0] fields_q;

            always @(posedge clk or negedge rst_n) begin
                if (!rst_n) flags_q <= 2'd0;
                else        flags_q <= flags[i];
            end

            always @(posedge clk) fields_q <= fields[i];

            assign flags[i+1]  = flags_q;
            assign fields[i+1] = fields_q;
        end
    endgenerate

endmodule

`default_nettype wire
