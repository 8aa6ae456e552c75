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
    output reg  ${types.winograd ? "[16:0]" : "[12:0]"}                channel_q,${types.winograd ? "          // of a tile: 16 times as many" : ""}
    output reg  [12:0]                kernel_q,
    output reg  [12:0]                out_width_q,
    output reg  [4:0]                 kernel_width_q,
    output reg  [4:0]                 kernel_height_q,
    output reg  [${20 + 5 * types.batch}:0]                positions_q,
    output reg  [12:0]                release_q,          // slices to release, not minus one
    output reg  [${cbuf_bank_w - 1:2}:0]                data_bank_q,
    output reg  [${cbuf_bank_w - 1:2}:0]                weight_bank_q,
    output reg  ${types16 ? "[15:0]" : "[7:0] "}                pad_value_q,
    output reg                        int8_q,             // else elements of 16 bits  //% if types.mix
    output reg                        winograd_q,  //% if types.winograd
    output reg                        fp_q,  //% if types.fp_and_int
    output reg  [1:0]                 truncate_q,  //% if types.winograd && types.integers
    output reg  [4:0]                 batches_q,  //% if types.beats
    output reg  [2:0]                 batch_w_q,          // log2, rounded up  //% if types.beats
    output reg  [12:0]                slices_q,  //% if types.batch
    output reg  [14:0]                per_line_q,         // entries, not minus one  //% if types.batch

    // what follows from them, nothing minus one
    output reg  [9:0]                 column_step_q,      // input columns from tap to tap
    output reg  [9:0]                 row_step_q,         // input rows from step to step
    output reg  [${cbuf_addr_w:2}:0]                block_step_q,       // entries of a block of a line
    output reg  [14:0]                per_slice_q,        // entries of a line
    output reg  [${15 + image_enable + types.x_more - 1:2}:0]                x_step_q,           // from position to position
    output reg  [14:0]                y_step_q,
    output reg  [${15 + image_enable + types.x_more - 1:2}:0]                origin_x_q,         // of the first position
    output reg  [14:0]                origin_y_q,
    output reg  [${atomic_c - 1:2}:0]                tail_off_q,         // lanes that the last block does not have
//% if atoms_per_entry > 1
    output reg                        by_2_q,             // positions in an entry of the last block
    output reg                        by_4_q,
//% end
//% if image_enable
    output reg                        image_q,
    output reg  [1:0]                 rows_code_q,        // kernel rows of a step - 1: 0, 1, 3
//% end
    output reg                        compressed_q,  //% if types.sparsity_masks
    output reg  [${cbuf_addr_w:2}:0]                mask_entries_q,  //% if types.sparsity_masks
    output reg  [${cbuf_addr_w:2}:0]                weight_entries_q    // modulo
);

//% let byte_w = types16 ? "BYTE_W" : "LANE_W"
    localparam LANES  = ${atomic_c};
    localparam LANE_W = ${clog2(atomic_c)};
    localparam BYTE_W = ${clog2(entry_bytes)};           // a byte of an entry  //% if types16
    localparam CBUF_W = ${cbuf_addr_w};
    localparam BANK_W = ${cbuf_bank_w};
    localparam QUARTER = LANES / 4;      // lanes of one row of four  //% if image_enable

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
    wire [1:0]  precision;  //% if types.mix
    wire        int8 = precision == 2'd0;  //% if types.mix
//% if types.winograd
    wire        winograd;
    wire [1:0]  truncate;
    wire [1:0]  precision;  //% if types.fp_and_int && !types.mix
    wire        unused_precision = precision[0];  //% if types.fp_and_int && !types.mix
    // A tile is a kernel tap of 16 times as many channels.
    wire [16:0] depth = winograd ? {channel[12:2], 6'h3f} : {4'd0, channel};
    wire        unused_truncate = &{1'b0, truncate};  //% if !types.integers
//% end
//% if types.batch
    wire [4:0]  batches;
    wire [5:0]  inputs  = {1'b0, batches} + 6'd1;
    wire [2:0]  batch_w = batches[4] ? 3'd5 : batches[3] ? 3'd4 : batches[2] ? 3'd3 :
                          batches[1] ? 3'd2 : {2'd0, batches[0]};
    wire [18:0] slices  = ({6'd0, height} + 19'd1) * inputs;
    wire [17:0] freed   = ({6'd0, release_slices} + 18'd1) * inputs;
    wire [20:0] line_entries = ({7'd0, entries} + 21'd1) * inputs;
    wire        unused_products = &{1'b0, slices, freed, line_entries};
//% end
//% if types.sparsity_masks
    wire        compressed;
    wire [27:0] wmb_bytes;
    wire [28-BYTE_W-1:0] mask_entries = wmb_bytes[27:BYTE_W] +
                                  {{(27-BYTE_W){1'b0}}, |wmb_bytes[BYTE_W-1:0]};
    wire        unused_masks = &{1'b0, mask_entries};
//% end
//% if image_enable
    wire        image;
    wire [12:0] components_field;
    wire [1:0]  components = components_field[1:0];   // of a pixel, minus one
    wire [1:0]  extension;
    wire [1:0]  rows_code = image ? {extension[1], |extension} : 2'd0;
//% end

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
        .d_misc_cfg_proc_precision              (precision),  //% if types.mix || types.fp_and_int
        .d_misc_cfg_conv_mode                   (winograd),  //% if types.winograd
        .d_pra_cfg_pra_truncate                 (truncate),  //% if types.winograd
        .d_batch_number_batches                 (batches),  //% if types.batch
        .d_weight_format                        (compressed),  //% if types.sparsity_masks
        .d_wmb_bytes                            (wmb_bytes),  //% if types.sparsity_masks
//% if image_enable
        .d_datain_format                        (image),
        .d_datain_size_ext_1_datain_channel_ext (components_field),
        .d_post_y_extension                     (extension),
//% end
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

//% let depth = types.winograd ? "depth" : "channel"
    wire [LANES-1:0]  lanes_off = {{(LANES-1){1'b1}}, 1'b0} << ${depth}[LANE_W-1:0];
    wire [31:0]       block     = ${types.winograd ? "(winograd ? {21'd0, width[12:2]} : {19'd0, width})" : "{19'd0, width}"} + 32'd1;
    wire [32-${byte_w}-1:0] whole  = weight_bytes[31:${byte_w}] +
                                  {{(31-${byte_w}){1'b0}}, |weight_bytes[${byte_w}-1:0]};
    // Last byte of a pixel, the place of its atom in an entry.  //% if types16 && atoms_per_entry > 1
    wire [13:0]       last_byte = ${types.mix ? "int8 ? {1'b0, channel} : " : ""}{channel, 1'b1};  //% if types16 && atoms_per_entry > 1
//% if image_enable
    // An image counts x in bytes of the stored line, its blocks are entries, its rows share lanes.
    wire [5:0] stride = {3'd0, stride_x} + 6'd1;
    wire [5:0] x_step = !image || !components[1] ? stride :
                        components[0] ? stride << 2 : stride + (stride << 1);
    wire [6:0] x_bytes = image${types.mix ? " && !int8" : ""} ? {x_step, 1'b0} : {1'b0, x_step};  //% if types16 && image_enable
//% end

    always @(posedge clk) begin
        if (load) begin
            data_reuse_q      <= data_reuse;
            weight_reuse_q    <= weight_reuse;
            skip_data_rls_q   <= skip_data_rls;
            skip_weight_rls_q <= skip_weight_rls;
            width_q           <= width;
            height_q          <= height;
            batches_q         <= batches;  //% if types.batch && !types.winograd
            batches_q         <= winograd ? 5'd3 : batches;  //% if types.batch && types.winograd
            batches_q         <= {3'd0, {2{winograd}}};  //% if types.winograd && !types.batch
            batch_w_q         <= batch_w;  //% if types.batch && !types.winograd
            batch_w_q         <= winograd ? 3'd4 : batch_w;   // quarters of tiles  //% if types.batch && types.winograd
            batch_w_q         <= {winograd, 2'd0};            // quarters of tiles  //% if types.winograd && !types.batch
            slices_q          <= slices[12:0] - 13'd1;  //% if types.batch
            per_line_q        <= line_entries[14:0];  //% if types.batch
            compressed_q      <= compressed;  //% if types.sparsity_masks
            mask_entries_q    <= mask_entries[CBUF_W:0] & {(CBUF_W+1){compressed}};  //% if types.sparsity_masks
            channel_q         <= ${depth};
            kernel_q          <= kernel;
            out_width_q       <= ${types.winograd ? "winograd ? {2'd0, out_width[12:2]} : " : ""}out_width;
            kernel_width_q    <= kernel_width${types.winograd ? " & {5{!winograd}}" : ""};
            kernel_height_q   <= kernel_height${types.winograd ? " & {5{!winograd}}" : ""};
//% if types.batch
            positions_q       <= ({5'd0, atomics} << batch_w) | ~({26{1'b1}} << batch_w);
            release_q         <= freed[12:0];
//% else
            positions_q       <= atomics;
            release_q         <= {1'b0, release_slices} + 13'd1;
//% end
            data_bank_q       <= data_bank[BANK_W-1:0];
            weight_bank_q     <= weight_bank[BANK_W-1:0];
            pad_value_q       <= int8 ? {{8{pad_value[7]}}, pad_value[7:0]} : pad_value;  //% if types.mix
            pad_value_q       <= pad_value;  //% if types16 && !types.mix
            pad_value_q       <= pad_value[7:0];  //% if !types16
            int8_q            <= int8;  //% if types.mix
            winograd_q        <= winograd;  //% if types.winograd
            fp_q              <= precision[1];  //% if types.fp_and_int
            truncate_q        <= truncate;  //% if types.winograd && types.integers
            column_step_q     <= {5'd0, dilation_x} + 10'd1;
            per_slice_q       <= {1'b0, entries} + 15'd1;
            y_step_q          <= ${types.winograd ? "winograd ? 15'd4 : " : ""}{12'd0, stride_y} + 15'd1;
            origin_y_q        <= -{10'd0, pad_top};
            weight_entries_q  <= whole[CBUF_W:0];
//% let last_byte = types16 ? "last_byte" : "channel"
//% if atoms_per_entry == 2
            by_2_q            <= !${last_byte}[${clog2(atom_bytes)}]${types.winograd ? " && !winograd" : ""};
            by_4_q            <= 1'b0;
//% elif atoms_per_entry == 4
            by_2_q            <= ${last_byte}[${clog2(atom_bytes) + 1}:${clog2(atom_bytes)}] == 2'd1${types.winograd ? " && !winograd" : ""};
            by_4_q            <= ${last_byte}[${clog2(atom_bytes) + 1}:${clog2(atom_bytes)}] == 2'd0${types.winograd ? " && !winograd" : ""};
//% end
//% if image_enable
            image_q           <= image;
            rows_code_q       <= rows_code;
            row_step_q        <= image ? {7'd0, rows_code[1], rows_code == 2'd1, rows_code == 2'd0}
                                       : {5'd0, dilation_y} + 10'd1;
            block_step_q      <= image ? {{CBUF_W{1'b0}}, 1'b1} : block[CBUF_W:0];
            x_step_q          <= {10'd0, ${types16 ? "x_bytes" : "x_step"}};
            origin_x_q        <= image ? ${16 + types.x_more}'d0 : -{${11 + types.x_more}'d0, pad_left};
            tail_off_q        <= rows_code[1] ? {4{lanes_off[QUARTER-1:0]}} :
                                 rows_code[0] ? {2{lanes_off[2*QUARTER-1:0]}} : lanes_off;
//% else
            row_step_q        <= {5'd0, dilation_y} + 10'd1;
            block_step_q      <= block[CBUF_W:0];
            x_step_q          <= {12'd0, stride_x} + 15'd1;
            origin_x_q        <= -{10'd0, pad_left};
            tail_off_q        <= lanes_off;
//% end
        end
    end

    // Fields are wider than this configuration needs; a layer may have more weights than CBUF.
    wire unused_components = &{1'b0, components_field[12:2]};  //% if image_enable
    wire unused_bits = &{1'b0, data_bank, weight_bank, pad_value[15:8], block, whole};  //% if !types16
    wire unused_bits = &{1'b0, data_bank, weight_bank, ${atoms_per_entry > 1 ? "last_byte, " : ""}block, whole};  //% if types16

endmodule

`default_nettype wire
