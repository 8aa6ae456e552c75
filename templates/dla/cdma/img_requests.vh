//# Requests of lines of pixels, and the FIFO of the atoms that come back.
    assign take      = fire && !mid_line_q;

    wire               pop;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            req_busy_q <= 1'b0;
            mid_line_q <= 1'b0;
            uv_q       <= 1'b0;
            room_q     <= DEPTH[ROOM_W-1:0];
            ask_q      <= 1'b0;
        end else begin
            ask_q      <= next || (ask_q && !req_ready);
            if (start) begin
                req_busy_q <= 1'b1;
            end else if (line_done) begin
                req_busy_q <= line_left_q != 13'd0;
            end
            if (fire) begin
                mid_line_q <= !line_done;
                uv_q       <= two_planes_q && !line_done && (!uv_q || !unit_q[0]);
            end
            if (fire != pop) begin
                room_q <= room_q + {{(ROOM_W-1){fire}}, 1'b1};    // - 1 or + 1
            end
        end
    end

    always @(posedge clk) begin
        if (start || line_done) begin
            line_0_q    <= start ? base_0 : line_0_q + stride_0;
            line_1_q    <= start ? base_1 : line_1_q + stride_1;
            line_left_q <= start ? height : line_left_q - 13'd1;
            unit_q      <= {9'd0, first_unit_q};
        end else if (unit_done) begin
            unit_q <= ${next_unit};
        end
    end

    // ------------------------------------------------------------------ atoms
    wire                  atom_valid;
    wire [${atom_bits - 1:3}:0]           atom;
    wire                  unused_ready;            // there is always room

    fifo_sync #(.W(${atom_bits}), .DEPTH(DEPTH)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_ready  (unused_ready),
        .in_data   (rsp_data),
        .out_valid (atom_valid),
        .out_ready (pop),
        .out_data  (atom)
    );

    assign pending = atom_valid;
