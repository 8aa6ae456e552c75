// A lane of ALU: value_q = value_q op element, or element alone, or start op element.
//
//     element --> element_q --+--> shifted -----------+
//                             +--> x factor, 16 bits --+--> op --> value_q  //% if scales
//                             +-------------------------> op --> value_q  //% if !scales
//                                                         ^        |
//                                                   start +--------+
//
// Latency 3 cycles; the flags of an element come 2 cycles after it. Sums wrap. No reset.
`default_nettype none

module systolic_alu_lane (
    input  wire        clk,
    input  wire [${out_width - 1:2}:0] element,
    // Constant in an operation
    input  wire        left,              // shift to the left
    input  wire [${clog2(out_width) - 1:2}:0] distance,          // to the right; to the left ${1 << clog2(out_width)} - distance
    input  wire        add,
    input  wire        max,
    input  wire signed [${out_width - 1:2}:0] start_value,
    input  wire signed [15:0] factor,  //% if scales
    // Of an element
    input  wire        load,
    input  wire        start,             // with start_value in place of value_q
    input  wire        alone,
    input  wire        multiplied,  //% if scales
    output reg  signed [${out_width - 1:2}:0] value_q
);

    localparam W = ${out_width};

    // ---------------------------------------------------------------- element, shifted
    localparam DW  = ${clog2(out_width)};
    localparam ALL = 1 << DW;

    reg         [W-1:0]     element_q;
    reg  signed [W-1:0]     shifted_q;
    reg         [ALL+W-2:0] shifted;
    integer                 k;

    always @* begin
        shifted = left ? {element_q[W-2:0], {ALL{1'b0}}} : {{(ALL-1){element_q[W-1]}}, element_q};
        for (k = DW - 1; k >= 0; k = k - 1) begin
            if (distance[k]) shifted = shifted >> (1 << k);
        end
    end

    wire unused_high = &{1'b0, shifted[ALL+W-2:W]};

    always @(posedge clk) begin
        element_q <= element;
        shifted_q <= shifted[W-1:0];
    end
//% if scales

    // ---------------------------------------------------------------- product
    wire signed [15:0]  narrow = element_q[15:0];
    (* use_dsp = "yes" *)
    reg  signed [W-1:0] product_q;
    wire signed [W-1:0] term = multiplied ? product_q : shifted_q;

    always @(posedge clk) product_q <= narrow * factor;
//% else

    wire signed [W-1:0] term = shifted_q;
//% end

    // ---------------------------------------------------------------- function
    // Minimum and maximum subtract.
    wire [W-1:0] old    = start ? start_value : value_q;
    wire [W-1:0] change = add ? term : ~term;
    wire [W:0]   sum    = {old[W-1], old} + {change[W-1], change} + {{W{1'b0}}, !add};
    wire         less   = sum[W];         // old < term
    wire         keep   = less != max;

    always @(posedge clk) begin
        if (load) value_q <= alone ? term : add ? sum[W-1:0] : keep ? old : term;
    end

endmodule

`default_nettype wire
