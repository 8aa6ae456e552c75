//# From pixel to pixel of a line.
    // First state of a line, state behind the pixels.
    wire [1:0] begin_state = (|pad_left) ? LEFT : PIXEL;
    wire [1:0] after_state = (|pad_right) ? RIGHT : FLUSH;
    wire       new_line    = start || (advance && ${line_flush});

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q      <= LEFT;
            luma_valid_q <= 1'b0;
        end else begin
            if (new_line) begin
                state_q <= begin_state;
            end else if (advance && last) begin
                state_q <= in_pixel ? after_state : state_q + 2'd1;
            end
            luma_valid_q <= load || (luma_valid_q && !(pixel && (last || ${luma_end})));
        end
    end

    always @(posedge clk) begin
        if (new_line) begin
            count_q <= (|pad_left) ? {8'd0, pad_left} - 13'd1 : width;
            at_q    <= x_offset[LSB-1:0];
        end else if (advance) begin
            count_q <= !last ? count_q + ~{11'd0, more} :
                       in_pixel ? {7'd0, pad_right} - 13'd1 : width;
            if (in_pixel) begin
                at_q <= at_q + {{(LSB-2){1'b0}}, more} + {{(LSB-1){1'b0}}, 1'b1};
            end
        end
        if (load) begin
            luma_q <= atom;
        end
    end

