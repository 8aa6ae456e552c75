// ALU: reduces windows of entries of OBUF, all lanes side by side.
//
//     parameters --> windows --> request --> OBUF --> lanes --> OBUF
//
// One element per cycle; first element asked for 2 cycles after the instruction, results come 3
// cycles after the last element of their window. One instruction is in flight; it is done in the
// cycle after its last result, one without operation in the cycle after its begin.
// Reset: no instruction.
`default_nettype none

module systolic_alu (
    input  wire         clk,
    input  wire         rst_n,
    // Instructions
    input  wire         resolver2alu_valid,
    output wire         resolver2alu_ready,
    input  wire [119:0] resolver2alu_parameters,
    output reg          alu2resolver_done,          // pulse, cannot stall
    // Elements
    output reg          alu2obuf_valid,
    input  wire         alu2obuf_ready,
    output reg  [${obuf_entry_w - 1}:0] alu2obuf_read_entry,
    output reg          alu2obuf_write,             // the last element of a window
    output reg  [${obuf_entry_w - 1}:0] alu2obuf_write_entry,       // of its result
    output reg          alu2obuf_last,              // of the operation
    input  wire         obuf2alu_valid,             // cannot stall, in order
    input  wire         obuf2alu_write,
    input  wire         obuf2alu_last,
    input  wire [${output_row_w - 1}:0] obuf2alu_data,
    // Results, 3 cycles after an element with obuf2alu_write
    output wire [${cols - 1}:0] alu2obuf_enable,
    output wire [${output_row_w - 1}:0] alu2obuf_data
);

    localparam COLS = ${cols};
    localparam EW   = ${obuf_entry_w};
    localparam W    = ${out_width};
    localparam DW   = ${clog2(out_width)};                // shift distances
    localparam [1:0] MAX = 2'd0, ADD = 2'd2, SHIFT = 2'd3;

    // ---------------------------------------------------------------- fields
    wire [1:0]  opcode         = resolver2alu_parameters[118 +: 2];
    wire [14:0] input_address  = resolver2alu_parameters[103 +: 15];
    wire [14:0] output_address = resolver2alu_parameters[88 +: 15];
    wire [7:0]  output_height  = resolver2alu_parameters[80 +: 8];
    wire [7:0]  output_width   = resolver2alu_parameters[72 +: 8];
    wire [3:0]  window_height  = resolver2alu_parameters[68 +: 4];
    wire [3:0]  window_width   = resolver2alu_parameters[64 +: 4];
    wire [14:0] mem_stride_ow  = {7'd0, resolver2alu_parameters[56 +: 8]};
    wire [14:0] mem_stride_r   = {7'd0, resolver2alu_parameters[48 +: 8]};
    wire [14:0] mem_stride_s   = {7'd0, resolver2alu_parameters[40 +: 8]};
    wire [7:0]  num_active     = resolver2alu_parameters[32 +: 8];
    wire        use_immediate  = resolver2alu_parameters[31];
    wire        accumulate     = resolver2alu_parameters[22];
    wire        multiply       = resolver2alu_parameters[21];  //% if scales
    // The high bits of the immediate are what differs from its sign in the low ones.
    wire [7:0]  immediate_low  = resolver2alu_parameters[23 +: 8];
    wire [7:0]  immediate_high = resolver2alu_parameters[13 +: 8] ^ {8{immediate_low[7]}};
    wire signed [31:0] immediate = {{16{immediate_high[7]}}, immediate_high, immediate_low};
    wire        some           = output_height != 8'd0;

//% if scales
    wire unused_high = &{1'b0, input_address, output_address, mem_stride_ow, mem_stride_r,
                         mem_stride_s, resolver2alu_parameters[12:0]};
//% else
    wire unused_high = &{1'b0, input_address, output_address, mem_stride_ow, mem_stride_r,
                         mem_stride_s, immediate, resolver2alu_parameters[21],
                         resolver2alu_parameters[12:0]};
//% end

    // ---------------------------------------------------------------- operation
    reg            busy_q;
    reg  [EW-1:0]  stride_ow_q;
    reg  [EW-1:0]  stride_r_q;
    reg  [EW-1:0]  stride_s_q;
    reg  [7:0]     width_q;               // - 1
    reg  [3:0]     window_height_q;       // - 1
    reg  [3:0]     window_width_q;        // - 1
    reg  [COLS-1:0] enable_q;
    reg            add_q;
    reg            max_q;
    reg            left_q;
    reg  [DW-1:0]  distance_q;
    reg            accumulate_q;
    reg            copy_q;                // the first element of a window is taken as it is
    reg  [W-1:0]   start_q;
//% if scales
    reg            multiply_q;
    reg  [15:0]    factor_q;
//% end
    reg            finished_q;            // the last result is being written

    wire accept = resolver2alu_valid && resolver2alu_ready;

    // Shifts by more than the lanes have bits are by as many as they can.
    wire too_far = immediate[15:DW] != {(16-DW){immediate[15]}};

    assign resolver2alu_ready = !busy_q;
    assign alu2obuf_enable    = enable_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q            <= 1'b0;
            alu2resolver_done <= 1'b0;
        end else begin
            busy_q            <= (accept && some) || (busy_q && !finished_q);
            alu2resolver_done <= (accept && !some) || finished_q;
        end
    end

    always @(posedge clk) begin
        if (accept) begin
            stride_ow_q     <= mem_stride_ow[EW-1:0];
            stride_r_q      <= mem_stride_r[EW-1:0];
            stride_s_q      <= mem_stride_s[EW-1:0];
            width_q         <= output_width - 8'd1;
            window_height_q <= window_height - 4'd1;
            window_width_q  <= window_width - 4'd1;
            enable_q        <= ~({COLS{1'b1}} << num_active);
            add_q           <= opcode == ADD;
            max_q           <= opcode == MAX;
            left_q          <= opcode == SHIFT && immediate[15];
            distance_q      <= opcode != SHIFT ? {DW{1'b0}} :
                               too_far ? {DW{!immediate[15]}} : immediate[DW-1:0];
            accumulate_q    <= accumulate;
            copy_q          <= !use_immediate || accumulate || opcode == SHIFT;
//% if scales
            multiply_q      <= multiply;
            factor_q        <= immediate[15:0];
            start_q         <= multiply ? {W{1'b0}} : immediate[W-1:0];
//% else
            start_q         <= immediate[W-1:0];
//% end
        end
    end

    // ---------------------------------------------------------------- windows
    reg           some_q;                 // elements are left
    reg  [EW-1:0] entry_q;
    reg  [EW-1:0] line_q;                 // where the row of the window began
    reg  [EW-1:0] window_q;               // where the window began
    reg  [EW-1:0] row_q;                  // where the row of outputs began
    reg  [EW-1:0] output_q;
    reg           before_q;               // what is in the output comes first
    reg  [3:0]    elements_q;             // that follow in the row of the window
    reg  [3:0]    lines_q;
    reg  [7:0]    windows_q;
    reg  [7:0]    rows_q;

    wire          line_ends   = elements_q == 4'd0;
    wire          window_ends = line_ends && lines_q == 4'd0 && !before_q;
    wire          row_ends    = windows_q == 8'd0;
    wire          all_ends    = window_ends && row_ends && rows_q == 8'd0;
    wire          take        = some_q && (!alu2obuf_valid || alu2obuf_ready);
    wire [EW-1:0] from        = !line_ends ? entry_q : !window_ends ? line_q :
                                !row_ends ? window_q : row_q;
    wire [EW-1:0] by          = !line_ends ? {{(EW-1){1'b0}}, 1'b1} :
                                !window_ends ? stride_s_q : !row_ends ? stride_r_q : stride_ow_q;
    wire [EW-1:0] next        = from + by;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            some_q         <= 1'b0;
            alu2obuf_valid <= 1'b0;
        end else begin
            some_q         <= (accept && some) || (some_q && !(take && all_ends));
            alu2obuf_valid <= some_q || (alu2obuf_valid && !alu2obuf_ready);
        end
    end

    always @(posedge clk) begin
        if (accept) begin
            entry_q    <= input_address[EW-1:0];
            line_q     <= input_address[EW-1:0];
            window_q   <= input_address[EW-1:0];
            row_q      <= input_address[EW-1:0];
            output_q   <= output_address[EW-1:0];
            before_q   <= accumulate;
            elements_q <= window_width - 4'd1;
            lines_q    <= window_height - 4'd1;
            windows_q  <= output_width - 8'd1;
            rows_q     <= output_height - 8'd1;
        end else if (take) begin
            if (before_q) begin
                before_q <= 1'b0;
            end else begin
                entry_q    <= next;
                elements_q <= line_ends ? window_width_q : elements_q - 4'd1;
                if (line_ends) begin
                    line_q  <= next;
                    lines_q <= window_ends ? window_height_q : lines_q - 4'd1;
                end
                if (window_ends) begin
                    window_q  <= next;
                    output_q  <= output_q + 1'b1;
                    before_q  <= accumulate_q;
                    windows_q <= row_ends ? width_q : windows_q - 8'd1;
                    if (row_ends) begin
                        row_q  <= next;
                        rows_q <= rows_q - 8'd1;
                    end
                end
            end
        end
    end

    always @(posedge clk) begin
        if (take) begin
            alu2obuf_read_entry  <= before_q ? output_q : entry_q;
            alu2obuf_write       <= window_ends;
            alu2obuf_write_entry <= output_q;
            alu2obuf_last        <= all_ends;
        end
    end

    // ---------------------------------------------------------------- elements
    reg       first_q;                    // the next element is the first one of a window
    reg [1:0] valid_q;                    // an element came 1, 2 cycles ago
    reg [1:0] firsts_q;
    reg       alone_q;                    // as firsts_q[1], with what the operation says
    reg       multiplied_q;  //% if scales
    reg [1:0] lasts_q;                    // the last one of the operation

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q    <= 2'd0;
            lasts_q    <= 2'd0;
            finished_q <= 1'b0;
        end else begin
            valid_q    <= {valid_q[0], obuf2alu_valid};
            lasts_q    <= {lasts_q[0], obuf2alu_last};
            finished_q <= lasts_q[1];
        end
    end

    always @(posedge clk) begin
        if (accept)              first_q <= 1'b1;
        else if (obuf2alu_valid) first_q <= obuf2alu_write;
        firsts_q <= {firsts_q[0], first_q};
        alone_q  <= firsts_q[0] && copy_q;
        multiplied_q <= multiply_q && !(firsts_q[0] && accumulate_q);  //% if scales
    end

    genvar j;
    generate
        for (j = 0; j < COLS; j = j + 1) begin : gen_lane
            systolic_alu_lane u_lane (
                .clk (clk),
                .element (obuf2alu_data[W*j +: W]),
                .left (left_q), .distance (distance_q), .add (add_q), .max (max_q),
                .start_value (start_q),
//% if scales
                .factor (factor_q),
                .multiplied (multiplied_q),
//% end
                .load (valid_q[1]), .start (firsts_q[1]), .alone (alone_q),
                .value_q (alu2obuf_data[W*j +: W])
            );
        end
    endgenerate

endmodule

`default_nettype wire
