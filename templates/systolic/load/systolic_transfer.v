// A LOAD or STORE: its fields, its bursts, and its steps in the order of memory.
//
//   start -> fields -> joins, slice -> run -> systolic_burst
//                         \-> systolic_steps
//
// Vectors that follow each other in memory are a run, which is read or written in long bursts: all
// of them, those of a slice, or each alone. A step has up to a beat of bytes of one vector.
//
// Latency from start: 1 cycle to the fields, 3 to the first step, 5 to the first burst. One burst
// and one step per cycle. A transfer begins when the one before has handed on all of them.
// Reset: no transfer.
`default_nettype none

module systolic_transfer #(
    parameter STEP_W = ${clog2(axi_bytes)}              // bits of the address of a step
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         start,        // no size is zero
    input  wire [119:0] parameters,

    // fields, hold until the next start
    output wire [${address_width - 1}:0]  address,      // of the first byte
    output reg  [25:0]  place,        // address of the first element in the buffers
    output reg          narrow,
    output wire [1:0]   size,         // an element has 2^size bytes
    input  wire [7:0]   bank,         // of the first element of each vector; from place

    // bursts
    output wire         burst_valid,
    input  wire         burst_ready,
    output wire         burst_last,   // of the transfer
    output wire [${address_width - 1}:0]  burst_addr,   // bytes, of a beat
    output wire [7:0]   burst_len,    // beats - 1

    // steps
    output wire         step_valid,
    input  wire         step_ready,
    output wire         step_first,   // of its run
    output wire         step_ends,    // its vector
    output wire         step_closes,  // its run
    output wire         step_last,    // of the transfer
    output wire [STEP_W-1:0] step_addr, // of the first byte
    output wire [${clog2(axi_bytes) - 1}:0]   step_final,   // lane of the last byte
    output wire         step_crosses, // into the next beat
    output wire [7:0]   step_bank     // of the first element
);

    reg  [${address_width - 1}:0] address_q;
    reg  [7:0]  x_q;                  // slices
    reg  [7:0]  y_q;                  // vectors of a slice
    reg  [7:0]  z_q;                  // elements of a vector
    reg  [12:0] z_stride_q;
    reg  [19:0] y_stride_q;

    always @(posedge clk) begin
        if (start) begin
            address_q  <= parameters[${88 + address_width - 1}:88];
            place      <= parameters[87:62];
            x_q        <= parameters[61:54];
            y_q        <= parameters[53:46];
            z_q        <= parameters[45:38];
            z_stride_q <= {parameters[19:15], parameters[37:30]};
            y_stride_q <= {parameters[14:3], parameters[29:22]};
            narrow     <= parameters[20];
        end
    end
    assign address = address_q;
    wire unused_bits = &{1'b0, parameters};

//% if weight_bytes != in_bytes
    assign size = !narrow ? 2'd${clog2(out_bytes)} : place[25:24] == 2'd2 ? 2'd${clog2(weight_bytes)} : 2'd${clog2(in_bytes)};
//% elif out_bytes != in_bytes
    assign size = narrow ? 2'd${clog2(in_bytes)} : 2'd${clog2(out_bytes)};
//% else
    assign size = 2'd${clog2(in_bytes)};
//% end

    // ------------------------------------------------------------------ runs
    //   join_vectors_q: those of a slice follow each other; join_slices_q: all do
    wire        y_is_1 = y_q == 8'd1;
    wire        x_is_1 = x_q == 8'd1;
    reg         join_vectors_q;
    reg         join_slices_q;
    reg  [15:0] slice_q;              // elements
    reg  [23:0] run_q;                // elements - 1
    reg  [2:0]  begin_q;              // cycles since start

    wire [23:0] all       = {8'd0, slice_q} * {16'd0, x_q};
    wire [15:0] slice_gap = slice_q - {8'd0, z_q};

    always @(posedge clk) begin
        join_vectors_q <= z_stride_q == {5'd0, z_q} || y_is_1;
        join_slices_q  <= (z_stride_q == {5'd0, z_q} || y_is_1)
                          && (y_stride_q == {12'd0, z_q} || x_is_1);
        slice_q        <= {8'd0, y_q} * {8'd0, z_q};
        run_q          <= (join_slices_q ? all : join_vectors_q ? {8'd0, slice_q} : {16'd0, z_q})
                          - 24'd1;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin_q <= 3'd0;
        else        begin_q <= {begin_q[1:0], start};
    end

    systolic_burst u_burst (
        .clk(clk), .rst_n(rst_n),
        .start(begin_q[2]), .address(address_q), .size(size),
        .run(run_q),
        .runs(join_vectors_q ? 8'd1 : y_q), .slices(join_slices_q ? 8'd1 : x_q),
        .run_stride(z_stride_q),
        .slice_stride({1'b0, y_stride_q} + (join_vectors_q ? {5'd0, slice_gap} : 21'd0)),
        .out_valid(burst_valid), .out_ready(burst_ready), .out_last(burst_last),
        .out_addr(burst_addr), .out_len(burst_len)
    );

    systolic_steps #(.ADDR_W(STEP_W)) u_steps (
        .clk(clk), .rst_n(rst_n),
        .start(begin_q[1]), .address(address_q[STEP_W-1:0]), .size(size), .bank(bank),
        .x(x_q), .y(y_q), .z(z_q),
        .z_stride(z_stride_q[STEP_W-1:0]), .y_stride(y_stride_q[STEP_W-1:0]),
        .join_vectors(join_vectors_q), .join_slices(join_slices_q),
        .out_valid(step_valid), .out_ready(step_ready),
        .out_first(step_first), .out_ends(step_ends), .out_closes(step_closes),
        .out_last(step_last), .out_addr(step_addr), .out_final(step_final),
        .out_crosses(step_crosses), .out_bank(step_bank)
    );

endmodule

`default_nettype wire
