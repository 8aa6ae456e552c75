// The products of one input scalar with the weights of all ${array_size} outputs, added to sums that come
// from the column before.
//
//     x -----------+-----------+--- ...       one register, all outputs
//                  |           |
//     z_in[0] --> pe --> z[0]  |
//     z_in[1] --------------> pe --> z[1] ...
//
// `start` comes one cycle before its x, which comes ${product_stages + 1} cycles before its z_in; z follows one
// cycle later. `take` makes `row` the weights of the next cycle's x. No reset of data.
`default_nettype none

module tcu_column (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         take,
    input  wire [${vector_w - 1:3}:0] row,
    input  wire         start,
    input  wire [${data_w - 1:3}:0] x,
    input  wire [${vector_w - 1:3}:0] z_in,
    output wire [${vector_w - 1:3}:0] z
);

    localparam W = ${data_w};
    localparam STAGES = ${product_stages + 2};

    // Each column has its own enables: they have many loads.
    wire [STAGES-1:0] load;

    reg_copy #(.W(STAGES)) u_load (
        .clk (clk), .rst_n (rst_n), .d ({load[STAGES-2:0], start}), .q (load)
    );

    genvar i;
    generate
        for (i = 0; i < ${array_size}; i = i + 1) begin : gen_output
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
