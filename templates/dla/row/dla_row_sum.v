// Second pass of a row: sums. Softmax: exp(x - max), of the differences, which go to the next pass.
// Norms: x, of layer norm alone, and its square; elements go on as they are.
//
// Both functions are one table: exponentials of a layer with 19 fraction bits and one to round, and
// squares, which are written in the 256 cycles after reset (`ready`).
// Contract: ${row_lanes} element(s) per cycle; up to 4 rows whose sums nobody has taken. Sums are there
// ${row_lane_w + 4} cycles behind the last beat. Reset: no row.
`default_nettype none

module dla_row_sum (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         softmax,
    input  wire         centre,                        // layer norm
    output wire         ready,                         // squares are there

    // exponentials
    input  wire         exp_write,
    input  wire [7:0]   exp_index,
    input  wire [19:0]  exp_data,

    // beats of a row: last, mask, elements; the largest one
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [${10 * row_lanes:3}:0]  in_data,
    input  wire         max_valid,
    output wire         max_taken,
    input  wire [7:0]   max,                           // the difference has 8 bits

    // to the queue: last, mask, differences or elements
    output wire         out_valid,
    input  wire         out_ready,
    output wire [${10 * row_lanes:3}:0]  out_data,

    // sums of a row
    output wire         sum_valid,
    input  wire         sum_taken,
    output wire [20:0]  sum,                           // of elements, signed
    output wire [31:0]  total                          // of exponentials or squares
);

    localparam LANES = ${row_lanes};

    wire             in_last = in_data[10*LANES];
    wire [LANES-1:0] in_mask = in_data[9*LANES +: LANES];

    reg  [2:0] rows_q;                                 // begun and not taken
    reg        first_q;                                // next beat is the first of a row
    wire       move   = in_valid && in_ready;
    wire       begins = move && first_q;

    assign in_ready  = max_valid && out_ready && !(first_q && rows_q[2]);
    assign out_valid = move;
    assign max_taken = move && in_last;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            rows_q  <= 3'd0;
            first_q <= 1'b1;
        end else begin
            rows_q <= rows_q + {2'd0, begins} - {2'd0, sum_taken};
            if (move) first_q <= in_last;
        end
    end

    // ------------------------------------------------------------------ squares after reset
    reg  [8:0]  fill_q;                                // next one; bit 8: done
    reg  [15:0] square_q;
    wire        filling = !fill_q[8];

    assign ready = fill_q[8];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fill_q   <= 9'd0;
            square_q <= 16'd0;
        end else if (filling) begin
            fill_q   <= fill_q + 9'd1;
            square_q <= square_q + {7'd0, fill_q[7:0], 1'b1};
        end
    end

    wire        table_write = filling || exp_write;
    wire [8:0]  table_index = filling ? {1'b1, fill_q[7:0]} : {1'b0, exp_index};
    wire [19:0] table_data  = filling ? {3'd0, square_q, 1'b0} : exp_data;

    // ------------------------------------------------------------------ lanes
    // Trees of sums: node i is that of nodes 2i and 2i + 1, lanes are the last nodes.
    reg  [23*2*LANES-1:23] part_q;                     // 23 bits of each
    reg  [12*2*LANES-1:12] x_q;                        // 12 bits, signed
    wire [9*LANES-1:0] going;                          // to the next pass
    genvar             i;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            wire [8:0]  x      = in_data[9*i +: 9];
            wire [7:0]  below  = max - x[7:0];
            wire [7:0]  size   = x[8] ? -x[7:0] : x[7:0];
            wire [19:0] found;
            reg         is_q;
            reg  [8:0]  found_x_q;                     // beside it

            assign going[9*i +: 9] = softmax ? {1'b0, below} : x;

            sram_1r1w #(.W(20), .DEPTH(512)) u_table (
                .clk(clk),
                .we(table_write), .waddr(table_index), .wdata(table_data),
                .re(move), .raddr({!softmax, softmax ? below : size}), .rdata(found)
            );

            always @(posedge clk) begin
                is_q                       <= in_mask[i];
                found_x_q                  <= x & {9{centre}};
                part_q[23*(LANES+i) +: 23] <= {3'd0, {1'b0, found[19:1]} + {19'd0, found[0]}}
                                            & {23{is_q}};
                x_q[12*(LANES+i) +: 12]    <= {{3{found_x_q[8]}}, found_x_q} & {12{is_q}};
            end
        end
        for (i = 1; i < LANES; i = i + 1) begin : gen_node
            always @(posedge clk) begin
                part_q[23*i +: 23] <= part_q[46*i +: 23] + part_q[46*i+23 +: 23];
                x_q[12*i +: 12]    <= x_q[24*i +: 12] + x_q[24*i+12 +: 12];
            end
        end
    endgenerate

    assign out_data = {in_last, in_mask, going};

    // ------------------------------------------------------------------ sums of the row so far
    reg  [${row_lane_w + 1}:0]  valid_q, last_q;                       // table, lanes, levels
    reg         again_q, ends_q;                       // a row begins, has ended
    reg  [31:0] total_q;
    reg  [20:0] sum_q;
    wire        unused_ready;                          // rows_q counts the room

    always @(posedge clk) begin
        last_q <= {last_q[${row_lane_w}:0], in_last};
        if (valid_q[${row_lane_w + 1}]) begin
            total_q <= (total_q & {32{!again_q}}) + {9'd0, part_q[45:23]};
            sum_q   <= (sum_q & {21{!again_q}}) + {{9{x_q[23]}}, x_q[23:12]};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            valid_q <= ${row_lane_w + 2}'d0;
            again_q <= 1'b1;
            ends_q  <= 1'b0;
        end else begin
            valid_q <= {valid_q[${row_lane_w}:0], move};
            if (valid_q[${row_lane_w + 1}]) again_q <= last_q[${row_lane_w + 1}];
            ends_q  <= valid_q[${row_lane_w + 1}] && last_q[${row_lane_w + 1}];
        end
    end

    fifo_sync #(.W(53), .DEPTH(4)) u_sums (
        .clk(clk), .rst_n(rst_n),
        .in_valid(ends_q), .in_ready(unused_ready), .in_data({sum_q, total_q}),
        .out_valid(sum_valid), .out_ready(sum_taken), .out_data({sum, total})
    );

endmodule

`default_nettype wire
