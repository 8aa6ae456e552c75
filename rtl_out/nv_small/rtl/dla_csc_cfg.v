// Made by macrame 0.1.0 from templates/dla/csc/dla_csc_cfg.v
// with atomic_c=8 atoms_per_entry=1 cbuf_addr_w=14 cbuf_bank_w=5 image_enable=1 types16=0

// Configuration of CSC: the register file, and the fields of a layer in registers of their own, in
// the form in which the engines use them: nothing is decoded beside data and weights.
//
// Contract: while `load` is high the registers follow the group CONSUMER, one cycle later; then
// they hold the layer. Sizes are minus one unless said otherwise. Reset: of the register file.
`default_nettype none

module dla_csc_cfg (
    input  wire                       clk,
    input  wire                       rst_n,

    // configuration bus
    input  wire                       csb_valid,
    input  wire [9:0]                 csb_addr,           // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                csb_rdata,

    // layer
    input  wire                       load,
    output wire                       op_en,
    input  wire                       op_done,

    // its fields
    output reg                        data_reuse_q,
    output reg                        weight_reuse_q,
    output reg                        skip_data_rls_q,
    output reg                        skip_weight_rls_q,
    output reg  [12:0]                width_q,
    output reg  [12:0]                height_q,
    output reg  [12:0]                channel_q,
    output reg  [12:0]                kernel_q,
    output reg  [12:0]                out_width_q,
    output reg  [4:0]                 kernel_width_q,
    output reg  [4:0]                 kernel_height_q,
    output reg  [20:0]                positions_q,
    output reg  [12:0]                release_q,          // slices to release, not minus one
    output reg  [ 4:0]                data_bank_q,
    output reg  [ 4:0]                weight_bank_q,
    output reg  [7:0]                 pad_value_q,

    // what follows from them, nothing minus one
    output reg  [9:0]                 column_step_q,      // input columns from tap to tap
    output reg  [9:0]                 row_step_q,         // input rows from step to step
    output reg  [14:0]                block_step_q,       // entries of a block of a line
    output reg  [14:0]                per_slice_q,        // entries of a line
    output reg  [15:0]                x_step_q,           // from position to position
    output reg  [14:0]                y_step_q,
    output reg  [15:0]                origin_x_q,         // of the first position
    output reg  [14:0]                origin_y_q,
    output reg  [ 7:0]                tail_off_q,         // lanes that the last block does not have
    output reg                        image_q,
    output reg  [1:0]                 rows_code_q,        // kernel rows of a step - 1: 0, 1, 3
    output reg  [14:0]                weight_entries_q    // modulo
);

    localparam LANES  = 8;
    localparam LANE_W = 3;
    localparam CBUF_W = 14;
    localparam BANK_W = 5;
    localparam QUARTER = LANES / 4;      // lanes of one row of four

    wire        unused_consumer;                  // CSC has no interrupt
    wire        data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0] width, height, channel, kernel, out_width;
    wire [4:0]  kernel_width, kernel_height, dilation_x, dilation_y, pad_left, pad_top;
    wire [2:0]  stride_x, stride_y;
    wire [13:0] entries;
    wire [31:0] weight_bytes;
    wire [20:0] atomics;
    wire [11:0] release_slices;
    wire [15:0] pad_value;
    wire [4:0]  data_bank, weight_bank;
    wire        image;
    wire [12:0] components_field;
    wire [1:0]  components = components_field[1:0];   // of a pixel, minus one
    wire [1:0]  extension;
    wire [1:0]  rows_code = image ? {extension[1], |extension} : 2'd0;

    dla_csc_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (csb_rdata),
        .op_en                                  (op_en),
        .op_done                                (op_done),
        .consumer                               (unused_consumer),
        .d_datain_format                        (image),
        .d_datain_size_ext_1_datain_channel_ext (components_field),
        .d_post_y_extension                     (extension),
        .d_misc_cfg_data_reuse                  (data_reuse),
        .d_misc_cfg_weight_reuse                (weight_reuse),
        .d_misc_cfg_skip_data_rls               (skip_data_rls),
        .d_misc_cfg_skip_weight_rls             (skip_weight_rls),
        .d_datain_size_ext_0_datain_width_ext   (width),
        .d_datain_size_ext_0_datain_height_ext  (height),
        .d_entry_per_slice_entries              (entries),
        .d_weight_size_ext_0_weight_width_ext   (kernel_width),
        .d_weight_size_ext_0_weight_height_ext  (kernel_height),
        .d_weight_size_ext_1_weight_channel_ext (channel),
        .d_weight_size_ext_1_weight_kernel      (kernel),
        .d_weight_bytes                         (weight_bytes),
        .d_dataout_size_0_dataout_width         (out_width),
        .d_atomics                              (atomics),
        .d_release_rls_slices                   (release_slices),
        .d_conv_stride_ext_conv_x_stride_ext    (stride_x),
        .d_conv_stride_ext_conv_y_stride_ext    (stride_y),
        .d_dilation_ext_x_dilation_ext          (dilation_x),
        .d_dilation_ext_y_dilation_ext          (dilation_y),
        .d_zero_padding_pad_left                (pad_left),
        .d_zero_padding_pad_top                 (pad_top),
        .d_zero_padding_value_pad_value         (pad_value),
        .d_bank_data_bank                       (data_bank),
        .d_bank_weight_bank                     (weight_bank)
    );

    wire [LANES-1:0]  lanes_off = {{(LANES-1){1'b1}}, 1'b0} << channel[LANE_W-1:0];
    wire [31:0]       block     = {19'd0, width} + 32'd1;
    wire [32-LANE_W-1:0] whole  = weight_bytes[31:LANE_W] +
                                  {{(31-LANE_W){1'b0}}, |weight_bytes[LANE_W-1:0]};
    // An image counts x in bytes of the stored line, its blocks are entries, its rows share lanes.
    wire [5:0] stride = {3'd0, stride_x} + 6'd1;
    wire [5:0] x_step = !image || !components[1] ? stride :
                        components[0] ? stride << 2 : stride + (stride << 1);

    always @(posedge clk) begin
        if (load) begin
            data_reuse_q      <= data_reuse;
            weight_reuse_q    <= weight_reuse;
            skip_data_rls_q   <= skip_data_rls;
            skip_weight_rls_q <= skip_weight_rls;
            width_q           <= width;
            height_q          <= height;
            channel_q         <= channel;
            kernel_q          <= kernel;
            out_width_q       <= out_width;
            kernel_width_q    <= kernel_width;
            kernel_height_q   <= kernel_height;
            positions_q       <= atomics;
            release_q         <= {1'b0, release_slices} + 13'd1;
            data_bank_q       <= data_bank[BANK_W-1:0];
            weight_bank_q     <= weight_bank[BANK_W-1:0];
            pad_value_q       <= pad_value[7:0];
            column_step_q     <= {5'd0, dilation_x} + 10'd1;
            per_slice_q       <= {1'b0, entries} + 15'd1;
            y_step_q          <= {12'd0, stride_y} + 15'd1;
            origin_y_q        <= -{10'd0, pad_top};
            weight_entries_q  <= whole[CBUF_W:0];
            image_q           <= image;
            rows_code_q       <= rows_code;
            row_step_q        <= image ? {7'd0, rows_code[1], rows_code == 2'd1, rows_code == 2'd0}
                                       : {5'd0, dilation_y} + 10'd1;
            block_step_q      <= image ? {{CBUF_W{1'b0}}, 1'b1} : block[CBUF_W:0];
            x_step_q          <= {10'd0, x_step};
            origin_x_q        <= image ? 16'd0 : -{11'd0, pad_left};
            tail_off_q        <= rows_code[1] ? {4{lanes_off[QUARTER-1:0]}} :
                                 rows_code[0] ? {2{lanes_off[2*QUARTER-1:0]}} : lanes_off;
        end
    end

    // Fields are wider than this configuration needs; a layer may have more weights than CBUF.
    wire unused_components = &{1'b0, components_field[12:2]};
    wire unused_bits = &{1'b0, data_bank, weight_bank, pad_value[15:8], block, whole};

endmodule

`default_nettype wire
