// Made by macrame 0.1.0 from the register table of CDMA

// Register file of CDMA, convolution DMA: fetches data and weights into CBUF.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 128 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_cdma_regs (
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
    // S_CBUF_FLUSH_STATUS
    // 1 once the convolution buffer has been zeroed after reset; must be 1 before first CDMA
    // enable
    input  wire        s_cbuf_flush_status_flush_done,
    // D_MISC_CFG
    // keep feature data left in CBUF by the previous layer (fetch only what is missing)
    output wire        d_misc_cfg_data_reuse,
    // keep weights left in CBUF by the previous layer (skip weight fetch)
    output wire        d_misc_cfg_weight_reuse,
    output wire        d_misc_cfg_skip_data_rls, // do not free feature slices at layer end
    output wire        d_misc_cfg_skip_weight_rls, // do not free weights at layer end
    // D_DATAIN_FORMAT
    output wire        d_datain_format,          // feature cube or image pixels
    output wire [5:0]  d_datain_format_pixel_format, // image layout code
    // treat integer pixels as unsigned/signed when the input converter is on
    output wire        d_datain_format_pixel_sign_override,
    // D_DATAIN_SIZE_0
    output wire [12:0] d_datain_size_0_datain_width, // input cube width minus 1
    output wire [12:0] d_datain_size_0_datain_height, // input cube height minus 1
    // D_DATAIN_SIZE_1
    output wire [12:0] d_datain_size_1_datain_channel, // input cube channels minus 1
    // D_PIXEL_OFFSET
    // pixels between the aligned start address and the first used pixel
    output wire [4:0]  d_pixel_offset_pixel_x_offset,
    // D_DAIN_ADDR_HIGH_0
    output wire [31:0] d_dain_addr_high_0_datain_addr_high_0, // input start address 63:32
    // D_DAIN_ADDR_LOW_0
    output wire [31:0] d_dain_addr_low_0_datain_addr_low_0, // input start address 31:0
    // D_DAIN_ADDR_HIGH_1
    output wire [31:0] d_dain_addr_high_1_datain_addr_high_1, // chroma (UV) plane address 63:32
    // D_DAIN_ADDR_LOW_1
    output wire [31:0] d_dain_addr_low_1_datain_addr_low_1, // chroma (UV) plane address 31:0
    // D_LINE_STRIDE
    output wire [31:0] d_line_stride,            // bytes from one input line to the next
    // D_LINE_UV_STRIDE
    output wire [31:0] d_line_uv_stride_uv_line_stride, // bytes from one UV-plane line to the next
    // D_SURF_STRIDE
    output wire [31:0] d_surf_stride,            // bytes from one input surface to the next
    // D_ENTRY_PER_SLICE
    output wire [13:0] d_entry_per_slice_entries, // CBUF entries per input slice, minus 1
    // D_WEIGHT_SIZE_0
    output wire [17:0] d_weight_size_0_byte_per_kernel, // bytes of one kernel minus 1
    // D_WEIGHT_ADDR_HIGH
    output wire [31:0] d_weight_addr_high,       // weight start address 63:32
    // D_WEIGHT_ADDR_LOW
    output wire [31:0] d_weight_addr_low,        // weight start address 31:0
    // D_WEIGHT_BYTES
    // total weight bytes (uncompressed count; multiple of 128 in v1)
    output wire [31:0] d_weight_bytes,
    // D_MEAN_FORMAT
    output wire        d_mean_format,            // subtract per-component mean from pixels
    // D_MEAN_GLOBAL_0
    output wire [15:0] d_mean_global_0_mean_ry,  // signed mean of component 0 (R or Y)
    output wire [15:0] d_mean_global_0_mean_gu,  // signed mean of component 1 (G or U)
    // D_MEAN_GLOBAL_1
    output wire [15:0] d_mean_global_1_mean_bv,  // signed mean of component 2 (B or V)
    output wire [15:0] d_mean_global_1_mean_ax,  // signed mean of component 3 (A or X)
    // D_CVT_CFG
    output wire        d_cvt_cfg_cvt_en,         // enable the input converter
    output wire [5:0]  d_cvt_cfg_cvt_truncate,   // converter right shift, unsigned
    // D_CVT_OFFSET
    // converter offset, signed 16 (subtracted before scaling)
    output wire [15:0] d_cvt_offset,
    // D_CVT_SCALE
    output wire [15:0] d_cvt_scale,              // converter multiplier, signed 16
    // D_ZERO_PADDING
    output wire [4:0]  d_zero_padding_pad_left,  // left padding in elements
    output wire [5:0]  d_zero_padding_pad_right, // right padding in elements
    // D_ZERO_PADDING_VALUE
    // padding value before the input converter; low byte for int8
    output wire [15:0] d_zero_padding_value_pad_value,
    // D_BANK
    output wire [4:0]  d_bank_data_bank,         // CBUF banks for input data, minus 1
    output wire [4:0]  d_bank_weight_bank,       // CBUF banks for weights, minus 1
    // D_PERF_ENABLE
    // enable the DMA stall (and CDMA latency) counters for this layer
    output wire        d_perf_enable_dma_en,
    // D_PERF_DAT_READ_STALL
    // cycles a feature/pixel read request waited for ready
    input  wire [31:0] d_perf_dat_read_stall_dat_rd_stall,
    // D_PERF_WT_READ_STALL
    // cycles a weight read request waited for ready
    input  wire [31:0] d_perf_wt_read_stall_wt_rd_stall,
    // D_PERF_DAT_READ_LATENCY
    // accumulated cycles with feature/pixel reads outstanding
    input  wire [31:0] d_perf_dat_read_latency_dat_rd_latency,
    // D_PERF_WT_READ_LATENCY
    // accumulated cycles with weight-channel reads outstanding
    input  wire [31:0] d_perf_wt_read_latency_wt_rd_latency
);

    // Word offsets of the registers.
    localparam [5:0]  S_STATUS                = 6'h00;
    localparam [5:0]  S_POINTER               = 6'h01;
    localparam [5:0]  S_ARBITER               = 6'h02;
    localparam [5:0]  S_CBUF_FLUSH_STATUS     = 6'h03;
    localparam [5:0]  D_OP_ENABLE             = 6'h04;
    localparam [5:0]  D_MISC_CFG              = 6'h05;
    localparam [5:0]  D_DATAIN_FORMAT         = 6'h06;
    localparam [5:0]  D_DATAIN_SIZE_0         = 6'h07;
    localparam [5:0]  D_DATAIN_SIZE_1         = 6'h08;
    localparam [5:0]  D_DATAIN_SIZE_EXT_0     = 6'h09;
    localparam [5:0]  D_PIXEL_OFFSET          = 6'h0a;
    localparam [5:0]  D_DAIN_RAM_TYPE         = 6'h0b;
    localparam [5:0]  D_DAIN_ADDR_HIGH_0      = 6'h0c;
    localparam [5:0]  D_DAIN_ADDR_LOW_0       = 6'h0d;
    localparam [5:0]  D_DAIN_ADDR_HIGH_1      = 6'h0e;
    localparam [5:0]  D_DAIN_ADDR_LOW_1       = 6'h0f;
    localparam [5:0]  D_LINE_STRIDE           = 6'h10;
    localparam [5:0]  D_LINE_UV_STRIDE        = 6'h11;
    localparam [5:0]  D_SURF_STRIDE           = 6'h12;
    localparam [5:0]  D_DAIN_MAP              = 6'h13;
    localparam [5:0]  D_RESERVED_X_CFG        = 6'h14;
    localparam [5:0]  D_RESERVED_Y_CFG        = 6'h15;
    localparam [5:0]  D_BATCH_NUMBER          = 6'h16;
    localparam [5:0]  D_BATCH_STRIDE          = 6'h17;
    localparam [5:0]  D_ENTRY_PER_SLICE       = 6'h18;
    localparam [5:0]  D_FETCH_GRAIN           = 6'h19;
    localparam [5:0]  D_WEIGHT_FORMAT         = 6'h1a;
    localparam [5:0]  D_WEIGHT_SIZE_0         = 6'h1b;
    localparam [5:0]  D_WEIGHT_SIZE_1         = 6'h1c;
    localparam [5:0]  D_WEIGHT_RAM_TYPE       = 6'h1d;
    localparam [5:0]  D_WEIGHT_ADDR_HIGH      = 6'h1e;
    localparam [5:0]  D_WEIGHT_ADDR_LOW       = 6'h1f;
    localparam [5:0]  D_WEIGHT_BYTES          = 6'h20;
    localparam [5:0]  D_WGS_ADDR_HIGH         = 6'h21;
    localparam [5:0]  D_WGS_ADDR_LOW          = 6'h22;
    localparam [5:0]  D_WMB_ADDR_HIGH         = 6'h23;
    localparam [5:0]  D_WMB_ADDR_LOW          = 6'h24;
    localparam [5:0]  D_WMB_BYTES             = 6'h25;
    localparam [5:0]  D_MEAN_FORMAT           = 6'h26;
    localparam [5:0]  D_MEAN_GLOBAL_0         = 6'h27;
    localparam [5:0]  D_MEAN_GLOBAL_1         = 6'h28;
    localparam [5:0]  D_CVT_CFG               = 6'h29;
    localparam [5:0]  D_CVT_OFFSET            = 6'h2a;
    localparam [5:0]  D_CVT_SCALE             = 6'h2b;
    localparam [5:0]  D_CONV_STRIDE           = 6'h2c;
    localparam [5:0]  D_ZERO_PADDING          = 6'h2d;
    localparam [5:0]  D_ZERO_PADDING_VALUE    = 6'h2e;
    localparam [5:0]  D_BANK                  = 6'h2f;
    localparam [5:0]  D_NAN_FLUSH_TO_ZERO     = 6'h30;
    localparam [5:0]  D_PERF_ENABLE           = 6'h35;
    localparam [5:0]  D_PERF_DAT_READ_STALL   = 6'h36;
    localparam [5:0]  D_PERF_WT_READ_STALL    = 6'h37;
    localparam [5:0]  D_PERF_DAT_READ_LATENCY = 6'h38;
    localparam [5:0]  D_PERF_WT_READ_LATENCY  = 6'h39;
    localparam [5:0]  D_CYA                   = 6'h3a;

    wire [5:0]  word    = csb_addr[5:0];
    wire        in_map  = csb_addr[9:6] == 4'd0;
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
    reg  [5:0]  word_q;
    reg  [31:0] data_q;
    wire        is_d    = word >= D_OP_ENABLE;  // exists once per group

    // The fields that the unit uses exist once and hold the values of group CONSUMER. They are
    // written together with the copy below if PRODUCER = CONSUMER. After a layer the 27 words of
    // the other group are loaded from the copy, in cycles without an access; op_en is 0 until that
    // is done.
    reg         loading_q;
    reg         load_q;                      // word_q, data_q are from the copy
    reg  [5:0]  load_word_q;
    wire [31:0] copy;
    wire        load    = loading_q && !csb_valid && !store_q && !rd_q;

    assign op_en = enabled && !loading_q && !load_q;

    function [5:0]  load_next;
        input [5:0]  done;
        case (done)
            D_MISC_CFG: load_next = D_DATAIN_FORMAT;
            D_DATAIN_FORMAT: load_next = D_DATAIN_SIZE_0;
            D_DATAIN_SIZE_0: load_next = D_DATAIN_SIZE_1;
            D_DATAIN_SIZE_1: load_next = D_PIXEL_OFFSET;
            D_PIXEL_OFFSET: load_next = D_DAIN_ADDR_HIGH_0;
            D_DAIN_ADDR_HIGH_0: load_next = D_DAIN_ADDR_LOW_0;
            D_DAIN_ADDR_LOW_0: load_next = D_DAIN_ADDR_HIGH_1;
            D_DAIN_ADDR_HIGH_1: load_next = D_DAIN_ADDR_LOW_1;
            D_DAIN_ADDR_LOW_1: load_next = D_LINE_STRIDE;
            D_LINE_STRIDE: load_next = D_LINE_UV_STRIDE;
            D_LINE_UV_STRIDE: load_next = D_SURF_STRIDE;
            D_SURF_STRIDE: load_next = D_ENTRY_PER_SLICE;
            D_ENTRY_PER_SLICE: load_next = D_WEIGHT_SIZE_0;
            D_WEIGHT_SIZE_0: load_next = D_WEIGHT_ADDR_HIGH;
            D_WEIGHT_ADDR_HIGH: load_next = D_WEIGHT_ADDR_LOW;
            D_WEIGHT_ADDR_LOW: load_next = D_WEIGHT_BYTES;
            D_WEIGHT_BYTES: load_next = D_MEAN_FORMAT;
            D_MEAN_FORMAT: load_next = D_MEAN_GLOBAL_0;
            D_MEAN_GLOBAL_0: load_next = D_MEAN_GLOBAL_1;
            D_MEAN_GLOBAL_1: load_next = D_CVT_CFG;
            D_CVT_CFG: load_next = D_CVT_OFFSET;
            D_CVT_OFFSET: load_next = D_CVT_SCALE;
            D_CVT_SCALE: load_next = D_ZERO_PADDING;
            D_ZERO_PADDING: load_next = D_ZERO_PADDING_VALUE;
            D_ZERO_PADDING_VALUE: load_next = D_BANK;
            D_BANK: load_next = D_PERF_ENABLE;
            default: load_next = D_MISC_CFG;
        endcase
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            loading_q   <= 1'b0;
            load_q      <= 1'b0;
            load_word_q <= D_MISC_CFG;
        end else begin
            load_q <= load;
            if (op_done) loading_q <= 1'b1;
            if (load) begin
                loading_q   <= load_word_q != D_PERF_ENABLE;
                load_word_q <= load_next(load_word_q);
            end
        end
    end

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
        word_q <= csb_valid ? word : load_word_q;
        data_q <= csb_valid ? csb_wdata : copy;
    end

    // D_ registers of group CONSUMER: the fields that the unit uses.
    wire        field_wr = load_q || (store_q && bank_q == consumer_q);
    reg  [3:0]  d_misc_cfg_q;
    reg  [7:0]  d_datain_format_q;
    reg  [25:0] d_datain_size_0_q;
    reg  [12:0] d_datain_size_1_q;
    reg  [4:0]  d_pixel_offset_q;
    reg  [31:0] d_dain_addr_high_0_q;
    reg  [31:0] d_dain_addr_low_0_q;
    reg  [31:0] d_dain_addr_high_1_q;
    reg  [31:0] d_dain_addr_low_1_q;
    reg  [31:0] d_line_stride_q;
    reg  [31:0] d_line_uv_stride_q;
    reg  [31:0] d_surf_stride_q;
    reg  [13:0] d_entry_per_slice_q;
    reg  [17:0] d_weight_size_0_q;
    reg  [31:0] d_weight_addr_high_q;
    reg  [31:0] d_weight_addr_low_q;
    reg  [31:0] d_weight_bytes_q;
    reg         d_mean_format_q;
    reg  [31:0] d_mean_global_0_q;
    reg  [31:0] d_mean_global_1_q;
    reg  [6:0]  d_cvt_cfg_q;
    reg  [15:0] d_cvt_offset_q;
    reg  [15:0] d_cvt_scale_q;
    reg  [10:0] d_zero_padding_q;
    reg  [15:0] d_zero_padding_value_q;
    reg  [9:0]  d_bank_q;
    reg         d_perf_enable_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_misc_cfg_q <= 4'h0;
            d_datain_format_q <= 8'h18;
            d_datain_size_0_q <= 26'h0000000;
            d_datain_size_1_q <= 13'h0000;
            d_pixel_offset_q <= 5'h00;
            d_dain_addr_high_0_q <= 32'h00000000;
            d_dain_addr_low_0_q <= 32'h00000000;
            d_dain_addr_high_1_q <= 32'h00000000;
            d_dain_addr_low_1_q <= 32'h00000000;
            d_line_stride_q <= 32'h00000000;
            d_line_uv_stride_q <= 32'h00000000;
            d_surf_stride_q <= 32'h00000000;
            d_entry_per_slice_q <= 14'h0000;
            d_weight_size_0_q <= 18'h00000;
            d_weight_addr_high_q <= 32'h00000000;
            d_weight_addr_low_q <= 32'h00000000;
            d_weight_bytes_q <= 32'h00000000;
            d_mean_format_q <= 1'h0;
            d_mean_global_0_q <= 32'h00000000;
            d_mean_global_1_q <= 32'h00000000;
            d_cvt_cfg_q <= 7'h00;
            d_cvt_offset_q <= 16'h0000;
            d_cvt_scale_q <= 16'h0000;
            d_zero_padding_q <= 11'h000;
            d_zero_padding_value_q <= 16'h0000;
            d_bank_q <= 10'h000;
            d_perf_enable_q <= 1'h0;
        end else if (field_wr) begin
            case (word_q)
                D_MISC_CFG: d_misc_cfg_q <= {data_q[28], data_q[24], data_q[20], data_q[16]};
                D_DATAIN_FORMAT: d_datain_format_q <= {data_q[20], data_q[13:8], data_q[0]};
                D_DATAIN_SIZE_0: d_datain_size_0_q <= {data_q[28:16], data_q[12:0]};
                D_DATAIN_SIZE_1: d_datain_size_1_q <= data_q[12:0];
                D_PIXEL_OFFSET: d_pixel_offset_q <= data_q[4:0];
                D_DAIN_ADDR_HIGH_0: d_dain_addr_high_0_q <= data_q;
                D_DAIN_ADDR_LOW_0: d_dain_addr_low_0_q <= data_q;
                D_DAIN_ADDR_HIGH_1: d_dain_addr_high_1_q <= data_q;
                D_DAIN_ADDR_LOW_1: d_dain_addr_low_1_q <= data_q;
                D_LINE_STRIDE: d_line_stride_q <= data_q;
                D_LINE_UV_STRIDE: d_line_uv_stride_q <= data_q;
                D_SURF_STRIDE: d_surf_stride_q <= data_q;
                D_ENTRY_PER_SLICE: d_entry_per_slice_q <= data_q[13:0];
                D_WEIGHT_SIZE_0: d_weight_size_0_q <= data_q[17:0];
                D_WEIGHT_ADDR_HIGH: d_weight_addr_high_q <= data_q;
                D_WEIGHT_ADDR_LOW: d_weight_addr_low_q <= data_q;
                D_WEIGHT_BYTES: d_weight_bytes_q <= data_q;
                D_MEAN_FORMAT: d_mean_format_q <= data_q[0];
                D_MEAN_GLOBAL_0: d_mean_global_0_q <= {data_q[31:16], data_q[15:0]};
                D_MEAN_GLOBAL_1: d_mean_global_1_q <= {data_q[31:16], data_q[15:0]};
                D_CVT_CFG: d_cvt_cfg_q <= {data_q[9:4], data_q[0]};
                D_CVT_OFFSET: d_cvt_offset_q <= data_q[15:0];
                D_CVT_SCALE: d_cvt_scale_q <= data_q[15:0];
                D_ZERO_PADDING: d_zero_padding_q <= {data_q[13:8], data_q[4:0]};
                D_ZERO_PADDING_VALUE: d_zero_padding_value_q <= data_q[15:0];
                D_BANK: d_bank_q <= {data_q[20:16], data_q[4:0]};
                D_PERF_ENABLE: d_perf_enable_q <= data_q[0];
                default: ;
            endcase
        end
    end

    assign d_misc_cfg_data_reuse = d_misc_cfg_q[0];
    assign d_misc_cfg_weight_reuse = d_misc_cfg_q[1];
    assign d_misc_cfg_skip_data_rls = d_misc_cfg_q[2];
    assign d_misc_cfg_skip_weight_rls = d_misc_cfg_q[3];
    assign d_datain_format = d_datain_format_q[0];
    assign d_datain_format_pixel_format = d_datain_format_q[6:1];
    assign d_datain_format_pixel_sign_override = d_datain_format_q[7];
    assign d_datain_size_0_datain_width = d_datain_size_0_q[12:0];
    assign d_datain_size_0_datain_height = d_datain_size_0_q[25:13];
    assign d_datain_size_1_datain_channel = d_datain_size_1_q;
    assign d_pixel_offset_pixel_x_offset = d_pixel_offset_q;
    assign d_dain_addr_high_0_datain_addr_high_0 = d_dain_addr_high_0_q;
    assign d_dain_addr_low_0_datain_addr_low_0 = d_dain_addr_low_0_q;
    assign d_dain_addr_high_1_datain_addr_high_1 = d_dain_addr_high_1_q;
    assign d_dain_addr_low_1_datain_addr_low_1 = d_dain_addr_low_1_q;
    assign d_line_stride = d_line_stride_q;
    assign d_line_uv_stride_uv_line_stride = d_line_uv_stride_q;
    assign d_surf_stride = d_surf_stride_q;
    assign d_entry_per_slice_entries = d_entry_per_slice_q;
    assign d_weight_size_0_byte_per_kernel = d_weight_size_0_q;
    assign d_weight_addr_high = d_weight_addr_high_q;
    assign d_weight_addr_low = d_weight_addr_low_q;
    assign d_weight_bytes = d_weight_bytes_q;
    assign d_mean_format = d_mean_format_q;
    assign d_mean_global_0_mean_ry = d_mean_global_0_q[15:0];
    assign d_mean_global_0_mean_gu = d_mean_global_0_q[31:16];
    assign d_mean_global_1_mean_bv = d_mean_global_1_q[15:0];
    assign d_mean_global_1_mean_ax = d_mean_global_1_q[31:16];
    assign d_cvt_cfg_cvt_en = d_cvt_cfg_q[0];
    assign d_cvt_cfg_cvt_truncate = d_cvt_cfg_q[6:1];
    assign d_cvt_offset = d_cvt_offset_q;
    assign d_cvt_scale = d_cvt_scale_q;
    assign d_zero_padding_pad_left = d_zero_padding_q[4:0];
    assign d_zero_padding_pad_right = d_zero_padding_q[10:5];
    assign d_zero_padding_value_pad_value = d_zero_padding_value_q;
    assign d_bank_data_bank = d_bank_q[4:0];
    assign d_bank_weight_bank = d_bank_q[9:5];
    assign d_perf_enable_dma_en = d_perf_enable_q;

    // Counts of the last finished layer of each group. They read 0 from the start of a group's
    // layer to its end.
    reg         counted_g0_q;
    reg         counted_g1_q;
    reg  [31:0] d_perf_dat_read_stall_g0_q;
    reg  [31:0] d_perf_dat_read_stall_g1_q;
    reg  [31:0] d_perf_wt_read_stall_g0_q;
    reg  [31:0] d_perf_wt_read_stall_g1_q;
    reg  [31:0] d_perf_dat_read_latency_g0_q;
    reg  [31:0] d_perf_dat_read_latency_g1_q;
    reg  [31:0] d_perf_wt_read_latency_g0_q;
    reg  [31:0] d_perf_wt_read_latency_g1_q;
    wire        counted = producer_q ? counted_g1_q : counted_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            counted_g0_q <= 1'b0;
            counted_g1_q <= 1'b0;
        end else begin
            if (start_g0 || done_g0) counted_g0_q <= done_g0;
            if (start_g1 || done_g1) counted_g1_q <= done_g1;
        end
    end

    always @(posedge clk) begin
        if (done_g0) begin
            d_perf_dat_read_stall_g0_q <= d_perf_dat_read_stall_dat_rd_stall;
            d_perf_wt_read_stall_g0_q <= d_perf_wt_read_stall_wt_rd_stall;
            d_perf_dat_read_latency_g0_q <= d_perf_dat_read_latency_dat_rd_latency;
            d_perf_wt_read_latency_g0_q <= d_perf_wt_read_latency_wt_rd_latency;
        end
        if (done_g1) begin
            d_perf_dat_read_stall_g1_q <= d_perf_dat_read_stall_dat_rd_stall;
            d_perf_wt_read_stall_g1_q <= d_perf_wt_read_stall_wt_rd_stall;
            d_perf_dat_read_latency_g1_q <= d_perf_dat_read_latency_dat_rd_latency;
            d_perf_wt_read_latency_g1_q <= d_perf_wt_read_latency_wt_rd_latency;
        end
    end

    // What software reads back: a copy of every register of both groups. After reset a sweep
    // writes the reset values; a CSB write pauses it.
    reg  [7:0]  init_q;
    reg  [31:0] init_value;
    reg  [31:0] write_mask;
    wire        init    = !init_q[7];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)               init_q <= 8'd0;
        else if (init && !store_q) init_q <= init_q + 8'd1;
    end

    // Bits that software can write.
    always @* begin
        write_mask = 32'd0;
        if (store_q) case (word_q)
            S_ARBITER: write_mask = 32'h000f000f;
            D_MISC_CFG: write_mask = 32'h11113301;
            D_DATAIN_FORMAT: write_mask = 32'h00113f01;
            D_DATAIN_SIZE_0: write_mask = 32'h1fff1fff;
            D_DATAIN_SIZE_1: write_mask = 32'h00001fff;
            D_DATAIN_SIZE_EXT_0: write_mask = 32'h1fff1fff;
            D_PIXEL_OFFSET: write_mask = 32'h0007001f;
            D_DAIN_RAM_TYPE: write_mask = 32'h00000001;
            D_DAIN_ADDR_HIGH_0: write_mask = 32'hffffffff;
            D_DAIN_ADDR_LOW_0: write_mask = 32'hffffffff;
            D_DAIN_ADDR_HIGH_1: write_mask = 32'hffffffff;
            D_DAIN_ADDR_LOW_1: write_mask = 32'hffffffff;
            D_LINE_STRIDE: write_mask = 32'hffffffff;
            D_LINE_UV_STRIDE: write_mask = 32'hffffffff;
            D_SURF_STRIDE: write_mask = 32'hffffffff;
            D_DAIN_MAP: write_mask = 32'h00010001;
            D_RESERVED_X_CFG: write_mask = 32'h03ff03ff;
            D_RESERVED_Y_CFG: write_mask = 32'h001f0007;
            D_BATCH_NUMBER: write_mask = 32'h0000001f;
            D_BATCH_STRIDE: write_mask = 32'hffffffff;
            D_ENTRY_PER_SLICE: write_mask = 32'h00003fff;
            D_FETCH_GRAIN: write_mask = 32'h00000fff;
            D_WEIGHT_FORMAT: write_mask = 32'h00000001;
            D_WEIGHT_SIZE_0: write_mask = 32'h0003ffff;
            D_WEIGHT_SIZE_1: write_mask = 32'h00001fff;
            D_WEIGHT_RAM_TYPE: write_mask = 32'h00000001;
            D_WEIGHT_ADDR_HIGH: write_mask = 32'hffffffff;
            D_WEIGHT_ADDR_LOW: write_mask = 32'hffffffff;
            D_WEIGHT_BYTES: write_mask = 32'hffffffff;
            D_WGS_ADDR_HIGH: write_mask = 32'hffffffff;
            D_WGS_ADDR_LOW: write_mask = 32'hffffffff;
            D_WMB_ADDR_HIGH: write_mask = 32'hffffffff;
            D_WMB_ADDR_LOW: write_mask = 32'hffffffff;
            D_WMB_BYTES: write_mask = 32'h0fffffff;
            D_MEAN_FORMAT: write_mask = 32'h00000001;
            D_MEAN_GLOBAL_0: write_mask = 32'hffffffff;
            D_MEAN_GLOBAL_1: write_mask = 32'hffffffff;
            D_CVT_CFG: write_mask = 32'h000003f1;
            D_CVT_OFFSET: write_mask = 32'h0000ffff;
            D_CVT_SCALE: write_mask = 32'h0000ffff;
            D_CONV_STRIDE: write_mask = 32'h00070007;
            D_ZERO_PADDING: write_mask = 32'h3f1f3f1f;
            D_ZERO_PADDING_VALUE: write_mask = 32'h0000ffff;
            D_BANK: write_mask = 32'h001f001f;
            D_NAN_FLUSH_TO_ZERO: write_mask = 32'h00000001;
            D_PERF_ENABLE: write_mask = 32'h00000001;
            D_CYA: write_mask = 32'hffffffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[5:0])
            S_ARBITER: init_value = 32'h0003000f;
            D_MISC_CFG: init_value = 32'h00001100;
            D_DATAIN_FORMAT: init_value = 32'h00000c00;
            default: ;
        endcase
    end

    sram_dist_1r1w #(.W(32), .DEPTH(128)) u_copy (
        .clk(clk), .we(init || store_q),
        .waddr(store_q ? {bank_q, word_q} : init_q[6:0]),
        .wdata(store_q ? (data_q & write_mask) : init_value),
        .raddr(rd_q ? {bank_q, word_q} : {consumer_q, load_word_q}), .rdata(copy)
    );

    // Read: the copy, and what hardware owns (0 in the copy).
    function [31:0] hw_value;
        input [5:0]  number;
    begin
        hw_value = 32'd0;
        case (number)
            S_STATUS: hw_value = {14'd0, status_1, 14'd0, status_0};
            S_POINTER: hw_value = {15'd0, consumer_q, 15'd0, producer_q};
            D_OP_ENABLE: hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};
            S_CBUF_FLUSH_STATUS: hw_value = {31'd0, s_cbuf_flush_status_flush_done};
            D_PERF_DAT_READ_STALL: begin
                if (counted && producer_q) hw_value = d_perf_dat_read_stall_g1_q;
                if (counted && !producer_q) hw_value = d_perf_dat_read_stall_g0_q;
            end
            D_PERF_WT_READ_STALL: begin
                if (counted && producer_q) hw_value = d_perf_wt_read_stall_g1_q;
                if (counted && !producer_q) hw_value = d_perf_wt_read_stall_g0_q;
            end
            D_PERF_DAT_READ_LATENCY: begin
                if (counted && producer_q) hw_value = d_perf_dat_read_latency_g1_q;
                if (counted && !producer_q) hw_value = d_perf_dat_read_latency_g0_q;
            end
            D_PERF_WT_READ_LATENCY: begin
                if (counted && producer_q) hw_value = d_perf_wt_read_latency_g1_q;
                if (counted && !producer_q) hw_value = d_perf_wt_read_latency_g0_q;
            end
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
