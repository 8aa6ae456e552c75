//# The stages of PDP if all elements are integers.
    localparam LANES   = ${pdp_lanes};
    localparam BEAT    = ${8 * pdp_throughput};
    localparam GROUPS  = ${groups};               // beats of an atom
    localparam GROUP_W = ${group_msb + 1};
    localparam ROW_W   = ${4 + clog2(groups)};               // address bits of a bank

    // ------------------------------------------------------------------ issue
    // A turn takes a cycle for each group of elements of an atom.
    wire               issue;
//% if groups > 1
    reg  [GROUP_W-1:0] group_q;
    wire               group_last = &group_q;
//% else
    wire [GROUP_W-1:0] group_q    = {GROUP_W{1'b0}};
    wire               group_last = 1'b1;
//% end
    wire [ROW_W-1:0]   t_addr = {t_col${groups > 1 ? ", group_q" : ""}};
    reg                a_valid_q, s_valid_q, b_valid_q, c_valid_q;
    reg  [ROW_W-1:0]   a_addr_q, s_addr_q, b_addr_q, c_addr_q;
//% if groups > 2
    assign issue = t_valid && (!t_take || in_valid) && (!t_result || room);
//% else
    // A read of the line buffer comes 3 cycles after the one whose result it needs.
    wire               collides = t_window && ((a_valid_q && (a_addr_q == t_addr))
                                            || (s_valid_q && (s_addr_q == t_addr)));

    assign issue = t_valid && (!t_take || in_valid) && (!t_result || room) && !collides;
//% end

//% if groups > 1
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     group_q <= {GROUP_W{1'b0}};
        else if (issue) group_q <= group_q + {{(GROUP_W-1){1'b0}}, 1'b1};
    end

//% end
    assign in_take   = issue && t_take;
    assign t_pop     = issue && group_last;
    assign reserve   = t_pop && t_result;

    // ------------------------------------------------------------------ A, S, B: along the line
    localparam CTRL_W = 30;
    reg               a_take_q;
    reg [GROUP_W-1:0] a_group_q;
    reg [BEAT-1:0]    a_x_q;
    reg [BEAT-1:0]    a_add_q;         // complement for maximum and minimum  //% if !types16
    reg [2:0]         a_before_q, a_sel_q, a_miss_w_q, s_miss_w_q;
    reg [CTRL_W-1:0]  a_ctrl_q, s_ctrl_q, b_ctrl_q, c_ctrl_q;
//% if types16
    reg [21:0]        b_pad_q;

    function [${pad_w - 1}:0] pad_of;            // what missing columns add
//% else
    reg [10:0]        b_pad_q;

    function [13:0] pad_of;            // what missing columns add, low bits
//% end
        input [2:0] missing;
        case (missing)
            3'd0:    pad_of = ${pad_w}'d0;
//% for n in pads
            3'd${n}:    pad_of = pad_${n};
//% end
        endcase
    endfunction

    wire [${pad_w - 1}:0] pad_w = pad_of(s_miss_w_q) & {${pad_w}{average}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            a_take_q <= 1'b0;
            {a_valid_q, s_valid_q, b_valid_q, c_valid_q} <= 4'd0;
        end else begin
            a_take_q <= in_take;
            {a_valid_q, s_valid_q, b_valid_q, c_valid_q}
                <= {issue && t_window, a_valid_q, s_valid_q, b_valid_q};
        end
    end

    always @(posedge clk) begin
        a_group_q  <= group_q;
        a_x_q      <= in_data;
        a_add_q    <= in_data ^ {BEAT{compare}};  //% if !types16
        a_before_q <= t_before;
        a_sel_q    <= t_sel;
        a_addr_q   <= t_addr;
        a_miss_w_q <= t_miss_w;
        a_ctrl_q   <= {group_last, t_last, t_miss_h, t_start, t_late, t_bank, t_first,
                       t_write, t_result};
        s_miss_w_q <= a_miss_w_q;
//% if types16 && int8
        b_pad_q    <= split ? {pad_w[10:0], pad_w[10:0]} : {{3{pad_w[18]}}, pad_w};
//% elif types16
        b_pad_q    <= {{3{pad_w[18]}}, pad_w};
//% else
        b_pad_q    <= pad_w[10:0];
//% end
        {s_addr_q, b_addr_q, c_addr_q} <= {a_addr_q, s_addr_q, b_addr_q};
        {s_ctrl_q, b_ctrl_q}           <= {a_ctrl_q, s_ctrl_q};
        c_ctrl_q   <= {b_ctrl_q[CTRL_W-1:9], b_ctrl_q[8:1] & {8{b_valid_q}}, b_ctrl_q[0]};
    end

    // ------------------------------------------------------------------ C, D, E: along the column
    wire              c_group_last, c_start, c_late, c_result;
    wire [3:0]        c_last;
    wire [2:0]        c_miss_h, c_bank;
    wire [7:0]        c_first, c_write;
    reg               d_start_q, d_late_q;
    reg signed [${pad_w - 1}:0] d_pad_q;                         // for missing rows, once per column
    reg [${e_pad_w - 1}:0]        e_pad_q;
    wire signed [4:0] columns = {1'b0, width} + 5'd1;

    assign {c_group_last, c_last, c_miss_h, c_start, c_late, c_bank, c_first, c_write, c_result}
        = c_ctrl_q;

    always @(posedge clk) begin
        d_start_q <= c_start;
        d_late_q  <= c_late;
        d_pad_q   <= pad_of(c_miss_h) & {${pad_w}{average}};
        e_pad_q   <= d_pad_q * columns;
    end

    // Word of a bank: ${col_w} bits of each lane.
    wire [${8 * col_w}*LANES-1:0] old_rows, new_rows;
    genvar bank, lane;

    generate
        for (bank = 0; bank < 8; bank = bank + 1) begin : gen_bank
            sram_1r1w #(.W(${col_w}*LANES), .DEPTH(16*GROUPS)) u_rows (
                .clk   (clk),
                .we    (c_write[bank]),
                .waddr (c_addr_q),
                .wdata (new_rows[${col_w}*LANES*bank +: ${col_w}*LANES]),
                .re    (s_valid_q),
                .raddr (s_addr_q),
                .rdata (old_rows[${col_w}*LANES*bank +: ${col_w}*LANES])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ lanes
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : gen_lane
            wire [${8 * col_w - 1}:0] lane_old, lane_new;

            for (bank = 0; bank < 8; bank = bank + 1) begin : gen_word
                assign lane_old[${col_w}*bank +: ${col_w}] = old_rows[${col_w}*(LANES*bank + lane) +: ${col_w}];
                assign new_rows[${col_w}*(LANES*bank + lane) +: ${col_w}] = lane_new[${col_w}*bank +: ${col_w}];
            end

            dla_pdp_lane u_lane (
                .clk      (clk),
                .en       (en),
                .split    (split),  //% if types16 && int8
                .average  (average),
                .compare  (compare),  //% if !types16
                .least    (least),
                .recip_w  (recip_w),
                .recip_h  (recip_h),
                .a_take   (a_take_q),
                .a_group  (a_group_q),
                .a_x      (a_x_q[${lane_w}*lane +: ${lane_w}]),
                .a_add    (a_add_q[${lane_w}*lane +: ${lane_w}]),  //% if !types16
                .a_before (a_before_q),
                .a_sel    (a_sel_q),
                .b_pad    (b_pad_q),
                .c_first  (c_first),
                .c_bank   (c_bank),
                .b_old    (lane_old),
                .c_new    (lane_new),
                .d_start  (d_start_q),
                .d_late   (d_late_q),
                .e_pad    (e_pad_q),
                .out      (out_data[${lane_w}*lane +: ${lane_w}])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ results, D to I
    localparam STAGES = 6;
    reg [STAGES-1:0]   valid_q;
    reg [5*STAGES-1:0] tag_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], c_valid_q && c_result};
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[5*STAGES-6:0], c_group_last, c_last};
    end

    assign out_valid                  = valid_q[STAGES-1];
    assign {out_group_last, out_last} = tag_q[5*STAGES-1 -: 5];

//% if !types16
    // Windows along the line have fewer bits.
    wire unused_bits = &{1'b0, pad_w[13:11]};

//% end
endmodule

`default_nettype wire
