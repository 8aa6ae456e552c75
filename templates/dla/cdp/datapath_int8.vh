//# From the elements of CDP to its results, elements of 8 bits.
    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            ended_q    <= 1'b0;
            in_valid_q <= 5'd0;
        end else begin
            ended_q    <= !op_done && (ended_q || (take && last));
            in_valid_q <= {in_valid_q[3:0], take};
        end
    end

    always @(posedge ${gclk}) begin
        in_tag_q <= {in_tag_q[15:0], beat_first, beat_last, beat_last && beat_line, last};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_in
            dla_cdp_in_lane u_lane (
                .clk          (${gclk}),
                .offset       (in_offset_q),
                .scale        (in_scale_q),
                .shift        (in_shift_q),
                .in_data      (beat_data[8*i +: 8]),
                .in_real      (beat_mask[i]),
                .round_load   (in_valid_q[2:1]),
                .out_v_q      (v[9*i +: 9]),
                .out_square_q (square[17*i +: 17])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ window
    wire                x_valid;
    wire [22*LANES-1:0] x;
    wire [9*LANES-1:0]  x_v;
    wire [2:0]          x_tag;

    dla_cdp_window u_window (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .half        (half_q),
        .bypass      (sqsum_bypass_q),
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
    wire [5*LANES-1:0]   events;
    wire [8*LANES-1:0]   out_data;
    reg  [STAGES-1:0]    valid_q;
    reg  [3*STAGES-1:0]  tag_q;
    reg  [9*LANES*LUT-1:0] v_q;               // v beside the lookup

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], x_valid};
    end

    always @(posedge ${gclk}) begin
        tag_q <= {tag_q[3*STAGES-4:0], x_tag};
        v_q   <= {v_q[9*LANES*(LUT-1)-1:0], x_v};
    end

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_out
            wire [15:0] y;

            dla_cdp_lut_lane u_lut (
                .clk       (clk),
                .gclk      (gclk),  //% if clock_gating
                .look      (valid_q[5]),
                .mul_load  (valid_q[9:8]),
                .round_load (valid_q[11:10]),
                .le_linear (le_linear),
                .le_offset (le_offset),
                .le_select (le_select[5:0]),
                .lo_select (lo_select[5:0]),
                .uflow_lo  (uflow_lo),
                .oflow_lo  (oflow_lo),
                .hybrid_lo (hybrid_lo),
                .le_start  (le_start_low[21:0]),
                .lo_start  (lo_start_low[21:0]),
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
                .even_data (even_data[16*i +: 16]),
                .odd_data  (odd_data[16*i +: 16]),
                .in_x      (x[22*i +: 22]),
                .event_q   (events[5*i +: 5]),
                .out_y_q   (y)
            );

            dla_cdp_out_lane u_out (
                .clk        (${gclk}),
                .mul_bypass (mul_bypass_q),
                .offset     (out_offset_q),
                .scale      (out_scale_q),
                .shift      (out_shift_q),
                .in_v       (v_q[9*(LANES*(LUT-1)+i) +: 9]),
                .in_y       (y),
                .round_load (valid_q[17:16]),
                .out_data   (out_data[8*i +: 8])
            );
        end
    endgenerate
//% if cdp_throughput > 1

    // Only the first lane's entries are read back.
    wire unused_entries = &{1'b0, even_data, odd_data};
//% end

