// Elements of a step as bytes, in the lanes of their banks: bank b in lane b modulo the elements of
// a beat.
//
//% if scales
//   row -> pick -> clamp or wide -----> lanes      1 cycle
//            \---> scale, per lane --> lanes      ${scale_cycles} cycles
//% else
//   row -> pick -> clamp or wide -> lanes
//% end
//
// One step per cycle, does not stall. narrow, scaled and set hold during a transfer. No reset.  //% if scales
// Latency 1 cycle, one step per cycle, does not stall. narrow holds during a transfer. No reset.  //% if !scales
`default_nettype none

module systolic_store_lanes (
    input  wire         clk,
    input  wire         narrow,
//% if scales
    input  wire         scaled,
    input  wire [1:0]   set,
    input  wire [1:0]   load,         // stages 1 and 2 have a step

    // scale memory, at most a beat of elements
    input  wire         load2scale_write,
    input  wire [3:0]   load2scale_entry,
    input  wire [${cols - 1}:0]  load2scale_enable,
    input  wire [${32 * cols - 1}:0] load2scale_data,
//% end

    input  wire [${output_row_w - 1}:0] row,
    input  wire [7:0]   bank,         // of the first element
    output wire [${axi_data_width - 1}:0] lanes
);

    localparam BITS     = ${axi_data_width};
    localparam COLS     = ${cols};
    localparam OUT_W    = ${out_width};
    localparam IN_W     = ${in_width};
    localparam IN_BITS  = ${8 * in_bytes};            // in memory
    localparam OUT_BITS = ${8 * out_bytes};
    localparam INS      = BITS / IN_BITS;     // elements of a beat
    localparam OUTS     = BITS / OUT_BITS;

    wire [INS*OUT_W-1:0]  ins;
    wire [OUTS*OUT_W-1:0] outs;
    wire [BITS-1:0]       clamped;
    wire [BITS-1:0]       wide;
    reg  [BITS-1:0]       plain_q;

    systolic_pick #(.LANES(INS), .BANKS(COLS), .W(OUT_W)) u_ins (
        .row(row), .bank(bank), .lanes(ins)
    );
    systolic_pick #(.LANES(OUTS), .BANKS(COLS), .W(OUT_W)) u_outs (
        .row(row), .bank(bank), .lanes(outs)
    );

    genvar i;
    generate
        for (i = 0; i < INS; i = i + 1) begin : gen_in
            wire [OUT_W-1:0] in = ins[i*OUT_W +: OUT_W];
            wire [31:0]      x  = {{(32-OUT_W){in[OUT_W-1]}}, in};  //% if out_width < 32
            wire [31:0]      x  = in;  //% if out_width >= 32
            wire             fits = x[31:IN_W-1] == {(33-IN_W){x[31]}};

            assign clamped[i*IN_BITS +: IN_BITS] =
                fits ? x[IN_BITS-1:0] : {{(IN_BITS-IN_W+1){x[31]}}, {(IN_W-1){!x[31]}}};
        end
        for (i = 0; i < OUTS; i = i + 1) begin : gen_out
//% if out_width < 8 * out_bytes
            wire [OUT_W-1:0] out = outs[i*OUT_W +: OUT_W];

            assign wide[i*OUT_BITS +: OUT_BITS] = {{(OUT_BITS-OUT_W){out[OUT_W-1]}}, out};
//% else
            assign wide[i*OUT_BITS +: OUT_BITS] = outs[i*OUT_W +: OUT_W];
//% end
        end
    endgenerate

    always @(posedge clk) plain_q <= narrow ? clamped : wide;
//% if scales

    // ------------------------------------------------------------------ scales
    wire [BITS-1:0] scales;
//% if groups > 1
    localparam GROUP_W = ${clog2(groups)};            // banks of a lane: up to 2^GROUP_W
    localparam AT_W    = GROUP_W + 2;
    localparam [7:0] COUNT = INS[7:0];
    wire [7:0]      group  = bank / COUNT;
    wire [7:0]      offset = bank % COUNT;
//% end

    generate
        for (i = 0; i < INS; i = i + 1) begin : gen_scale
            if (i >= COLS) begin : gen_none
                assign scales[i*IN_BITS +: IN_BITS] = {IN_BITS{1'b0}};
            end else begin : gen_some
//% if groups > 1
                wire [7:0]         from = group + {7'd0, i[7:0] < offset};
                wire [AT_W-1:0]    at   = {from[GROUP_W-1:0], set};
                reg                write;
                reg  [GROUP_W-1:0] write_group;
                reg  [31:0]        write_data;
                integer            g;

                always @* begin
                    write       = 1'b0;
                    write_group = {GROUP_W{1'b0}};
                    write_data  = 32'd0;
                    for (g = 0; g*INS + i < COLS; g = g + 1) begin
                        if (load2scale_enable[g*INS + i]) begin
                            write       = load2scale_write;
                            write_group = write_group | g[GROUP_W-1:0];
                            write_data  = write_data | load2scale_data[(g*INS + i)*32 +: 32];
                        end
                    end
                end

                wire [AT_W-1:0] write_at = {write_group, load2scale_entry[3:2]};
                wire            unused_from = &{1'b0, from};
//% else
                wire [1:0]      at         = set;
                wire            write      = load2scale_write && load2scale_enable[i];
                wire [1:0]      write_at   = load2scale_entry[3:2];
                wire [31:0]     write_data = load2scale_data[i*32 +: 32];
//% end

                ${scale_module} u_scale (
                    .clk(clk),
                    .write(write), .write_word(load2scale_entry[1:0]), .write_at(write_at),
                    .write_data(write_data),
                    .load(load), .at(at), .x(ins[i*OUT_W +: OUT_W]),
                    .y_q(scales[i*IN_BITS +: IN_BITS])
                );
            end
        end
    endgenerate

    assign lanes = scaled ? scales : plain_q;
//% else

    assign lanes = plain_q;
//% end

endmodule

`default_nettype wire
