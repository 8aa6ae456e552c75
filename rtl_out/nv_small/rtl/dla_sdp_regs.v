// Made by macrame 0.1.0 from the register table of SDP

// Register file of SDP, single-data-point processor: bias, scale, activation, convertor.
// A write of a single register is visible in the next cycle, of a D_ register in the one behind
// it. Read data comes two cycles after the request and is 0 in every other cycle. Nothing stalls;
// one access per cycle.
// D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. Writes to a
// group whose OP_EN is 1 are dropped.
// Reset: all fields with a port have their documented values. The read-back copy of all registers
// is written in the 128 cycles after it: no access before that (dla_csb_master waits).
`default_nettype none

module dla_sdp_regs (
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
    // D_DATA_CUBE_WIDTH
    output wire [12:0] d_data_cube_width,        // cube width minus 1 (1..8192)
    // D_DATA_CUBE_HEIGHT
    output wire [12:0] d_data_cube_height,       // cube height minus 1 (1..8192)
    // D_DATA_CUBE_CHANNEL
    output wire [12:0] d_data_cube_channel,      // cube channels minus 1 (1..8192)
    // D_DST_BASE_ADDR_LOW
    output wire [31:0] d_dst_base_addr_low,      // destination cube address 31:0
    // D_DST_BASE_ADDR_HIGH
    output wire [31:0] d_dst_base_addr_high,     // destination cube address 63:32
    // D_DST_LINE_STRIDE
    output wire [31:0] d_dst_line_stride,        // destination line pitch in bytes
    // D_DST_SURFACE_STRIDE
    output wire [31:0] d_dst_surface_stride,     // destination surface pitch in bytes
    // D_DP_BS_CFG
    output wire        d_dp_bs_cfg_bs_bypass,    // 1 bypasses the whole BS stage
    output wire        d_dp_bs_cfg_bs_alu_bypass, // 1 bypasses the BS ALU
    output wire [1:0]  d_dp_bs_cfg_bs_alu_algo,  // BS ALU operation
    output wire        d_dp_bs_cfg_bs_mul_bypass, // 1 bypasses the BS multiplier
    output wire        d_dp_bs_cfg_bs_mul_prelu, // 1: multiplier scales negative inputs only
    output wire        d_dp_bs_cfg_bs_relu_bypass, // 1 bypasses the BS ReLU
    // D_DP_BS_ALU_CFG
    output wire        d_dp_bs_alu_cfg_bs_alu_src, // ALU operand from register or memory
    // left shift applied to the ALU operand (unsigned 6b; int only)
    output wire [5:0]  d_dp_bs_alu_cfg_bs_alu_shift_value,
    // D_DP_BS_ALU_SRC_VALUE
    output wire [15:0] d_dp_bs_alu_src_value_bs_alu_operand, // register ALU operand: int16/fp16
    // D_DP_BS_MUL_CFG
    output wire        d_dp_bs_mul_cfg_bs_mul_src, // multiplier operand from register or memory
    // right shift after the multiplier stage (unsigned 8b; applies even if MUL is bypassed)
    output wire [7:0]  d_dp_bs_mul_cfg_bs_mul_shift_value,
    // D_DP_BS_MUL_SRC_VALUE
    // register multiplier operand: int16/fp16
    output wire [15:0] d_dp_bs_mul_src_value_bs_mul_operand,
    // D_DP_BN_CFG
    output wire        d_dp_bn_cfg_bn_bypass,    // 1 bypasses the whole BN stage
    output wire        d_dp_bn_cfg_bn_alu_bypass, // 1 bypasses the BN ALU
    output wire [1:0]  d_dp_bn_cfg_bn_alu_algo,  // BN ALU operation
    output wire        d_dp_bn_cfg_bn_mul_bypass, // 1 bypasses the BN multiplier
    output wire        d_dp_bn_cfg_bn_mul_prelu, // 1: multiplier scales negative inputs only
    output wire        d_dp_bn_cfg_bn_relu_bypass, // 1 bypasses the BN ReLU
    // D_DP_BN_ALU_CFG
    output wire        d_dp_bn_alu_cfg_bn_alu_src, // ALU operand from register or memory
    // left shift applied to the ALU operand (unsigned 6b; int only)
    output wire [5:0]  d_dp_bn_alu_cfg_bn_alu_shift_value,
    // D_DP_BN_ALU_SRC_VALUE
    output wire [15:0] d_dp_bn_alu_src_value_bn_alu_operand, // register ALU operand: int16/fp16
    // D_DP_BN_MUL_CFG
    output wire        d_dp_bn_mul_cfg_bn_mul_src, // multiplier operand from register or memory
    // right shift after the multiplier stage (unsigned 8b; applies even if MUL is bypassed)
    output wire [7:0]  d_dp_bn_mul_cfg_bn_mul_shift_value,
    // D_DP_BN_MUL_SRC_VALUE
    // register multiplier operand: int16/fp16
    output wire [15:0] d_dp_bn_mul_src_value_bn_mul_operand,
    // D_FEATURE_MODE_CFG
    // ON: main data comes from the accumulator; OFF: from SDP_RDMA
    output wire        d_feature_mode_cfg_flying_mode,
    // write results to memory or stream them to PDP
    output wire        d_feature_mode_cfg_output_dst,
    // D_CVT_OFFSET
    output wire [31:0] d_cvt_offset,             // output converter offset, int32
    // D_CVT_SCALE
    output wire [15:0] d_cvt_scale,              // output converter multiplier, int16
    // D_CVT_SHIFT
    output wire [5:0]  d_cvt_shift,              // output converter right shift, unsigned 6b
    // D_STATUS
    input  wire        d_status_unequal,         // compare mode: 1 if any element pair differed
    // D_PERF_ENABLE
    output wire        d_perf_enable_perf_dma_en, // enable DMA stall counters
    output wire        d_perf_enable_perf_sat_en, // enable output saturation counter
    // D_PERF_WDMA_WRITE_STALL
    // cycles the write request waited for ready
    input  wire [31:0] d_perf_wdma_write_stall_wdma_stall,
    // D_PERF_OUT_SATURATION
    input  wire [31:0] d_perf_out_saturation     // output elements that saturated
);

    // Word offsets of the registers.
    localparam [5:0]  S_STATUS                       = 6'h00;
    localparam [5:0]  S_POINTER                      = 6'h01;
    localparam [5:0]  S_LUT_ACCESS_CFG               = 6'h02;
    localparam [5:0]  S_LUT_CFG                      = 6'h04;
    localparam [5:0]  S_LUT_INFO                     = 6'h05;
    localparam [5:0]  S_LUT_LE_START                 = 6'h06;
    localparam [5:0]  S_LUT_LE_END                   = 6'h07;
    localparam [5:0]  S_LUT_LO_START                 = 6'h08;
    localparam [5:0]  S_LUT_LO_END                   = 6'h09;
    localparam [5:0]  S_LUT_LE_SLOPE_SCALE           = 6'h0a;
    localparam [5:0]  S_LUT_LE_SLOPE_SHIFT           = 6'h0b;
    localparam [5:0]  S_LUT_LO_SLOPE_SCALE           = 6'h0c;
    localparam [5:0]  S_LUT_LO_SLOPE_SHIFT           = 6'h0d;
    localparam [5:0]  D_OP_ENABLE                    = 6'h0e;
    localparam [5:0]  D_DATA_CUBE_WIDTH              = 6'h0f;
    localparam [5:0]  D_DATA_CUBE_HEIGHT             = 6'h10;
    localparam [5:0]  D_DATA_CUBE_CHANNEL            = 6'h11;
    localparam [5:0]  D_DST_BASE_ADDR_LOW            = 6'h12;
    localparam [5:0]  D_DST_BASE_ADDR_HIGH           = 6'h13;
    localparam [5:0]  D_DST_LINE_STRIDE              = 6'h14;
    localparam [5:0]  D_DST_SURFACE_STRIDE           = 6'h15;
    localparam [5:0]  D_DP_BS_CFG                    = 6'h16;
    localparam [5:0]  D_DP_BS_ALU_CFG                = 6'h17;
    localparam [5:0]  D_DP_BS_ALU_SRC_VALUE          = 6'h18;
    localparam [5:0]  D_DP_BS_MUL_CFG                = 6'h19;
    localparam [5:0]  D_DP_BS_MUL_SRC_VALUE          = 6'h1a;
    localparam [5:0]  D_DP_BN_CFG                    = 6'h1b;
    localparam [5:0]  D_DP_BN_ALU_CFG                = 6'h1c;
    localparam [5:0]  D_DP_BN_ALU_SRC_VALUE          = 6'h1d;
    localparam [5:0]  D_DP_BN_MUL_CFG                = 6'h1e;
    localparam [5:0]  D_DP_BN_MUL_SRC_VALUE          = 6'h1f;
    localparam [5:0]  D_DP_EW_CFG                    = 6'h20;
    localparam [5:0]  D_DP_EW_ALU_CFG                = 6'h21;
    localparam [5:0]  D_DP_EW_ALU_SRC_VALUE          = 6'h22;
    localparam [5:0]  D_DP_EW_ALU_CVT_OFFSET_VALUE   = 6'h23;
    localparam [5:0]  D_DP_EW_ALU_CVT_SCALE_VALUE    = 6'h24;
    localparam [5:0]  D_DP_EW_ALU_CVT_TRUNCATE_VALUE = 6'h25;
    localparam [5:0]  D_DP_EW_MUL_CFG                = 6'h26;
    localparam [5:0]  D_DP_EW_MUL_SRC_VALUE          = 6'h27;
    localparam [5:0]  D_DP_EW_MUL_CVT_OFFSET_VALUE   = 6'h28;
    localparam [5:0]  D_DP_EW_MUL_CVT_SCALE_VALUE    = 6'h29;
    localparam [5:0]  D_DP_EW_MUL_CVT_TRUNCATE_VALUE = 6'h2a;
    localparam [5:0]  D_DP_EW_TRUNCATE_VALUE         = 6'h2b;
    localparam [5:0]  D_FEATURE_MODE_CFG             = 6'h2c;
    localparam [5:0]  D_DST_DMA_CFG                  = 6'h2d;
    localparam [5:0]  D_DST_BATCH_STRIDE             = 6'h2e;
    localparam [5:0]  D_DATA_FORMAT                  = 6'h2f;
    localparam [5:0]  D_CVT_OFFSET                   = 6'h30;
    localparam [5:0]  D_CVT_SCALE                    = 6'h31;
    localparam [5:0]  D_CVT_SHIFT                    = 6'h32;
    localparam [5:0]  D_STATUS                       = 6'h33;
    localparam [5:0]  D_PERF_ENABLE                  = 6'h37;
    localparam [5:0]  D_PERF_WDMA_WRITE_STALL        = 6'h38;
    localparam [5:0]  D_PERF_OUT_SATURATION          = 6'h3b;

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
    // written together with the copy below if PRODUCER = CONSUMER. After a layer the 22 words of
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
            D_DATA_CUBE_WIDTH: load_next = D_DATA_CUBE_HEIGHT;
            D_DATA_CUBE_HEIGHT: load_next = D_DATA_CUBE_CHANNEL;
            D_DATA_CUBE_CHANNEL: load_next = D_DST_BASE_ADDR_LOW;
            D_DST_BASE_ADDR_LOW: load_next = D_DST_BASE_ADDR_HIGH;
            D_DST_BASE_ADDR_HIGH: load_next = D_DST_LINE_STRIDE;
            D_DST_LINE_STRIDE: load_next = D_DST_SURFACE_STRIDE;
            D_DST_SURFACE_STRIDE: load_next = D_DP_BS_CFG;
            D_DP_BS_CFG: load_next = D_DP_BS_ALU_CFG;
            D_DP_BS_ALU_CFG: load_next = D_DP_BS_ALU_SRC_VALUE;
            D_DP_BS_ALU_SRC_VALUE: load_next = D_DP_BS_MUL_CFG;
            D_DP_BS_MUL_CFG: load_next = D_DP_BS_MUL_SRC_VALUE;
            D_DP_BS_MUL_SRC_VALUE: load_next = D_DP_BN_CFG;
            D_DP_BN_CFG: load_next = D_DP_BN_ALU_CFG;
            D_DP_BN_ALU_CFG: load_next = D_DP_BN_ALU_SRC_VALUE;
            D_DP_BN_ALU_SRC_VALUE: load_next = D_DP_BN_MUL_CFG;
            D_DP_BN_MUL_CFG: load_next = D_DP_BN_MUL_SRC_VALUE;
            D_DP_BN_MUL_SRC_VALUE: load_next = D_FEATURE_MODE_CFG;
            D_FEATURE_MODE_CFG: load_next = D_CVT_OFFSET;
            D_CVT_OFFSET: load_next = D_CVT_SCALE;
            D_CVT_SCALE: load_next = D_CVT_SHIFT;
            D_CVT_SHIFT: load_next = D_PERF_ENABLE;
            default: load_next = D_DATA_CUBE_WIDTH;
        endcase
    endfunction

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            loading_q   <= 1'b0;
            load_q      <= 1'b0;
            load_word_q <= D_DATA_CUBE_WIDTH;
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
    reg  [12:0] d_data_cube_width_q;
    reg  [12:0] d_data_cube_height_q;
    reg  [12:0] d_data_cube_channel_q;
    reg  [31:0] d_dst_base_addr_low_q;
    reg  [31:0] d_dst_base_addr_high_q;
    reg  [31:0] d_dst_line_stride_q;
    reg  [31:0] d_dst_surface_stride_q;
    reg  [6:0]  d_dp_bs_cfg_q;
    reg  [6:0]  d_dp_bs_alu_cfg_q;
    reg  [15:0] d_dp_bs_alu_src_value_q;
    reg  [8:0]  d_dp_bs_mul_cfg_q;
    reg  [15:0] d_dp_bs_mul_src_value_q;
    reg  [6:0]  d_dp_bn_cfg_q;
    reg  [6:0]  d_dp_bn_alu_cfg_q;
    reg  [15:0] d_dp_bn_alu_src_value_q;
    reg  [8:0]  d_dp_bn_mul_cfg_q;
    reg  [15:0] d_dp_bn_mul_src_value_q;
    reg  [1:0]  d_feature_mode_cfg_q;
    reg  [31:0] d_cvt_offset_q;
    reg  [15:0] d_cvt_scale_q;
    reg  [5:0]  d_cvt_shift_q;
    reg  [1:0]  d_perf_enable_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            d_data_cube_width_q <= 13'h0000;
            d_data_cube_height_q <= 13'h0000;
            d_data_cube_channel_q <= 13'h0000;
            d_dst_base_addr_low_q <= 32'h00000000;
            d_dst_base_addr_high_q <= 32'h00000000;
            d_dst_line_stride_q <= 32'h00000000;
            d_dst_surface_stride_q <= 32'h00000000;
            d_dp_bs_cfg_q <= 7'h73;
            d_dp_bs_alu_cfg_q <= 7'h00;
            d_dp_bs_alu_src_value_q <= 16'h0000;
            d_dp_bs_mul_cfg_q <= 9'h000;
            d_dp_bs_mul_src_value_q <= 16'h0000;
            d_dp_bn_cfg_q <= 7'h53;
            d_dp_bn_alu_cfg_q <= 7'h00;
            d_dp_bn_alu_src_value_q <= 16'h0000;
            d_dp_bn_mul_cfg_q <= 9'h000;
            d_dp_bn_mul_src_value_q <= 16'h0000;
            d_feature_mode_cfg_q <= 2'h0;
            d_cvt_offset_q <= 32'h00000000;
            d_cvt_scale_q <= 16'h0000;
            d_cvt_shift_q <= 6'h00;
            d_perf_enable_q <= 2'h0;
        end else if (field_wr) begin
            case (word_q)
                D_DATA_CUBE_WIDTH: d_data_cube_width_q <= data_q[12:0];
                D_DATA_CUBE_HEIGHT: d_data_cube_height_q <= data_q[12:0];
                D_DATA_CUBE_CHANNEL: d_data_cube_channel_q <= data_q[12:0];
                D_DST_BASE_ADDR_LOW: d_dst_base_addr_low_q <= data_q;
                D_DST_BASE_ADDR_HIGH: d_dst_base_addr_high_q <= data_q;
                D_DST_LINE_STRIDE: d_dst_line_stride_q <= data_q;
                D_DST_SURFACE_STRIDE: d_dst_surface_stride_q <= data_q;
                D_DP_BS_CFG: d_dp_bs_cfg_q <= {data_q[6], data_q[5], data_q[4], data_q[3:2],
                        data_q[1], data_q[0]};
                D_DP_BS_ALU_CFG: d_dp_bs_alu_cfg_q <= {data_q[13:8], data_q[0]};
                D_DP_BS_ALU_SRC_VALUE: d_dp_bs_alu_src_value_q <= data_q[15:0];
                D_DP_BS_MUL_CFG: d_dp_bs_mul_cfg_q <= {data_q[15:8], data_q[0]};
                D_DP_BS_MUL_SRC_VALUE: d_dp_bs_mul_src_value_q <= data_q[15:0];
                D_DP_BN_CFG: d_dp_bn_cfg_q <= {data_q[6], data_q[5], data_q[4], data_q[3:2],
                        data_q[1], data_q[0]};
                D_DP_BN_ALU_CFG: d_dp_bn_alu_cfg_q <= {data_q[13:8], data_q[0]};
                D_DP_BN_ALU_SRC_VALUE: d_dp_bn_alu_src_value_q <= data_q[15:0];
                D_DP_BN_MUL_CFG: d_dp_bn_mul_cfg_q <= {data_q[15:8], data_q[0]};
                D_DP_BN_MUL_SRC_VALUE: d_dp_bn_mul_src_value_q <= data_q[15:0];
                D_FEATURE_MODE_CFG: d_feature_mode_cfg_q <= {data_q[1], data_q[0]};
                D_CVT_OFFSET: d_cvt_offset_q <= data_q;
                D_CVT_SCALE: d_cvt_scale_q <= data_q[15:0];
                D_CVT_SHIFT: d_cvt_shift_q <= data_q[5:0];
                D_PERF_ENABLE: d_perf_enable_q <= {data_q[2], data_q[0]};
                default: ;
            endcase
        end
    end

    assign d_data_cube_width = d_data_cube_width_q;
    assign d_data_cube_height = d_data_cube_height_q;
    assign d_data_cube_channel = d_data_cube_channel_q;
    assign d_dst_base_addr_low = d_dst_base_addr_low_q;
    assign d_dst_base_addr_high = d_dst_base_addr_high_q;
    assign d_dst_line_stride = d_dst_line_stride_q;
    assign d_dst_surface_stride = d_dst_surface_stride_q;
    assign d_dp_bs_cfg_bs_bypass = d_dp_bs_cfg_q[0];
    assign d_dp_bs_cfg_bs_alu_bypass = d_dp_bs_cfg_q[1];
    assign d_dp_bs_cfg_bs_alu_algo = d_dp_bs_cfg_q[3:2];
    assign d_dp_bs_cfg_bs_mul_bypass = d_dp_bs_cfg_q[4];
    assign d_dp_bs_cfg_bs_mul_prelu = d_dp_bs_cfg_q[5];
    assign d_dp_bs_cfg_bs_relu_bypass = d_dp_bs_cfg_q[6];
    assign d_dp_bs_alu_cfg_bs_alu_src = d_dp_bs_alu_cfg_q[0];
    assign d_dp_bs_alu_cfg_bs_alu_shift_value = d_dp_bs_alu_cfg_q[6:1];
    assign d_dp_bs_alu_src_value_bs_alu_operand = d_dp_bs_alu_src_value_q;
    assign d_dp_bs_mul_cfg_bs_mul_src = d_dp_bs_mul_cfg_q[0];
    assign d_dp_bs_mul_cfg_bs_mul_shift_value = d_dp_bs_mul_cfg_q[8:1];
    assign d_dp_bs_mul_src_value_bs_mul_operand = d_dp_bs_mul_src_value_q;
    assign d_dp_bn_cfg_bn_bypass = d_dp_bn_cfg_q[0];
    assign d_dp_bn_cfg_bn_alu_bypass = d_dp_bn_cfg_q[1];
    assign d_dp_bn_cfg_bn_alu_algo = d_dp_bn_cfg_q[3:2];
    assign d_dp_bn_cfg_bn_mul_bypass = d_dp_bn_cfg_q[4];
    assign d_dp_bn_cfg_bn_mul_prelu = d_dp_bn_cfg_q[5];
    assign d_dp_bn_cfg_bn_relu_bypass = d_dp_bn_cfg_q[6];
    assign d_dp_bn_alu_cfg_bn_alu_src = d_dp_bn_alu_cfg_q[0];
    assign d_dp_bn_alu_cfg_bn_alu_shift_value = d_dp_bn_alu_cfg_q[6:1];
    assign d_dp_bn_alu_src_value_bn_alu_operand = d_dp_bn_alu_src_value_q;
    assign d_dp_bn_mul_cfg_bn_mul_src = d_dp_bn_mul_cfg_q[0];
    assign d_dp_bn_mul_cfg_bn_mul_shift_value = d_dp_bn_mul_cfg_q[8:1];
    assign d_dp_bn_mul_src_value_bn_mul_operand = d_dp_bn_mul_src_value_q;
    assign d_feature_mode_cfg_flying_mode = d_feature_mode_cfg_q[0];
    assign d_feature_mode_cfg_output_dst = d_feature_mode_cfg_q[1];
    assign d_cvt_offset = d_cvt_offset_q;
    assign d_cvt_scale = d_cvt_scale_q;
    assign d_cvt_shift = d_cvt_shift_q;
    assign d_perf_enable_perf_dma_en = d_perf_enable_q[0];
    assign d_perf_enable_perf_sat_en = d_perf_enable_q[1];

    // Counts of the last finished layer of each group. They read 0 from the start of a group's
    // layer to its end.
    reg         counted_g0_q;
    reg         counted_g1_q;
    reg         d_status_g0_q;
    reg         d_status_g1_q;
    reg  [31:0] d_perf_wdma_write_stall_g0_q;
    reg  [31:0] d_perf_wdma_write_stall_g1_q;
    reg  [31:0] d_perf_out_saturation_g0_q;
    reg  [31:0] d_perf_out_saturation_g1_q;
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
            d_status_g0_q <= d_status_unequal;
            d_perf_wdma_write_stall_g0_q <= d_perf_wdma_write_stall_wdma_stall;
            d_perf_out_saturation_g0_q <= d_perf_out_saturation;
        end
        if (done_g1) begin
            d_status_g1_q <= d_status_unequal;
            d_perf_wdma_write_stall_g1_q <= d_perf_wdma_write_stall_wdma_stall;
            d_perf_out_saturation_g1_q <= d_perf_out_saturation;
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
            S_LUT_ACCESS_CFG: write_mask = 32'h000303ff;
            S_LUT_CFG: write_mask = 32'h00000071;
            S_LUT_INFO: write_mask = 32'h00ffffff;
            S_LUT_LE_START: write_mask = 32'hffffffff;
            S_LUT_LE_END: write_mask = 32'hffffffff;
            S_LUT_LO_START: write_mask = 32'hffffffff;
            S_LUT_LO_END: write_mask = 32'hffffffff;
            S_LUT_LE_SLOPE_SCALE: write_mask = 32'hffffffff;
            S_LUT_LE_SLOPE_SHIFT: write_mask = 32'h000003ff;
            S_LUT_LO_SLOPE_SCALE: write_mask = 32'hffffffff;
            S_LUT_LO_SLOPE_SHIFT: write_mask = 32'h000003ff;
            D_DATA_CUBE_WIDTH: write_mask = 32'h00001fff;
            D_DATA_CUBE_HEIGHT: write_mask = 32'h00001fff;
            D_DATA_CUBE_CHANNEL: write_mask = 32'h00001fff;
            D_DST_BASE_ADDR_LOW: write_mask = 32'hffffffff;
            D_DST_BASE_ADDR_HIGH: write_mask = 32'hffffffff;
            D_DST_LINE_STRIDE: write_mask = 32'hffffffff;
            D_DST_SURFACE_STRIDE: write_mask = 32'hffffffff;
            D_DP_BS_CFG: write_mask = 32'h0000007f;
            D_DP_BS_ALU_CFG: write_mask = 32'h00003f01;
            D_DP_BS_ALU_SRC_VALUE: write_mask = 32'h0000ffff;
            D_DP_BS_MUL_CFG: write_mask = 32'h0000ff01;
            D_DP_BS_MUL_SRC_VALUE: write_mask = 32'h0000ffff;
            D_DP_BN_CFG: write_mask = 32'h0000007f;
            D_DP_BN_ALU_CFG: write_mask = 32'h00003f01;
            D_DP_BN_ALU_SRC_VALUE: write_mask = 32'h0000ffff;
            D_DP_BN_MUL_CFG: write_mask = 32'h0000ff01;
            D_DP_BN_MUL_SRC_VALUE: write_mask = 32'h0000ffff;
            D_DP_EW_CFG: write_mask = 32'h0000007f;
            D_DP_EW_ALU_CFG: write_mask = 32'h00000003;
            D_DP_EW_ALU_SRC_VALUE: write_mask = 32'hffffffff;
            D_DP_EW_ALU_CVT_OFFSET_VALUE: write_mask = 32'hffffffff;
            D_DP_EW_ALU_CVT_SCALE_VALUE: write_mask = 32'h0000ffff;
            D_DP_EW_ALU_CVT_TRUNCATE_VALUE: write_mask = 32'h0000003f;
            D_DP_EW_MUL_CFG: write_mask = 32'h00000003;
            D_DP_EW_MUL_SRC_VALUE: write_mask = 32'hffffffff;
            D_DP_EW_MUL_CVT_OFFSET_VALUE: write_mask = 32'hffffffff;
            D_DP_EW_MUL_CVT_SCALE_VALUE: write_mask = 32'h0000ffff;
            D_DP_EW_MUL_CVT_TRUNCATE_VALUE: write_mask = 32'h0000003f;
            D_DP_EW_TRUNCATE_VALUE: write_mask = 32'h000003ff;
            D_FEATURE_MODE_CFG: write_mask = 32'h00001f0f;
            D_DST_DMA_CFG: write_mask = 32'h00000001;
            D_DST_BATCH_STRIDE: write_mask = 32'hffffffff;
            D_DATA_FORMAT: write_mask = 32'h0000000f;
            D_CVT_OFFSET: write_mask = 32'hffffffff;
            D_CVT_SCALE: write_mask = 32'h0000ffff;
            D_CVT_SHIFT: write_mask = 32'h0000003f;
            D_PERF_ENABLE: write_mask = 32'h0000000f;
            default: ;
        endcase
    end

    // Reset values other than 0.
    always @* begin
        init_value = 32'd0;
        if (init) case (init_q[5:0])
            D_DP_BS_CFG: init_value = 32'h00000073;
            D_DP_BN_CFG: init_value = 32'h00000053;
            D_DP_EW_CFG: init_value = 32'h00000053;
            D_DP_EW_ALU_CFG: init_value = 32'h00000002;
            D_DP_EW_MUL_CFG: init_value = 32'h00000002;
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
            D_STATUS: begin
                if (counted && producer_q) hw_value = {31'd0, d_status_g1_q};
                if (counted && !producer_q) hw_value = {31'd0, d_status_g0_q};
            end
            D_PERF_WDMA_WRITE_STALL: begin
                if (counted && producer_q) hw_value = d_perf_wdma_write_stall_g1_q;
                if (counted && !producer_q) hw_value = d_perf_wdma_write_stall_g0_q;
            end
            D_PERF_OUT_SATURATION: begin
                if (counted && producer_q) hw_value = d_perf_out_saturation_g1_q;
                if (counted && !producer_q) hw_value = d_perf_out_saturation_g0_q;
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
