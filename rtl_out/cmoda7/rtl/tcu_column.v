// Made by macrame 0.1.0 from templates/tcu/array/tcu_column.v
// with array_size=4 data_w=16 product_stages=1 vector_w=64

// The products of one input scalar with the weights of all 4 outputs, added to sums that come
// from the column before.
//
//     x -----------+-----------+--- ...       one register, all outputs
//                  |           |
//     z_in[0] --> pe --> z[0]  |
//     z_in[1] --------------> pe --> z[1] ...
//
// `start` comes one cycle before its x, which comes 2 cycles before its z_in; z follows one
// cycle later. `take` makes `row` the weights of the next cycle's x. No reset of data.
`default_nettype none

module tcu_column (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         take,
    input  wire [ 63:0] row,
    input  wire         start,
    input  wire [ 15:0] x,
    input  wire [ 63:0] z_in,
    output wire [ 63:0] z
);

    localparam W = 16;
    localparam STAGES = 3;

    // Each column has its own enables: they have many loads.
    wire [STAGES-1:0] load;

    reg_copy #(.W(STAGES)) u_load (
        .clk (clk), .rst_n (rst_n), .d ({load[STAGES-2:0], start}), .q (load)
    );

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_output
            tcu_pe u_pe (
                .clk  (clk),
                .take (take),
                .row  (row[W*i +: W]),
                .load (load),
                .x    (x),
                .z_in (z_in[W*i +: W]),
                .z_q  (z[W*i +: W])
            );
        end
    endgenerate

endmodule

`default_nettype wire
