// Made by macrame 0.1.0 from the register table of PDP

// Register file of PDP, pooling unit.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 128 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_pdp_regs (
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
    // D_DATA_CUBE_IN_WIDTH
    output wire [12:0] d_data_cube_in_width,     // input width minus 1 (non-split layers)
    // D_DATA_CUBE_IN_HEIGHT
    output wire [12:0] d_data_cube_in_height,    // input height minus 1
    // D_DATA_CUBE_IN_CHANNEL
    output wire [12:0] d_data_cube_in_channel,   // input channels minus 1
    // D_DATA_CUBE_OUT_WIDTH
    output wire [12:0] d_data_cube_out_width,    // output width minus 1
    // D_DATA_CUBE_OUT_HEIGHT
    output wire [12:0] d_data_cube_out_height,   // output height minus 1
    // D_OPERATION_MODE_CFG
    output wire [1:0]  d_operation_mode_cfg_pooling_method, // pooling reduction
    output wire        d_operation_mode_cfg_flying_mode, // input from SDP stream or from PDP_RDMA
    // vertical strips the cube is processed in, minus 1
    output wire [7:0]  d_operation_mode_cfg_split_num,
    // D_PARTIAL_WIDTH_IN
    output wire [9:0]  d_partial_width_in_first, // input width of first strip minus 1
    output wire [9:0]  d_partial_width_in_last,  // input width of last strip minus 1
    output wire [9:0]  d_partial_width_in_mid,   // input width of each middle strip minus 1
    // D_PARTIAL_WIDTH_OUT
    output wire [9:0]  d_partial_width_out_first, // output width of first strip minus 1
    output wire [9:0]  d_partial_width_out_last, // output width of last strip minus 1
    output wire [9:0]  d_partial_width_out_mid,  // output width of each middle strip minus 1
    // D_POOLING_KERNEL_CFG
    output wire [3:0]  d_pooling_kernel_cfg_kernel_width, // window width minus 1 (1..8)
    output wire [3:0]  d_pooling_kernel_cfg_kernel_height, // window height minus 1 (1..8)
    output wire [3:0]  d_pooling_kernel_cfg_kernel_stride_width, // horizontal stride minus 1
    output wire [3:0]  d_pooling_kernel_cfg_kernel_stride_height, // vertical stride minus 1
    // D_RECIP_KERNEL_WIDTH
    // 1/width: round-down of 65536/width for ints, fp17 value for fp16
    output wire [16:0] d_recip_kernel_width,
    // D_RECIP_KERNEL_HEIGHT
    // 1/height: round-down of 65536/height for ints, fp17 value for fp16
    output wire [16:0] d_recip_kernel_height,
    // D_POOLING_PADDING_CFG
    output wire [2:0]  d_pooling_padding_cfg_pad_left, // left padding in elements
    output wire [2:0]  d_pooling_padding_cfg_pad_top, // top padding in lines
    // D_POOLING_PADDING_VALUE_1_CFG
    // average pooling: sum contributed by 1 padded position(s), signed 19b (1 x pad value)
    output wire [18:0] d_pooling_padding_value_1_cfg_pad_value_1x,
    // D_POOLING_PADDING_VALUE_2_CFG
    // average pooling: sum contributed by 2 padded position(s), signed 19b (2 x pad value)
    output wire [18:0] d_pooling_padding_value_2_cfg_pad_value_2x,
    // D_POOLING_PADDING_VALUE_3_CFG
    // average pooling: sum contributed by 3 padded position(s), signed 19b (3 x pad value)
    output wire [18:0] d_pooling_padding_value_3_cfg_pad_value_3x,
    // D_POOLING_PADDING_VALUE_4_CFG
    // average pooling: sum contributed by 4 padded position(s), signed 19b (4 x pad value)
    output wire [18:0] d_pooling_padding_value_4_cfg_pad_value_4x,
    // D_POOLING_PADDING_VALUE_5_CFG
    // average pooling: sum contributed by 5 padded position(s), signed 19b (5 x pad value)
    output wire [18:0] d_pooling_padding_value_5_cfg_pad_value_5x,
    // D_POOLING_PADDING_VALUE_6_CFG
    // average pooling: sum contributed by 6 padded position(s), signed 19b (6 x pad value)
    output wire [18:0] d_pooling_padding_value_6_cfg_pad_value_6x,
    // D_POOLING_PADDING_VALUE_7_CFG
    // average pooling: sum contributed by 7 padded position(s), signed 19b (7 x pad value)
    output wire [18:0] d_pooling_padding_value_7_cfg_pad_value_7x,
    // D_DST_BASE_ADDR_LOW
    output wire [31:0] d_dst_base_addr_low,      // destination cube address 31:0
    // D_DST_BASE_ADDR_HIGH
    output wire [31:0] d_dst_base_addr_high,     // destination cube address 63:32
    // D_DST_LINE_STRIDE
    output wire [31:0] d_dst_line_stride,        // destination line pitch in bytes
    // D_DST_SURFACE_STRIDE
    output wire [31:0] d_dst_surface_stride,     // destination surface pitch in bytes
    // D_PERF_ENABLE
    // enable the DMA stall (and CDMA latency) counters for this layer
    output wire        d_perf_enable_dma_en,
    // D_PERF_WRITE_STALL
    input  wire [31:0] d_perf_write_stall        // cycles the write request waited for ready
);

    // Word offsets of the registers.
    localparam [5:0]  S_STATUS                      = 6'h00;
    localparam [5:0]  S_POINTER                     = 6'h01;
    localparam [5:0]  D_OP_ENABLE                   = 6'h02;
    localparam [5:0]  D_DATA_CUBE_IN_WIDTH          = 6'h03;
    localparam [5:0]  D_DATA_CUBE_IN_HEIGHT         = 6'h04;
    localparam [5:0]  D_DATA_CUBE_IN_CHANNEL        = 6'h05;
    localparam [5:0]  D_DATA_CUBE_OUT_WIDTH         = 6'h06;
    localparam [5:0]  D_DATA_CUBE_OUT_HEIGHT        = 6'h07;
    localparam [5:0]  D_DATA_CUBE_OUT_CHANNEL       = 6'h08;
    localparam [5:0]  D_OPERATION_MODE_CFG          = 6'h09;
    localparam [5:0]  D_NAN_FLUSH_TO_ZERO           = 6'h0a;
    localparam [5:0]  D_PARTIAL_WIDTH_IN            = 6'h0b;
    localparam [5:0]  D_PARTIAL_WIDTH_OUT           = 6'h0c;
    localparam [5:0]  D_POOLING_KERNEL_CFG          = 6'h0d;
    localparam [5:0]  D_RECIP_KERNEL_WIDTH          = 6'h0e;
    localparam [5:0]  D_RECIP_KERNEL_HEIGHT         = 6'h0f;
    localparam [5:0]  D_POOLING_PADDING_CFG         = 6'h10;
    localparam [5:0]  D_POOLING_PADDING_VALUE_1_CFG = 6'h11;
    localparam [5:0]  D_POOLING_PADDING_VALUE_2_CFG = 6'h12;
    localparam [5:0]  D_POOLING_PADDING_VALUE_3_CFG = 6'h13;
    localparam [5:0]  D_POOLING_PADDING_VALUE_4_CFG = 6'h14;
    localparam [5:0]  D_POOLING_PADDING_VALUE_5_CFG = 6'h15;
    localparam [5:0]  D_POOLING_PADDING_VALUE_6_CFG = 6'h16;
    localparam [5:0]  D_POOLING_PADDING_VALUE_7_CFG = 6'h17;
    localparam [5:0]  D_SRC_BASE_ADDR_LOW           = 6'h18;
    localparam [5:0]  D_SRC_BASE_ADDR_HIGH          = 6'h19;
    localparam [5:0]  D_SRC_LINE_STRIDE             = 6'h1a;
    localparam [5:0]  D_SRC_SURFACE_STRIDE          = 6'h1b;
    localparam [5:0]  D_DST_BASE_ADDR_LOW           = 6'h1c;
    localparam [5:0]  D_DST_BASE_ADDR_HIGH          = 6'h1d;
    localparam [5:0]  D_DST_LINE_STRIDE             = 6'h1e;
    localparam [5:0]  D_DST_SURFACE_STRIDE          = 6'h1f;
    localparam [5:0]  D_DST_RAM_CFG                 = 6'h20;
    localparam [5:0]  D_DATA_FORMAT                 = 6'h21;
    localparam [5:0]  D_PERF_ENABLE                 = 6'h25;
    localparam [5:0]  D_PERF_WRITE_STALL            = 6'h26;
    localparam [5:0]  D_CYA                         = 6'h27;

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
    // written together with the copy below if PRODUCER = CONSUMER. After a layer the 24 words of
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
            D_DATA_CUBE_IN_WIDTH: load_next = D_DATA_CUBE_IN_HEIGHT;
            D_DATA_CUBE_IN_HEIGHT: load_next = D_DATA_CUBE_IN_CHANNEL;
            D_DATA_CUBE_IN_CHANNEL: load_next = D_DATA_CUBE_OUT_WIDTH;
            D_DATA_CUBE_OUT_WIDTH: load_next = D_DATA_CUBE_OUT_HEIGHT;
            D_DATA_CUBE_OUT_HEIGHT: load_next = D_OPERATION_MODE_CFG;
            D_OPERATION_MODE_CFG: load_next = D_PARTIAL_WIDTH_IN;
            D_PARTIAL_WIDTH_IN: load_next = D_PARTIAL_WIDTH_OUT;
            D_PARTIAL_WIDTH_OUT: load_next = D_POOLING_KERNEL_CFG;
            D_POOLING_KERNEL_CFG: load_next = D_RECIP_KERNEL_WIDTH;
            D_RECIP_KERNEL_WIDTH: load_next = D_RECIP_KERNEL_HEIGHT;
            D_RECIP_KERNEL_HEIGHT: load_next = D_POOLING_PADDING_CFG;
            D_POOLING_PADDING_CFG: load_next = D_POOLING_PADDING_VALUE_1_CFG;
            D_POOLING_PADDING_VALUE_1_CFG: load_next = D_POOLING_PADDING_VALUE_2_CFG;
            D_POOLING_PADDING_VALUE_2_CFG: load_next = D_POOLING_PADDING_VALUE_3_CFG;
            D_POOLING_PADDING_VALUE_3_CFG: load_next = D_POOLING_PADDING_VALUE_4_CFG;
            D_POOLING_PADDING_VALUE_4_CFG: load_next = D_POOLING_PADDING_VALUE_5_CFG;
            D_POOLING_PADDING_VALUE_5_CFG: load_next = D_POOLING_PADDING_VALUE_6_CFG;
            D_POOLING_PADDING_VALUE_6_CFG: load_next = D_POOLING_PADDING_VALUE_7_CFG;
            D_POOLING_PADDING_VALUE_7_CFG: load_next = D_DST_BASE_ADDR_LOW;
            D_DST_BASE_ADDR_LOW: load_next = D_DST_BASE_ADDR_HIGH;
            D_DST_BASE_ADDR_HIGH: load_next = D_DST_LINE_STRIDE;
            D_DST_LINE_STRIDE: load_next = D_DST_SURFACE_STRIDE;
            D_DST_SURFACE_STRIDE: load_next = D_PERF_ENABLE;
            default: load_next = D_DATA_CUBE_IN_WIDTH;
        endcase
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            loading_q   <= 1'b0;
            load_q      <= 1'b0;
            load_word_q <= D_DATA_CUBE_IN_WIDTH;
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
    reg  [12:0] d_data_cube_in_width_q;
    reg  [12:0] d_data_cube_in_height_q;
    reg  [12:0] d_data_cube_in_channel_q;
    reg  [12:0] d_data_cube_out_width_q;
    reg  [12:0] d_data_cube_out_height_q;
    reg  [10:0] d_operation_mode_cfg_q;
    reg  [29:0] d_partial_width_in_q;
    reg  [29:0] d_partial_width_out_q;
    reg  [15:0] d_pooling_kernel_cfg_q;
    reg  [16:0] d_recip_kernel_width_q;
    reg  [16:0] d_recip_kernel_height_q;
    reg  [5:0]  d_pooling_padding_cfg_q;
    reg  [18:0] d_pooling_padding_value_1_cfg_q;
    reg  [18:0] d_pooling_padding_value_2_cfg_q;
    reg  [18:0] d_pooling_padding_value_3_cfg_q;
    reg  [18:0] d_pooling_padding_value_4_cfg_q;
    reg  [18:0] d_pooling_padding_value_5_cfg_q;
    reg  [18:0] d_pooling_padding_value_6_cfg_q;
    reg  [18:0] d_pooling_padding_value_7_cfg_q;
    reg  [31:0] d_dst_base_addr_low_q;
    reg  [31:0] d_dst_base_addr_high_q;
    reg  [31:0] d_dst_line_stride_q;
    reg  [31:0] d_dst_surface_stride_q;
    reg         d_perf_enable_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_data_cube_in_width_q <= 13'h0000;
            d_data_cube_in_height_q <= 13'h0000;
            d_data_cube_in_channel_q <= 13'h0000;
            d_data_cube_out_width_q <= 13'h0000;
            d_data_cube_out_height_q <= 13'h0000;
            d_operation_mode_cfg_q <= 11'h000;
            d_partial_width_in_q <= 30'h00000000;
            d_partial_width_out_q <= 30'h00000000;
            d_pooling_kernel_cfg_q <= 16'h0000;
            d_recip_kernel_width_q <= 17'h00000;
            d_recip_kernel_height_q <= 17'h00000;
            d_pooling_padding_cfg_q <= 6'h00;
            d_pooling_padding_value_1_cfg_q <= 19'h00000;
            d_pooling_padding_value_2_cfg_q <= 19'h00000;
            d_pooling_padding_value_3_cfg_q <= 19'h00000;
            d_pooling_padding_value_4_cfg_q <= 19'h00000;
            d_pooling_padding_value_5_cfg_q <= 19'h00000;
            d_pooling_padding_value_6_cfg_q <= 19'h00000;
            d_pooling_padding_value_7_cfg_q <= 19'h00000;
            d_dst_base_addr_low_q <= 32'h00000000;
            d_dst_base_addr_high_q <= 32'h00000000;
            d_dst_line_stride_q <= 32'h00000000;
            d_dst_surface_stride_q <= 32'h00000000;
            d_perf_enable_q <= 1'h0;
        end else if (field_wr) begin
            case (word_q)
                D_DATA_CUBE_IN_WIDTH: d_data_cube_in_width_q <= data_q[12:0];
                D_DATA_CUBE_IN_HEIGHT: d_data_cube_in_height_q <= data_q[12:0];
                D_DATA_CUBE_IN_CHANNEL: d_data_cube_in_channel_q <= data_q[12:0];
                D_DATA_CUBE_OUT_WIDTH: d_data_cube_out_width_q <= data_q[12:0];
                D_DATA_CUBE_OUT_HEIGHT: d_data_cube_out_height_q <= data_q[12:0];
                D_OPERATION_MODE_CFG: d_operation_mode_cfg_q <= {data_q[15:8], data_q[4],
                        data_q[1:0]};
                D_PARTIAL_WIDTH_IN: d_partial_width_in_q <= {data_q[29:20], data_q[19:10],
                        data_q[9:0]};
                D_PARTIAL_WIDTH_OUT: d_partial_width_out_q <= {data_q[29:20], data_q[19:10],
                        data_q[9:0]};
                D_POOLING_KERNEL_CFG: d_pooling_kernel_cfg_q <= {data_q[23:20], data_q[19:16],
                        data_q[11:8], data_q[3:0]};
                D_RECIP_KERNEL_WIDTH: d_recip_kernel_width_q <= data_q[16:0];
                D_RECIP_KERNEL_HEIGHT: d_recip_kernel_height_q <= data_q[16:0];
                D_POOLING_PADDING_CFG: d_pooling_padding_cfg_q <= {data_q[6:4], data_q[2:0]};
                D_POOLING_PADDING_VALUE_1_CFG: d_pooling_padding_value_1_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_2_CFG: d_pooling_padding_value_2_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_3_CFG: d_pooling_padding_value_3_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_4_CFG: d_pooling_padding_value_4_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_5_CFG: d_pooling_padding_value_5_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_6_CFG: d_pooling_padding_value_6_cfg_q <= data_q[18:0];
                D_POOLING_PADDING_VALUE_7_CFG: d_pooling_padding_value_7_cfg_q <= data_q[18:0];
                D_DST_BASE_ADDR_LOW: d_dst_base_addr_low_q <= data_q;
                D_DST_BASE_ADDR_HIGH: d_dst_base_addr_high_q <= data_q;
                D_DST_LINE_STRIDE: d_dst_line_stride_q <= data_q;
                D_DST_SURFACE_STRIDE: d_dst_surface_stride_q <= data_q;
                D_PERF_ENABLE: d_perf_enable_q <= data_q[0];
                default: ;
            endcase
        end
    end

    assign d_data_cube_in_width = d_data_cube_in_width_q;
    assign d_data_cube_in_height = d_data_cube_in_height_q;
    assign d_data_cube_in_channel = d_data_cube_in_channel_q;
    assign d_data_cube_out_width = d_data_cube_out_width_q;
    assign d_data_cube_out_height = d_data_cube_out_height_q;
    assign d_operation_mode_cfg_pooling_method = d_operation_mode_cfg_q[1:0];
    assign d_operation_mode_cfg_flying_mode = d_operation_mode_cfg_q[2];
    assign d_operation_mode_cfg_split_num = d_operation_mode_cfg_q[10:3];
    assign d_partial_width_in_first = d_partial_width_in_q[9:0];
    assign d_partial_width_in_last = d_partial_width_in_q[19:10];
    assign d_partial_width_in_mid = d_partial_width_in_q[29:20];
    assign d_partial_width_out_first = d_partial_width_out_q[9:0];
    assign d_partial_width_out_last = d_partial_width_out_q[19:10];
    assign d_partial_width_out_mid = d_partial_width_out_q[29:20];
    assign d_pooling_kernel_cfg_kernel_width = d_pooling_kernel_cfg_q[3:0];
    assign d_pooling_kernel_cfg_kernel_height = d_pooling_kernel_cfg_q[7:4];
    assign d_pooling_kernel_cfg_kernel_stride_width = d_pooling_kernel_cfg_q[11:8];
    assign d_pooling_kernel_cfg_kernel_stride_height = d_pooling_kernel_cfg_q[15:12];
    assign d_recip_kernel_width = d_recip_kernel_width_q;
    assign d_recip_kernel_height = d_recip_kernel_height_q;
    assign d_pooling_padding_cfg_pad_left = d_pooling_padding_cfg_q[2:0];
    assign d_pooling_padding_cfg_pad_top = d_pooling_padding_cfg_q[5:3];
    assign d_pooling_padding_value_1_cfg_pad_value_1x = d_pooling_padding_value_1_cfg_q;
    assign d_pooling_padding_value_2_cfg_pad_value_2x = d_pooling_padding_value_2_cfg_q;
    assign d_pooling_padding_value_3_cfg_pad_value_3x = d_pooling_padding_value_3_cfg_q;
    assign d_pooling_padding_value_4_cfg_pad_value_4x = d_pooling_padding_value_4_cfg_q;
    assign d_pooling_padding_value_5_cfg_pad_value_5x = d_pooling_padding_value_5_cfg_q;
    assign d_pooling_padding_value_6_cfg_pad_value_6x = d_pooling_padding_value_6_cfg_q;
    assign d_pooling_padding_value_7_cfg_pad_value_7x = d_pooling_padding_value_7_cfg_q;
    assign d_dst_base_addr_low = d_dst_base_addr_low_q;
    assign d_dst_base_addr_high = d_dst_base_addr_high_q;
    assign d_dst_line_stride = d_dst_line_stride_q;
    assign d_dst_surface_stride = d_dst_surface_stride_q;
    assign d_perf_enable_dma_en = d_perf_enable_q;

    // Counts of the last finished layer of each group. They read 0 from the start of a group's
    // layer to its end.
    reg         counted_g0_q;
    reg         counted_g1_q;
    reg  [31:0] d_perf_write_stall_g0_q;
    reg  [31:0] d_perf_write_stall_g1_q;
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
            d_perf_write_stall_g0_q <= d_perf_write_stall;
        end
        if (done_g1) begin
            d_perf_write_stall_g1_q <= d_perf_write_stall;
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
            D_DATA_CUBE_IN_WIDTH: write_mask = 32'h00001fff;
            D_DATA_CUBE_IN_HEIGHT: write_mask = 32'h00001fff;
            D_DATA_CUBE_IN_CHANNEL: write_mask = 32'h00001fff;
            D_DATA_CUBE_OUT_WIDTH: write_mask = 32'h00001fff;
            D_DATA_CUBE_OUT_HEIGHT: write_mask = 32'h00001fff;
            D_DATA_CUBE_OUT_CHANNEL: write_mask = 32'h00001fff;
            D_OPERATION_MODE_CFG: write_mask = 32'h0000ff13;
            D_NAN_FLUSH_TO_ZERO: write_mask = 32'h00000001;
            D_PARTIAL_WIDTH_IN: write_mask = 32'h3fffffff;
            D_PARTIAL_WIDTH_OUT: write_mask = 32'h3fffffff;
            D_POOLING_KERNEL_CFG: write_mask = 32'h00ff0f0f;
            D_RECIP_KERNEL_WIDTH: write_mask = 32'h0001ffff;
            D_RECIP_KERNEL_HEIGHT: write_mask = 32'h0001ffff;
            D_POOLING_PADDING_CFG: write_mask = 32'h00007777;
            D_POOLING_PADDING_VALUE_1_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_2_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_3_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_4_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_5_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_6_CFG: write_mask = 32'h0007ffff;
            D_POOLING_PADDING_VALUE_7_CFG: write_mask = 32'h0007ffff;
            D_SRC_BASE_ADDR_LOW: write_mask = 32'hffffffff;
            D_SRC_BASE_ADDR_HIGH: write_mask = 32'hffffffff;
            D_SRC_LINE_STRIDE: write_mask = 32'hffffffff;
            D_SRC_SURFACE_STRIDE: write_mask = 32'hffffffff;
            D_DST_BASE_ADDR_LOW: write_mask = 32'hffffffff;
            D_DST_BASE_ADDR_HIGH: write_mask = 32'hffffffff;
            D_DST_LINE_STRIDE: write_mask = 32'hffffffff;
            D_DST_SURFACE_STRIDE: write_mask = 32'hffffffff;
            D_DST_RAM_CFG: write_mask = 32'h00000001;
            D_DATA_FORMAT: write_mask = 32'h00000003;
            D_PERF_ENABLE: write_mask = 32'h00000001;
            D_CYA: write_mask = 32'hffffffff;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[5:0])
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
            D_PERF_WRITE_STALL: begin
                if (counted && producer_q) hw_value = d_perf_write_stall_g1_q;
                if (counted && !producer_q) hw_value = d_perf_write_stall_g0_q;
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
