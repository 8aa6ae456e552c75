//# From the elements of CDP to its results, elements of 16 bits.
    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) ended_q <= 1'b0;
        else        ended_q <= !op_done && (ended_q || (take && last));
    end

    // ------------------------------------------------------------------ datapath
    wire [3:0]  beat_tag = {beat_first, beat_last, beat_last && beat_line, last};
    wire        look;                         // at the entries of
    wire [${8 * lanes16 - 1}:0] even_addr, odd_addr;
    wire        r_valid;                      // results
    wire [2:0]  r_tag;                        // last of pixel, line, layer
    wire [${8 * cdp_throughput - 1}:0] r_data;
    wire [5*LANES-1:0] events;                // of elements, in any cycle
    wire [LANES-1:0]   sats;

    dla_cdp_tables u_tables (
        .clk       (clk),
        .even_we   (even_we),
        .odd_we    (odd_we),
        .waddr     (waddr),
        .wdata     (wdata),
        .peek      (peek),
        .peek_addr (peek_addr),
        .look      (look),
        .even_addr (even_addr),
        .odd_addr  (odd_addr),
        .even_data (even_data),
        .odd_data  (odd_data)
    );

//% if integers
    wire        w_valid, w_look;
    wire [2:0]  w_tag;
    wire [${8 * cdp_throughput - 1}:0] w_data;
    wire [5*LANES-1:0] w_events;
    wire [${8 * lanes16 - 1}:0] w_even, w_odd;

    dla_cdp_wide u_wide (
//%   if int8
        .clk           (clk),
        .gclk          (${gclk}),
        .narrow        (element_type == 2'd0),
        .even_we       (even_we),
        .odd_we        (odd_we),
        .waddr         (waddr),
        .wdata         (wdata),
        .peek          (peek),
        .peek_addr     (peek_addr),
//%   else
        .gclk          (${gclk}),
//%   end
        .rst_n         (rst_n),
        .mul_bypass    (mul_bypass_q),
        .sqsum_bypass  (sqsum_bypass_q),
        .half          (half_q),
        .le_linear     (le_linear),
        .le_offset     (le_offset),
        .le_select     (le_select),
        .lo_select     (lo_select),
        .uflow_lo      (uflow_lo),
        .oflow_lo      (oflow_lo),
        .hybrid_lo     (hybrid_lo),
        .le_scale      (le_scale),
        .lo_scale      (lo_scale),
        .le_start      ({le_start_high, le_start_low}),
        .le_end        ({le_end_high, le_end_low}),
        .lo_start      ({lo_start_high, lo_start_low}),
        .lo_end        ({lo_end_high, lo_end_low}),
        .le_shift      (le_shift),
        .lo_shift      (lo_shift),
        .in_offset     (datin_offset),
        .in_scale      (datin_scale),
        .in_shift      (datin_shifter),
        .out_offset    (datout_offset),
        .out_scale     (datout_scale),
        .out_shift     (datout_shifter),
        .in_valid      (take${mixed_fp ? " && !real_q" : ""}),
        .in_data       (beat_data),
        .in_mask       (beat_mask),
        .in_tag        (beat_tag),
        .look          (w_look),
        .even_addr     (w_even),
        .odd_addr      (w_odd),
        .even_data     (even_data),
        .odd_data      (odd_data),
        .events        (w_events),
        .out_valid     (w_valid),
        .out_data      (w_data),
        .out_tag       (w_tag),
        .out_sats      (sats)
    );

//% end
//% if fp16
    wire        f_valid, f_look;
    wire [2:0]  f_tag;
    wire [${8 * cdp_throughput - 1}:0] f_data;
    wire [${5 * lanes16 - 1}:0] f_events;
    wire [${8 * lanes16 - 1}:0] f_even, f_odd;

    dla_cdp_fp u_fp (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .flush         (nan_to_zero),
        .mul_bypass    (mul_bypass_q),
        .sqsum_bypass  (sqsum_bypass_q),
        .half          (half_q),
        .le_linear     (le_linear),
        .le_offset     (le_offset),
        .le_select     (le_select),
        .lo_select     (lo_select),
        .uflow_lo      (uflow_lo),
        .oflow_lo      (oflow_lo),
        .hybrid_lo     (hybrid_lo),
        .le_scale      (le_scale),
        .lo_scale      (lo_scale),
        .le_start      (le_start_low),
        .le_end        (le_end_low),
        .lo_start      (lo_start_low),
        .lo_end        (lo_end_low),
        .in_valid      (take${mixed_fp ? " && real_q" : ""}),
        .in_data       (beat_data),
        .in_mask       (beat_mask),
        .in_tag        (beat_tag),
        .look          (f_look),
        .even_addr     (f_even),
        .odd_addr      (f_odd),
        .even_data     (even_data),
        .odd_data      (odd_data),
        .events        (f_events),
        .out_valid     (f_valid),
        .out_data      (f_data),
        .out_tag       (f_tag)
    );

//% end
//% if integers && fp16
    assign look      = real_q ? f_look : w_look;
    assign even_addr = real_q ? f_even : w_even;
    assign odd_addr  = real_q ? f_odd : w_odd;
    assign r_valid   = real_q ? f_valid : w_valid;
    assign r_tag     = real_q ? f_tag : w_tag;
    assign r_data    = real_q ? f_data : w_data;
    assign events    = w_events | {${5 * lanes16}'d0, f_events};  //% if int8
    assign events    = w_events | f_events;  //% if !int8
//% elif integers
    assign look      = w_look;
    assign even_addr = w_even;
    assign odd_addr  = w_odd;
    assign r_valid   = w_valid;
    assign r_tag     = w_tag;
    assign r_data    = w_data;
    assign events    = w_events;
//% else
    assign look      = f_look;
    assign even_addr = f_even;
    assign odd_addr  = f_odd;
    assign r_valid   = f_valid;
    assign r_tag     = f_tag;
    assign r_data    = f_data;
    assign events    = f_events;
    assign sats      = {LANES{1'b0}};
//% end

    // Only the first lane's entries are read back.
    wire unused_wide = &{1'b0, even_data, odd_data, beat_mask, le_shift, lo_shift, datin_offset,
                         datin_scale, datin_shifter, datout_offset, datout_scale, datout_shifter,
                         le_start_high, le_end_high, lo_start_high, lo_end_high, le_select,
                         lo_select};

