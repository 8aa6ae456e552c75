// Made by macrame 0.1.0 from templates/tcu/array/tcu_array.v
// with array_latency=8 array_size=4 array_vectors=1 data_w=16 product_stages=1 swap_cycles=4
// vector_w=64 weight_buffers=3

// Systolic array: 4 inputs, 4 outputs, FP16BP8. Sums are rounded and clamped after each
// product, in the order bias, x[0] * weights, x[1] * weights ...
//
//                     row 0         row 1         row 2        ...  row 4
//     rows shift --> chain ------> chain ------> chain -------> ...
//                      |             |             |
//       swap         (wait)          |           (wait)             weights of the next vectors
//                      |             |             |
//                     bias -------> column 0 ---> column 1 ---> ... --> results
//                                    |             |
//     x ----> register ----> delay  x[0]          x[1]              x[k] comes k cycles later
//
// Results come 8 cycles after x, one vector per cycle; nothing can stall.
// A swap counts with a valid vector: from this one on the rows are those of all shifts before.
// They are copied at once, so the next rows may follow in the same cycle; rows 0, 2, 3 ... wait
// until their column has finished with the weights before. Swaps are at least 4 cycles apart.
// Reset: no results on their way. Weights have no reset.
`default_nettype none

module tcu_array (
    input  wire         clk,
    input  wire         rst_n,
    // Rows of weights, cannot stall
    input  wire         weights2array_shift,     // all rows one up, this one becomes row 0
    input  wire [ 63:0] weights2array_row,
    // Vectors, cannot stall
    input  wire         feed2array_valid,
    input  wire         feed2array_swap,
    input  wire [ 63:0] feed2array_x,
    // Results, cannot stall
    output wire         array2acc_valid,
    output wire [ 63:0] array2acc_y
);

    localparam N = 4;
    localparam W = 16;
    localparam BIAS_AT = 2;          // cycles from the copy of row 1 to that of the bias

    // ---------------------------------------------------------------- what comes, one cycle later
    reg  [N*W-1:0] row_q;
    reg  [ 7:0] valid_q;               // a vector came 1, 2 ... cycles ago
    reg  [ 3:0] swap_q;                // with a swap

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= 8'd0;
            swap_q  <= 4'd0;
        end else begin
            valid_q <= {valid_q[6:0], feed2array_valid};
            swap_q  <= {swap_q[2:0], feed2array_valid && feed2array_swap};
        end
    end

    always @(posedge clk) begin
        if (weights2array_shift) row_q <= weights2array_row;
    end

    assign array2acc_valid = valid_q[7];

    // ---------------------------------------------------------------- rows of weights
    wire [N*W-1:0] row [0:N];             // what the chain holds
    wire [N*W-1:0] next_row [0:N];        // what a column takes

    genvar r;
    generate
        for (r = 0; r <= N; r = r + 1) begin : gen_row
            // Each row has its own enables: they have many loads.
            wire           shift;
            reg  [N*W-1:0] chain_q;

            reg_copy u_shift (.clk (clk), .rst_n (rst_n), .d (weights2array_shift), .q (shift));

            assign row[r] = chain_q;
            if (r == 0) begin : gen_first
                always @(posedge clk) begin
                    if (shift) chain_q <= row_q;
                end
            end else begin : gen_next
                always @(posedge clk) begin
                    if (shift) chain_q <= row[r-1];
                end
            end

            if (r == 1) begin : gen_at_once
                assign next_row[r] = chain_q;
            end else begin : gen_wait
                wire           copy;
                reg  [N*W-1:0] wait_q;

                reg_copy u_copy (
                    .clk (clk), .rst_n (rst_n), .d (feed2array_valid && feed2array_swap), .q (copy)
                );

                always @(posedge clk) begin
                    if (copy) wait_q <= chain_q;
                end
                assign next_row[r] = wait_q;
            end
        end
    endgenerate

    // ---------------------------------------------------------------- columns
    reg  [N*W-1:0] bias_q;
    wire [N*W-1:0] sums [0:N];            // into column 0, 1 ...

    always @(posedge clk) begin
        if (swap_q[BIAS_AT]) bias_q <= next_row[0];
    end

    assign sums[0] = bias_q;
    assign array2acc_y = sums[N];

    genvar k;
    generate
        for (k = 0; k < N; k = k + 1) begin : gen_column
            reg [W*(k+2)-1:0] delay_q;    // x[k] of the last cycles, newest in the low bits

            always @(posedge clk) delay_q <= {delay_q[W*(k+1)-1:0], feed2array_x[W*k +: W]};

            tcu_column u_column (
                .clk   (clk),
                .rst_n (rst_n),
                .take  (swap_q[k]),
                .row   (next_row[k+1]),
                .start (valid_q[k]),
                .x     (delay_q[W*(k+1) +: W]),
                .z_in  (sums[k]),
                .z     (sums[k+1])
            );
        end
    endgenerate

endmodule

`default_nettype wire
