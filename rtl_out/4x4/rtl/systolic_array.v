// Made by macrame 0.1.0 from templates/systolic/array/systolic_array.v
// with cols=4 ibuf_entry_w=7 in_width=8 input_row_w=32 pad_w=8 rows=4 sum_w=18 wbuf_entry_w=7
// weight_row_w=32 weight_width=8

// Weight-stationary systolic array of 4 x 4 with its buffers: IBUF, a bank of 8-bit inputs
// per row, and WBUF, a bank of 8-bit weights per column.
//
//                  WBUF     WBUF     WBUF         column j: j cycles later
//                   |        |        |
//     IBUF -- x --> PE ----> PE ----> PE
//                   |        |        |
//     IBUF -- x --> PE ----> PE ----> PE          row i: i cycles later
//                   |        |        |
//                  sum      sum      sum
//
// The sum of a step leaves column j 7 + j cycles after the step has come. One step per cycle,
// nothing stalls. Weights whose n rows are read from cycle s on are in place for steps from cycle
// s + n on; s is not before the first step of the fold before, and a cycle without a read is
// between.
// Reset: no steps, no weights on their way.
`default_nettype none

module systolic_array (
    input  wire         clk,
    input  wire         rst_n,
    // Loads, cannot stall
    input  wire         load2ibuf_write,
    input  wire [6:0] load2ibuf_entry,
    input  wire [3:0] load2ibuf_enable,
    input  wire [31:0] load2ibuf_data,
    input  wire         load2wbuf_write,
    input  wire [6:0] load2wbuf_entry,
    input  wire [3:0] load2wbuf_enable,
    input  wire [31:0] load2wbuf_data,
    // Weights of column 0, from the last row up, cannot stall
    input  wire         gemm2array_weight_read,
    input  wire [6:0] gemm2array_weight_entry,
    // Steps in row 0, cannot stall
    input  wire         gemm2array_step,
    input  wire         gemm2array_swap,            // the first one of a fold
    input  wire [6:0] gemm2array_input_entry,
    input  wire         gemm2array_padded,          // fed with pad_value
    input  wire [7:0] gemm2array_pad_value,
    // Sums, a column each, cannot stall
    output wire [71:0] array2obuf_sums
);

    localparam ROWS = 4;
    localparam COLS = 4;
    localparam X_W  = 8;
    localparam W_W  = 8;
    localparam S_W  = 18;

    // ---------------------------------------------------------------- rows
    wire [ROWS:0]  step;
    wire [ROWS:0]  swap;
    wire [ROWS:0]  padded;
    wire [ROWS:0]  move;                  // a bit ahead: of the row above
    wire [6:0]   entry     [0:ROWS];
    wire [7:0]   pad_value [0:ROWS];
    wire [X_W-1:0] x         [0:ROWS-1];

    assign step[0]      = gemm2array_step;
    assign swap[0]      = gemm2array_swap;
    assign padded[0]    = gemm2array_padded;
    assign move[0]      = 1'b1;
    assign entry[0]     = gemm2array_input_entry;
    assign pad_value[0] = gemm2array_pad_value;

    genvar i;
    genvar j;
    generate
        for (i = 0; i < ROWS; i = i + 1) begin : gen_ibuf
            systolic_ibuf u_ibuf (
                .clk (clk), .rst_n (rst_n),
                .write (load2ibuf_write && load2ibuf_enable[i]), .write_entry (load2ibuf_entry),
                .write_data (load2ibuf_data[X_W*i +: X_W]),
                .weight_read (gemm2array_weight_read),
                .move_above (move[i]), .move_q (move[i+1]),
                .step (step[i]), .swap (swap[i]), .entry (entry[i]),
                .padded (padded[i]), .pad_value (pad_value[i]),
                .step_q (step[i+1]), .swap_q (swap[i+1]), .entry_q (entry[i+1]),
                .padded_q (padded[i+1]), .pad_value_q (pad_value[i+1]),
                .x (x[i])
            );
        end
    endgenerate

    // ---------------------------------------------------------------- columns
    wire [COLS:0]  read;
    wire [6:0]   weight_entry [0:COLS];
    wire [W_W-1:0] weight       [0:COLS-1];

    assign read[0]         = gemm2array_weight_read;
    assign weight_entry[0] = gemm2array_weight_entry;

    generate
        for (j = 0; j < COLS; j = j + 1) begin : gen_wbuf
            systolic_wbuf u_wbuf (
                .clk (clk), .rst_n (rst_n),
                .write (load2wbuf_write && load2wbuf_enable[j]), .write_entry (load2wbuf_entry),
                .write_data (load2wbuf_data[W_W*j +: W_W]),
                .read (read[j]), .entry (weight_entry[j]),
                .read_q (read[j+1]), .entry_q (weight_entry[j+1]),
                .weight (weight[j])
            );
        end
    endgenerate

    // Who would be next.
    wire unused_ends = &{1'b0, step[ROWS], padded[ROWS], entry[ROWS], pad_value[ROWS],
                         read[COLS], weight_entry[COLS]};

    // ---------------------------------------------------------------- elements
    // What comes into PE (i, j) from the west is at [i * (COLS + 1) + j], from the north at
    // [i * COLS + j].
    wire [X_W-1:0] to_east   [0:ROWS*(COLS+1)-1];
    wire [ROWS*(COLS+1)-1:0] move_east;
    wire [ROWS*(COLS+1)-1:0] swap_east;
    wire [W_W-1:0] weight_to_south [0:(ROWS+1)*COLS-1];
    wire [S_W-1:0] sum_to_south    [0:(ROWS+1)*COLS-1];

    generate
        for (i = 0; i < ROWS; i = i + 1) begin : gen_west
            assign to_east[i*(COLS+1)]   = x[i];
            assign move_east[i*(COLS+1)] = move[i+1];
            assign swap_east[i*(COLS+1)] = swap[i+1];
        end

        for (j = 0; j < COLS; j = j + 1) begin : gen_north
            assign weight_to_south[j] = weight[j];
            assign sum_to_south[j]    = {S_W{1'b0}};
            assign array2obuf_sums[S_W*j +: S_W] = sum_to_south[ROWS*COLS+j];
        end

        for (i = 0; i < ROWS; i = i + 1) begin : gen_row
            for (j = 0; j < COLS; j = j + 1) begin : gen_column
                systolic_pe u_pe (
                    .clk       (clk),
                    .move      (move_east[i*(COLS+1)+j]),
                    .swap      (swap_east[i*(COLS+1)+j]),
                    .x_in      (to_east[i*(COLS+1)+j]),
                    .weight_in (weight_to_south[i*COLS+j]),
                    .sum_in    (sum_to_south[i*COLS+j]),
                    .move_q    (move_east[i*(COLS+1)+j+1]),
                    .swap_q    (swap_east[i*(COLS+1)+j+1]),
                    .x_q       (to_east[i*(COLS+1)+j+1]),
                    .next_q    (weight_to_south[(i+1)*COLS+j]),
                    .sum_q     (sum_to_south[(i+1)*COLS+j])
                );
            end
        end
    endgenerate

endmodule

`default_nettype wire
