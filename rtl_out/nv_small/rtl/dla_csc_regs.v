// Made by macrame 0.1.0 from the register table of CSC

// Register file of CSC, convolution sequencer: reads CBUF, feeds the MAC array.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 64 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_csc_regs (
    input  wire        clk,
    input  wire        rst_n,
    // CSB
    input  wire        csb_valid,
    input  wire [9:0]  csb_addr,                 // word offset in the page
    input  wire [31:0] csb_wdata,
    input  wire        csb_write,
    output reg  [31:0] csb_rdata,                // 0 when there is no answer
    // Layer hand-over
    output wire        op_en,                    // OP_EN of the CONSUMER group
    input  wire        op_done,                  // pulse in the last cycle of a layer
    output wire        consumer,                 // group of the running layer
    // D_MISC_CFG
    // keep feature data left in CBUF by the previous layer (fetch only what is missing)
    output wire        d_misc_cfg_data_reuse,
    // keep weights left in CBUF by the previous layer (skip weight fetch)
    output wire        d_misc_cfg_weight_reuse,
    output wire        d_misc_cfg_skip_data_rls, // do not free feature slices at layer end
    output wire        d_misc_cfg_skip_weight_rls, // do not free weights at layer end
    // D_DATAIN_FORMAT
    output wire        d_datain_format,          // feature cube or image pixels
    // D_DATAIN_SIZE_EXT_0
    output wire [12:0] d_datain_size_ext_0_datain_width_ext, // input width as CSC sees it, minus 1
    // input height as CSC sees it (incl. reused slices), minus 1
    output wire [12:0] d_datain_size_ext_0_datain_height_ext,
    // D_DATAIN_SIZE_EXT_1
    // input channels as CSC sees it (extended), minus 1
    output wire [12:0] d_datain_size_ext_1_datain_channel_ext,
    // D_POST_Y_EXTENSION
    // image post-extension: lines merged = 2^value (0..2)
    output wire [1:0]  d_post_y_extension,
    // D_ENTRY_PER_SLICE
    output wire [13:0] d_entry_per_slice_entries, // CBUF entries per input slice, minus 1
    // D_WEIGHT_SIZE_EXT_0
    output wire [4:0]  d_weight_size_ext_0_weight_width_ext, // kernel width as CSC sees it, minus 1
    // kernel height as CSC sees it, minus 1
    output wire [4:0]  d_weight_size_ext_0_weight_height_ext,
    // D_WEIGHT_SIZE_EXT_1
    // kernel channels as CSC sees it, minus 1
    output wire [12:0] d_weight_size_ext_1_weight_channel_ext,
    output wire [12:0] d_weight_size_ext_1_weight_kernel, // kernel count minus 1
    // D_WEIGHT_BYTES
    // total weight bytes (uncompressed count; multiple of 128 in v1)
    output wire [31:0] d_weight_bytes,
    // D_DATAOUT_SIZE_0
    output wire [12:0] d_dataout_size_0_dataout_width, // output width minus 1
    // D_ATOMICS
    // output width times height, minus 1 (stripe planning)
    output wire [20:0] d_atomics,
    // D_RELEASE
    output wire [11:0] d_release_rls_slices,     // input slices freed at layer end, minus 1
    // D_CONV_STRIDE_EXT
    // horizontal stride seen by CSC, minus 1
    output wire [2:0]  d_conv_stride_ext_conv_x_stride_ext,
    output wire [2:0]  d_conv_stride_ext_conv_y_stride_ext, // vertical stride seen by CSC, minus 1
    // D_DILATION_EXT
    output wire [4:0]  d_dilation_ext_x_dilation_ext, // horizontal dilation minus 1
    output wire [4:0]  d_dilation_ext_y_dilation_ext, // vertical dilation minus 1
    // D_ZERO_PADDING
    output wire [4:0]  d_zero_padding_pad_left,  // left padding in elements
    output wire [4:0]  d_zero_padding_pad_top,   // top padding in lines
    // D_ZERO_PADDING_VALUE
    // padding value applied as is, signed; low byte for int8
    output wire [15:0] d_zero_padding_value_pad_value,
    // D_BANK
    output wire [4:0]  d_bank_data_bank,         // CBUF banks for input data, minus 1
    output wire [4:0]  d_bank_weight_bank        // CBUF banks for weights, minus 1
);

    // Word offsets of the registers.
    localparam [4:0]  S_STATUS             = 5'h00;
    localparam [4:0]  S_POINTER            = 5'h01;
    localparam [4:0]  D_OP_ENABLE          = 5'h02;
    localparam [4:0]  D_MISC_CFG           = 5'h03;
    localparam [4:0]  D_DATAIN_FORMAT      = 5'h04;
    localparam [4:0]  D_DATAIN_SIZE_EXT_0  = 5'h05;
    localparam [4:0]  D_DATAIN_SIZE_EXT_1  = 5'h06;
    localparam [4:0]  D_BATCH_NUMBER       = 5'h07;
    localparam [4:0]  D_POST_Y_EXTENSION   = 5'h08;
    localparam [4:0]  D_ENTRY_PER_SLICE    = 5'h09;
    localparam [4:0]  D_WEIGHT_FORMAT      = 5'h0a;
    localparam [4:0]  D_WEIGHT_SIZE_EXT_0  = 5'h0b;
    localparam [4:0]  D_WEIGHT_SIZE_EXT_1  = 5'h0c;
    localparam [4:0]  D_WEIGHT_BYTES       = 5'h0d;
    localparam [4:0]  D_WMB_BYTES          = 5'h0e;
    localparam [4:0]  D_DATAOUT_SIZE_0     = 5'h0f;
    localparam [4:0]  D_DATAOUT_SIZE_1     = 5'h10;
    localparam [4:0]  D_ATOMICS            = 5'h11;
    localparam [4:0]  D_RELEASE            = 5'h12;
    localparam [4:0]  D_CONV_STRIDE_EXT    = 5'h13;
    localparam [4:0]  D_DILATION_EXT       = 5'h14;
    localparam [4:0]  D_ZERO_PADDING       = 5'h15;
    localparam [4:0]  D_ZERO_PADDING_VALUE = 5'h16;
    localparam [4:0]  D_BANK               = 5'h17;
    localparam [4:0]  D_PRA_CFG            = 5'h18;
    localparam [4:0]  D_CYA                = 5'h19;

    wire [4:0]  word    = csb_addr[4:0];
    wire        in_map  = csb_addr[9:5] == 5'd0;
    wire        csb_wr  = csb_valid && csb_write && in_map;
    wire        csb_rd  = csb_valid && !csb_write && in_map;

    // Register groups: S_STATUS, S_POINTER, D_OP_ENABLE.
    reg         producer_q;
    reg         consumer_q;
    reg         op_en_g0_q;
    reg         op_en_g1_q;
    wire        wr_g0    = csb_wr && !producer_q && !op_en_g0_q;
    wire        wr_g1    = csb_wr && producer_q && !op_en_g1_q;
    wire        set_en   = word == D_OP_ENABLE && csb_wdata[0];
    wire        start_g0 = wr_g0 && set_en;
    wire        start_g1 = wr_g1 && set_en;
    wire        done_g0  = op_done && !consumer_q;
    wire        done_g1  = op_done && consumer_q;
    wire [1:0]  status_0 = {op_en_g0_q && consumer_q, op_en_g0_q && !consumer_q};
    wire [1:0]  status_1 = {op_en_g1_q && !consumer_q, op_en_g1_q && consumer_q};
    wire        enabled  = consumer_q ? op_en_g1_q : op_en_g0_q;

    assign consumer = consumer_q;
    assign op_en    = enabled;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            producer_q <= 1'b0;
            consumer_q <= 1'b0;
            op_en_g0_q <= 1'b0;
            op_en_g1_q <= 1'b0;
        end else begin
            if (csb_wr && word == S_POINTER) producer_q <= csb_wdata[0];
            if (op_done) consumer_q <= !consumer_q;
            if (start_g0 || done_g0) op_en_g0_q <= start_g0;
            if (start_g1 || done_g1) op_en_g1_q <= start_g1;
        end
    end

    // The access as D_ fields, copy and read back see it, a cycle later.
    reg         store_q;                     // write that is not dropped
    reg         rd_q;
    reg         bank_q;                      // group
    reg  [4:0]  word_q;
    reg  [31:0] data_q;
    wire        is_d    = word >= D_OP_ENABLE;  // exists once per group

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            store_q <= 1'b0;
            rd_q    <= 1'b0;
        end else begin
            store_q <= is_d ? wr_g0 || wr_g1 : csb_wr;
            rd_q    <= csb_rd;
        end
    end

    always @(posedge clk) begin
        bank_q <= is_d && producer_q;
        word_q <= word;
        data_q <= csb_wdata;
    end

    // D_ registers, group 0: the fields that the unit uses.
    reg  [3:0]  d_misc_cfg_g0_q;
    reg         d_datain_format_g0_q;
    reg  [25:0] d_datain_size_ext_0_g0_q;
    reg  [12:0] d_datain_size_ext_1_g0_q;
    reg  [1:0]  d_post_y_extension_g0_q;
    reg  [13:0] d_entry_per_slice_g0_q;
    reg  [9:0]  d_weight_size_ext_0_g0_q;
    reg  [25:0] d_weight_size_ext_1_g0_q;
    reg  [31:0] d_weight_bytes_g0_q;
    reg  [12:0] d_dataout_size_0_g0_q;
    reg  [20:0] d_atomics_g0_q;
    reg  [11:0] d_release_g0_q;
    reg  [5:0]  d_conv_stride_ext_g0_q;
    reg  [9:0]  d_dilation_ext_g0_q;
    reg  [9:0]  d_zero_padding_g0_q;
    reg  [15:0] d_zero_padding_value_g0_q;
    reg  [9:0]  d_bank_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_misc_cfg_g0_q <= 4'h0;
            d_datain_format_g0_q <= 1'h0;
            d_datain_size_ext_0_g0_q <= 26'h0000000;
            d_datain_size_ext_1_g0_q <= 13'h0000;
            d_post_y_extension_g0_q <= 2'h0;
            d_entry_per_slice_g0_q <= 14'h0000;
            d_weight_size_ext_0_g0_q <= 10'h000;
            d_weight_size_ext_1_g0_q <= 26'h0000000;
            d_weight_bytes_g0_q <= 32'h00000000;
            d_dataout_size_0_g0_q <= 13'h0000;
            d_atomics_g0_q <= 21'h000001;
            d_release_g0_q <= 12'h001;
            d_conv_stride_ext_g0_q <= 6'h00;
            d_dilation_ext_g0_q <= 10'h000;
            d_zero_padding_g0_q <= 10'h000;
            d_zero_padding_value_g0_q <= 16'h0000;
            d_bank_g0_q <= 10'h000;
        end else if (store_q && !bank_q) begin
            case (word_q)
                D_MISC_CFG: d_misc_cfg_g0_q <= {data_q[28], data_q[24], data_q[20], data_q[16]};
                D_DATAIN_FORMAT: d_datain_format_g0_q <= data_q[0];
                D_DATAIN_SIZE_EXT_0: d_datain_size_ext_0_g0_q <= {data_q[28:16], data_q[12:0]};
                D_DATAIN_SIZE_EXT_1: d_datain_size_ext_1_g0_q <= data_q[12:0];
                D_POST_Y_EXTENSION: d_post_y_extension_g0_q <= data_q[1:0];
                D_ENTRY_PER_SLICE: d_entry_per_slice_g0_q <= data_q[13:0];
                D_WEIGHT_SIZE_EXT_0: d_weight_size_ext_0_g0_q <= {data_q[20:16], data_q[4:0]};
                D_WEIGHT_SIZE_EXT_1: d_weight_size_ext_1_g0_q <= {data_q[28:16], data_q[12:0]};
                D_WEIGHT_BYTES: d_weight_bytes_g0_q <= data_q;
                D_DATAOUT_SIZE_0: d_dataout_size_0_g0_q <= data_q[12:0];
                D_ATOMICS: d_atomics_g0_q <= data_q[20:0];
                D_RELEASE: d_release_g0_q <= data_q[11:0];
                D_CONV_STRIDE_EXT: d_conv_stride_ext_g0_q <= {data_q[18:16], data_q[2:0]};
                D_DILATION_EXT: d_dilation_ext_g0_q <= {data_q[20:16], data_q[4:0]};
                D_ZERO_PADDING: d_zero_padding_g0_q <= {data_q[20:16], data_q[4:0]};
                D_ZERO_PADDING_VALUE: d_zero_padding_value_g0_q <= data_q[15:0];
                D_BANK: d_bank_g0_q <= {data_q[20:16], data_q[4:0]};
                default: ;
            endcase
        end
    end

    // D_ registers, group 1.
    reg  [3:0]  d_misc_cfg_g1_q;
    reg         d_datain_format_g1_q;
    reg  [25:0] d_datain_size_ext_0_g1_q;
    reg  [12:0] d_datain_size_ext_1_g1_q;
    reg  [1:0]  d_post_y_extension_g1_q;
    reg  [13:0] d_entry_per_slice_g1_q;
    reg  [9:0]  d_weight_size_ext_0_g1_q;
    reg  [25:0] d_weight_size_ext_1_g1_q;
    reg  [31:0] d_weight_bytes_g1_q;
    reg  [12:0] d_dataout_size_0_g1_q;
    reg  [20:0] d_atomics_g1_q;
    reg  [11:0] d_release_g1_q;
    reg  [5:0]  d_conv_stride_ext_g1_q;
    reg  [9:0]  d_dilation_ext_g1_q;
    reg  [9:0]  d_zero_padding_g1_q;
    reg  [15:0] d_zero_padding_value_g1_q;
    reg  [9:0]  d_bank_g1_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_misc_cfg_g1_q <= 4'h0;
            d_datain_format_g1_q <= 1'h0;
            d_datain_size_ext_0_g1_q <= 26'h0000000;
            d_datain_size_ext_1_g1_q <= 13'h0000;
            d_post_y_extension_g1_q <= 2'h0;
            d_entry_per_slice_g1_q <= 14'h0000;
            d_weight_size_ext_0_g1_q <= 10'h000;
            d_weight_size_ext_1_g1_q <= 26'h0000000;
            d_weight_bytes_g1_q <= 32'h00000000;
            d_dataout_size_0_g1_q <= 13'h0000;
            d_atomics_g1_q <= 21'h000001;
            d_release_g1_q <= 12'h001;
            d_conv_stride_ext_g1_q <= 6'h00;
            d_dilation_ext_g1_q <= 10'h000;
            d_zero_padding_g1_q <= 10'h000;
            d_zero_padding_value_g1_q <= 16'h0000;
            d_bank_g1_q <= 10'h000;
        end else if (store_q && bank_q) begin
            case (word_q)
                D_MISC_CFG: d_misc_cfg_g1_q <= {data_q[28], data_q[24], data_q[20], data_q[16]};
                D_DATAIN_FORMAT: d_datain_format_g1_q <= data_q[0];
                D_DATAIN_SIZE_EXT_0: d_datain_size_ext_0_g1_q <= {data_q[28:16], data_q[12:0]};
                D_DATAIN_SIZE_EXT_1: d_datain_size_ext_1_g1_q <= data_q[12:0];
                D_POST_Y_EXTENSION: d_post_y_extension_g1_q <= data_q[1:0];
                D_ENTRY_PER_SLICE: d_entry_per_slice_g1_q <= data_q[13:0];
                D_WEIGHT_SIZE_EXT_0: d_weight_size_ext_0_g1_q <= {data_q[20:16], data_q[4:0]};
                D_WEIGHT_SIZE_EXT_1: d_weight_size_ext_1_g1_q <= {data_q[28:16], data_q[12:0]};
                D_WEIGHT_BYTES: d_weight_bytes_g1_q <= data_q;
                D_DATAOUT_SIZE_0: d_dataout_size_0_g1_q <= data_q[12:0];
                D_ATOMICS: d_atomics_g1_q <= data_q[20:0];
                D_RELEASE: d_release_g1_q <= data_q[11:0];
                D_CONV_STRIDE_EXT: d_conv_stride_ext_g1_q <= {data_q[18:16], data_q[2:0]};
                D_DILATION_EXT: d_dilation_ext_g1_q <= {data_q[20:16], data_q[4:0]};
                D_ZERO_PADDING: d_zero_padding_g1_q <= {data_q[20:16], data_q[4:0]};
                D_ZERO_PADDING_VALUE: d_zero_padding_value_g1_q <= data_q[15:0];
                D_BANK: d_bank_g1_q <= {data_q[20:16], data_q[4:0]};
                default: ;
            endcase
        end
    end

    // The unit sees the group CONSUMER.
    wire [3:0]  d_misc_cfg_c =
        consumer_q ? d_misc_cfg_g1_q : d_misc_cfg_g0_q;
    assign d_misc_cfg_data_reuse = d_misc_cfg_c[0];
    assign d_misc_cfg_weight_reuse = d_misc_cfg_c[1];
    assign d_misc_cfg_skip_data_rls = d_misc_cfg_c[2];
    assign d_misc_cfg_skip_weight_rls = d_misc_cfg_c[3];
    assign d_datain_format = consumer_q ? d_datain_format_g1_q : d_datain_format_g0_q;
    wire [25:0] d_datain_size_ext_0_c =
        consumer_q ? d_datain_size_ext_0_g1_q : d_datain_size_ext_0_g0_q;
    assign d_datain_size_ext_0_datain_width_ext = d_datain_size_ext_0_c[12:0];
    assign d_datain_size_ext_0_datain_height_ext = d_datain_size_ext_0_c[25:13];
    assign d_datain_size_ext_1_datain_channel_ext =
        consumer_q ? d_datain_size_ext_1_g1_q : d_datain_size_ext_1_g0_q;
    assign d_post_y_extension = consumer_q ? d_post_y_extension_g1_q : d_post_y_extension_g0_q;
    assign d_entry_per_slice_entries = consumer_q ? d_entry_per_slice_g1_q : d_entry_per_slice_g0_q;
    wire [9:0]  d_weight_size_ext_0_c =
        consumer_q ? d_weight_size_ext_0_g1_q : d_weight_size_ext_0_g0_q;
    assign d_weight_size_ext_0_weight_width_ext = d_weight_size_ext_0_c[4:0];
    assign d_weight_size_ext_0_weight_height_ext = d_weight_size_ext_0_c[9:5];
    wire [25:0] d_weight_size_ext_1_c =
        consumer_q ? d_weight_size_ext_1_g1_q : d_weight_size_ext_1_g0_q;
    assign d_weight_size_ext_1_weight_channel_ext = d_weight_size_ext_1_c[12:0];
    assign d_weight_size_ext_1_weight_kernel = d_weight_size_ext_1_c[25:13];
    assign d_weight_bytes = consumer_q ? d_weight_bytes_g1_q : d_weight_bytes_g0_q;
    assign d_dataout_size_0_dataout_width =
        consumer_q ? d_dataout_size_0_g1_q : d_dataout_size_0_g0_q;
    assign d_atomics = consumer_q ? d_atomics_g1_q : d_atomics_g0_q;
    assign d_release_rls_slices = consumer_q ? d_release_g1_q : d_release_g0_q;
    wire [5:0]  d_conv_stride_ext_c =
        consumer_q ? d_conv_stride_ext_g1_q : d_conv_stride_ext_g0_q;
    assign d_conv_stride_ext_conv_x_stride_ext = d_conv_stride_ext_c[2:0];
    assign d_conv_stride_ext_conv_y_stride_ext = d_conv_stride_ext_c[5:3];
    wire [9:0]  d_dilation_ext_c =
        consumer_q ? d_dilation_ext_g1_q : d_dilation_ext_g0_q;
    assign d_dilation_ext_x_dilation_ext = d_dilation_ext_c[4:0];
    assign d_dilation_ext_y_dilation_ext = d_dilation_ext_c[9:5];
    wire [9:0]  d_zero_padding_c =
        consumer_q ? d_zero_padding_g1_q : d_zero_padding_g0_q;
    assign d_zero_padding_pad_left = d_zero_padding_c[4:0];
    assign d_zero_padding_pad_top = d_zero_padding_c[9:5];
    assign d_zero_padding_value_pad_value =
        consumer_q ? d_zero_padding_value_g1_q : d_zero_padding_value_g0_q;
    wire [9:0]  d_bank_c =
        consumer_q ? d_bank_g1_q : d_bank_g0_q;
    assign d_bank_data_bank = d_bank_c[4:0];
    assign d_bank_weight_bank = d_bank_c[9:5];

    // What software reads back: a copy of every register of both groups. After reset a sweep
    // writes the reset values; a CSB write pauses it.
    reg  [6:0]  init_q;
    reg  [31:0] init_value;
    reg  [31:0] write_mask;
    wire [31:0] copy;
    wire        init    = !init_q[6];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)               init_q <= 7'd0;
        else if (init && !store_q) init_q <= init_q + 7'd1;
    end

    // Bits that software can write.
    always @* begin
        write_mask = 32'd0;
        if (store_q) case (word_q)
            D_MISC_CFG: write_mask = 32'h11113301;
            D_DATAIN_FORMAT: write_mask = 32'h00000001;
            D_DATAIN_SIZE_EXT_0: write_mask = 32'h1fff1fff;
            D_DATAIN_SIZE_EXT_1: write_mask = 32'h00001fff;
            D_BATCH_NUMBER: write_mask = 32'h0000001f;
            D_POST_Y_EXTENSION: write_mask = 32'h00000003;
            D_ENTRY_PER_SLICE: write_mask = 32'h00003fff;
            D_WEIGHT_FORMAT: write_mask = 32'h00000001;
            D_WEIGHT_SIZE_EXT_0: write_mask = 32'h001f001f;
            D_WEIGHT_SIZE_EXT_1: write_mask = 32'h1fff1fff;
            D_WEIGHT_BYTES: write_mask = 32'hffffffff;
            D_WMB_BYTES: write_mask = 32'h0fffffff;
            D_DATAOUT_SIZE_0: write_mask = 32'h1fff1fff;
            D_DATAOUT_SIZE_1: write_mask = 32'h00001fff;
            D_ATOMICS: write_mask = 32'h001fffff;
            D_RELEASE: write_mask = 32'h00000fff;
            D_CONV_STRIDE_EXT: write_mask = 32'h00070007;
            D_DILATION_EXT: write_mask = 32'h001f001f;
            D_ZERO_PADDING: write_mask = 32'h001f001f;
            D_ZERO_PADDING_VALUE: write_mask = 32'h0000ffff;
            D_BANK: write_mask = 32'h001f001f;
            D_PRA_CFG: write_mask = 32'h00000003;
            D_CYA: write_mask = 32'hffffffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[4:0])
            D_MISC_CFG: init_value = 32'h00001100;
            D_ATOMICS: init_value = 32'h00000001;
            D_RELEASE: init_value = 32'h00000001;
            default: ;
        endcase
    end

    sram_dist_1r1w #(.W(32), .DEPTH(64)) u_copy (
        .clk(clk), .we(init || store_q),
        .waddr(store_q ? {bank_q, word_q} : init_q[5:0]),
        .wdata(store_q ? (data_q & write_mask) : init_value),
        .raddr({bank_q, word_q}), .rdata(copy)
    );

    // Read: the copy, and what hardware owns (0 in the copy).
    function [31:0] hw_value;
        input [4:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            S_STATUS: hw_value = {14'd0, status_1, 14'd0, status_0};
            S_POINTER: hw_value = {15'd0, consumer_q, 15'd0, producer_q};
            D_OP_ENABLE: hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};
            default: ;
        endcase
    end
    endfunction

    always @(posedge clk) begin
        if (rd_q) csb_rdata <= copy | hw_value(word_q);
        else      csb_rdata <= 32'd0;
    end

endmodule

`default_nettype wire
