// The datapath of CDP for integers where there are elements of 16 bits: convertors, window, tables.
//
// Elements of 8 bits are in all lanes, others in every other one.  //% if int8
// Contract: one beat per cycle, ${cdp_cycles16} cycles, nothing stalls. `events` are 0 without elements.
// Reset: empty.
`default_nettype none

module dla_cdp_wide (
    input  wire        clk,                  // of the tables  //% if int8
    input  wire        gclk,
    input  wire        rst_n,

    // layer
    input  wire        narrow,               // elements of 8 bits  //% if int8
    input  wire        mul_bypass,
    input  wire        sqsum_bypass,
    input  wire [1:0]  half,                 // channels on each side - 1
    input  wire        le_linear,
    input  wire [7:0]  le_offset,
    input  wire [7:0]  le_select,
    input  wire [7:0]  lo_select,
    input  wire        uflow_lo,             // the table that counts: 1 LO
    input  wire        oflow_lo,
    input  wire        hybrid_lo,
    input  wire [31:0] le_scale,             // overflow, underflow
    input  wire [31:0] lo_scale,
    input  wire [37:0] le_start,
    input  wire [37:0] le_end,
    input  wire [37:0] lo_start,
    input  wire [37:0] lo_end,
    input  wire [9:0]  le_shift,             // overflow, underflow
    input  wire [9:0]  lo_shift,
    input  wire [15:0] in_offset,
    input  wire [15:0] in_scale,
    input  wire [4:0]  in_shift,
    input  wire [31:0] out_offset,
    input  wire [15:0] out_scale,
    input  wire [5:0]  out_shift,

    // beats
    input  wire        in_valid,
    input  wire [${8 * cdp_throughput - 1}:0] in_data,
    input  wire [${cdp_throughput - 1}:0]  in_mask,             // bytes of the cube, not padding
    input  wire [3:0]  in_tag,               // first of the pixel; last of pixel, line, layer

//% if int8
    // tables of the lanes of 8 bits
    input  wire        even_we,
    input  wire        odd_we,
    input  wire [7:0]  waddr,
    input  wire [15:0] wdata,
    input  wire        peek,
    input  wire [7:0]  peek_addr,

//% end
    // the others
    output wire        look,
    output wire [${8 * lanes16 - 1}:0] even_addr,
    output wire [${8 * lanes16 - 1}:0] odd_addr,
    input  wire [${16 * lanes16 - 1}:0] even_data,            // a cycle later
    input  wire [${16 * lanes16 - 1}:0] odd_data,

    output wire [${5 * cdp_lanes - 1}:0] events,
    output wire        out_valid,
    output wire [${8 * cdp_throughput - 1}:0] out_data,
    output wire [2:0]  out_tag,              // last of pixel, line, layer
    output wire [${cdp_lanes - 1}:0]  out_sats              // saturated elements
);

    localparam LANES  = ${cdp_lanes};
    localparam STAGES = ${cdp_stages};                  // from the sum to the result

    // ------------------------------------------------------------------ the layer, held
    reg  [15:0] in_offset_q, in_scale_q, out_scale_q;
    reg  [4:0]  in_shift_q;
    reg  [5:0]  out_shift_q;
    reg  [31:0] out_offset_q;
    reg  [37:0] le_start_q, lo_start_q;
    reg  [6:0]  le_select_q, lo_select_q;
    reg         narrow_q;  //% if int8

    // Where the slopes outside the tables start; an exponential table starts 2^OFFSET later.
    wire               late     = !le_linear && (le_offset < 8'd39);
    reg  signed [38:0] power_q;
    reg  signed [38:0] le_under_q;
    wire signed [38:0] lo_under = {lo_start[37], lo_start};
    wire signed [38:0] le_over  = {le_end[37], le_end};
    wire signed [38:0] lo_over  = {lo_end[37], lo_end};

    always @(posedge gclk) begin
        power_q      <= late ? 39'd1 << le_offset[5:0] : 39'd0;
        le_under_q   <= $signed({le_start[37], le_start}) + power_q;
        in_scale_q   <= in_scale;
        in_shift_q   <= in_shift;
        out_scale_q  <= out_scale;
        out_shift_q  <= out_shift;
//% if int8
        narrow_q     <= narrow;
        in_offset_q  <= narrow ? {{8{in_offset[7]}}, in_offset[7:0]} : in_offset;
        out_offset_q <= narrow ? {{7{out_offset[24]}}, out_offset[24:0]} : out_offset;
        le_start_q   <= narrow ? {{16{le_start[21]}}, le_start[21:0]} : le_start;
        lo_start_q   <= narrow ? {{16{lo_start[21]}}, lo_start[21:0]} : lo_start;
        le_select_q  <= narrow ? {le_select[5], le_select[5:0]} : le_select[6:0];
        lo_select_q  <= narrow ? {lo_select[5], lo_select[5:0]} : lo_select[6:0];
//% else
        in_offset_q  <= in_offset;
        out_offset_q <= out_offset;
        le_start_q   <= le_start;
        lo_start_q   <= lo_start;
        le_select_q  <= le_select[6:0];
        lo_select_q  <= lo_select[6:0];
//% end
    end

    // ------------------------------------------------------------------ input
    reg  [4:0]         in_valid_q;
    reg  [4*5-1:0]     in_tag_q;
    wire [17*LANES-1:0] v;
    wire [33*LANES-1:0] square;
    genvar             i;

    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) in_valid_q <= 5'd0;
        else        in_valid_q <= {in_valid_q[3:0], in_valid};
    end

    always @(posedge gclk) in_tag_q <= {in_tag_q[15:0], in_tag};

    generate
//%   if int8
        for (i = 0; i < LANES; i = i + 2) begin : gen_in
            wire signed [8:0] odd_v;
            wire       [16:0] odd_square;

            dla_cdp_in_wide u_even (
                .clk          (gclk),
                .narrow       (narrow_q),
                .offset       (in_offset_q),
                .scale        (in_scale_q),
                .shift        (in_shift_q),
                .in_data      ({narrow_q ? {8{in_data[8*i+7]}} : in_data[8*i+8 +: 8],
                                in_data[8*i +: 8]}),
                .in_real      (in_mask[i]),
                .round_load   (in_valid_q[2:1]),
                .out_v_q      (v[17*i +: 17]),
                .out_square_q (square[33*i +: 33])
            );

            dla_cdp_in_lane u_odd (
                .clk          (gclk),
                .offset       (in_offset_q[7:0]),
                .scale        (in_scale_q),
                .shift        (in_shift_q),
                .in_data      (in_data[8*i+8 +: 8]),
                .in_real      (in_mask[i+1] && narrow_q),
                .round_load   (in_valid_q[2:1]),
                .out_v_q      (odd_v),
                .out_square_q (odd_square)
            );

            assign v[17*i+17 +: 17]      = {{8{odd_v[8]}}, odd_v};
            assign square[33*i+33 +: 33] = {16'd0, odd_square};
        end
//%   else
        for (i = 0; i < LANES; i = i + 1) begin : gen_in
            dla_cdp_in_wide u_lane (
                .clk          (gclk),
                .offset       (in_offset_q),
                .scale        (in_scale_q),
                .shift        (in_shift_q),
                .in_data      (in_data[16*i +: 16]),
                .in_real      (in_mask[2*i]),
                .round_load   (in_valid_q[2:1]),
                .out_v_q      (v[17*i +: 17]),
                .out_square_q (square[33*i +: 33])
            );
        end
//%   end
    endgenerate

    // ------------------------------------------------------------------ window
    wire                x_valid;
    wire [38*LANES-1:0] x;
    wire [17*LANES-1:0]  x_v;
    wire [2:0]          x_tag;

    dla_cdp_window u_window (
        .clk         (gclk),
        .rst_n       (rst_n),
        .half        (half),
        .bypass      (sqsum_bypass),
        .narrow      (narrow_q),  //% if int8
        .in_valid    (in_valid_q[4]),
        .in_v        (v),
        .in_square   (square),
        .in_first    (in_tag_q[19]),
        .in_tag      (in_tag_q[18:16]),
        .out_valid_q (x_valid),
        .out_x       (x),
        .out_v_q     (x_v),
        .out_tag_q   (x_tag)
    );

    // ------------------------------------------------------------------ table and output
    localparam LUT = 13;                      // stages of the lookup but one
    wire [5*LANES-1:0]   found;
    reg  [STAGES-1:0]    valid_q;
    reg  [3*STAGES-1:0]  tag_q;
    reg  [17*LANES*LUT-1:0] v_q;               // v beside the lookup

    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], x_valid};
    end

    always @(posedge gclk) begin
        tag_q <= {tag_q[3*STAGES-4:0], x_tag};
        v_q   <= {v_q[17*LANES*(LUT-1)-1:0], x_v};
    end

    wire [LANES-1:0]     sats;

    // ---- elements of 16 bits${int8 && types16 ? ", and half of those of 8" : ""}
    generate
        for (i = 0; i < LANES; i = i + ${lane_step}) begin : gen_wide
            wire [15:0] y;
//%   if int8
            wire [4:0]  event_of;

            assign found[5*i +: 5] = event_of;
//%   end

            dla_cdp_lut_wide u_lut (
                .clk       (gclk),
                .mul_load  (valid_q[9:8]),
                .round_load (valid_q[11:10]),
                .le_linear (le_linear),
                .le_offset (le_offset),
                .le_select (le_select_q),
                .lo_select (lo_select_q),
                .uflow_lo  (uflow_lo),
                .oflow_lo  (oflow_lo),
                .hybrid_lo (hybrid_lo),
                .le_start  (le_start_q),
                .lo_start  (lo_start_q),
                .le_under  (le_under_q),
                .le_over   (le_over),
                .lo_under  (lo_under),
                .lo_over   (lo_over),
                .le_scale  (le_scale),
                .lo_scale  (lo_scale),
                .le_shift  (le_shift),
                .lo_shift  (lo_shift),
                .even_addr (even_addr[8*(i/${lane_step}) +: 8]),
                .odd_addr  (odd_addr[8*(i/${lane_step}) +: 8]),
                .even_data (even_data[16*(i/${lane_step}) +: 16]),
                .odd_data  (odd_data[16*(i/${lane_step}) +: 16]),
                .in_x      (x[38*i +: 38]),
                .event_q   (event_of),  //% if int8
                .event_q   (found[5*i +: 5]),  //% if !int8
                .out_y_q   (y)
            );

//%   if int8
            wire [15:0] result;

            assign out_data[8*i +: 8] = result[7:0];
//%   end
            dla_cdp_out_wide u_out (
                .clk        (gclk),
                .narrow     (narrow_q),  //% if int8
                .mul_bypass (mul_bypass),
                .offset     (out_offset_q),
                .scale      (out_scale_q),
                .shift      (out_shift_q),
                .in_v       (v_q[17*(LANES*(LUT-1)+i) +: 17]),
                .in_y       (y),
                .mul_load   (valid_q[16:15]),
                .round_load (valid_q[18:17]),
                .out_data   (result),  //% if int8
                .out_data   (out_data[16*i +: 16]),  //% if !int8
                .out_sat    (sats[i])
            );
//%   if int8

            // ---- the other elements of 8 bits
            wire [15:0] odd_y, unused_even, unused_odd;
            wire [4:0]  odd_event;
            wire [7:0]  odd_result;
            wire        odd_sat;

            assign found[5*i+5 +: 5]   = odd_event & {5{narrow_q}};
            assign out_data[8*i+8 +: 8] = narrow_q ? odd_result : result[15:8];
            assign sats[i+1]            = odd_sat && narrow_q;

            dla_cdp_lut_lane u_odd_lut (
                .clk       (clk),
                .gclk      (gclk),  //% if clock_gating
                .look      (valid_q[5]),
                .mul_load  (valid_q[9:8]),
                .round_load (valid_q[11:10]),
                .le_linear (le_linear),
                .le_offset (le_offset),
                .le_select (le_select_q[5:0]),
                .lo_select (lo_select_q[5:0]),
                .uflow_lo  (uflow_lo),
                .oflow_lo  (oflow_lo),
                .hybrid_lo (hybrid_lo),
                .le_start  (le_start_q[21:0]),
                .lo_start  (lo_start_q[21:0]),
                .le_under  (le_under_q),
                .le_over   (le_over),
                .lo_under  (lo_under),
                .lo_over   (lo_over),
                .le_scale  (le_scale),
                .lo_scale  (lo_scale),
                .le_shift  (le_shift),
                .lo_shift  (lo_shift),
                .even_we   (even_we),
                .odd_we    (odd_we),
                .waddr     (waddr),
                .wdata     (wdata),
                .peek      (peek),
                .peek_addr (peek_addr),
                .even_data (unused_even),
                .odd_data  (unused_odd),
                .in_x      (x[38*i+38 +: 22]),
                .event_q   (odd_event),
                .out_y_q   (odd_y)
            );

            dla_cdp_out_lane u_odd_out (
                .clk        (gclk),
                .mul_bypass (mul_bypass),
                .offset     (out_offset_q[24:0]),
                .scale      (out_scale_q),
                .shift      (out_shift_q),
                .in_v       (v_q[17*(LANES*(LUT-1)+i)+17 +: 9]),
                .in_y       (odd_y),
                .round_load (valid_q[17:16]),
                .out_data   (odd_result),
                .out_sat    (odd_sat)
            );
//%   end
        end
    endgenerate

    assign look      = valid_q[5];
    assign events    = found & {5*LANES{valid_q[3]}};
    assign out_valid = valid_q[STAGES-1];
    assign out_tag   = tag_q[3*STAGES-1 -: 3];
    assign out_sats  = sats & {LANES{out_valid}};

    wire unused_bits = &{1'b0, in_mask, x, v_q, le_select, lo_select};

endmodule

`default_nettype wire
