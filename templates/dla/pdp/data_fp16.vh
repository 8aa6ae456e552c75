//# The stages of PDP if some elements are floating point.
    localparam LANES   = ${pdp_lanes};
    localparam BEAT    = ${8 * pdp_throughput};
    localparam GROUPS  = ${groups};               // beats of an atom
    localparam GROUP_W = ${group_msb + 1};
    localparam ROW_W   = ${4 + clog2(groups)};               // address bits of a bank

    // Stages are counted from A, where the element is a word; two cycles before it goes in.
    localparam SKEW    = ${skew};               // from one step along the line to the next
    localparam STEP    = ${op_delay};               // cycles of a step
    localparam B       = ${stage_b};              // the complete window
    localparam C       = ${stage_c};              // with what missing columns add; joins the line buffer
    localparam E       = ${stage_e};              // the result
    localparam LAST    = C + STEP;

    // ------------------------------------------------------------------ issue
    // A turn takes a cycle for each group of elements of an atom. What it is goes along with it.
    localparam CTRL_W  = 30;
    localparam TURN_W  = CTRL_W + 9 + GROUP_W + ROW_W;
    localparam SEL     = CTRL_W;
    localparam BEFORE  = CTRL_W + 3;
    localparam MISS_W  = CTRL_W + 6;
    localparam GROUP   = CTRL_W + 9;
    localparam ADDR    = CTRL_W + 9 + GROUP_W;
    wire               issue;
//% if groups > 1
    reg  [GROUP_W-1:0] group_q;
    wire               group_last = &group_q;
//% else
    wire [GROUP_W-1:0] group_q    = {GROUP_W{1'b0}};
    wire               group_last = 1'b1;
//% end
    wire [ROW_W-1:0]   t_addr = {t_col${groups > 1 ? ", group_q" : ""}};
    reg  [LAST+2:0]    turn_q;                         // valid, from the cycle before A
    reg  [LAST+1:0]    take_q;                         // takes an element
    reg  [LAST+1:0]    window_q;                       // completes a window
    reg  [TURN_W*(LAST+2)-1:0] turns_q;

//% if groups > op_delay + 2
    assign issue = t_valid && (!t_take || in_valid) && (!t_result || room);
//% else
    // A read of the line buffer comes STEP + 3 cycles after the one whose result it needs.
    reg                collides;
    integer            n;

    always @* begin
        collides = 1'b0;
        for (n = 0; n < STEP + 2; n = n + 1) begin
            if (window_q[n] && turns_q[TURN_W*n+ADDR +: ROW_W] == t_addr) collides = t_window;
        end
    end

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

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            turn_q   <= {(LAST+3){1'b0}};
            take_q   <= {(LAST+2){1'b0}};
            window_q <= {(LAST+2){1'b0}};
        end else begin
            turn_q   <= {turn_q[LAST+1:0], issue};
            take_q   <= {take_q[LAST:0], in_take};
            window_q <= {window_q[LAST:0], issue && t_window};
        end
    end

    reg [BEAT-1:0] x_q;                                // elements, the cycle before A

    always @(posedge clk) begin
        x_q     <= in_data;
        turns_q <= {turns_q[TURN_W*(LAST+1)-1:0], t_addr, group_q, t_miss_w, t_before, t_sel,
                    group_last, t_last, t_miss_h, t_start, t_late, t_bank, t_first, t_write,
                    t_result};
    end

    // ------------------------------------------------------------------ A: along the line
    wire [LAST+2:0]       sums = turn_q & {(LAST+3){${mixed_fp ? "real_type && " : ""}average}};      // floating point
    wire [6:0]            p_hold, p_take;
    wire [7:0]            p_pick;
    wire [7*GROUP_W-1:0]  p_from, p_group;
    genvar                j;

    assign p_pick[0] = turns_q[TURN_W*(STEP+1)+SEL +: 3] == 3'd0;
    generate
        for (j = 0; j < 7; j = j + 1) begin : gen_step
            localparam BEGIN  = TURN_W * (SKEW*j + 1);
            localparam END    = TURN_W * (SKEW*j + STEP + 1);
            localparam STORED = j == 0 ? 1 : SKEW*(j-1) + STEP + 1;
            localparam [2:0] BEHIND = j, LESS = j + 1;

            assign p_hold[j]   = turns_q[BEGIN+BEFORE +: 3] <= BEHIND;
            assign p_from[GROUP_W*j +: GROUP_W]  = turns_q[BEGIN+GROUP +: GROUP_W];
            assign p_pick[j+1] = turns_q[END+SEL +: 3] == LESS;
            assign p_take[j]   = take_q[STORED];
            assign p_group[GROUP_W*j +: GROUP_W] = turns_q[TURN_W*STORED+GROUP +: GROUP_W];
        end
    endgenerate

    // ------------------------------------------------------------------ B: missing columns
    function [18:0] pad_of;            // what missing columns or lines add
        input [2:0] missing;
        case (missing)
            3'd0:    pad_of = 19'd0;
//% for n in pads
            3'd${n}:    pad_of = pad_${n};
//% end
        endcase
    endfunction

    wire [18:0] pad_w = pad_of(turns_q[TURN_W*B+MISS_W +: 3]) & {19{average}};
    reg  [21:0] b_pad_q;

    always @(posedge clk) begin
        b_pad_q <= split ? {pad_w[10:0], pad_w[10:0]} : {{3{pad_w[18]}}, pad_w};  //% if int8
        b_pad_q <= {{3{pad_w[18]}}, pad_w};  //% if !int8
    end

    // ------------------------------------------------------------------ C, D: along the column
    wire [CTRL_W-1:0] c_ctrl = turns_q[TURN_W*(C+1) +: CTRL_W];
    wire [CTRL_W-1:0] l_ctrl = turns_q[TURN_W*(LAST+1) +: CTRL_W];
    wire              c_group_last, c_start, c_late, c_result;
    wire [3:0]        c_last;
    wire [2:0]        c_miss_h, c_bank;
    wire [7:0]        c_first, c_write;
    wire [7:0]        l_write = l_ctrl[8:1] & {8{window_q[LAST+1]}};
    reg               d_start_q, d_late_q;

    assign {c_group_last, c_last, c_miss_h, c_start, c_late, c_bank, c_first, c_write, c_result}
        = c_ctrl;

    always @(posedge clk) begin
        d_start_q <= c_start;
        d_late_q  <= c_late;
    end

    // ------------------------------------------------------------------ E: missing rows
//% if integers
    reg signed [18:0] pad_h_q;                         // once per column
    reg        [21:0] e_pad_q;
    wire signed [4:0] columns = {1'b0, width} + 5'd1;

    always @(posedge clk) begin
        pad_h_q <= pad_of(l_ctrl[24:22]) & {19{average}};
        e_pad_q <= pad_h_q * columns;
    end

//% end
    localparam H = E - 4;                              // 4 cycles to the product
    wire [18:0] pad_real = pad_of(turns_q[TURN_W*(H+1)+22 +: 3]);
    reg  [16:0] pad17_q;
    reg  [16:0] columns17;
    wire [16:0] e_pad17;

    always @* begin
        case (width)
            3'd0:    columns17 = 17'h07c00;
            3'd1:    columns17 = 17'h08000;
            3'd2:    columns17 = 17'h08200;
            3'd3:    columns17 = 17'h08400;
            3'd4:    columns17 = 17'h08500;
            3'd5:    columns17 = 17'h08600;
            3'd6:    columns17 = 17'h08700;
            default: columns17 = 17'h08800;
        endcase
    end

    always @(posedge clk) pad17_q <= pad_real[16:0];

    fp_mul #(.E(6), .M(10)) u_pad (
        .clk(clk), .load(sums[H+4 -: 3]), .a(pad17_q), .b(columns17), .p_q(e_pad17)
    );

    // Word of a bank: ${col_w} bits of each lane.
    wire [${8 * col_w}*LANES-1:0] old_rows, new_rows;
    genvar bank, lane;

    generate
        for (bank = 0; bank < 8; bank = bank + 1) begin : gen_bank
            sram_1r1w #(.W(${col_w}*LANES), .DEPTH(16*GROUPS)) u_rows (
                .clk   (clk),
                .we    (l_write[bank]),
                .waddr (turns_q[TURN_W*(LAST+1)+ADDR +: ROW_W]),
                .wdata (new_rows[${col_w}*LANES*bank +: ${col_w}*LANES]),
                .re    (window_q[C-1]),
                .raddr (turns_q[TURN_W*(C-1)+ADDR +: ROW_W]),
                .rdata (old_rows[${col_w}*LANES*bank +: ${col_w}*LANES])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ results
    localparam STAGES = E + 13 - C;                    // of floating point
    reg  [STAGES-1:0]   valid_q;
    reg  [5*STAGES-1:0] tag_q;

//% if integers
    localparam SHORT = E + 4 - C;                      // of integers

    // Results of integers go no further: the next layer may be of floating point, whose results
    // leave later.
    wire [STAGES-1:0] stays = {{(STAGES-SHORT){real_type}}, {SHORT{1'b1}}};

//% end
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {STAGES{1'b0}};
        else        valid_q <= {valid_q[STAGES-2:0], window_q[C+1] && c_result}${mixed_fp ? " & stays" : ""};
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[5*STAGES-6:0], c_group_last, c_last};
    end

//% if integers
    assign out_valid                  = real_type ? valid_q[STAGES-1] : valid_q[SHORT-1];
    assign {out_group_last, out_last} = real_type ? tag_q[5*STAGES-1 -: 5] : tag_q[5*SHORT-1 -: 5];
//% else
    assign out_valid                  = valid_q[STAGES-1];
    assign {out_group_last, out_last} = tag_q[5*STAGES-1 -: 5];
//% end

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
                .split    (split),  //% if int8
                .real_type (real_type),  //% if integers
                .average  (average),
                .least    (least),
                .recip_w  (recip_w),
                .recip_h  (recip_h),
                .x_load   (sums[0]),
                .x        (x_q[16*lane +: 16]),
                .p_hold   (p_hold),
                .p_from   (p_from),
                .p_take   (p_take),
                .p_group  (p_group),
                .p_pick   (p_pick),
                .p_moves  (sums[6*SKEW+5:1]),
                .b_moves  (sums[B+5:B+1]),
                .b_pad    (b_pad_q),
                .c_moves  (sums[C+6:C+1]),
                .c_first  (c_first),
                .c_bank   (c_bank),
                .b_old    (lane_old),
                .c_new    (lane_new),
                .d_start  (d_start_q),
                .d_late   (d_late_q),
                .e_pad    (e_pad_q),  //% if integers
                .e_moves  (valid_q[E-C+11:E-C-1] & {13{average}}),
                .e_pad17  (e_pad17),
                .out      (out_data[16*lane +: 16])
            );
        end
    endgenerate

    wire unused_bits = &{1'b0, turns_q, turn_q, take_q, window_q, sums, c_miss_h, c_write, l_ctrl,
                         pad_real, p_from};

endmodule

`default_nettype wire
