// The library cells under test side by side, each at the sizes that the units use.
`default_nettype none

module lib_dut (
    input  wire               clk,
    input  wire               rd_clk,      // second clock of fifo_async
    input  wire               rst_n,
    // round_shift_pipe and mult_pipe, fed by the same words
    input  wire signed [48:0] rs_in,
    input  wire        [5:0]  rs_shift,
    input  wire               pipe_valid,
    input  wire               pipe_wrap,
    output reg                pipe_out_valid,
    output wire signed [16:0] rsp0_out,    // 34 by 6 to 17
    output wire               rsp0_sat,
    output wire signed [31:0] rsp1_out,    // 49 by 6 to 32
    output wire               rsp1_sat,
    output wire signed [7:0]  rsp2_out,    // 17 by 5 to 8
    output wire               rsp2_sat,
    output wire signed [48:0] product,     // 33 x 16
    // fifo_sync of 2, 5, 16 words, skid_buffer, fifo_async, fifo_ram: six links
    input  wire [5:0]         in_valid,
    output wire [5:0]         in_ready,
    input  wire [95:0]        in_data,
    output wire [5:0]         out_valid,
    input  wire [5:0]         out_ready,
    output wire [95:0]        out_data,
    // arb_wrr
    input  wire [4:0]         req,
    input  wire [19:0]        weight,      // 4 bits each
    input  wire               advance,
    output wire [4:0]         grant,
    // sram_1r1w and sram_dist_1r1w
    input  wire               we,
    input  wire [4:0]         waddr,
    input  wire [15:0]        wdata,
    input  wire               re,
    input  wire [4:0]         raddr,
    output wire [15:0]        block_rdata,
    output wire [15:0]        dist_rdata,
    // clkgate, reset_sync and power_on_reset
    input  wire               en,
    input  wire               test_en,
    output reg  [7:0]         gated_count, // rising edges of the gated clock
    output wire               synced_rst_n,
    input  wire               core_rst_n,  // of power_on_reset
    output wire               por_n
);

    reg        pipe_half;
    wire [1:0] pipe_load = {pipe_half, pipe_valid};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) {pipe_out_valid, pipe_half} <= 2'd0;
        else        {pipe_out_valid, pipe_half} <= pipe_load;
    end

    round_shift_pipe #(.IN_W(34), .SHIFT_W(6), .OUT_W(17)) u_rsp0 (
        .clk(clk), .load(pipe_load), .in(rs_in[33:0]), .shift(rs_shift), .wrap(pipe_wrap),
        .out_q(rsp0_out), .sat_q(rsp0_sat));
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_rsp1 (
        .clk(clk), .load(pipe_load), .in(rs_in[48:0]), .shift(rs_shift), .wrap(pipe_wrap),
        .out_q(rsp1_out), .sat_q(rsp1_sat));
    round_shift_pipe #(.IN_W(17), .SHIFT_W(5), .OUT_W(8)) u_rsp2 (
        .clk(clk), .load(pipe_load), .in(rs_in[16:0]), .shift(rs_shift[4:0]), .wrap(pipe_wrap),
        .out_q(rsp2_out), .sat_q(rsp2_sat));
    mult_pipe #(.A_W(33), .B_W(16)) u_product (
        .clk(clk), .load(pipe_load), .a(rs_in[32:0]), .b(rs_in[48:33]), .p_q(product));

    fifo_sync #(.W(16), .DEPTH(2)) u_fifo2 (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid[0]), .in_ready(in_ready[0]), .in_data(in_data[15:0]),
        .out_valid(out_valid[0]), .out_ready(out_ready[0]), .out_data(out_data[15:0]));
    fifo_sync #(.W(16), .DEPTH(5)) u_fifo5 (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid[1]), .in_ready(in_ready[1]), .in_data(in_data[31:16]),
        .out_valid(out_valid[1]), .out_ready(out_ready[1]), .out_data(out_data[31:16]));
    fifo_sync #(.W(16), .DEPTH(16)) u_fifo16 (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid[2]), .in_ready(in_ready[2]), .in_data(in_data[47:32]),
        .out_valid(out_valid[2]), .out_ready(out_ready[2]), .out_data(out_data[47:32]));
    skid_buffer #(.W(16)) u_skid (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid[3]), .in_ready(in_ready[3]), .in_data(in_data[63:48]),
        .out_valid(out_valid[3]), .out_ready(out_ready[3]), .out_data(out_data[63:48]));
    fifo_async #(.W(16), .DEPTH(8)) u_async (
        .wr_clk(clk), .wr_rst_n(rst_n),
        .in_valid(in_valid[4]), .in_ready(in_ready[4]), .in_data(in_data[79:64]),
        .rd_clk(rd_clk), .rd_rst_n(rst_n),
        .out_valid(out_valid[4]), .out_ready(out_ready[4]), .out_data(out_data[79:64]));
    fifo_ram #(.W(16), .DEPTH(8)) u_ram_fifo (
        .clk(clk), .rst_n(rst_n),
        .in_valid(in_valid[5]), .in_ready(in_ready[5]), .in_data(in_data[95:80]),
        .out_valid(out_valid[5]), .out_ready(out_ready[5]), .out_data(out_data[95:80]));

    arb_wrr #(.N(5), .WEIGHT_W(4)) u_arb (
        .clk(clk), .rst_n(rst_n), .req(req), .weight(weight), .advance(advance), .grant(grant));

    sram_1r1w #(.W(16), .DEPTH(32)) u_block (
        .clk(clk), .we(we), .waddr(waddr), .wdata(wdata), .re(re), .raddr(raddr),
        .rdata(block_rdata));
    sram_dist_1r1w #(.W(16), .DEPTH(32)) u_dist (
        .clk(clk), .we(we), .waddr(waddr), .wdata(wdata), .raddr(raddr), .rdata(dist_rdata));

    wire gclk;
    clkgate u_gate (.clk(clk), .en(en), .test_en(test_en), .gclk(gclk));
    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) gated_count <= 8'd0;
        else        gated_count <= gated_count + 8'd1;
    end

    reset_sync u_reset (.clk(clk), .arst_n(rst_n), .rst_n(synced_rst_n));
    power_on_reset u_power_on (.clk(clk), .rst_n(core_rst_n), .por_n(por_n));

endmodule

`default_nettype wire
