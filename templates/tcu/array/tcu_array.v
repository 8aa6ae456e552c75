// Systolic array: ${array_size} inputs, ${array_size} outputs, ${data_type}. Sums are rounded and clamped after each
// product, in the order bias, x[0] * weights, x[1] * weights ...
//
//                     row 0         row 1         row 2        ...  row ${array_size}
//     rows shift --> chain ------> chain ------> chain -------> ...
//                      |             |             |
//       swap         (wait)          |           (wait)             weights of the next vectors
//                      |             |             |
//                     bias -------> column 0 ---> column 1 ---> ... --> results
//                                    |             |
//     x ----> register ----> delay  x[0]          x[1]              x[k] comes k cycles later
//
// Results come ${array_latency} cycles after x, one vector per cycle; nothing can stall.
// A swap counts with a valid vector: from this one on the rows are those of all shifts before.
//% if weight_buffers == 3
// They are copied at once, so the next rows may follow in the same cycle; rows 0, 2, 3 ... wait
// until their column has finished with the weights before. Swaps are at least ${swap_cycles} cycles apart.
//% else
// Column after column copies its row: in the ${swap_cycles} cycles after one with a swap there is neither a
// shift nor a swap.
//% end
// Reset: no results on their way. Weights have no reset.
`default_nettype none

module tcu_array (
    input  wire         clk,
    input  wire         rst_n,
    // Rows of weights, cannot stall
    input  wire         weights2array_shift,     // all rows one up, this one becomes row 0
    input  wire [${vector_w - 1:3}:0] weights2array_row,
//% if array_vectors == 2
    input  wire         weights2array_shift1,    // with weights2array_shift: two up, a second row
    input  wire [${vector_w - 1:3}:0] weights2array_row1,
//% end
    // Vectors, cannot stall
    input  wire         feed2array_valid,
    input  wire         feed2array_swap,
    input  wire [${vector_w - 1:3}:0] feed2array_x,
//% if array_vectors == 2
    input  wire         feed2array_valid1,       // with feed2array_valid: the vector after it
    input  wire [${vector_w - 1:3}:0] feed2array_x1,
//% end
    // Results, cannot stall
    output wire         array2acc_valid,
//% if array_vectors == 2
    output wire         array2acc_valid1,        // with array2acc_valid: the result after it
    output wire [${vector_w - 1:3}:0] array2acc_y1,
//% end
    output wire [${vector_w - 1:3}:0] array2acc_y
);

    localparam N = ${array_size};
    localparam W = ${data_w};
    localparam BIAS_AT = ${product_stages + 1};          // cycles from the copy of row 1 to that of the bias

    // ---------------------------------------------------------------- what comes, one cycle later
    reg  [N*W-1:0] row_q;
    reg  [N*W-1:0] row1_q;  //% if array_vectors == 2
    reg  [${array_latency - 1:2}:0] valid_q;               // a vector came 1, 2 ... cycles ago
    reg  [${array_latency - 1:2}:0] valid1_q;              // two came  //% if array_vectors == 2
    reg  [${max(array_size, product_stages + 2) - 1:2}:0] swap_q;                // with a swap

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= ${array_latency}'d0;
            valid1_q <= ${array_latency}'d0;  //% if array_vectors == 2
            swap_q  <= ${max(array_size, product_stages + 2)}'d0;
        end else begin
            valid_q <= {valid_q[${array_latency - 2}:0], feed2array_valid};
            valid1_q <= {valid1_q[${array_latency - 2}:0], feed2array_valid1};  //% if array_vectors == 2
            swap_q  <= {swap_q[${max(array_size, product_stages + 2) - 2}:0], feed2array_valid && feed2array_swap};
        end
    end

    always @(posedge clk) begin
        if (weights2array_shift) row_q <= weights2array_row;
        if (weights2array_shift1) row1_q <= weights2array_row1;  //% if array_vectors == 2
    end

    assign array2acc_valid = valid_q[${array_latency - 1}];
    assign array2acc_valid1 = valid1_q[${array_latency - 1}];  //% if array_vectors == 2

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
//% if array_vectors == 2
            wire           shift1;
            wire [N*W-1:0] one_up;
            wire [N*W-1:0] two_up;

            reg_copy u_shift1 (.clk (clk), .rst_n (rst_n), .d (weights2array_shift1), .q (shift1));

            if (r == 0) begin : gen_first
                assign one_up = row_q;
                assign two_up = row1_q;
            end else if (r == 1) begin : gen_second
                assign one_up = row[0];
                assign two_up = row_q;
            end else begin : gen_next
                assign one_up = row[r-1];
                assign two_up = row[r-2];
            end

            always @(posedge clk) begin
                if (shift) chain_q <= shift1 ? two_up : one_up;
            end
//% else
            if (r == 0) begin : gen_first
                always @(posedge clk) begin
                    if (shift) chain_q <= row_q;
                end
            end else begin : gen_next
                always @(posedge clk) begin
                    if (shift) chain_q <= row[r-1];
                end
            end
//% end
//% if weight_buffers == 3

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
//% else
            assign next_row[r] = chain_q;
//% end
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
//% if array_vectors == 2

    // The second vector of a cycle meets the same weights.
    wire [N*W-1:0] sums1 [0:N];

    assign sums1[0] = bias_q;
    assign array2acc_y1 = sums1[N];

    generate
        for (k = 0; k < N; k = k + 1) begin : gen_column1
            reg [W*(k+2)-1:0] delay_q;    // x[k] of the last cycles, newest in the low bits

            always @(posedge clk) delay_q <= {delay_q[W*(k+1)-1:0], feed2array_x1[W*k +: W]};

            tcu_column u_column1 (
                .clk   (clk),
                .rst_n (rst_n),
                .take  (swap_q[k]),
                .row   (next_row[k+1]),
                .start (valid1_q[k]),
                .x     (delay_q[W*(k+1) +: W]),
                .z_in  (sums1[k]),
                .z     (sums1[k+1])
            );
        end
    endgenerate
//% end

endmodule

`default_nettype wire
