// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp_data.v
// with col_w=14 e_pad_w=14 fp16=0 group_msb=2 groups=8 int8=1 lane_w=8 mixed_fp=0 pad_w=14
// pdp_lanes=1 pdp_latency=10 pdp_throughput=1 types16=0

// The datapath of PDP: goes through the turns, one group of elements per cycle.
//
//     x -> A, S windows along the line -> B pad -> C, D line buffer -> E pad -> F..I scaling
//
// Contract: nothing stalls a group on its way, 10 cycles from in_take to out_valid. A turn goes in
// as long as its elements are there and, if it has a result, there is room for an atom of them,
// which is reserved with its last group. Reset: empty.
`default_nettype none

module dla_pdp_data (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         en,                            // 0: there is nothing here

    // layer
    input  wire         average,                       // else maximum or minimum
    input  wire         compare,                       // maximum or minimum, for the adders
    input  wire         least,                         // minimum
    input  wire [16:0]  recip_w,                       // 1.0 = 0x10000
    input  wire [16:0]  recip_h,
    input  wire [2:0]   width,                         // of the window, less 1
    input  wire [13:0]  pad_1,                         // what 1 missing columns or lines add
    input  wire [13:0]  pad_2,                         // what 2 missing columns or lines add
    input  wire [13:0]  pad_3,                         // what 3 missing columns or lines add
    input  wire [13:0]  pad_4,                         // what 4 missing columns or lines add
    input  wire [13:0]  pad_5,                         // what 5 missing columns or lines add
    input  wire [13:0]  pad_6,                         // what 6 missing columns or lines add
    input  wire [13:0]  pad_7,                         // what 7 missing columns or lines add

    // turns
    input  wire         t_valid,
    output wire         t_pop,
    input  wire         t_take,
    input  wire         t_window,
    input  wire [2:0]   t_before,
    input  wire [2:0]   t_sel,
    input  wire [2:0]   t_miss_w,
    input  wire [2:0]   t_miss_h,
    input  wire [3:0]   t_col,
    input  wire [7:0]   t_write,
    input  wire [7:0]   t_first,
    input  wire [2:0]   t_bank,
    input  wire         t_start,
    input  wire         t_late,
    input  wire         t_result,
    input  wire [3:0]   t_last,

    // elements
    input  wire         in_valid,
    output wire         in_take,
    input  wire [  7:0] in_data,

    // results
    input  wire         room,
    output wire         reserve,
    output wire         out_valid,
    output wire [  7:0] out_data,
    output wire         out_group_last,                // of the atom
    output wire [3:0]   out_last
);

    localparam LANES   = 1;
    localparam BEAT    = 8;
    localparam GROUPS  = 8;               // beats of an atom
    localparam GROUP_W = 3;
    localparam ROW_W   = 7;               // address bits of a bank

    // ------------------------------------------------------------------ issue
    // A turn takes a cycle for each group of elements of an atom.
    wire               issue;
    reg  [GROUP_W-1:0] group_q;
    wire               group_last = &group_q;
    wire [ROW_W-1:0]   t_addr = {t_col, group_q};
    reg                a_valid_q, s_valid_q, b_valid_q, c_valid_q;
    reg  [ROW_W-1:0]   a_addr_q, s_addr_q, b_addr_q, c_addr_q;
    assign issue = t_valid && (!t_take || in_valid) && (!t_result || room);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     group_q <= {GROUP_W{1'b0}};
        else if (issue) group_q <= group_q + {{(GROUP_W-1){1'b0}}, 1'b1};
    end

    assign in_take   = issue && t_take;
    assign t_pop     = issue && group_last;
    assign reserve   = t_pop && t_result;

    // ------------------------------------------------------------------ A, S, B: along the line
    localparam CTRL_W = 30;
    reg               a_take_q;
    reg [GROUP_W-1:0] a_group_q;
    reg [BEAT-1:0]    a_x_q;
    reg [BEAT-1:0]    a_add_q;         // complement for maximum and minimum
    reg [2:0]         a_before_q, a_sel_q, a_miss_w_q, s_miss_w_q;
    reg [CTRL_W-1:0]  a_ctrl_q, s_ctrl_q, b_ctrl_q, c_ctrl_q;
    reg [10:0]        b_pad_q;

    function [13:0] pad_of;            // what missing columns add, low bits
        input [2:0] missing;
        case (missing)
            3'd0:    pad_of = 14'd0;
            3'd1:    pad_of = pad_1;
            3'd2:    pad_of = pad_2;
            3'd3:    pad_of = pad_3;
            3'd4:    pad_of = pad_4;
            3'd5:    pad_of = pad_5;
            3'd6:    pad_of = pad_6;
            3'd7:    pad_of = pad_7;
        endcase
    endfunction

    wire [13:0] pad_w = pad_of(s_miss_w_q) & {14{average}};

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
        a_add_q    <= in_data ^ {BEAT{compare}};
        a_before_q <= t_before;
        a_sel_q    <= t_sel;
        a_addr_q   <= t_addr;
        a_miss_w_q <= t_miss_w;
        a_ctrl_q   <= {group_last, t_last, t_miss_h, t_start, t_late, t_bank, t_first,
                       t_write, t_result};
        s_miss_w_q <= a_miss_w_q;
        b_pad_q    <= pad_w[10:0];
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
    reg signed [13:0] d_pad_q;                         // for missing rows, once per column
    reg [13:0]        e_pad_q;
    wire signed [4:0] columns = {1'b0, width} + 5'd1;

    assign {c_group_last, c_last, c_miss_h, c_start, c_late, c_bank, c_first, c_write, c_result}
        = c_ctrl_q;

    always @(posedge clk) begin
        d_start_q <= c_start;
        d_late_q  <= c_late;
        d_pad_q   <= pad_of(c_miss_h) & {14{average}};
        e_pad_q   <= d_pad_q * columns;
    end

    // Word of a bank: 14 bits of each lane.
    wire [112*LANES-1:0] old_rows, new_rows;
    genvar bank, lane;

    generate
        for (bank = 0; bank < 8; bank = bank + 1) begin : gen_bank
            sram_1r1w #(.W(14*LANES), .DEPTH(16*GROUPS)) u_rows (
                .clk   (clk),
                .we    (c_write[bank]),
                .waddr (c_addr_q),
                .wdata (new_rows[14*LANES*bank +: 14*LANES]),
                .re    (s_valid_q),
                .raddr (s_addr_q),
                .rdata (old_rows[14*LANES*bank +: 14*LANES])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ lanes
    generate
        for (lane = 0; lane < LANES; lane = lane + 1) begin : gen_lane
            wire [111:0] lane_old, lane_new;

            for (bank = 0; bank < 8; bank = bank + 1) begin : gen_word
                assign lane_old[14*bank +: 14] = old_rows[14*(LANES*bank + lane) +: 14];
                assign new_rows[14*(LANES*bank + lane) +: 14] = lane_new[14*bank +: 14];
            end

            dla_pdp_lane u_lane (
                .clk      (clk),
                .en       (en),
                .average  (average),
                .compare  (compare),
                .least    (least),
                .recip_w  (recip_w),
                .recip_h  (recip_h),
                .a_take   (a_take_q),
                .a_group  (a_group_q),
                .a_x      (a_x_q[8*lane +: 8]),
                .a_add    (a_add_q[8*lane +: 8]),
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
                .out      (out_data[8*lane +: 8])
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

    // Windows along the line have fewer bits.
    wire unused_bits = &{1'b0, pad_w[13:11]};

endmodule

`default_nettype wire
